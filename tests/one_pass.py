"""One pass of the scheduler, from its inputs to its result."""

from __future__ import annotations

from cutlist.scheduling.provisioner import SchedulerInputs, prepare
from cutlist.scheduling.results import Results, finalise


def schedule(inputs: SchedulerInputs) -> Results:
    """Run one pass and return its result, which is the same for the same inputs, byte for byte."""
    scheduler = prepare(inputs)
    scheduler.solve()
    return finalise(scheduler, strict_min_values=inputs.options.strict_min_values)
