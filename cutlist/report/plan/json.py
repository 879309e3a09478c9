"""Plans and tables of instance types as JSON: stable keys in a stable order, byte-identical for equal input."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from cutlist.core.notes import Note
from cutlist.planning.model import VERSION, Plan, PoolTypes


def plan_json(plan: Plan) -> str:
    """The plan as indented JSON that ends in a newline; `Plan.from_dict` reads it back."""
    return plan.to_json()


def types_json(pools: Sequence[PoolTypes], region: str, limit: int = 0, notes: Sequence[Note] = ()) -> str:
    """The instance types each NodePool allows, at most `limit` a NodePool (0 for all that are given), and what is odd."""
    listed = [pool if not limit else PoolTypes(pool.node_pool, pool.types[:limit], pool.total) for pool in pools]
    data: dict[str, Any] = {"version": VERSION, "region": region, "nodePools": [pool.to_dict() for pool in listed]}
    data["findings"] = [{"code": n.code, "text": n.text} for n in notes]
    return json.dumps(data, indent=2, allow_nan=False) + "\n"
