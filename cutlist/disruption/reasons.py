"""Why nodes are disrupted (spec: disruption 3)."""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """Why a node is disrupted: the word by which budgets distinguish reasons."""

    EMPTY = "Empty"
    DRIFTED = "Drifted"
    UNDERUTILIZED = "Underutilized"
