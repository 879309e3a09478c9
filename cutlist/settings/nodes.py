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

SORT: Final = Setting(
    "sort",
    "Order of the nodes in text: the fullest by cpu or memory, the most expensive, the oldest or with most pods first.",
    choices=("name", "price", "cpu", "memory", "pods", "age"),
    otherwise="by NodePool and name; at a glance by price",
)
REVERSE: Final = Setting("is_reversed", "Turn the order of the nodes in text round.", Kind.FLAG, option="reverse")
SELECTOR: Final = Setting(
    "wanted",
    "Show only nodes with these labels in text: KEY, KEY=VALUE or KEY!=VALUE.",
    several=True,
    repeated="May be given several times: all of them hold together.",
    metavar="LABEL",
    option="selector",
    short="-l",
)
LABEL: Final = Setting("labels", "Show this label of each node in text.", several=True, metavar="KEY", option="label")

SELECTING: Final = (SORT, REVERSE, SELECTOR, LABEL)
"""What chooses among the nodes that a text shows."""
SHOWING: Final = (ALLOW_EMPTY, *READING, REGION, CATALOG, PAID, PAID_AS)
"""What counts for the nodes and their prices."""
LIVE: Final = (CONTEXT, EVERY)
"""What counts for a live cluster."""
OUTLOOK: Final = tuple(setting for setting in PLAN if setting.name not in {shown.name for shown in SHOWING})
"""What counts for what Karpenter does next."""
