"""No option costs less than the least of all choices of types: compared with plans of NodePools with any types, and copies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from math import fsum
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist import Allowances, NodePool
from cutlist.core.labels import INSTANCE_TYPE
from cutlist.optimization import pass_runs
from cutlist.optimization.bound import bound_of
from cutlist.optimization.evaluation import CostAndRisk, more_pending
from cutlist.optimization.every_choice import PassPrices
from cutlist.optimization.first_pools import may_have_copy, pools_on
from cutlist.optimization.pass_runs import PassRuns
from cutlist.optimization.plain_passes import asks_only_for_room
from cutlist.optimization.pool_terms import FirstPool, PoolTerms, with_requirement
from cutlist.optimization.scenarios import NOW, Scenario
from cutlist.planning.inputs import PlanInputs
from cutlist.verbs.suggest.choices import choices_in, market_for
from cutlist.verbs.suggest.least_by_types import LeastByTypes
from cutlist.verbs.suggest.variants import Variants, variants_of
from tests.examples import examples
from tests.unit.planning.manifests import ON_DEMAND, deployment, inputs_of, pool
from tests.unit.property.planned_inputs import small_region

AMD64 = ("m5.large", "m5.xlarge", "m5.2xlarge", "m5.8xlarge", "r5.large", "r5.4xlarge", "t3.medium")
AGENT = """
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      containers: [{name: main, image: example.com/agent, resources: {requests: {cpu: 150m, memory: 300Mi}}}]
"""
LIMITS = ("", "limits: {cpu: 96}", "limits: {cpu: 48, memory: 300Gi}", "limits: {cpu: 24}", "limits: {memory: 200Gi}")
ends_of = pass_runs._ends
TODAY = Scenario(NOW, "now", 1.0)
ROUNDING = 1e-6


def texts_of(random: Random) -> list[str]:
    """One or two NodePools with limits or without, some Deployments, and perhaps a DaemonSet."""
    requirements = random.choice(("[]", f"[{ON_DEMAND}]"))
    pools = [pool(requirements=requirements, spec=random.choice(LIMITS))]
    if random.random() < 0.3:
        pools.append(pool("other", f"[{ON_DEMAND}]", spec=f"weight: {random.choice((3, 7))}\n  {random.choice(LIMITS)}"))
    shapes = [(random.choice(("250m", "1", "1500m", "3")), f"{random.randint(1, 20)}Gi") for _ in range(random.randint(1, 4))]
    pods = [deployment(f"app-{n}", random.randint(1, 9), *shape) for n, shape in enumerate(shapes)]
    return [*pools, *pods, *([AGENT] if random.random() < 0.3 else [])]


def inputs_in(texts: list[str]) -> PlanInputs:
    return replace(inputs_of(*texts, zones=("us-west-2a", "us-west-2b")), catalog=small_region())


def least_of(variants: Variants, today: CostAndRisk) -> float | None:
    market = market_for(variants.widest, dict(today.pending))
    choices = choices_in(market, variants, bound_of(market, "quick").worth)
    return LeastByTypes(variants, choices, {}).in_scenario(TODAY, dict(today.pending), lambda: True)


def on_types(of: NodePool, types: tuple[str, ...]) -> NodePool:
    return with_requirement(of, {"key": INSTANCE_TYPE, "operator": "In", "values": list(types)})


def narrowed(inputs: PlanInputs, random: Random) -> PlanInputs:
    """The inputs with other NodePools: each on some types, and perhaps with a copy that has half of the limits."""
    pools: list[NodePool] = []
    for of in inputs.node_pools:
        is_split = may_have_copy(of, inputs.node_pools) and random.random() < 0.6
        terms = PoolTerms(first=FirstPool(50 if of.limits else 100, PoolTerms())) if is_split else PoolTerms()
        pools += [on_types(each, tuple(random.sample(AMD64, random.randint(1, 5)))) for each in pools_on(of, terms)]
    return replace(inputs, node_pools=tuple(sorted(pools, key=lambda of: of.name)))


@given(st.integers(0, 2**32))
@examples(0.6)
def test_no_narrower_node_pools_cost_less(seed):
    random = Random(seed)  # noqa: S311 - the same inputs on every run, not secrets
    inputs = inputs_in(texts_of(random))
    variants = variants_of((inputs, Allowances()))
    today = variants.figures(inputs)
    least = least_of(variants, today)
    if least is None:
        return
    for figures in (today, *(variants.figures(narrowed(inputs, random)) for _ in range(12))):
        if figures.price is not None and not more_pending(figures, today):
            assert figures.price >= least - ROUNDING


def every_subset() -> Iterator[tuple[str, ...]]:
    for count in range(1, len(AMD64) + 1):
        yield from combinations(AMD64, count)


@pytest.mark.parametrize("limits", ["", "limits: {cpu: 48, memory: 300Gi}", "limits: {cpu: 24}"])
def test_the_least_is_the_price_of_some_choice_of_types(limits):
    """All 127 choices are planned: none costs less, and one costs exactly that where copies are of no use."""
    texts = [pool(requirements=f"[{ON_DEMAND}]", spec=limits), deployment("web", 5, "1500m", "3Gi")]
    inputs = inputs_in([*texts, deployment("db", 3, "500m", "15Gi"), deployment("job", 2, "3", "5Gi")])
    variants = variants_of((inputs, Allowances()))
    today = variants.figures(inputs)
    chosen = (replace(inputs, node_pools=tuple(on_types(of, types) for of in inputs.node_pools)) for types in every_subset())
    figures = [variants.figures(each) for each in chosen]
    prices = [of.price for of in figures if of.price is not None and not more_pending(of, today)]
    least = least_of(variants, today)
    assert least is not None
    assert least <= min(prices) + ROUNDING
    assert least == pytest.approx(min(prices), abs=1e-5)


@given(st.integers(0, 2**32))
@examples(0.4)
def test_equal_claims_count_as_if_each_was_looked_at(seed):
    """Also where limits keep types out on the way."""
    random = Random(seed)  # noqa: S311 - the same inputs on every run, not secrets
    texts = [text.replace("replicas: ", f"replicas: {random.choice(('', '1', '4'))}") for text in texts_of(random)]
    variants = variants_of((inputs_in(texts), Allowances()))
    parts = [part for _, part in variants.parts_in((), TODAY).values() if asks_only_for_room(part)]
    for runs in map(PassRuns, parts):
        choice = tuple(types & random.getrandbits(types.bit_length()) or types for types in runs.types)
        counted = runs.run(choice)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(pass_runs, "_ends", lambda *of: [(*end, 1) for *end, count in ends_of(*of) for _ in range(count)])
            assert runs.run(choice) == counted
        market = market_for(variants.widest, {})
        prices = PassPrices(runs, market, [0.0] * len(market.demands), {})
        each = (prices.least(replace(counted, claims={of: 1})) for of, count in counted.claims.items() for _ in range(count))
        assert prices.least(counted) == fsum(each)
