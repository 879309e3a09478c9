"""Values of settings at which a rule finds nothing any more: they would switch it off without saying so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from cutlist.api.durations import seconds
from cutlist.core.quantity import Quantity
from cutlist.policy.rules.parameters import amount

_HOUR: Final = 3600


def limits_nothing(rule: str, setting: str, value: Any) -> str | None:
    """Return what is allowed in place of a value that limits nothing; None for any other value.

    The value is one that the setting accepts.
    """
    check = _CHECKS.get((rule, setting))
    return None if check is None else check(value)


def _up_to(most: float) -> Callable[[Any], str | None]:
    return lambda value: f"at most {most:,.0f}, or the level off" if value > most else None


def _from(least: float) -> Callable[[Any], str | None]:
    return lambda value: f"at least {least:,.0f}, or the level off" if value < least else None


def _within(hours: int) -> Callable[[Any], str | None]:
    return lambda value: f"at most {hours}h, or the level off" if (seconds(value) or 0) > hours * _HOUR else None


def _some(value: Any) -> str | None:
    return None if value else "a list with something in it, or the level off"


def _ceilings(value: Mapping[str, Any]) -> str | None:
    for name, most in _CEILINGS.items():
        written = amount(value.get(name))
        if written is not None and written > Quantity.parse(most):
            return f"{name} up to {most}, or the level off"
    return None


_CEILINGS: Final = {"cpu": "1M", "memory": "8Pi", "nodes": "100k"}
_CHECKS: Final[Mapping[tuple[str, str], Callable[[Any], str | None]]] = {
    ("NP-01", "required"): _some,
    ("NP-01", "ceiling"): _ceilings,
    ("NP-02", "perMonth"): _up_to(100_000_000),
    ("PL-07", "perMonth"): _up_to(100_000_000),
    ("PL-01", "perHour"): _up_to(150_000),
    ("PL-02", "nodes"): _up_to(100_000),
    ("PL-02", "vcpus"): _up_to(10_000_000),
    ("PL-03", "pods"): _up_to(1_000),
    ("PL-06", "percent"): _up_to(1_000),
    ("NP-03", "longest"): _within(8784),
    ("NP-03", "longestAutoMode"): _within(8784),
    ("NP-04", "longest"): _within(168),
    ("NP-07", "longest"): _within(4392),
    ("NP-16", "longest"): _within(8784),
    ("NP-05", "spot"): _from(1),
    ("NP-05", "onDemand"): _from(1),
    ("NP-18", "vcpus"): _up_to(1_000),
    ("NP-18", "machines"): _up_to(1_000),
    ("NC-01", "hops"): _up_to(2),
    ("NC-02", "types"): _some,
    ("NC-04", "owners"): lambda value: "owners by name or id" if "*" in value else None,
    ("NC-06", "zones"): _from(1),
}
