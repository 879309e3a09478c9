"""The replicas that a user chooses for both sides of a comparison, of which one side may lack the workload."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from cutlist.core.errors import InputError, Problem
from cutlist.planning.inputs import PlanInputs
from cutlist.workloads.chosen_replicas import NoSuchWorkload


@dataclass(slots=True)
class SharedReplicas:
    """Reads sides with the same choices of replicas. A choice counts for the sides that have its workload.

    `missing` are, for each side that was read, the choices without a workload there, and the mistake that each would be.
    """

    choices: Sequence[str]
    missing: list[Mapping[str, Problem]] = field(default_factory=list)

    def read(self, side: Callable[[list[str]], PlanInputs]) -> PlanInputs:
        """Return a side read with the choices whose workloads it has. Raises InputError with all its mistakes, if it
        has others than such choices."""
        try:
            inputs = side(list(self.choices))
        except InputError as error:
            absent: dict[str, Problem] = {
                problem.chosen: problem for problem in error.problems if isinstance(problem, NoSuchWorkload)
            }
            if len(absent) < len(error.problems):
                raise
            self.missing.append(absent)
            return side([choice for choice in self.choices if choice not in absent])
        self.missing.append({})
        return inputs

    def raise_if_nowhere(self) -> None:
        """Raise InputError for the choices whose workloads none of the sides has."""
        problems = [problem for choice, problem in (self.missing or [{}])[0].items() if all(choice in m for m in self.missing)]
        if problems:
            raise InputError(problems)
