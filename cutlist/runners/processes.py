"""Jobs in several processes of this machine."""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from multiprocessing.connection import Connection, wait
from typing import Any, Final, cast

from cutlist.runners.in_process import Member
from cutlist.runners.packing import MayGoOn, PackedTeam, packed, packed_member, packed_outcome, unpacked
from cutlist.runners.runner import TRIES, Failure, JobOutcome, S, V

_MOMENT: Final = 0.1
"""How many seconds pass between two checks of whether work may go on."""
_START: Final = "spawn"
"""Processes begin empty: a forked one would inherit locks of threads that it does not have."""


@dataclass(frozen=True, slots=True)
class _Order:
    """A job for a process: the numbers of the team whose state it needs, of the run that waits for it, and of the job.

    `what` is the work and the job, packed.
    """

    team: int
    run: int
    number: int
    what: bytes


@dataclass(slots=True)
class _Process:
    """A process and the pipe to it, which is written to only while the process is idle, so neither waits for the other."""

    process: Any
    line: Connection
    teams: set[int] = field(default_factory=set)
    order: _Order | None = None

    @staticmethod
    def started() -> _Process:
        """Return a new process. From its first moment on, Ctrl-C only reaches the process that starts it."""
        context: Any = multiprocessing.get_context(_START)
        line, far = context.Pipe()
        process = context.Process(target=_serve, args=(far,), daemon=True)
        with _interrupts_held():
            process.start()
        far.close()
        return _Process(process, line)

    def give(self, order: _Order, state: bytes, ended: Set[int]) -> None:
        """Send a job, and first the state that it needs, unless that was sent before; states of ended teams are dropped."""
        self.order = order
        with suppress(OSError):  # an ended process is noticed when its answer is read
            for team in self.teams & ended:
                self.line.send_bytes(packed((team, None, None)))
                self.teams.discard(team)
            if order.team not in self.teams:
                self.line.send_bytes(packed((order.team, None, state)))
                self.teams.add(order.team)
            self.line.send_bytes(packed((order.team, order.number, order.what)))

    def answer(self) -> JobOutcome[Any] | None:
        """Return the outcome of its job, or None if the process has ended."""
        try:
            outcome: JobOutcome[Any] = unpacked(self.line.recv_bytes())
        except (EOFError, OSError):
            return None
        self.order = None
        return outcome

    def end(self) -> None:
        """Kill the process, even while it has a job."""
        self.process.kill()
        self.process.join()
        self.line.close()


class Processes:
    """Runs jobs in a number of processes, which start with the first jobs and end with the context."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._processes: list[_Process] = []
        self._numbers = count()
        self._ended: set[int] = set()

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, *_: object) -> None:
        while self._processes:
            self._processes.pop().end()

    @contextmanager
    def team(self, prepare: Callable[[V], S], value: V) -> Iterator[PackedTeam[S]]:
        """Return the processes as a team with the same state."""
        number, state = next(self._numbers), packed((prepare, value))
        yield PackedTeam(prepare, value, lambda jobs, may_go_on: self._run(self._orders(number, jobs), state, may_go_on))
        self._ended.add(number)

    def _orders(self, team: int, jobs: Iterator[bytes]) -> Iterator[_Order]:
        run = next(self._numbers)
        return (_Order(team, run, number, what) for number, what in enumerate(jobs))

    def _run(self, orders: Iterator[_Order], state: bytes, may_go_on: MayGoOn) -> Iterator[JobOutcome[Any]]:
        """Yield the outcome of each job as it ends. A job whose process died is given to another one, a few times at most."""
        again, lost, waiting = deque[_Order](), Counter[int](), dict[int, int]()
        order = next(orders, None)
        while (order is not None or waiting) and may_go_on():
            while order is not None and (process := self._idle()) is not None:
                process.give(order, state, self._ended)
                waiting[order.number] = order.run
                order = again.popleft() if again else next(orders, None)
            for answered, answer in self._answers():
                if waiting.get(answered.number) != answered.run:
                    continue  # of an abandoned run
                if answer is None:
                    lost[answered.number] += 1
                    if lost[answered.number] < TRIES:
                        again.append(answered)
                        continue
                del waiting[answered.number]
                yield answer or JobOutcome(answered.number, None, Failure.lost())
            if order is None and again:
                order = again.popleft()

    def _idle(self) -> _Process | None:
        """Return an idle process, a new one if there may be more, or None."""
        idle = next((process for process in self._processes if process.order is None), None)
        if idle is None and len(self._processes) < self._number:
            idle = _Process.started()
            self._processes.append(idle)
        return idle

    def _answers(self) -> list[tuple[_Order, JobOutcome[Any] | None]]:
        """Return the outcomes that are known now or within a moment; None for jobs whose process has ended."""
        busy = {process.line: process for process in self._processes if process.order is not None}
        answers = []
        for line in wait(list(busy), _MOMENT):
            process = busy[cast("Connection", line)]
            order, outcome = process.order, process.answer()
            if outcome is None:
                process.end()
                self._processes.remove(process)
            if order is not None:
                answers.append((order, outcome))
        return answers


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Delay Ctrl-C until the end of the block; a process that is started inside never receives it."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(line: Connection) -> None:
    """Do the jobs that arrive, until the process that sends them ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    members: dict[int, Member[Any]] = {}
    with suppress(EOFError, OSError):
        while True:
            team, number, what = unpacked(line.recv_bytes())
            if what is None:
                del members[team]
            elif number is None:
                members[team] = packed_member(what)
            else:
                line.send_bytes(packed_outcome(members[team], number, what))
