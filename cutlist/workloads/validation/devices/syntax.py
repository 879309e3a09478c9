"""The syntax tree of a compiled expression in CEL, read from its serialized form.

Numbers are those of the fields in https://github.com/google/cel-spec, proto/cel/expr.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

_VALUE_OF_ANY: Final = 2
_EXPRESSION: Final = 4
IDENT: Final = 4
SELECT: Final = 5
CALL: Final = 6
CREATE_LIST: Final = 7
CREATE_MAP: Final = 8
COMPREHENSION: Final = 9
NAME: Final = 1
OPERAND: Final = 1
TARGET, FUNCTION, ARGUMENTS = 1, 2, 3
ELEMENTS: Final = 1
ITEMS: Final = 2
KEY, VALUE = 3, 4
RANGE, ACCUMULATOR, START, CONDITION, STEP, RESULT = 2, 3, 4, 5, 6, 7

_PARTS: Final[Mapping[int, tuple[int, ...]]] = {
    SELECT: (OPERAND,),
    CALL: (TARGET, ARGUMENTS),
    CREATE_LIST: (ELEMENTS,),
    COMPREHENSION: (RANGE, START, CONDITION, STEP, RESULT),
}

Fields = Mapping[int, tuple[bytes, ...]]


def expression_in(serialized: bytes) -> bytes:
    """Return the root of an expression's tree."""
    (checked,) = fields_of(serialized)[_VALUE_OF_ANY]
    (expression,) = fields_of(checked)[_EXPRESSION]
    return expression


def parts_of(node: bytes) -> Iterator[bytes]:
    """Yield a node and all nodes below it."""
    yield node
    fields = fields_of(node)
    for kind, numbers in _PARTS.items():
        if kind in fields:
            yield from (below for number in numbers for part in inner(fields, kind).get(number, ()) for below in parts_of(part))
    if CREATE_MAP in fields:
        for entry in map(fields_of, inner(fields, CREATE_MAP).get(ITEMS, ())):
            yield from (below for number in (KEY, VALUE) for part in entry.get(number, ()) for below in parts_of(part))


def inner(fields: Fields, number: int) -> Fields:
    """Return the fields of the first message with a number."""
    return fields_of(fields[number][0])


def text_of(fields: Fields, number: int) -> str:
    """Return the first text with a number, or an empty one."""
    return b"".join(fields.get(number, ())[:1]).decode()


def fields_of(message: bytes) -> Fields:
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
