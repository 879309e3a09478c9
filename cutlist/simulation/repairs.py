"""Repair of unhealthy nodes where it is not a disruption method: Karpenter 1.14, and `--legacy-node-repair` (spec: disruption
8.3; D-35, D-77, V15-57)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cutlist.disruption.node_repair import repair
from cutlist.disruption.termination import deadline, with_deadline
from cutlist.simulation.draining import Draining
from cutlist.simulation.events import SECOND, RepairDue
from cutlist.simulation.ledger import CommandRecord
from cutlist.simulation.world import World
from cutlist.state.statenode import NodeClaimState

UNHEALTHY: Final = "Unhealthy"
"""Why a node is removed that Karpenter repairs."""
_METHOD: Final = "repair"


class Repairs:
    """Deletes NodeClaims of nodes that have been unhealthy for too long, regardless of budgets."""

    __slots__ = ("_draining", "_world")

    def __init__(self, world: World, draining: Draining) -> None:
        self._world = world
        self._draining = draining

    def look(self) -> None:
        """Repair the nodes that are due, and schedule the next look."""
        world, base = self._world, self._world.cluster.base
        if not base.feature_gates.node_repair or base.repairs:
            return
        due = repair([world.cluster.nodes[name] for name in sorted(world.cluster.nodes)], base.repair_policies, world.instant)
        due_now = frozenset(due.now)
        for node in [n for n in world.cluster.nodes.values() if n.claim is not None and n.claim.name in due_now]:
            self._remove(node.name, node.claim)
        if due.later:
            at = world.now + max(1, round((min(due.later.values()) - world.instant) * SECOND))
            world.push(RepairDue(at))

    def _remove(self, name: str, claim: NodeClaimState | None) -> None:
        world = self._world
        if claim is None or claim.deleted is not None:
            return
        ends = deadline(claim)
        # An unhealthy node is not drained for long: its deadline is now, unless an earlier one has passed.
        if ends is None or ends > world.instant:
            world.cluster.put(replace(world.cluster.nodes[name], claim=with_deadline(claim, world.instant)))
        world.ledger.commands.append(CommandRecord(world.now, _METHOD, UNHEALTHY, "delete", (name,), ()))
        self._draining.begin(name, UNHEALTHY)
