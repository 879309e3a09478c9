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
CLUSTER: Final = Setting(
    "cluster",
    "The current cluster, as `cutlist snapshot` writes it; - for standard input.",
    Kind.STREAM,
    several=True,
    otherwise=f"the nodes that {LOG.flag} says were launched",
    metavar="PATH",
    former=("from",),
)
SINCE: Final = Setting(
    "since",
    "When the plan was applied, such as 2026-01-05T12:00:00Z: older nodes are not compared.",
    Kind.INSTANT,
    metavar="TIME",
)
BILL: Final = Setting(
    "bill",
    "Compare with a bill instead of a cluster: exports of FOCUS or CUR 2.0, files or folders.",
    Kind.PATH,
    several=True,
    metavar="PATH",
)
RUN: Final = Setting(
    "run",
    ("With ", BILL, ": the simulation that `cutlist simulate -o json` wrote, instead of a plan."),
    Kind.FILE,
    metavar="FILE",
)
TAG: Final = Setting(
    "tag",
    ("With ", BILL, ": the cost allocation tag that has the name of the NodePool."),
    otherwise="karpenter.sh/nodepool, as the clouds spell it",
    metavar="NAME",
)
FIGURES_FILE: Final = Setting(
    "figures_file",
    ("With ", BILL, ": write the discounts that would have made the plan right into Figures, and keep what is there."),
    Kind.FILE,
    metavar="FILE",
    option="figures-to",
    former=("write-figures",),
)
STRICT: Final = answers.strict_about("Exit with 1 if a node is unplanned, or differs without a known cause.")
CAUSES: Final = Setting("causes", "Print the list of all causes and exit.", Kind.FLAG)
