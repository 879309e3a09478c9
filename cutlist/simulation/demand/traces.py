"""Public cluster traces and Karpenter's log as pods with lifetimes, and these as Jobs that a simulation starts.

| form | file | source, read 2026-11-23 |
|---|---|---|
| `alibaba-gpu-2023` | `openb_pod_list_*.csv` | github.com/alibaba/clusterdata, cluster-trace-gpu-v2023 |
| `alibaba-2018` | `batch_task.csv`, without a header | github.com/alibaba/clusterdata, cluster-trace-v2018/schema.md |
| `google-2019` | `instance_events` as CSV | github.com/google/cluster-data, clusterdata_trace_format_v3.proto |
| `azure-2019` | `vmtable.csv`, without a header | github.com/Azure/AzurePublicDataset, AzurePublicDatasetV2.md |
| `karpenter` | the log of Karpenter's controller | docs/spec/disruption.md, 11 |

Alibaba's memory of 2018 and all amounts of Google are parts of a machine whose size is not published: they become amounts of a
`Machine` that the caller names.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import StringIO
from typing import Final

from cutlist.core.errors import Place, Problems
from cutlist.core.quantity import NANO
from cutlist.core.values import dataclass
from cutlist.documents import file_text
from cutlist.simulation.demand.jobs import JobTerms
from cutlist.simulation.demand.log_trace import logged_claims
from cutlist.simulation.events import SECOND
from cutlist.simulation.outside_events import JobStarted
from cutlist.workloads.groups import PodGroup, workload_name
from cutlist.workloads.pods import FrozenDict, Pod

GIB: Final = 2**30
_MIB: Final = 2**20
_GPU: Final = "nvidia.com/gpu"
KARPENTER: Final = "karpenter"
_NO_TIME: Final = ("", "nan", "null", "None")


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine of whose size a trace gives fractions: thousandths of a core, bytes."""

    cpu: int = 96_000
    memory: int = 384 * GIB


@dataclass(frozen=True, slots=True, order=True)
class PodSize:
    """What a pod requests: thousandths of a core, bytes, whole GPUs."""

    cpu: int
    memory: int
    gpus: int = 0


@dataclass(frozen=True, slots=True)
class TracePod:
    """A pod of a trace, in milliseconds of its own clock; `ended` is None where the trace ends before. `count` are equal."""

    started: int
    ended: int | None
    size: PodSize
    count: int = 1


@dataclass(frozen=True, slots=True)
class TraceDemand:
    """Jobs of a trace, one for each size of pods, and when they start; `start` is the instant of the first in seconds since
    1970, where the trace says so."""

    groups: tuple[PodGroup, ...] = ()
    events: tuple[JobStarted, ...] = ()
    start: float | None = None

    @staticmethod
    def of_all(traces: Sequence[TraceDemand]) -> TraceDemand:
        """Return several traces as one, which all begin with the simulation."""
        events = sorted((event for trace in traces for event in trace.events), key=lambda event: event.at)
        starts = [trace.start for trace in traces if trace.start is not None]
        return TraceDemand(tuple(g for trace in traces for g in trace.groups), tuple(events), min(starts, default=None))


Row = Mapping[str, str]


def read_trace(form: str, path: str, problems: Problems, machine: Machine | None = None) -> tuple[TracePod, ...]:
    """Return the pods of a trace of one of TRACE_FORMS in the order of their starts. Mistakes are added to `problems`."""
    text = file_text(path, problems)
    if text is None:
        return ()
    before = len(problems.found)
    if form == KARPENTER:
        claims = logged_claims(text)
        ran = [TracePod(c.created, c.ended, PodSize(c.cpu, c.memory), c.pods) for c in claims]
    else:
        ran = list(_FORMS[form](_rows(text, path, _COLUMNS[form], problems), machine or Machine()))
    pods = sorted(ran, key=lambda pod: pod.started)
    if not pods and len(problems.found) == before:
        problems.add_absence(Place(path), "contains no pod that ran")
    return tuple(pods)


