"""How long EKS supports each version of Kubernetes (spec: aws-infrastructure 1.10)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from cutlist.catalog.services import EVERYWHERE, service_prices
from cutlist.core.days import AHEAD, days_until
from cutlist.core.errors import Place, Problem

CALENDAR: Final = "2026-09-08"
"""The day of the newest release calendar that could be read. It has no dates of Kubernetes 1.37, nor had other public documents
on 2026-11-30, although EKS Distro has 1.37 since 2026-09-02."""
_NUMBER: Final = re.compile(r"\d+\.\d+", re.ASCII)
SUPPORT_TYPES: Final = ("STANDARD", "EXTENDED")
STANDARD, EXTENDED = SUPPORT_TYPES


@dataclass(frozen=True, slots=True)
class _Support:
    """The last days of support."""

    standard: date
    extended: date


_ENDS: Final = {
    version: _Support(date.fromisoformat(standard), date.fromisoformat(extended))
    for version, standard, extended in (
        ("1.25", "2024-05-01", "2025-05-01"),
        ("1.26", "2024-06-11", "2025-06-11"),
        ("1.27", "2024-07-24", "2025-07-24"),
        ("1.28", "2024-11-26", "2025-11-26"),
        ("1.29", "2025-03-23", "2026-03-23"),
        ("1.30", "2025-07-23", "2026-07-23"),
        ("1.31", "2025-11-26", "2026-11-26"),
        ("1.32", "2026-03-23", "2027-03-23"),
        ("1.33", "2026-07-29", "2027-07-29"),
        ("1.34", "2026-12-02", "2027-12-02"),
        ("1.35", "2027-03-27", "2028-03-27"),
        ("1.36", "2027-08-02", "2028-08-02"),
    )
}
"""Dates of the release calendar of docs.aws.amazon.com/eks/latest/userguide/kubernetes-versions.html as it stood on `CALENDAR`;
up to 1.28 as endoflife.date had them on 2026-08-22."""


def end_of_standard_support(version: str, day: date | None) -> str:
    """Return the last day of a version's standard support as an ISO date, with how far off it is where that is near; empty for
    a version that is newer than the calendar."""
    if version not in _ENDS:
        return ""
    end = _ENDS[version].standard
    return f"{end}, {days_until(end, day)}" if day is not None and _is_near(end, day, AHEAD) else end.isoformat()


def is_extended(version: str, day: date | None) -> bool:
    """Tell whether a version is in extended support on a day, which costs more, or beyond it; not without a day."""
    return day is not None and version in _ENDS and _ENDS[version].standard < day


def support_problems(version: str, support_type: str, at: Place, day: date | None) -> Iterator[Problem]:
    """Yield why EKS would not keep a cluster at a version on a day: all support has ended, or its standard support and the
    cluster is limited to that. With STANDARD, EKS upgrades such a cluster automatically, and the next update would try to go
    back. Without a day nothing has ended."""
    ends = _ENDS.get(version)
    if ends is None or day is None:
        return
    standard = ", ".join(minor for minor, end in _ENDS.items() if end.standard >= day)
    if ends.extended < day:
        offered = ", ".join(minor for minor, end in _ENDS.items() if end.extended >= day)
        message = f"EKS no longer creates clusters of Kubernetes {version}: its support ended on {ends.extended}"
        yield Problem(at, message, offered)
    elif ends.standard < day and support_type == STANDARD:
        message = f"standard support of Kubernetes {version} ended on {ends.standard}, and supportType {STANDARD} has no other"
        yield Problem(at, message, f"{standard}, or supportType {EXTENDED}, with {_price()} until {ends.extended}")


def not_offered_problems(version: str, at: Place, later: Iterable[str] = ()) -> Iterator[Problem]:
    """Yield a problem for a version of Kubernetes that is newer than the calendar and not among the `later` ones that EKS names
    itself: a Karpenter may support it before EKS does."""
    newest = max(_ENDS, key=_number)
    if _NUMBER.fullmatch(version) and _number(version) > _number(newest) and version not in later:
        message = f"EKS is not known to have Kubernetes {version}: its calendar of {CALENDAR} ends with {newest}"
        yield Problem(at, message, f"{newest}, or what EKS names to an engine", newest)


def is_beyond_calendar(version: str) -> bool:
    """Tell whether a version is newer than the calendar, so that only EKS itself knows of it."""
    return any(not_offered_problems(version, Place()))


def support_sentence(version: str, day: date, ahead: int = AHEAD) -> str:
    """Return in a sentence what the calendar means for clusters of a minor version on a day: that support has ended, or does so
    within `ahead` days; empty where neither is so, and for a version that is newer than the calendar."""
    ends = _ENDS.get(version)
    if ends is None:
        return ""
    kubernetes = f"Kubernetes {version} on EKS"
    if ends.extended < day:
        return f"{kubernetes}: all support ended on {ends.extended}, and EKS upgrades such clusters by itself"
    if ends.standard < day:
        near = f", {days_until(ends.extended, day)}" if _is_near(ends.extended, day, ahead) else ""
        cost = f"for which the control plane costs {_price()}"
        return f"{kubernetes}: extended support since {ends.standard}, {cost}; it ends on {ends.extended}{near}"
    if _is_near(ends.standard, day, ahead):
        when = f"standard support ends on {ends.standard}, {days_until(ends.standard, day)}"
        then = (
            f"then the control plane costs {_price()} until {ends.extended}, or EKS upgrades it where supportType is {STANDARD}"
        )
        return f"{kubernetes}: {when}; {then}"
    return ""


def supported_beyond(day: date, ahead: int = AHEAD) -> tuple[str, ...]:
    """Return the minor versions whose standard support lasts longer than some days from a day, as far as the calendar
    knows."""
    return tuple(version for version, ends in _ENDS.items() if ends.standard >= day and not _is_near(ends.standard, day, ahead))


def _price() -> str:
    """Return what the catalogue has for a control plane in extended support, and for one in standard support."""
    prices = service_prices("aws").prices
    standard, more = (prices[item, EVERYWHERE].usd_per_hour for item in ("eks-control-plane", "eks-extended-support"))
    return f"{standard + more:.2f} instead of {standard:.2f} USD an hour"


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _is_near(end: date, day: date, ahead: int) -> bool:
    return end - day <= timedelta(days=ahead)


@dataclass(frozen=True, slots=True)
class SupportedVersion:
    """A minor version that EKS offers on a day: `status` is that of its API, and the days are the last ones of support."""

    version: str
    status: str
    standard: date
    extended: date


def supported_versions(day: date) -> tuple[SupportedVersion, ...]:
    """Return the minor versions that EKS offers on a day, the newest first, as far as the calendar knows."""
    return tuple(
        SupportedVersion(version, f"{STANDARD if ends.standard >= day else EXTENDED}_SUPPORT", ends.standard, ends.extended)
        for version, ends in reversed(_ENDS.items())
        if ends.extended >= day
    )
