"""The settings of `interrupt`."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Setting

SPOT_IN: Final = Setting(
    "zone",
    "Zone in which spot capacity ends.",
    default="",
    otherwise="everywhere",
    metavar="ZONE",
    option="spot-in",
)
