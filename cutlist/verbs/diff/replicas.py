"""The replicas that a user chooses for the sides of a comparison, of which one may lack the workload."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from cutlist.core.errors import InputError, Problem
from cutlist.planning.inputs import PlanInputs
from cutlist.workloads.chosen_replicas import NoSuchWorkload


@dataclass(slots=True)
class SharedReplicas:
    """Reads the sides of a comparison with choices of replicas, of which each counts for the sides that have its workload.

    `found` are the choices with a workload on a side that was read, `missing` those without one, each with the mistake that
    it would be.
    """

    found: set[str] = field(default_factory=set)
    missing: dict[str, Problem] = field(default_factory=dict)

    def read(self, choices: Sequence[str], side: Callable[[list[str]], PlanInputs]) -> PlanInputs:
        """Return a side read with the choices whose workloads it has. Raises InputError with all its mistakes, if it
        has others than such choices."""
        absent: dict[str, Problem] = {}
        try:
            inputs = side(list(choices))
        except InputError as error:
            absent = {problem.chosen: problem for problem in error.problems if isinstance(problem, NoSuchWorkload)}
            if len(absent) < len(error.problems):
                raise
            inputs = side([choice for choice in choices if choice not in absent])
        self.found.update(choice for choice in choices if choice not in absent)
        self.missing |= absent
        return inputs

    def raise_if_nowhere(self) -> None:
        """Raise InputError for the choices whose workloads none of the sides has."""
        problems = [problem for choice, problem in self.missing.items() if choice not in self.found]
        if problems:
            raise InputError(problems)
