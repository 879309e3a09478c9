"""A trap in a change, and what looking for one needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from cutlist.core.errors import InputError
from cutlist.core.records import More, about
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.verbs.diff.objects import ObjectChange

IDLE: Final = "idle-accelerator"
SPOT: Final = "few-spot-types"
LIMITS: Final = "limits-at-maximum"
REMOVED: Final = "removed-node-pool"


@dataclass(frozen=True, slots=True)
class Trap:
    """Something that the change does besides what its author may have meant, with its figures, and what helps."""

    code: Annotated[str, More(enum=[IDLE, SPOT, LIMITS, REMOVED])]
    node_pool: str
    text: Annotated[str, about("What happens, in figures of the two plans.")]
    fix: Annotated[str, about("What helps.")]


@dataclass(frozen=True, slots=True)
class Change:
    """Two plans with what each was made from, the objects that differ, and how a further plan is made."""

    inputs: tuple[PlanInputs, PlanInputs]
    plans: tuple[Plan, Plan]
    objects: Sequence[ObjectChange]
    planner: Callable[[PlanInputs], Plan]

    def tried(self, make: Callable[[], PlanInputs]) -> Plan | None:
        """Return the plan of other inputs, or None if these have mistakes."""
        try:
            return self.planner(make())
        except InputError:
            return None
