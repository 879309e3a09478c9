"""References to resources among the inputs of a component that another process would make.

Pulumi's mocks read them back into resources in the thread that answers. Its event loop never runs again, so a program that
waits for such a resource does not end. Here references pass through the mocks as text, and the program reads them in its own
loop.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from google.protobuf import struct_pb2

from pulumi_cutlist.private_names import is_reference

_MARK: Final = "\x00reference "


class References:
    """Takes references out of inputs and puts them back into the outputs that repeat these inputs."""

    def __init__(self) -> None:
        self._taken: dict[str, struct_pb2.Struct] = {}

    def take(self, inputs: struct_pb2.Struct) -> None:
        """Put a mark in the place of each reference."""
        for value in _values(inputs):
            if _is_reference(value):
                mark = f"{_MARK}{len(self._taken)}"
                self._taken[mark] = struct_pb2.Struct()
                self._taken[mark].CopyFrom(value.struct_value)
                value.string_value = mark

    def put_back(self, outputs: struct_pb2.Struct) -> None:
        """Put each reference in the place of its mark."""
        for value in _values(outputs):
            if value.string_value in self._taken:
                value.struct_value.CopyFrom(self._taken[value.string_value])


def _values(struct: struct_pb2.Struct) -> Iterator[struct_pb2.Value]:
    """Yield the values of a struct, each before those that it holds."""
    waiting = list(struct.fields.values())
    while waiting:
        value = waiting.pop()
        yield value
        waiting += value.struct_value.fields.values() if value.HasField("struct_value") else ()
        waiting += value.list_value.values if value.HasField("list_value") else ()


def _is_reference(value: struct_pb2.Value) -> bool:
    return value.HasField("struct_value") and is_reference(value.struct_value)
