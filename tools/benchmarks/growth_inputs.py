"""Inputs that grow in one dimension, and the commands that read them: `growth` takes their time, tests count their calls."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, Final

from tools.benchmarks.standard_input import LOG, REGION, node_of, pod_on, waiting, write_log
from tools.benchmarks.views import object_of, objects

Objects = Iterator[dict[str, Any]]
_FEW: Final = 4


@dataclass(frozen=True, slots=True)
class Dimension:
    """What grows. `write` makes the input of a size in an empty folder; `least` is the first of the sizes that are timed, of
    which each is twice the one before, and `counted` that of tests."""

    name: str
    least: int
    counted: int
    write: Callable[[Path, int], None]


def _one_file(made: Callable[[int], Objects]) -> Callable[[Path, int], None]:
    return lambda folder, size: _write(folder / "input.json", made(size))


def _write(file: Path, items: Objects) -> None:
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": list(items)}), encoding="utf-8")


def _pods(size: int) -> Objects:
    """Yield a few kinds of pods, each with more replicas."""
    every = list(objects(_FEW))
    for of in every[2:]:
        of["spec"]["replicas"] = size
    return iter(every)


def _kinds(size: int) -> Objects:
    """Yield Deployments of which no two are alike."""
    every = list(objects(_FEW))
    yield from every[:2]
    for number in range(size):
        of = json.loads(json.dumps(every[2 + number % _FEW]))
        of["metadata"]["name"] = f"service-{number}"
        (container,) = of["spec"]["template"]["spec"]["containers"]
        container["resources"]["requests"]["cpu"] = f"{100 + number}m"
        of["spec"]["template"]["spec"].pop("topologySpreadConstraints")
        yield of


def _pending(size: int) -> Objects:
    return chain(objects(_FEW), map(waiting, range(size)))


def _node_pools(size: int, *, own_classes: bool = False) -> Objects:
    """Yield NodePools that share a class, or have one each, and a few pods."""
    node_class, pool, *pods = objects(_FEW)
    yield node_class
    for number in range(size):
        spec = json.loads(json.dumps(pool["spec"]))
        if own_classes:
            spec["template"]["spec"]["nodeClassRef"]["name"] = f"class-{number}"
            yield object_of(
                "karpenter.k8s.aws/v1",
                "EC2NodeClass",
                f"class-{number}",
                {**node_class["spec"], "kubelet": {"maxPods": 40 + number}},
            )
        yield object_of("karpenter.sh/v1", "NodePool", f"pool-{number}", spec)
    yield from pods


def _nodes(size: int) -> Objects:
    """Yield a cluster with two pods on each node."""
    return chain(objects(_FEW), map(node_of, range(size)), (pod_on(n, n % size) for n in range(2 * size)))


def _files(folder: Path, size: int) -> None:
    _write(folder / "input.json", objects(_FEW))
    for number in range(size):
        of = object_of("v1", "ConfigMap", f"settings-{number}", {})
        (folder / f"settings-{number}.json").write_text(json.dumps(of), encoding="utf-8")


def _events(folder: Path, size: int) -> None:
    """Write changes of the replicas of a Deployment within a day, and as many lines of a log."""
    _write(folder / "input.json", objects(_FEW))
    rows = [f"{number * 86_000 // size},team-0/deployment/service-0,{1 + number % 3}" for number in range(size)]
    (folder / "trace.csv").write_text("\n".join(["time,workload,replicas", *rows]) + "\n", encoding="utf-8")


def _seeds(folder: Path, size: int) -> None:
    _write(folder / "input.json", objects(_FEW))
    (folder / "seeds").write_text(str(size), encoding="utf-8")


DIMENSIONS: Final[Mapping[str, Dimension]] = {
    of.name: of
    for of in (
        Dimension("pods", 25_000, 500, _one_file(_pods)),
        Dimension("kinds", 50, 6, _one_file(_kinds)),
        Dimension("pending kinds", 25, 4, _one_file(_pending)),
        Dimension("NodePools", 10, 3, _one_file(_node_pools)),
        Dimension("node classes", 5, 2, _one_file(lambda size: _node_pools(size, own_classes=True))),
        Dimension("nodes", 50, 6, _one_file(_nodes)),
        Dimension("files", 200, 10, _files),
        Dimension("events", 50, 6, _events),
        Dimension("lines of a log", 1_000, 10, write_log),
        Dimension("seeds", 2, 2, _seeds),
    )
}
_PLANNED: Final = ("-f", "{folder}", "--region", REGION)
_OF_PLANS: Final = ("pods", "kinds", "pending kinds", "NodePools", "node classes", "files")
_OF_CLUSTERS: Final = ("nodes",)


@dataclass(frozen=True, slots=True)
class Verb:
    """A command with its arguments, and the dimensions that it has; `{folder}` is where the input is. Its `smaller` dimensions
    begin at such a part of the usual size, since it makes many plans."""

    arguments: Sequence[str]
    dimensions: Sequence[str]
    smaller: Mapping[str, int] = field(default_factory=dict)

    def least(self, dimension: str) -> int:
        """Return the first of the sizes that are timed."""
        return max(1, DIMENSIONS[dimension].least // self.smaller.get(dimension, 1))

    def on(self, folder: Path, dimension: str) -> list[str]:
        """Return the arguments for an input in a folder."""
        more = ("--seeds", (folder / "seeds").read_text(), "--workers", "1") if dimension == "seeds" else ()
        trace = ("--trace", str(folder / "trace.csv")) if dimension == "events" else ()
        return [each.replace("{folder}", str(folder)) for each in (*self.arguments, *more, *trace)]


VERBS: Final[Mapping[str, Verb]] = {
    "plan": Verb(("plan", *_PLANNED), (*_OF_PLANS, *_OF_CLUSTERS)),
    "gate": Verb(("gate", *_PLANNED), (*_OF_PLANS, *_OF_CLUSTERS)),
    "validate": Verb(("validate", "-f", "{folder}"), (*_OF_PLANS, *_OF_CLUSTERS)),
    "explain": Verb(("explain", "team-0/deployment/service-0", *_PLANNED), _OF_PLANS),
    "diff": Verb(("diff", "{folder}", "{folder}", "--region", REGION), (*_OF_PLANS, *_OF_CLUSTERS)),
    "suggest": Verb(
        ("suggest", *_PLANNED, "--plans", "2", "--bound", "quick"), ("pods", "kinds", "NodePools", "files"), {"pods": 100}
    ),
    "types": Verb(("types", *_PLANNED), ("NodePools", "node classes", "files")),
    "why": Verb(("why", "open", *_PLANNED), ("kinds", "pending kinds", "nodes")),
    "budgets": Verb(("budgets", "-f", "{folder}"), ("NodePools", "nodes", "files")),
    "upgrade": Verb(("upgrade", *_PLANNED, "--from", "1.12.0", "--target", "1.13.0"), ("NodePools", "kinds", "files")),
    "convert": Verb(("convert", "-f", "{folder}"), ("NodePools", "files")),
    "nodes": Verb(("nodes", *_PLANNED), _OF_CLUSTERS),
    "disrupt": Verb(("disrupt", *_PLANNED), _OF_CLUSTERS),
    "interrupt": Verb(("interrupt", *_PLANNED, "--spot-in", f"{REGION}a"), _OF_CLUSTERS),
    "verify": Verb(("verify", *_PLANNED, "--cluster", "{folder}/input.json", "--allow-empty"), _OF_CLUSTERS),
    "simulate": Verb(("simulate", *_PLANNED, "--days", "1"), ("pods", "kinds", "nodes", "events", "seeds"), {"pods": 100}),
    "history": Verb(("history", "-f", f"{{folder}}/{LOG}"), ("lines of a log",)),
}


def cases() -> list[tuple[str, str]]:
    """Return each verb with each of its dimensions."""
    return [(verb, dimension) for verb, of in VERBS.items() for dimension in of.dimensions]
