"""Inputs and outputs as plain data, whether they come from a recording or over the wire of an engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pulumi.runtime.rpc import UNKNOWN as UNKNOWN_TEXT

_SIGNATURE: Final = "4dabf18193072939515e22adb298388d"
_HIDDEN: Final = "1b47061264138c4ac30d75fd1eb44270"
_OUTPUT: Final = "d0e6a833031e9bbcd3f4e8bde6ca49a4"


class Unknown:
    """What an update alone knows."""

    def __repr__(self) -> str:
        """Return how messages show it."""
        return "[unknown]"


UNKNOWN: Final = Unknown()


def plain(value: Any) -> Any:
    """Return data of the wire without its marks: secrets by their value, UNKNOWN for what an update knows, 10 for 10.0."""
    if isinstance(value, Mapping):
        if value.get(_SIGNATURE) in (_HIDDEN, _OUTPUT):
            return plain(value["value"]) if "value" in value else UNKNOWN
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if value == UNKNOWN_TEXT or type(value).__name__ == "Unknown":  # the SDK's own class, which recordings keep
        return UNKNOWN
    return int(value) if isinstance(value, float) and value.is_integer() else value
