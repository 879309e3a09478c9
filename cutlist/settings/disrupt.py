"""The settings of `disrupt`, besides those of plans, of clusters and of disruption."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Kind, Setting

UNTIL_STABLE: Final = Setting("until_stable", "Continue, step by step, until Karpenter does nothing more.", Kind.FLAG)
