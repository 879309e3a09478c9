"""The plan: which nodes a set of workloads will get. One pure function of its inputs (design: floor 6)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from cutlist.planned import Note, Plan, PoolTypes
from cutlist.planning.allowed import allowed_by, pool_types
from cutlist.planning.controllers import SELF_MANAGED, apart, registry_of, together
from cutlist.planning.expected_storage import completed
from cutlist.planning.findings import advice_in, findings, warnings_in
from cutlist.planning.given import PlanInputs
from cutlist.planning.launches import Launches, not_published
from cutlist.planning.nodes import filled_nodes, planned_nodes, pod_sizes
from cutlist.planning.notes import assumptions, pass_notes, rejected_overlays, warnings
from cutlist.planning.passes import run_passes
from cutlist.planning.pending import pending_pods
from cutlist.planning.pool_types import types_of_pools, used_classes
from cutlist.scheduling.batches import Batch
from cutlist.scheduling.overlays import Overlaid, overlay
from cutlist.scheduling.scheduler import PassInputs
from cutlist.workloads.groups import workload_name

__all__ = ["PlanInputs", "allowed_types", "odd_pools", "plan", "with_launches"]


def plan(inputs: PlanInputs) -> Plan:
    """Which nodes appear, at what price, and what stays pending. Equal inputs give equal plans, byte for byte.

    NodePools of EKS Auto Mode and of self-managed Karpenter are two controllers that plan by themselves.
    """
    parts = {name: replace(inputs, node_pools=pools) for name, pools in apart(inputs.node_pools).items()}
    if len(parts) < 2:
        return _plan(inputs)
    return together({name: _plan(part) for name, part in parts.items()})


def _plan(inputs: PlanInputs) -> Plan:
    """The plan of one controller."""
    workloads, registry = inputs.workloads, registry_of(inputs.node_pools)
    storage, storage_notes = completed(inputs.cluster.storage, workloads.groups)
    batches = _batches(inputs)
    overlaid = _overlaid(inputs)
    outcome = run_passes(
        PassInputs(
            pools=inputs.node_pools,
            types=overlaid.types,
            batches=batches,
            daemons=tuple(d.pod for d in workloads.daemons),
            registry=registry,
            options=inputs.options,
            namespaces=workloads.namespaces,
            nodes=inputs.cluster.nodes,
            bound=inputs.cluster.bound,
            volumes={
                number: storage.of_pod(group.pod, group.pod_name(0), registry)
                for number, group in enumerate(workloads.groups)
                if group.pod.volumes
            },
            moving=frozenset(range(len(batches) - len(inputs.cluster.moving), len(batches))),
        )
    )
    classes = used_classes(inputs.node_pools, inputs.node_classes)
    nodes = planned_nodes(outcome.result, batches, registry, classes, strict_min_values=inputs.options.strict_min_values)
    found = findings(inputs, overlaid.types, classes)
    return Plan(
        region=inputs.catalog.region,
        nodes=nodes,
        existing=filled_nodes(outcome.result, batches),
        pending=pending_pods(outcome, batches),
        assumptions=_ordered([*storage_notes, *assumptions(inputs, nodes), *pass_notes(outcome), *advice_in(found)]),
        warnings=_ordered([*inputs.warnings, *warnings(inputs), *rejected_overlays(overlaid), *warnings_in(found)]),
        passes=outcome.passes,
        pod_sizes=pod_sizes(nodes, batches),
    )


def with_launches(made: Plan, inputs: PlanInputs) -> Plan:
    """The plan of these inputs with the fleet requests that its nodes lead to: one for all nodes that would send the same.

    Nodes of EKS Auto Mode have none: EKS launches them, and what it asks for is not published.
    """
    ours = replace(inputs, node_pools=apart(inputs.node_pools).get(SELF_MANAGED, ()))
    classes = used_classes(ours.node_pools, inputs.node_classes)
    launches = Launches(_overlaid(ours).types, classes, inputs.clouds, inputs.options)
    nodes = tuple(replace(node, launch=launches.number(node)) for node in made.nodes)
    notes = (*made.assumptions, *not_published(nodes))
    return replace(made, nodes=nodes, launches=launches.all, assumptions=_ordered(notes))


def _overlaid(inputs: PlanInputs) -> Overlaid:
    """The types of one controller's NodePools, with what NodeOverlays change of them."""
    types = types_of_pools(inputs.node_pools, inputs.node_classes, inputs.clouds)
    registry = registry_of(inputs.node_pools)
    return overlay(inputs.overlays, inputs.node_pools, types, registry) if inputs.overlays else Overlaid(types)


def _batches(inputs: PlanInputs) -> list[Batch]:
    """Pending pods by workload in the order of the input, the pods of buffers, then those that have to leave nodes that go.

    The order decides between pods of equal size; Karpenter goes by creation time and then by a random id.
    """
    groups = [Batch(g.workload, g.pod, g.count) for g in inputs.workloads.groups]
    moving = [Batch(workload_name("Pod", p.pod.namespace, p.name), p.pod) for p in inputs.cluster.moving]
    buffers = [replace(b.batch, name=workload_name("CapacityBuffer", b.namespace, b.name)) for b in inputs.buffers]
    return [replace(batch, uid=f"{number:08d}") for number, batch in enumerate((*groups, *buffers, *moving))]


def _ordered(notes: Iterable[Note]) -> tuple[Note, ...]:
    return tuple(sorted(set(notes), key=lambda n: (n.code, n.text)))


def allowed_types(inputs: PlanInputs) -> tuple[PoolTypes, ...]:
    """The instance types that each NodePool may launch, cheapest first."""
    types = types_of_pools(inputs.node_pools, inputs.node_classes, inputs.clouds)
    classes = used_classes(inputs.node_pools, inputs.node_classes)
    return tuple(map(pool_types, allowed_by(inputs.node_pools, types, classes)))


def odd_pools(inputs: PlanInputs) -> tuple[Note, ...]:
    """What is odd about NodePools and node classes before any pod is looked at; a plan has it among its notes."""
    types = types_of_pools(inputs.node_pools, inputs.node_classes, inputs.clouds)
    found = findings(inputs, types, used_classes(inputs.node_pools, inputs.node_classes))
    return _ordered([*inputs.warnings, *found])
