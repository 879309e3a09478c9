"""Nodes that AKS replaces because the control plane has gone on to another version of Kubernetes (spec: azure 7)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cutlist.api import AKSNodeClass, NodePool
from cutlist.core.labels import NODEPOOL
from cutlist.disruption.drifted_nodes import DriftedNode
from cutlist.providers.azure.kubernetes import is_behind
from cutlist.state.cluster import Origin
from cutlist.state.statenode import NodeClaimState

K8S_VERSION_DRIFT: Final = "K8sVersionDrift"
MEMBER: Final = "aks.kubernetesVersion"
"""Where a user says the control plane's version: it is in no NodePool and no class."""


def drifted_by_version(pools: Iterable[NodePool], origins: Iterable[Origin], version: str) -> list[DriftedNode]:
    """The NodeClaims of these NodePools whose Node is older than the control plane, by NodePool and name.

    `version` is the control plane's, none of them drifts while it is empty. Nodes follow it and never go back; what one runs is
    what its kubelet tells, and a claim without a Node has nothing to tell.
    """
    ours = {pool.name for pool in pools if version and pool.node_class_ref.kind == AKSNodeClass.KIND}
    found = []
    for node, manifest in origins:
        claim = NodeClaimState.read(manifest) if manifest is not None else None
        if node is None or claim is None or (pool := claim.labels.get(NODEPOOL, "")) not in ours:
            continue
        kubelet = ((node.get("status") or {}).get("nodeInfo") or {}).get("kubeletVersion") or ""
        if is_behind(kubelet, version):
            found.append(DriftedNode(claim.name, pool, K8S_VERSION_DRIFT, (MEMBER,)))
    return sorted(found, key=lambda one: (one.node_pool, one.claim))
