"""Describe disruption in a cluster, and the differences between two: the next step, the order of candidates, each node."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.evaluation import MethodInputs
from cutlist.disruption.forecast import Forecast, NodeForecast, forecast
from cutlist.disruption.methods import Method, methods_of, ordered_candidates
from cutlist.disruption.node_repair import repair


@dataclass(frozen=True, slots=True)
class Outlook:
    """The next thing that Karpenter does to a cluster, and by method the candidates in the order in which it looks at them.

    The methods are in Karpenter's order; those that it does not have are left out. `repaired` are unhealthy nodes that are
    removed forcibly now, if repair is on but is not a method.
    """

    forecast: Forecast
    candidates: Mapping[Method, tuple[str, ...]]
    repaired: tuple[str, ...] = ()

    @property
    def next_step(self) -> tuple[str, ...]:
        """Return the next commands, as Karpenter logs them."""
        return tuple(command.text for command in self.forecast.commands)

    @property
    def drifted(self) -> tuple[str, ...]:
        """Return the nodes that drift and are replaced once budgets and their pods allow it, by name."""
        return tuple(sorted(node.name for node in self.forecast.nodes if node.drifted))


@dataclass(frozen=True, slots=True)
class NodeReplacement:
    """A node whose forecast changes: another verdict, another reason, or a start or end of drift."""

    before: NodeForecast
    after: NodeForecast


@dataclass(frozen=True, slots=True)
class OrderChange:
    """A method with other candidates, or with another order of them; `before` or `after` is None where it is not a method."""

    method: Method
    before: tuple[str, ...] | None
    after: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class OutlookComparison:
    """The differences between two outlooks on the same nodes: methods in Karpenter's order, nodes by name."""

    before: Outlook
    after: Outlook
    orders: tuple[OrderChange, ...]
    nodes: tuple[NodeReplacement, ...]

    @staticmethod
    def of(before: Outlook, after: Outlook) -> OutlookComparison:
        """Compare two outlooks."""
        orders = (OrderChange(m, before.candidates.get(m), after.candidates.get(m)) for m in Method)
        first, second = ({node.name: node for node in side.forecast.nodes} for side in (before, after))
        nodes = (NodeReplacement(first[name], second[name]) for name in sorted(first.keys() & second.keys()))
        return OutlookComparison(
            before,
            after,
            tuple(change for change in orders if change.before != change.after),
            tuple(change for change in nodes if _shown(change.before) != _shown(change.after)),
        )

    @property
    def has_other_step(self) -> bool:
        """Tell whether Karpenter does something else next, or fails with another error."""
        first, second = self.before.forecast, self.after.forecast
        return (self.before.next_step, first.method, first.error) != (self.after.next_step, second.method, second.error)

    @property
    def drifting(self) -> tuple[str, ...]:
        """Return the nodes that drift afterwards and did not before, by name."""
        return tuple(sorted(set(self.after.drifted) - set(self.before.drifted)))

    @property
    def spared(self) -> tuple[str, ...]:
        """Return the nodes that drifted before and do not afterwards, by name."""
        return tuple(sorted(set(self.before.drifted) - set(self.after.drifted)))

    @property
    def is_same(self) -> bool:
        """Tell whether nothing differs: step, candidates, their order, and the forecast of each node."""
        return not (self.orders or self.nodes or self.has_other_step or self.has_other_repair)

    @property
    def has_other_repair(self) -> bool:
        """Tell whether other nodes are repaired forcibly."""
        return self.before.repaired != self.after.repaired


def outlook(cluster: ClusterState) -> Outlook:
    """Return what Karpenter does next to a cluster whose conditions are set, and the candidates of each method in order."""
    inputs = MethodInputs.of(cluster)
    candidates = {method: tuple(c.name for c in ordered_candidates(method, inputs)) for method in methods_of(cluster)}
    return Outlook(forecast(cluster), candidates, _repaired(cluster))


def _repaired(cluster: ClusterState) -> tuple[str, ...]:
    """Return the unhealthy nodes that are removed forcibly now, regardless of budgets."""
    if cluster.repairs or not cluster.feature_gates.node_repair:
        return ()
    due = repair(cluster.nodes, cluster.repair_policies, cluster.now).now
    return tuple(node.name for node in cluster.nodes if node.claim is not None and node.claim.name in due)


def _shown(node: NodeForecast) -> tuple[str, str, str]:
    return node.verdict, node.why, node.drifted
