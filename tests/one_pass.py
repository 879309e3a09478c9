"""One pass of the scheduler, from its inputs to its result, and all passes of one controller."""

from __future__ import annotations

from cutlist.planning.pass_controller import Controller
from cutlist.planning.passes import MOST, PassesOutcome, run_joint_passes
from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.scheduling.instancetypes import InstanceTypeIndexes
from cutlist.scheduling.provisioner import prepare
from cutlist.scheduling.results import Results, finalise


def schedule(inputs: SchedulerInputs) -> Results:
    """Run one pass and return its result, which is the same for the same inputs, byte for byte."""
    scheduler = prepare(inputs)
    scheduler.solve()
    return finalise(scheduler, strict_min_values=inputs.options.strict_min_values)


def run_passes(inputs: SchedulerInputs, tables: InstanceTypeIndexes, most: int = MOST) -> PassesOutcome:
    """Return the outcome of the passes of a cluster's only controller."""
    (outcome,) = run_joint_passes([Controller(inputs, tables)], most)
    return outcome
