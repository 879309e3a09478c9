"""What changed between two catalogues, as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from cutlist.catalog import Price
from cutlist.catalog.comparison import Comparison, Repriced


def comparisons_json(found: Sequence[Comparison]) -> str:
    """The comparisons as JSON: prices per hour, null where unknown."""
    data = [
        {
            "region": c.region,
            "new": list(c.new),
            "gone": list(c.gone),
            "zones": [{"type": z.machine, "opened": list(z.opened), "closed": list(z.closed)} for z in c.rezoned],
            "prices": [_price_change(p) for p in c.repriced],
        }
        for c in found
    ]
    return json.dumps(data, indent=2) + "\n"


def _price_change(change: Repriced) -> dict[str, Any]:
    return {
        "type": change.machine,
        "capacityType": change.capacity_type,
        "old": _price(change.old),
        "new": _price(change.new),
    }


def _price(price: Price | None) -> dict[str, Any] | None:
    if price is None:
        return None
    return {
        "perHour": price.usd_per_hour,
        "currency": price.currency,
        "source": price.source,
        "date": price.date,
        "estimated": price.estimated,
    }
