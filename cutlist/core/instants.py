"""Instants as Kubernetes writes them, in UTC, and as Cutlist counts them: in seconds since 1970."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any


def instant(text: Any) -> float | None:
    """Return a time of a manifest in seconds since 1970, or None for a missing one. Raises ValueError if the text is not a
    time."""
    if isinstance(text, datetime):
        return text.timestamp()
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() if text else None


def instant_text(at: float) -> str:
    """Return an instant as manifests write it, such as `2026-01-05T12:00:00Z`: rounded down to whole seconds."""
    return datetime.fromtimestamp(int(at), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
