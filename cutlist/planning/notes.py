"""What a reader of a plan has to know: assumptions and warnings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.api.old_objects import OLD_KUBELET, OLD_VERSION
from cutlist.api.read import NodeClass, kind_of
from cutlist.core.labels import NODEPOOL
from cutlist.core.money import money_of
from cutlist.core.notes import Note
from cutlist.core.quantity import NANO
from cutlist.core.wording import counted, first_of, hourly, hourly_apart
from cutlist.disruption.drifted_nodes import DriftedNode, drifted_nodes, in_words
from cutlist.documents.delivery.releases import NOT_RENDERED, planned_by
from cutlist.planning.allowed import allowed_types
from cutlist.planning.aws.notes import agent_notes
from cutlist.planning.gpu_sharing.sharing import CLUSTER_POLICY, gpu_sharing
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import PlannedNode
from cutlist.planning.model.passes import passes_text
from cutlist.planning.model.plan import NO_PODS
from cutlist.planning.passes import PassesOutcome
from cutlist.planning.pool_findings import pool_findings
from cutlist.planning.pool_types import node_classes_by_pool
from cutlist.planning.services import service_notes
from cutlist.planning.static_nodes import static_notes
from cutlist.scheduling.inputs import is_ready
from cutlist.scheduling.instancetypes import InstanceTypeIndexes
from cutlist.scheduling.nodeoverlays import OverlaidTypes
from cutlist.settings.planning import REPLICAS
from cutlist.state.scheduling_node import NODES
from cutlist.workloads.chosen_replicas import MAXIMUM
from cutlist.workloads.groups import NotUnderstood, PodGroup

# Things that will not happen as their author expects; all other notes of the workloads are assumptions.
_WARNING_CODES: Final = frozenset(
    (
        "chart-not-rendered",
        "defined-twice",
        "delivery-not-rendered",
        "delivery-of-another-revision",
        "environments",
        "kustomized-twice",
        "limit-range",
        OLD_KUBELET,
        OLD_VERSION,
        "open-input",
        "priority-class-unknown",
        "resource-quota",
        "runtime-class-conflict",
        "runtime-class-unknown",
        "template-not-rendered",
        "unknown-resource",
    )
)


_NAMED: Final = 5
_AT_MAXIMUM: Final = f"`cutlist plan {REPLICAS.flag} {MAXIMUM}`"


def assumptions(inputs: PlanInputs, nodes: Sequence[PlannedNode]) -> list[Note]:
    """Return notes on what the inputs leave open, and what is assumed instead."""
    notes = [n for n in inputs.workloads.notes if n.code not in _WARNING_CODES]
    notes += [Note("catalogue", remark) for remark in inputs.catalog.remarks]
    notes += inputs.cloud.assumptions(inputs.node_pools, node_classes_by_pool(inputs.node_pools, inputs.node_classes), nodes)
    notes += _open_gates(inputs)
    notes += service_notes(inputs)
    notes += _order_of_equals(inputs)
    notes += _passed_over(inputs)
    notes += notes_on_maximum(inputs)
    if inputs.workloads.groups and not inputs.workloads.daemons:
        notes.append(Note("no-daemonsets", "the input has no DaemonSets, so none takes room on the nodes"))
    return notes


def _passed_over(inputs: PlanInputs) -> list[Note]:
    """Return a note on the kinds of objects that are ignored, with their numbers: as far as is known, no plan depends on
    them."""
    passed = inputs.workloads.passed_over
    read = gpu_sharing(inputs.documents).read if passed.keys() & {"ConfigMap", CLUSTER_POLICY} else {}
    left = {kind: count - read.get(kind, 0) for kind, count in passed.items()}
    kinds = ", ".join(f"{count} {kind}" for kind, count in left.items() if count)
    return [Note("not-looked-at", f"not read, because no plan is known to depend on them: {kinds}")] if kinds else []


def _open_gates(inputs: PlanInputs) -> list[Note]:
    """Return a note on the feature gates that have to be on for what the inputs ask for, and that nobody is known to have
    turned on."""
    controller = inputs.figures.controller
    static = [p for p in inputs.node_pools if p.replicas]
    gates = (("NodeOverlay", inputs.overlays), ("CapacityBuffer", inputs.buffers), ("StaticCapacity", static))
    names = " and ".join(gate for gate, used in gates if used and not controller.is_on(gate))
    if not names:
        return []
    if controller.service is not None:
        text = f"{controller.service.name} runs with the feature gate {names} on; whether it does is not published"
    else:
        text = f"Karpenter runs with the feature gate {names} on; it is off by default"
    return [Note("feature-gates", text)]


def _order_of_equals(inputs: PlanInputs) -> list[Note]:
    """Return a note on ties in which Karpenter leaves open which pod comes first (spec: scheduling 12)."""
    sizes = Counter((g.pod.requests.get("cpu", 0), g.pod.requests.get("memory", 0)) for g in inputs.workloads.groups)
    if all(workloads == 1 for workloads in sizes.values()):
        return []
    text = "pods with equal cpu and memory are placed in the order of the input; Karpenter goes by age, then by a random id"
    return [Note("order-of-equals", text)]


def rejected_overlays(overlaid: OverlaidTypes) -> list[Note]:
    """Return notes on the NodeOverlays that have no effect, and why."""
    return [Note("overlay-rejected", f"NodeOverlay {name} has no effect: {why}") for name, why in overlaid.rejected.items()]


def pass_notes(outcome: PassesOutcome) -> list[Note]:
    """Return notes on what has to be assumed when a pass builds on the nodes of an earlier one."""
    if not outcome.further:
        return []
    taken = "nodes of an earlier round are assumed to be of the instance type shown, in the first zone that sells it"
    return [Note("passes", f"nodes are launched in {outcome.passes:,} rounds; {passes_text(outcome.further)}; {taken}")]


def unfinished_notes(outcome: PassesOutcome) -> list[Note]:
    """Return a note if the passes stopped early."""
    return [Note("passes-unfinished", f"the plan is not finished: {outcome.unfinished}")] if outcome.unfinished else []


def warnings(inputs: PlanInputs, nodes: Sequence[PlannedNode]) -> list[Note]:
    """Return warnings about what is left out, or will not happen as its author expects."""
    notes = list(_shortened([n for n in inputs.workloads.notes if n.code in _WARNING_CODES]))
    if not inputs.has_workloads:
        notes.append(Note("no-workloads", "no workload is in the input, so no node is needed"))
    notes += _not_understood([item for item in inputs.workloads.not_understood if not item.unrendered])  # else noted already
    notes += [*notes_on_nothing(inputs), *_overlay_prices(nodes)]
    notes += agent_notes(inputs.node_pools, inputs.workloads.daemons)
    for pool in inputs.node_pools:
        if not is_ready(pool):
            text = f"NodePool {pool.name} opens no nodes: it is not ready or being deleted"
            notes.append(Note("node-pool-left-out", text))
    notes += [*static_notes(inputs.node_pools, inputs.cluster.nodes), *_exceeded_limits(inputs, nodes)]
    return [*notes, *_drift(inputs), *inputs.cloud.warnings(nodes)]


def _shortened(notes: Sequence[Note]) -> Iterator[Note]:
    """Yield notes, of those on what is not rendered the first few: the account of the inputs names each, with its command."""
    unrendered = [note for note in notes if note.code == NOT_RENDERED]
    passed_over = set(unrendered[_NAMED_UNRENDERED:]) if len(unrendered) > _NAMED_UNRENDERED + 1 else set()
    yield from (note for note in notes if note not in passed_over)
    if passed_over:
        yield Note(NOT_RENDERED, f"others that are not rendered: {len(passed_over):,}, each with its command in the JSON form")


def _not_understood(items: Sequence[NotUnderstood]) -> Iterator[Note]:
    """Yield notes on objects whose pods are not counted; one for all that a command renders."""
    by_command: dict[str, list[str]] = {}
    for item in items:
        who = f"{item.kind} {item.name} ({item.place})"
        if item.command:
            by_command.setdefault(planned_by(item.command), []).append(who)
            continue
        text = f"{who} creates pods that cannot be predicted; they are not in the plan"
        text += f": {item.why}" if item.why else "; a document of kind PodKinds says how many there are"
        yield Note("not-understood", text)
    for command, names in by_command.items():
        stand, them = ("stands", "it") if len(names) == 1 else ("stand", "them")
        what = f"{stand} for objects that another tool renders, which are not in the plan; render {them}"
        yield Note("not-understood", f"{first_of(names, _NAMED_UNRENDERED)} {what}: {command}")


_NAMED_UNRENDERED: Final = 3


def _overlay_prices(nodes: Sequence[PlannedNode]) -> list[Note]:
    """Return a note on nodes that Karpenter chooses by prices of NodeOverlays, not by those that are paid."""
    overlaid = [n for n in nodes if n.overlay_price is not None]
    if not overlaid:
        return []
    count, ranked = sum(n.count for n in overlaid), money_of((n.count, n.overlay_price or 0.0) for n in overlaid)
    known = all(n.price is not None for n in overlaid)
    for_rank, for_bill = hourly_apart(ranked, money_of((n.count, n.price.usd_per_hour if n.price else 0.0) for n in overlaid))
    text = f"NodeOverlays make Karpenter rank {counted(count, 'node')} at ${for_rank if known else hourly(ranked)} an hour"
    paid = f"you pay ${for_bill}" if known else "what you pay is not known"
    return [Note("overlay-prices", f"{text}; {paid}, and all costs here are what you pay")]


def _exceeded_limits(inputs: PlanInputs, nodes: Sequence[PlannedNode]) -> Iterator[Note]:
    """Yield the NodePools with more nodes than their limit: a pass does not count the nodes that it opens (S-69)."""
    existing = Counter(node.labels.get(NODEPOOL) for node in inputs.cluster.nodes if node.in_pass)
    new: Counter[str | None] = Counter()
    for node in nodes:
        new[node.node_pool] += node.count
    for pool in inputs.node_pools:
        limit, count = pool.limits.get(NODES), existing[pool.name] + new[pool.name]
        if limit is not None and new[pool.name] and count * NANO > limit.nanos:
            text = f"NodePool {pool.name} gets {count} nodes with a limit of {limit} nodes"
            why = "Karpenter checks the limit before a round and does not count the nodes that the round opens"
            yield Note("nodes-limit-exceeded", f"{text}: {why}")


def _drift(inputs: PlanInputs) -> list[Note]:
    """Return notes on the nodes that will be replaced once the NodePools of the inputs are applied."""
    by_pool: dict[str, list[DriftedNode]] = {}
    for node in drifted_nodes(inputs.node_pools, inputs.cluster.claims):
        by_pool.setdefault(node.node_pool, []).append(node)
    return [Note("drift", in_words(name, drifted)) for name, drifted in by_pool.items()]


def node_pool_notes(inputs: PlanInputs, tables: InstanceTypeIndexes, classes: Mapping[str, NodeClass]) -> list[Note]:
    """Return findings about participating NodePools and their classes. `tables` and `classes` are by NodePool."""
    pools = [p for p in inputs.node_pools if is_ready(p)]
    cloud = inputs.cloud
    daemons = [d.pod for d in inputs.workloads.daemons]
    notes: list[Note] = []
    for allowed in allowed_types(pools, tables, classes):
        strict = inputs.options.strict_min_values
        notes += [*cloud.pool_findings(allowed), *pool_findings(allowed, inputs.catalog, daemons, strict_min_values=strict)]
    used = {(kind_of(c), c.name): c for c in classes.values()}
    return notes + [note for key in sorted(used) for note in cloud.class_findings(used[key])]


@dataclass(frozen=True, slots=True)
class _Replicas:
    """A workload with its pods, those that run included, and the range that they are scaled in."""

    workload: str
    pods: int
    range: tuple[int, int] | None

    @property
    def most(self) -> int:
        """Return how many pods it may have."""
        return self.pods if self.range is None else max(self.pods, self.range[1])

    def __str__(self) -> str:
        return self.workload if self.range is None else f"{self.workload} ({self.range[0]} to {self.range[1]})"


def notes_on_maximum(inputs: PlanInputs) -> list[Note]:
    """Return a note on how many pods there are if every autoscaler is at its maximum, and on how to plan these."""
    scaled = [r for r in _replicas(inputs.workloads.groups) if r.most > r.pods]
    if not scaled or not _any_pods(inputs):
        return []
    now, most = sum(r.pods for r in scaled), sum(r.most for r in scaled)
    text = f"{counted(len(scaled), 'workload')} may grow from {counted(now, 'pod')} to {most:,}; {_AT_MAXIMUM} plans these"
    return [Note("autoscaled-maximum", text)]


def notes_on_nothing(inputs: PlanInputs) -> list[Note]:
    """Return a warning if every workload of the input has 0 pods: the plan is then not one of these workloads at work."""
    replicas = _replicas(inputs.workloads.groups)
    if not replicas or _any_pods(inputs):
        return []
    shown = first_of(list(map(str, replicas)), _NAMED)
    ways = [f"{_AT_MAXIMUM} plans the most that autoscalers allow"] if any(r.most > r.pods for r in replicas) else []
    ways.append(f"{REPLICAS.flag} {replicas[0].workload}=N plans N pods of it")
    return [Note(NO_PODS, f"every workload of the input has 0 pods: {shown}; {', '.join(ways)}")]


def _any_pods(inputs: PlanInputs) -> bool:
    """Tell whether anything of the input runs, or waits for a node."""
    workloads = inputs.workloads
    running = workloads.bound or inputs.cluster.pods or inputs.buffers
    return bool(running) or any(group.count or group.bound for group in workloads.groups)


def _replicas(groups: Iterable[PodGroup]) -> list[_Replicas]:
    """Return each workload once, by name: a StatefulSet whose replicas differ has several groups."""
    pods: dict[str, int] = {}
    ranges: dict[str, tuple[int, int] | None] = {}
    for group in groups:
        pods[group.workload] = pods.get(group.workload, 0) + group.count + group.bound
        ranges[group.workload] = group.range
    return [_Replicas(name, pods[name], ranges[name]) for name in sorted(pods)]
