"""Jobs on a Dask cluster. Needs the extra `fleet`; every worker needs the same Cutlist."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.metadata import version
from itertools import chain, count
from queue import Empty, SimpleQueue
from time import sleep
from typing import Any, Final, cast
from urllib.parse import urlsplit

from distributed import Client, Future, Worker, WorkerPlugin, get_worker

from cutlist.core.errors import InputError, Place
from cutlist.runners.in_process import Member
from cutlist.runners.packing import MayGoOn, PackedTeam, packed, packed_member, packed_outcome, unpacked
from cutlist.runners.runner import Failure, JobOutcome, S, V
from cutlist.settings.running import DASK

_MOMENT: Final = 0.1
"""How many seconds pass between two checks of whether work may go on."""
_CONNECTS: Final = "10s"
_AHEAD: Final = 2
"""How many jobs each thread of the cluster has: one that it does, and one that waits there."""
_SUCH: Final = "an address such as tcp://scheduler:8786"
_RUNNING: Final = "running"
"""The state of a client that has its scheduler, and of a worker that takes jobs."""
_ENDED: Final = ("closing", "closed")
"""States of a client that has lost its scheduler."""
_UNKNOWN: Final = ("pending", "lost")
"""States of a future whose job is done again, since the worker that had its result has ended."""
_PATIENCE: Final = 300
"""After how many seconds without an outcome it is asked whether any worker goes on."""
_LOST: Final = Failure("the scheduler of the Dask cluster has ended", is_lost=True)
_UNTAKEN: Final = Failure(
    "no worker of the Dask cluster takes jobs: all have ended, or Dask has paused them because they have too little memory",
    is_lost=True,
)

Answers = SimpleQueue[tuple[int, "Future[bytes]"]]


@contextmanager
def dask_cluster(address: str) -> Iterator[DaskCluster]:
    """Return the cluster whose scheduler has an address, until the end of the block.

    Raises InputError if no scheduler answers there, if it has no workers, or if they have another version of Cutlist.
    """
    place, connect = Place.of(DASK), cast("Any", Client)
    _check_address(address, place)
    try:
        client = connect(address, timeout=_CONNECTS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError.one(place, f"no Dask scheduler answers at {address!r}: {error}", _SUCH) from None
    with client:
        _check_workers(client, place)
        yield DaskCluster(client)


class DaskCluster:
    """Runs jobs on the workers of a Dask cluster, including those that join later."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._numbers = count()

    @contextmanager
    def team(self, prepare: Callable[[V], S], value: V) -> Iterator[PackedTeam[S]]:
        """Return the workers as a team with the same state, which is sent once to each."""
        name = f"cutlist-{self._client.id}-{next(self._numbers)}"
        self._client.register_plugin(_TeamState(packed((prepare, value))), name=name)
        try:
            yield PackedTeam(prepare, value, lambda jobs, may_go_on: self._run(name, jobs, may_go_on))
        finally:
            _remove(self._client, lambda: self._client.unregister_worker_plugin(name))

    def _run(self, team: str, jobs: Iterator[bytes], may_go_on: MayGoOn) -> Iterator[JobOutcome[Any]]:
        """Yield the outcomes of jobs that a team's members do."""
        left, futures = enumerate(jobs), dict[int, Any]()
        answers: Answers = SimpleQueue()
        job, waited = next(left, None), 0.0
        try:
            while (job is not None or futures) and may_go_on():
                room = self._room() if job is not None else 0
                while job is not None and len(futures) < room:
                    futures[job[0]] = self._submitted(team, *job, answers)
                    job = next(left, None)
                if job is not None and self._client.status in _ENDED:
                    yield JobOutcome(job[0], None, _LOST)
                    job = next(left, None)
                    continue
                known = _known(answers)
                waited = waited + _MOMENT if known is None else 0.0
                if known is not None:
                    del futures[known[0]]
                    yield _outcome(*known)
                elif waited > _PATIENCE:
                    waited = 0.0
                    if not self._goes_on():
                        rest = [*futures, *(number for number, _ in chain([job] if job else [], left))]
                        yield from (JobOutcome(number, None, _UNTAKEN) for number in rest)
                        return
        finally:
            _remove(self._client, lambda: self._client.cancel(list(futures.values())))

    def _submitted(self, team: str, number: int, what: bytes, answers: Answers) -> Any:
        future = self._client.submit(_work, team, number, what, pure=False)
        _tell(answers, number, future)
        return future

    def _room(self) -> int:
        """Return how many jobs the cluster may have now; 0 while the scheduler does not answer."""
        if self._client.status == _RUNNING:
            with suppress(OSError):
                threads: dict[str, int] = self._client.nthreads()
                return _AHEAD * (sum(threads.values()) or 1)
        return 0

    def _goes_on(self) -> bool:
        """Tell whether a worker does a job or takes one. A paused one takes jobs once it uses less memory, which may never
        happen."""
        if self._client.status == _RUNNING:
            with suppress(OSError):
                workers = self._client.scheduler_info(n_workers=-1)["workers"].values()
                return any(w["status"] == _RUNNING or _jobs_done_by(w) for w in workers)
        return False


