"""The measuring process: `python -m tools.benchmarks.child WHAT ...` prints one JSON object; `measure` starts it."""

from __future__ import annotations

import gc
import json
import resource
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cutlist.scheduling.inputs import SchedulerInputs

_KIB_A_MIB = 1024
_MIB = 1024  # ru_maxrss counts KiB on Linux
_MIB_DARWIN = 1024 * 1024


def measure(kind: str, name: str, runs: str) -> dict[str, float]:
    """Run a case a number of times, each as a fresh pass on inputs that are read once.

    Garbage is collected as rarely as the command does.
    """
    from cutlist_cli.__main__ import collect_rarely

    collect_rarely()
    from cutlist.scheduling.provisioner import prepare
    from cutlist.scheduling.results import finalise

    inputs = _inputs(kind, name)
    taken: list[tuple[float, float, float]] = []
    claims = placed = 0
    for _ in range(int(runs)):
        gc.collect()
        started = time.perf_counter()
        solver = prepare(inputs)
        prepared = time.perf_counter()
        solver.solve()
        solved = time.perf_counter()
        result = finalise(solver, strict_min_values=inputs.options.strict_min_values)
        finished = time.perf_counter()
        taken.append((prepared - started, solved - prepared, finished - solved))
        claims, placed = len(result.claims), sum(sum(c.pods.values()) for c in result.claims)
        del solver, result
    prepare_s, solve_s, finish_s = (median(column) for column in zip(*taken, strict=True))
    return {
        "pods": sum(b.count for b in inputs.batches),
        "placed": placed,
        "claims": claims,
        "prepare": prepare_s,
        "solve": solve_s,
        "finish": finish_s,
        "peak_memory_mib": peak_memory_mib(),
    }


def _inputs(kind: str, name: str) -> SchedulerInputs:
    """Return a scenario file in the form of the conformance vectors, unpacked if its name ends with .gz, or a case that is
    made. Files need no catalogue, whose import would count in their processor time."""
    if kind == "file":
        from tests.conformance.scenario_file import Scenario

        return Scenario(Path(name)).inputs()
    from tools.benchmarks.cases import of_name

    return of_name(name).make()


def catalogue() -> dict[str, float]:
    """Return the seconds to load a region of the embedded catalogue for the first time."""
    from cutlist.catalog.embedded import load
    from tools.benchmarks.cases import REGION

    return {"seconds": _timed(lambda: load(REGION))}


def types(classes: str = "1") -> dict[str, float]:
    """Return the seconds to make a region's instance types for a number of different node classes, with the catalogue
    loaded."""
    from cutlist.catalog.embedded import load
    from cutlist.providers.aws import instance_types
    from tools.benchmarks.cases import REGION, node_class

    catalog, own = load(REGION), [node_class(number) for number in range(int(classes))]
    return {"seconds": _timed(lambda: [instance_types(item, catalog) for item in own])}


def plan(pools: str, shapes: str = "1") -> dict[str, float]:
    """Return the seconds to plan and measure a number of NodePools, each with a node class of one of several shapes, as gates
    do."""
    from cutlist.verbs.plan.answer import plan_with_measures
    from tools.benchmarks.cases import own_classes

    inputs = own_classes(int(pools), int(shapes))
    return {"seconds": _timed(lambda: plan_with_measures(inputs))}


def sizes() -> dict[str, float]:
    """Return the seconds to make a location's instance types for one AKSNodeClass, with the catalogue loaded."""
    from cutlist import AKSNodeClass
    from cutlist.catalog.embedded import load_location
    from cutlist.providers.azure.provider import instance_types
    from tools.benchmarks.cases import LOCATION

    catalog, own = load_location(LOCATION), AKSNodeClass(name="default")
    return {"seconds": _timed(lambda: instance_types(own, catalog))}


def simulate(deployments: str, replicas: str, days: str, cores: str, trace: str) -> dict[str, float]:
    """Return the processor seconds of a simulation with the plan that it begins with, its size and the peak memory.

    Garbage is collected as rarely as the command does.
    """
    from cutlist.verbs.simulate.answer import simulate as simulated
    from cutlist_cli.__main__ import collect_rarely
    from tools.benchmarks.simulate import Case

    collect_rarely()
    case = Case(int(deployments), int(replicas), float(days), 0, int(cores))
    inputs = case.inputs()
    started = time.process_time()
    run = simulated(inputs, [trace], days=case.days)
    seconds = time.process_time() - started
    nodes, pods = run.began
    sizes = {"nodes": nodes, "pods": pods, "commands": len(run.result.commands)}
    return {**sizes, "seconds": seconds, "peak_memory_mib": peak_memory_mib()}


def importing(*modules: str) -> dict[str, float]:
    """Return the seconds to import modules in a running interpreter."""
    return {"seconds": _timed(lambda: [import_module(name) for name in modules])}


def peak_memory_mib() -> float:
    """Return the peak memory of this process in MiB.

    On Linux this is the kernel's high-water mark for the program: the figure of getrusage still includes the parent's memory at
    the fork.
    """
    status = Path("/proc/self/status")
    if status.exists():
        marks = (line.split() for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        for _, kibibytes, _ in marks:
            return int(kibibytes) / _KIB_A_MIB
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (_MIB_DARWIN if sys.platform == "darwin" else _MIB)


def _timed(work: Callable[[], object]) -> float:
    gc.collect()
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


WHAT: dict[str, Callable[..., dict[str, float]]] = {
    "measure": measure,
    "catalogue": catalogue,
    "types": types,
    "plan": plan,
    "sizes": sizes,
    "simulate": simulate,
    "import": importing,
}


def main(arguments: list[str]) -> int:
    """Answer one request; a file that cannot be read gives an error message and exit code 1, without a traceback."""
    try:
        answer = WHAT[arguments[0]](*arguments[1:])
    except Exception as problem:  # the parent shows the message
        name = Path(arguments[2]).name if len(arguments) > 2 else arguments[0]
        sys.stderr.write(f"{name}: {type(problem).__name__}: {problem}\n")
        return 1
    print(json.dumps(answer))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
