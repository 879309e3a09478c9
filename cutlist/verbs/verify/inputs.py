"""Compare what is declared with what a cluster has: NodePools, node classes, NodeOverlays, DaemonSets, feature gates."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from cutlist.api.nodeoverlay import NodeOverlay
from cutlist.api.nodepool import NodePool
from cutlist.api.read import Objects, read_objects
from cutlist.core.errors import Problems
from cutlist.core.karpenter.feature_gates import FEATURE_GATES, FeatureGate
from cutlist.core.labels import INSTANCE_TYPE
from cutlist.documents.document import Document
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model.changes import Change
from cutlist.planning.running_controller import running_gates
from cutlist.verbs.diff.objects import ObjectChange, karpenter_changes, overlay_changes
from cutlist.verification.evidence import Declared, UndeclaredEdit
from cutlist.verification.pod_workloads import PodWorkloads

_NOT_IN_SNAPSHOTS: Final = frozenset({"userData", "context", "httpsProxy", "certificateBundles"})
"""Members of node classes that `cutlist snapshot` leaves out: that they are absent says nothing."""
_SPEC: Final = "spec."
_LONGEST: Final = 80  # characters of a value in a sentence
_ABSENT: Final = "absent"


def declared_of(inputs: PlanInputs | None, documents: Sequence[Document], planned: Iterable[str]) -> Declared:
    """Return what is known about the inputs of a plan, and how the objects of a cluster differ from them.

    `planned` are the workloads of the plan, to which running pods of the inputs belong.
    """
    if inputs is None:
        return Declared()
    workloads = PodWorkloads(planned)
    pods: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for pod in inputs.cluster.pods:
        pods[pod.node][workloads.of(pod)] += 1
    objects = read_objects(documents, Problems())
    return Declared(
        daemons=frozenset(daemon.workload for daemon in inputs.workloads.daemons),
        existing={node.name: pods.get(node.node, {}) for node in inputs.cluster.nodes},
        edits=tuple(_edits(inputs, objects)),
        gates=tuple(_other_gates(inputs, running_gates(d.data for d in documents))),
    )


def _edits(inputs: PlanInputs, objects: Objects) -> Iterator[UndeclaredEdit]:
    pools = (*inputs.node_pools, *objects.node_pools)
    if not objects.node_pools:
        return  # a cluster of which the NodePools may not be listed
    classes = (*objects.node_classes, *objects.aks_node_classes)
    declared_classes = [c for c in inputs.node_classes if classes]
    changes = karpenter_changes((*inputs.node_pools, *declared_classes), (*objects.node_pools, *classes))
    for change in changes:
        yield from _edits_of(change, _pools_of(change, pools))
    yield from _overlay_edits(inputs.documents, objects.node_overlays, frozenset(pool.name for pool in pools))


def _overlay_edits(
    declared: Iterable[Document], overlays: Sequence[NodeOverlay], pools: frozenset[str]
) -> Iterator[UndeclaredEdit]:
    """Yield how the overlays of a cluster differ from the declared ones; if there are none, they may just not be listed."""
    if not overlays:
        return
    before = read_objects([document for document in declared if document.kind == NodeOverlay.KIND], Problems()).node_overlays
    for change in overlay_changes(before, overlays):
        types = [_types_of(overlay) for overlay in (*before, *overlays) if overlay.name == change.name]
        yield from _edits_of(change, pools, frozenset().union(*types) if all(types) else frozenset())


def _types_of(overlay: NodeOverlay) -> frozenset[str]:
    """Return the instance types that an overlay names, none where it is for types by other properties."""
    named = (row.values for row in overlay.requirements if row.key == INSTANCE_TYPE and row.operator == "In")
    return frozenset(value for values in named for value in values)


def _pools_of(change: ObjectChange, pools: Iterable[NodePool]) -> frozenset[str]:
    """Return the NodePools whose nodes a change concerns: itself, or those that refer to the node class."""
    if change.kind == "NodePool":
        return frozenset({change.name})
    refers = (pool for pool in pools if (pool.node_class_ref.kind, pool.node_class_ref.name) == (change.kind, change.name))
    return frozenset(pool.name for pool in refers)


def _edits_of(change: ObjectChange, pools: frozenset[str], types: frozenset[str] = frozenset()) -> Iterator[UndeclaredEdit]:
    if change.change is Change.ADDED:
        yield UndeclaredEdit(change.kind, change.name, "", "is in the cluster and not declared", pools, types)
    elif change.change is Change.REMOVED:
        yield UndeclaredEdit(change.kind, change.name, "", "is declared and not in the cluster", pools, types)
    for field in change.fields:
        is_left_out = field.after is None and field.path.removeprefix(_SPEC) in _NOT_IN_SNAPSHOTS
        if field.path.startswith(_SPEC) and not is_left_out:
            what = f"{field.path} is {_short(field.after)}, declared {_short(field.before)}"
            yield UndeclaredEdit(change.kind, change.name, field.path, what, pools, types)


def _short(value: Any) -> str:
    if value is None:
        return _ABSENT
    text = value if isinstance(value, str) else json.dumps(value, default=str, sort_keys=True)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _other_gates(inputs: PlanInputs, running: Mapping[str, bool]) -> Iterator[str]:
    for gate in FEATURE_GATES:
        if gate.name in running and running[gate.name] is not _is_taken_as_on(gate, inputs):
            yield f"feature gate {gate.name} is {'on' if running[gate.name] else 'off'}, unlike what the plan assumed"


def _is_taken_as_on(gate: FeatureGate, inputs: PlanInputs) -> bool:
    """Tell whether a plan of the inputs assumes a gate to be on: as set explicitly, else if an object needs it, else by
    Karpenter's default."""
    settings, release = inputs.figures.controller, inputs.options.karpenter.release
    needed = {
        "NodeOverlay": bool(inputs.overlays),
        "CapacityBuffer": bool(inputs.buffers),
        "StaticCapacity": any(pool.is_static for pool in inputs.node_pools),
    }
    if gate.name in settings.feature_gates:
        return settings.feature_gates[gate.name]
    return needed.get(gate.name, False) or (gate.on_since is not None and gate.on_since <= release)
