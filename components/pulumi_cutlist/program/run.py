"""Runs a program in its own process, and records here what it registers there (docs/decisions/own-process.md).

The program's process sends each registration as Pulumi's SDK makes it, and waits for the answer. Files of plans are read and
plans are made in this process, so that nothing which the program does to its own changes what is recorded, planned or judged.
There is an answer only for a program that has run to its end.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import selectors
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO, Any, Final

from google.protobuf.message import DecodeError
from pulumi.runtime.proto import engine_pb2, resource_pb2

from cutlist.core.errors import CutlistError, InputError, Problem, UnfinishedError
from cutlist.core.records import data_of, read
from cutlist.core.secrecy import Secrets, secret_texts
from cutlist.settings import stack
from pulumi_cutlist.errors import DamagedStreamError
from pulumi_cutlist.lookups.answers import Answers, Asked
from pulumi_cutlist.lookups.context import Context
from pulumi_cutlist.lookups.question import Question
from pulumi_cutlist.node_plans.made import MadePlan
from pulumi_cutlist.node_plans.request import PlanAnswer, PlanRequest
from pulumi_cutlist.plan import planned_answer
from pulumi_cutlist.program.child import run_child
from pulumi_cutlist.program.failure import Failure
from pulumi_cutlist.program.offline import Program, urn_of
from pulumi_cutlist.program.stream import Frame, FrameKind, Frames
from pulumi_cutlist.recorded.policy_resources import marked_texts
from pulumi_cutlist.recorded.recording import NODE_PLAN, STACK, Log, Recording

AsksAccount = Callable[[Context], Asked]
"""Makes what asks an account, for a program that runs with this."""
TIME_LIMIT: Final = 300.0
"""Seconds that a program may take, without those for its plans."""
_TICK: Final = 0.2
_LAST_TICK: Final = 0.005
_GRACE: Final = 1.0
"""Seconds for a program that has failed to end by itself."""
_PIECE: Final = 1 << 16
_PIECES: Final = 16
"""More than a pipe or a socket holds."""
_KILLED: Final = -signal.SIGKILL
_BEFORE_THE_END: Final = "before all its resources were known"
_DAMAGED: Final = "what the program sends is not a registration"
_START: Final = "fork" if sys.platform == "linux" else "spawn"


@dataclass(slots=True)
class _Registrar:
    """What a program's process has sent, and the answers to it."""

    program: Program
    recording: Recording = field(default_factory=Recording)
    made: list[MadePlan] = field(default_factory=list)
    answers: dict[str, list[PlanAnswer]] = field(default_factory=dict)
    ends: int = 0
    failure: Failure | None = None

    def answer(self, frame: Frame) -> Frame:
        """Return the answer to a frame. Raises DamagedStreamError for one that no program sends."""
        # The SDK sends the end once everything was answered, so only a failure can follow it. Anything else is not the SDK's.
        if self.ends and frame.kind is not FrameKind.FAILED:
            again = "a second time" if frame.kind is FrameKind.END else "and then goes on"
            raise DamagedStreamError(f"the program ends {again}")
        try:
            return Frame(FrameKind.ACCEPTED, self._taken(frame.kind, frame.content))
        except DamagedStreamError:
            raise
        # Only what reading untrusted bytes raises. Any other exception is a mistake in this package, and must not pass for one
        # of the program.
        except (DecodeError, UnicodeDecodeError, RecursionError, json.JSONDecodeError, KeyError, TypeError) as error:
            raise DamagedStreamError(_DAMAGED) from error
        except CutlistError as error:
            return Frame(FrameKind.REFUSED, str(error).encode())

    def _taken(self, kind: FrameKind, content: bytes) -> bytes:
        match kind:
            case FrameKind.REGISTER:
                request = resource_pb2.RegisterResourceRequest.FromString(content)
                urn = urn_of(self.program.project, self.program.stack, request.parent, request.type, request.name)
                self.recording.register(urn, request)
            case FrameKind.OUTPUTS:
                self.recording.register_outputs(resource_pb2.RegisterResourceOutputsRequest.FromString(content))
            case FrameKind.HOOK:
                self.recording.register_hook(resource_pb2.RegisterResourceHookRequest.FromString(content))
            case FrameKind.LOG:
                self.recording.log(engine_pb2.LogRequest.FromString(content))
            case FrameKind.LOOK_UP:
                return self._looked_up(json.loads(content))
            case FrameKind.READ:
                self._read(json.loads(content))
            case FrameKind.PLAN:
                return self._planned(json.loads(content))
            case FrameKind.END:
                self.ends += 1
            case FrameKind.FAILED:
                self.failure = self._failed(json.loads(content)).without(self._secrets())
            case _:
                raise DamagedStreamError(_DAMAGED)
        return b""

    def _secrets(self) -> Secrets:
        """Return the secret values of the configuration, by its names, and what the program has marked so far."""
        marked = (text for resource in self.recording.resources.values() for text in marked_texts(resource.inputs))
        return Secrets.of((*secret_texts(self.program.config), *marked))

    @staticmethod
    def _failed(raw: Any) -> Failure:
        try:
            return read(Failure, raw, "a failure")
        except InputError as error:
            raise DamagedStreamError(_DAMAGED) from error

    def _looked_up(self, raw: Any) -> bytes:
        question = read(Question, raw, "a look-up")
        look_up = self.recording.look_up(replace(question, file=_shown_path(question.file)))
        return b"" if look_up is None else json.dumps(data_of(look_up)).encode()

    def _read(self, raw: Any) -> None:
        number = raw["number"]
        if not isinstance(number, int) or not 0 < number <= len(self.recording.book.look_ups):
            raise DamagedStreamError(_DAMAGED)
        self.recording.read(str(raw["urn"]), self.recording.book.look_ups[number - 1])

    def _planned(self, raw: Any) -> bytes:
        request = read(PlanRequest, raw["request"], "the request of a plan")
        inputs = request.read()
        with contextlib.chdir(request.folder):
            plan, answer = planned_answer(inputs, request.baseline)
        self.made.append(MadePlan(str(raw["name"]), request, inputs, plan))
        self.answers.setdefault(str(raw["name"]), []).append(answer)
        return json.dumps(data_of(answer)).encode()

    def missing(self, code: int) -> str:
        """Return why the program is not known to its end, by the exit code of its process; empty if it is."""
        if code < 0:
            return f"the program was ended by signal {_signal(-code)}, {_BEFORE_THE_END}"
        if code or not self.ends:
            return f"the program ended its process with exit code {code}, {_BEFORE_THE_END}"
        stacks = [r for r in self.recording.resources.values() if r.type == STACK]
        if len(stacks) != 1 or stacks[0].urn not in self.recording.outputs:
            return f"the program ended, {_BEFORE_THE_END}: it has not registered one stack with its outputs"
        for resource in self.recording.of_type(NODE_PLAN):
            if not any(_holds(resource.inputs, answer.registered) for answer in self.answers.get(resource.name, ())):
                return f"NodePlan/{resource.name} is registered with figures that are not those of its plan"
        return ""