def _jobs_done_by(worker: Mapping[str, Any]) -> int:
    """Return how many jobs a worker does, as it said last."""
    jobs: int = worker["metrics"].get("task_counts", {}).get("executing", 0)
    return jobs


def _tell(answers: Answers, number: int, future: Any) -> None:
    """Put a job among the answers once its outcome is known."""
    future.add_done_callback(lambda done: answers.put((number, done)))


def _known(answers: Answers) -> tuple[int, Any] | None:
    """Return the number of a job that is over, with its future, or None if no job ends within a moment."""
    with suppress(Empty):
        number, future = answers.get(timeout=_MOMENT)
        if future.status not in _UNKNOWN:
            return number, future
        _tell(answers, number, future)
        sleep(_MOMENT)
    return None


def _remove(client: Any, what: Callable[[], object]) -> None:
    """Remove what was left on a cluster, if its scheduler still runs."""
    if client.status == _RUNNING:
        with suppress(OSError):
            what()


class _TeamState(WorkerPlugin):
    """A team's state on a worker: a member for each of its threads, so that none waits for another."""

    def __init__(self, state: bytes) -> None:
        self._state = state

    def setup(self, worker: Worker) -> None:  # noqa: ARG002 - a worker calls it by this name
        """Prepare a worker for its members."""
        self._threads = threading.local()

    @property
    def member(self) -> Member[Any]:
        """Return the member of this thread."""
        if not hasattr(self._threads, "member"):
            self._threads.member = packed_member(self._state)
        member: Member[Any] = self._threads.member
        return member


def _work(name: str, number: int, what: bytes) -> bytes:
    """Return the outcome of a job on a worker."""
    plugin: Any = get_worker().plugins[name]
    return packed_outcome(plugin.member, number, what)


def _outcome(number: int, future: Any) -> JobOutcome[Any]:
    """Return the outcome of a job; it is lost if its workers or the scheduler ended."""
    if future.status == "finished":
        outcome: JobOutcome[Any] = unpacked(future.result())
        return outcome
    return JobOutcome(number, None, Failure.lost() if future.status == "error" else _LOST)


def _check_address(address: str, place: Place) -> None:
    """Refuse an address without a host or a port, which a client would try without end."""
    with suppress(ValueError):
        parts = urlsplit(address if "://" in address else f"tcp://{address}")
        if parts.hostname and parts.port:
            return
    raise InputError.one(place, f"{address!r} is not the address of a Dask scheduler", _SUCH)


def _version() -> str:
    return version("cutlist")


def _check_workers(client: Any, place: Place) -> None:
    """Refuse a cluster without workers, and one whose workers have no Cutlist or another version of it."""
    own = _version()
    workers = client.run(_version, on_error="return")
    if not workers:
        raise InputError.one(place, "the cluster has no workers", "start one with: dask worker ADDRESS --nthreads 1")
    for worker, other in sorted(workers.items()):
        if other != own:
            what = f"Cutlist {other}" if isinstance(other, str) else f"no Cutlist that can be imported ({other})"
            raise InputError.one(place, f"worker {worker} has {what}", f"Cutlist {own}, as here")
