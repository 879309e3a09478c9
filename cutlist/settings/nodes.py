"""The settings of `nodes`."""

from __future__ import annotations

from typing import Final

from cutlist.settings.planning import region_for

REGION: Final = region_for("Region whose prices are shown.", "no prices")
