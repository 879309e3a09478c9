"""Where a stack's configuration has its gates, and how their values arrive: as JSON in a text."""

from __future__ import annotations

import json
from typing import Any, Final

GATES: Final = "gates"
GATE_DEFAULTS: Final = "gateDefaults"


def json_value(written: str | None) -> Any:
    """Return a configuration value that is not text, as data: None without one, and the text itself where it is not JSON."""
    try:
        return None if written is None else json.loads(written)
    except json.JSONDecodeError:
        return written
