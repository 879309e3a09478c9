"""The settings of `verify`, besides those of every plan."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Kind, Setting
from cutlist.settings import answers

PLAN: Final = Setting(
    "plan_file",
    "Plan that `cutlist plan -o json` wrote.",
    Kind.STREAM,
    otherwise="the plan for -f",
    metavar="FILE",
    option="plan",
)
LOG: Final = Setting(
    "logs",
    "Karpenter's log, or events as JSON, to find capacity errors and disruption.",
    Kind.STREAM,
    several=True,
    metavar="FILE",
    option="log",
)
FROM: Final = Setting(
    "cluster",
    "The current cluster, as `cutlist snapshot` writes it; - for standard input.",
    Kind.STREAM,
    several=True,
    otherwise=f"the nodes that {LOG.flag} says were launched",
    metavar="PATH",
    option="from",
)
SINCE: Final = Setting(
    "since",
    "When the plan was applied, such as 2026-01-05T12:00:00Z: older nodes are not compared.",
    Kind.INSTANT,
    metavar="TIME",
)
STRICT: Final = answers.strict_about("Exit with 1 if a node is unplanned, or differs without a known cause.")
CAUSES: Final = Setting("causes", "Print the list of all causes and exit.", Kind.FLAG)
