"""What running nodes cost, in words: the sources of their prices, and their cost as NodeOverlays have it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from cutlist.report.estimates import Money
from cutlist.report.plain import hourly
from cutlist.report.price_sources import with_nodes
from cutlist.verbs.nodes.roster import NodeRow, Roster


def cost_of(roster: Roster, mark: str = "*") -> Money:
    """Return what all nodes of known price cost."""
    price = roster.price_per_hour or 0.0
    return Money(price, roster.price_range, roster.currency, mark if roster.has_estimates else "")


def roster_overlay_text(roster: Roster, sign: str) -> str:
    """Return the cost of the nodes by the prices that NodeOverlays set; empty without any."""
    ranked = roster.overlay_price_per_hour
    return "" if ranked is None else f"; {sign}{hourly(ranked)} as NodeOverlays make Karpenter see it"


def node_price_sources(nodes: Iterable[NodeRow]) -> tuple[list[str], list[str]]:
    """Return the same for running nodes."""
    counts: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    for node in nodes:
        if node.price is not None:
            counts[node.price.estimated][node.price.provenance] += 1
    return with_nodes(counts[True]), with_nodes(counts[False])
