"""The settings of `gate`, besides those of the plan that it makes."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Edge, Kind, Setting

GATES: Final = Setting(
    "gates",
    "File with the gates for plain files.",
    Kind.PATH,
    metavar="FILE",
)
BEFORE: Final = Setting("before", "The last plan as JSON, to compare the price with.", Kind.PATH, metavar="FILE")
FIX: Final = Setting(
    "fix",
    "First fix files in place, where that is safe; comments are kept.",
    Kind.FLAG,
    unset={Edge.ASSISTANT: "calls of assistants write no files"},
)
TODAY: Final = Setting("today", "The day for which exemptions are checked.", otherwise="today, in UTC", metavar="DATE")

SETTINGS: Final = (GATES, BEFORE, FIX, TODAY)
