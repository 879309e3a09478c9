"""A plan with its node groups: the pods that only they can take are on their nodes, and no longer pending."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from cutlist.core.labels import LabelRegistry
from cutlist.core.wording import counted
from cutlist.planning.beside.nodes import GroupNodes
from cutlist.planning.model import FilledNode, PendingPods, Plan, PodShare
from cutlist.planning.model.filled_groups import FilledGroup
from cutlist.planning.passes import PassesOutcome
from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.scheduling.queue import PodBatch


def with_node_groups(plan: Plan, groups: Sequence[GroupNodes], outcome: PassesOutcome, passes: SchedulerInputs) -> Plan:
    """Return the plan with what each node group takes, and why those that a group is for and has no room for stay pending."""
    batches, registry = passes.batches, passes.registry
    taken = {name: _by_workload(pods, batches) for name, pods in outcome.beside.items()}
    of_groups = {node.name for group in groups for node in group.nodes}
    placed: Counter[str] = Counter()
    for pods in taken.values():
        placed.update(pods)
    reasons = {batches[b].name: why for b in outcome.left if (why := _why_full(batches[b], groups, registry))}
    filled = [_filled(group, taken) for group in groups]
    return replace(
        plan,
        existing=_with_further(plan.existing, {name: pods for name, pods in taken.items() if name not in of_groups}),
        pending=tuple(_left(plan.pending, placed, reasons)),
        node_groups=tuple(group for group in filled if group.count or group.maximum),
    )


def _by_workload(pods: Mapping[int, int], batches: Sequence[PodBatch]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for batch, count in pods.items():
        counts[batches[batch].name] += count
    return counts


def _filled(group: GroupNodes, taken: Mapping[str, Counter[str]]) -> FilledGroup:
    on_group: Counter[str] = Counter()
    for node in group.nodes:
        on_group.update(taken.get(node.name, {}))
    declared = group.group
    started = sum(1 for node in group.nodes if not node.initialized and taken.get(node.name))
    return FilledGroup(
        declared.name,
        declared.kind,
        declared.initial + started,
        max(declared.most, declared.initial),
        "" if group.type is None else group.type.name,
        declared.capacity_type,
        group.price,
        tuple(PodShare(workload, count) for workload, count in sorted(on_group.items())),
        declared.source,
    )


def _with_further(existing: Iterable[FilledNode], taken: Mapping[str, Counter[str]]) -> tuple[FilledNode, ...]:
    shares = {node.name: Counter({share.workload: share.count for share in node.pods}) for node in existing}
    for name, pods in taken.items():
        shares.setdefault(name, Counter()).update(pods)
    return tuple(
        FilledNode(name, tuple(PodShare(workload, count) for workload, count in sorted(pods.items())))
        for name, pods in sorted(shares.items())
    )


def _left(pending: Iterable[PendingPods], placed: Counter[str], reasons: Mapping[str, str]) -> Iterable[PendingPods]:
    """Yield the pods that stay pending; those that a group is for wait for room there."""
    rest = Counter(placed)
    for pods in pending:
        fewer = min(pods.count, rest[pods.workload])
        rest[pods.workload] -= fewer
        if pods.count > fewer:
            reason = reasons.get(pods.workload)
            left = replace(pods, count=pods.count - fewer) if fewer else pods
            yield left if reason is None else replace(left, reason=reason, remedy="")


def _why_full(batch: PodBatch, groups: Sequence[GroupNodes], registry: LabelRegistry) -> str:
    """Return why pods that only node groups can take find no room there; empty if no group is for them."""
    suited = [group for group in groups if group.is_for(batch.pod, registry)]
    return "; ".join(_lacks(group) for group in suited)


def _lacks(group: GroupNodes) -> str:
    declared = group.group
    if declared.running and not declared.most:
        return f"node group {declared.name}, beside Karpenter, has no room on its {counted(declared.running, 'running node')}"
    if group.type is None and declared.most:
        return f"node group {declared.name}, beside Karpenter, is for it, and {_unknown_type(declared.instance_types)}"
    size = counted(declared.running + declared.most, "node")
    limit = f"at most {size}" if declared.autoscaled else size
    machine = f" of {group.type.name}" if group.type is not None else ""
    run = f", of which {declared.running:,} {'runs' if declared.running == 1 else 'run'}" if declared.running else ""
    return f"node group {declared.name}, beside Karpenter, has no room for it: {limit}{machine}{run}"


def _unknown_type(names: Sequence[str]) -> str:
    """Return why the type of a group's nodes is not known."""
    if not names:
        return "the type of its nodes is not known"
    if len(names) == 1:
        return f"the type {names[0]} of its nodes is not in the region's catalogue"
    return f"none of the types of its nodes is in the region's catalogue: {', '.join(names)}"
