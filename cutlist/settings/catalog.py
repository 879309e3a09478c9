"""The settings of `catalog`."""

from __future__ import annotations

from typing import Final

from cutlist.settings.planning import region_for

REGION_OF_SUBNETS: Final = region_for("Region of the subnets.")
