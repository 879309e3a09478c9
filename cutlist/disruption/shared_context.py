"""What passes over a cluster share as it changes: each takes up the nodes that have changed since the last one. So the cost of
a pass grows with the changes, not with the cluster.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from cutlist.core.identity import SameObject
from cutlist.core.labels import ZONE
from cutlist.core.requirement import Expression, Operator
from cutlist.core.requirements import Requirements
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.conditions import settled_at
from cutlist.disruption.known_pods import KnownPods
from cutlist.disruption.machines import Machines
from cutlist.disruption.prospects import Prospects
from cutlist.disruption.simulation import LastSimulation, Simulator, bound_pods
from cutlist.scheduling.firstfit import FirstFit
from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.scheduling.provisioner import SchedulingContext
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.reservationmanager import ReservedOfferingMode
from cutlist.state.pods import TopologyPods
from cutlist.state.scheduling_node import SchedulingNode
from cutlist.state.statenode import StateNode
from cutlist.state.volumes import PodVolumes


@dataclass(frozen=True, slots=True)
class _TakenUp:
    """A node as the context has it, and the pods that topology counts there."""

    state: SchedulingNode
    bound: tuple[TopologyPods, ...]

    @staticmethod
    def of(node: StateNode, state: ClusterState) -> _TakenUp:
        """Return a node of a cluster as the context takes it up."""
        is_resting = state.is_settling(node)
        taken = node.state if node.state.resting is is_resting else replace(node.state, resting=is_resting)
        return _TakenUp(taken, tuple(bound_pods(node, state)))


class SharedContext:
    """What passes over a cluster share, for one set of NodePools, types and settings."""

    __slots__ = (
        "_base",
        "_context",
        "_first_fit",
        "_held",
        "_known_pods",
        "_last_simulation",
        "_looked",
        "_machines",
        "_placeable",
        "_resting",
        "_simulated",
        "_stale",
        "_taken_up",
    )

    def __init__(self, base: ClusterState, placeable: Sequence[PodBatch]) -> None:
        """Begin with nothing. `placeable` has each pod that may ever have to be placed, once."""
        self._base = base
        self._placeable = placeable
        self._context: SchedulingContext | None = None
        self._first_fit: FirstFit | None = None
        self._taken_up: dict[str, _TakenUp] = {}
        self._stale: set[str] = set()
        self._resting: dict[str, float] = {}
        self._held: set[str] = set()
        self._looked: ClusterState | None = None
        self._last_simulation = LastSimulation()
        self._simulated: Hashable = None
        self._known_pods = KnownPods.among([batch.pod for batch in placeable])
        self._machines: Mapping[bool, Machines] | None = None

    def node_changed(self, name: str) -> None:
        """Make the next pass take up a node, which is new or has changed."""
        self._stale.add(name)

    def node_removed(self, name: str) -> None:
        """Make the next pass drop a node."""
        self._stale.add(name)
        self._resting.pop(name, None)
        self._held.discard(name)
        self._known_pods.forget(name)

    def context(self, state: ClusterState, leaving: Set[str]) -> SchedulingContext:
        """Return the context of a pass over a cluster, of which some nodes are `leaving`."""
        if self._context is None:
            self._taken_up = {node.name: _TakenUp.of(node, state) for node in state.nodes}
            self._note(state.nodes, state.now)
            self._context = SchedulingContext(self._inputs(state))
        elif self._stale or state is not self._looked:
            self._take_up(state, leaving, self._context)
        self._stale, self._looked = set(), state
        return self._context

    def simulator(self, state: ClusterState, leaving: Set[str], changes: int) -> Simulator:
        """Return the simulator of a cluster that has changed this many times; the last simulation is kept until it changes.

        Besides changes, simulations depend on which pods budgets let move, which nodes rest, and, where an annotation protects
        pods for a while, on the instant.
        """
        context = self.context(state, leaving)
        # Only then does time alone change an answer; otherwise equal states at two instants share it.
        instant = state.now if self._held else None
        simulated = changes, SameObject(state.evictions), context.existing_nodes.resting, instant
        if simulated != self._simulated:
            self._simulated, self._last_simulation = simulated, LastSimulation()
        return Simulator(state, context, self._last_simulation, leaving_nodes(state, leaving))

    def prospects(self, state: ClusterState, leaving: Set[str]) -> Prospects:
        """Return what may come of removing nodes of a cluster, of which some are `leaving`."""
        context = self.context(state, leaving)
        if self._machines is None:
            overheads = context.least_overheads
            self._machines = {spot: Machines.of(self._base, overheads, spot=spot) for spot in (False, True)}
        if self._first_fit is None:
            self._first_fit = FirstFit.of(context.existing_nodes)
        return Prospects(state, context, self._known_pods, self._machines, self._first_fit, leaving_nodes(state, leaving))

    def _take_up(self, state: ClusterState, leaving: Set[str], context: SchedulingContext) -> None:
        """Replace the nodes of the context that have changed, that are leaving, or whose rest is over."""
        # Besides changed nodes: leaving ones, of whose pods topology counts those that must not be evicted, and resting ones,
        # whose rest ends by time alone.
        may_differ = self._stale | leaving | {name for name, until in self._resting.items() if until <= state.now}
        nodes = {name: node for name in sorted(may_differ) if (node := state.node_of(name)) is not None}
        taken = {name: _TakenUp.of(node, state) for name, node in nodes.items()}
        changed = sorted(name for name in may_differ if taken.get(name) != self._taken_up.get(name))
        if changed:
            before = {name: self._taken_up.pop(name) for name in changed if name in self._taken_up}
            after = {name: taken[name] for name in changed if name in taken}
            self._taken_up |= after
            # By identity: only the pods of such a node have changed, and its place in all indexes is right.
            same = {name for name, taken in before.items() if name in after and taken.state is after[name].state}
            if len(same) < len(before) or len(same) < len(after):
                self._first_fit = None
            _change(context, before, after, same)
        self._resting = {name: until for name, until in self._resting.items() if until > state.now}
        self._note(nodes.values(), state.now)

    def _note(self, nodes: Iterable[StateNode], now: float) -> None:
        """Record until when nodes rest, when a pass takes them up again, and which have pods that an annotation protects."""
        for node in nodes:
            pool = self._base.pools.get(node.pool)
            until = settled_at(node.claim, pool) if node.claim is not None and pool is not None else None
            if until is not None and until > now:
                self._resting[node.name] = until
            if any(pod.do_not_disrupt for pod in node.pods):
                self._held.add(node.name)
            else:
                self._held.discard(node.name)

    def _inputs(self, state: ClusterState) -> SchedulerInputs:
        return SchedulerInputs(
            pools=tuple(state.pools.values()),
            types=state.types,
            batches=self._placeable,
            daemons=state.daemons,
            registry=state.registry,
            options=replace(state.options, reserved_mode=ReservedOfferingMode.FALLBACK),
            namespaces=state.namespaces,
            nodes=[taken.state for taken in self._taken_up.values()],
            bound=[pods for taken in self._taken_up.values() for pods in taken.bound],
            overlays=state.overlays,
            selectors=state.selectors,
            volumes=self._places_of_volumes(state),
            devices=state.devices,
        )

    def _places_of_volumes(self, state: ClusterState) -> Mapping[int, PodVolumes]:
        """Return by which labels volumes may tie each pod to nodes, by its number: zones of later volumes too."""
        storage = state.storage
        terms = [
            *(term for volume in storage.volumes.values() for term in volume.terms),
            *(term for storage_class in storage.classes.values() for term in storage_class.topologies),
        ]
        keys = {ZONE, *(expression.key for term in terms for expression in term)}
        exist = [Expression(key, Operator.EXISTS) for key in sorted(keys)]
        places = PodVolumes((Requirements.of_expressions(exist, state.registry),))
        return {number: places for number, batch in enumerate(self._placeable) if batch.pod.volumes}


def leaving_nodes(state: ClusterState, names: Iterable[str]) -> list[StateNode]:
    """Return the nodes of these names in the order of a cluster, as far as they are its."""
    return [node for name in sorted(names) if (node := state.node_of(name)) is not None]


def _change(context: SchedulingContext, before: Mapping[str, _TakenUp], after: Mapping[str, _TakenUp], same: Set[str]) -> None:
    """Replace nodes of a context with the pods on them, but for nodes that are the `same`, of which only pods differ.

    Pods that stay on nodes with the same labels are left alone.
    """
    ended = Counter(pods for taken in before.values() for pods in taken.bound)
    bound = Counter(pods for taken in after.values() for pods in taken.bound)
    has_other_labels = any(n in after and taken.state.own_labels != after[n].state.own_labels for n, taken in before.items())
    # Pods are counted by labels of their node. Under the same labels, only those that came or went matter.
    if not has_other_labels:
        ended, bound = ended - bound, bound - ended
    context.change(
        [taken.state for name, taken in before.items() if name not in same],
        [taken.state for name, taken in after.items() if name not in same],
        list(ended.elements()),
        list(bound.elements()),
    )
