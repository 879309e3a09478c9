"""The settings of `diff`, besides those of every plan."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Edge, Kind, Setting

SIDES: Final = Setting(
    "sides", "OLD and NEW: two files or folders, or two plans as the tool plan answers.", Kind.STREAM, several=True
)
GIT: Final = Setting(
    "revision",
    "Compare with NEW, or the files of the project, at a branch, tag or commit, in place of OLD.",
    metavar="REV",
    option="git",
    unset={Edge.ASSISTANT: "calls of assistants start no programs"},
)
CLUSTER: Final = Setting(
    "cluster",
    "Cluster, as `cutlist snapshot` writes it, to show which of its nodes are replaced, and when.",
    Kind.PATH,
    several=True,
    repeated="",
    metavar="PATH",
    former=("nodes",),
)

SETTINGS: Final = (GIT, CLUSTER)