def run_program(
    program: Program, known: tuple[Problem, ...], time_limit: float = TIME_LIMIT, asks: AsksAccount | None = None
) -> tuple[Recording, tuple[MadePlan, ...]]:
    """Return what a program registers in a preview, and the plans of its NodePlans, with what each was made from.

    `known` is what is wrong with its configuration. Raises UnfinishedError for a program that is not known to its end: it ended
    early, or takes longer than `time_limit`, in seconds; and for one that failed, the error of `Failure.error`. `asks` returns
    what asks an account for what the program looks up; without it, look-ups are answered offline.
    """
    program = replace(program, asks_account=asks is not None)
    registrar = _Registrar(program)
    context = program.context(registrar.recording.provider_inputs)
    registrar.recording.book.answers = Answers(context, program.written, None if asks is None else asks(context))
    with _started(program) as process:
        try:
            code = process.serve(registrar, time_limit)
        except DamagedStreamError as damage:
            raise UnfinishedError(f"{damage}: its other resources are unknown") from damage
    if registrar.failure is not None:
        raise registrar.failure.after(registrar.recording.book.standing).error(known)
    missing = registrar.missing(code)
    if missing:
        raise UnfinishedError(missing)
    if known:
        raise InputError(known)
    registrar.recording.logs += [Log("warning", text) for text in registrar.recording.book.unasked]
    return registrar.recording, tuple(registrar.made)


