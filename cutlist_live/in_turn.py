"""Updates of several regions, one after the other. It needs no SDK of a cloud."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from cutlist.core.errors import InputError, Problem, Problems
from cutlist_live.errors import AccountError, RegionError


class Updated(Protocol):
    """A region that was written."""

    @property
    def summary(self) -> str:
        """Return what was read and what was missing, in lines for people."""
        ...

    @property
    def open(self) -> tuple[Problem, ...]:
        """Return what could not be read although the rest was written."""
        ...


D = TypeVar("D", bound=Updated)


@dataclass(frozen=True, slots=True)
class UpdateResult(Generic[D]):
    """The result of an update: the regions that were written, and why others, or parts of one, were not."""

    done: tuple[D, ...]
    problems: Problems


def in_turn(regions: Sequence[str], check: Callable[[str], None], read: Callable[[str], D]) -> UpdateResult[D]:
    """Read each region. One that fails keeps its old file, and the others continue, unless all would fail alike.

    `check` raises InputError for an invalid region; then nothing is read at all.
    """
    problems, done = Problems(), list[D]()
    for region in dict.fromkeys(regions):
        try:
            check(region)
        except InputError as error:
            problems.extend(error.problems)
    problems.raise_if_any()
    for region in dict.fromkeys(regions):
        try:
            updated = read(region)
            done.append(updated)
            problems.extend(updated.open)
        except InputError as error:
            problems.extend(error.problems)
        except RegionError as error:
            problems.extend([error.problem])
        except AccountError as error:  # the other regions would fail alike
            problems.extend([error.problem])
            break
    return UpdateResult(tuple(done), problems)
