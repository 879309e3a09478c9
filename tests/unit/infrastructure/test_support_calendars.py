"""How long clouds support versions of Kubernetes, said as of a day."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from cutlist.core.days import AHEAD, day_of, days_until
from cutlist.core.errors import InputError, Place
from cutlist.infrastructure import eks_support
from cutlist.infrastructure.aks import versions as aks

END = date(2026, 12, 2)  # of standard support of 1.34 on EKS


@pytest.mark.parametrize(
    ("version", "day", "part"),
    [
        (
            "1.34",
            date(2026, 11, 29),
            "in 3 days; then the control plane costs 0.60 instead of 0.10 USD an hour until 2027-12-02",
        ),
        ("1.34", END, "ends on 2026-12-02, today"),
        ("1.34", END - timedelta(days=1), "ends on 2026-12-02, tomorrow"),
        ("1.34", END - timedelta(days=AHEAD), "in 90 days"),
        (
            "1.34",
            END + timedelta(days=1),
            "since 2026-12-02, for which the control plane costs 0.60 instead of 0.10",
        ),
        ("1.31", date(2026, 11, 26), "; it ends on 2026-11-26, today"),
        ("1.31", date(2026, 11, 27), "all support ended on 2026-11-26, and EKS upgrades such clusters by itself"),
    ],
)
def test_the_calendar_of_eks_counts_from_the_day_that_is_given(version: str, day: date, part: str) -> None:
    """Ninety days ahead, and from the first day after an end."""
    assert part in eks_support.support_sentence(version, day)


@pytest.mark.parametrize(
    ("version", "day"), [("1.34", END - timedelta(days=AHEAD + 1)), ("1.36", END), ("1.99", END), ("", END)]
)
def test_nothing_is_said_earlier_or_of_versions_beyond_the_calendar(version: str, day: date) -> None:
    """A version that is not in the calendar has no end."""
    assert eks_support.support_sentence(version, day) == ""
    assert aks.support_sentence("1.99", day) == ""


@pytest.mark.parametrize(
    ("version", "day", "part"),
    [
        ("1.34", date(2026, 8, 31), ""),
        ("1.34.2", date(2026, 9, 2), "support ends with 2026-11; then it takes AKSLongTermSupport in tier Premium"),
        ("1.34", date(2026, 11, 30), "support ends with 2026-11"),
        ("1.34", date(2026, 12, 1), "support ended with 2026-11, except AKSLongTermSupport in tier Premium, until 2027-11"),
        ("1.31", date(2026, 12, 1), "all support ended with 2026-11"),
    ],
)
def test_the_calendar_of_aks_counts_from_the_day_too(version: str, day: date, part: str) -> None:
    """It has months, of which the last day counts."""
    sentence = aks.support_sentence(version, day)
    assert (part in sentence) if part else sentence == ""


@pytest.mark.parametrize(
    ("version", "day", "part"),
    [
        ("1.34", date(2026, 12, 1), ""),
        ("1.31", date(2026, 9, 2), "AKSLongTermSupport ends with 2026-11"),
        ("1.31", date(2026, 8, 31), ""),
        ("1.31", date(2026, 12, 1), "all support ended with 2026-11"),
    ],
)
def test_long_term_support_ends_later(version: str, day: date, part: str) -> None:
    """Of a cluster that has it, the end of the community's support says nothing."""
    sentence = aks.support_sentence(version, day, plan=aks.SupportPlan(aks.LONG_TERM, aks.PREMIUM))
    assert (part in sentence) if part else sentence == ""


def test_versions_that_are_supported_longer_are_named_by_plan() -> None:
    """Those that the same calendar says nothing about."""
    day, long_term = date(2026, 11, 29), aks.SupportPlan(aks.LONG_TERM, aks.PREMIUM)
    assert aks.supported_beyond(day) == ("1.35", "1.36", "1.37")
    assert aks.supported_beyond(day, plan=long_term) == ("1.32", "1.33", "1.34", "1.35", "1.36", "1.37")


def test_a_day_is_read_from_its_iso_form() -> None:
    """Anything else is an error."""
    assert day_of("2026-11-29", Place("x")) == date(2026, 11, 29)
    assert days_until(END, date(2026, 11, 30)) == "in 2 days"
    with pytest.raises(InputError, match="'soon' is not a date"):
        day_of("soon", Place("x"))
