"""The role that EC2 needs in an account before it sells spot instances to it (spec: aws-infrastructure 6)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from cutlist.api import NodePool
from cutlist.core.labels import CAPACITY_TYPE, SPOT
from cutlist.core.requirements import Requirements

SERVICE: Final = "spot.amazonaws.com"
"""In every partition."""
ROLE: Final = "AWSServiceRoleForEC2Spot"


class SpotRoleMode(StrEnum):
    """What a stack does for the role: nothing; own it, which one stack of an account may; or see to it that it is there."""

    SKIP = "skip"
    CREATE = "create"
    ENSURE = "ensure"


def spot_pools(pools: Iterable[NodePool]) -> tuple[str, ...]:
    """The names of the NodePools that may launch spot instances: those too that say nothing of how machines are bought."""
    return tuple(pool.name for pool in pools if _allows_spot(pool))


def mode_for(pools: Iterable[NodePool]) -> SpotRoleMode:
    """What a stack with these NodePools does unless it is told otherwise."""
    return SpotRoleMode.ENSURE if spot_pools(pools) else SpotRoleMode.SKIP


def _allows_spot(pool: NodePool) -> bool:
    said = Requirements.of_expressions(pool.requirements) & Requirements.of_labels(pool.labels)
    return said.get_or_any(CAPACITY_TYPE).has(SPOT)
