"""What a search may do to NodePools beyond making them narrower, and what every suggestion has to keep."""

from __future__ import annotations

from dataclasses import dataclass


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
