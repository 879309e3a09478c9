"""The measured cases that are made, the same on every run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from cutlist import EC2NodeClass, Kubelet, NodePool
from cutlist.catalog.embedded import load
from cutlist.core.labels import AWS
from cutlist.core.quantity import amounts
from cutlist.providers.aws import instance_types
from cutlist.providers.instance_types import InstanceType
from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.scheduling.queue import PodBatch
from cutlist.workloads.pods import FrozenDict, Pod

if TYPE_CHECKING:
    from cutlist.planning.inputs import PlanInputs

REGION = "us-west-2"
LOCATION = "eastus"
SEED = 42


@dataclass(frozen=True, slots=True)
class Case:
    """A case to measure; `make` returns the inputs of the pass, and is not part of the measured time."""

    name: str
    make: Callable[[], SchedulerInputs]


def of_name(name: str) -> Case:
    """Return a case of this module by its name: `shapes:PODS:SHAPES`, `limit:PODS:FITTING`, `pools:PODS:POOLS`,
    `types:PODS:TYPES`."""
    kind, *numbers = name.split(":")
    first, second = map(int, numbers)
    return Case(name, lambda: MADE[kind](first, second))


def shapes(pods: int, of_shapes: int) -> SchedulerInputs:
    """Return pods in shapes without topology rules, all machines of the region, and one NodePool without requirements or
    limits.

    The same number of shapes always gives the same shapes, so that rows differ only in replicas.
    """
    return _pass([NodePool(name="default", node_class=node_class())], _batches(pods, of_shapes))


def limit(pods: int, fitting: int) -> SchedulerInputs:
    """Return equal pods of one cpu on machines of two, under a limit into which only some of them fit."""
    pool = NodePool(
        name="default",
        node_class=node_class(),
        requirements={"node.kubernetes.io/instance-type": ["m5.large"]},
        limits={"cpu": 2 * fitting},
    )
    return _pass([pool], [PodBatch("web", _pod("1", "1Gi"), pods)])


def pools(pods: int, of_pools: int) -> SchedulerInputs:
    """Return pods in 200 shapes over many NodePools, each with its own label; every fourth shape selects one of the pools."""
    node_pools = [
        NodePool(name=f"pool-{n:03d}", node_class=node_class(), labels={"team": f"team-{n}"}, weight=1 + n % 10)
        for n in range(of_pools)
    ]
    batches = [
        PodBatch(b.name, _pod_of(b.pod, {"team": f"team-{n % of_pools}"}) if n % 4 == 0 else b.pod, b.count, b.created, b.uid)
        for n, b in enumerate(_batches(pods, 200))
    ]
    return _pass(node_pools, batches)


def types(pods: int, of_types: int) -> SchedulerInputs:
    """Return pods in 200 shapes on a number of machines, taken evenly from those of the region that can hold every shape."""
    large = [t for t in region_types() if t.capacity["cpu"] >= 8 * 10**9 and t.capacity["memory"] >= 32 * 2**30 * 10**9]
    picked = tuple(large[n * len(large) // of_types] for n in range(min(of_types, len(large))))
    pool = NodePool(name="default", node_class=node_class())
    return SchedulerInputs(pools=[pool], types={"default": picked}, batches=_batches(pods, 200), registry=AWS)


MADE: Mapping[str, Callable[[int, int], SchedulerInputs]] = {"shapes": shapes, "limit": limit, "pools": pools, "types": types}


def node_class(number: int = 0, name: str = "") -> EC2NodeClass:
    """Return the node class of the cases made here, tagged by name; each number gives machines another number of pods."""
    return EC2NodeClass(
        name=name or (f"class-{number}" if number else "default"),
        role="KarpenterNodeRole-demo",
        ami="al2023@latest",
        discovery="demo",
        tags={"team": name},
        kubelet=Kubelet(max_pods=100 + number) if number else None,
    )


def own_classes(of_pools: int, of_shapes: int) -> PlanInputs:
    """Return NodePools that each have their own node class with its own tags; the classes make different kinds of nodes."""
    from cutlist.planning.inputs import PlanInputs  # no pass needs it, and its memory would count there

    classes = tuple(node_class(n % of_shapes, f"class-{n:03d}") for n in range(of_pools))
    node_pools = tuple(NodePool(name=f"pool-{n:03d}", node_class=own, limits={"cpu": 100}) for n, own in enumerate(classes))
    return PlanInputs(load(REGION), node_pools, classes)


def region_types() -> tuple[InstanceType, ...]:
    """Return every machine of the region under the node class."""
    return instance_types(node_class(), load(REGION))


def _pass(node_pools: list[NodePool], batches: list[PodBatch]) -> SchedulerInputs:
    types = region_types()
    return SchedulerInputs(pools=node_pools, types={p.name: types for p in node_pools}, batches=batches, registry=AWS)


def _batches(pods: int, of_shapes: int) -> list[PodBatch]:
    random = Random(SEED)  # noqa: S311 - the same shapes on every run, not secrets
    shapes: dict[tuple[int, int], None] = {}
    while len(shapes) < of_shapes:
        shapes[50 * random.randint(1, 80), 64 * random.randint(1, 256)] = None
    counts = [pods // of_shapes + (n < pods % of_shapes) for n in range(of_shapes)]
    return [
        PodBatch(f"shape-{n}", _pod(f"{cpu}m", f"{memory}Mi"), count, uid=f"{n:08d}")
        for n, ((cpu, memory), count) in enumerate(zip(shapes, counts, strict=True))
    ]


def _pod(cpu: str, memory: str) -> Pod:
    return Pod(requests=FrozenDict(amounts({"cpu": cpu, "memory": memory, "pods": "1"})))


def _pod_of(pod: Pod, node_selector: Mapping[str, str]) -> Pod:
    return Pod(requests=pod.requests, node_selector=FrozenDict(node_selector))
