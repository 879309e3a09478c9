"""Values laid over values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def merged(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Values on top of others, as Helm lays them: mappings are joined key by key, anything else is replaced."""
    made = dict(first)
    for key, value in second.items():
        before = made.get(key)
        made[key] = merged(before, value) if isinstance(before, Mapping) and isinstance(value, Mapping) else value
    return made
