"""Public cluster traces and Karpenter's log as pods with lifetimes, and these as Jobs that a simulation starts.

| form | file | source, read 2026-11-23 |
|---|---|---|
| `alibaba-gpu-2023` | `openb_pod_list_*.csv` | github.com/alibaba/clusterdata, cluster-trace-gpu-v2023 |
| `alibaba-2018` | `batch_task.csv`, without a header | github.com/alibaba/clusterdata, cluster-trace-v2018/schema.md |
| `google-2019` | `instance_events` as JSON or CSV | github.com/google/cluster-data, clusterdata_trace_format_v3.proto |
| `azure-2019` | `vmtable.csv`, without a header | github.com/Azure/AzurePublicDataset, AzurePublicDatasetV2.md |
| `karpenter` | the log of Karpenter's controller | docs/spec/disruption.md, 11 |

Alibaba's memory of 2018 and all amounts of Google are parts of a machine whose size is not published: they become amounts of a
`TraceMachine` that the caller names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Final

from cutlist.core.errors import Place, Problems
from cutlist.core.quantity import NANO
from cutlist.documents.files import file_text
from cutlist.simulation.demand.curves import MOST_PODS
from cutlist.simulation.demand.jobs import JobTerms
from cutlist.simulation.demand.log_trace import logged_claims
from cutlist.simulation.demand.trace_rows import AFTER_END, NOTHING, Cells, Columns, rows_of_trace
from cutlist.simulation.events import SECOND
from cutlist.simulation.outside_events import JobStarted
from cutlist.workloads.groups import PodGroup, workload_name
from cutlist.workloads.pods import FrozenDict, Pod

GIB: Final = 2**30
_MIB: Final = 2**20
_GPU: Final = "nvidia.com/gpu"
KARPENTER: Final = "karpenter"


@dataclass(frozen=True, slots=True)
class TraceMachine:
    """The machine of whose size a trace gives fractions: thousandths of a core, bytes."""

    cpu: int = 96_000
    memory: int = 384 * GIB


@dataclass(frozen=True, slots=True, order=True)
class TracePodSize:
    """What a pod requests: thousandths of a core, bytes, whole GPUs."""

    cpu: int
    memory: int
    gpus: int = 0


@dataclass(frozen=True, slots=True)
class TracePod:
    """A pod of a trace, in milliseconds of its own clock; `ended` is None where the trace ends before. `count` are equal."""

    started: int
    ended: int | None
    size: TracePodSize
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


def read_trace(form: str, path: str, problems: Problems, machine: TraceMachine | None = None) -> tuple[TracePod, ...]:
    """Return the pods of a trace of one of TRACE_FORMS in the order of their starts. Mistakes are added to `problems`."""
    text = file_text(path, problems)
    if text is None:
        return ()
    before = len(problems.found)
    if form == KARPENTER:
        claims = logged_claims(text)
        ran = [TracePod(c.created, c.ended, TracePodSize(c.cpu, c.memory), c.pods) for c in claims]
    else:
        ran = list(_FORMS[form](rows_of_trace(text, path, _COLUMNS[form], problems), machine or TraceMachine()))
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
        # A second at least: a pod of no length would never be seen by a scheduler.
        duration = max((end if pod.ended is None else pod.ended) - pod.started, SECOND)
        workload = workload_name("Job", "default", names[pod.size])
        events.append(
            JobStarted(pod.started - first, workload, JobTerms(pod.count, pod.count, ignores_evictions=True), duration)
        )
    start = first / SECOND if has_instants and pods else None
    return TraceDemand(tuple(_group(names[size], size) for size in sizes), tuple(events), start)


def _group(name: str, size: TracePodSize) -> PodGroup:
    """Return the Job for pods of a size, without any pods yet."""
    requests = {"cpu": size.cpu * NANO // 1000, "memory": size.memory * NANO, "pods": NANO}
    gpus = {_GPU: size.gpus * NANO} if size.gpus else {}
    pod = Pod(labels=FrozenDict({"batch.kubernetes.io/job-name": name}), requests=FrozenDict({**requests, **gpus}))
    return PodGroup(name, pod.namespace, "Job", 0, pod)


def _alibaba_gpu(rows: Iterator[Cells], _: TraceMachine) -> Iterator[TracePod]:
    """Yield the pods that were scheduled; a share of a GPU counts as a whole one, since Kubernetes has no shares."""
    for row in rows:
        try:
            lifetime = row.lifetime("scheduled_time", "deletion_time", SECOND)
            size = TracePodSize(
                round(row.number("cpu_milli")), round(row.number("memory_mib")) * _MIB, round(row.number("num_gpu"))
            )
            if lifetime is not None:
                yield TracePod(*lifetime, size)
        except ValueError:
            continue


def _alibaba_batch(rows: Iterator[Cells], machine: TraceMachine) -> Iterator[TracePod]:
    """Yield the tasks that ran: cpu in hundredths of a core, memory in hundredths of a machine's."""
    for row in rows:
        try:
            started, ended = row.time("start_time", SECOND), row.time("end_time", SECOND)
            count = round(row.number("instance_num", MOST_PODS) if row.row["instance_num"] else 0)
            if not started or not count or row.row["plan_cpu"] in NOTHING or row.row["plan_mem"] in NOTHING:
                continue
            size = TracePodSize(round(row.number("plan_cpu") * 10), round(row.number("plan_mem") * machine.memory / 100))
            yield TracePod(started, ended if ended and ended >= started else None, size, count)
        except ValueError:
            continue


