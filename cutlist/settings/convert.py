"""The settings of `convert`."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Kind, Setting

IN_PLACE: Final = Setting("in_place", "Write changed files back in place.", Kind.FLAG, option="write", former=("in-place",))
VALUES: Final = Setting(
    "values",
    "Write values for Karpenter's chart, from the ConfigMaps of old settings, to a file.",
    Kind.FILE,
    metavar="FILE",
)
