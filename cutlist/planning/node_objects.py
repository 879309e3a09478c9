"""The nodes of a plan as the objects that a cluster would have for them: a Node, its NodeClaim, and the pods of its daemons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Final

from cutlist.api.nodepool import NodePool
from cutlist.api.nodepool_hash import HASH, HASH_VERSION
from cutlist.core.errors import InputError, Place, nearest
from cutlist.core.instants import instant_text
from cutlist.core.labels import HOSTNAME, RESERVED, LabelRegistry
from cutlist.core.requirements import Requirements
from cutlist.devices.slices import NO_DEVICES, DynamicResources
from cutlist.planning.cloud import AttachLimits
from cutlist.planning.controllers import registry_of, split_by_controller
from cutlist.planning.figures import PLANNED
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan, PlannedNode, amount_texts
from cutlist.planning.model.extended import is_driver
from cutlist.planning.opened_plans import require_openable
from cutlist.planning.pass_inputs import attach_limits_of, overlaid_types
from cutlist.planning.planned_pods import daemon_on
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.scheduling.launched import Purchase, labels_of_launched
from cutlist.scheduling.node_terms import ExpectedDaemons, expected_by_daemon
from cutlist.state.cluster import Manifest, Origin
from cutlist.state.pods import RunningPod
from cutlist.workloads.groups import DaemonSet
from cutlist.workloads.pods import FrozenDict

NO_LIMITS: Final[Mapping[str, int]] = FrozenDict({})
PLANNED_NAME: Final = "planned-"  # how the names of nodes begin that are only planned
_CONDITIONS: Final = ("Launched", "Registered", "Initialized", "Ready")


@dataclass(frozen=True, slots=True)
class PlannedLaunch:
    """A node of a plan. `reservations` are the ids of those that it uses, `attach_limits` how many volumes it attaches, by CSI
    driver."""

    name: str
    planned: PlannedNode
    labels: Mapping[str, str]
    origin: Origin
    daemons: tuple[RunningPod, ...]
    reservations: frozenset[str] = frozenset()
    attach_limits: Mapping[str, int] = NO_LIMITS
    dynamic_resources: DynamicResources = NO_DEVICES


@dataclass(frozen=True, slots=True)
class _Launcher:
    """What is needed to launch nodes of one controller's NodePools. `types` are by NodePool and name."""

    pools: Mapping[str, NodePool]
    types: Mapping[str, Mapping[str, InstanceType]]
    registry: LabelRegistry
    daemons: Sequence[tuple[DaemonSet, ExpectedDaemons]]
    at: float
    attach_limits: AttachLimits

    @staticmethod
    def of(inputs: PlanInputs, pools: Sequence[NodePool], at: float) -> _Launcher:
        """Return the launcher of some NodePools of the inputs."""
        registry = registry_of(pools)
        sold = overlaid_types(replace(inputs, node_pools=tuple(pools))).types
        types = {name: {t.name: t for t in listed} for name, listed in sold.items()}
        ignored = inputs.options.ignore_dra_requests
        daemons = expected_by_daemon(inputs.workloads.daemons, registry, ignore_dra_requests=ignored)
        limits = attach_limits_of(replace(inputs, node_pools=tuple(pools)), registry)
        return _Launcher({p.name: p for p in pools}, types, registry, daemons, at, limits)

    def launched(self, name: str, planned: PlannedNode) -> PlannedLaunch:
        """Return a planned node under a name."""
        pool = self.pools[planned.node_pool]
        wanted = Requirements.of_expressions(planned.requirements, self.registry)
        bought = Purchase(machine := self._type(planned), self._offering(machine, planned, wanted))
        labels = labels_of_launched(name, wanted, bought, self.registry)
        held = Requirements.of_labels(labels, self.registry)
        daemons = tuple(daemon_on(d, name, labels, self.at) for d, expected in self.daemons if expected.on(held, pool.taints))
        origin = self._node(name, labels, pool, bought), self._claim(name, labels, pool, planned, bought)
        limits = self.attach_limits(pool.name, bought.type.name)
        reservations = self._reservations(bought.offering)
        return PlannedLaunch(name, planned, labels, origin, daemons, reservations, limits, machine.dynamic_resources)

    def _type(self, planned: PlannedNode) -> InstanceType:
        types = self.types[planned.node_pool]
        if planned.instance_type not in types:
            text = f"NodePool {planned.node_pool} does not allow the plan's instance type {planned.instance_type}"
            raise InputError.one(Place(path="nodes.instanceType"), text, "", nearest(planned.instance_type, types))
        return types[planned.instance_type]

    def _offering(self, machine: InstanceType, planned: PlannedNode, wanted: Requirements) -> Offering:
        """Return the offering through which the plan buys a type: the cheapest of its capacity type and zone."""
        zone = planned.zone or next(iter(planned.zones), "")
        usable = [o for o in machine.offerings if wanted.compatible(o.requirements, self.registry.well_known)]
        same = [o for o in usable if o.capacity_type == planned.capacity_type and o.zone == zone]
        if not same:
            text = f"{machine.name} is not on offer as {planned.capacity_type or 'any capacity'} in {zone or 'any zone'}"
            raise InputError.one(Place(path="nodes.zones"), text, "the catalogue that the plan was made with")
        return min(same, key=lambda o: (not o.available, o.price or 0.0))

    def _reservations(self, offering: Offering) -> frozenset[str]:
        key = self.registry.reservation_id
        return offering.requirements.get_or_any(key).values if key and offering.capacity_type == RESERVED else frozenset()

    def _node(self, name: str, labels: Mapping[str, str], pool: NodePool, bought: Purchase) -> Manifest:
        ready = {"type": "Ready", "status": "True", "reason": "KubeletReady", "lastTransitionTime": instant_text(self.at)}
        return {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": name, "labels": labels, "creationTimestamp": instant_text(self.at)},
            "spec": {"providerID": f"{PLANNED}{name}", "taints": [t.manifest() for t in pool.taints]},
            "status": {**_amounts(bought), "conditions": [ready]},
        }

    def _claim(self, name: str, labels: Mapping[str, str], pool: NodePool, planned: PlannedNode, bought: Purchase) -> Manifest:
        hashes = {key: pool.pool_annotations[key] for key in (HASH, HASH_VERSION) if key in pool.pool_annotations}
        ref, since = pool.node_class_ref, instant_text(self.at)
        conditions = [{"type": c, "status": "True", "reason": c, "lastTransitionTime": since} for c in _CONDITIONS]
        spec: dict[str, Any] = {
            "nodeClassRef": {"group": ref.group, "kind": ref.kind, "name": ref.name},
            "requirements": [e.manifest() for e in planned.requirements],
            "resources": {"requests": amount_texts({r: a for r, a in planned.requests.items() if not is_driver(r)})},
            "taints": [t.manifest() for t in pool.taints],
            "startupTaints": [t.manifest() for t in pool.startup_taints],
            "expireAfter": pool.expire_after,
            "terminationGracePeriod": pool.termination_grace_period,
        }
        own_labels = {key: value for key, value in labels.items() if key != HOSTNAME}
        return {
            "apiVersion": "karpenter.sh/v1",
            "kind": "NodeClaim",
            "metadata": {
                "name": name,
                "labels": own_labels,
                "annotations": {**pool.annotations, **hashes},
                "creationTimestamp": since,
            },
            "spec": {key: value for key, value in spec.items() if value},
            "status": {
                "providerID": f"{PLANNED}{name}",
                "nodeName": name,
                **_amounts(bought),
                "conditions": conditions,
                "lastPodEventTime": since,
            },
        }


def launched_nodes(inputs: PlanInputs, plan: Plan, at: float) -> list[PlannedLaunch]:
    """Return the new nodes of a plan, all launched at an instant (seconds since 1970).

    Raises InputError for types and offerings that the NodePools of the inputs do not have, and for more nodes than can be
    looked at one by one.
    """
    require_openable(plan)
    launchers = {
        pool.name: launcher
        for pools in split_by_controller(inputs.node_pools).values()
        for launcher in (_Launcher.of(inputs, pools, at),)
        for pool in pools
    }
    taken, numbers = {n.name for n in inputs.cluster.nodes}, count(1)
    names = (name for number in numbers if (name := f"{PLANNED_NAME}{number:05d}") not in taken)
    return [launchers[planned.node_pool].launched(next(names), planned) for planned in plan.nodes for _ in range(planned.count)]


def _amounts(bought: Purchase) -> Manifest:
    allocatable = bought.type.allocatable(bought.offering)
    return {"capacity": amount_texts(bought.type.capacity), "allocatable": amount_texts(allocatable)}
