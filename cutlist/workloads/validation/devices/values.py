"""What only the API server's type of attributes tells: their values are neither lists nor maps, and have no members (W-87)."""

from __future__ import annotations

from typing import Final

from cutlist.workloads.validation.devices import syntax
from cutlist.workloads.validation.devices.syntax import fields_of, inner, text_of

_ATTRIBUTES: Final = "device.attributes"
_INDEX: Final = "_[_]"


def misuse(serialized: bytes) -> str:
    """Return how a compiled expression uses the value of an attribute as it cannot be used, or an empty text."""
    root = syntax.expression_in(serialized)
    loops = (
        inner(fields, syntax.COMPREHENSION)
        for fields in map(fields_of, syntax.parts_of(root))
        if syntax.COMPREHENSION in fields
    )
    if any(_depth(loop[syntax.RANGE][0]) >= 2 for loop in loops):
        return "has a loop over the value of an attribute, which is no list"
    if _depth(root) > 2 or _function(root) == "dyn":
        return "must evaluate to bool or the unknown type, not dyn"
    return ""


def _depth(node: bytes) -> int:
    """Return how far below the attributes of a device a node selects: 1 for a domain, 2 for a value; 0 for other nodes."""
    fields = fields_of(node)
    if syntax.SELECT in fields:
        return _below(inner(fields, syntax.SELECT)[syntax.OPERAND][0])
    if _function(node) == _INDEX:
        return _below(inner(fields, syntax.CALL)[syntax.ARGUMENTS][0])
    return 0


def _below(node: bytes) -> int:
    fields = fields_of(node)
    if syntax.IDENT in fields:
        return int(text_of(inner(fields, syntax.IDENT), syntax.NAME) == _ATTRIBUTES)
    depth = _depth(node)
    return depth + 1 if depth else 0


def _function(node: bytes) -> str:
    fields = fields_of(node)
    return text_of(inner(fields, syntax.CALL), syntax.FUNCTION) if syntax.CALL in fields else ""
