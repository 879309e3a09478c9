"""Plans whose nodes are looked at one by one: a plan counts equal nodes, so its file may stand for any number of them."""

from __future__ import annotations

from typing import Final

from cutlist.core.errors import InputError, Place
from cutlist.planning.model import Plan

MOST_NODES: Final = 100_000
MOST_PODS: Final = 1_000_000
"""More than a cluster can have."""


def require_openable(plan: Plan) -> None:
    """Raise InputError for a plan with more new nodes, or pods on them, than can be looked at one by one."""
    nodes = sum(node.count for node in plan.nodes)
    pods = sum(node.count * share.count for node in plan.nodes for share in node.pods)
    for name, number, most in (("new nodes", nodes, MOST_NODES), ("pods on new nodes", pods, MOST_PODS)):
        if number > most:
            raise InputError.one(Place(path="nodes"), f"the plan has {number:,} {name}, too many to list", f"up to {most:,}")
