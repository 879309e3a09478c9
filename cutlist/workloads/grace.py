"""How long a pod may take to end once it is asked to (spec: disruption 9.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

DEFAULT_GRACE: Final = 30  # seconds, what the API server sets


def grace_period(spec: Mapping[str, Any]) -> int:
    """The seconds that a pod's spec leaves it between the wish that it ends and its end by force."""
    written = spec.get("terminationGracePeriodSeconds")
    return DEFAULT_GRACE if written is None else int(written)
