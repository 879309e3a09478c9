"""The versions of Kubernetes for which AKS makes clusters (spec: azure 1.2)."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from cutlist.core.days import AHEAD
from cutlist.infrastructure.aks.notes import AksNotes
from cutlist.infrastructure.versions import known_kubernetes

_VERSION: Final = re.compile(r"1\.[0-9]+(\.[0-9]+)?", re.ASCII)
SUPPORT_PLANS: Final = ("KubernetesOfficial", "AKSLongTermSupport")
LONG_TERM: Final = SUPPORT_PLANS[1]
PREMIUM: Final = "Premium"
"""The tier that long-term support takes."""


@dataclass(frozen=True, slots=True)
class SupportPlan:
    """The support plan of a cluster, if one is chosen, and the tier that pays for it."""

    name: str | None
    tier: str

    @property
    def is_long_term(self) -> bool:
        """Tell whether support continues after the community's."""
        return self.name == LONG_TERM


_NO_PLAN: Final = SupportPlan(None, "")


@dataclass(frozen=True, slots=True)
class _Support:
    """The months in which the support of a minor version ends: by the community, and in the long term."""

    community: str
    long_term: str


_ENDS: Final = {
    "1.27": _Support("2024-07", "2025-07"),
    "1.28": _Support("2025-01", "2026-02"),
    "1.29": _Support("2025-03", "2026-04"),
    "1.30": _Support("2025-08", "2026-07"),
    "1.31": _Support("2025-11", "2026-11"),
    "1.32": _Support("2026-03", "2027-03"),
    "1.33": _Support("2026-07", "2027-07"),
    "1.34": _Support("2026-11", "2027-11"),
    "1.35": _Support("2027-03", "2028-03"),
    "1.36": _Support("2027-06", "2028-06"),
    "1.37": _Support("2027-10", "2028-10"),
}
"""Months from "AKS Kubernetes release calendar", both tables, of learn.microsoft.com/azure/aks/supported-kubernetes-versions as
it stood in August 2026. The release notes of AKS of 2026-10-25 have 1.37 as generally available, in long-term support too."""


def _offered(day: date | None) -> tuple[str, ...]:
    """Return the minors of which AKS makes clusters on a day, with long-term support at least; all without a day."""
    return tuple(minor for minor, ends in _ENDS.items() if day is None or ends.long_term >= _month(day))


def _official(day: date | None) -> tuple[str, ...]:
    """Return the minors that the community supports on a day; all without a day."""
    return tuple(minor for minor, ends in _ENDS.items() if day is None or ends.community >= _month(day))


def _month(day: date) -> str:
    return day.strftime("%Y-%m")


def check_kubernetes(version: str, path: str, notes: AksNotes) -> bool:
    """Report a text that is not a version, and return whether it is one. Warn about a version that Karpenter, and so AKS, is
    not known to support."""
    if not _is_version(version, path, notes):
        return False
    known = known_kubernetes()
    if _minor(version) not in known:
        text = f"Kubernetes {_minor(version)} is not one that Karpenter is known for; AKS may not have it"
        notes.warn(path, text, ", ".join(known))
    return True


def check_new_kubernetes(version: str, plan: SupportPlan, path: str, notes: AksNotes, day: date | None = None) -> bool:
    """Report a version that no new cluster can have on a day, or none with this support plan, and return whether one can.
    Versions newer than the table pass with a warning."""
    if not _is_version(version, path, notes):
        return False
    offered, official = _offered(day), _official(day)
    minor, newest = _minor(version), max(_ENDS, key=_number)
    if minor in official:
        if day is not None and not plan.is_long_term and _is_near(_ENDS[minor].community, day):
            later = (other for other in official if _number(other) > _number(minor))
            text = f"Kubernetes {minor} is the community's until the end of {_ENDS[minor].community}"
            notes.warn(path, f"{text}; a cluster of it then takes {LONG_TERM}", ", ".join(later))
        return True
    if minor in offered:
        if plan.name in (None, SUPPORT_PLANS[0]):  # an unknown plan is reported elsewhere
            message = f"AKS makes clusters of Kubernetes {minor} in long-term support alone"
            allowed = (
                f"supportPlan {LONG_TERM} with tier {PREMIUM}, {', '.join(official)}, or no version where a cluster has it"
            )
            notes.refuse(path, message, allowed)
        return True
    if _number(minor) < _number(newest):
        notes.refuse(path, f"AKS no longer creates clusters of Kubernetes {minor}", ", ".join(offered), newest)
        return False
    notes.warn(path, f"Kubernetes {minor} is newer than those that AKS is known to have", ", ".join(offered))
    return True


def _is_near(month: str, day: date, ahead: int = AHEAD) -> bool:
    """Tell whether a month has ended some days after a day."""
    year, number = map(int, month.split("-"))
    return date(year, number, monthrange(year, number)[1]) <= day + timedelta(days=ahead)


def support_sentence(version: str, day: date, ahead: int = AHEAD, plan: SupportPlan = _NO_PLAN) -> str:
    """Return in a sentence what AKS' calendar means for clusters of a version and a support plan on a day: that support has
    ended, or does so within `ahead` days; empty where neither is so, and for a version that the calendar does not have."""
    minor = _minor(version)
    ends = _ENDS.get(minor)
    if ends is None:
        return ""
    kubernetes = f"Kubernetes {minor} on AKS"
    if ends.long_term < _month(day):
        return f"{kubernetes}: all support ended with {ends.long_term}"
    if plan.is_long_term:
        return f"{kubernetes}: {LONG_TERM} ends with {ends.long_term}" if _is_near(ends.long_term, day, ahead) else ""
    if ends.community < _month(day):
        return (
            f"{kubernetes}: support ended with {ends.community}, except {LONG_TERM} in tier {PREMIUM}, until {ends.long_term}"
        )
    if _is_near(ends.community, day, ahead):
        return f"{kubernetes}: support ends with {ends.community}; then it takes {LONG_TERM} in tier {PREMIUM}"
    return ""


def supported_beyond(day: date, ahead: int = AHEAD, plan: SupportPlan = _NO_PLAN) -> tuple[str, ...]:
    """Return the minors whose support by a plan lasts longer than some days from a day, as far as the calendar knows."""
    last = {minor: ends.long_term if plan.is_long_term else ends.community for minor, ends in _ENDS.items()}
    return tuple(minor for minor, month in last.items() if not _is_near(month, day, ahead))


def check_support_plan(plan: SupportPlan, notes: AksNotes) -> None:
    """Report a support plan that AKS does not have, and long-term support in a tier without it."""
    if plan.name is not None:
        notes.one_of("supportPlan", plan.name, SUPPORT_PLANS)
    if plan.is_long_term and plan.tier != PREMIUM:
        notes.refuse("supportPlan", f"{LONG_TERM} in tier {plan.tier}", f"tier {PREMIUM}")


def _is_version(version: str, path: str, notes: AksNotes) -> bool:
    if _VERSION.fullmatch(version):
        return True
    notes.refuse(path, f"{version!r} is not a version of Kubernetes", 'a version such as "1.33" or "1.33.5", in quotes')
    return False


def _minor(version: str) -> str:
    return ".".join(version.split(".")[:2])


def _number(minor: str) -> int:
    return int(minor.partition(".")[2])
