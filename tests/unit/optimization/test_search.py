"""The search over terms of NodePools, with an evaluation that the test makes up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import pytest

from cutlist.optimization.allowances import Allowances
from cutlist.optimization.candidates import FirstChoices, MachineOption, PoolChoices, Variety
from cutlist.optimization.evaluation import CostAndRisk
from cutlist.optimization.front import MOST, pareto_front, recommended, spread_out
from cutlist.optimization.judging import Choice, Judge, Outlook, PoolChoice
from cutlist.optimization.pool_terms import FirstPool, PoolTerms
from cutlist.optimization.scenarios import Scenario
from cutlist.optimization.search import SearchBudget, keeps, search
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


def test_a_copy_that_launches_first_is_tried_and_its_terms_varied():
    """Cheapest with a copy of half the limits below 8, while the NodePool itself goes below 16."""

    def evaluate(choices: Sequence[Choice], may_go_on: Callable[[], bool]) -> Iterator[CostAndRisk]:
        each = [dict(choice).get("a", PoolTerms()) for choice in choices]
        return iter([figures(10.0 - 2 * (t.less_cpu == 16) - 3 * _is_half(t.first)) for t in each])

    choices = PoolChoices("a", (SIZES,), windows=SIZES[1:], firsts=FirstChoices((25, 50, 75)))
    candidates = search([choices], evaluate, ANY, NOW, SearchBudget(300, lambda: True), 1)
    assert cheapest(candidates).figures.price == 5.0


def _is_half(first: FirstPool | None) -> bool:
    return first is not None and (first.percent, first.terms.less_cpu) == (50, 8)


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
        assert (len(shown), shown[0], shown[-1]) == (MOST, front[0], front[-1])
        assert wanted in shown
        assert shown == sorted(shown, key=lambda c: c.figures.price)
    assert spread_out(front[:3], front[1]) == front[:3]
    assert spread_out(front[:1], beside) == [front[0], beside]
    alike = PoolChoice((("general", PoolTerms(less_cpu=8)),), front[1].figures)
    assert spread_out(front[:3], alike) == [front[0], alike, front[2]]


def option(price: float, edits: int, node: int = 1) -> PoolChoice:
    """A candidate whose number of edits is that of its families."""
    families = frozenset(f"m{n}" for n in range(edits))
    return PoolChoice((("general", PoolTerms(families)),) if edits else (), figures(price, node=node), expected=price)


def complexity(candidate: PoolChoice) -> tuple[int, int, int, int]:
    return 0, sum(len(terms.families or ()) for _, terms in candidate.choice), 0, 0


@pytest.mark.parametrize(
    ("prices", "chosen", "why"),
    [
        (((100.0, 7), (101.0, 2), (101.1, 1)), 1, "1.0% above the cheapest, 2 instead of 7 edits"),
        (((100.0, 7), (100.05, 2)), 1, "within 0.1% of the cheapest, 2 instead of 7 edits"),
        (((100.0, 2), (100.5, 2)), 0, "the cheapest"),
    ],
)
def test_of_those_within_one_percent_the_simplest_is_recommended(prices, chosen, why):
    listed = [option(price, edits) for price, edits in prices]
    assert recommended(listed, 200.0, complexity) == (listed[chosen], why)


def test_of_equally_simple_ones_that_which_loses_fewest_pods_is_recommended():
    listed = [option(100.0, 2, node=90), option(100.5, 2, node=30)]
    said = "0.5% above the cheapest, loses 30 instead of 90 pods with a node"
    assert recommended(listed, 200.0, complexity) == (listed[1], said)


@pytest.mark.parametrize(("now", "place"), [(100.5, 0), (100.6, 1), (99.0, 1), (None, 1)])
def test_no_option_that_saves_nothing_is_recommended_for_its_simplicity_before_one_that_saves(now, place):
    """Where nothing saves, as under bounds on nodes that today's plan does not keep, the simplest counts."""
    listed = [option(100.0, 3), option(100.5, 2)]
    assert recommended(listed, now, complexity)[0] == listed[place]


def on_spot(price: float, edits: int, evictions: float, at_once: float) -> PoolChoice:
    made = option(price, edits)
    return replace(made, figures=replace(made.figures, evictions=evictions, at_once=at_once))


@pytest.mark.parametrize(
    ("steadier", "why"),
    [
        (on_spot(102.0, 2, 0.03, 0.4), "2.0% above the cheapest, 3% instead of 15% of pods interrupted in a month"),
        (on_spot(100.5, 4, 0.15, 0.4), "the cheapest"),
        (on_spot(103.5, 2, 0.03, 0.4), "the cheapest"),
    ],
    ids=["costs hardly more", "is interrupted as often", "costs too much"],
)
def test_an_option_that_is_interrupted_more_than_today_gives_way_to_a_steadier_one(steadier, why):
    listed = [on_spot(100.0, 2, 0.15, 0.4), steadier]
    today = on_spot(200.0, 0, 0.04, 0.4).figures
    chosen = listed[why != "the cheapest"]
    assert recommended(listed, 200.0, complexity, today) == (chosen, why)
    assert recommended(listed, 200.0, complexity, listed[0].figures)[0] is listed[0]


