"""The settings of `permissions`."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Setting
from cutlist.settings.planning import region_for

REGION: Final = region_for("Region of that cluster.")
CLUSTER: Final = Setting(
    "cluster", "Name of a cluster, if there is no stack yet.", metavar="NAME", option="cluster-name", former=("cluster",)
)
ACCOUNT: Final = Setting("account", "Account of that cluster.", metavar="ID")

OF_CLUSTER: Final = (CLUSTER, REGION, ACCOUNT)
"""What names a cluster without a stack."""
