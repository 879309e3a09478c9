"""Spot nodes that can become so few types that Karpenter will not replace one by a cheaper one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cutlist.core import labels
from cutlist.core.wording import counted, first_of
from cutlist.disruption.consolidation import ENOUGH_TYPES
from cutlist.planning.model import Plan
from cutlist.verbs.diff.objects import ObjectChange
from cutlist.verbs.diff.traps.trap import SPOT, Change, Trap
from cutlist.verbs.diff.trees import Item

_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class _Flexibility:
    """The spot nodes of a NodePool: how many there are, how many of them may become too few types, and the fewest types."""

    nodes: int = 0
    bound: int = 0
    least: int = 0

    @property
    def is_lost(self) -> bool:
        """Tell whether at least half of the nodes may become too few types."""
        return 2 * self.bound >= self.nodes > 0


def few_spot_types(change: Change) -> Iterator[Trap]:
    """Yield a trap for each NodePool most of whose spot nodes could become enough types, and now cannot, or all of them could,
    and some cannot. One that consolidates nothing but empty nodes needs no choice."""
    before, after = (_flexibility(plan) for plan in change.plans)
    pools = {pool.name: pool for pool in change.inputs[1].node_pools}
    for name, now in after.items():
        pool, then = pools.get(name), before.get(name, _Flexibility())
        is_worse = now.bound > 0 if then.nodes and not then.bound else now.is_lost and not then.is_lost
        if then.nodes and is_worse and pool is not None and pool.consolidates_pods:
            yield _trap(change, name, then, now)


def _flexibility(plan: Plan) -> dict[str, _Flexibility]:
    """Return the spot nodes of each NodePool that has some."""
    found: dict[str, _Flexibility] = {}
    for node in plan.nodes:
        if node.count and node.capacity_type == labels.SPOT:
            types = len({candidate.instance_type for candidate in node.candidates})
            known = found.get(node.node_pool, _Flexibility(least=types))
            bound = node.count if types < ENOUGH_TYPES else 0
            found[node.node_pool] = _Flexibility(known.nodes + node.count, known.bound + bound, min(types, known.least))
    return dict(sorted(found.items()))


def _trap(change: Change, pool: str, then: _Flexibility, now: _Flexibility) -> Trap:
    who = "spot nodes have" if now.bound == now.nodes else f"{now.bound:,} of {counted(now.nodes, 'spot node')} have"
    before = f"{then.least:,} before" if not then.bound else f"as only {then.bound:,} of {then.nodes:,} had before"
    text = (
        f"{who} {'as few as ' if now.nodes > 1 else ''}{counted(now.least, 'type')} to choose from, {before}: below "
        f"{ENOUGH_TYPES}, Karpenter replaces no single spot node by a cheaper one (SpotToSpotConsolidation), and fewer types "
        "are left when one runs out"
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
