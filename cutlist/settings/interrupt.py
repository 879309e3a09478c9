"""The setting of `interrupt`, which `disrupt` has too."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Setting

SPOT_ENDS: Final = Setting(
    "zone",
    "Show instead what happens when all spot capacity of a zone ends, or with no value that of all zones.",
    metavar="ZONE",
    option="spot-ends",
    former=("spot-in",),
    bare="all",
)
