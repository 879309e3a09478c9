"""Laws of plans."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.answers.plan import plan
from cutlist.planning.model import Plan
from cutlist.planning.planned_cluster import with_plan
from cutlist.scheduling.provisioner import SchedulingContext
from tests.examples import examples
from tests.unit.property.planned_inputs import random_inputs


@pytest.mark.slow
@examples(1.0)
@given(st.integers(0, 2**32))
def test_a_plan_fed_back_as_the_cluster_that_it_describes_plans_nothing_new(seed: int) -> None:
    """No further node comes of its nodes with their pods, and the same pods wait for the same reasons."""
    inputs = random_inputs(Random(seed))  # noqa: S311 - the same at each run
    made = plan(inputs)
    assert made.unfinished == ""
    again = plan(with_plan(inputs, Plan.from_dict(made.to_dict())))
    assert again.nodes == ()
    assert _waiting(again) == _waiting(made)
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


def _waiting(made: Plan) -> list[tuple[str, int, str]]:
    return [(p.workload, p.count, p.reason) for p in made.pending]
