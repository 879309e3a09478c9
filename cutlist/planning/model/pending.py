"""Pods that get no node, with the reasons, as a plan reports them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, NamedTuple

from cutlist.core.records import (
    HIDDEN,
    Count,
    about,
    form_of,
)


class PoolRefusal(NamedTuple):
    """Why a NodePool accepts none of the pods."""

    node_pool: str
    reason: str


@dataclass(frozen=True, slots=True)
class PendingPods:
    """Pods of a workload that get no node.

    `reason` is the most important sentence, `by_node_pool` the refusal of each pool. `remedy` is the smallest single change
    found that would give one of them a node, empty if no change was found. Pods that Karpenter ignores, whatever NodePools
    there are, are `skipped`.
    """

    workload: str
    count: Count
    reason: str
    by_node_pool: Annotated[tuple[tuple[str, str], ...], form_of(tuple[PoolRefusal, ...])] = ()
    remedy: Annotated[str, about("The smallest single change that would help; empty when none was found.")] = ""
    skipped: Annotated[bool, HIDDEN] = False
