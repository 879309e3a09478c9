"""No packing costs less than the bound: compared with every packing of small cases, and against random plans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.optimization.bound import bound_of
from cutlist.optimization.demand import Demand, placed_demands
from cutlist.optimization.evaluation import CandidateInputs
from cutlist.optimization.pool_supply import market_of
from cutlist.optimization.supply import Market, Option
from cutlist.planning.model import BoundKind
from cutlist.verbs.plan.answer import bounded_plan, plan
from tests.examples import examples
from tests.unit.planning.manifests import ON_DEMAND, TYPES, deployment, inputs_of, pool
from tests.unit.property.planned_inputs import random_inputs

RESOURCES = ("cpu", "memory")
KINDS: tuple[BoundKind, ...] = ("quick", "linear")


def demand(count: int, *amounts: int) -> Demand:
    return Demand(tuple(zip(RESOURCES, amounts, strict=True)), (), (), count)


def option(market: Market, price: float, *room: int, most: int | None = None, suits: int = -1) -> Option:
    return Option(price, room, market.fitting(suits & (1 << len(market.demands)) - 1, room), most=most)


def made_market(random: Random) -> Market:
    """Return a market of a few pods and nodes, small enough to try every packing."""
    demands = [demand(random.randint(1, 3), random.randint(1, 4), random.randint(1, 4)) for _ in range(random.randint(1, 3))]
    market = Market.of(demands)
    options = [option(market, random.randint(5, 20) / 10, random.randint(4, 9), random.randint(4, 9)) for _ in range(3)]
    if random.random() < 0.5:
        options.append(option(market, 0.0, random.randint(1, 9), random.randint(1, 9), most=1))
    return replace(market, options=tuple(o for o in options if o.suits))


def cheapest(market: Market) -> float | None:
    """Return the price of the cheapest packing, by trying all; None where nothing holds all pods."""
    loads = [(o, load) for o in market.options for load in contents(market, o)]

    @cache
    def rest(left: tuple[int, ...], used: frozenset[int]) -> float:
        if not any(left):
            return 0.0
        best = float("inf")
        for n, (o, load) in enumerate(loads):
            place = market.options.index(o)
            if place in used or not any(map(min, load, left)):
                continue
            taken = tuple(max(0, has - put) for has, put in zip(left, load, strict=True))
            best = min(best, o.price + rest(taken, used | {place} if o.most == 1 else used))
            del n
        return best

    total = rest(tuple(d.count for d in market.demands), frozenset())
    return None if total == float("inf") else total


def contents(market: Market, o: Option) -> Iterator[tuple[int, ...]]:
    """Yield what one node may hold, as numbers of pods by demand."""
    for load in product(*(range(d.count + 1) for d in market.demands)):
        suits = all(not number or o.suits >> d & 1 for d, number in enumerate(load))
        if any(load) and suits and all(map(int.__le__, held(market.demands, load), o.room)):
            yield load


def held(demands: Sequence[Demand], load: Sequence[int]) -> tuple[int, ...]:
    amounts = [[amount * n for _, amount in d.requests] for d, n in zip(demands, load, strict=True)]
    return tuple(map(sum, zip(*amounts, strict=True)))


@examples(2.0)
@given(st.integers(0, 2**32))
def test_every_packing_costs_the_bound_at_least(seed):
    market = made_market(Random(seed))  # noqa: S311 - the same at each run
    best = cheapest(market)
    if best is not None:
        assert all(bound_of(market, kind).price <= best for kind in KINDS)


@pytest.mark.slow
@examples(1.5)
@given(st.integers(0, 2**32))
def test_every_plan_costs_the_bound_at_least(seed):
    """Whatever decides about nodes: daemons, overlays, reservations, existing nodes, two controllers."""
    inputs = random_inputs(Random(seed))  # noqa: S311 - the same at each run
    planned = plan(inputs)
    ready = [of_controller for _, of_controller in CandidateInputs(inputs).parts(inputs).values()]
    demands = placed_demands(ready[0].passes, {p.workload: p.count for p in planned.pending})
    market = market_of(ready, demands)
    bounds = [bound_of(market, kind) for kind in KINDS]
    if not planned.totals.unpriced_nodes:
        assert all(bound.price <= (planned.totals.price_per_hour or 0.0) for bound in bounds)
    assert [bound.price for bound in bounds] == sorted(bound.price for bound in bounds)
    assert all(len(bound.worth) == len(demands) for bound in bounds)


@examples(0.3)
@given(st.integers(0, 2**32))
def test_every_packing_costs_the_strong_bound_at_least_whenever_it_is_stopped(seed):
    random = Random(seed)  # noqa: S311 - the same at each run
    market = made_market(random)
    best = cheapest(market)
    if best is not None:
        left = iter(range(random.choice((0, 2, 5, 100))))
        strong = bound_of(market, "strong", lambda: next(left, None) is not None).price
        assert bound_of(market, "linear").price <= strong <= best


@pytest.mark.slow
@examples(0.2)
@given(st.integers(0, 2**32))
def test_every_plan_costs_the_strong_bound_at_least(seed):
    inputs = random_inputs(Random(seed))  # noqa: S311 - the same at each run
    bounded = bounded_plan(inputs, "strong")
    if not bounded.totals.unpriced_nodes:
        assert bounded.bound_per_hour <= (bounded.totals.price_per_hour or 0.0)


def test_a_strong_bound_knows_what_one_node_holds():
    """Pods of 3 and of 2 fill nodes of 4 badly: four nodes with one each of the first, and one with both of the others."""
    market = Market.of([demand(4, 3, 1), demand(2, 2, 1)])
    market = replace(market, options=(option(market, 1.0, 4, 9),))
    assert bound_of(market, "linear").price == pytest.approx(4.0, abs=1e-4)
    assert bound_of(market, "strong").price == pytest.approx(5.0, abs=1e-4)


def test_a_few_nodes_are_counted_whole():
    market = Market.of([demand(5, 1, 1)])
    market = replace(market, options=(option(market, 1.0, 4, 9),))
    assert bound_of(market, "quick").price == pytest.approx(1.25, abs=1e-4)
    assert bound_of(market, "linear").price == pytest.approx(2.0, abs=1e-4)


def test_whole_pods_make_large_nodes_no_better_than_they_are():
    """A tenth of a node of ten would hold the one pod; the node of two is what it takes."""
    market = Market.of([demand(1, 1, 1)])
    market = replace(market, options=(option(market, 10.0, 10, 10), option(market, 3.0, 2, 2)))
    assert bound_of(market).price == pytest.approx(3.0, abs=1e-5)


def test_room_that_exists_costs_nothing_and_is_there_once():
    market = Market.of([demand(5, 1, 1)])
    existing = option(market, 0.0, 2, 2, most=1)
    market = replace(market, options=(existing, option(market, 1.0, 1, 1)))
    assert bound_of(market).price == pytest.approx(3.0, abs=1e-5)


def test_nodes_of_static_pools_are_paid_for_in_any_case():
    market = Market.of([])
    assert bound_of(replace(market, fixed=1.5)).price == pytest.approx(1.5, abs=1e-5)


def test_pods_that_nothing_suits_count_for_nothing():
    market = Market.of([demand(5, 1, 1), demand(5, 100, 1)])
    market = replace(market, options=(option(market, 1.0, 1, 1),))
    assert bound_of(market).price == pytest.approx(5.0, abs=1e-5)


def test_the_bound_of_one_type_that_is_filled_exactly_is_the_price_of_the_plan():
    inputs = inputs_of(pool(requirements=f"[{ON_DEMAND}, {TYPES.format('m5.large')}]"), deployment(replicas=12, cpu="1900m"))
    ready = [of_controller for _, of_controller in CandidateInputs(inputs).parts(inputs).values()]
    bound = bound_of(market_of(ready, placed_demands(ready[0].passes, {}))).price
    assert plan(inputs).totals.price_per_hour == pytest.approx(bound, abs=1e-5)


@pytest.mark.parametrize(
    ("types", "size", "found"),
    [
        ("m5.24xlarge, m5.metal", "", {"m5.24xlarge"}),
        ("m5.metal", "", {"m5.metal"}),
        ("m5.8xlarge, m5.metal", "", {"m5.8xlarge", "m5.metal"}),
        ("m5.24xlarge, m5.metal", "metal", {"m5.metal"}),
    ],
    ids=["a plain type of its size stands before it", "alone", "no plain type of its size", "a pod asks for its label"],
)
def test_bare_metal_that_no_claim_becomes_is_no_option(types, size, found):
    selector = f"nodeSelector: {{karpenter.k8s.aws/instance-size: {size}}}" if size else ""
    pods = deployment(replicas=3, cpu="4", extra=selector)
    inputs = inputs_of(pool(requirements=f"[{ON_DEMAND}, {TYPES.format(types)}]"), pods)
    ready = [of_controller for _, of_controller in CandidateInputs(inputs).parts(inputs).values()]
    market = market_of(ready, placed_demands(ready[0].passes, {}))
    assert {o.instance_type for o in market.options} == found
    assert {node.instance_type for node in plan(inputs).nodes} <= found
