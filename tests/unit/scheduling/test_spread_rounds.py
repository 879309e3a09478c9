"""Whole rounds of a spread are what placing its pods one by one gives (spec 7.8.1)."""

from __future__ import annotations

from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.labels import HOSTNAME
from cutlist.core.taints import Taint, Toleration
from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.results import Results
from cutlist.scheduling.scheduler import Scheduler
from cutlist.scheduling.spread_rounds import SpreadRounds
from cutlist.workloads.pods import Pod
from tests.examples import examples
from tests.one_pass import schedule
from tests.unit.scheduling.builders import MACHINES, REGISTRY, ZONES, machine, pod, pool, run, selecting, spread, term


def one_by_one(inputs: SchedulerInputs) -> Results:
    """Return a pass that finds no round."""
    with patch.object(SpreadRounds, "of", lambda *_: None):
        return schedule(inputs)


def decisions(results: Results) -> tuple[Any, ...]:
    """Return all that a pass decides."""
    claims = [
        (c.node_pool, dict(c.pods), c.requirements, c.requests, tuple(t.name for t in c.candidates.types))
        for c in results.claims
    ]
    return claims, results.unplaced, results.existing, results.relaxed


def random_pod(random: Random, number: int) -> Pod:
    fields: dict[str, Any] = {"labels": {"app": random.choice(["web", "web", "api"])}}
    chosen = selecting(app=fields["labels"]["app"]) if random.random() < 0.9 else selecting(app="web")
    rules = []
    if random.random() < 0.85:
        more = {"min_domains": random.choice([2, 3, 4])} if random.random() < 0.15 else {}
        when = random.choice(["DoNotSchedule", "DoNotSchedule", "ScheduleAnyway"])
        policy = random.choice(["Honor", "Ignore"])
        skew = random.choice([1, 1, 1, 2, 3])
        rules.append(spread(max_skew=skew, selector=chosen, when_unsatisfiable=when, node_taints_policy=policy, **more))
    if random.random() < 0.3:
        rules.append(spread(HOSTNAME, random.choice([1, 2, 5, 20]), selector=chosen))
    fields["spread"] = tuple(rules)
    if random.random() < 0.25:
        fields["required"] = (term("topology.kubernetes.io/zone", "In", *random.sample(ZONES, 2)),)
    if random.random() < 0.5:
        fields["tolerations"] = (Toleration(key="team", operator="Exists"),)
    return pod(random.choice(["100m", "250m", "1", "1500m"]), random.choice(["64Mi", "1Gi", "3Gi"]), **fields)


def random_inputs(seed: int) -> SchedulerInputs:
    """Return pods that are spread, on machines that not every zone sells."""
    random = Random(seed)  # noqa: S311 - the same at each run
    zones = random.sample(ZONES, 2)
    types = (
        *MACHINES,
        machine("six", 6, zones=zones),
        machine("sixteen", 16, price=9.0, zones=zones[:1], capacity={"pods": "400"}),
    )
    pools = [pool(weight=random.choice([1, 5]), limits=random.choice([{}, {}, {"cpu": random.choice([40, 200])}]))]
    if random.random() < 0.4:
        pools.append(
            pool("other", taints=[Taint("team", "NoSchedule", "a")], requirements={"topology.kubernetes.io/zone": zones})
        )
    batches = [
        PodBatch(f"b{n}", random_pod(random, n), random.choice([1, 7, 40, 130, 400]), uid=f"{n:04d}")
        for n in range(random.randint(1, 4))
    ]
    sold = random.sample(types, random.randint(1, len(types)))
    return SchedulerInputs(pools=pools, types={p.name: sold for p in pools}, batches=batches, registry=REGISTRY)


@pytest.mark.slow
@examples(3)
@given(st.integers(0, 2**32))
def test_rounds_decide_what_placing_pods_one_by_one_decides(seed: int) -> None:
    """Every claim has the same pods, requirements and types, and the same pods wait for the same reasons."""
    # S-51, S-52
    inputs = random_inputs(seed)
    assert decisions(schedule(inputs)) == decisions(one_by_one(inputs))


@pytest.mark.parametrize("pods", [3_000, 6_000, 12_000])
def test_pods_of_a_spread_are_not_looked_at_one_by_one(pods: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only those that open a node, and one more on each, are: a machine holds 100."""
    looked_at: list[int] = []
    add_one = Scheduler._add_one
    monkeypatch.setattr(Scheduler, "_add_one", lambda *given: looked_at.append(1) or add_one(*given))
    results = run((pod("10m", "1Mi", labels={"app": "web"}, spread=(spread(),)), pods))
    assert not results.unplaced
    assert len(looked_at) <= 2 * len(results.claims)
