"""The parts of edits in a difference: fair, exact, and without a rest."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from cutlist.verbs.diff.attribution import Parts, Subset, Value, alone, averages, parts
from tests.examples import examples

amounts = st.integers(-(10**9), 10**9).map(lambda n: Fraction(n, 10**4))
counts = st.integers(1, 5)


@st.composite
def games(draw: st.DrawFn) -> tuple[int, Mapping[Subset, Fraction]]:
    """Return a number of edits, and an amount for each subset."""
    count = draw(counts)
    subsets = [frozenset(i for i in range(count) if number >> i & 1) for number in range(2**count)]
    return count, {subset: draw(amounts) for subset in subsets}


def value_of(values: Mapping[Subset, Fraction]) -> Value:
    """Return the amounts as a function."""
    return values.__getitem__


@examples(0.3)
@given(games())
def test_a_part_is_the_average_over_all_orders(game: tuple[int, Mapping[Subset, Fraction]]):
    """Computed order by order, as its definition says."""
    count, values = game
    orders = list(permutations(range(count)))
    for edit, part in enumerate(averages(count, value_of(values)).of_edits):
        changes = [
            values[frozenset(order[: order.index(edit) + 1])] - values[frozenset(order[: order.index(edit)])]
            for order in orders
        ]
        assert part == sum(changes, start=Fraction(0)) / len(orders)


@examples(0.3)
@given(games(), st.integers(2, 40))
def test_parts_add_up_to_the_difference(game: tuple[int, Mapping[Subset, Fraction]], most: int):
    """However many subsets may be asked about."""
    count, values = game
    found = parts(count, value_of(values), most)
    total = sum((part for part in found.of_edits if part is not None), start=found.together or Fraction(0))
    assert total == values[frozenset(range(count))] - values[frozenset()]


@examples(0.3)
@given(games(), st.integers(2, 40))
def test_no_more_subsets_are_asked_about_than_allowed_and_none_twice(game: tuple[int, Mapping[Subset, Fraction]], most: int):
    """A subset is a plan."""
    count, values = game
    asked: list[Subset] = []

    def value(subset: Subset) -> Fraction:
        asked.append(subset)
        return values[subset]

    parts(count, value, most)
    assert len(set(asked)) <= most
    assert len(set(asked)) == len(asked) or count == 1


def test_an_edit_that_changes_nothing_has_no_part():
    values = {frozenset(s): Fraction(3 if 0 in s else 0) for s in ((), (0,), (1,), (0, 1))}
    assert averages(2, value_of(values)).of_edits == (3, 0)


def test_edits_that_only_work_together_share_what_they_do():
    """Half each; alone they do nothing, and all of it is what they do together."""
    values = {frozenset(s): Fraction(10 if len(s) == 2 else 0) for s in ((), (0,), (1,), (0, 1))}
    assert averages(2, value_of(values)).of_edits == (5, 5)
    assert alone(2, value_of(values), 2) == Parts((Fraction(0), Fraction(0)), Fraction(10))


def test_edits_beyond_the_most_have_no_part_of_their_own():
    values = {frozenset(s): Fraction(len(s)) for s in ((), (0,), (1,), (0, 1))}
    found = alone(2, value_of(values), 1)
    assert found.of_edits == (1, None)
    assert found.together == 1


def test_of_many_edits_those_that_need_each_other_have_averages_and_the_others_what_they_do_alone():
    """Two that do 10 only together, beside four that do 1 each whatever else is done."""

    def value(subset: Subset) -> Fraction:
        return Fraction(len(subset - {0, 1}) + (10 if {0, 1} <= subset else 0))

    assert parts(6, value, 32) == Parts((*[Fraction(5)] * 2, *[Fraction(1)] * 4), Fraction(0), frozenset({0, 1}))


def test_of_many_edits_that_all_depend_on_each_other_a_row_has_the_rest():
    """Where a few averages would leave as much of it, each part is what the edit does alone."""

    def value(subset: Subset) -> Fraction:
        return Fraction(100 if len(subset) == 7 else len(subset))

    assert parts(7, value, 32) == Parts(tuple([Fraction(1)] * 7), Fraction(93))
