"""Values, states and jobs as bytes that another process reads."""

from __future__ import annotations

import copyreg
import io
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, Generic

from cutlist.runners.in_process import Member
from cutlist.runners.runner import Failure, J, JobOutcome, R, S, V, always

MayGoOn = Callable[[], bool]
PackedRun = Callable[[Iterator[bytes], MayGoOn], Iterator[JobOutcome[Any]]]
"""Runs jobs elsewhere, each given as the bytes of the work and the job."""


class PackedTeam(Generic[S]):
    """Members with the same state in other processes, and one in this process for callers that need the state."""

    def __init__(self, prepare: Callable[[V], S], value: V, run: PackedRun) -> None:
        self._own = Member(prepare, value)
        self._run = run

    @property
    def state(self) -> S:
        """Return the state in this process."""
        return self._own.state

    def outcomes(self, work: Callable[[S, J], R], jobs: Iterable[J], may_go_on: MayGoOn = always) -> Iterator[JobOutcome[R]]:
        """Yield the outcome of each job as soon as it is known, for as long as it may go on."""
        return self._run((packed((work, job)) for job in jobs), may_go_on)


def packed(value: object) -> bytes:
    """Return a value as bytes. Functions and classes are written as names, so the other process needs the same version of
    Cutlist."""
    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = _FORMS
    pickler.dump(value)
    return buffer.getvalue()


def unpacked(data: bytes) -> Any:
    """Return the value that `packed` wrote. The bytes must come from Cutlist itself: unpacking can run any code that they
    contain."""
    return pickle.loads(data)  # noqa: S301


def packed_member(state: bytes) -> Member[Any]:
    """Return a member of the team whose state is made of the function and the value that were packed."""
    return Member(_prepared, state)


def packed_outcome(member: Member[Any], number: int, what: bytes) -> bytes:
    """Return the outcome of the work and the job that were packed; a result that cannot be packed is a failure."""
    outcome = member.outcome(number, _worked, what)
    try:
        return packed(outcome)
    except Exception as error:
        return packed(JobOutcome(number, None, Failure.of(error)))


def _prepared(state: bytes) -> Any:
    prepare, value = unpacked(state)
    return prepare(value)


def _worked(state: Any, what: bytes) -> Any:
    work, job = unpacked(what)
    return work(state, job)


def _view(mapping: MappingProxyType[Any, Any]) -> tuple[Any, ...]:
    return _read_only, (dict(mapping),)


def _read_only(items: dict[Any, Any]) -> Mapping[Any, Any]:
    return MappingProxyType(items)


_FORMS: Final[dict[Any, Any]] = {**copyreg.dispatch_table, MappingProxyType: _view}
"""How to write values that pickle cannot: read-only views of mappings, which catalogues contain."""
