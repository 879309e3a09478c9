"""A scheduling pass from its inputs to its result: the one way in for everything above (spec: scheduling 0.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from cutlist.api import NodePool
from cutlist.labels import CORE, LabelRegistry
from cutlist.providers.instance_types import InstanceType
from cutlist.scheduling.admissible import ignored_because
from cutlist.scheduling.batches import Batch
from cutlist.scheduling.claims import Admission
from cutlist.scheduling.domains import Universe
from cutlist.scheduling.existing import ExistingNodes
from cutlist.scheduling.node_terms import Terms, keys_asked_for
from cutlist.scheduling.overlays import NodeOverlay, overlay
from cutlist.scheduling.reservations import Reservations, ReservedMode
from cutlist.scheduling.result import Result, finalise
from cutlist.scheduling.sets import RequirementSpace
from cutlist.scheduling.shapes import Shapes
from cutlist.scheduling.solver import Solver
from cutlist.scheduling.state_nodes import StateNode, usage
from cutlist.scheduling.templates import NODES, DaemonPods, Template, daemon_groups, fresh_requirements, in_order, prefilter
from cutlist.scheduling.topology import BoundPod, Topology
from cutlist.scheduling.types import TypeTable
from cutlist.scheduling.volumes import NO_VOLUMES, PodVolumes
from cutlist.workloads.pods import Pod

_READY_RESTS_ON = {"ValidationSucceeded", "NodeClassReady"}


@dataclass(frozen=True, slots=True)
class Options:
    """Karpenter's settings that change what a pass decides (spec 4.6)."""

    respect_preferences: bool = True
    strict_min_values: bool = True
    reserved_capacity: bool = True
    reserved_mode: ReservedMode = ReservedMode.STRICT
    node_overlay: bool = False


@dataclass(frozen=True, slots=True)
class PassInputs:
    """Everything that a pass depends on.

    `types` are the instance types of each NodePool by name; pools that share a list should share the object. `daemons` are one
    pod for each DaemonSet. `nodes` exist already, or are on their way; `bound` are the pods that run. By index of a batch,
    `volumes` are what its volumes mean, and `moving` those placed anew because their node goes: Karpenter tries them unchecked.
    Of these the `settled` run on a node that is only being considered: nodes that are resting do not take them.
    """

    pools: Sequence[NodePool]
    types: Mapping[str, Sequence[InstanceType]]
    batches: Sequence[Batch]
    daemons: Sequence[Pod] = ()
    registry: LabelRegistry = CORE
    options: Options = field(default_factory=Options)
    namespaces: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    nodes: Sequence[StateNode] = ()
    bound: Sequence[BoundPod] = ()
    volumes: Mapping[int, PodVolumes] = field(default_factory=dict)
    moving: frozenset[int] = frozenset()
    settled: frozenset[int] = frozenset()
    overlays: Sequence[NodeOverlay] = ()


@dataclass(frozen=True, slots=True)
class Ground:
    """What all passes with the same NodePools, types and daemons share. `pools` are those that take part, in their order."""

    pools: Sequence[NodePool]
    tables: Mapping[str, TypeTable]
    daemons: DaemonPods
    universe: Universe
    space: RequirementSpace

    @staticmethod
    def of(inputs: PassInputs) -> Ground:
        """Work it out for a pass."""
        types = inputs.types
        if inputs.options.node_overlay and inputs.overlays:
            types = overlay(inputs.overlays, inputs.pools, types, inputs.registry).types
        pools = in_order(p for p in inputs.pools if takes_part(p))
        tables = _tables(pools, types, inputs.registry)
        universe = Universe(((p, tables[p.name]) for p in pools), inputs.registry)
        return Ground(
            pools, tables, DaemonPods(inputs.daemons, inputs.registry), universe, RequirementSpace(inputs.registry.well_known)
        )


def schedule(inputs: PassInputs, ground: Ground | None = None) -> Result:
    """Run one pass. The result is the same for the same inputs, byte for byte."""
    solver = prepare(inputs, ground)
    solver.solve()
    return finalise(solver, strict_min_values=inputs.options.strict_min_values)


def takes_part(pool: NodePool) -> bool:
    """Whether the pool may open claims: not static, not being deleted, and not known to be unready (S-31).

    A pool without conditions has not met a controller yet and counts as ready. Once it has some, those that Ready rests on have
    to be among them, or Karpenter takes Ready itself for unknown.
    """
    said = {c.type: c.status for c in pool.conditions}
    ready = not said or (said.get("Ready") == "True" and said.keys() >= _READY_RESTS_ON)
    return ready and not pool.is_static and not pool.deleting


