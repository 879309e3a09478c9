"""Pods that follow others are placed together, as placing them one by one gives (spec 7.8.2)."""

from __future__ import annotations

from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.labels import CAPACITY_TYPE, ZONE
from cutlist.scheduling.companions import Companions
from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.results import Results
from cutlist.scheduling.scheduler import Scheduler
from cutlist.workloads.pods import Pod, PodTerm
from tests.examples import examples
from tests.one_pass import schedule
from tests.unit.scheduling.builders import MACHINES, REGISTRY, ZONES, machine, pod, pool, run, selecting, spread, term
from tests.unit.scheduling.test_existingnodes import node
from tests.unit.scheduling.test_spread_rounds import decisions

TEAM = "example.com/team"  # a label that some NodePools have


def one_by_one(inputs: SchedulerInputs) -> Results:
    """Return a pass that places each pod with an affinity alone."""
    with patch.object(Companions, "of", lambda *_: None):
        return schedule(inputs)


def random_pod(random: Random) -> Pod:
    fields: dict[str, Any] = {"labels": {"app": random.choice(["web", "web", "api"])}}
    followed = selecting(app=random.choice(["web", "web", "api", "none"]))
    near = PodTerm(random.choice([ZONE, ZONE, ZONE, CAPACITY_TYPE, TEAM]), followed, weight=1)
    kind = random.choice(["affinity", "preferred_affinity", "preferred_affinity", "none"])
    if kind != "none":
        fields[kind] = (near,)
    if random.random() < 0.2:
        fields["spread"] = (spread(selector=selecting(app=fields["labels"]["app"])),)
    if random.random() < 0.25:
        fields["required"] = (term(ZONE, random.choice(["In", "NotIn"]), *random.sample(ZONES, 2)),)
    return pod(random.choice(["100m", "250m", "1", "1500m"]), random.choice(["64Mi", "1Gi", "3Gi"]), **fields)


def random_inputs(seed: int) -> SchedulerInputs:
    """Return pods of which some follow others, on machines that not every zone sells."""
    random = Random(seed)  # noqa: S311 - the same at each run
    types = (*MACHINES, machine("six", 6, zones=random.sample(ZONES, 2)), machine("sixteen", 16, zones=ZONES[:1]))
    pools = [pool(weight=random.choice([1, 5]), limits=random.choice([{}, {}, {"cpu": random.choice([40, 200])}]))]
    if random.random() < 0.4:
        pools.append(pool("other", requirements={TEAM: ["a"]}))
    nodes = [node(f"n{n}", str(random.randint(1, 9)), labels={ZONE: random.choice(ZONES)}) for n in range(random.randint(0, 1))]
    batches = [
        PodBatch(f"b{n}", random_pod(random), random.choice([1, 7, 40, 130, 400]), uid=f"{n:04d}")
        for n in range(random.randint(1, 4))
    ]
    sold = random.sample(types, random.randint(1, len(types)))
    return SchedulerInputs(pools=pools, types={p.name: sold for p in pools}, batches=batches, nodes=nodes, registry=REGISTRY)


@pytest.mark.slow
@examples(3)
@given(st.integers(0, 2**32))
def test_pods_that_follow_others_are_placed_as_they_are_one_by_one(seed: int) -> None:
    """Every claim has the same pods, requirements and types, and the same pods wait for the same reasons."""
    inputs = random_inputs(seed)
    assert decisions(schedule(inputs)) == decisions(one_by_one(inputs))


def test_pods_that_follow_others_are_not_looked_at_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only those that open a node are."""
    looked_at: list[int] = []
    add_one = Scheduler._add_one
    monkeypatch.setattr(Scheduler, "_add_one", lambda *given: looked_at.append(1) or add_one(*given))
    near = (PodTerm(ZONE, selecting(app="web"), weight=1),)
    results = run((pod("10m", "1Mi", labels={"app": "web"}, preferred_affinity=near), 12_000))
    assert not results.unplaced
    assert len(looked_at) == len(results.claims)
