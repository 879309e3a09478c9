"""What passes over one cluster share, worked out once: a pass then costs what its own pods cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from cutlist.api import NodePool
from cutlist.core.taints import PREFER_NO_SCHEDULE
from cutlist.scheduling.admissible import ignored_because
from cutlist.scheduling.admission import Admission
from cutlist.scheduling.cluster_pods import ClusterPods, ClusterPodsExcluding
from cutlist.scheduling.existingnode import ExistingNodeIndex
from cutlist.scheduling.existingnodes import ExistingNodes
from cutlist.scheduling.instancetype_indexes import InstanceTypeIndexes
from cutlist.scheduling.instancetype_options import InstanceTypeOptionsCache
from cutlist.scheduling.instancetypes import InstanceTypeIndex
from cutlist.scheduling.node_terms import NodeTerms, keys_asked_for
from cutlist.scheduling.nodeclaimtemplate import (
    DaemonPods,
    NodeClaimTemplate,
    daemon_groups,
    fresh_requirements,
    in_order,
    prefilter,
)
from cutlist.scheduling.nodeoverlays import overlay
from cutlist.scheduling.poddata import PodDataCache
from cutlist.scheduling.requirement_space import RequirementSpace
from cutlist.scheduling.reservationmanager import ReservationManager
from cutlist.scheduling.scheduler import Scheduler
from cutlist.scheduling.scheduler_inputs import SchedulerInputs
from cutlist.scheduling.topology import Topology
from cutlist.scheduling.topologydomains import TopologyDomains
from cutlist.state.pods import BoundPod
from cutlist.state.scheduling_node import usage
from cutlist.state.volumes import NO_VOLUMES

NOBODY: Final[Mapping[str, Sequence[BoundPod]]] = MappingProxyType({})
_READY_RESTS_ON: Final = {"ValidationSucceeded", "NodeClassReady"}


def takes_part(pool: NodePool) -> bool:
    """Whether the pool may open claims: not static, not being deleted, and not known to be unready (S-31).

    A pool without conditions has not met a controller yet and counts as ready. Once it has some, those that Ready rests on have
    to be among them, or Karpenter takes Ready itself for unknown.
    """
    said = {c.type: c.status for c in pool.conditions}
    ready = not said or (said.get("Ready") == "True" and said.keys() >= _READY_RESTS_ON)
    return ready and not pool.is_static and not pool.deleting


class SchedulingContext:
    """A cluster on which passes are run: its NodePools with their types, its nodes and what stands on them.

    `solver` starts a pass with pods of its own, with nodes and the pods on them taken away.
    """

    __slots__ = (
        "_admission",
        "_capacity",
        "_inputs",
        "_shapes",
        "_standing",
        "_stock",
        "_templates",
        "_tolerate_soft",
        "_universe",
        "_used",
        "tables",
        "type_lists",
    )

    def __init__(self, inputs: SchedulerInputs, tables: InstanceTypeIndexes | None = None) -> None:
        """From the inputs of a pass. Its batches tell which requests and labels pods ask for, also in later passes.

        `tables` are those of its types where some have been made, so that nothing is looked up in types twice.
        """
        self._inputs = inputs
        known = tables or InstanceTypeIndexes(inputs.types)
        if inputs.options.node_overlay and inputs.overlays:
            known = InstanceTypeIndexes(overlay(inputs.overlays, inputs.pools, known.types, inputs.registry).types)
        space = RequirementSpace(inputs.registry.well_known)
        pools = in_order(p for p in inputs.pools if takes_part(p))
        self.tables = {p.name: known.of(p.name, inputs.registry.well_known) for p in pools}
        self.type_lists = InstanceTypeOptionsCache()
        self._universe = TopologyDomains(((p, self.tables[p.name]) for p in pools), inputs.registry)
        daemons = DaemonPods(inputs.daemons, inputs.registry)
        self._templates = _templates(pools, self.tables, daemons, inputs, space)
        # Pools count that may launch nothing: their taints are on nodes that exist (spec 8).
        self._tolerate_soft = any(t.effect == PREFER_NO_SCHEDULE for pool in pools for t in pool.taints)
        resources = sorted({r for pod in (*inputs.daemons, *(b.pod for b in inputs.batches)) for r in pod.requests})
        lenient = not inputs.options.strict_min_values
        self._admission = Admission(space, resources, self._templates, lenient_min_values=lenient)
        self._shapes = PodDataCache(space, resources, inputs.registry, respect_preferences=inputs.options.respect_preferences)
        self._standing = ClusterPods((n.known for n in inputs.nodes), inputs.bound, inputs.registry)
        # Without a NodePool that takes part nothing is tried at all, nodes that exist included (S-31).
        self._stock = ExistingNodeIndex(inputs.nodes if pools else (), _terms(inputs, self._admission, daemons), space)
        self._used = usage(inputs.nodes)
        self._capacity = {n.name: usage([n]) for n in inputs.nodes}

    def solver(self, inputs: SchedulerInputs, gone: Mapping[str, Sequence[BoundPod]] = NOBODY) -> Scheduler:
        """A pass over its batches. `gone` are nodes by name that are not there, with the pods on them that nobody moves."""
        for template in self._templates:
            taken = {r: sum(self._of(n, template.name, r) for n in gone) for r in template.pool.limits}
            used, limits = self._used.get(template.name, {}), template.pool.limits
            template.remaining = {r: limit.nanos - used.get(r, 0) + taken[r] for r, limit in limits.items()}
            template.min_values_relaxed = False
        topology = Topology(
            universe=self._universe,
            registry=inputs.registry,
            namespaces=inputs.namespaces,
            standing=ClusterPodsExcluding(self._standing, gone),
            respect_preferences=inputs.options.respect_preferences,
        )
        sold = self.tables.values() if inputs.options.reserved_capacity else ()
        return Scheduler(
            inputs.batches,
            self._templates,
            self._admission,
            self._shapes,
            topology,
            inputs.volumes,
            {i: why for i in range(len(inputs.batches)) if (why := _ignored_because(i, inputs))},
            ReservationManager(sold, inputs.registry, self._admission.space, inputs.options.reserved_mode),
            ExistingNodes(self._stock, topology, gone, inputs.settled),
            tolerate_soft=self._tolerate_soft,
        )

    def _of(self, node: str, pool: str, resource: str) -> int:
        return self._capacity.get(node, {}).get(pool, {}).get(resource, 0)


def _ignored_because(number: int, inputs: SchedulerInputs) -> str | None:
    """Why pods are passed over. Those that move have been taken before; virtual ones come after that look (spec 11.2)."""
    batch = inputs.batches[number]
    if number in inputs.moving or batch.virtual:
        return None
    return ignored_because(batch.pod, inputs.registry) or inputs.volumes.get(number, NO_VOLUMES).problem


def _terms(inputs: SchedulerInputs, admission: Admission, daemons: DaemonPods) -> NodeTerms:
    pods = [b.pod for b in inputs.batches]
    keys = keys_asked_for((*pods, *daemons.pods), (b.pod for b in inputs.bound), inputs.volumes.values(), inputs.registry)
    return NodeTerms(admission.resources, {admission.amounts(p.requests) for p in pods}, keys, daemons.pods, inputs.registry)


def _templates(
    pools: Sequence[NodePool],
    tables: Mapping[str, InstanceTypeIndex],
    daemons: DaemonPods,
    inputs: SchedulerInputs,
    space: RequirementSpace,
) -> list[NodeClaimTemplate]:
    """Templates in the order in which they are tried. A pool that may launch nothing gives none (S-42)."""
    templates: list[NodeClaimTemplate] = []
    for pool in pools:
        requirements, table = fresh_requirements(pool, inputs.registry), tables[pool.name]
        mask = prefilter(table, requirements)
        if mask and inputs.options.strict_min_values:
            wanted = ((r.key, r.min_values) for r in requirements.values() if r.min_values is not None)
            mask = mask if all(table.distinct_values(key, mask) >= least for key, least in wanted) else 0
        if mask:
            template = NodeClaimTemplate(len(templates), pool, table, mask, space.number(requirements))
            template.groups = daemon_groups(template, daemons, space)
            templates.append(template)
    return templates
