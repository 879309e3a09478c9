"""What an upgrade of Karpenter does to nodes: the same manifests planned under the rules of both versions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from cutlist.answers.plan import plan
from cutlist.core.errors import InputError, Layer
from cutlist.core.karpenter.versions import KarpenterVersion
from cutlist.infrastructure.charts.notes import Subject
from cutlist.infrastructure.charts.upgrade import Delta, Upgrade, rules_of
from cutlist.planning.absences import require_workloads
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model.changes import NodeChange, PendingChange
from cutlist.planning.model.comparison import Comparison


def with_nodes(upgrade: Upgrade, read: Callable[[str], PlanInputs], *, allow_empty: bool = False) -> Upgrade:
    """Return an upgrade together with the nodes, prices and pending pods that differ between its versions.

    `read` returns the manifests as the Karpenter of a version reads them. Objects that the later version does not make ready
    are obstacles, and no plan is compared then. Raises InputError for manifests that cannot be read under the earlier version,
    or have mistakes other than that under the later one, and, unless that is allowed, when there is no workload.
    """
    old, new = rules_of(upgrade.before), rules_of(upgrade.after)
    notes = (*upgrade.notes, *_older(upgrade.before, old.release), *_older(upgrade.after, new.release))
    first = read(str(old))
    try:
        second = read(str(new))
    except InputError as error:
        if any(problem.layer is not Layer.RUNTIME for problem in error.problems):
            raise
        unready = (f"under {upgrade.after}, {problem.place}: {problem.message}" for problem in error.problems)
        return replace(upgrade, obstacles=(*upgrade.obstacles, *unready), notes=notes)
    require_workloads(second, allow_empty=allow_empty)
    comparison = Comparison.of(plan(first), plan(second))
    return replace(upgrade, deltas=(*upgrade.deltas, *_deltas(comparison)), notes=notes)


def _older(version: KarpenterVersion, release: KarpenterVersion) -> Iterator[str]:
    if version.line < release.line:
        yield f"nodes of Karpenter {version} are planned by the rules of {release}, the oldest that are recorded"


def _deltas(comparison: Comparison) -> Iterator[Delta]:
    before, after = comparison.before.totals, comparison.after.totals
    if comparison.is_same:
        text = f"the plan is the same: {_price(before.nodes, before.price_per_hour)}, {before.pending} pods pending"
        yield Delta(Subject.NODES, text)
        return
    whole = f"{_price(before.nodes, before.price_per_hour)} become {_price(after.nodes, after.price_per_hour)}"
    yield Delta(Subject.NODES, f"in all, {whole}; {before.pending} pods pending become {after.pending}")
    for node in comparison.nodes:
        yield Delta(Subject.NODES, _of_nodes(node))
    for existing in comparison.existing:
        pods = f"{existing.before} pods of {existing.workload} become {existing.after}"
        yield Delta(Subject.NODES, f"on node {existing.node}, {pods}")
    for pending in comparison.pending:
        yield Delta(Subject.NODES, _of_pods(pending))


def _of_nodes(change: NodeChange) -> str:
    sides = (_price(side.count, side.price) for side in (change.before, change.after))
    text = f"NodePool {change.node_pool}, {change.instance_type} {change.capacity_type}: {' become '.join(sides)}"
    types = ((len(change.new_types), "more"), (len(change.lost_types), "fewer"))
    return ", ".join((text, *(f"{number} types {way}" for number, way in types if number)))


def _of_pods(change: PendingChange) -> str:
    reasons = "; ".join(change.after.reasons)
    text = f"{change.workload}: {change.before.count} pods pending become {change.after.count}"
    return f"{text}: {reasons}" if reasons else text


def _price(nodes: int, price: float | None) -> str:
    count = f"{nodes} {'node' if nodes == 1 else 'nodes'}"
    return f"{count} at unknown price" if price is None else f"{count} at ${price:.4f} an hour"
