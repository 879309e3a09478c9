"""Every private name of Pulumi's SDK and of Python that Cutlist uses, with the reason why no public one does.

`tests/infrastructure/test_private_names.py` says in plain words what a release has changed.
"""

from __future__ import annotations

import asyncio
import atexit
import pickle
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from google.protobuf import struct_pb2
from pulumi.runtime import rpc
from pulumi.runtime._callbacks import _CallbackServicer

_SECONDS: Final = 60  # for one function of a program


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
