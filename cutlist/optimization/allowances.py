"""What a search may do to NodePools beyond making them narrower, and what every suggestion has to keep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

WIDENINGS: Final = ("arm64", "spot", "types", "workloads")
"""The allowances beyond narrower NodePools, by the names that users write."""
ZONE_SPREAD: Final = "zone-spread"
NODE_LOSS: Final = "node-loss"
ZONE_LOSS: Final = "zone-loss"
NODES: Final = "nodes"
KEPT: Final = (ZONE_SPREAD, NODE_LOSS, ZONE_LOSS, NODES)
"""What a suggestion may have to keep of the current plan, by the names that users write: nodes in each zone that has some, no
more pods lost with a node or with a zone, and no fewer nodes."""


@dataclass(frozen=True, slots=True)
class Allowances:
    """The changes that NodePools may get. A NodePool may always be made narrower. `arm64` adds that architecture, for images
    that exist for it; `spot` adds spot capacity; `types` drops the pool's own rules about families, generations and sizes;
    `workloads` lets workloads tolerate the taint of a copy that is kept for them. `min_nodes` and `max_nodes` bound the new
    nodes of a plan; `keep` names what must be no worse than in the current plan. `spare` is a percentage of each workload's
    pods for which there must be room besides the existing ones.
    """

    arm64: bool = False
    spot: bool = False
    types: bool = False
    workloads: bool = False
    min_nodes: int = 0
    max_nodes: int | None = None
    keep: frozenset[str] = frozenset()
    spare: int = 0
