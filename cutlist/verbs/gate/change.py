"""What a change makes different, beside the verdict of the gates on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cutlist.core.errors import InputError

if TYPE_CHECKING:
    from cutlist.verbs.diff.answer import Difference


@dataclass(frozen=True, slots=True)
class Change:
    """The difference from an earlier revision; `missing` says why it is not known, if the files cannot be planned there."""

    base: str
    difference: Difference | None = None
    missing: str = ""


def change_since(base: str, compare: Callable[[], Difference]) -> Change:
    """Return what changes since a revision. A mistake in its files is a reason, since the gates judge the present ones.

    Raises InputError for a mistake in a setting, such as a revision that there is not.
    """
    try:
        return Change(base, compare())
    except InputError as error:
        if any(problem.place.settings for problem in error.problems):
            raise
        first = error.problems[0]
        more = f" (and {len(error.problems) - 1:,} more)" if len(error.problems) > 1 else ""
        return Change(base, missing=f"Not compared with {base}: {first}{more}")
