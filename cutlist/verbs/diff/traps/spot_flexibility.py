"""Spot nodes that can become so few types that Karpenter will not replace one by a cheaper one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.core import labels
from cutlist.core.wording import counted, first_of
from cutlist.disruption.consolidation import ENOUGH_TYPES
from cutlist.planning.model import Plan
from cutlist.verbs.diff.objects import ObjectChange
from cutlist.verbs.diff.traps.trap import SPOT, Change, Trap
from cutlist.verbs.diff.trees import Item

_NAMED: Final = 3


def few_spot_types(change: Change) -> Iterator[Trap]:
    """Yield a trap for each NodePool whose spot nodes could become enough types, and now cannot. One that consolidates nothing
    but empty nodes needs no choice."""
    before, after = (_flexibility(plan) for plan in change.plans)
    pools = {pool.name: pool for pool in change.inputs[1].node_pools}
    for name, types in after.items():
        pool = pools.get(name)
        if types < ENOUGH_TYPES <= before.get(name, 0) and pool is not None and pool.consolidates_pods:
            yield _trap(change, name, before[name], types)


def _flexibility(plan: Plan) -> dict[str, int]:
    """Return for each NodePool with spot nodes how many types the least flexible of them may become."""
    least: dict[str, int] = {}
    for node in plan.nodes:
        if node.count and node.capacity_type == labels.SPOT:
            types = len({candidate.instance_type for candidate in node.candidates})
            least[node.node_pool] = min(types, least.get(node.node_pool, types))
    return dict(sorted(least.items()))


def _trap(change: Change, pool: str, before: int, types: int) -> Trap:
    text = (
        f"spot nodes have {counted(types, 'type')} to choose from, {before:,} before: below {ENOUGH_TYPES}, Karpenter replaces "
        "no single spot node by a cheaper one (SpotToSpotConsolidation), and fewer types are left when one runs out"
    )
    narrowed = [name for edit in change.objects for name in _requirements(edit, pool)]
    if narrowed:
        what = f"allow more types by the requirement {first_of(narrowed, _NAMED)} of NodePool {pool}"
    else:
        what = f"let more types fit NodePool {pool} and the requests and selectors of the pods on these nodes"
    return Trap(SPOT, pool, text, f"{what}, at least {ENOUGH_TYPES}")


def _requirements(edit: ObjectChange, pool: str) -> Iterator[str]:
    """Yield the labels of the requirements of a NodePool that an edit changes."""
    if (edit.kind, edit.name) == ("NodePool", pool):
        steps = (step for field in edit.fields for step in field.steps if isinstance(step, Item))
        yield from dict.fromkeys(step.name for step in steps if "." in step.name)
