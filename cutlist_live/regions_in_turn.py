"""Regions read one after the other, each written when it is complete."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from cutlist.core.errors import InputError, Problems
from cutlist_live.errors import AccountError, RegionError

D = TypeVar("D")


@dataclass(frozen=True, slots=True)
class Update(Generic[D]):
    """What an update came to: the regions that were written, and why the others were not."""

    done: tuple[D, ...]
    problems: Problems


def in_turn(regions: Sequence[str], check: Callable[[str], None], read: Callable[[str], D]) -> Update[D]:
    """Read each region. One that fails leaves its old file as it was, and the others go on, unless all would fail alike.

    `check` raises InputError for a region that makes no sense; then nothing is read at all.
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
            done.append(read(region))
        except InputError as error:
            problems.extend(error.problems)
        except RegionError as error:
            problems.extend([error.problem])
        except AccountError as error:  # the other regions would say the same
            problems.extend([error.problem])
            break
    return Update(tuple(done), problems)
