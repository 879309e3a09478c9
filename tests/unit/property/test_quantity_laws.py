"""Laws of quantities and of resource lists."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given

from cutlist.core.quantity import (
    NANO,
    Format,
    Quantity,
    fits,
    maximum,
    merge,
    subtract,
    subtract_all,
)
from tests.conformance.algebra import minimum
from tests.unit.property.strategies import quantities, quantity_texts, resource_lists, sane_lists, whole_quantities


@given(quantities)
def test_printing_and_parsing_gives_the_amount_again(q):
    """The text says exactly the amount, but for binary amounts that parsing caps at 64 bits."""
    again = Quantity.parse(str(q))
    capped = again.format is Format.BINARY_SI and abs(q.nanos) >= 2**63 * NANO
    assert again == q or capped


@given(quantity_texts)
def test_parsing_is_exact_up_to_rounding_away_from_zero(text):
    """The amount is the number that the text says, or the next nano away from zero."""
    q = Quantity.parse(text)
    said = value_of(text) * NANO
    if not text.endswith("i") or abs(said) < (2**63 - 1) * NANO:
        assert abs(said) <= abs(q.nanos) < abs(said) + 1
        assert q.nanos * said >= 0


def value_of(text: str) -> Fraction:
    """The number of a quantity text, worked out without the product."""
    number, factor = text, Fraction(1)
    suffixes = {"n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
    if text.endswith("i"):
        number, factor = text[:-2], Fraction(2) ** (10 * "KMGTPE".index(text[-2]) + 10)
    elif text[-1] in suffixes:
        number, factor = text[:-1], Fraction(10) ** suffixes[text[-1]]
    elif "e" in text.lower():
        number, _, exponent = text.lower().partition("e")
        factor = Fraction(10) ** int(exponent)
    whole, _, fraction = number.lstrip("+-").partition(".")
    magnitude = Fraction(int(whole + fraction or "0"), 10 ** len(fraction)) * factor
    return -magnitude if number.startswith("-") else magnitude


@given(quantity_texts)
def test_the_canonical_text_is_final(text):
    """Printing what was parsed, and parsing and printing that in the canonical way, comes to rest."""
    canonical = Quantity.parse(text).canonical()
    assert Quantity.parse(canonical).canonical() == canonical


@given(quantities, quantities)
def test_the_order_is_that_of_the_amounts(a, b):
    """Exactly one of less, equal, greater holds, whatever the formats."""
    assert (a < b, a == b, a > b) == (a.nanos < b.nanos, a.nanos == b.nanos, a.nanos > b.nanos)
    assert (a <= b, a >= b) == (not a > b, not a < b)


@given(quantities, quantities, quantities)
def test_sums(a, b, c):
    """Addition is exact, commutative and associative in the amount, and subtraction takes it back."""
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)
    assert (a + b) - b == a
    assert a + -a == a - a == Quantity(0)


@given(whole_quantities, quantities)
def test_ceilings(whole, q):
    """Whole units are rounded up, and whole amounts are not changed."""
    assert whole.value() * NANO == whole.nanos
    assert 0 <= q.value() * NANO - q.nanos < NANO


@given(resource_lists, resource_lists, resource_lists)
def test_merge_is_a_commutative_sum(a, b, c):
    """Lists add up in any order, and the empty list adds nothing."""
    assert merge(a, b, c) == merge(c, merge(b, a))
    assert merge(a, {}) == merge(a) == a


@given(resource_lists, resource_lists)
def test_subtracting_takes_back_what_was_merged(a, b):
    """What is left of a sum is the other part, with zeros for what only the part taken had."""
    left = subtract_all(merge(a, b), b)
    assert left == {**dict.fromkeys(b, 0), **a}
    assert subtract(merge(a, b), b) == left


@given(resource_lists, resource_lists)
def test_the_two_subtractions_differ_in_what_only_the_right_has(a, b):
    """Both agree on the left side's resources; one has the others below zero too."""
    everything = subtract_all(a, b)
    assert subtract(a, b) == {name: everything[name] for name in a}
    assert {name: everything[name] for name in b if name not in a} == {name: -b[name] for name in b if name not in a}


@given(resource_lists, resource_lists)
def test_maximum_and_minimum_bound_every_list(a, b):
    """No list exceeds the maximum or falls below the minimum, and both are among the lists."""
    most, least = maximum(a, b), minimum(a, b)
    assert set(most) == set(a) | set(b)
    assert set(least) == set(a) & set(b)
    for each in (a, b):
        assert all(amount <= most[name] for name, amount in each.items())
        assert all(amount <= each[name] for name, amount in least.items())
    assert all(amount in (a.get(name), b.get(name)) for name, amount in (most | least).items())
    assert maximum(a, a) == minimum(a, a) == a


@given(sane_lists, sane_lists, sane_lists)
def test_what_fits_still_fits_with_more_room(a, b, more):
    """More room never hurts, everything fits into itself, and what fits leaves nothing negative."""
    assert fits(a, a)
    assert fits(a, merge(a, more))
    if fits(a, b):
        assert fits(a, merge(b, more))
        assert all(amount >= 0 for amount in subtract_all(b, a).values())


@given(resource_lists, resource_lists)
def test_quantities_fit_as_their_amounts_do(a, b):
    """The list operations say the same of quantities and of plain nano-units."""
    qa, qb = ({name: Quantity(amount) for name, amount in each.items()} for each in (a, b))
    assert fits(qa, qb) == fits(a, b)
    for operation in (merge, subtract, subtract_all, maximum, minimum):
        assert {name: q.nanos for name, q in operation(qa, qb).items()} == operation(a, b)
