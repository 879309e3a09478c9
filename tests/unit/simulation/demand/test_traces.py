"""Public traces as Jobs."""

from __future__ import annotations

import gzip
import json

from cutlist.core.errors import Problems
from cutlist.core.quantity import amounts
from cutlist.simulation.demand.jobs import JobTerms
from cutlist.simulation.demand.traces import GIB, TraceMachine, TracePod, TracePodSize, demand_of_trace, read_trace
from cutlist.simulation.outside_events import JobStarted

# Rows in the forms that the traces' own pages describe, with made-up figures.
GPU = """name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
pod-2,4000,15258,1,220,nan,BE,Running,200,500,210
pod-1,16000,32768,0,0,V100M16|V100M32,LS,Running,100,,100
pod-3,16000,32768,8,1000,nan,LS,Pending,100,300,nan
"""
BATCH = "M1,3,j_1,1,Terminated,100,160,50.0,0.5\nM2,1,j_1,1,Waiting,,,50.0,0.5\nM3,1,j_2,1,Terminated,0,0,50.0,\n"
EVENTS = """time,type,collection_id,instance_index,resource_request.cpus,resource_request.memory
1000000,SUBMIT,7,0,0.5,0.25
2000000,SCHEDULE,7,0,0.5,0.25
9000000,4,7,0,0.5,0.25
12000000,3,7,0,0.25,0.25
"""
MACHINES = "v1,s,d,0,600,50.1,3.2,20.0,Delay-insensitive,4,8\nv2,s,d,300,900,50.1,3.2,20.0,Interactive,>24,>64\n"


def pods_of(folder, form, text):
    problems = Problems()
    (folder / "t.csv").write_text(text)
    pods = read_trace(form, str(folder / "t.csv"), problems, TraceMachine(8000, 16 * GIB))
    return pods, [str(p).replace(f"{folder}/", "") for p in problems.ordered()]


def test_each_form_has_pods_with_lifetimes(tmp_path):
    assert pods_of(tmp_path, "alibaba-gpu-2023", GPU)[0] == (
        TracePod(100_000, None, TracePodSize(16_000, 32 * GIB)),
        TracePod(210_000, 500_000, TracePodSize(4_000, 15_258 * 2**20, 1)),
    )
    assert pods_of(tmp_path, "alibaba-2018", BATCH)[0] == (TracePod(100_000, 160_000, TracePodSize(500, 85_899_346), 3),)
    assert pods_of(tmp_path, "google-2019", EVENTS)[0] == (
        TracePod(2_000, 9_000, TracePodSize(4000, 4 * GIB)),
        TracePod(12_000, None, TracePodSize(2000, 4 * GIB)),
    )
    assert pods_of(tmp_path, "azure-2019", MACHINES)[0] == (
        TracePod(0, 600_000, TracePodSize(4000, 8 * GIB)),
        TracePod(300_000, 900_000, TracePodSize(24_000, 64 * GIB)),
    )


def published(time, kind, collection, instance, cpus, **others):
    request = None if cpus is None else {"cpus": cpus, "memory": 0.25}
    named = {"time": time, "type": kind, "collection_id": collection, "instance_index": instance, "resource_request": request}
    return json.dumps({**named, **others})


PUBLISHED = [
    published("9000000", "6", "7", "0", 0.5),
    published("9223372036854775807", "7", "7", "1", None),
    published("3000000", "3", "7", "1", 0.25),
    published("2000000", "3", "7", "0", 0.5),
    published("4000000", "3", "8", "0", 0.25, alloc_collection_id="7"),
    published("5000000", "3", "9", "0", None),
]


def test_googles_events_are_read_as_they_are_published(tmp_path):
    """JSON, in no order, with events after the trace, instances in an alloc, and requests that are missing."""
    expected = (TracePod(2_000, 9_000, TracePodSize(4000, 4 * GIB)), TracePod(3_000, None, TracePodSize(2000, 4 * GIB)))
    assert pods_of(tmp_path, "google-2019", "\n".join(PUBLISHED)) == (expected, [])
    selected = EVENTS.replace("resource_request.", "")
    assert pods_of(tmp_path, "google-2019", selected) == pods_of(tmp_path, "google-2019", EVENTS)


def test_traces_may_be_compressed(tmp_path):
    packed, cut, damaged = (tmp_path / name for name in ("t.csv.gz", "cut.csv.gz", "damaged.csv.gz"))
    packed.write_bytes(gzip.compress(MACHINES.encode()))
    cut.write_bytes(packed.read_bytes()[:-9])
    damaged.write_bytes(packed.read_bytes()[:2] + b"no such thing")
    problems = Problems()
    assert read_trace("azure-2019", str(packed), problems) == pods_of(tmp_path, "azure-2019", MACHINES)[0]
    assert not problems.found
    for path in (cut, damaged):
        assert read_trace("azure-2019", str(path), problems) == ()
    assert [str(p).replace(f"{tmp_path}/", "") for p in problems.ordered()] == [
        "cut.csv.gz: is compressed with gzip, and ends early; allowed: a whole file",
        "damaged.csv.gz: is compressed with gzip, and is damaged; allowed: a whole file",
    ]


