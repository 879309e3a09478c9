"""The file of an earlier plan that an option names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutlist.planning.stored_plan import read_plan
from cutlist_cli.stdin import stdin_of

if TYPE_CHECKING:
    from cutlist.planning.model import Plan


def stored_plan(path: str | None) -> Plan | None:
    """Return the plan in the file that an option names, `-` for standard input; None without one.

    Raises InputError for a file without one.
    """
    return None if path is None else read_plan(path, stdin_of([path]))
