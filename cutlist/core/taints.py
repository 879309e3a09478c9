"""Taints, tolerations and host ports (spec: scheduling 6.1 and 6.2, S-63, S-71)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, Final

NO_SCHEDULE: Final = "NoSchedule"
PREFER_NO_SCHEDULE: Final = "PreferNoSchedule"
NO_EXECUTE: Final = "NoExecute"

# Lt and Gt compare only integers in their one canonical spelling (spec 6.1).
_CANONICAL_INTEGER: Final = re.compile(r"0|-?[1-9][0-9]{0,18}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Taint:
    """A mark on a node that repels pods without a matching toleration."""

    key: str
    effect: str
    value: str = ""

    @staticmethod
    def read(raw: Mapping[str, Any]) -> Taint:
        """Return a taint read from its form in a manifest."""
        return Taint(raw["key"], raw.get("effect") or "", raw.get("value") or "")

    def manifest(self) -> dict[str, str]:
        """Return the taint as a manifest writes it; an empty value is left out."""
        value = {"value": self.value} if self.value else {}
        return {"key": self.key, **value, "effect": self.effect}

    def __str__(self) -> str:
        return f"{self.key}={self.value}:{self.effect}" if self.value else f"{self.key}:{self.effect}"


@dataclass(frozen=True, slots=True)
class Toleration:
    """A pod's permission to run on nodes with a taint. Seconds are ignored."""

    key: str = ""
    operator: str = ""
    value: str = ""
    effect: str = ""

    @staticmethod
    def read(raw: Mapping[str, Any]) -> Toleration:
        """Return a toleration read from its form in a manifest."""
        return Toleration(*(raw.get(name) or "" for name in ("key", "operator", "value", "effect")))

    def tolerates(self, taint: Taint) -> bool:
        """Tell whether this toleration matches the taint: an empty effect or key matches any (S-71)."""
        if self.effect not in ("", taint.effect) or self.key not in ("", taint.key):
            return False
        match self.operator:
            case "" | "Equal":
                return self.value == taint.value
            case "Exists":
                return True
            case "Lt" | "Gt":
                mine, theirs = _integer(self.value), _integer(taint.value)
                if mine is None or theirs is None:
                    return False
                return theirs < mine if self.operator == "Lt" else theirs > mine
        return False


PREFER_NO_SCHEDULE_TOLERATION: Final = Toleration(operator="Exists", effect=PREFER_NO_SCHEDULE)


def untolerated(taints: Iterable[Taint], tolerations: Iterable[Toleration]) -> list[Taint]:
    """Return the taints that no toleration matches, with any effect: PreferNoSchedule counts as well.

    Each taint is only compared with the tolerations of its key and value, and with those of any: a pod may have thousands.
    """
    by_match: dict[tuple[str, str | None], dict[Toleration, None]] = defaultdict(dict)
    for toleration in tolerations:
        is_of_value = toleration.operator in ("", "Equal")
        by_match[toleration.key, toleration.value if is_of_value else None][toleration] = None
    left = []
    for taint in taints:
        matches = [by_match.get((key, value), ()) for key in ("", taint.key) for value in (None, taint.value)]
        if not any(toleration.tolerates(taint) for alike in matches for toleration in alike):
            left.append(taint)
    return left


def _integer(text: str) -> int | None:
    if not _CANONICAL_INTEGER.fullmatch(text):
        return None
    number = int(text)
    return number if -(2**63) <= number < 2**63 else None


@dataclass(frozen=True, slots=True)
class HostPort:
    """A port that a pod takes on its node."""

    ip: str
    port: int
    protocol: str

    def conflicts(self, other: HostPort) -> bool:
        """Tell whether port and protocol are equal, and the addresses equal too or unspecified on either side."""
        if self.port != other.port or self.protocol != other.protocol:
            return False
        return self.ip == other.ip or _unspecified(self.ip) or _unspecified(other.ip)


def host_ports(pod: Mapping[str, Any]) -> frozenset[HostPort]:
    """Return the host ports of a pod manifest: those of its ordinary containers only (S-12)."""
    return frozenset(
        HostPort(_address(port.get("hostIP") or "0.0.0.0"), port["hostPort"], port.get("protocol") or "TCP")  # noqa: S104 - a fact, no socket
        for container in (pod.get("spec") or {}).get("containers") or ()
        for port in container.get("ports") or ()
        if port.get("hostPort")
    )


def _address(text: str) -> str:
    """Return one spelling for each address; a text that is not an address is unchanged, for other checks to report."""
    try:
        address = ip_address(text)
    except ValueError:
        return text
    return str(getattr(address, "ipv4_mapped", None) or address)


def _unspecified(ip: str) -> bool:
    return ip in ("0.0.0.0", "::")  # noqa: S104 - compared, not bound
