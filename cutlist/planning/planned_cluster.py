"""A plan as the cluster that it describes: its nodes exist with their pods and daemons, and pending pods wait.

What a plan does not hold, such as the rules of pods, comes from the inputs that it was made from. When it is planned again, the
cluster gets no further node and leaves the same pods pending.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.api.read import NodeClass
from cutlist.core.errors import Place, Problem, Problems, nearest
from cutlist.core.labels import CORE, ZONE
from cutlist.core.quantity import merge, subtract
from cutlist.core.requirements import Requirements
from cutlist.devices.inventory import DeviceInventory
from cutlist.planning.assumed_storage import with_assumed_storage
from cutlist.planning.built_in_classes import built_in_classes
from cutlist.planning.controllers import registry_of
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.late_volumes import LateVolumes
from cutlist.planning.model import Plan
from cutlist.planning.node_objects import PlannedLaunch, launched_nodes
from cutlist.planning.planned_pods import PlannedPods
from cutlist.scheduling.dynamicresources.running import claims_held, published_slices, with_held, with_slices
from cutlist.state.cluster import Cluster
from cutlist.state.pods import RunningPod, TopologyPods
from cutlist.state.scheduling_node import SchedulingNode, scheduling_node
from cutlist.state.volumes import Attachment, Storage
from cutlist.workloads.objects import EvictionBudgets
from cutlist.workloads.pods import Pod

_MADE_FROM: Final = "the files that the plan was made from"

_PodsOfNodes = Mapping[str, Sequence[RunningPod]]


def with_plan(inputs: PlanInputs, plan: Plan, at: float = 0) -> PlanInputs:
    """Return the inputs after their plan has been carried out: everything was launched and started at an instant (seconds since
    1970).

    Raises InputError for a plan of other inputs: of another region, or with NodePools, types, nodes or pods that these do not
    have.
    """
    storage, _ = with_assumed_storage(inputs.cluster.storage, inputs.workloads.groups, built_in_classes(inputs.catalog))
    pods = PlannedPods(inputs, storage, registry_of(inputs.node_pools), at)
    _check(inputs, plan, pods)
    launched = launched_nodes(inputs, plan, at)
    existing = {n.name: n for n in inputs.cluster.nodes}
    on_new = {node.name: [*node.daemons, *pods.take(node.planned.pods, node.name, node.labels)] for node in launched}
    on_old = {f.name: pods.take(f.pods, existing[f.name].node or f.name, existing[f.name].labels) for f in plan.existing}
    zones = {n.node or n.name: n.labels.get(ZONE, "") for n in existing.values()}
    zones |= {node.name: node.labels.get(ZONE, "") for node in launched}
    assumed, _ = with_assumed_storage(
        inputs.cluster.storage, (*inputs.workloads.groups, *pods.claimants()), built_in_classes(inputs.catalog)
    )
    bound = _with_volumes_bound(inputs.cluster.storage, assumed, [*on_new.values(), *on_old.values()], zones)
    cluster = _grown(inputs.cluster, launched, on_new, on_old, bound, pods.moved)
    taken = Counter(i for node in launched for i in node.reservations)
    devices = _with_devices(inputs, launched, on_new)
    return replace(
        inputs,
        cluster=cluster,
        devices=devices,
        node_classes=tuple(_with_less_reserved(c, taken) for c in inputs.node_classes),
        workloads=replace(inputs.workloads, groups=pods.waiting()),
    )


def _with_devices(inputs: PlanInputs, launched: Sequence[PlannedLaunch], on_new: _PodsOfNodes) -> DeviceInventory:
    """Return the objects for devices with those that the new nodes publish, and that their pods hold."""
    if inputs.options.ignore_dra_requests:
        return inputs.devices
    registry = registry_of(inputs.node_pools)
    published = [s for node in launched for s in published_slices(node.name, node.dynamic_resources)]
    devices = with_slices(inputs.devices, published)
    for node in launched:
        labels = Requirements.of_labels(node.labels, registry)
        for pod in (p for p in on_new[node.name] if p.pod.resource_claims):
            held = claims_held(devices, node.name, labels, pod.pod, pod.name, pod.uid, registry.well_known)
            devices = with_held(devices, held)
    return devices


def check_pools(plan: Plan, pools: Iterable[str]) -> None:
    """Raise InputError where a plan has nodes of other NodePools than these."""
    Problems(_unknown_pools(plan, pools)).raise_if_any()


def _unknown_pools(plan: Plan, pools: Iterable[str]) -> list[Problem]:
    known = sorted(pools)
    return [
        Problem(
            Place(path="nodes.nodePool"),
            f"NodePool {name} of the plan is not in the input",
            ", ".join(known) or _MADE_FROM,
            nearest(name, known),
        )
        for name in sorted({n.node_pool for n in plan.nodes}.difference(known))
    ]


def _check(inputs: PlanInputs, plan: Plan, pods: PlannedPods) -> None:
    """Raise InputError if the plan was not made from these inputs."""
    problems = Problems(_unknown_pools(plan, [p.name for p in inputs.node_pools]))
    if plan.region != inputs.catalog.region:
        problems.add(Place(path="region"), f"the plan is for {plan.region}, and the inputs are for {inputs.catalog.region}")
    nodes = sorted(n.name for n in inputs.cluster.nodes)
    for name in sorted({n.name for n in plan.existing}.difference(nodes)):
        text = f"node {name}, which takes pods in the plan, is not in the input"
        problems.add(Place(path="existing.name"), text, ", ".join(nodes[:20]), nearest(name, nodes))
    placed = Counter[str]()
    for shares, count in (*((n.pods, n.count) for n in plan.nodes), *((n.pods, 1) for n in plan.existing)):
        for share in shares:
            placed[share.workload] += share.count * count
    for workload, count in sorted(placed.items()):
        in_input = pods.counts.get(workload, 0)
        if not in_input:
            text = f"{workload} of the plan is not in the input"
            problems.add(Place(path="nodes.pods"), text, _MADE_FROM, nearest(workload, pods.counts))
        elif count > in_input:
            text = f"the plan places {count:,} pods of {workload}, and the input has {in_input:,}"
            problems.add(Place(path="nodes.pods"), text, _MADE_FROM)
    problems.raise_if_any()


def _with_volumes_bound(
    storage: Storage, assumed: Storage, running: Iterable[Sequence[RunningPod]], zones: Mapping[str, str]
) -> Storage:
    """Return a storage with the claims of pods that run bound, in the first of their zones; others are assumed."""
    late = LateVolumes(assumed)
    with_volumes = [p for pods in running for p in pods if p.pod.volumes]
    for pod in sorted(with_volumes, key=lambda p: zones[p.node]):
        late.bind(pod.pod, pod.name, zones[pod.node])
    return late.added_to(storage)


def _grown(
    cluster: Cluster,
    launched: Sequence[PlannedLaunch],
    on_new: _PodsOfNodes,
    on_old: _PodsOfNodes,
    storage: Storage,
    moved: Sequence[RunningPod],
) -> Cluster:
    """Return the cluster with the new nodes, and with the pods placed on new and existing nodes."""
    elsewhere = {(p.pod.namespace, p.name) for p in moved}
    running = [p for pods in (*on_new.values(), *on_old.values()) for p in pods]
    nodes = [
        *(_filled(node, on_old.get(node.name, ()), storage) for node in cluster.nodes),
        *(_state(node, on_new[node.name], storage) for node in launched),
    ]
    pods = (*(p for p in cluster.pods if (p.pod.namespace, p.name) not in elsewhere), *running)
    return replace(
        cluster,
        nodes=tuple(nodes),
        origins=(*cluster.origins, *(node.origin for node in launched)),
        bound=(*cluster.bound, *_alike(running)),
        moving=tuple(p for p in cluster.moving if (p.pod.namespace, p.name) not in elsewhere),
        pods=pods,
        budgets=_with_status(cluster.budgets, [p.pod for p in pods if p.active and p.node]),
        storage=storage,
    )


def _state(node: PlannedLaunch, pods: Sequence[RunningPod], storage: Storage) -> SchedulingNode:
    return replace(scheduling_node(*node.origin, pods, attached=_attached(pods, storage)), attach_limits=node.attach_limits)


def _filled(node: SchedulingNode, pods: Sequence[RunningPod], storage: Storage) -> SchedulingNode:
    if not pods:
        return node
    return replace(
        node,
        available=subtract(node.available, merge(*(p.pod.requests for p in pods))),
        ports=node.ports | {port for p in pods for port in p.pod.host_ports},
        attached=node.attached | _attached(pods, storage),
    )


def _attached(pods: Iterable[RunningPod], storage: Storage) -> frozenset[Attachment]:
    return frozenset(a for p in pods if p.pod.volumes for a in storage.of_pod(p.pod, p.name, CORE).attached)


def _alike(running: Iterable[RunningPod]) -> list[TopologyPods]:
    """Return pods as topology counts them, with equal ones on a node merged."""
    counts: Counter[tuple[str, Pod]] = Counter((p.node, p.pod) for p in running)
    return [TopologyPods(pod, node, pods=count) for (node, pod), count in counts.items()]


def _with_status(budgets: EvictionBudgets, running: Sequence[Pod]) -> EvictionBudgets:
    """Return the budgets with how many evictions they allow once all these pods are healthy, unless a controller has already
    set that."""
    listed = [b for of_namespace in budgets.by_namespace.values() for b in of_namespace]
    return EvictionBudgets.of(b if b.raw.get("status") else b.with_healthy(running) for b in listed)


def _with_less_reserved(node_class: NodeClass, taken: Mapping[str, int]) -> NodeClass:
    """Return a node class whose reservations have fewer instances free."""
    if not isinstance(node_class, EC2NodeClass) or not any(r.id in taken for r in node_class.capacity_reservations):
        return node_class
    manifest = node_class.manifest()
    reservations = []
    for entry in manifest["status"]["capacityReservations"]:
        free = entry.get("availableInstanceCount")
        rest = {} if free is None else {"availableInstanceCount": max(0, free - taken.get(entry["id"], 0))}
        reservations.append({**entry, **rest})
    return EC2NodeClass.from_manifest({**manifest, "status": {**manifest["status"], "capacityReservations": reservations}})
