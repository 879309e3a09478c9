"""The process of a program: runs it and sends what it registers to the process that started it, which judges.

Nothing here is trusted by the other side: the program shares this process and may change any of it.
"""

from __future__ import annotations

import contextlib
import gc
import json
import multiprocessing
import os
import signal
import socket
import sys
import threading
from collections.abc import Mapping
from datetime import date
from multiprocessing.connection import Connection
from typing import Any, Final

from pulumi.runtime.proto import engine_pb2, resource_pb2

from cutlist.core.errors import CutlistError
from cutlist.core.records import data_of, read
from pulumi_cutlist.errors import DamagedStreamError, DuplicateUrnError, RefusedError
from pulumi_cutlist.lookups.book import LookUp
from pulumi_cutlist.lookups.question import Question
from pulumi_cutlist.node_plans.request import PlanAnswer, PlanRequest
from pulumi_cutlist.private_names import end_as_python_does, forget_exit_functions
from pulumi_cutlist.program.failure import Failure
from pulumi_cutlist.program.offline import Mode, Program
from pulumi_cutlist.program.stream import Frame, FrameKind, answer_to

_OUTPUT: Final = 1
_ERRORS: Final = 2
_FAILED: Final = 1


class FarRecorder:
    """A recorder in another process: each call waits for the answer there."""

    def __init__(self, stream: socket.socket) -> None:
        self._stream: Final = stream
        self._lock: Final = threading.Lock()
        self._process: Final = os.getpid()

    def register(self, urn: str, request: resource_pb2.RegisterResourceRequest) -> None:
        """Send a resource; its URN is found again on the other side. Raises DuplicateUrnError if that already exists there."""
        try:
            self._send(FrameKind.REGISTER, request.SerializeToString())
        except RefusedError:
            raise DuplicateUrnError.of(urn) from None

    def register_outputs(self, request: resource_pb2.RegisterResourceOutputsRequest) -> None:
        """Send the outputs of a component or of the stack."""
        self._send(FrameKind.OUTPUTS, request.SerializeToString())

    def register_hook(self, request: resource_pb2.RegisterResourceHookRequest) -> None:
        """Send a hook."""
        self._send(FrameKind.HOOK, request.SerializeToString())

    def log(self, request: engine_pb2.LogRequest) -> None:
        """Send a message, unless it is for debugging."""
        if request.severity != engine_pb2.DEBUG:
            self._send(FrameKind.LOG, request.SerializeToString())

    def end(self) -> None:
        """Send that everything is registered."""
        self._send(FrameKind.END)

    def look_up(self, question: Question) -> LookUp | None:
        """Return a look-up with the answer of the other side."""
        content = self._send(FrameKind.LOOK_UP, json.dumps(data_of(question), default=_plain).encode())
        return read(LookUp, json.loads(content), "a look-up") if content else None

    def read(self, urn: str, look_up: LookUp) -> None:
        """Send which resource a look-up has read."""
        self._send(FrameKind.READ, json.dumps({"urn": urn, "number": look_up.number}).encode())

    def plan(self, name: str, request: PlanRequest | None) -> PlanAnswer:
        """Return the plan of the other side, which reads the files itself. Raises CutlistError where it cannot."""
        if request is None:
            text = f"NodePlan {name} has inputs made in the program, which manifests and files do not fully describe"
            raise CutlistError(f"{text}; give it sources or manifests instead")
        content = json.dumps({"name": name, "request": data_of(request)}, default=_plain)
        return read(PlanAnswer, json.loads(self._send(FrameKind.PLAN, content.encode())), "a plan")

    def fail(self, failure: Failure) -> None:
        """Send how the program failed."""
        self._send(FrameKind.FAILED, json.dumps(data_of(failure)).encode())

    @property
    def is_own(self) -> bool:
        """Tell whether this is the process that was started for the program, not one that the program has forked."""
        return os.getpid() == self._process

    def _send(self, kind: FrameKind, content: bytes = b"") -> bytes:
        if not self.is_own:
            raise CutlistError("a process that the program has forked cannot register anything: the program itself does")
        with self._lock:
            answer = answer_to(self._stream, Frame(kind, content))
        if answer.kind is FrameKind.REFUSED:
            raise RefusedError(answer.content.decode())
        return answer.content


def run_child(program: Program, stream: socket.socket, output: Connection, errors: Connection) -> None:
    """Run a program as in a preview, with what it prints to two pipes. It ends the process: with 1 once it has said why."""
    _detach(stream, output, errors)
    sys.argv = [str(program.path)]
    recorder = FarRecorder(stream)
    folder = os.getcwd()

    def heard(error: BaseException) -> None:
        with contextlib.chdir(folder), contextlib.suppress(OSError, DamagedStreamError):
            recorder.fail(Failure.of(error, program.path))

    code = 0
    try:
        program.run_for(recorder, Mode.PREVIEW, heard=heard)
    except BaseException:
        code = _FAILED
    # A process that the program has forked comes back here as well, and must not end as if it were the program.
    if not recorder.is_own:
        os._exit(_FAILED)
    # An interpreter ends in this order. What it would do after it concerns objects of the process that forked this one.
    end_as_python_does()
    for file in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            file.flush()
    os._exit(code)


def _detach(stream: socket.socket, output: Connection, errors: Connection) -> None:
    """Detach the forked process from the terminal, the files and the handlers of the one that forked it."""
    parent = multiprocessing.parent_process()
    if parent is None:
        raise CutlistError("a program runs in its own process")
    # What the other process left behind may be a server or a thread, which to collect would mean to wait for: none runs here.
    gc.freeze()
    # A group of its own can be ended as a whole, and has no terminal.
    os.setsid()
    # Handlers that the other process has registered are for its own end.
    forget_exit_functions()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    encoding, problems = sys.stdout.encoding, sys.stdout.errors
    nothing = os.open(os.devnull, os.O_RDONLY)
    for number, descriptor in ((0, nothing), (_OUTPUT, output.fileno()), (_ERRORS, errors.fileno())):
        os.dup2(descriptor, number)
    if multiprocessing.get_start_method(allow_none=True) != "spawn":
        _empty_all_but({0, _OUTPUT, _ERRORS, stream.fileno(), int(parent.sentinel)}, nothing)
    sys.stdin = open(0, encoding=encoding, closefd=False)  # noqa: SIM115 - for as long as the process lives
    sys.stdout = open(_OUTPUT, "w", encoding=encoding, errors=problems, closefd=False)  # noqa: SIM115
    sys.stderr = open(_ERRORS, "w", encoding=encoding, errors="backslashreplace", closefd=False)  # noqa: SIM115
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _empty_all_but(kept: set[int], nothing: int) -> None:
    """Replace all open files but some with the null device. They are not closed: objects that the other process left behind,
    such as a socket or the loop of an earlier run, close their numbers when they are collected, and those would be of this
    process's own files by then.
    """
    for number in map(int, os.listdir("/dev/fd")):
        with contextlib.suppress(OSError):
            os.fstat(number)
            if number not in kept:
                os.dup2(nothing, number)


def _end_with(parent: Any) -> None:
    """End this process, and what it has started, when the one that started it ends without having done so."""
    parent.join()
    os.killpg(0, signal.SIGKILL)


def _plain(value: object) -> Any:
    """Return a value of a manifest that JSON has no form for as YAML would have it."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is not a value of a manifest")
