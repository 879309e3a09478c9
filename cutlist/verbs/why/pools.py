"""Why a NodePool launches nodes, or none, and what happens to those that it has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from cutlist.api.nodepool import NodePool
from cutlist.core.labels import NODEPOOL
from cutlist.core.quantity import amount_text
from cutlist.core.wording import counted, first_of
from cutlist.planning.absent_pools import why_absent
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import PendingPods, Plan, PlannedNode
from cutlist.planning.pass_inputs import SharedTypes
from cutlist.state.scheduling_node import NODES, usage
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.subjects import Subject
from cutlist.verbs.why.nodes import budget_facts, command_on, forecast_of_pool
from cutlist.verbs.why.reason import Fact, Why

_NAMED: Final = 5


def why_pool(inputs: PlanInputs, subject: Subject, now: float) -> Why:
    """Return what a NodePool launches for the pods that wait, or why it launches nothing, and what happens to its nodes."""
    pool = next(p for p in inputs.node_pools if p.name == subject.name)
    planned = plan(inputs)
    nodes = [node for node in planned.nodes if node.node_pool == pool.name]
    refused = [(pods, why) for pods in planned.pending for name, why in pods.by_node_pool if name == pool.name]
    tables = SharedTypes.of_one_plan(replace(inputs, node_pools=(pool,))).tables
    sentence = f"NodePool {pool.name} {_does(pool, nodes, refused, planned, why_absent(pool, inputs, tables))}"
    remedy = next((pods.remedy for pods, _ in refused if pods.reason.startswith(f"NodePool {pool.name}: ")), "")
    facts = (*_facts(inputs, pool, nodes, refused), *_disruption(inputs, pool.name, now))
    return Why(inputs.catalog.region, subject.of, pool.name, sentence, remedy=remedy, facts=facts)


def _does(
    pool: NodePool, nodes: Sequence[PlannedNode], refused: Sequence[tuple[PendingPods, str]], planned: Plan, absent: str
) -> str:
    """Return what a NodePool does for pods, for the end of a sentence; `absent` is why it launches nothing for any."""
    waiting = sum(pods.count for pods, _ in refused)
    none = "does not take the pod that waits" if waiting == 1 else f"takes none of {waiting:,} waiting pods"
    refuses = f"{none}: {_most_common(refused)}" if refused else ""
    if nodes:
        count, pods = sum(n.count for n in nodes), sum(n.count * n.pods_each for n in nodes)
        launches = f"launches {counted(count, 'node')}" + (f" for {counted(pods, 'pod')}" if pods else "")
        if pool.is_static and not refuses:
            return f"{launches}: {absent}"
        return f"{launches}, and {refuses}" if refuses else launches
    if absent:
        return f"launches nothing for pods that wait: {absent}"
    if refuses:
        return refuses
    others = sorted({node.node_pool for node in planned.nodes})
    if others:
        several = "s" * (len(others) > 1)
        return f"launches nothing: the pods that wait go to nodes of NodePool{several} {first_of(others, _NAMED)}"
    if planned.pending:
        return "launches nothing: no pod that waits was tried with it"
    return "launches nothing, because no pod waits for a new node"


def _most_common(refused: Sequence[tuple[PendingPods, str]]) -> str:
    counts: dict[str, int] = {}
    for pods, why in refused:
        counts[why] = counts.get(why, 0) + pods.count
    return max(sorted(counts), key=lambda why: counts[why])


def _facts(
    inputs: PlanInputs, pool: NodePool, nodes: Iterable[PlannedNode], refused: Sequence[tuple[PendingPods, str]]
) -> Iterator[Fact]:
    own = [node for node in inputs.cluster.nodes if node.labels.get(NODEPOOL) == pool.name]
    yield Fact("nodes", counted(len(own), "node") + (f": {first_of([n.name for n in own], _NAMED)}" if own else ""))
    for node in nodes:
        held = first_of([f"{share.count} × {share.workload}" for share in node.pods], _NAMED)
        yield Fact("launches", f"{node.count} × {node.instance_type} ({node.capacity_type}), each with {held or 'no pod'}")
    for pods, why in refused[:_NAMED]:
        yield Fact(pods.workload, f"{counted(pods.count, 'pod')}: {why}")
    if len(refused) > _NAMED:
        yield Fact("further", f"{counted(len(refused) - _NAMED, 'workload')} that it does not take")
    used = usage(own).get(pool.name, {})
    for resource, limit in sorted(pool.limits.items()):
        taken = len(own) if resource == NODES else amount_text(resource, used.get(resource, 0))
        yield Fact(f"limit on {resource}", f"{taken} of {amount_text(resource, limit.nanos)} used by its nodes")
    if pool.taints:
        yield Fact("taints", ", ".join(map(str, pool.taints)))


def _disruption(inputs: PlanInputs, pool: str, now: float) -> Iterator[Fact]:
    """Yield what Karpenter does next to the nodes of a NodePool, and how many of them its budgets allow."""
    if not any(node.labels.get(NODEPOOL) == pool for node in inputs.cluster.nodes):
        return
    answer = forecast_of_pool(inputs, pool, now)
    going = [node.name for node in answer.forecast.nodes if node.pool == pool and command_on(answer, node.name)]
    yield Fact("next", f"disrupts {first_of(going, _NAMED)}" if going else "disrupts none of its nodes")
    yield from budget_facts(answer, pool)
