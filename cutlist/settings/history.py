"""The settings of `history`."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Kind, Setting

NODE: Final = Setting(
    "of_node",
    "Only commands and failed launches of these nodes, by the name of the node or of its NodeClaim.",
    Kind.TEXT,
    several=True,
    repeated="May be given several times.",
    metavar="NAME",
    option="node",
)
POD: Final = Setting(
    "of_pod",
    "Only launches that these pods waited for, and commands about nodes that events name as theirs.",
    Kind.TEXT,
    several=True,
    repeated="May be given several times.",
    metavar="NAME",
    option="pod",
)
