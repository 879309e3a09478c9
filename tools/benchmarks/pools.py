"""The processor time and memory of commands on many NodePools, and of a search for better ones: `python -m tools.benchmarks
pools`."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tools.benchmarks.hostile import a_class, a_pool, measured, pods, pods_of_a_pool

EXPLAIN: Final = "explain", "deployment/web"
_PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"
_NEAR: Final = (
    "{weight: 1, podAffinityTerm: {topologyKey: topology.kubernetes.io/zone, labelSelector: {matchLabels: {app: web}}}}"
)
_LEADERS_AND_WORKERS: Final = """apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: {name: model}
spec:
  replicas: 250000
  leaderWorkerTemplate:
    size: 4
    leaderTemplate: {spec: {containers: [{name: app, image: "web:1.2", resources: {requests: {cpu: 1, memory: 2Gi}}}]}}
    workerTemplate: {spec: {containers: [{name: app, image: "web:1.2", resources: {requests: {cpu: 500m, memory: 1Gi}}}]}}
"""


class Row(NamedTuple):
    """A command on an input, with the most processor time in seconds that it may take."""

    name: str
    command: Sequence[str]
    objects: Sequence[str]
    most: float


def report() -> int:
    """Print the processor time and the peak memory of each command; return 1 where one takes more than it may."""
    print("| command | input | processor time | memory | to reach |\n|---|---|---|---|---|")
    is_over = False
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "input.yaml"
        for row in _rows():
            path.write_text("---\n".join(row.objects))
            seconds, memory = measured(row.command, path)
            is_over |= seconds > row.most
            print(f"| {row.command[0]} | {row.name} | {seconds:.1f} s | {memory:.0f} MiB | {row.most:.0f} s |", flush=True)
    return int(is_over)


def _rows() -> Iterator[Row]:
    alike = [a_class(), *(a_pool(f"p{n}") for n in range(500))]
    each = list(map(pods_of_a_pool, range(500)))
    unlike = [*_unlike(500), pods()]
    yield Row("500 NodePools, one class", ("plan",), [*alike, pods()], 2.0)
    yield Row("the same, a Deployment for each", ("plan",), [*alike, *each], 4.0)
    yield Row("150 NodePools, unlike classes", ("plan",), [*_unlike(150), pods()], 2.0)
    yield Row("500 NodePools, one class", EXPLAIN, [*alike, pods()], 3.0)
    yield Row("500 NodePools, unlike classes", EXPLAIN, unlike, 3.0)
    yield Row("500 NodePools, unlike classes", ("gate",), unlike, 10.0)
    yield Row("the same, a Deployment for each", ("gate",), [*_unlike(500), *each], 10.0)
    yield Row("50 NodePools, one class, 30 plans", ("suggest", "--plans", "30"), [*alike[:51], pods()], 3.0)
    yield Row("the same, a Deployment for each", ("suggest", "--plans", "30"), [*alike[:51], *each[:50]], 15.0)
    million = [a_class(), a_pool(limits="{}"), pods(replicas=1_000_000)]
    yield Row("1,000,000 equal pods", ("suggest",), million, 5.0)
    limited = [a_class(), a_pool(limits="{cpu: 250k, memory: 500000Gi}"), pods(replicas=1_000_000)]
    yield Row("the same, with limits that bind", ("plan",), limited, 3.0)
    yield Row("the same, with limits that bind", ("suggest",), limited, 10.0)
    yield Row("a LeaderWorkerSet of 1,000,000 pods", ("suggest",), [*million[:2], _LEADERS_AND_WORKERS], 10.0)
    following = pods(replicas=2_000_000, spec=f"affinity: {{podAffinity: {{{_PREFERRED}: [{_NEAR}]}}}}, ")
    yield Row("2,000,000 pods with a preferred affinity", ("plan",), [*million[:2], following], 3.0)


def _unlike(number: int) -> Iterator[str]:
    """Yield NodePools with classes of which each lets nodes have another number of pods."""
    for n in range(number):
        yield f"{a_class(f'c{n}')}  kubelet: {{maxPods: {10 + n}}}\n"
        yield a_pool(f"p{n}", of=f"c{n}")
