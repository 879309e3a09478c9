"""Nodes as Kubernetes objects: the Node, its NodeClaim and its CSINode, from which a cluster reads the same node again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.api.nodepool import NodePool
from cutlist.core.instants import instant_text
from cutlist.core.quantity import merge
from cutlist.simulation.recording.pod_manifests import Manifest, amounts_text, present
from cutlist.state.scheduling_node import is_ephemeral
from cutlist.state.statenode import Condition, NodeClaimState, StateNode

_KEPT: Final = "cutlist.example/recorded"
"""Finalizer of objects that are being deleted: without one the API server would have removed them."""


def node_manifests(node: StateNode, pools: Mapping[str, NodePool]) -> Iterator[Manifest]:
    """Yield the objects of a node: its NodeClaim, its Node and the CSINode that limits its volumes, those that exist."""
    provider_id = node.claim.provider_id if node.claim is not None else f"recorded:///{node.name}"
    if node.claim is not None:
        yield _claim(node, node.claim, pools.get(node.pool))
    if node.has_node:
        yield _node(node, provider_id)
        if node.state.attach_limits:
            yield _csi_node(node)


def _amounts(node: StateNode) -> Manifest:
    """Return capacity and allocatable; the latter is what is free and what pods use."""
    used = merge(*(p.pod.requests for p in node.pods if not p.ended))
    allocatable = {r: amount + used.get(r, 0) for r, amount in node.state.available.items()}
    return {"capacity": amounts_text(node.state.capacity), "allocatable": amounts_text(allocatable)}


def _node(node: StateNode, provider_id: str) -> Manifest:
    is_deleted = node.claim is None and node.state.removed
    deleted = {"deletionTimestamp": instant_text(node.created), "finalizers": [_KEPT]} if is_deleted else {}
    metadata = {
        "name": node.state.node,
        **present(labels=dict(node.state.own_labels), annotations=dict(node.annotations)),
        **({"creationTimestamp": instant_text(node.created)} if node.created else {}),
        **deleted,
    }
    spec = {"providerID": provider_id, **present(taints=[t.manifest() for t in node.state.own_taints])}
    status = {**_amounts(node), **present(conditions=_conditions(node.conditions))}
    return {"apiVersion": "v1", "kind": "Node", "metadata": metadata, "spec": spec, "status": status}


def _claim(node: StateNode, claim: NodeClaimState, pool: NodePool | None) -> Manifest:
    metadata = {
        "name": claim.name,
        "creationTimestamp": instant_text(claim.created),
        "finalizers": [_KEPT],
        **present(labels=dict(claim.labels), annotations=dict(claim.annotations)),
        **({} if claim.deleted is None else {"deletionTimestamp": instant_text(claim.deleted)}),
    }
    is_registered = node.name == node.state.node
    startup = (
        [] if node.initialized else [t for t in node.state.own_taints if t not in node.state.taints and not is_ephemeral(t)]
    )
    # Karpenter reads the taints of a registered node from the Node.
    taints = [] if is_registered else node.state.taints
    spec = {
        "expireAfter": claim.expire_after,
        "requirements": [],
        **({} if pool is None else {"nodeClassRef": pool.node_class_ref.manifest()}),
        **present(
            terminationGracePeriod=claim.termination_grace_period,
            taints=[t.manifest() for t in taints],
            startupTaints=[t.manifest() for t in startup],
        ),
    }
    last = claim.last_pod_event
    status = {
        **_amounts(node),
        **present(
            providerID=claim.provider_id,
            imageID=claim.image_id,
            nodeName=node.state.node,
            conditions=_conditions(claim.conditions),
            lastPodEventTime=None if last is None else instant_text(last),
        ),
    }
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodeClaim", "metadata": metadata, "spec": spec, "status": status}


def _csi_node(node: StateNode) -> Manifest:
    drivers = [
        {"name": name, "nodeID": node.name, "topologyKeys": None, **_count(name, limit, node)}
        for name, limit in node.state.attach_limits.items()
    ]
    spec = {"drivers": drivers}
    return {"apiVersion": "storage.k8s.io/v1", "kind": "CSINode", "metadata": {"name": node.state.node}, "spec": spec}


def _count(driver: str, limit: int | None, node: StateNode) -> Manifest:
    if limit is not None:
        return {"allocatable": {"count": limit}}
    return {"allocatable": {}} if driver in node.state.uncounted_drivers else {}


def _conditions(conditions: Mapping[str, Condition]) -> list[dict[str, Any]]:
    return [
        {
            "type": kind,
            "status": condition.status,
            "lastTransitionTime": instant_text(condition.since),
            "reason": condition.reason or kind,
            "message": "",
        }
        for kind, condition in conditions.items()
    ]
