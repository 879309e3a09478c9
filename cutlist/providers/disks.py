"""A disk that a StorageClass makes for a claim, with its price."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cutlist.catalog.prices import Price


@dataclass(frozen=True, slots=True)
class ProvisionedDisk:
    """A disk of a cloud: its type as the cloud names it, its size in GiB, and what it is provisioned with beyond that.

    `throughput` is in MiB/s; None stands for what comes with the type. `price` is per hour; `unpriced` says why it is unknown.
    """

    type: str
    gib: int
    iops: int | None = None
    throughput: int | None = None
    price: Price | None = None
    unpriced: str = ""


class UnreadableParameter(ValueError):
    """A parameter of a StorageClass that should be a whole number and is not."""


def whole_number(parameters: dict[str, str], name: str) -> int | None:
    """Return a parameter as a number, or None without it. Raises UnreadableParameter for anything else."""
    written = str(parameters.get(name) or "").strip()
    if not written:
        return None
    if not written.isdecimal():
        raise UnreadableParameter(f"{name}: {written} is not a whole number")
    return int(written)


def lower_keys(parameters: Mapping[str, str]) -> dict[str, str]:
    """Return the parameters of a StorageClass by lower-case names: drivers do not tell upper and lower case apart."""
    return {str(name).lower(): str(value) for name, value in parameters.items()}
