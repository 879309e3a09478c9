"""What rules between pods prove about every packing: compared with every packing of small cases, and with plans."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.optimization.bound import bound_of
from cutlist.optimization.demand import Demand
from cutlist.optimization.evaluation import CandidateInputs
from cutlist.optimization.pool_supply import placed_market
from cutlist.optimization.supply import Market, Option
from cutlist.planning.inputs import PlanInputs
from cutlist.verbs.plan.answer import plan
from tests.examples import examples
from tests.unit.optimization.test_bound import RESOURCES, cheapest
from tests.unit.planning.manifests import ON_DEMAND, TYPES, deployment, inputs_of, pool

ZONES = ("us-west-2a", "us-west-2b", "us-west-2c")
APART = """
      affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            - {{topologyKey: kubernetes.io/hostname, labelSelector: {{matchLabels: {{app: {}}}}}}}
"""
SPREAD = "topologySpreadConstraints: [{{maxSkew: {}, topologyKey: {}, whenUnsatisfiable: {}, labelSelector: {}}}]"
ZONE, HOST = "topology.kubernetes.io/zone", "kubernetes.io/hostname"


def spread(app: str, skew: int = 1, key: str = ZONE, then: str = "DoNotSchedule", selector: str = "") -> str:
    return SPREAD.format(skew, key, then, selector or f"{{matchLabels: {{app: {app}}}}}")


def bounds(inputs: PlanInputs) -> tuple[float, float]:
    """Return the bound with the rules, and what the plan costs."""
    market = market_of(inputs)
    return bound_of(market).price, plan(inputs).totals.price_per_hour or 0.0


def market_of(inputs: PlanInputs) -> Market:
    ready = [of_controller for _, of_controller in CandidateInputs(inputs).parts(inputs).values()]
    return placed_market(ready, plan(inputs).pods_apart, in_zones=True)


def in_zones(market: Market) -> list[int]:
    return [demand.in_each_zone for demand in market.demands]


LARGE = f"[{ON_DEMAND}, {TYPES.format('m5.large, m5.4xlarge')}]"


def test_pods_that_repel_each_other_need_a_node_each():
    inputs = inputs_of(pool(requirements=LARGE), deployment(replicas=5, cpu="100m", extra=APART.format("web")))
    bound, price = bounds(inputs)
    assert bound == pytest.approx(price, abs=1e-5)  # five m5.large


@pytest.mark.parametrize(("skew", "nodes"), [(1, 6), (2, 3), (6, 1)])
def test_a_spread_over_hosts_says_how_many_pods_a_node_has(skew, nodes):
    inputs = inputs_of(
        pool(requirements=LARGE), deployment(replicas=6, cpu="100m", memory="100Mi", extra=spread("web", skew, HOST))
    )
    assert plan(inputs).totals.nodes == nodes
    assert bounds(inputs)[0] == pytest.approx(bounds(inputs)[1], abs=1e-5)


@pytest.mark.parametrize("extra", [APART.format("another"), spread("web", 1, HOST, "ScheduleAnyway"), spread("other", 1, HOST)])
def test_a_rule_about_others_or_one_that_is_relaxed_proves_nothing(extra):
    inputs = inputs_of(pool(requirements=LARGE), deployment(replicas=5, cpu="100m", memory="100Mi", extra=extra))
    assert [demand.on_a_node for demand in market_of(inputs).demands] == [None]


def test_two_workloads_that_repel_only_themselves_share_nodes():
    texts = [deployment(name, 3, "100m", "100Mi", APART.format(name)) for name in ("web", "api")]
    inputs = inputs_of(pool(requirements=LARGE), *texts)
    assert [demand.on_a_node for demand in market_of(inputs).demands] == [2]
    bound, price = bounds(inputs)
    assert bound <= price + 1e-6


def test_pods_that_are_spread_over_zones_need_nodes_in_each():
    inputs = inputs_of(
        pool(requirements=LARGE), deployment(replicas=3, cpu="100m", memory="100Mi", extra=spread("web")), zones=ZONES
    )
    bound, price = bounds(inputs)
    assert in_zones(market_of(inputs)) == [1]
    assert bound == pytest.approx(price, abs=1e-5)  # three m5.large, not one


@pytest.mark.parametrize(
    "extra",
    [
        spread("web", then="ScheduleAnyway"),
        spread("other"),
        spread("web") + f"\n      nodeSelector: {{{ZONE}: us-west-2a}}",
        spread("web", skew=9),
    ],
    ids=["relaxed", "others", "one zone", "wide"],
)
def test_zones_have_no_certain_part_otherwise(extra):
    inputs = inputs_of(pool(requirements=LARGE), deployment(replicas=6, cpu="100m", extra=extra), zones=ZONES)
    assert in_zones(market_of(inputs)) == [0]


def test_a_rule_that_counts_another_workload_too_proves_nothing_of_one():
    both = spread("web", selector="{matchLabels: {team: a}}")
    texts = [deployment(name, 3, "100m", "100Mi", both).replace("labels: {", "labels: {team: a, ") for name in ("web", "api")]
    inputs = inputs_of(pool(requirements=LARGE), *texts, zones=ZONES)
    assert in_zones(market_of(inputs)) == [0]


def made_inputs(random: Random) -> PlanInputs:
    """Return Deployments, some with rules, under a NodePool of a few types in two or three zones."""
    zones = ZONES[: random.choice((2, 3))]
    texts = []
    for number in range(random.randint(1, 4)):
        name = f"app-{number}"
        rule = random.choice((
            "", spread(name, random.choice((1, 1, 2))), spread(name, random.choice((1, 3)), HOST), APART.format(name)
        ))  # fmt: skip
        texts.append(deployment(name, random.randint(1, 9), random.choice(("200m", "900m", "2")), "1Gi", rule))
    types = random.sample(("m5.large", "c5.xlarge", "r5.xlarge", "m5.2xlarge"), random.randint(1, 3))
    return inputs_of(pool(requirements=f"[{ON_DEMAND}, {TYPES.format(', '.join(types))}]"), *texts, zones=zones)


@pytest.mark.slow
@examples(2.0)
@given(st.integers(0, 2**32))
def test_every_plan_keeps_what_rules_prove(seed):
    inputs = made_inputs(Random(seed))  # noqa: S311 - the same at each run
    bound, price = bounds(inputs)
    assert bound <= price + 1e-6


@examples(1.0)
@given(st.integers(0, 2**32))
def test_every_packing_over_zones_costs_the_bound_at_least(seed):
    """Every way to put pods into two zones that a spread allows, and every packing of each."""
    random = Random(seed)  # noqa: S311 - the same at each run
    amounts = [(random.randint(1, 4), random.randint(1, 3), random.randint(1, 3)) for _ in range(2)]
    is_spread = [True, random.random() < 0.5]
    demands = [
        Demand(tuple(zip(RESOURCES, of, strict=True)), (), (), count, None, count // 2 if keeps else 0)
        for (count, *of), keeps in zip(amounts, is_spread, strict=True)
    ]
    market = Market.of(demands)
    zones = [[(random.randint(5, 20) / 10, (random.randint(3, 8), random.randint(3, 8))) for _ in range(2)] for _ in range(2)]
    by_zone = tuple(tuple(Option(p, r, market.fitting(3, r), "general") for p, r in sold) for sold in zones)
    market = replace(market, options=tuple(o for sold in by_zone for o in sold), in_zones=by_zone)
    best = min(
        (
            price
            for there in product(*(range(d.count + 1) for d in demands))
            if all(not keeps or abs(2 * n - d.count) <= 1 for n, d, keeps in zip(there, demands, is_spread, strict=True))
            and (price := _apart(market, there)) is not None
        ),
        default=None,
    )
    if best is not None:
        assert bound_of(market).price <= best


def _apart(market: Market, there: tuple[int, ...]) -> float | None:
    """Return the price of the cheapest packing with these numbers of pods by demand in the first zone."""
    prices = []
    for number, options in enumerate(market.in_zones):
        counts = [n if not number else of.count - n for n, of in zip(there, market.demands, strict=True)]
        own = tuple(replace(of, count=n) for of, n in zip(market.demands, counts, strict=True))
        prices.append(cheapest(replace(market, demands=own, options=options)))
    return None if None in prices else sum(price for price in prices if price is not None)


def test_zones_of_a_plan_have_what_was_proven():
    texts = [deployment(f"app-{n}", n + 4, "900m", "1Gi", spread(f"app-{n}")) for n in range(3)]
    inputs = inputs_of(pool(requirements=LARGE), *texts, zones=ZONES)
    least = {demand.count: demand.in_each_zone for demand in market_of(inputs).demands}
    assert least == {15: 1 + 1 + 2}
    pods = Counter[str]()
    for node in plan(inputs).nodes:
        pods[node.zone or ""] += node.count * node.pods_each
    assert min(pods[zone] for zone in ZONES) >= least[15]
