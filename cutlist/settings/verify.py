"""The settings of `verify`, besides those of every plan."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Kind, Setting

PLAN: Final = Setting(
    "plan_file",
    "Plan that `cutlist plan -o json` wrote.",
    Kind.STREAM,
    otherwise="the plan for -f",
    metavar="FILE",
    option="plan",
)
FROM: Final = Setting(
    "cluster",
    "The current cluster, as `cutlist snapshot` writes it; - for standard input.",
    Kind.STREAM,
    several=True,
    otherwise="the nodes that --log says were launched",
    metavar="PATH",
    option="from",
)
LOG: Final = Setting(
    "logs",
    "Karpenter's log, or events as JSON, to find capacity errors and disruption.",
    Kind.STREAM,
    several=True,
    metavar="FILE",
    option="log",
)
SINCE: Final = Setting(
    "since",
    "When the plan was applied, such as 2026-01-05T12:00:00Z: older nodes are not compared.",
    Kind.INSTANT,
    metavar="TIME",
)
