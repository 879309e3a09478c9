"""Every private name of Pulumi's SDK and of Python that Cutlist uses, with the reason why no public one does.

`tests/infrastructure/test_private_names.py` says in plain words what a release has changed.
"""

from __future__ import annotations

import asyncio
import atexit
import pickle
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import UnionType
from typing import Any, Final, Union, get_args, get_origin

import pulumi
from google.protobuf import struct_pb2
from pulumi import _types
from pulumi.runtime import rpc
from pulumi.runtime._callbacks import _CallbackServicer
from pulumi.runtime.sync_await import _sync_await

_SECONDS: Final = 60  # for one function of a program
_DEPTH: Final = 6  # of the members of a function's result
_SIMPLE: Final[Mapping[Any, str]] = {str: "string", int: "number", float: "number", bool: "boolean"}


class Callbacks(_CallbackServicer):
    """What keeps a program's transforms and hooks for the monitor in the same process.

    Only Pulumi's own class gives a program's functions the form in which an engine calls them, and its constructor starts a
    server for an engine. This one has its attributes without the server.
    """

    def __init__(self, monitor: Any) -> None:
        self._callbacks = {}
        self._transforms = {}
        self._state_migrations = {}
        self._monitor = monitor
        self._target = ""

    def register_transform(self, transform: Any) -> Any:
        """Return the reference to a transform, which is run in the event loop that it was declared in."""
        self._loop = asyncio.get_running_loop()
        return super().register_transform(transform)

    def invoke(self, token: str, content: bytes) -> bytes:
        """Call a function of the program back from a thread beside its event loop."""
        called: Any = self._callbacks[token](content)
        answer = asyncio.run_coroutine_threadsafe(called, self._loop).result(_SECONDS)
        return bytes(answer.SerializeToString())


def is_reference(struct: struct_pb2.Struct) -> bool:
    """Tell whether a struct stands for a resource. The keys by which the SDK marks structs have no public name."""
    return (
        rpc._special_sig_key in struct.fields and struct.fields[rpc._special_sig_key].string_value == rpc._special_resource_sig
    )


def may_have_references(struct: struct_pb2.Struct) -> bool:
    """Tell, faster than to look at each value, whether anything in a struct may stand for a resource."""
    return rpc._special_resource_sig.encode() in struct.SerializeToString()


@contextmanager
def pickler_restored() -> Iterator[None]:
    """Take back what Pulumi does to Python's pickler when it serializes a provider: each time it wraps the method that writes
    dictionaries again, and after some 400 resources in a process nothing can be pickled (pulumi 3.238)."""
    pickler: Any = pickle._Pickler
    methods = pickler._batch_setitems, pickler.save_dict
    try:
        yield
    finally:
        pickler._batch_setitems, pickler.save_dict = methods


def forget_exit_functions() -> None:
    """Forget what the process that forked this one wanted to do at its end. Python lets one only take back functions that one
    knows."""
    atexit._clear()


def end_as_python_does() -> None:
    """Wait for threads and run exit functions, as Python does at the end of a program. In a process that has been forked it
    leaves the second out, and to end the process itself would run the ends of the other process's objects."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()


def result_shape(type_: type | None) -> Any:
    """Return the shape of what a provider's function returns, by the type that its SDK has for it: `string`, `number`,
    `boolean`, `any`, a list with the shape of its items, a mapping of members by wire name; a map of names has the member `*`.
    Pulumi has no public name for the wire names of a type's members."""
    return "any" if type_ is None else _shape(type_, _DEPTH)


def _shape(hint: Any, depth: int) -> Any:
    if hint in _SIMPLE:
        return _SIMPLE[hint]
    if depth and isinstance(hint, type) and _types.is_output_type(hint):
        return {name: _shape(inner, depth - 1) for name, inner in _types.output_type_types(hint).items()}
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _shape(next((inner for inner in arguments if inner is not type(None)), None), depth)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"*": _shape(arguments[-1], depth)}
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return [_shape(arguments[0], depth)]
    return "any"


def input_names(type_: type) -> list[str]:
    """Return the names of a resource's inputs on the wire, by the class that its SDK has for them, which has no public name for
    them."""
    return list(_types.input_type_types(type_))


def output_names(type_: type) -> list[str]:
    """Return the names of a resource's outputs on the wire."""
    return list(_types.resource_types(type_))


def plain_where_known(value: Any) -> Any:
    """Return data with plain values for the outputs in it that are known, are not secret and depend on no resource, as an
    engine gives inputs to the process that makes a component. Waiting for an output outside a coroutine has no public name."""
    if isinstance(value, Mapping):
        return {key: plain_where_known(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [plain_where_known(inner) for inner in value]
    if not isinstance(value, pulumi.Output):
        return value
    waited: Any = _sync_await
    if waited(value.resources()) or waited(value.is_secret()) or not waited(value.is_known()):
        return value
    return waited(value.future())
