"""What gates say in the order in which people need it: what stops the change first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.policy.gates import Outcome, Report

_HEADINGS: Final = {
    "stopping": "Stops the change",
    "advisory": "Advice",
    "unknown": "Cannot be told",
    "exempt": "Exempt",
}


def sections(report: Report) -> Iterator[tuple[str, str, list[Outcome]]]:
    """Each sort of outcome that there is, with its heading and its outcomes."""
    for sort, heading in _HEADINGS.items():
        if listed := [one for one in report.outcomes if report.sort(one) == sort]:
            yield sort, heading, listed
