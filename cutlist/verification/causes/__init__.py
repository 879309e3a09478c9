"""Why a cluster differs from its plan: every known cause, in the order of reports."""

from __future__ import annotations

from typing import Final

from cutlist.verification.causes import changes, cluster, endings, launching, pods
from cutlist.verification.causes.registry import Cause

__all__ = ["CAUSES", "Cause"]

CAUSES: Final[tuple[Cause, ...]] = (
    *launching.CAUSES,
    *pods.CAUSES,
    *cluster.CAUSES,
    *changes.CAUSES,
    *endings.CAUSES,
)
"""Each cause examines each deviation separately; a deviation may have several causes."""
