"""A scheduling pass from its inputs to its result: the one way in for everything above (spec: scheduling 0.3)."""

from __future__ import annotations

from cutlist.scheduling.context import Ground, takes_part
from cutlist.scheduling.instancetype_indexes import TypeTables
from cutlist.scheduling.results import Result, finalise
from cutlist.scheduling.scheduler import Solver
from cutlist.scheduling.scheduler_inputs import Options, PassInputs


def schedule(inputs: PassInputs) -> Result:
    """Run one pass. The result is the same for the same inputs, byte for byte."""
    solver = prepare(inputs)
    solver.solve()
    return finalise(solver, strict_min_values=inputs.options.strict_min_values)


def prepare(inputs: PassInputs, tables: TypeTables | None = None) -> Solver:
    """Everything that is done once before the first pod is tried. `tables` are those of its types where some have been made."""
    return Ground(inputs, tables).solver(inputs)


__all__ = ["Options", "PassInputs", "prepare", "schedule", "takes_part"]