def prepare(inputs: PassInputs, ground: Ground | None = None) -> Solver:
    """Everything that is done once before the first pod is tried."""
    ground = Ground.of(inputs) if ground is None else ground
    space, pools, daemons = ground.space, ground.pools, ground.daemons
    ignored = {i: why for i in range(len(inputs.batches)) if (why := _ignored_because(i, inputs))}
    templates = _templates(ground, inputs)
    resources = sorted({r for pod in (*inputs.daemons, *(b.pod for b in inputs.batches)) for r in pod.requests})
    admission = Admission(space, resources, templates, lenient_min_values=not inputs.options.strict_min_values)
    respect = inputs.options.respect_preferences
    topology = Topology(
        universe=ground.universe,
        registry=inputs.registry,
        namespaces=inputs.namespaces,
        nodes={known.name: known for known in (n.known for n in inputs.nodes)},
        bound=inputs.bound,
        respect_preferences=respect,
    )
    shapes = Shapes(space, resources, inputs.registry, respect_preferences=respect)
    sold = ground.tables.values() if inputs.options.reserved_capacity else ()
    reservations = Reservations(sold, inputs.registry, space, inputs.options.reserved_mode)
    # Without a NodePool that takes part nothing is tried at all, nodes that exist included (S-31).
    nodes, terms = inputs.nodes if pools else (), _terms(inputs, admission, daemons)
    existing = ExistingNodes(nodes, terms, space, topology, inputs.settled)
    return Solver(inputs.batches, templates, admission, shapes, topology, inputs.volumes, ignored, reservations, existing)


def _ignored_because(batch: int, inputs: PassInputs) -> str | None:
    if batch in inputs.moving:
        return None
    return ignored_because(inputs.batches[batch].pod, inputs.registry) or inputs.volumes.get(batch, NO_VOLUMES).problem


def _terms(inputs: PassInputs, admission: Admission, daemons: DaemonPods) -> Terms:
    pods = [b.pod for b in inputs.batches]
    keys = keys_asked_for((*pods, *daemons.pods), (b.pod for b in inputs.bound), inputs.volumes.values(), inputs.registry)
    return Terms(admission.resources, {admission.amounts(p.requests) for p in pods}, keys, daemons.pods, inputs.registry)


def _tables(
    pools: Sequence[NodePool], types: Mapping[str, Sequence[InstanceType]], registry: LabelRegistry
) -> dict[str, TypeTable]:
    """One table for each list of types; pools of one NodeClass share it."""
    by_list: dict[int, TypeTable] = {}
    found = {}
    for pool in pools:
        listed = types.get(pool.name, ())
        if id(listed) not in by_list:
            by_list[id(listed)] = TypeTable(listed, registry.well_known)
        found[pool.name] = by_list[id(listed)]
    return found


def _templates(ground: Ground, inputs: PassInputs) -> list[Template]:
    """Templates in the order in which they are tried. A pool that may launch nothing gives none (S-42)."""
    used = usage(inputs.nodes)
    templates: list[Template] = []
    for pool in ground.pools:
        requirements, table = fresh_requirements(pool, inputs.registry), ground.tables[pool.name]
        mask = prefilter(table, requirements)
        if mask and inputs.options.strict_min_values:
            wanted = ((r.key, r.min_values) for r in requirements.values() if r.min_values is not None)
            mask = mask if all(table.distinct_values(key, mask) >= least for key, least in wanted) else 0
        if mask:
            remaining = _remaining(pool, used.get(pool.name, {}))
            template = Template(len(templates), pool, table, mask, ground.space.number(requirements), remaining=remaining)
            template.groups = daemon_groups(template, ground.daemons, ground.space)
            templates.append(template)
    return templates


def _remaining(pool: NodePool, used: Mapping[str, int]) -> dict[str, int]:
    """What nodes that exist leave of the pool's limits, in nano-units; the pseudo-resource `nodes` counts nodes (spec 5.6)."""
    return {r: limit.nanos - used.get(r, 0) for r, limit in pool.limits.items()}


__all__ = ["NODES", "Ground", "Options", "PassInputs", "prepare", "schedule"]