def test_an_option_that_puts_more_pods_into_one_spot_pool_than_today_gives_way_too():
    listed = [on_spot(100.0, 2, 0.04, 0.9), on_spot(101.5, 2, 0.04, 0.3)]
    said = "1.5% above the cheapest, 30% instead of 90% of pods in one spot pool"
    assert recommended(listed, 200.0, complexity, on_spot(200.0, 0, 0.04, 0.3).figures) == (listed[1], said)


# --- judging


SCENARIOS = (Scenario("now", "now", 3.0), Scenario("many", "many", 1.0), Scenario("most", "most", 0.0))
OUTLOOK = Outlook(SCENARIOS, (figures(10.0), figures(20.0, pending=2), figures(90.0, pending=9)), (4.0, 12.0, 0.0))


def judge(elsewhere: Sequence[CostAndRisk], asked: list[int], breaks: tuple[str, ...] = ()) -> Judge:
    """A judge of a choice that has these figures in the scenarios besides the present."""

    def planned(_: Choice, numbers: Sequence[int], may_go_on: Callable[[], bool]) -> Iterator[CostAndRisk]:
        for number in numbers:
            if not may_go_on():
                return
            asked.append(number)
            yield elsewhere[number - 1]

    return Judge(OUTLOOK, planned, lambda _: breaks)


def test_the_mean_of_prices_counts_by_weights_and_so_does_that_of_bounds():
    judged = judge([figures(16.0), figures(50.0)], []).judged(PoolChoice((), figures(8.0)), 20.0, lambda: True)
    assert (judged.expected, len(judged.elsewhere)) == (10.0, 2)
    assert (OUTLOOK.expected, OUTLOOK.bound, OUTLOOK.worst(OUTLOOK.today)) == (12.5, 6.0, 20.0)


@pytest.mark.parametrize(
    ("now", "elsewhere", "asked"),
    [
        (10.5, (16.0, 0, 0), []),  # 3 x 10.5 + 12 is not below 4 x 10.5, with the least that is possible elsewhere
        (8.0, (19.0, 0, 0), [1]),  # beaten by what it costs there
        (8.0, (16.0, 3, 0), [1]),  # one pod more stays pending
        (8.0, (16.0, 2, 10), [1, 2]),  # the same where only pending pods are compared
    ],
)
def test_a_candidate_is_dropped_as_soon_as_it_cannot_be_accepted(now, elsewhere, asked):
    price, pending, at_limits = elsewhere
    seen: list[int] = []
    of = judge([figures(price, pending=pending), figures(50.0, pending=at_limits)], seen)
    candidate = PoolChoice((), figures(now))
    waits = asked[-1] if pending > 2 or at_limits > 9 else None
    waiting = () if waits is None else ("web",)
    assert of.judged(candidate, 10.5, lambda: True) == replace(candidate, waits_in=waits, waiting=waiting)
    assert seen == asked


def test_pods_of_one_workload_do_not_make_up_for_those_of_another():
    """As many pods stay pending as today, and fewer in all, but some of a workload that has room today."""
    others = replace(figures(15.0), pending=(("api", 1),))
    judged = judge([others, figures(50.0)], []).judged(PoolChoice((), figures(8.0)), 20.0, lambda: True)
    assert (judged.expected, judged.waits_in, judged.waiting) == (None, 1, ("api",))
    assert not keeps(replace(NOW, pending=(("api", 1),)), ANY, replace(NOW, pending=(("web", 2),)))


def test_what_breaks_a_rule_is_never_the_best():
    broken = judge([figures(1.0), figures(1.0)], [], breaks=("NP-05",))
    candidates = search(CHOICES, evaluate, ANY, NOW, SearchBudget(30, lambda: True), 1, broken)
    assert all(c.breaks for c in candidates if c.expected is not None)


def test_types_that_no_cheapest_packing_has_count_for_how_many_stay():
    """Two types are part of some cheapest packing, four more are allowed: three of all have to stay."""
    machines = tuple(MachineOption("m5", cpu, 4096 * cpu, 1.0, 1, is_spot=True) for cpu in (4, 32))
    others = tuple(MachineOption("m6i", cpu, 4096 * cpu, 0.0, 0, is_spot=True) for cpu in (4, 8, 16, 32))
    kept = PoolChoices("a", (), machines, variety=Variety(spot=3), kinds=frozenset({"spot"}), others=others)
    assert kept.repaired(PoolTerms(less_cpu=16)) == PoolTerms(less_cpu=16)
    assert kept.repaired(PoolTerms(less_cpu=8)) is None
    assert kept.repaired(PoolTerms(frozenset({"m5"}))) == PoolTerms()
    assert replace(kept, others=()).repaired(PoolTerms(less_cpu=16)) is None
