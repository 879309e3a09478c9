"""What a change does to a stack since an earlier revision of its repository: its money, its nodes and its resources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from cutlist.core.records import about
from cutlist.infrastructure.costs import Bill
from cutlist.planning.model import Plan, Totals

Change = Literal["added", "removed", "changed"]


@dataclass(frozen=True, slots=True)
class PlanSince:
    """What a change does to the nodes of one plan of the stack."""

    plan: Annotated[str, about("The name of the NodePlan.")]
    before: Annotated[Totals | None, about("The sums of the plan at the base; null for a plan that is new.")]
    after: Annotated[Totals | None, about("Its sums now; null for a plan that is no longer there.")]
    replaced: Annotated[
        tuple[str, ...], about("Which nodes the change replaces, in a sentence, and then by what; empty if it replaces none.")
    ] = ()


@dataclass(frozen=True, slots=True, order=True)
class ResourceSince:
    """A resource that a change adds, removes or changes, with the inputs that differ."""

    change: Change
    type: str
    name: str
    urn: str
    inputs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StackSince:
    """What changes in a stack since a base: what it cost there, its plans, and the resources that differ."""

    base: Annotated[str, about("The branch, tag or commit that the stack is compared with.")]
    costs: Annotated[Bill | None, about("What the stack cost at the base; null where the base does not have the stack.")]
    plans: tuple[PlanSince, ...] = ()
    resources: tuple[ResourceSince, ...] = ()

    @property
    def is_same(self) -> bool:
        """Tell whether nothing of the stack changes."""
        moved = any(of.replaced or of.before != of.after for of in self.plans)
        return self.costs is not None and not self.resources and not moved


def comparable(before: Plan | None, after: Plan) -> Plan | None:
    """Return an earlier plan if it is of the same region as a plan, so that the two can be compared."""
    return before if before is not None and before.region == after.region else None
