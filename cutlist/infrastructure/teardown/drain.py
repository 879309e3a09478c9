"""The findings of a drain gate in a cluster: Karpenter's pools and claims on AWS, and the pods that hold their nodes (spec:
aws-infrastructure 8.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from cutlist.core.annotations import DO_NOT_DISRUPT

Manifest = Mapping[str, Any]
CLASS_GROUP: Final = "karpenter.k8s.aws"
_MIRROR: Final = "kubernetes.io/config.mirror"
_OVER: Final = ("Succeeded", "Failed")


class DrainMode(StrEnum):
    """What a drain gate does about pools that still exist when it is deleted."""

    FAIL = "fail"
    DELETE = "delete"
    IGNORE = "ignore"


@dataclass(frozen=True, slots=True)
class ForeignObjects:
    """Pools and claims, by name, whose nodes a destroyed stack would leave running; never those of EKS Auto Mode."""

    pools: tuple[str, ...]
    claims: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.pools or self.claims)

    def __str__(self) -> str:
        parts = [("NodePools", self.pools), ("NodeClaims", self.claims)]
        return "; ".join(f"{kind}: {', '.join(names)}" for kind, names in parts if names)


def foreign(pools: Iterable[Manifest], claims: Iterable[Manifest]) -> ForeignObjects:
    """Return the pools and claims of self-managed Karpenter on AWS."""
    ours = (pool for pool in pools if _group(pool["spec"]["template"]["spec"]) == CLASS_GROUP)
    return ForeignObjects(_names(ours), _names(claim for claim in claims if _group(claim["spec"]) == CLASS_GROUP))


def is_in_use(pools: Iterable[Manifest], own: Collection[str]) -> bool:
    """Tell whether the stack's own pools exist and are not being deleted: then nothing is torn down and only the gate is
    removed."""
    return any(pool["metadata"]["name"] in own and "deletionTimestamp" not in pool["metadata"] for pool in pools)


def holding(claims: Sequence[Manifest], pods: Iterable[Manifest]) -> list[str]:
    """Return one line per pod that holds a node: a drain waits for these."""
    of_node = {node: claim["metadata"]["name"] for claim in claims if (node := (claim.get("status") or {}).get("nodeName"))}
    return sorted(
        f"{of_node[node]}: pod {pod['metadata'].get('namespace', 'default')}/{pod['metadata']['name']} on node {node}: {why}"
        for pod, node, why in _holding(pods)
        if node in of_node
    )


def _holding(pods: Iterable[Manifest]) -> Iterator[tuple[Manifest, str, str]]:
    for pod in pods:
        annotations = pod["metadata"].get("annotations") or {}
        owners = {owner.get("kind") for owner in pod["metadata"].get("ownerReferences") or ()}
        if (pod.get("status") or {}).get("phase") in _OVER or _MIRROR in annotations or "DaemonSet" in owners:
            continue
        is_kept = annotations.get(DO_NOT_DISRUPT) == "true"
        why = f"it has {DO_NOT_DISRUPT}" if is_kept else "not evicted yet; is there a disruption budget?"
        yield pod, (pod.get("spec") or {}).get("nodeName", ""), why


def _group(spec: Manifest) -> str:
    return str((spec.get("nodeClassRef") or {}).get("group", ""))


def _names(objects: Iterable[Manifest]) -> tuple[str, ...]:
    return tuple(sorted(manifest["metadata"]["name"] for manifest in objects))
