"""NodePools that the change removes, with all their nodes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.core.wording import counted
from cutlist.verbs.diff.traps.trap import REMOVED, Change, Trap

_FIX: Final = "keep it until it has no nodes: set its limits to 0, and drain one node after the other"


def removed_pools(change: Change) -> Iterator[Trap]:
    """Yield a trap for each NodePool that only the first side has. Where nodes of a cluster are given, these say themselves
    which of them go; a side without NodePools removes none."""
    before, after = change.inputs
    kept = {pool.name for pool in after.node_pools}
    if not kept or before.cluster.origins or after.cluster.origins:
        return
    for pool in sorted(before.node_pools, key=lambda pool: pool.name):
        if pool.name not in kept:
            nodes = sum(node.count for node in change.plans[0].nodes if node.node_pool == pool.name)
            planned = f"; before, the plan has {counted(nodes, 'node')} of it" if nodes else ""
            yield Trap(
                REMOVED, pool.name, f"it is removed, and its nodes are deleted at once, regardless of budgets{planned}", _FIX
            )
