"""Compare a fleet under the rules of two versions of Karpenter: plan, disruption and hashes, with causes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.api.nodepool import NodePool
from cutlist.api.read import NodeClass
from cutlist.core.errors import InputError, Problem, Problems
from cutlist.core.karpenter.baselines import Baseline
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.karpenter.hashes import HashVersion
from cutlist.core.karpenter.steps import Cause
from cutlist.disruption.outlook import NodeReplacement as ForecastChange
from cutlist.disruption.outlook import OutlookComparison
from cutlist.disruption.restamping import Restamping, restamping
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.karpenter_choice import with_karpenter
from cutlist.planning.model.changes import ExistingChange, NodeChange, PendingChange
from cutlist.planning.model.comparison import Comparison
from cutlist.planning.pool_types import node_classes_by_pool

Read = TypeVar("Read", NodePool, NodeClass)
Key = tuple[str, ...]
"""What differs: the part of the answer, then what tells it from others of that part."""


_PLACES: Final = {behaviour.statements: place for place, behaviour in enumerate(Behaviour)}
"""The order of steps: hashes, which are not in the table, come first."""


@dataclass(frozen=True, slots=True)
class FleetRows:
    """What differs, each with the statements that cause it: nodes that are bought, pods on existing nodes, pods that are
    pending, and nodes with another forecast."""

    nodes: tuple[tuple[NodeChange, str], ...]
    existing: tuple[tuple[ExistingChange, str], ...]
    pending: tuple[tuple[PendingChange, str], ...]
    forecasts: tuple[tuple[ForecastChange, str], ...]


@dataclass(frozen=True, slots=True)
class FleetUpgrade:
    """What differs between the rules of two versions for the same manifests and nodes.

    `outlook` is None where disruption was not compared. It is that of the nodes that run, or, if none runs (`is_planned`), of
    those that the earlier version plans, once they have settled. `causes` name for each difference, by its key, what in the
    later version causes it.
    """

    comparison: Comparison
    outlook: OutlookComparison | None
    restampings: tuple[Restamping, ...]
    causes: Mapping[Key, tuple[Cause, ...]]
    is_planned: bool = False

    @property
    def is_same(self) -> bool:
        """Tell whether nothing differs but stamps."""
        return self.comparison.is_same and (self.outlook is None or self.outlook.is_same)

    @property
    def is_worse(self) -> bool:
        """Tell whether more pods are pending, or nodes drift that did not before."""
        totals = (self.comparison.before.totals, self.comparison.after.totals)
        drifting = self.outlook is not None and bool(self.outlook.drifting)
        return totals[1].pending > totals[0].pending or drifting

    def caused_by(self, keys: Iterable[Key]) -> tuple[Cause, ...]:
        """Return the causes of some differences, each once, in the order of steps."""
        every = dict.fromkeys(cause for key in keys for cause in self.causes.get(key, ()))
        return tuple(sorted(every, key=lambda cause: _PLACES.get(cause.statements, -1)))

    @property
    def rows(self) -> FleetRows:
        """Return what differs row by row, with its statements."""
        comparison, forecasts = self.comparison, () if self.outlook is None else self.outlook.nodes
        return FleetRows(
            tuple((row, self.statements(key_of_nodes(row))) for row in comparison.nodes),
            tuple((row, self.statements(("existing", row.node, row.workload))) for row in comparison.existing),
            tuple((row, self.statements(("pending", row.workload))) for row in comparison.pending),
            tuple((row, self.statements(("node", row.before.name))) for row in forecasts),
        )

    def statements(self, *keys: Key) -> str:
        """Return the statements behind some differences."""
        return ", ".join(dict.fromkeys(cause.statements for cause in self.caused_by(keys)))


def key_of_nodes(change: NodeChange) -> Key:
    """Return the key of nodes with the same NodePool, type and capacity type."""
    return ("nodes", change.node_pool, change.instance_type, change.capacity_type)


def plan_differences(comparison: Comparison) -> Iterator[Key]:
    """Yield the keys of what differs between two plans."""
    before, after = comparison.before.totals, comparison.after.totals
    if (before.nodes, before.price_per_hour, before.pending) != (after.nodes, after.price_per_hour, after.pending):
        yield ("totals",)
    for node in comparison.nodes:
        yield key_of_nodes(node)
    for existing in comparison.existing:
        yield ("existing", existing.node, existing.workload)
    for pending in comparison.pending:
        yield ("pending", pending.workload)


def outlook_differences(comparison: OutlookComparison) -> Iterator[Key]:
    """Yield the keys of what differs between two outlooks."""
    if comparison.has_other_step:
        yield ("next",)
    if comparison.has_other_repair:
        yield ("repair",)
    for order in comparison.orders:
        yield ("method", order.method)
    for node in comparison.nodes:
        yield ("node", node.before.name)
        if node.before.drifted != node.after.drifted:
            yield ("drift", node.before.name)


@dataclass(frozen=True, slots=True)
class InputsUnderRules:
    """The inputs of a plan as another Karpenter has them, and why it makes node classes not ready.

    NodePools of such classes launch nothing and are left out, with their classes.
    """

    inputs: PlanInputs
    unready: tuple[Problem, ...] = ()


def under_rules(inputs: PlanInputs, karpenter: Baseline) -> InputsUnderRules:
    """Return the inputs as another Karpenter has them. Raises InputError with every object that it refuses."""
    problems, unready = Problems(), []
    classes: list[NodeClass] = []
    controller = inputs.figures.controller
    gates = controller.aws_gates(karpenter)
    for node_class in inputs.node_classes:
        before = node_class.not_ready_under(node_class.karpenter, controller.aws_gates(node_class.karpenter))
        if new := [p for p in node_class.not_ready_under(karpenter, gates) if p not in before]:
            unready += new
        else:
            classes += _read_under(node_class, karpenter, gates, problems)
    with_class = node_classes_by_pool(inputs.node_pools, inputs.node_classes).keys() - (
        node_classes_by_pool(inputs.node_pools, classes).keys()
    )
    pools = [
        p for pool in inputs.node_pools if pool.name not in with_class for p in _read_under(pool, karpenter, gates, problems)
    ]
    problems.raise_if_any()
    read = replace(inputs, node_pools=tuple(pools), node_classes=tuple(classes))
    return InputsUnderRules(with_karpenter(read, karpenter), tuple(unready))


def _read_under(written: Read, karpenter: Baseline, gates: frozenset[str], problems: Problems) -> Iterator[Read]:
    """Yield an object as a Karpenter has it with feature gates of AWS; its mistakes are reported."""
    try:
        yield written.under(karpenter, gates)
    except InputError as error:
        problems.extend(error.problems)


def restampings(inputs: PlanInputs, hashes: Mapping[str, tuple[HashVersion, HashVersion]]) -> tuple[Restamping, ...]:
    """Return what happens to the hashes of running nodes, for each kind whose hash version changes.

    `hashes` has by kind how its hash is computed before and after.
    """
    pools = {pool.name: pool for pool in inputs.node_pools}
    classes = node_classes_by_pool(pools.values(), inputs.node_classes)
    of_class = {name: c.name for name, c in classes.items() if isinstance(c, EC2NodeClass)}
    ec2 = [c for c in inputs.node_classes if isinstance(c, EC2NodeClass)]
    sides: dict[str, tuple[Sequence[NodePool | EC2NodeClass], Mapping[str, str]]] = {
        NodePool.KIND: (tuple(pools.values()), {name: name for name in pools}),
        EC2NodeClass.KIND: (ec2, of_class),
    }
    restamped = []
    for kind, (objects, of_claims) in sides.items():
        was, now = hashes[kind]
        if was.version != now.version:
            stamps = restamping(kind, was.version, now.version, objects, of_claims, inputs.cluster.claims)
            restamped.append(replace(stamps, statements=now.statements))
    return tuple(restamped)
