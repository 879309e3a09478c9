"""The settings of `types`."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Kind, Setting

LIMIT: Final = Setting(
    "limit",
    "Instance types to show for each NodePool, 0 for all.",
    Kind.WHOLE_NUMBER,
    default=20,
    metavar="N",
    least=0,
)
