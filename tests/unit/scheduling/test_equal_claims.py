"""Equal pods that go to equal open claims are placed together, as placing them claim by claim gives (spec 5.2)."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.labels import ZONE
from cutlist.scheduling import claim_filling
from cutlist.scheduling.inflightclaims import InFlightClaims
from cutlist.scheduling.inputs import SchedulerInputs, SchedulerOptions
from cutlist.scheduling.queue import PodBatch
from tests.examples import examples
from tests.one_pass import schedule
from tests.unit.scheduling.builders import MACHINES, REGISTRY, SIZE, ZONES, machine, pod, pool, run
from tests.unit.scheduling.test_spread_rounds import decisions


def random_inputs(seed: int) -> SchedulerInputs:
    """Return kinds of pods, the largest first, of which the smaller ones find room beside the larger."""
    random = Random(seed)  # noqa: S311 - the same at each run
    types = random.sample((*MACHINES, machine("six", 6, zones=ZONES[:2])), random.randint(1, 4))
    pools = [pool(limits=random.choice([{}, {}, {"cpu": random.choice([300, 1000])}, {"memory": "900Gi"}]))]
    if random.random() < 0.4:
        pools.append(pool("other", weight=random.choice([1, 9]), requirements={SIZE: ["small"]}, limits={"cpu": 150}))
    sizes = random.sample(["5", "3", "1500m", "1100m", "700m", "400m", "150m", "20m"], random.randint(2, 5))
    batches = []
    for number, cpu in enumerate(sizes):
        chosen = {"node_selector": {ZONE: random.choice(ZONES)}} if random.random() < 0.2 else {}
        of = pod(cpu, random.choice(["64Mi", "500Mi", "2Gi"]), **chosen)
        batches.append(PodBatch(f"b{number}", of, random.choice([1, 30, 70, 200, 451]), uid=f"{number:04d}"))
    sold = {each.name: types for each in pools}
    return SchedulerInputs(pools=pools, types=sold, batches=batches, registry=REGISTRY, options=SchedulerOptions())


@examples(2)
@given(st.integers(0, 2**32))
def test_pods_on_equal_claims_are_placed_as_claim_by_claim(seed: int) -> None:
    """Every claim has the same pods, requirements and types, in the same order; the same pods wait."""
    inputs = random_inputs(seed)
    each = []
    for least in (1, 1 << 60):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(claim_filling, "_MANY", least)
            each.append(decisions(schedule(inputs)))
    assert each[0] == each[1]


def test_small_pods_beside_a_million_large_ones_are_placed_in_a_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """The claims of the large ones are equal, and so are they with one small pod more."""
    steps, advance = [], InFlightClaims.advance
    monkeypatch.setattr(InFlightClaims, "advance", lambda *given: steps.append(given) or advance(*given))
    few = [machine("eight", 8)]
    result = run((pod("7"), 200_000), (pod("500m"), 300_000), types=few)
    assert sum(claim.pods.get(1, 0) for claim in result.claims) == 300_000
    assert len(steps) < 100
