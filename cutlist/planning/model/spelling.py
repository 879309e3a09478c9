"""How amounts and prices stand in JSON: each number has one spelling."""

from __future__ import annotations

from collections.abc import Mapping

from cutlist.core.quantity import Format, Quantity


def amount_texts(values: Mapping[str, int]) -> dict[str, str]:
    """A resource list by name, each amount as the exact Kubernetes text."""
    return {name: amount_text_exact(name, values[name]) for name in sorted(values)}


def amount_text_exact(resource: str, nanos: int) -> str:
    """An amount that reads back as the same number: binary suffixes for bytes, decimal ones for everything else."""
    bytes_ = resource in ("memory", "ephemeral-storage", "storage") or resource.startswith("hugepages-")
    return Quantity(nanos, Format.BINARY_SI if bytes_ else Format.DECIMAL_SI).canonical()


def price_number(value: float | None) -> float | None:
    """A price as JSON has it; None when unknown."""
    # 1 and 1.0, 0.0 and -0.0 are equal and must not print differently.
    return None if value is None else float(value) + 0.0