def demand_of_trace(pods: Sequence[TracePod], name: str = "trace", *, has_instants: bool = False) -> TraceDemand:
    """Return pods as Jobs; the first starts with the simulation. Pods without an end run until the trace's last instant.

    `has_instants` says that the times of the pods are since 1970.
    """
    sizes = sorted({pod.size for pod in pods})
    names = {size: f"{name}-{number}" for number, size in enumerate(sizes, 1)}
    first = min((pod.started for pod in pods), default=0)
    end = max((pod.started if pod.ended is None else pod.ended for pod in pods), default=0)
    events = []
    for pod in pods:
        duration = max((end if pod.ended is None else pod.ended) - pod.started, SECOND)
        workload = workload_name("Job", "default", names[pod.size])
        events.append(
            JobStarted(pod.started - first, workload, JobTerms(pod.count, pod.count, ignores_evictions=True), duration)
        )
    start = first / SECOND if has_instants and pods else None
    return TraceDemand(tuple(_group(names[size], size) for size in sizes), tuple(events), start)


def _group(name: str, size: PodSize) -> PodGroup:
    """Return the Job for pods of a size, without any pods yet."""
    requests = {"cpu": size.cpu * NANO // 1000, "memory": size.memory * NANO, "pods": NANO}
    gpus = {_GPU: size.gpus * NANO} if size.gpus else {}
    pod = Pod(labels=FrozenDict({"batch.kubernetes.io/job-name": name}), requests=FrozenDict({**requests, **gpus}))
    return PodGroup(name, pod.namespace, "Job", 0, pod)


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns of a file; `has_header` says that its first line names them, in any order and among others."""

    names: tuple[str, ...]
    has_header: bool


class _Cells:
    """The cells of a row, and its place for mistakes."""

    __slots__ = ("_place", "_problems", "row")

    def __init__(self, row: Row, place: Place, problems: Problems) -> None:
        self.row, self._place, self._problems = row, place, problems

    def number(self, name: str) -> float:
        """Return a number. Raises ValueError, with a problem added, for other text and negative numbers."""
        try:
            number = float(self.row[name].strip().removeprefix(">"))
            if 0 <= number < 2**63:
                return number
        except ValueError:
            pass
        self._problems.add(self._place, f"{name} is {self.row[name]!r}", "a number, 0 or more")
        raise ValueError(name)

    def time(self, name: str, unit: float) -> int | None:
        """Return a time in milliseconds, or None for a missing one; `unit` is that of the column in milliseconds."""
        return None if self.row[name].strip() in _NO_TIME else round(self.number(name) * unit)


def _rows(text: str, path: str, columns: _Columns, problems: Problems) -> Iterator[_Cells]:
    """Yield the rows of a file that have all columns; others are problems."""
    try:
        reader = csv.DictReader(StringIO(text, newline=""), None if columns.has_header else columns.names)
        names = reader.fieldnames or ()
        missing = [name for name in columns.names if name not in names]
        if missing:
            problems.add(Place(path, line=1), f"has no column {missing[0]}", ", ".join(columns.names))
            return
        for row in reader:
            place = Place(path, line=reader.line_num)
            if None in row or None in row.values():
                problems.add(place, "is not a row of the trace", ", ".join(columns.names))
            else:
                yield _Cells(row, place, problems)
    except csv.Error as error:
        problems.add(Place(path), f"is not a table: {error}", ", ".join(columns.names))


def _alibaba_gpu(rows: Iterator[_Cells], _: Machine) -> Iterator[TracePod]:
    """Yield the pods that were scheduled; a share of a GPU counts as a whole one, since Kubernetes has no shares."""
    for row in rows:
        try:
            started = row.time("scheduled_time", SECOND)
            size = PodSize(round(row.number("cpu_milli")), round(row.number("memory_mib")) * _MIB, round(row.number("num_gpu")))
            if started is not None:
                yield TracePod(started, row.time("deletion_time", SECOND), size)
        except ValueError:
            continue


def _alibaba_batch(rows: Iterator[_Cells], machine: Machine) -> Iterator[TracePod]:
    """Yield the tasks that ran: cpu in hundredths of a core, memory in hundredths of a machine's."""
    for row in rows:
        try:
            started, ended = row.time("start_time", SECOND), row.time("end_time", SECOND)
            count = round(row.number("instance_num") if row.row["instance_num"] else 0)
            if not started or not count or row.row["plan_cpu"] in _NO_TIME or row.row["plan_mem"] in _NO_TIME:
                continue
            size = PodSize(round(row.number("plan_cpu") * 10), round(row.number("plan_mem") * machine.memory / 100))
            yield TracePod(started, ended if ended and ended >= started else None, size, count)
        except ValueError:
            continue


def _google(rows: Iterator[_Cells], machine: Machine) -> Iterator[TracePod]:
    """Yield the runs of instances: each from the event that schedules it to the next that ends it."""
    running: dict[tuple[str, str], TracePod] = {}
    for row in rows:
        try:
            at, event = round(row.number("time") / 1000), row.row["type"].strip().upper()
            key = row.row["collection_id"], row.row["instance_index"]
            if event in ("3", "SCHEDULE"):
                cpu, memory = row.number("resource_request.cpus"), row.number("resource_request.memory")
                size = PodSize(max(1, round(cpu * machine.cpu)), max(1, round(memory * machine.memory)))
                running[key] = TracePod(at, None, size)
            elif event in _GOOGLE_ENDS and key in running:
                pod = running.pop(key)
                yield TracePod(pod.started, at, pod.size)
        except ValueError:
            continue
    yield from running.values()


_GOOGLE_ENDS: Final = ("4", "5", "6", "7", "8", "EVICT", "FAIL", "FINISH", "KILL", "LOST")


def _azure(rows: Iterator[_Cells], _: Machine) -> Iterator[TracePod]:
    """Yield virtual machines as pods; a bucket without an upper end, such as `>24`, counts as its lower end."""
    for row in rows:
        try:
            cores, memory = row.number("vmcorecountbucket"), row.number("vmmemorybucket")
            started = row.time("vmcreated", SECOND)
            if started is not None:
                yield TracePod(started, row.time("vmdeleted", SECOND), PodSize(round(cores * 1000), round(memory * GIB)))
        except ValueError:
            continue


Reader = Callable[[Iterator[_Cells], Machine], Iterator[TracePod]]

_FORMS: Final[Mapping[str, Reader]] = {
    "alibaba-gpu-2023": _alibaba_gpu,
    "alibaba-2018": _alibaba_batch,
    "google-2019": _google,
    "azure-2019": _azure,
}
TRACE_FORMS: Final = (KARPENTER, *_FORMS)
PARTS_OF_MACHINES: Final = ("alibaba-2018", "google-2019")
"""Forms whose amounts are parts of a machine, of memory or of everything."""
_COLUMNS: Final[Mapping[str, _Columns]] = {
    "alibaba-gpu-2023": _Columns(
        ("name", "cpu_milli", "memory_mib", "num_gpu", "deletion_time", "scheduled_time"), has_header=True
    ),
    "alibaba-2018": _Columns(
        (
            "task_name", "instance_num", "job_name", "task_type", "status",
            "start_time", "end_time", "plan_cpu", "plan_mem",
        ),
        has_header=False,
    ),
    "google-2019": _Columns(
        ("time", "type", "collection_id", "instance_index", "resource_request.cpus", "resource_request.memory"),
        has_header=True,
    ),
    "azure-2019": _Columns(
        (
            "vmid", "subscriptionid", "deploymentid", "vmcreated", "vmdeleted", "maxcpu", "avgcpu", "p95maxcpu",
            "vmcategory", "vmcorecountbucket", "vmmemorybucket",
        ),
        has_header=False,
    ),
}  # fmt: skip
