"""Laws of plans."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.planning.planned_cluster import with_plan
from cutlist.scheduling.provisioner import SchedulingContext
from cutlist.verbs.plan.answer import plan
from tests.examples import examples
from tests.unit.property.planned_inputs import random_inputs

_CONTROLLED: Final = ("deployment/", "statefulset/")


@pytest.mark.slow
@examples(1.0)
@given(st.integers(0, 2**32))
def test_a_plan_fed_back_as_the_cluster_that_it_describes_plans_nothing_new(seed: int) -> None:
    """No further node comes of its nodes with their pods, and the same pods wait for the same reasons."""
    inputs = random_inputs(Random(seed))  # noqa: S311 - the same at each run
    planned = plan(inputs)
    assert planned.unfinished == ""
    again = plan(with_plan(inputs, Plan.from_dict(planned.to_dict())))
    assert again.nodes == ()
    assert _waiting(again) == _waiting(planned)
    assert {share.workload for node in again.existing for share in node.pods} <= {"capacitybuffer/room"}


@pytest.mark.slow
@examples(0.5)
@given(st.integers(0, 2**32))
def test_passes_that_add_to_what_earlier_ones_computed_are_those_that_compute_it_anew(seed: int) -> None:
    """Byte for byte."""
    inputs = random_inputs(Random(seed))  # noqa: S311 - the same at each run
    made = plan(inputs).to_json()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SchedulingContext, "is_extended_by", lambda *_: False)
        assert plan(inputs).to_json() == made


@pytest.mark.slow
@examples(0.5)
@given(st.integers(0, 2**32))
def test_each_pod_is_planned_once(seed: int) -> None:
    """On a new node, on an existing one, or pending; only the pods of CapacityBuffers are planned by each controller."""
    inputs = random_inputs(Random(seed))  # noqa: S311 - the same at each run
    made = plan(inputs)
    planned = Counter({p.workload: p.count for p in made.pending})
    for node in made.nodes:
        planned.update({share.workload: share.count * node.count for share in node.pods})
    for existing in made.existing:
        planned.update({share.workload: share.count for share in existing.pods})
    assert {w: n for w, n in planned.items() if w.startswith(_CONTROLLED)} == _counts(inputs)


def _counts(inputs: PlanInputs) -> Counter[str]:
    counts = Counter[str]()
    for group in inputs.workloads.groups:
        counts[group.workload] += group.count
    return counts


def _waiting(made: Plan) -> list[tuple[str, int, str]]:
    return [(p.workload, p.count, p.reason) for p in made.pending]
