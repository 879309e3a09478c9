"""What a cluster holds before a pass, from its Kubernetes objects (spec: scheduling 4.2 to 4.4, 5.3, 7.4; S-66)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cutlist.core.labels import CORE, INITIALIZED, INSTANCE_TYPE, NODEPOOL, LabelRegistry
from cutlist.state.pods import RunningPod, TopologyPods, moves
from cutlist.state.scheduling_node import SchedulingNode, scheduling_node
from cutlist.state.volumes import Storage
from cutlist.workloads.equal_pods import EqualPods
from cutlist.workloads.objects import EvictionBudgets, PodDisruptionBudget

Manifest = Mapping[str, Any]
Origin = tuple[Manifest | None, Manifest | None]


@dataclass(frozen=True, slots=True)
class Cluster:
    """A cluster at one instant. `moving` are the pods of nodes being removed that a pass has to place again.

    `nodes` and `bound` enter a pass unchanged; each moving pod becomes a batch. `origins` are, in the order of the nodes, the
    Node and the NodeClaim from which each was read; `launching` are the NodeClaims that have no instance yet.
    """

    nodes: tuple[SchedulingNode, ...] = ()
    origins: tuple[Origin, ...] = ()
    launching: tuple[str, ...] = ()
    bound: tuple[TopologyPods, ...] = ()
    moving: tuple[RunningPod, ...] = ()
    pods: tuple[RunningPod, ...] = ()
    budgets: EvictionBudgets = field(default_factory=EvictionBudgets)
    storage: Storage = field(default_factory=Storage)

    @staticmethod
    def read(
        manifests: Iterable[Manifest], *, marked: Collection[str] = (), now: float = 0, registry: LabelRegistry = CORE
    ) -> Cluster:
        """Return the cluster that the objects describe. `marked` are names, as used in a pass, of nodes that Karpenter is about
        to remove.

        `now` is in seconds since 1970: a pod may be protected for some time after its start.
        """
        objects = _by_kind(manifests)
        storage = Storage.of(o for kind in ("PersistentVolumeClaim", "PersistentVolume", "StorageClass") for o in objects[kind])
        read_pod = EqualPods().read
        pods = tuple(RunningPod.read(manifest, read_pod(manifest)) for manifest in objects["Pod"])
        read = _nodes(objects, pods, storage, registry)
        nodes = tuple(replace(n, removed=True) if n.name in marked else n for n, _ in read)
        removed = {n.node for n in nodes if n.removed and n.tracked and n.node}
        budgets = EvictionBudgets.of(map(PodDisruptionBudget.read, objects["PodDisruptionBudget"]))
        moving = [p for p in pods if p.node in removed and moves(p, budgets, now)]
        # A pod whose volumes cannot be looked up is placed again, but topology counts it where it is (spec 4.5).
        leaving = {_name_of(p) for p in moving if storage.of_pod(p.pod, p.name, registry).resolved}
        return Cluster(
            nodes=nodes,
            origins=tuple(origin for _, origin in read),
            launching=tuple(o["metadata"]["name"] for o in objects["NodeClaim"] if not _provider_id(o)),
            bound=tuple(
                TopologyPods(p.pod, p.node, counted=p.active)
                for p in pods
                if p.node and not p.ended and _name_of(p) not in leaving
            ),
            moving=tuple(moving),
            pods=pods,
            budgets=budgets,
            storage=storage,
        )

    @property
    def claims(self) -> tuple[Manifest, ...]:
        """Return the NodeClaims of the nodes as they were written."""
        return tuple(claim for _, claim in self.origins if claim is not None)

    def without(self, names: Collection[str]) -> Cluster:
        """Return the cluster without the nodes of these names: their pods that can run elsewhere have to be placed again."""
        kept = [i for i, node in enumerate(self.nodes) if node.name not in names]
        removed = {node.node for node in self.nodes if node.name in names and node.node}
        moving = tuple(p for p in self.pods if p.node in removed and p.reschedulable)
        elsewhere = {_name_of(p) for p in self.moving}
        return replace(
            self,
            nodes=tuple(self.nodes[i] for i in kept),
            origins=tuple(self.origins[i] for i in kept),
            launching=(),
            bound=tuple(b for b in self.bound if b.node not in removed),
            moving=(*self.moving, *(p for p in moving if _name_of(p) not in elsewhere)),
            pods=tuple(p for p in self.pods if p.node not in removed),
        )


def _name_of(running: RunningPod) -> tuple[str, str]:
    return running.pod.namespace, running.name


def _by_kind(manifests: Iterable[Manifest]) -> dict[str, list[Manifest]]:
    """Return the objects of a cluster by kind. An object with only a `generateName` is not in any cluster yet."""
    kinds = (
        "Node",
        "NodeClaim",
        "Pod",
        "CSINode",
        "PersistentVolumeClaim",
        "PersistentVolume",
        "StorageClass",
        "PodDisruptionBudget",
    )
    by_kind: dict[str, list[Manifest]] = {kind: [] for kind in kinds}
    for manifest in manifests:
        if manifest.get("kind") in by_kind and (manifest.get("metadata") or {}).get("name"):
            by_kind[manifest["kind"]].append(manifest)
    return by_kind


def _nodes(
    objects: Mapping[str, Sequence[Manifest]],
    pods: Sequence[RunningPod],
    storage: Storage,
    registry: LabelRegistry,
) -> list[tuple[SchedulingNode, Origin]]:
    """Return the nodes with their NodeClaims, matched by provider id; a claim without one has not been launched yet."""
    on_node: dict[str, list[RunningPod]] = {}
    for pod in pods:
        on_node.setdefault(pod.node, []).append(pod)
    csi_nodes = {o["metadata"]["name"]: o for o in objects["CSINode"]}
    claims: dict[str | None, Manifest] = {_provider_id(o): o for o in objects["NodeClaim"]}
    claims.pop("", None)
    nodes: list[tuple[SchedulingNode, Origin]] = []
    for node in objects["Node"]:
        name = node["metadata"]["name"]
        tracked = _is_tracked(node)
        bound = on_node.get(name, ())
        attached = (storage.of_pod(p.pod, p.name, registry).attached for p in bound if not p.ended)
        claim = claims.pop((node.get("spec") or {}).get("providerID"), None) if tracked else None
        taken_up = scheduling_node(node, claim, bound, attached=frozenset().union(*attached), csi_node=csi_nodes.get(name))
        nodes.append((taken_up if tracked else replace(taken_up, tracked=False), (node, claim)))
    return nodes + [(scheduling_node(None, claim), (None, claim)) for claim in claims.values()]


def _is_tracked(node: Manifest) -> bool:
    """Tell whether Karpenter tracks a Node. A Node of Karpenter must have a provider id and, until initialized, its instance
    type."""
    labels = node["metadata"].get("labels") or {}
    if not labels.get(NODEPOOL):
        return True
    return bool((node.get("spec") or {}).get("providerID") and (labels.get(INSTANCE_TYPE) or labels.get(INITIALIZED)))


def _provider_id(claim: Manifest) -> str:
    """Return the instance of a NodeClaim, or an empty string while none has been launched."""
    return (claim.get("status") or {}).get("providerID") or ""
