"""A scheduling pass from its inputs to its result: the one way in for everything above (spec: scheduling 0.3)."""

from __future__ import annotations

from cutlist.scheduling.context import SchedulingContext, takes_part
from cutlist.scheduling.instancetype_indexes import InstanceTypeIndexes
from cutlist.scheduling.results import Results, finalise
from cutlist.scheduling.scheduler import Scheduler
from cutlist.scheduling.scheduler_inputs import SchedulerInputs, SchedulerOptions


def schedule(inputs: SchedulerInputs) -> Results:
    """Run one pass. The result is the same for the same inputs, byte for byte."""
    solver = prepare(inputs)
    solver.solve()
    return finalise(solver, strict_min_values=inputs.options.strict_min_values)


def prepare(inputs: SchedulerInputs, tables: InstanceTypeIndexes | None = None) -> Scheduler:
    """Everything that is done once before the first pod is tried. `tables` are those of its types where some have been made."""
    return SchedulingContext(inputs, tables).solver(inputs)


__all__ = ["SchedulerInputs", "SchedulerOptions", "prepare", "schedule", "takes_part"]
