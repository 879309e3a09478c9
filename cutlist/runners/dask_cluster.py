"""Jobs on a Dask cluster. Needs the extra `fleet`; every worker needs the same Cutlist."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from queue import Empty, SimpleQueue
from typing import Any, Final, Generic

from distributed import Client, Future, Worker, WorkerPlugin, get_worker

from cutlist.core.errors import InputError, Place
from cutlist.runners.in_process import Member
from cutlist.runners.packing import packed, packed_member, packed_outcome, unpacked
from cutlist.runners.runner import Failure, J, Outcome, R, S, V, always

_MOMENT: Final = 0.1
"""Seconds after which it is asked again whether work may go on."""
_CONNECTS: Final = "10s"
_AHEAD: Final = 2
"""How many jobs there are for each thread of the cluster: one that it does, and one that waits there."""
_FINISHED: Final = "finished"

Answers = SimpleQueue[tuple[int, "Future[bytes]"]]


@contextmanager
def dask_cluster(address: str) -> Iterator[DaskCluster]:
    """Return the cluster whose scheduler has an address, until the end of the block.

    Raises InputError where no scheduler answers there, where it has no workers, and where these have another Cutlist.
    """
    place = Place(path="dask")
    try:
        client: Any = Client(address, timeout=_CONNECTS, set_as_default=False)
    except (OSError, ValueError) as error:
        text = f"no Dask scheduler answers at {address!r} ({error})"
        raise InputError.one(place, text, "an address such as tcp://scheduler:8786") from None
    with client:
        _check_workers(client, place)
        yield DaskCluster(client)


class DaskCluster:
    """Runs jobs on the workers of a Dask cluster, those that join later too."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._numbers = count()

    @contextmanager
    def team(self, prepare: Callable[[V], S], value: V) -> Iterator[_Team[S]]:
        """Return the workers, all with the same state, which is sent to each once."""
        name = f"cutlist-{self._client.id}-{next(self._numbers)}"
        self._client.register_plugin(_TeamState(packed((prepare, value))), name=name)
        try:
            yield _Team(self._client, name, Member(prepare, value))
        finally:
            self._client.unregister_worker_plugin(name)


class _Team(Generic[S]):
    """The workers of a cluster, with the state of one team."""

    def __init__(self, client: Any, name: str, own: Member[S]) -> None:
        self._client = client
        self._name = name
        self._own = own

    @property
    def state(self) -> S:
        """Return the state that this process has."""
        return self._own.state

    def outcomes(
        self, work: Callable[[S, J], R], jobs: Sequence[J], may_go_on: Callable[[], bool] = always
    ) -> Iterator[Outcome[R]]:
        """Yield the outcome of each job as soon as it is known, for as long as it may go on."""
        left, given = deque(enumerate(jobs)), dict[int, Any]()
        answers: Answers = SimpleQueue()
        try:
            while (left or given) and may_go_on():
                while left and len(given) < _AHEAD * self._threads():
                    number, job = left.popleft()
                    given[number] = self._submitted(number, packed((work, job)), answers)
                try:
                    number, future = answers.get(timeout=_MOMENT)
                except Empty:
                    continue
                del given[number]
                yield _outcome(number, future)
        finally:
            self._client.cancel(list(given.values()))

    def _submitted(self, number: int, what: bytes, answers: Answers) -> Any:
        future = self._client.submit(_work, self._name, number, what, pure=False)
        future.add_done_callback(lambda done: answers.put((number, done)))
        return future

    def _threads(self) -> int:
        return sum(self._client.nthreads().values()) or 1


class _TeamState(WorkerPlugin):
    """What a worker has of a team: a member for each of its threads, so that none waits for another."""

    def __init__(self, state: bytes) -> None:
        self._state = state

    def setup(self, worker: Worker) -> None:
        """Keep the members on the worker."""
        self.threads = threading.local()

    @property
    def member(self) -> Member[Any]:
        """Return the member of this thread."""
        if not hasattr(self.threads, "member"):
            self.threads.member = packed_member(self._state)
        member: Member[Any] = self.threads.member
        return member


def _work(name: str, number: int, what: bytes) -> bytes:
    """Return the outcome of a job on a worker."""
    plugin: Any = get_worker().plugins[name]
    return packed_outcome(plugin.member, number, what)


def _outcome(number: int, future: Any) -> Outcome[Any]:
    """Return the outcome of a job; where the cluster gave it up, since its workers ended, it is lost."""
    if future.status == _FINISHED:
        outcome: Outcome[Any] = unpacked(future.result())
        return outcome
    return Outcome(number, None, Failure.lost())


def _version() -> str:
    import cutlist

    return cutlist.__version__


def _check_workers(client: Any, place: Place) -> None:
    """Refuse a cluster without workers, and one whose workers have no Cutlist or another one."""
    own = _version()
    workers = client.run(_version, on_error="return")
    if not workers:
        raise InputError.one(place, "the cluster has no workers", "start one with: dask worker ADDRESS --nthreads 1")
    for worker, version in sorted(workers.items()):
        if version != own:
            what = f"Cutlist {version}" if isinstance(version, str) else f"no Cutlist that can be imported ({version})"
            raise InputError.one(place, f"worker {worker} has {what}", f"Cutlist {own}, as here")