def test_pods_become_jobs_by_their_size():
    """The trace begins with the simulation; a pod without an end runs as long as the trace."""
    small, large = TracePodSize(500, GIB), TracePodSize(4000, 8 * GIB, 2)
    demand = demand_of_trace([TracePod(5_000, None, large), TracePod(6_000, 9_000, small, 3), TracePod(7_000, 7_000, large)])
    assert demand.events == (
        JobStarted(0, "job/trace-2", JobTerms(ignores_evictions=True), 4_000),
        JobStarted(1_000, "job/trace-1", JobTerms(3, 3, ignores_evictions=True), 3_000),
        JobStarted(2_000, "job/trace-2", JobTerms(ignores_evictions=True), 1_000),
    )
    requests = [dict(group.pod.requests) for group in demand.groups]
    assert requests == [
        amounts({"cpu": "500m", "memory": "1Gi", "pods": 1}),
        amounts({"cpu": "4", "memory": "8Gi", "pods": 1, "nvidia.com/gpu": 2}),
    ]
    assert demand.start is None


LOG = [
    {"time": "2026-01-05T12:00:00Z", "message": "created nodeclaim", "NodeClaim": {"name": "general-a"},
     "requests": {"cpu": "2100m", "memory": "3Gi", "pods": "3"}},
    {"time": "2026-01-05T12:10:00Z", "message": "created nodeclaim", "NodeClaim": {"name": "general-b"}},
    {"time": "2026-01-05T12:20:00Z", "message": "created nodeclaim", "NodeClaim": {"name": "general-c"},
     "requests": {"cpu": "500m", "memory": "many", "pods": "1"}},
    {"time": "2026-01-05T12:30:00Z", "message": "initialized nodeclaim", "NodeClaim": {"name": "general-a"},
     "Node": {"name": "ip-1"}},
    {"time": "2026-01-05T13:00:00Z", "message": "deleted node", "Node": {"name": "ip-1"}},
    {"time": "2026-01-05T14:00:00Z", "message": "deleted nodeclaim", "NodeClaim": {"name": "general-c"}},
]  # fmt: skip


def test_karpenters_log_is_a_trace(tmp_path):
    """A NodeClaim stands for equal pods until it or its node is deleted; the first instant is that of the log."""
    pods, problems = pods_of(tmp_path, "karpenter", "\n".join(map(json.dumps, LOG)))
    assert problems == []
    demand = demand_of_trace(pods, has_instants=True)
    assert demand.start == 1_767_614_400.0
    hour = 60 * 60 * 1000
    assert demand.events == (
        JobStarted(0, "job/trace-2", JobTerms(3, 3, ignores_evictions=True), hour),
        JobStarted(hour // 3, "job/trace-1", JobTerms(ignores_evictions=True), hour * 5 // 3),
    )
    assert dict(demand.groups[1].pod.requests) == amounts({"cpu": "700m", "memory": "1Gi", "pods": 1})


def test_mistakes_are_named_by_line(tmp_path):
    rows = [
        ("alibaba-gpu-2023", GPU.replace("4000,", "many,"), "t.csv:2: cpu_milli is 'many'; allowed: a number, 0 or more"),
        ("alibaba-gpu-2023", "name,cpu_milli\n", "t.csv:1: has no column memory_mib"),
        ("alibaba-2018", "M1,3\n", "t.csv:1: is not a row of the trace"),
        ("google-2019", EVENTS.replace("1000000,SUBMIT", "-1,SUBMIT"), "t.csv:2: time is '-1'"),
        ("azure-2019", MACHINES.replace(",8\n", ",8,9\n"), "t.csv:1: is not a row of the trace"),
        ("azure-2019", MACHINES.replace(",4,8", ",many,8"), "t.csv:1: vmcorecountbucket is 'many'"),
        ("azure-2019", MACHINES.replace("300,900", "900,300"), "t.csv:2: vmdeleted is 300, before vmcreated; allowed: 900 or"),
        ("alibaba-gpu-2023", GPU.replace("500,210", "20,210"), "t.csv:2: deletion_time is 20, before scheduled_time"),
        ("alibaba-2018", BATCH.replace("M1,3", "M1,30000000"), "t.csv:1: instance_num is '30000000'; allowed: a number from 0"),
        ("google-2019", "{}\n", "t.csv:1: time is ''"),
        ("google-2019", '{"time": 1', "t.csv:1: is not an object of JSON"),
        ("azure-2019", "", "t.csv: contains no pod that ran"),
        ("karpenter", MACHINES, "t.csv: contains no pod that ran"),
    ]
    for form, text, mistake in rows:
        (first, *others) = pods_of(tmp_path, form, text)[1]
        assert first.startswith(mistake)
        assert others == []
