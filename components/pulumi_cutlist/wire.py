"""Data that went over the wire between a program and an engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def with_whole_numbers(value: Any) -> Any:
    """Return the same data with 10 for 10.0: the wire knows floats alone, and Kubernetes wants integers where it says so."""
    if isinstance(value, Mapping):
        return {key: with_whole_numbers(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [with_whole_numbers(inner) for inner in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
