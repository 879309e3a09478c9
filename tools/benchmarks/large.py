"""The processor time and memory of commands on many different pending pods and on large clusters:
`python -m tools.benchmarks large`."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from tools.benchmarks.listed_cluster import listed
from tools.benchmarks.standard_input import REGION, cluster, written
from tools.benchmarks.start import CUTLIST
from tools.benchmarks.views import object_of

KINDS: Final = 10_000
NODES: Final = 10_000
_PODS_EACH: Final = 3  # of a node
_PLANNED: Final = ("-f", "examples/shop/pools.yaml", "--region", REGION)
_ROOT: Final = Path(__file__).resolve().parents[2]


def report(kinds: int, nodes: int) -> int:
    """Print the processor time and the peak memory of each command on each input; return 1 where one ends without an answer."""
    print("| input | size | command | processor time | memory |\n|---|---|---|---|---|")
    has_failed = False
    with tempfile.TemporaryDirectory() as folder:
        for name, items, packed, commands in _inputs(kinds, nodes):
            path = Path(folder) / f"input.json{'.gz' if packed else ''}"
            # Object by object, since what this process holds counts as memory of those that it starts.
            with gzip.open(path, "wt") if packed else path.open("w") as file:
                file.writelines(written(items))
            for command in commands:
                code, seconds, memory = _measured([*command, "-f", str(path)])
                has_failed |= code not in (0, 1)  # a gate that stops a change has judged it
                size = f"{path.stat().st_size / 1e6:.1f} MB"
                print(f"| {name} | {size} | {command[0]} | {seconds:.1f} s | {memory:.0f} MiB |", flush=True)
    return int(has_failed)


def _measured(arguments: list[str]) -> tuple[int, float, float]:
    """Return the exit code of a command, its processor time in seconds, and its peak memory in MiB."""
    command = [sys.executable, *CUTLIST, *arguments]
    with subprocess.Popen(command, cwd=_ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def _inputs(kinds: int, nodes: int) -> Iterator[tuple[str, Iterable[dict[str, Any]], bool, list[tuple[str, ...]]]]:
    """Yield inputs with their names, whether they are packed, and the commands that read them."""
    waiting = [("plan", *_PLANNED), ("gate", *_PLANNED)]
    for how, words in (("label", "label"), ("zone", "zone"), ("processors", "number of processors")):
        items = (_waiting(number, how) for number in range(kinds))
        yield f"{kinds:,} Deployments that wait, each for another {words}", items, False, waiting
    for of in (max(1, nodes // 10), nodes):
        for packed in (False, True):
            name = f"a cluster of {of:,} nodes and {_PODS_EACH * of:,} pods{', in gzip' if packed else ''}"
            yield name, cluster(of, _PODS_EACH * of), packed, [("nodes",), ("plan", *_PLANNED)]
    for of in (max(1, nodes * 8 // 100), nodes):
        name = f"a cluster of {of:,} nodes and {_PODS_EACH * of:,} pods, as the API server lists it"
        yield name, listed(of, _PODS_EACH * of), False, [("nodes",), ("plan", *_PLANNED)]


def _waiting(number: int, how: str) -> dict[str, Any]:
    """Return a Deployment of one pod that gets no node of the sample project, for a reason of its own."""
    labels = {"app": f"waiting-{number}"}
    cpu = f"{1_000 + number}" if how == "processors" else "500m"
    pod: dict[str, Any] = {"containers": [{"name": "app", "image": "app", "resources": {"requests": {"cpu": cpu}}}]}
    if how != "processors":
        pod["nodeSelector"] = {{"label": "team", "zone": "topology.kubernetes.io/zone"}[how]: f"{how}-{number}"}
    spec = {"replicas": 1, "selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}, "spec": pod}}
    return object_of("apps/v1", "Deployment", f"waiting-{number}", spec)
