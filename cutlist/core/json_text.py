"""JSON that may be printed in the log of a build."""

from __future__ import annotations

import re
from typing import Final

_COMMAND: Final = re.compile(r"##(?=\[|vso\[)")


def without_commands(text: str) -> str:
    """Return JSON, or a double-quoted word of YAML, in which no build server finds a command, wherever it is in a line. It is
    read back as the same value."""
    return _COMMAND.sub(r"#\\u0023", text)
