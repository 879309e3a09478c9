"""Strict decoding of plain data into one of Go's types: the first wrong type, or else every unknown field (spec: VA15-3)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from cutlist.api.durations import duration_problem
from cutlist.api.kubelet_type import GoType, ListOf, MapOf, Own, Scalar, Struct
from cutlist.core.quantity import is_quantity
from cutlist.core.shapes import join

_QUANTITY_FAULT: Final = (
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"  # apimachinery's
)
_INT32: Final = Scalar("int32", "whole", 32)
_LONGEST: Final = 100  # Go stops counting unknown fields here


class Fault(NamedTuple):
    """A value that Go cannot decode: its place in the object, Go's words, and the statement that describes it."""

    path: str
    message: str
    is_unknown: bool = False
    statement: str = ""


class _Context(NamedTuple):
    """The innermost struct, the fields that lead to a value, and the value's path with the indexes of lists."""

    struct: str
    fields: tuple[str, ...] = ()
    path: str = ""

    def into(self, name: str, struct: str | None = None) -> _Context:
        path = join(self.path, name)
        return _Context(struct or self.struct, (*self.fields, name), path)

    def below(self, part: str) -> _Context:
        """Return the context of an entry: Go's error names the list or map that holds it."""
        return self._replace(path=f"{self.path}{part}")

    def wrong(self, value: str, wanted: str) -> Fault:
        place = f"{self.struct}.{'.'.join(self.fields)}"
        return Fault(self.path, f"json: cannot unmarshal {value} into Go struct field {place} of type {wanted}")


def decoding_faults(of: Struct, value: Mapping[str, Any]) -> list[Fault]:
    """Return the first value of a wrong type; without any, the unknown fields in the order of their names."""
    faults = list(_of_struct(of, value, _Context(of.name)))
    wrong = [fault for fault in faults if not fault.is_unknown]
    return wrong[:1] or faults[:_LONGEST]


def _of_struct(of: Struct, value: Mapping[str, Any], at: _Context) -> Iterator[Fault]:
    for name in sorted(value):
        if name not in of.fields:
            path = at.into(name).path
            yield Fault(path, f"unknown field {json.dumps(path, ensure_ascii=False)}", is_unknown=True)
        else:
            yield from _of_value(of.fields[name], value[name], at.into(name, of.name))


def _of_value(of: GoType, value: Any, at: _Context) -> Iterator[Fault]:
    if value is None:
        return
    match of, value:
        case Struct(), dict():
            yield from _of_struct(of, value, at)
        case MapOf(), dict():
            for key in sorted(value):
                yield from _of_value(of.of, value[key], at.below(f".{key}"))
        case ListOf(), list():
            for index, entry in enumerate(value):
                yield from _of_value(of.of, entry, at.below(f"[{index}]"))
        case Scalar(), _:
            yield from _of_scalar(of, value, at)
        case Own(), _:
            yield from _of_own(of.reads, value, at)
        case _:
            yield at.wrong(_kind(value), of.go)


def _of_scalar(of: Scalar, value: Any, at: _Context) -> Iterator[Fault]:
    kind = _kind(value)
    if of.kind in ("whole", "number") and kind == "number":
        if of.kind == "whole" and not _is_whole(of, value):
            yield at.wrong(f"number {json.dumps(value)}", of.go)
    elif kind != of.kind:
        yield at.wrong(kind, of.go)


def _is_whole(of: Scalar, value: float) -> bool:
    if not isinstance(value, int):
        return False
    low, high = (-(2 ** (of.bits - 1)), 2 ** (of.bits - 1)) if of.signed else (0, 2**of.bits)
    return value in range(low, high)


def _kind(value: Any) -> str:
    match value:
        case bool():
            return "bool"
        case int() | float():
            return "number"
        case str():
            return "string"
        case dict():
            return "object"
    return "array"


def _of_own(reads: str, value: Any, at: _Context) -> Iterator[Fault]:
    if reads == "quantity":
        if isinstance(value, bool | dict | list) or not is_quantity(str(value).strip()):
            yield Fault(at.path, _QUANTITY_FAULT)
    elif reads == "time or duration" and not isinstance(value, str):
        if not isinstance(value, int) or isinstance(value, bool):
            words = json.dumps(json.dumps(value))
            fault = f"json: cannot unmarshal {_kind(value)} into Go value of type time.Duration"
            yield Fault(at.path, f"invalid duration {words}: {fault}")
    elif reads == "number or text":
        if not isinstance(value, str):
            yield from _of_scalar(_INT32, value, at)
    elif not isinstance(value, str):
        yield at.wrong(_kind(value), "string")
    elif reads != "time" and (problem := duration_problem(value)):
        yield Fault(at.path, problem)
