"""Limits on the number of pods and on interfaces of a node that are below what the pods of the input ask for (spec: A-28 to
A-31)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Final

from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.api.read import NodeClass
from cutlist.core.labels import ARCH
from cutlist.core.notes import Note
from cutlist.core.quantity import NANO, amount_text
from cutlist.core.wording import counted, first_of
from cutlist.planning.model import PlannedNode
from cutlist.planning.traps.setup import PoolSetup, Setup
from cutlist.providers.instance_types import CPU, MEMORY, PODS, InstanceType
from cutlist.workloads.groups import PodGroup
from cutlist.workloads.pods import Pod

FULL_OF_PODS: Final = "nodes-full-of-pods"
"""The code of the note on nodes that the number of their pods fills while cpu and memory are idle."""
NO_PODS_LEFT: Final = "pod-limit-below-daemons"
"""The code of the note on a limit on pods that the DaemonSets alone reach."""
NOT_OFFERED: Final = "resource-not-offered"
"""The code of the note on a resource that no allowed instance type has enough of."""
_IDLE: Final = 0.5
_NAMED: Final = 3
_INTERFACES: Final = "vpc.amazonaws.com/"  # pod-eni, efa, PrivateIPv4Address


def nodes_full_of_pods(setup: Setup) -> Iterator[Note]:
    """Yield a note for each NodePool of which several planned nodes have as many pods as they may, and little else."""
    for pool in setup.pools:
        full = [node for node in setup.nodes if node.node_pool == pool.name and _is_full_of_pods(node)]
        count = sum(node.count for node in full)
        if count > 1:
            most = sorted({node.allocatable[PODS] // NANO for node in full})
            used = max(max(_share(node, CPU), _share(node, MEMORY)) for node in full)
            text = f"NodePool {pool.name}: {counted(count, 'node')} are full with {' or '.join(map(str, most))} pods"
            text += f" while at most {used:.0%} of their cpu and memory is requested"
            yield Note(FULL_OF_PODS, f"{text}; {_way_out(pool.node_class)}, or allow smaller instance types")


def _is_full_of_pods(node: PlannedNode) -> bool:
    full = node.requests.get(PODS, 0) >= node.allocatable.get(PODS, 0) > 0
    return full and max(_share(node, CPU), _share(node, MEMORY)) < _IDLE


def _share(node: PlannedNode, resource: str) -> float:
    whole = node.allocatable.get(resource, 0)
    return node.requests.get(resource, 0) / whole if whole else 0.0


def _way_out(node_class: NodeClass | None) -> str:
    limit = written_limit(node_class)
    if limit:
        return f"raise {limit}"
    return "raise maxPods, with prefix delegation in the VPC CNI for the addresses"


def written_limit(node_class: NodeClass | None) -> str:
    """Return the setting of a class that limits the pods of its nodes, with its value; empty without one."""
    kubelet = node_class.kubelet if isinstance(node_class, EC2NodeClass) else None
    if kubelet is None:
        return ""
    if kubelet.max_pods is not None:
        return f"spec.kubelet.maxPods {kubelet.max_pods}"
    return f"spec.kubelet.podsPerCore {kubelet.pods_per_core}" if kubelet.pods_per_core else ""


def pod_limits_below_daemons(setup: Setup) -> Iterator[Note]:
    """Yield a note for each NodePool whose nodes may have no more pods than the DaemonSets of the input put there."""
    return pod_limits_below(setup.pools, [(daemon.workload, daemon.pod) for daemon in setup.workloads.daemons])


def pod_limits_below(pools: Iterable[PoolSetup], daemons: Sequence[tuple[str, Pod]]) -> Iterator[Note]:
    """Yield the same for DaemonSets with their names."""
    for pool in pools:
        limit = written_limit(pool.node_class)
        running = [workload for workload, pod in daemons if limit and pool.takes(pod)]
        if pool.node_class is None or not running:
            continue
        most = max(pool.types.capacities(PODS), default=0) // NANO
        if 0 < most <= len(running):
            text = f"{pool.node_class.KIND} {pool.node_class.name}: {limit} lets nodes of NodePool {pool.name} have at most"
            text += f" {counted(most, 'pod')}, and {counted(len(running), 'DaemonSet')} take them all"
            yield Note(NO_PODS_LEFT, f"{text} ({first_of(sorted(running), _NAMED)}); raise it above {len(running)}")


def resources_not_offered(setup: Setup) -> Iterator[Note]:
    """Yield a note for each kind of interface of which pods ask for more than any instance type has that NodePools allow
    them."""
    for group in setup.groups:
        pools = [pool for pool in setup.pools if pool.types and pool.takes(group.pod)]
        for resource, asked in sorted(group.pod.requests.items()) if pools else ():
            if resource.startswith(_INTERFACES) and resource not in setup.overlaid:
                yield from _not_offered(group, resource, asked, pools)


def _not_offered(group: PodGroup, resource: str, asked: int, pools: list[PoolSetup]) -> Iterator[Note]:
    most = max(max(pool.types.capacities(resource)) for pool in pools)
    if asked <= most:
        return
    names = first_of([pool.name for pool in pools], _NAMED)
    has = f"at most {amount_text(resource, most)}" if most else "none"
    text = f"{group.workload} asks for {amount_text(resource, asked)} {resource}; instance types of NodePool {names} have {has}"
    own = {labels.single_value(ARCH) for pool in pools for labels in pool.types.labels}
    others = {t.name: t for pool in pools for t in pool.class_types if t.capacity.get(resource, 0) >= asked}
    smallest = min(others, key=lambda name: _unlikeness(others[name], own), default="")
    fix = f"allow a type that has, such as {smallest}" if smallest else "no type of its class has as many; ask for less"
    yield Note(NOT_OFFERED, f"{text}; {fix}")


def _unlikeness(other: InstanceType, architectures: Set[str]) -> tuple[bool, bool, int, str]:
    """Return how far a type is from what a NodePool has: of another architecture, with accelerators, large."""
    devices = any("/" in resource and amount for resource, amount in other.capacity.items() if _INTERFACES not in resource)
    return other.requirements.single_value(ARCH) not in architectures, devices, other.capacity[CPU], other.name
