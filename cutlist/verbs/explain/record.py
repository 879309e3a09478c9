"""Why a workload gets its nodes, as JSON: stable keys in a stable order, byte-identical for equal input."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from cutlist.core.records import json_of
from cutlist.planning.model import VERSION
from cutlist.planning.model.explanation import Explanation


@dataclass(frozen=True, slots=True)
class ExplanationsRecord:
    """Why the pods of a workload get the nodes they get, or none."""

    version: Literal[1]
    region: str
    explanations: tuple[Explanation, ...]


def explain_json(explanations: Sequence[Explanation], region: str) -> str:
    """Return the explanations as indented JSON that ends in a newline. Prices are USD/hour."""
    return json_of(ExplanationsRecord(VERSION, region, tuple(explanations)))
