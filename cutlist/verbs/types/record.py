"""Tables of instance types as JSON: stable keys in a stable order, byte-identical for equal input."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from cutlist.core.notes import Note
from cutlist.core.records import json_of
from cutlist.planning.model import VERSION, PoolTypes


@dataclass(frozen=True, slots=True)
class TypesRecord:
    """Which instance types each NodePool allows, cheapest first."""

    version: Literal[1]
    region: str
    node_pools: tuple[PoolTypes, ...]
    findings: tuple[Note, ...]


def types_json(pools: Sequence[PoolTypes], region: str, limit: int = 0, notes: Sequence[Note] = ()) -> str:
    """Return as JSON the instance types that each NodePool allows, at most `limit` per NodePool (0 for all), and findings."""
    listed = tuple(pool if not limit else PoolTypes(pool.node_pool, pool.types[:limit], pool.total) for pool in pools)
    return json_of(TypesRecord(VERSION, region, listed, tuple(notes)))
