"""The least that the API server counts as the cost of an expression in CEL (W-87).

The server multiplies the cost of a loop's body by the number of items that it may have, and refuses what may cost too much.
Here, items count where their number is known: literal lists, the maps of a device, and what is made of them. Texts cost
nothing, so an expression that is refused for the length of its texts alone is accepted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

MOST: Final = 1_000_000
"""The cost that the API server allows for an expression."""

_ENTRIES: Final = 32  # of a map of attributes or capacities
_LIST: Final = 10
_MAP: Final = 30
_FREE: Final = frozenset({"_&&_", "_||_", "@not_strictly_false"})
_MAPS: Final = frozenset({"device.attributes", "device.capacity"})

# Numbers of the fields of a checked expression in its serialized form (https://github.com/google/cel-spec, proto/cel/expr).
_VALUE_OF_ANY: Final = 2
_EXPRESSION: Final = 4
_IDENT: Final = 4
_SELECT: Final = 5
_CALL: Final = 6
_CREATE_LIST: Final = 7
_CREATE_MAP: Final = 8
_COMPREHENSION: Final = 9
_NAME: Final = 1
_OPERAND: Final = 1
_TARGET, _FUNCTION, _ARGUMENTS = 1, 2, 3
_ELEMENTS: Final = 1
_ITEMS: Final = 2
_KEY, _VALUE = 3, 4
_RANGE, _ACCUMULATOR, _START, _CONDITION, _STEP, _RESULT = 2, 3, 4, 5, 6, 7

Fields = Mapping[int, tuple[bytes, ...]]
Sizes = Mapping[str, int]


def least_cost(serialized: bytes) -> int:
    """Return the least cost of a compiled expression, from its serialized form."""
    (checked,) = _fields(serialized)[_VALUE_OF_ANY]
    (expression,) = _fields(checked)[_EXPRESSION]
    return _cost(expression, {})


def _cost(node: bytes, sizes: Sizes) -> int:
    fields = _fields(node)
    if _IDENT in fields:
        return 1 + _text(_inner(fields, _IDENT), _NAME).count(".")
    if _SELECT in fields:
        return _cost_of(_inner(fields, _SELECT), (_OPERAND,), sizes)
    if _CALL in fields:
        return _cost_of_call(_inner(fields, _CALL), sizes)
    if _CREATE_LIST in fields:
        return _LIST + _cost_of(_inner(fields, _CREATE_LIST), (_ELEMENTS,), sizes)
    if _CREATE_MAP in fields:
        entries = map(_fields, _inner(fields, _CREATE_MAP).get(_ITEMS, ()))
        return _MAP + sum(_cost_of(entry, (_KEY, _VALUE), sizes) for entry in entries)
    if _COMPREHENSION in fields:
        return _cost_of_comprehension(_inner(fields, _COMPREHENSION), sizes)
    return 0


def _cost_of(parts: Fields, numbers: Iterable[int], sizes: Sizes) -> int:
    """Return the cost of some parts of an expression together."""
    return sum(_cost(node, sizes) for number in numbers for node in parts.get(number, ()))


def _cost_of_call(call: Fields, sizes: Sizes) -> int:
    function = _text(call, _FUNCTION)
    if function == "_?_:_":
        condition, *branches = (_cost(node, sizes) for node in call[_ARGUMENTS])
        return condition + max(branches)
    return _cost_of(call, (_TARGET, _ARGUMENTS), sizes) + (function not in _FREE)


def _cost_of_comprehension(loop: Fields, sizes: Sizes) -> int:
    """Return the cost of a loop over items; a bound variable is one over no items."""
    inner = {**sizes, _text(loop, _ACCUMULATOR): _size(loop[_START][0], sizes)}
    body = _cost_of(loop, (_CONDITION, _STEP), inner)
    return _cost_of(loop, (_RANGE, _START), sizes) + _size(loop[_RANGE][0], sizes) * body + _cost_of(loop, (_RESULT,), inner)


def _size(node: bytes, sizes: Sizes) -> int:
    """Return how many items an expression may have; 1 where that is not known."""
    fields = _fields(node)
    if _CREATE_LIST in fields:
        return len(_inner(fields, _CREATE_LIST).get(_ELEMENTS, ()))
    if _CREATE_MAP in fields:
        return len(_inner(fields, _CREATE_MAP).get(_ITEMS, ()))
    if _COMPREHENSION in fields:
        loop = _inner(fields, _COMPREHENSION)
        makes_list = _CREATE_LIST in _fields(loop[_START][0])
        return _size(loop[_RANGE][0], sizes) if makes_list else 1
    if _IDENT in fields:
        name = _text(_inner(fields, _IDENT), _NAME)
        return _ENTRIES if name in _MAPS else sizes.get(name, 1)
    if _CALL in fields:
        call = _inner(fields, _CALL)
        of_map = call[_ARGUMENTS][0] if _text(call, _FUNCTION) == "_[_]" else b""
        return _ENTRIES if _is_map_of_device(of_map) else 1
    return 1


def _is_map_of_device(node: bytes) -> bool:
    fields = _fields(node)
    return _IDENT in fields and _text(_inner(fields, _IDENT), _NAME) in _MAPS


def _inner(fields: Fields, number: int) -> Fields:
    return _fields(fields[number][0])


def _text(fields: Fields, number: int) -> str:
    return b"".join(fields.get(number, ())[:1]).decode()


def _fields(message: bytes) -> Fields:
    """Return the texts and messages in a serialized message by their number; numbers are left out."""
    found: dict[int, tuple[bytes, ...]] = {}
    position = 0
    while position < len(message):
        tag, position = _number(message, position)
        kind = tag & 7
        if kind == 2:  # a length, and as many bytes
            length, position = _number(message, position)
            found[tag >> 3] = (*found.get(tag >> 3, ()), message[position : position + length])
            position += length
        elif kind == 0:  # a number in as many bytes as it needs
            _, position = _number(message, position)
        else:  # a number of 64 or of 32 bits
            position += 8 if kind == 1 else 4
    return found


def _number(message: bytes, position: int) -> tuple[int, int]:
    """Return the number at a position, and the position after it."""
    number = shift = 0
    while True:
        byte = message[position]
        position += 1
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return number, position
