"""The drain gate in action: before the controller is removed, nothing may be left that needs it (spec: aws-infrastructure
8.4)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from cutlist.infrastructure.teardown.drain import DrainMode, ForeignObjects, foreign, holding, is_in_use
from cutlist.infrastructure.teardown.steps import POLL_SECONDS
from cutlist_live.errors import NotDrainedError
from cutlist_live.sweep.access import KarpenterObjects
from cutlist_live.sweep.calls import Clock
from cutlist_live.sweep.guards import Guards

DRAIN_SECONDS: Final = 30 * 60.0
_NO_POD: Final = (
    "no pod holds their nodes; does Karpenter's controller run? It alone removes their finalizers, karpenter.sh/termination"
)


@dataclass(frozen=True, slots=True)
class Drain:
    """Empties the pools of one cluster, or refuses. `own` are the names of the stack's own pools.

    `seconds` is how long the removal of nodes may take.
    """

    guards: Guards
    mode: DrainMode
    own: Collection[str] = ()
    seconds: float = DRAIN_SECONDS

    def run(self) -> None:
        """Return when no pool and no claim of Karpenter is left.

        A deleted cluster has none. If the stack's own pools are still in use, only the gate is being removed from a stack that
        stays: then nothing is touched. Raises NotDrainedError, UnreachableError, RefusedError.
        """
        if self.mode is DrainMode.IGNORE:
            return
        self.guards.check_account()
        objects = self.guards.objects()
        if objects is None:
            return
        pools = objects.node_pools()
        foreign_objects = foreign(pools, objects.node_claims())
        if not foreign_objects or is_in_use(pools, self.own):
            return
        if self.mode is DrainMode.FAIL:
            raise NotDrainedError(
                f"Karpenter still has nodes that this stack did not make; delete these first: {foreign_objects}"
            )
        for name in foreign_objects.pools:
            objects.delete_node_pool(name)
        self._wait(objects, self.guards.calls.clock)

    def _wait(self, objects: KarpenterObjects, clock: Clock) -> None:
        until = clock.now().timestamp() + self.seconds
        while left := self._left(objects):
            if clock.now().timestamp() + POLL_SECONDS > until:
                claims = [claim for claim in objects.node_claims() if claim["metadata"]["name"] in left.claims]
                pods = holding(claims, objects.pods()) or [_NO_POD]
                raise NotDrainedError("\n  ".join([f"after {self.seconds / 60:.0f} minutes there are still {left}", *pods]))
            clock.pause(POLL_SECONDS)

    def _left(self, objects: KarpenterObjects) -> ForeignObjects:
        return foreign(objects.node_pools(), objects.node_claims())
