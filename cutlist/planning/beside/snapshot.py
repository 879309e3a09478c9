"""Node groups of a cluster that runs, by the labels of its nodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from cutlist.core.labels import CAPACITY_TYPE, INSTANCE_TYPE, NODEPOOL, ON_DEMAND, SPOT
from cutlist.core.taints import Taint
from cutlist.planning.beside.declared import AKS, EKS, EKSCTL, SELF_MANAGED, DeclaredGroup
from cutlist.workloads.pods import FrozenDict

_BY_EKS: Final = "eks.amazonaws.com/nodegroup"
_BY_EKSCTL: Final = "alpha.eksctl.io/nodegroup-name"
_BY_AKS: Final = "kubernetes.azure.com/agentpool"
_CAPACITY: Final = ("eks.amazonaws.com/capacityType", "kubernetes.azure.com/scalesetpriority", CAPACITY_TYPE)


def group_of_node(node: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the name and the kind of the group that a Node belongs to, or None for one of Karpenter or of no group."""
    labels = _labels(node)
    if labels.get(NODEPOOL):
        return None
    if name := labels.get(_BY_EKS):
        return name, EKSCTL if labels.get(_BY_EKSCTL) else EKS
    kinds = ((_BY_EKSCTL, SELF_MANAGED), (_BY_AKS, AKS))
    return next(((labels[key], kind) for key, kind in kinds if labels.get(key)), None)


def running_groups(nodes: Iterable[Mapping[str, Any]]) -> tuple[DeclaredGroup, ...]:
    """Return the groups of Nodes: what all nodes of a group have in common, and how many run."""
    members: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for node in nodes:
        if (group := group_of_node(node)) is not None:
            members.setdefault(group, []).append(node)
    return tuple(_group(name, kind, of_group) for (name, kind), of_group in members.items())


def _group(name: str, kind: str, nodes: list[Mapping[str, Any]]) -> DeclaredGroup:
    labels = [set(_labels(node).items()) for node in nodes]
    taints = [tuple(map(Taint.read, (node.get("spec") or {}).get("taints") or ())) for node in nodes]
    common = dict(sorted(set.intersection(*labels)))
    is_spot = any(str(common.get(key, "")).lower() == SPOT for key in _CAPACITY)
    types = dict.fromkeys(of[INSTANCE_TYPE] for node in nodes if (of := _labels(node)).get(INSTANCE_TYPE))
    return DeclaredGroup(
        name,
        kind,
        FrozenDict(common),
        tuple(taint for taint in taints[0] if all(taint in of for of in taints)),
        tuple(types),
        SPOT if is_spot else ON_DEMAND,
        minimum=0,
        desired=len(nodes),
        maximum=len(nodes),
        running=len(nodes),
        source="nodes that run",
    )


def _labels(node: Mapping[str, Any]) -> Mapping[str, Any]:
    return (node.get("metadata") or {}).get("labels") or {}