@dataclass(slots=True)
class _Process:
    """The running process of a program, its stream, and what it prints."""

    process: Any
    stream: socket.socket
    output: Connection
    errors: Connection
    frames: Frames = field(default_factory=Frames)

    def serve(self, registrar: _Registrar, time_limit: float) -> int:
        """Answer the process until it ends, and show what it prints meanwhile; return its exit code."""
        with selectors.DefaultSelector() as selector:
            for source in (self.stream, self.output, self.errors):
                os.set_blocking(source.fileno(), False)
                selector.register(source, selectors.EVENT_READ)
            left = time_limit
            while self.process.exitcode is None and (left > 0 or registrar.failure is None):
                if left <= 0:
                    raise DamagedStreamError(f"the program runs for more than {time_limit:g} s ({stack.TIME_LIMIT.flag})")
                # Only waiting counts against the limit. Plans are made between two waits, in this process.
                began = time.monotonic()
                # The end of a process is not an event of a selector, so the wait is short once it is expected.
                events = selector.select(_LAST_TICK if registrar.ends or registrar.failure else _TICK)
                left -= time.monotonic() - began
                for key, _ in events:
                    if not self._took(key.fileobj, registrar):
                        selector.unregister(key.fileobj)
                if registrar.failure is not None:
                    left = min(left, _GRACE)
            for source in (self.stream, self.output, self.errors):
                self._drain(source, registrar)
        return _KILLED if self.process.exitcode is None else int(self.process.exitcode)

    def _drain(self, source: Any, registrar: _Registrar) -> None:
        """Take what the process has sent or printed and no more, since processes that it has started may still write."""
        for _ in range(_PIECES):
            if not self._took(source, registrar):
                break

    def _took(self, source: Any, registrar: _Registrar) -> bool:
        """Take the next piece of what the process sends or prints; return whether there was one."""
        try:
            piece = os.read(source.fileno(), _PIECE)
        except (BlockingIOError, ConnectionError):
            return False
        if source is self.stream:
            for frame in self.frames.add(piece):
                self._send(registrar.answer(frame))
        elif piece:
            _show(piece, sys.stdout if source is self.output else sys.stderr)
        return bool(piece)

    def _send(self, answer: Frame) -> None:
        """Send an answer. A process that has ended, or that does not read, does not get it."""
        # A program that does not read must not hold up the process that judges it.
        self.stream.settimeout(5)
        with contextlib.suppress(OSError):
            self.stream.sendall(answer.encoded())
        self.stream.setblocking(False)

    def end(self) -> None:
        """End the process and all that it has started, as far as that has not left its group."""
        if self.process.exitcode is None:
            self.process.kill()
        # The program's process leads a group of its own (`child`), so this reaches what it has started.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.join()
        for source in (self.stream, self.output, self.errors):
            source.close()


@contextlib.contextmanager
def _started(program: Program) -> Iterator[_Process]:
    """Yield the process of a program; afterwards it has ended."""
    context: Any = multiprocessing.get_context(_START)
    stream, far_stream = socket.socketpair()
    (output, far_output), (errors, far_errors) = context.Pipe(duplex=False), context.Pipe(duplex=False)
    child = context.Process(target=run_child, args=(program, far_stream, far_output, far_errors))
    child.start()
    # As long as this process has the far ends open too, it would not see that the other has closed them.
    for far in (far_stream, far_output, far_errors):
        far.close()
    process = _Process(child, stream, output, errors)
    try:
        yield process
    finally:
        process.end()


def _shown_path(file: str) -> str:
    """Return a file of the program relative to the working directory where it is below it."""
    path, here = Path(file), Path.cwd()
    return str(path.relative_to(here)) if file and path.is_relative_to(here) else file


def _show(piece: bytes, file: IO[str]) -> None:
    """Write what a program prints, unchanged."""
    file.flush()
    buffer = getattr(file, "buffer", None)
    if buffer is None:
        file.write(piece.decode(errors="replace"))
    else:
        buffer.write(piece)
        buffer.flush()


def _holds(registered: Any, planned: Any) -> bool:
    """Tell whether registered data has every member of planned data; members with the value None are left out on the wire."""
    if isinstance(planned, Mapping):
        if not isinstance(registered, Mapping):
            return False
        return all(value is None or _holds(registered.get(key), value) for key, value in planned.items())
    if isinstance(planned, list | tuple):
        is_list = isinstance(registered, list | tuple) and len(registered) == len(planned)
        return is_list and all(map(_holds, registered, planned))
    return bool(registered == planned)


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)
