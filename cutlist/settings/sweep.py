"""The settings of `sweep`."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Kind, Setting
from cutlist.settings.planning import region_for

CEILING: Final = 200
"""Instances that a sweep deletes without an explicit limit."""

REGION: Final = region_for("Region of the cluster.")
ACCOUNT: Final = Setting("account", "Account of the cluster; credentials of another are refused.", metavar="ID")
VPC: Final = Setting("vpc", "Only look for idle interfaces in this VPC.", metavar="ID")
DRY_RUN: Final = Setting("dry_run", "Only show what would be removed; exit with 1 if there is anything.", Kind.FLAG)
YES: Final = Setting("yes", "Remove without asking.", Kind.FLAG)
ALSO: Final = Setting(
    "also",
    "Also delete idle volumes of a kind; repeatable.",
    several=True,
    repeated="",
    choices=("node-volumes", "claim-volumes"),
)
MAX_INSTANCES: Final = Setting(
    "max_instances",
    "Remove nothing if more instances than this would be removed.",
    Kind.WHOLE_NUMBER,
    default=CEILING,
    metavar="N",
    least=0,
)
FORCE: Final = Setting("force", "Treat a cluster whose API does not answer as removed.", Kind.FLAG)
