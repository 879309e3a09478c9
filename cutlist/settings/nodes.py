"""The settings of `nodes`."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cutlist.core.setting import Kind, Setting
from cutlist.settings import cluster
from cutlist.settings.answers import WATCH
from cutlist.settings.planning import ALLOW_EMPTY, CATALOG, PAID, PAID_AS, PLAN, READING, region_for

REGION: Final = region_for("Region whose prices are shown.", "no prices")
CONTEXT: Final = replace(cluster.CONTEXT, help=("Context of the kubeconfig of the live cluster, which ", WATCH, " reads."))
EVERY: Final = Setting(
    "every", ("How often ", WATCH, " reads the live cluster."), Kind.WHOLE_NUMBER, default=10, metavar="SECONDS", least=1
)

SHOWING: Final = (ALLOW_EMPTY, *READING, REGION, CATALOG, PAID, PAID_AS)
"""What counts for the nodes and their prices."""
LIVE: Final = (CONTEXT, EVERY)
"""What counts for a live cluster."""
OUTLOOK: Final = tuple(setting for setting in PLAN if setting.name not in {shown.name for shown in SHOWING})
"""What counts for what Karpenter does next."""
