"""Claims of a spread that are opened and filled again and again are what placing pods one by one gives (spec 7.8.1)."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.results import Results
from cutlist.scheduling.scheduler import Scheduler
from cutlist.scheduling.spread_generations import SpreadGenerations
from cutlist.scheduling.spread_rounds import SpreadRounds
from tests.examples import examples
from tests.one_pass import schedule
from tests.unit.scheduling.builders import machine, pod, pool, run, selecting, spread
from tests.unit.scheduling.test_spread_rounds import decisions, random_inputs


def one_by_one(inputs: SchedulerInputs) -> Results:
    """Return a pass that finds no generations and no rounds."""
    with patch.object(SpreadGenerations, "of", lambda *_: None), patch.object(SpreadRounds, "of", lambda *_: None):
        return schedule(inputs)


def many_of(seed: int) -> SchedulerInputs:
    """Return more spread pods than fill a few generations, the smaller ones with room beside the larger."""
    random = Random(seed)  # noqa: S311 - the same at each run
    given = random_inputs(seed)
    batches = []
    for number in range(random.randint(1, 3)):
        labels = {"app": random.choice(["web", "api"])}
        over_zones = spread(max_skew=random.choice([1, 1, 1, 2]), selector=selecting(**labels))
        of = pod(
            random.choice(["300m", "700m", "1", "1500m"]),
            labels=labels,
            spread=random.choice([(over_zones,), (over_zones,), ()]),
        )
        batches.append(PodBatch(f"b{number}", of, random.choice([9, 60, 130, 260]), uid=f"{number:04d}"))
    pools = list(given.pools)
    if random.random() < 0.5:
        pools[0] = pool(limits={"cpu": random.choice([30, 90, 170])})
    return replace(given, batches=batches, pools=pools, types={of.name: next(iter(given.types.values())) for of in pools})


@pytest.mark.slow
@examples(3)
@given(st.integers(0, 2**32))
def test_generations_decide_what_placing_pods_one_by_one_decides(seed: int) -> None:
    """Every claim has the same pods, requirements and types, and the same pods wait for the same reasons."""
    # S-51, S-52
    inputs = many_of(seed)
    assert decisions(schedule(inputs)) == decisions(one_by_one(inputs))


def test_spread_pods_on_many_small_nodes_take_a_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the first claims of a kind and the last are opened for a single pod."""
    steps, add_one = [], Scheduler._add_one
    monkeypatch.setattr(Scheduler, "_add_one", lambda *given: steps.append(given) or add_one(*given))
    of = pod("500m", labels={"app": "web"}, spread=(spread(),))
    results = run((of, 12_000), types=[machine("two", 2)])
    assert len(results.claims) == 3_000
    assert not results.unplaced
    assert len(steps) < 20
