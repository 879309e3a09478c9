"""The search over terms of NodePools, with an evaluation that the test makes up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import pytest

from cutlist.optimization.allowances import Allowances
from cutlist.optimization.candidates import FirstChoices, MachineOption, PoolChoices
from cutlist.optimization.evaluation import CostAndRisk
from cutlist.optimization.front import pareto_front, recommended, spread_out
from cutlist.optimization.pool_terms import PoolTerms
from cutlist.optimization.search import Choice, PoolChoice, SearchBudget, keeps, search
from cutlist.settings.suggest import KEPT

ANY = Allowances()
NOW = CostAndRisk(99.0, 1, (), 0.0, 1, 1)
SIZES = tuple((("less_cpu", cpu),) for cpu in (None, 4, 8, 16))
CHOICES = [
    PoolChoices("a", (tuple((("families", f),) for f in (None, frozenset({"m5"}), frozenset({"c5"}))), SIZES)),
    PoolChoices("b", (SIZES,)),
]


def figures(
    price: float | None, nodes: int = 1, pending: int = 0, node: int = 1, zone: int = 1, spot: float = 0.0
) -> CostAndRisk:
    return CostAndRisk(price, nodes, (("web", pending),) if pending else (), spot, node, zone)


def evaluate(choices: Sequence[Choice], may_go_on: Callable[[], bool]) -> Iterator[CostAndRisk]:
    """What choices come to; of some, all at once."""
    return iter([price(choice) for choice in choices])


def price(choice: Choice) -> CostAndRisk:
    """Cheapest with m5 below 8 in one pool and below 16 in the other, each of which helps alone."""
    terms = dict(choice)
    a, b = terms.get("a", PoolTerms()), terms.get("b", PoolTerms())
    amount = 10.0 - 2 * (a.families == frozenset({"m5"})) - 2 * (a.less_cpu == 8) - (b.less_cpu == 16)
    return figures(amount, nodes=9 if a.less_cpu == 8 else 3)


def found(allowances: Allowances = ANY, plans: int = 100, seed: int = 1) -> list[PoolChoice]:
    return search(CHOICES, evaluate, allowances, NOW, SearchBudget(plans, lambda: True), seed)


def cheapest(candidates: list[PoolChoice], allowances: Allowances = ANY) -> PoolChoice:
    return min((c for c in candidates if keeps(c.figures, allowances, NOW)), key=lambda c: c.figures.price or 0.0)


def test_terms_of_several_pools_are_joined():
    assert cheapest(found()).choice == (("a", PoolTerms(frozenset({"m5"}), less_cpu=8)), ("b", PoolTerms(less_cpu=16)))


def test_the_first_candidate_has_no_further_terms_and_each_choice_is_planned_once():
    candidates = found()
    assert candidates[0].choice == ()
    assert len({c.choice for c in candidates}) == len(candidates)


def test_what_breaks_a_bound_on_nodes_is_not_varied_further():
    few = Allowances(max_nodes=5)
    assert cheapest(found(few), few).figures.price == 7.0


def test_a_copy_that_launches_first_is_tried_and_its_limit_varied():
    """Cheapest with a copy of 37 of the 100 cores, which is not among those that are tried at first."""

    def evaluate(choices: Sequence[Choice], may_go_on: Callable[[], bool]) -> Iterator[CostAndRisk]:
        firsts = [dict(choice).get("a", PoolTerms()).first for choice in choices]
        return iter([figures(10.0 if first is None else 5.0 + abs(first.cpu - 37) / 10) for first in firsts])

    choices = PoolChoices("a", (SIZES,), windows=SIZES[1:], firsts=FirstChoices(100))
    candidates = search([choices], evaluate, ANY, NOW, SearchBudget(300, lambda: True), 1)
    assert cheapest(candidates).figures.price == 5.0


def test_choices_that_leave_the_same_nodes_are_planned_once():
    machines = tuple(MachineOption("m5", cpu, cpu * 4096, 1.0, 1) for cpu in (2, 4, 8))
    choices = PoolChoices("a", (tuple((("less_cpu", cpu),) for cpu in (5, 6, 7, 99)),), machines)
    candidates = search([choices], evaluate, ANY, NOW, SearchBudget(50, lambda: True), 1)
    assert [c.choice for c in candidates] == [(), (("a", PoolTerms(less_cpu=5)),)]


def test_a_search_ends_with_its_plans_or_its_time():
    assert len(found(plans=7)) == 7
    left = iter([True] * 5 + [False] * 100)
    assert len(search(CHOICES, evaluate, Allowances(), NOW, SearchBudget(100, lambda: next(left)), 1)) <= 5


def test_the_same_seed_gives_the_same_candidates():
    assert found(seed=3) == found(seed=3)


def test_pods_may_stay_pending_only_where_they_do_already():
    now = figures(2.0, pending=2)
    assert keeps(figures(1.0, pending=2), Allowances(), now)
    assert not keeps(figures(1.0, pending=3), Allowances(), now)
    assert not keeps(figures(1.0, pending=1), Allowances(), replace(now, pending=(("api", 5),)))


@pytest.mark.parametrize(
    ("what", "worse"),
    [
        ("zone-spread", {"zones": ("a", "c")}),
        ("node-loss", {"lost_with_node": 6}),
        ("zone-loss", {"lost_with_zone": 9}),
        ("nodes", {"nodes": 3}),
    ],
)
def test_what_is_to_be_kept_is_as_good_as_now(what, worse):
    now = replace(figures(2.0, nodes=4, node=5, zone=8), zones=("a", "b"))
    assert keeps(now, Allowances(keep=frozenset(KEPT)), now)
    assert not keeps(replace(now, **worse), Allowances(keep=frozenset({what})), now)
    assert keeps(replace(now, **worse), Allowances(keep=frozenset(KEPT) - {what}), now)


def test_the_front_has_what_nothing_else_beats_in_everything():
    listed = [figures(3.0, node=5), figures(2.0, node=9), figures(3.0, node=6), figures(4.0, node=5), figures(None)]
    front = pareto_front([PoolChoice((), f) for f in listed])
    assert [(c.figures.price, c.figures.lost_with_node) for c in front] == [(2.0, 9), (3.0, 5)]


def test_a_long_front_is_shown_from_end_to_end_with_the_one_that_is_wanted():
    front = [PoolChoice((), figures(1.0 + n, node=100 - n)) for n in range(50)]
    beside = PoolChoice((), figures(11.5, node=100))
    for wanted in (front[0], front[1], front[30], front[48], front[49], beside):
        shown = spread_out(front, wanted)
        assert (len(shown), shown[0], shown[-1]) == (8, front[0], front[-1])
        assert wanted in shown
        assert shown == sorted(shown, key=lambda c: c.figures.price)
    assert spread_out(front[:3], front[1]) == front[:3]
    assert spread_out(front[:1], beside) == [front[0], beside]
    alike = PoolChoice((("general", PoolTerms(less_cpu=8)),), front[1].figures)
    assert spread_out(front[:3], alike) == [front[0], alike, front[2]]


NOW = figures(200.0)
SAFER = "1.0% above the cheapest, and loses 30 instead of 90 pods with a node"


def test_among_the_nearly_cheapest_the_safest_is_recommended():
    front = [PoolChoice((), f) for f in (figures(100.0, node=90), figures(101.0, node=30), figures(140.0, node=1))]
    assert recommended(front, front, NOW, lambda _: 3) == (front[1], SAFER)
    assert recommended(front[:1], [], NOW, lambda _: 3) == (front[0], "the cheapest")


@pytest.mark.parametrize(
    ("price", "lost", "edits", "why"),
    [
        (102.0, 30, 2, "2.0% above the cheapest, loses 30 instead of 90 pods with a node, and has 2 instead of 7 edits"),
        (101.0, 12, 1, "1.0% above the cheapest, loses 12 instead of 90 pods with a node, and has 1 instead of 7 edits"),
        (102.1, 30, 2, SAFER),  # more than 1% more expensive
        (102.0, 31, 2, SAFER),  # less safe
        (102.0, 30, 7, SAFER),  # not simpler
    ],
)
def test_the_simpler_of_two_that_cost_nearly_the_same_is_recommended(price, lost, edits, why):
    front = [PoolChoice((), figures(100.0, node=90)), PoolChoice((), figures(101.0, node=30))]
    other = PoolChoice((("general", PoolTerms(less_cpu=8)),), figures(price, node=lost))
    chosen, reason = recommended(front, [*front, other], NOW, lambda c: edits if c == other else 7)
    assert (chosen, reason) == (front[1] if why == SAFER else other, why)


def test_the_simplest_that_costs_hardly_more_than_the_cheapest_is_recommended():
    cheapest, *others = (
        PoolChoice((("general", PoolTerms(less_cpu=n)),), figures(p)) for n, p in enumerate((100.0, 100.9, 100.05, 100.0))
    )

    def edits(candidate: PoolChoice) -> int:
        return 4 if candidate == cheapest else 2

    within = "within 0.1% of the cheapest, and has 2 instead of 4 edits"
    assert recommended([cheapest], [cheapest, *others[:2]], NOW, edits) == (others[1], within)
    assert recommended([cheapest], [cheapest, *others], NOW, edits) == (others[2], "the cheapest, and has 2 instead of 4 edits")


@pytest.mark.parametrize(("now", "place"), [(100.5, 0), (100.6, 1), (99.0, 1), (None, 1)])
def test_no_option_that_saves_nothing_is_recommended_for_its_simplicity_before_one_that_saves(now, place):
    """Where nothing saves, as under bounds on nodes that today's plan does not keep, the simplest counts."""
    listed = [PoolChoice((("general", PoolTerms(less_cpu=n)),), figures(p)) for n, p in enumerate((100.0, 100.5, None))]
    chosen, _ = recommended(listed[:1], listed, figures(now), lambda c: 3 - listed.index(c))
    assert chosen == listed[place]
