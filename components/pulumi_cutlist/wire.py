"""Data that went over the wire between a program and an engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from google.protobuf import json_format, struct_pb2
from pulumi.runtime import rpc

from pulumi_cutlist.private_names import is_reference, may_have_references


def with_whole_numbers(value: Any) -> Any:
    """Return the same data with 10 for 10.0: the wire knows floats alone, and Kubernetes wants integers where it says so."""
    if isinstance(value, Mapping):
        return {key: with_whole_numbers(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [with_whole_numbers(inner) for inner in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def plain_data(struct: struct_pb2.Struct) -> dict[str, Any]:
    """Return the data of a message as it is, with markers of the protocol."""
    return dict(json_format.MessageToDict(struct))


def struct_of(data: Mapping[str, Any]) -> struct_pb2.Struct:
    """Return plain data as a message."""
    return json_format.ParseDict(dict(data), struct_pb2.Struct())


def with_ids(struct: struct_pb2.Struct) -> struct_pb2.Struct:
    """Return a message with the ids of resources in place of references to them, or URNs where there is no id.

    The SDK makes an object of each whose package this process has imported, which only a program that runs can do.
    """
    if not may_have_references(struct):
        return struct
    copied = struct_pb2.Struct()
    copied.CopyFrom(struct)
    for value in copied.fields.values():
        _replace_references(value)
    return copied


def _replace_references(value: struct_pb2.Value) -> None:
    kind = value.WhichOneof("kind")
    if kind == "list_value":
        for inner in value.list_value.values:
            _replace_references(inner)
    elif kind == "struct_value" and is_reference(value.struct_value):
        fields = value.struct_value.fields
        value.string_value = fields["id"].string_value or rpc.UNKNOWN if "id" in fields else fields["urn"].string_value
    elif kind == "struct_value":
        for inner in value.struct_value.fields.values():
            _replace_references(inner)


def texts_in(value: struct_pb2.Value) -> Iterator[struct_pb2.Value]:
    """Yield the texts in a value, each as the value that holds it."""
    kind = value.WhichOneof("kind")
    if kind == "string_value":
        yield value
    elif kind == "struct_value":
        for inner in value.struct_value.fields.values():
            yield from texts_in(inner)
    elif kind == "list_value":
        for inner in value.list_value.values:
            yield from texts_in(inner)


def has_unknown(struct: struct_pb2.Struct) -> bool:
    """Tell whether a message has an unknown value anywhere."""
    return any(is_unknown(value) for value in struct.fields.values())


def is_unknown(value: struct_pb2.Value) -> bool:
    """Tell whether a value is unknown, or has an unknown part."""
    return any(text.string_value == rpc.UNKNOWN for text in texts_in(value))
