"""The nodes of a cluster as JSON: stable keys in a stable order, byte-identical for equal input."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from cutlist.answers.nodes import NodeRow, Roster
from cutlist.core.instants import instant_text
from cutlist.core.quantity import amount_text

VERSION: Final = 1


def roster_json(roster: Roster) -> str:
    """The nodes as indented JSON that ends in a newline. Prices are per hour; what is not known is null."""
    data = {
        "version": VERSION,
        "region": roster.region or None,
        "at": instant_text(roster.now),
        "currency": roster.currency,
        "pricePerHour": roster.price_per_hour,
        "pricePerMonth": roster.price_per_month,
        "pods": {"total": roster.pods, "running": roster.running, "pending": roster.pending, "bound": roster.bound},
        "launching": list(roster.launching),
        "nodes": [_node(n) for n in roster.nodes],
    }
    return json.dumps(data, indent=2, allow_nan=False) + "\n"


def _node(node: NodeRow) -> dict[str, Any]:
    return {
        "name": node.name,
        "nodePool": node.pool or None,
        "instanceType": node.instance_type or None,
        "capacityType": node.capacity_type or None,
        "zone": node.zone or None,
        "requested": _amounts(node.requested),
        "allocatable": _amounts(node.allocatable),
        "pods": node.pods,
        "pricePerHour": node.price.usd_per_hour if node.price is not None else None,
        "priceSource": node.price.provenance if node.price is not None else None,
        "ageSeconds": node.age,
        "states": list(node.states),
    }


def _amounts(of: Mapping[str, int]) -> dict[str, str]:
    return {name: amount_text(name, amount) for name, amount in sorted(of.items())}
