"""Schedulers for passes over a cluster (spec: scheduling 4.3, 11.1; Karpenter's `Provisioner`).

A `SchedulingContext` holds what passes over one cluster share, computed once: the cost of a pass is then that of its own pods.
`prepare` makes the scheduler of a single pass.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from operator import attrgetter
from types import MappingProxyType
from typing import Final

from cutlist.api.nodepool import NodePool
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.labels import INSTANCE_TYPE, NODEPOOL
from cutlist.core.quantity import merge, subtract_all
from cutlist.core.taints import PREFER_NO_SCHEDULE
from cutlist.scheduling import nodeclaimtemplate
from cutlist.scheduling.cluster_pods import ClusterPods, ClusterPodsExcluding
from cutlist.scheduling.defaultconstraints import with_default_spread
from cutlist.scheduling.dynamicresources.admission import DeviceAdmission
from cutlist.scheduling.dynamicresources.allocator import Allocator
from cutlist.scheduling.dynamicresources.held import held_devices
from cutlist.scheduling.existingnode import ExistingNodeIndex, counted_limits
from cutlist.scheduling.existingnodes import ExistingNodes
from cutlist.scheduling.inputs import SchedulerInputs, SchedulerOptions, ignored_in, takes_part
from cutlist.scheduling.instancetype_options import InstanceTypeOptionsCache
from cutlist.scheduling.instancetypes import InstanceTypeIndex, InstanceTypeIndexes
from cutlist.scheduling.node_terms import NodeTerms, keys_asked_for
from cutlist.scheduling.nodeclaim import ClaimAdmission
from cutlist.scheduling.nodeoverlays import overlay
from cutlist.scheduling.poddata import PodData, PodDataCache
from cutlist.scheduling.requirement_space import RequirementSpace
from cutlist.scheduling.reservationmanager import ReservationManager, ReservedOfferingMode
from cutlist.scheduling.scheduler import Scheduler
from cutlist.scheduling.topology import Topology
from cutlist.scheduling.topologydomaingroup import TopologyDomainGroups
from cutlist.state.full_nodes import FullNodes
from cutlist.state.pods import TopologyPods
from cutlist.state.scheduling_node import SchedulingNode, usage
from cutlist.workloads.pods import Pod

NO_NODES: Final[Mapping[str, Sequence[TopologyPods]]] = MappingProxyType({})
_ROOM: Final = frozenset({"available", "daemon_requests", "ports", "attached", "resting"})
_besides_room: Final = attrgetter(*(f.name for f in fields(SchedulingNode) if f.name not in _ROOM))
"""All that a node has but its room and whether it rests."""
_NO_TYPES: Final = "NodePool requirements filtered out all compatible available instance types"


def prepare(inputs: SchedulerInputs, instance_types: InstanceTypeIndexes | None = None) -> Scheduler:
    """Return a scheduler before its first pod. `instance_types` are the indexes of its types if there are any."""
    return SchedulingContext(inputs, instance_types).new_scheduler(inputs)


class SchedulingContext:
    """A cluster for several passes: its NodePools with their types, its nodes and the pods on them.

    `new_scheduler` starts a pass with its own pods, excluding some nodes and the pods on them.
    """

    __slots__ = (
        "_admission",
        "_cached_pod_data",
        "_capacity",
        "_cluster_pods",
        "_domain_groups",
        "_has_pools",
        "_inputs",
        "_node_index",
        "_nodes",
        "_reservations",
        "_templates",
        "_tolerate_prefer_no_schedule",
        "_used",
        "filtered_out",
        "instance_type_options",
        "instance_types",
    )

    def __init__(self, inputs: SchedulerInputs, instance_types: InstanceTypeIndexes | None = None) -> None:
        """Prepare from the inputs of a pass. Its batches determine the requests and labels that pods may have, also in later
        passes.

        `instance_types` are the indexes of its types if there are any, so that no types are indexed twice.
        """
        inputs = with_default_spread(inputs)
        self._inputs = inputs
        self._reservations: dict[tuple[bool, ReservedOfferingMode], ReservationManager] = {}
        indexes = instance_types or InstanceTypeIndexes(inputs.types, inputs.options.karpenter)
        if inputs.options.node_overlay and inputs.overlays:
            overlaid = overlay(inputs.overlays, inputs.pools, indexes.types, inputs.registry).types
            indexes = InstanceTypeIndexes(overlaid, inputs.options.karpenter)
        space = RequirementSpace(inputs.registry.well_known)
        pools = nodeclaimtemplate.in_order(p for p in inputs.pools if takes_part(p))
        self.instance_types = {p.name: indexes.of(p.name, inputs.registry.well_known) for p in pools}
        self.instance_type_options = InstanceTypeOptionsCache()
        self._domain_groups = TopologyDomainGroups(((p, self.instance_types[p.name]) for p in pools), inputs.registry)
        # With the option at its default, daemons with claims are no overhead.
        ignore_dra = inputs.options.ignore_dra_requests
        daemons = nodeclaimtemplate.DaemonPods(inputs.daemons, inputs.registry, ignore_dra_requests=ignore_dra)
        self._templates = _templates(pools, self.instance_types, daemons, inputs, space)
        usable = {template.name for template in self._templates}
        self.filtered_out = {
            p.name: _filtered_out(p, self.instance_types[p.name], inputs) for p in pools if p.name not in usable
        }
        # Pools count even if they may launch nothing: their taints are on existing nodes (spec 8).
        self._tolerate_prefer_no_schedule = any(t.effect == PREFER_NO_SCHEDULE for pool in pools for t in pool.taints)
        # Only what is requested is compared: types differ in many more resources than any pod asks for.
        resources = sorted({r for pod in (*inputs.daemons, *(b.pod for b in inputs.batches)) for r in pod.requests})
        lenient = not inputs.options.strict_min_values
        self._admission = ClaimAdmission(space, resources, self._templates, lenient_min_values=lenient)
        self._cached_pod_data = PodDataCache(
            space,
            resources,
            inputs.registry,
            respect_preferences=inputs.options.respect_preferences,
            minds_attachments=any(index.limits_attachments for index in self.instance_types.values()),
        )
        self._cluster_pods = ClusterPods((n.topology_node for n in inputs.nodes), inputs.bound, inputs.registry)
        # Without a participating NodePool nothing is tried at all, not even existing nodes (S-31).
        self._has_pools = bool(pools)
        self._node_index = ExistingNodeIndex(
            inputs.nodes if pools else (), _terms(inputs, self._admission, daemons), space, self._attach_limits
        )
        self._used: dict[str, dict[str, int]] = {}
        self._capacity: dict[str, dict[str, dict[str, int]]] = {}
        self._count_usage(inputs.nodes)
        self._count_full(inputs.full)
        self._nodes = {n.name: n for n in inputs.nodes}

    def new_scheduler(self, inputs: SchedulerInputs, excluded: Mapping[str, Sequence[TopologyPods]] = NO_NODES) -> Scheduler:
        """Return a pass over some batches. `excluded` are names of nodes to leave out, with those of their pods that are not
        moved."""
        inputs = with_default_spread(inputs)
        for template in self._templates:
            # Templates are shared by all passes of a context, so what a pass has spent is reset here. Nodes that are left out
            # do not count against limits (spec: disruption 5.1).
            taken = {r: sum(self._of(n, template.name, r) for n in excluded) for r in template.pool.limits}
            used, limits = self._used.get(template.name, {}), template.pool.limits
            template.remaining = {r: limit.nanos - used.get(r, 0) + taken[r] for r, limit in limits.items()}
            template.min_values_relaxed = False
        topology = Topology(
            domain_groups=self._domain_groups,
            registry=inputs.registry,
            namespaces=inputs.namespaces,
            cluster_pods=ClusterPodsExcluding(self._cluster_pods, excluded),
            respect_preferences=inputs.options.respect_preferences,
        )
        devices = self._new_devices(inputs, excluded)
        return Scheduler(
            inputs.batches,
            self._templates,
            self._admission,
            self._cached_pod_data,
            topology,
            inputs.volumes,
            {i: cause for i in range(len(inputs.batches)) if (cause := ignored_in(inputs, i))},
            self._new_reservations(inputs.options),
            ExistingNodes(self._node_index, topology, excluded, inputs.settled, devices),
            tolerate_prefer_no_schedule=self._tolerate_prefer_no_schedule,
            karpenter=inputs.options.karpenter,
            devices=devices,
        )

    @property
    def existing_nodes(self) -> ExistingNodeIndex:
        """Return the nodes before a pass."""
        return self._node_index

    @property
    def resources(self) -> Sequence[str]:
        """Return the order of resources in which passes have what pods request."""
        return self._admission.resources

    @property
    def tolerates_prefer_no_schedule(self) -> bool:
        """Tell whether pods may come to tolerate taints of the effect PreferNoSchedule, because some NodePool has one."""
        return self._tolerate_prefer_no_schedule

    def data_of(self, pod: Pod) -> PodData:
        """Return a pod without volumes as passes see it."""
        return self._cached_pod_data.of(pod)

    @property
    def least_overheads(self) -> Mapping[str, Mapping[str, int]]:
        """Return what DaemonSets request at least on each node of a NodePool, in nano-units."""
        least: dict[str, Mapping[str, int]] = {}
        for template in self._templates:
            overheads = [group.overhead for group in template.groups]
            shared = set.intersection(*(set(o) for o in overheads)) if overheads else set()
            least[template.name] = {r: min(o[r] for o in overheads) for r in sorted(shared)}
        return least

    @property
    def used_of_limits(self) -> tuple[tuple[str, int], ...]:
        """Return how much nodes use of the limits of their NodePools, in nano-units; empty where no NodePool has limits."""
        limited = ((t.name, r) for t in self._templates for r in sorted(t.pool.limits))
        return tuple((pool, self._used.get(pool, {}).get(r, 0)) for pool, r in limited)

    def has_claims_for(self, pod_data: PodData) -> bool:
        """Tell whether it is certain that a pass puts every such pod on a claim, if no rule examines it and no node takes it.

        That is so where a NodePool without limits takes it, and neither reservations nor `minValues` undo a claim.
        """
        templates, admission = self._templates, self._admission
        # A claim that could use a reservation may be refused later; then nothing is certain.
        if self._new_reservations(self._inputs.options).active:
            return False
        if any(admission.space.min_values(template.requirements) for template in templates):
            return False
        unlimited = [admission.new_claim(template, template.mask) for template in templates if not template.pool.limits]
        return any(admission.add(claim, pod_data, to) for claim in unlimited for to in admission.narrow(claim, pod_data))

    def is_extended_by(self, inputs: SchedulerInputs) -> bool:
        """Tell whether a later pass differs from these inputs at most by more nodes and bound pods, and by numbers of pods."""
        before = self._inputs
        return (
            # By identity: equal lists would have to be compared type by type.
            inputs.types is before.types
            and [n.name for n in inputs.nodes[: len(before.nodes)]] == [n.name for n in before.nodes]
            and (inputs.volumes is before.volumes or _volume_keys(inputs) == _volume_keys(before))
        )

    def extend(self, inputs: SchedulerInputs) -> None:
        """Append the nodes and bound pods of a later pass; nodes already known may have more pods."""
        before, self._inputs = self._inputs, inputs
        launched = inputs.nodes[len(before.nodes) :]
        if self._has_pools:
            for node, was in zip(inputs.nodes, before.nodes, strict=False):
                if node is not was and node.in_pass:
                    self._node_index.replace(node)
            self._node_index.add(launched)
        self._cluster_pods.add((n.topology_node for n in launched), inputs.bound[len(before.bound) :])
        self._count_usage(launched)
        self._count_full(inputs.full[len(before.full) :])
        self._nodes.update((n.name, n) for n in inputs.nodes)

    def change(
        self,
        before: Sequence[SchedulingNode],
        after: Sequence[SchedulingNode],
        ended: Iterable[TopologyPods] = (),
        bound: Iterable[TopologyPods] = (),
    ) -> None:
        """Replace nodes by others, with the pods that are bound no longer, and those that are bound now.

        The pods have to be of the kinds that the context was prepared for, and all pods of a node that is replaced or removed
        have to be among those that end.
        """
        kept = {n.name: n for n in after}
        for node in before:
            self._nodes.pop(node.name, None)
        self._nodes.update(kept)
        was = {n.name: n for n in before}
        same_place = {name for name, node in kept.items() if name in was and _differs_in_room_alone(was[name], node)}
        # A node that differs in its room alone keeps its number. Any other change moves the numbers behind it, which costs a
        # pass over all sets of nodes.
        self._cluster_pods.remove([n.node or n.name for n in before if n.name not in same_place], ended)
        self._cluster_pods.add([n.topology_node for n in after if n.name not in same_place], bound)
        if self._has_pools:
            for node in (n for n in before if n.name not in same_place and n.in_pass):
                self._node_index.remove(node)
            self._node_index.add(n for n in after if n.name not in same_place)
            for node in (kept[name] for name in sorted(same_place) if kept[name].in_pass):
                self._node_index.replace(node)
                self._node_index.rest(node)
        for pool, amounts in usage([n for n in before if n.name not in same_place]).items():
            self._used[pool] = subtract_all(self._used[pool], amounts)
        self._count_usage([n for n in after if n.name not in same_place])

    def _count_usage(self, nodes: Sequence[SchedulingNode]) -> None:
        for pool, amounts in usage(nodes).items():
            self._used[pool] = merge(self._used.get(pool, {}), amounts)
        self._capacity.update((n.name, usage([n])) for n in nodes)

    def _count_full(self, full: Sequence[FullNodes]) -> None:
        for of in full:
            for pool, amounts in usage([of.node]).items():
                used = {resource: amount * len(of.numbers) for resource, amount in amounts.items()}
                self._used[pool] = merge(self._used.get(pool, {}), used)

    def _new_devices(self, inputs: SchedulerInputs, excluded: Collection[str]) -> DeviceAdmission | None:
        """Return the devices of a pass, or None if it ignores claims for them."""
        if inputs.options.ignore_dra_requests:
            return None
        # Slices of a node count once it is initialized, and while it stays.
        staying = {n.node for n in self._nodes.values() if n.in_pass and n.initialized and n.node and n.name not in excluded}
        slices = tuple(s for s in inputs.devices.slices if not s.owner or s.owner in staying)
        inventory = replace(inputs.devices, slices=slices)
        held = held_devices(inventory.claims.values(), inputs.leaving)
        allocator = Allocator(inventory, held, inputs.leaving, inputs.registry.well_known, inputs.given)
        return DeviceAdmission(allocator, inventory, self._admission.space, self.instance_types, self._nodes)

    def _new_reservations(self, options: SchedulerOptions) -> ReservationManager:
        key = options.reserved_capacity, options.reserved_mode
        cached = self._reservations.get(key)
        if cached is None:
            sold = self.instance_types.values() if options.reserved_capacity else ()
            space = self._admission.space
            # Counting what is sold takes a look at every type, so each mode counts once, and passes get copies.
            cached = self._reservations[key] = ReservationManager(
                sold, self._inputs.registry, space, options.reserved_mode, options.karpenter
            )
        return cached.copy(options.reservation_credits)

    def _attach_limits(self, node: SchedulingNode) -> Mapping[str, int]:
        """Return how many volumes a node may attach, by CSI driver: what its CSINode says, and for drivers that it does not
        list what its instance type says (V15-14, V15-15)."""
        limits = dict(counted_limits(node))
        if not self._inputs.options.karpenter.does(Behaviour.DRIVERS_WITHOUT_A_COUNT_ARE_UNBOUNDED):
            limits |= dict.fromkeys(node.uncounted_drivers, 0)
        index = self.instance_types.get(node.labels.get(NODEPOOL, ""))
        of_type = {} if index is None else index.attach_limits_of(node.labels.get(INSTANCE_TYPE, ""))
        return {**{driver: limit for driver, limit in of_type.items() if driver not in node.attach_limits}, **limits}

    def _of(self, node: str, pool: str, resource: str) -> int:
        return self._capacity.get(node, {}).get(pool, {}).get(resource, 0)


def _differs_in_room_alone(before: SchedulingNode, after: SchedulingNode) -> bool:
    """Tell whether a node differs at most in its pods and in whether it rests."""
    return _besides_room(before) == _besides_room(after)


def _filtered_out(pool: NodePool, pool_types: InstanceTypeIndex, inputs: SchedulerInputs) -> str:
    """Return what Karpenter reports of a pool that may launch nothing: minValues are the cause only if some type is left."""
    has_types = bool(nodeclaimtemplate.prefilter(pool_types, nodeclaimtemplate.fresh_requirements(pool, inputs.registry)))
    return _NO_TYPES + (" due to minValues incompatibility" if has_types else "")


def _terms(inputs: SchedulerInputs, admission: ClaimAdmission, daemons: nodeclaimtemplate.DaemonPods) -> NodeTerms:
    pods = [b.pod for b in inputs.batches]
    bound = (b.pod for b in inputs.bound)
    keys = keys_asked_for((*pods, *daemons.pods), bound, inputs.volumes.values(), inputs.registry, inputs.devices)
    return NodeTerms(admission.resources, {admission.amounts(p.requests) for p in pods}, keys, daemons.pods, inputs.registry)


def _volume_keys(inputs: SchedulerInputs) -> set[str]:
    return {key for volumes in inputs.volumes.values() for alternative in volumes.alternatives for key in alternative}


def _templates(
    pools: Sequence[NodePool],
    instance_types: Mapping[str, InstanceTypeIndex],
    daemons: nodeclaimtemplate.DaemonPods,
    inputs: SchedulerInputs,
    space: RequirementSpace,
) -> list[nodeclaimtemplate.NodeClaimTemplate]:
    """Return templates in the order in which they are tried. A pool that may launch nothing has none (S-42)."""
    templates: list[nodeclaimtemplate.NodeClaimTemplate] = []
    for pool in pools:
        requirements, pool_types = nodeclaimtemplate.fresh_requirements(pool, inputs.registry), instance_types[pool.name]
        mask = nodeclaimtemplate.prefilter(pool_types, requirements)
        # A pool that cannot reach minValues with all its types never will with fewer.
        if mask and inputs.options.strict_min_values:
            wanted = ((r, r.min_values) for r in requirements.values() if r.min_values is not None)
            mask = mask if all(pool_types.distinct_values(r, mask) >= least for r, least in wanted) else 0
        if mask:
            template = nodeclaimtemplate.NodeClaimTemplate(len(templates), pool, pool_types, mask, space.number(requirements))
            template.groups = nodeclaimtemplate.daemon_groups(template, daemons, space)
            templates.append(template)
    return templates
