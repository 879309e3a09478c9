"""JSON as Go's encoder writes it, in which texts are hashed, compared and filled into templates."""

from __future__ import annotations

import json
from typing import Any, Final

_ESCAPED: Final = str.maketrans({character: f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"})
"""What would be markup in HTML, and what would end a line in JavaScript."""


def go_json(value: Any, indent: int | None = None, *, sort_keys: bool = True) -> str:
    """Return plain data as JSON, compact without an `indent`. Go sorts the keys of a map, not those of a struct."""
    separators = (",", ":") if indent is None else None
    text = json.dumps(value, ensure_ascii=False, sort_keys=sort_keys, indent=indent, separators=separators)
    return text.translate(_ESCAPED)
