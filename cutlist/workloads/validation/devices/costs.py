"""The least that the API server counts as the cost of an expression in CEL (W-87).

The server multiplies the cost of a loop's body by the number of items that it may have, and refuses what may cost too much.
Here, items count where their number is known: literal lists, the maps of a device, and what is made of them. Texts cost
nothing, so an expression that is refused for the length of its texts alone is accepted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from cutlist.workloads.validation.devices import syntax
from cutlist.workloads.validation.devices.syntax import Fields, fields_of, inner, text_of

MOST: Final = 1_000_000
"""The cost that the API server allows for an expression."""

_ENTRIES: Final = 32  # of a map of attributes or capacities
_LIST: Final = 10
_MAP: Final = 30
_FREE: Final = frozenset({"_&&_", "_||_", "@not_strictly_false"})
_MAPS: Final = frozenset({"device.attributes", "device.capacity"})

Sizes = Mapping[str, int]


def least_cost(serialized: bytes) -> int:
    """Return the least cost of a compiled expression, from its serialized form."""
    return _cost(syntax.expression_in(serialized), {})


def _cost(node: bytes, sizes: Sizes) -> int:
    fields = fields_of(node)
    if syntax.IDENT in fields:
        return 1 + text_of(inner(fields, syntax.IDENT), syntax.NAME).count(".")
    if syntax.SELECT in fields:
        return _cost_of(inner(fields, syntax.SELECT), (syntax.OPERAND,), sizes)
    if syntax.CALL in fields:
        return _cost_of_call(inner(fields, syntax.CALL), sizes)
    if syntax.CREATE_LIST in fields:
        return _LIST + _cost_of(inner(fields, syntax.CREATE_LIST), (syntax.ELEMENTS,), sizes)
    if syntax.CREATE_MAP in fields:
        entries = map(fields_of, inner(fields, syntax.CREATE_MAP).get(syntax.ITEMS, ()))
        return _MAP + sum(_cost_of(entry, (syntax.KEY, syntax.VALUE), sizes) for entry in entries)
    if syntax.COMPREHENSION in fields:
        return _cost_of_comprehension(inner(fields, syntax.COMPREHENSION), sizes)
    return 0


def _cost_of(parts: Fields, numbers: Iterable[int], sizes: Sizes) -> int:
    """Return the cost of some parts of an expression together."""
    return sum(_cost(node, sizes) for number in numbers for node in parts.get(number, ()))


def _cost_of_call(call: Fields, sizes: Sizes) -> int:
    function = text_of(call, syntax.FUNCTION)
    if function == "_?_:_":
        condition, *branches = (_cost(node, sizes) for node in call[syntax.ARGUMENTS])
        return condition + max(branches)
    return _cost_of(call, (syntax.TARGET, syntax.ARGUMENTS), sizes) + (function not in _FREE)


def _cost_of_comprehension(loop: Fields, sizes: Sizes) -> int:
    """Return the cost of a loop over items; a bound variable is one over no items."""
    inner = {**sizes, text_of(loop, syntax.ACCUMULATOR): _size(loop[syntax.START][0], sizes)}
    body = _cost_of(loop, (syntax.CONDITION, syntax.STEP), inner)
    return (
        _cost_of(loop, (syntax.RANGE, syntax.START), sizes)
        + _size(loop[syntax.RANGE][0], sizes) * body
        + _cost_of(loop, (syntax.RESULT,), inner)
    )


def _size(node: bytes, sizes: Sizes) -> int:
    """Return how many items an expression may have; 1 where that is not known."""
    fields = fields_of(node)
    if syntax.CREATE_LIST in fields:
        return len(inner(fields, syntax.CREATE_LIST).get(syntax.ELEMENTS, ()))
    if syntax.CREATE_MAP in fields:
        return len(inner(fields, syntax.CREATE_MAP).get(syntax.ITEMS, ()))
    if syntax.COMPREHENSION in fields:
        loop = inner(fields, syntax.COMPREHENSION)
        makes_list = syntax.CREATE_LIST in fields_of(loop[syntax.START][0])
        return _size(loop[syntax.RANGE][0], sizes) if makes_list else 1
    if syntax.IDENT in fields:
        name = text_of(inner(fields, syntax.IDENT), syntax.NAME)
        return _ENTRIES if name in _MAPS else sizes.get(name, 1)
    if syntax.CALL in fields:
        call = inner(fields, syntax.CALL)
        of_map = call[syntax.ARGUMENTS][0] if text_of(call, syntax.FUNCTION) == "_[_]" else b""
        return _ENTRIES if _is_map_of_device(of_map) else 1
    return 1


def _is_map_of_device(node: bytes) -> bool:
    fields = fields_of(node)
    return syntax.IDENT in fields and text_of(inner(fields, syntax.IDENT), syntax.NAME) in _MAPS
