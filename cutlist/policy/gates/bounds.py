"""Bounds of the settings of rules: beyond them a rule finds nothing, so it would be off without saying so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.api.durations import seconds
from cutlist.api.schedules import readable_schedule
from cutlist.core.quantity import Quantity
from cutlist.policy.rules.parameters import amount

_MINUTE: Final = 60
_HOUR: Final = 3600


@dataclass(frozen=True, slots=True)
class SettingBound:
    """The bound of a setting in words, and a check of values that the setting accepts."""

    words: str
    holds: Callable[[Any], bool]


def limits_nothing(rule: str, setting: str, value: Any) -> str | None:
    """Return what is allowed in place of a value that limits nothing, or None for any other value that the setting accepts."""
    bound = BOUNDS.get((rule, setting))
    return None if bound is None or bound.holds(value) else f"{bound.words}, or the level off"


def _up_to(most: float) -> SettingBound:
    return SettingBound(f"at most {most:,.0f}", lambda value: value <= most)


def _from(least: float) -> SettingBound:
    return SettingBound(f"at least {least:,.0f}", lambda value: value >= least)


def _within(hours: int) -> SettingBound:
    return SettingBound(f"at most {hours}h", lambda value: (seconds(value) or 0) <= hours * _HOUR)


def _lasting(least: str) -> SettingBound:
    return SettingBound(f"at least {least}", lambda value: (seconds(value) or 0) >= (seconds(least) or 0))


def _without(*refused: str) -> SettingBound:
    words = f"names, without {' and '.join(refused)}" if refused != ("*",) else "names, without *"
    return SettingBound(words, lambda value: not set(refused) & set(value))


def _is_within_ceilings(value: Mapping[str, Any]) -> bool:
    """Tell whether each amount is of a resource that NodePools limit, by its exact name, and low enough to matter."""
    if any(name not in _LIMITED and "/" not in name for name in value):
        return False
    amounts = ((amount(value.get(name)), Quantity.parse(most)) for name, most in _CEILINGS.items())
    return all(written is None or written <= most for written, most in amounts)


def _recurs(value: str) -> bool:
    """Tell whether a schedule ever begins; if it cannot be read, its rule is undetermined and reports that."""
    schedule = readable_schedule(value)
    return schedule is None or schedule.next_after(0.0) is not None


def _are_single(ports: list[str]) -> bool:
    """Tell whether ports are few, each by its number, and none by which nodes are controlled."""
    numbers = [int(port) for port in ports if port.isascii() and port.isdigit()]
    return len(numbers) == len(ports) <= _PORTS and not {0, *_PORTS_OF_NODES} & set(numbers)


_LEAST_SHARE: Final = 0.1
_PORTS: Final = 20
_PORTS_OF_NODES: Final = (22, 2379, 2380, 3389, 10250, 10255)
"""Shells, etcd and the kubelet."""
_SINGLE_PORTS: Final = SettingBound(
    f"at most {_PORTS} ports, each by its number, without {', '.join(map(str, _PORTS_OF_NODES))}", _are_single
)
_LIMITED: Final = ("cpu", "memory", "nodes", "pods", "ephemeral-storage")
_CEILINGS: Final = {"cpu": "1M", "memory": "8Pi", "nodes": "100k"}
_SOME: Final = SettingBound("a list that is not empty", bool)
_EVERYBODY: Final = ("*", "system:authenticated", "system:unauthenticated", "system:serviceaccounts", "system:nodes")
_POLICIES: Final = frozenset(("WhenEmpty", "WhenEmptyOrUnderutilized", "Balanced"))
BOUNDS: Final[Mapping[tuple[str, str], SettingBound]] = {
    ("NP-01", "required"): _SOME,
    ("NP-01", "ceiling"): SettingBound(
        f"resources by their names, {', '.join(f'{name} up to {most}' for name, most in _CEILINGS.items())}",
        _is_within_ceilings,
    ),
    ("NP-02", "perMonth"): _up_to(100_000_000),
    ("NP-03", "shortest"): _lasting("1m"),
    ("NP-03", "longest"): _within(8784),
    ("NP-03", "longestAutoMode"): _within(8784),
    ("NP-04", "longest"): _within(168),
    ("NP-05", "onDemand"): _from(1),
    ("NP-05", "spot"): _from(1),
    ("NP-06", "families"): _from(1),
    ("NP-06", "zones"): _from(1),
    ("NP-07", "longest"): _within(4392),
    ("NP-07", "share"): SettingBound("from 0.1 to 100", lambda value: _LEAST_SHARE <= value <= 100),
    ("NP-08", "busy"): SettingBound("a schedule that recurs", _recurs),
    ("NP-08", "busyFor"): _lasting("30m"),
    ("NP-08", "most"): _up_to(99),
    ("NP-09", "policies"): SettingBound(
        f"one or two of {', '.join(sorted(_POLICIES))}", lambda value: bool(value) and not set(value) >= _POLICIES
    ),
    ("NP-09", "shortest"): _lasting("1s"),
    ("NP-12", "newerThan"): _from(1),
    ("NP-15", "pools"): _SOME,
    ("NP-16", "longest"): _within(8784),
    ("NP-18", "machines"): _up_to(1_000),
    ("NP-18", "vcpus"): _up_to(1_000),
    ("NP-19", "percent"): _up_to(90),
    ("NP-20", "machines"): _up_to(5_000),
    ("NP-21", "perHour"): _up_to(150_000),
    ("NP-21", "perMonth"): _up_to(100_000_000),
    ("PL-01", "perHour"): _up_to(150_000),
    ("PL-02", "nodes"): _up_to(100_000),
    ("PL-02", "vcpus"): _up_to(10_000_000),
    ("PL-03", "pods"): _up_to(1_000),
    ("PL-04", "from"): _up_to(1_000),
    ("PL-04", "most"): _up_to(99),
    ("PL-05", "from"): _up_to(1_000),
    ("PL-05", "most"): _up_to(99),
    ("PL-06", "percent"): _up_to(1_000),
    ("PL-07", "perMonth"): _up_to(100_000_000),
    ("PL-09", "workloads"): _without("*"),
    ("NC-01", "hops"): _up_to(2),
    ("NC-02", "rootGiB"): _from(1),
    ("NC-02", "types"): _SOME,
    ("NC-04", "owners"): _without("*"),
    ("NC-06", "zones"): _from(1),
    ("IF-03", "accounts"): _without("*"),
    ("IF-09", "nodes"): _from(1),
    ("IF-09", "subnets"): _from(1),
    ("IF-10", "longestDays"): _up_to(3_653),
    ("IF-10", "shortestDays"): _from(1),
    ("IF-12", "sources"): _without("*", "oci://", "https://"),
    ("IF-13", "admins"): _without(*_EVERYBODY),
    ("IF-21", "policies"): _without("*"),
    ("IF-23", "accounts"): _without("*"),
    ("IF-23", "publicBuckets"): _without("*"),
    ("IF-25", "delay"): SettingBound("at most 1m", lambda value: (seconds(value) or 0) <= _MINUTE),
    ("IF-25", "receives"): _from(2),
    ("IF-25", "shortest"): _lasting("2m"),
    ("AK-09", "publicPorts"): _SINGLE_PORTS,
    ("IF-22", "publicPorts"): _SINGLE_PORTS,
    ("IF-26", "daysAhead"): _from(0),
    ("IF-28", "hops"): _up_to(2),
    ("AK-02", "nodes"): _from(1),
    ("AK-05", "hours"): _from(1),
    ("AK-12", "daysAhead"): _from(0),
}
"""The bounds of Cutlist's own rules, by rule and setting."""
