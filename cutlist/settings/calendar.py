"""The setting of verbs whose answers depend on calendars: from which day these count."""

from __future__ import annotations

from typing import Final

from cutlist.core.days import VARIABLE
from cutlist.core.setting import Setting

DAY: Final = Setting(
    "day",
    "The day from which calendars count, such as when support of a version of Kubernetes ends.",
    otherwise="today, in UTC",
    metavar="DATE",
    option="at",
    variables=(VARIABLE,),
)
