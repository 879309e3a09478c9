"""How long EKS supports each version of Kubernetes (spec: aws-infrastructure 1.10)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cutlist.core.errors import Place, Problem

CALENDAR: Final = "2026-09-08"
"""The day of the newest release calendar that could be read; it has no dates of Kubernetes 1.37 yet."""
_READ: Final = "2026-11-23"
SUPPORT_TYPES: Final = ("STANDARD", "EXTENDED")
STANDARD, EXTENDED = SUPPORT_TYPES


@dataclass(frozen=True, slots=True)
class _Support:
    """The last days of support, as ISO dates."""

    standard: str
    extended: str


_ENDS: Final = {
    "1.29": _Support("2025-03-23", "2026-03-23"),
    "1.30": _Support("2025-07-23", "2026-07-23"),
    "1.31": _Support("2025-11-26", "2026-11-26"),
    "1.32": _Support("2026-03-23", "2027-03-23"),
    "1.33": _Support("2026-07-29", "2027-07-29"),
    "1.34": _Support("2026-12-02", "2027-12-02"),
    "1.35": _Support("2027-03-27", "2028-03-27"),
    "1.36": _Support("2027-08-02", "2028-08-02"),
}
"""Dates of the release calendar of docs.aws.amazon.com/eks/latest/userguide/kubernetes-versions.html as it stood on `CALENDAR`;
compared with `_READ`."""


def end_of_standard_support(version: str) -> str:
    """Return the last day of a version's standard support as an ISO date; empty for a version that is newer than the
    calendar."""
    return _ENDS[version].standard if version in _ENDS else ""


def is_extended(version: str) -> bool:
    """Tell whether a version is in extended support, which costs more, or beyond it."""
    return version in _ENDS and _ENDS[version].standard < _READ


def support_problems(version: str, support_type: str, at: Place) -> Iterator[Problem]:
    """Yield why EKS would not keep a cluster at a version: all support has ended, or its standard support and the cluster is
    limited to that. With STANDARD, EKS upgrades such a cluster automatically, and the next update would try to go back."""
    ends = _ENDS.get(version)
    if ends is None:
        return
    standard = ", ".join(minor for minor, end in _ENDS.items() if end.standard >= _READ)
    if ends.extended < _READ:
        offered = ", ".join(minor for minor, end in _ENDS.items() if end.extended >= _READ)
        message = f"EKS no longer creates clusters of Kubernetes {version}: its support ended on {ends.extended}"
        yield Problem(at, message, offered)
    elif ends.standard < _READ and support_type == STANDARD:
        message = f"standard support of Kubernetes {version} ended on {ends.standard}, and supportType {STANDARD} has no other"
        yield Problem(at, message, f"{standard}, or supportType {EXTENDED}, which costs more")
