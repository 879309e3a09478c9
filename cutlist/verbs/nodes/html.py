"""The nodes of a cluster as a page: their types, fill and cost; a map, and a row for each."""

from __future__ import annotations

from collections import Counter

from cutlist.catalog.prices import is_estimate, usd
from cutlist.core.quantity import NANO
from cutlist.report.estimates import disks_text
from cutlist.report.html.map_layout import MapNode
from cutlist.report.html.node_kinds import NodeKind, node_kinds
from cutlist.report.html.node_map import node_map
from cutlist.report.html.rendering import render
from cutlist.report.html.unnamed_nodes import unnamed_nodes
from cutlist.report.plain import GIB, currency_sign
from cutlist.report.price_sources import price_notes
from cutlist.verbs.nodes.columns import page_columns
from cutlist.verbs.nodes.roster import NodeRow, Roster
from cutlist.verbs.nodes.words import cost_of, node_price_sources, roster_overlay_text


def nodes_html(roster: Roster) -> str:
    """Return the nodes as one page, with prices where they were requested."""
    return render(
        "nodes/page.html.j2",
        roster=roster,
        priced=bool(roster.region),
        sign=currency_sign(roster.currency),
        cost=None if roster.price_per_hour is None else cost_of(roster),
        columns=page_columns(roster),
        amounts=[(name, roster.fill(key), *_amounts(roster, key, unit), of) for name, key, unit, of in _RESOURCES],
        disks=disks_text(roster.disk_price_per_hour, roster.without_disks, currency_sign(roster.currency))
        + roster_overlay_text(roster, currency_sign(roster.currency)),
        kinds=node_kinds(_kind(node) for node in roster.nodes),
        map=node_map(map(_map_node, roster.nodes), currency_sign(roster.currency), roster.price_range),
        unnamed=unnamed_nodes(map(_map_node, roster.nodes), currency_sign(roster.currency), roster.price_range),
        states=sorted(Counter(state for n in roster.nodes for state in n.states).items()),
        price_notes=price_notes(*node_price_sources(roster.nodes)),
        ages=(roster.price_age,),
        pools=[n.pool for n in roster.nodes if n.pool],
    )


_RESOURCES = (("CPU requested", "cpu", NANO, "cores"), ("Memory requested", "memory", GIB, "GiB"))


def _amounts(roster: Roster, resource: str, unit: int) -> tuple[float, float]:
    return roster.total("requested", resource) / unit, roster.total("allocatable", resource) / unit


def _kind(node: NodeRow) -> NodeKind:
    return NodeKind(
        node.pool,
        node.instance_type,
        node.capacity_type,
        (node.zone,) if node.zone else (),
        node.pods,
        usd(node.price),
        "*" if is_estimate(node.price) else "",
        node.fill("cpu"),
        node.fill("memory"),
    )


def _map_node(node: NodeRow) -> MapNode:
    return MapNode(
        node_pool=node.pool,
        instance_type=node.instance_type or "unknown type",
        capacity_type=node.capacity_type or "unknown capacity",
        count=1,
        cpu=node.fill("cpu"),
        memory=node.fill("memory"),
        price=usd(node.price),
        extended=max((use.part for use in node.extended.values() if use.part is not None), default=None),
        mark="*" if is_estimate(node.price) else "",
    )
