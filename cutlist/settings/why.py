"""The settings of `why`, besides those of every plan."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Kind, Setting

NAMESPACE: Final = Setting("namespace", "Namespace of the pod or workload.", metavar="NAME", short="-n")
LOG: Final = Setting(
    "logs",
    "Karpenter's log, or events as JSON: what happened to a node or a launch before.",
    Kind.STREAM,
    several=True,
    metavar="FILE",
    option="log",
)

SETTINGS: Final = (NAMESPACE, LOG)
