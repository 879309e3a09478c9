"""What happens to the hashes on NodeClaims when a release computes a hash in another way (spec: disruption 7.5; VA15-24).

A hash that is computed in another way has another version, and hashes of different versions are not compared. The controller
writes the new version on every NodeClaim, and the new hash on those that are not drifted. So no node is replaced for that
alone; one that drifted stays so; and one that differed without having been marked yet is never compared with what it differed
from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final

from cutlist.api import nodepool_hash as pools
from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.api.nodepool import NodePool
from cutlist.core.labels import NODEPOOL
from cutlist.core.records import about
from cutlist.disruption.drift_reason import Drift
from cutlist.providers.aws import node_class_hash as classes
from cutlist.state.statenode import DRIFTED, Condition, NodeClaimState, StateNode

Annotations = Mapping[str, str]
KEYS: Final = {
    NodePool.KIND: (pools.HASH, pools.HASH_VERSION),
    EC2NodeClass.KIND: (classes.HASH, classes.HASH_VERSION),
}
"""The annotations with the hash and its version, by the kind that is hashed."""


@dataclass(frozen=True, slots=True)
class Restamping:
    """NodeClaims whose hash of a kind gets another version.

    `absorbed` are the restamped ones that differ from their object and are not marked as drifted yet: they would have been
    replaced. `unstamped` are not compared. `statements` of docs/spec describe the later version of the hash.
    """

    kind: str
    before: str
    after: str
    restamped: Annotated[tuple[str, ...], about("Get the new version and hash; not replaced for that.")] = ()
    drifted: Annotated[tuple[str, ...], about("Get the version alone: they drifted before, and are replaced.")] = ()
    absorbed: Annotated[tuple[str, ...], about("Differ from their class, and are no longer replaced.")] = ()
    unstamped: Annotated[tuple[str, ...], about("Without a hash.")] = ()
    current: Annotated[tuple[str, ...], about("With the new version already.")] = ()
    statements: str = ""

    @property
    def claims(self) -> int:
        """Return how many NodeClaims were looked at."""
        return sum(map(len, (self.restamped, self.drifted, self.unstamped, self.current)))


def restamping(
    kind: str,
    before: str,
    after: str,
    objects: Iterable[NodePool | EC2NodeClass],
    of_claims: Mapping[str, str],
    claims: Iterable[Mapping[str, Any]],
) -> Restamping:
    """Return what happens to the hashes of a kind when their version becomes another.

    `objects` are of that kind; `of_claims` gives the name of the object that a NodeClaim is hashed with by its NodePool.
    """
    stamps = {item.name: annotations_of(item.manifest()) for item in objects}
    names: dict[str, list[str]] = {"restamped": [], "drifted": [], "absorbed": [], "unstamped": [], "current": []}
    for claim in map(NodeClaimState.read, claims):
        owner = of_claims.get(claim.labels.get(NODEPOOL, ""))
        if owner is None:
            continue
        version = claim.annotations.get(KEYS[kind][1])
        if version is None:
            names["unstamped"].append(claim.name)
        elif version == after:
            names["current"].append(claim.name)
        elif claim.has(DRIFTED):
            names["drifted"].append(claim.name)
        else:
            names["restamped"].append(claim.name)
            # Claims with an even older version were not compared before either, so they lose nothing.
            if version == before and differs(kind, stamps.get(owner, {}), claim.annotations, before):
                names["absorbed"].append(claim.name)
    restamped, drifted, absorbed, unstamped, current = (tuple(sorted(of_key)) for of_key in names.values())
    return Restamping(kind, before, after, restamped, drifted, absorbed, unstamped, current)


def differs(kind: str, of_object: Annotations, of_claim: Annotations, version: str) -> bool:
    """Tell whether both carry a hash of this version, and not the same one: then the node drifts."""
    key, version_key = KEYS[kind]
    both = (of_object, of_claim)
    comparable = all(key in annotations and annotations.get(version_key) == version for annotations in both)
    return comparable and of_object[key] != of_claim[key]


def with_drift_by_class(
    nodes: Iterable[StateNode], classes_of_pools: Mapping[str, EC2NodeClass], version: str, now: float
) -> tuple[StateNode, ...]:
    """Return the nodes, with those drifted whose hash of this version differs from that of their NodePool's class."""
    stamps = {pool: annotations_of(node_class.manifest()) for pool, node_class in classes_of_pools.items()}
    return tuple(_with_drift(node, stamps.get(node.pool, {}), version, now) for node in nodes)


def _with_drift(node: StateNode, of_class: Annotations, version: str, now: float) -> StateNode:
    claim = node.claim
    if claim is None or claim.has(DRIFTED) or not differs(EC2NodeClass.KIND, of_class, claim.annotations, version):
        return node
    conditions = {**claim.conditions, DRIFTED: Condition("True", now, Drift.NODE_CLASS)}
    return replace(node, claim=replace(claim, conditions=conditions))


def annotations_of(manifest: Mapping[str, Any]) -> Annotations:
    """Return the annotations of an object that are texts."""
    annotations = (manifest.get("metadata") or {}).get("annotations") or {}
    return {key: value for key, value in annotations.items() if isinstance(value, str)}