def _google(rows: Iterator[Cells], machine: TraceMachine) -> Iterator[TracePod]:
    """Yield the runs of instances: each from the event that schedules it to the next that ends it.

    Events may come in any order. What runs in an alloc is part of that one's request, and left out.
    """
    running: dict[tuple[str, str], TracePod] = {}
    events = (_google_event(row, machine) for row in rows)
    # By time alone, and stable: events of one instant stay in the order of the file.
    for at, event, key, size in sorted((event for event in events if event is not None), key=itemgetter(0)):
        if event in _GOOGLE_STARTS and size is not None:
            running[key] = TracePod(at, None, size)
        elif event in _GOOGLE_ENDS and key in running:
            pod = running.pop(key)
            yield TracePod(pod.started, at, pod.size)
    yield from running.values()


def _google_event(row: Cells, machine: TraceMachine) -> tuple[int, str, tuple[str, str], TracePodSize | None] | None:
    """Return when an event happened, its kind, the instance, and what it requests; None if it does not count."""
    try:
        if row.row["time"].strip() == AFTER_END or row.row.get("alloc_collection_id", "").strip() not in ("0", *NOTHING):
            return None
        at, event = round(row.number("time") / 1000), row.row["type"].strip().upper()
        size = None
        if event in _GOOGLE_STARTS and row.row["resource_request.cpus"].strip() not in NOTHING:
            cpu, memory = row.number("resource_request.cpus"), row.number("resource_request.memory")
            size = TracePodSize(max(1, round(cpu * machine.cpu)), max(1, round(memory * machine.memory)))
        return at, event, (row.row["collection_id"], row.row["instance_index"]), size
    except ValueError:
        return None


_GOOGLE_STARTS: Final = ("3", "SCHEDULE")
_GOOGLE_ENDS: Final = ("4", "5", "6", "7", "8", "EVICT", "FAIL", "FINISH", "KILL", "LOST")


def _azure(rows: Iterator[Cells], _: TraceMachine) -> Iterator[TracePod]:
    """Yield virtual machines as pods; a bucket without an upper end, such as `>24`, counts as its lower end."""
    for row in rows:
        try:
            cores, memory = row.number("vmcorecountbucket"), row.number("vmmemorybucket")
            lifetime = row.lifetime("vmcreated", "vmdeleted", SECOND)
            if lifetime is not None:
                yield TracePod(*lifetime, TracePodSize(round(cores * 1000), round(memory * GIB)))
        except ValueError:
            continue


Reader = Callable[[Iterator[Cells], TraceMachine], Iterator[TracePod]]

_FORMS: Final[Mapping[str, Reader]] = {
    "alibaba-gpu-2023": _alibaba_gpu,
    "alibaba-2018": _alibaba_batch,
    "google-2019": _google,
    "azure-2019": _azure,
}
TRACE_FORMS: Final = (KARPENTER, *_FORMS)
PARTS_OF_MACHINES: Final = ("alibaba-2018", "google-2019")
"""Forms whose amounts are parts of a machine, of memory or of everything."""
_COLUMNS: Final[Mapping[str, Columns]] = {
    "alibaba-gpu-2023": Columns(
        ("name", "cpu_milli", "memory_mib", "num_gpu", "deletion_time", "scheduled_time"), has_header=True, also={}
    ),
    "alibaba-2018": Columns(
        (
            "task_name", "instance_num", "job_name", "task_type", "status",
            "start_time", "end_time", "plan_cpu", "plan_mem",
        ),
        has_header=False,
        also={},
    ),
    "google-2019": Columns(
        ("time", "type", "collection_id", "instance_index", "resource_request.cpus", "resource_request.memory"),
        has_header=True,
        also={name: f"resource_request.{name}" for name in ("cpus", "memory")},
    ),
    "azure-2019": Columns(
        (
            "vmid", "subscriptionid", "deploymentid", "vmcreated", "vmdeleted", "maxcpu", "avgcpu", "p95maxcpu",
            "vmcategory", "vmcorecountbucket", "vmmemorybucket",
        ),
        has_header=False,
        also={},
    ),
}  # fmt: skip
