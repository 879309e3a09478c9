"""What a search may do to NodePools beyond making them narrower, and what every suggestion has to keep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

WIDENINGS: Final = ("arm64", "spot", "types")
"""The allowances by which NodePools become wider, as users name them."""


@dataclass(frozen=True, slots=True)
class Allowances:
    """What NodePools may be changed to.

    A NodePool may always be made narrower. `arm64` adds that architecture, for images that exist for it; `spot` adds spot
    capacity; `types` drops the pool's own rules about families, generations and sizes. `min_nodes` and `max_nodes` bound the
    new nodes of a plan.
    """

    arm64: bool = False
    spot: bool = False
    types: bool = False
    min_nodes: int = 0
    max_nodes: int | None = None
