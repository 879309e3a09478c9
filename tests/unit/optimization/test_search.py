"""The search over terms of NodePools, with an evaluation that the test makes up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from cutlist.optimization.allowances import Allowances
from cutlist.optimization.candidates import PoolChoices
from cutlist.optimization.evaluation import CostAndRisk
from cutlist.optimization.front import pareto_front, recommended, spread_out
from cutlist.optimization.pool_terms import PoolTerms
from cutlist.optimization.search import Budget, Candidate, Choice, keeps, search

ANY = Allowances()
CHOICES = [
    PoolChoices("a", (("families", (None, frozenset({"m5"}), frozenset({"c5"}))), ("less_cpu", (None, 4, 8, 16)))),
    PoolChoices("b", (("less_cpu", (None, 4, 8, 16)),)),
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


def found(allowances: Allowances = ANY, plans: int = 100, seed: int = 1) -> list[Candidate]:
    return search(CHOICES, evaluate, allowances, (), Budget(plans, lambda: True), seed)


def cheapest(candidates: list[Candidate], allowances: Allowances = ANY) -> Candidate:
    return min((c for c in candidates if keeps(c.figures, allowances, ())), key=lambda c: c.figures.price or 0.0)


def test_terms_of_several_pools_are_joined():
    assert cheapest(found()).choice == (("a", PoolTerms(frozenset({"m5"}), less_cpu=8)), ("b", PoolTerms(less_cpu=16)))


def test_the_first_candidate_has_no_further_terms_and_each_choice_is_planned_once():
    candidates = found()
    assert candidates[0].choice == ()
    assert len({c.choice for c in candidates}) == len(candidates)


def test_what_breaks_a_bound_on_nodes_is_not_varied_further():
    few = Allowances(max_nodes=5)
    assert cheapest(found(few), few).figures.price == 7.0


def test_a_search_ends_with_its_plans_or_its_time():
    assert len(found(plans=7)) == 7
    left = iter([True] * 5 + [False] * 100)
    assert len(search(CHOICES, evaluate, Allowances(), (), Budget(100, lambda: next(left)), 1)) <= 5


def test_the_same_seed_gives_the_same_candidates():
    assert found(seed=3) == found(seed=3)


def test_pods_may_stay_pending_only_where_they_do_already():
    allowed = (("web", 2),)
    assert keeps(figures(1.0, pending=2), Allowances(), allowed)
    assert not keeps(figures(1.0, pending=3), Allowances(), allowed)
    assert not keeps(figures(1.0, pending=1), Allowances(), (("api", 5),))


def test_the_front_has_what_nothing_else_beats_in_everything():
    listed = [figures(3.0, node=5), figures(2.0, node=9), figures(3.0, node=6), figures(4.0, node=5), figures(None)]
    front = pareto_front([Candidate((), f) for f in listed])
    assert [(c.figures.price, c.figures.lost_with_node) for c in front] == [(2.0, 9), (3.0, 5)]


def test_a_long_front_is_shown_from_end_to_end():
    front = [Candidate((), figures(1.0 + n, node=100 - n)) for n in range(50)]
    shown = spread_out(front)
    assert (len(shown), shown[0], shown[-1]) == (8, front[0], front[-1])


def test_among_the_nearly_cheapest_the_safest_is_recommended():
    front = [Candidate((), f) for f in (figures(100.0, node=90), figures(101.0, node=30), figures(140.0, node=1))]
    assert recommended(front) == (1, "1.0% above the cheapest, and loses 30 instead of 90 pods with a node")
    assert recommended(front[:1]) == (0, "the cheapest")
