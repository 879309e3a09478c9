"""What a search may do to NodePools beyond making them narrower, and what every suggestion has to keep."""

from __future__ import annotations

from typing import Final

from cutlist.core.values import dataclass

WIDENINGS: Final = ("arm64", "spot", "types", "workloads")
"""What is allowed beyond narrower NodePools, as users name it."""
ZONE_SPREAD: Final = "zone-spread"
NODE_LOSS: Final = "node-loss"
ZONE_LOSS: Final = "zone-loss"
NODES: Final = "nodes"
KEPT: Final = (ZONE_SPREAD, NODE_LOSS, ZONE_LOSS, NODES)
"""What every suggestion may have to keep of the plan of now, as users name it: nodes in each zone that has some, no more pods
lost with a node, or with a zone, and as many nodes."""


@dataclass(frozen=True, slots=True)
class Allowances:
    """What NodePools may be changed to.

    A NodePool may always be made narrower. `arm64` adds that architecture, for images that exist for it; `spot` adds spot
    capacity; `types` drops the pool's own rules about families, generations and sizes; `workloads` lets workloads tolerate the
    taint of a copy that is kept for them. `min_nodes` and `max_nodes` bound the new nodes of a plan; `keep` names what of the
    plan of now has to stay. `spare` is how many per cent of each workload's pods there has to be room for beyond those that
    there are.
    """

    arm64: bool = False
    spot: bool = False
    types: bool = False
    workloads: bool = False
    min_nodes: int = 0
    max_nodes: int | None = None
    keep: frozenset[str] = frozenset()
    spare: int = 0
