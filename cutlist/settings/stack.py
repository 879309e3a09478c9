"""The settings of what runs the program of a stack."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Kind, Setting

TIME_LIMIT: Final = Setting(
    "time_limit",
    "How long a stack's program may run, in its own process.",
    Kind.NUMBER,
    otherwise="300",
    metavar="SECONDS",
    above=0,
    variables=("CUTLIST_TIME_LIMIT",),
)
