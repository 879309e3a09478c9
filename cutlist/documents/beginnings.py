"""The beginning of a file as text, and the sign of an object of Karpenter in it."""

from __future__ import annotations

import re
from typing import Final

LONGEST: Final = 2**20
"""How many bytes of a file are looked at."""
KINDS: Final = "NodePool|EC2NodeClass|AKSNodeClass|NodeClass|NodeOverlay|CapacityBuffer|Provisioner|AWSNodeTemplate"
KARPENTERS: Final = re.compile(rf"""^\s*["']?kind["']?\s*:\s*["']?({KINDS})\b""", re.MULTILINE)
"""A line that begins an object of Karpenter, of whatever version."""


def beginning_of(path: str) -> str:
    """Return the beginning of a file as text; empty if it cannot be read or is not text."""
    try:
        with open(path, "rb") as file:
            raw = file.read(LONGEST)
    except OSError:
        return ""
    return "" if b"\0" in raw else raw.decode("utf-8", errors="replace")
