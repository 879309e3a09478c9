"""What rules on the support of a cluster's Kubernetes share: EKS and AKS have calendars of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

from cutlist.core.days import AHEAD
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parameters import count
from cutlist.policy.rules.parts import Part
from cutlist.policy.rules.rule import DAY, Settings

DAYS_AHEAD: Final = count("daysAhead", AHEAD, "How many days before the end of support it has to be known.")


@dataclass(frozen=True, slots=True)
class Calendar:
    """A release calendar: what it means for a minor version on a day, some days ahead, in a sentence that is empty where
    nothing ends; and the versions that are supported longer than that."""

    sentence: Callable[[str, date, int], str]
    supported: Callable[[date, int], tuple[str, ...]]


def ends_of_support(version: Part, settings: Settings, calendar: Calendar) -> Iterator[Finding]:
    """Yield that support of a version has ended, or ends soon; nothing without a version, which is the cloud's choice."""
    minor, day, ahead = ".".join(version.text.split(".")[:2]), settings.get(DAY), settings[DAYS_AHEAD.name]
    if not minor or not isinstance(day, date):
        return
    text = calendar.sentence(minor, day, ahead)
    if text:
        allowed = ", ".join(calendar.supported(day, ahead))
        yield version.violation(text, allowed, "upgrade the cluster, one minor version at a time")
