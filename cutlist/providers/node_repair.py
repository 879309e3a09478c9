"""When a cloud thinks that a node is beyond hope (spec: disruption 8.3)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RepairPolicy:
    """A condition of Nodes that calls for a new machine after it has stood for `toleration` seconds."""

    condition: str
    status: str
    toleration: float
