"""The settings of `explain`, besides those of every plan."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Kind, Setting

WORKLOAD: Final = Setting(
    "workload", "The workload as plans name it: deployment/web, or shop/deployment/web outside of namespace default."
)
RESTRICTIONS: Final = Setting("restrictions", "Price each restriction of the workload, which needs a plan for each.", Kind.FLAG)

SETTINGS: Final = (RESTRICTIONS,)
