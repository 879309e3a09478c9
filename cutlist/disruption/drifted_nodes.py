"""Nodes that do not match the NodePools of a file, regardless of what the cluster knows about the file (spec: disruption 7.2,
7.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

from cutlist.api.nodeclaim import NodeClaim
from cutlist.api.nodepool import NodePool
from cutlist.api.nodepool_hash import HASH, HASH_VERSION, stored_template_hash
from cutlist.core.errors import InputError
from cutlist.core.labels import NODEPOOL
from cutlist.core.records import HIDDEN, Key
from cutlist.disruption.drift_reason import CoreDrift, hash_differs, meets_requirements

Manifest = Mapping[str, Any]

_COPIED: Final = ("expireAfter", "nodeClassRef", "startupTaints", "taints", "terminationGracePeriod")
"""Members of a NodeClaim's spec that are copied from its NodePool's template when it is created."""
_NAMED: Final = 5
_METADATA: Final = ("annotations", "labels")


@dataclass(frozen=True, slots=True)
class DriftedNode:
    """A NodeClaim that drifts, and why.

    `members` are those of the template or node class that cause it, as far as the claim shows. If it is not `certain`, the
    resources that selector terms match in the account decide.
    """

    claim: Annotated[str, Key("nodeClaim")]
    node_pool: str
    reason: str
    members: tuple[str, ...]
    certain: Annotated[bool, HIDDEN] = True


def drifted_nodes(pools: Iterable[NodePool], claims: Iterable[Manifest]) -> list[DriftedNode]:
    """Return the NodeClaims, by NodePool and name, that drift once the NodePools are as they are here.

    The hash of a pool is computed, since the one in its annotations belongs to an earlier state. As in Karpenter, claims
    without a hash, or with one of another version, are not compared.
    """
    by_name = {pool.name: pool for pool in pools}
    pairs = [(by_name[name], claim) for claim in claims if (name := _texts(claim, "labels").get(NODEPOOL, "")) in by_name]
    return in_order(node for pool, claim in pairs if (node := _drifted(pool, claim)) is not None)


def in_order(drifted: Iterable[DriftedNode]) -> list[DriftedNode]:
    """Return drifted nodes by NodePool and name, the order of all their lists."""
    return sorted(drifted, key=lambda node: (node.node_pool, node.claim))


def in_words(pool: str, drifted: Sequence[DriftedNode]) -> str:
    """Return a sentence about the drifted nodes of one NodePool, with at most this many names."""
    names = ", ".join(node.claim for node in drifted[:_NAMED]) + (", ..." if len(drifted) > _NAMED else "")
    reasons = ", ".join(sorted({node.reason for node in drifted}))
    members = sorted({member for node in drifted for member in node.members})
    by = f" by {', '.join(members)}" if members else ""
    nodes = f"{len(drifted)} node{'s' if len(drifted) > 1 else ''}"
    verb = ("drift" if len(drifted) > 1 else "drifts") if all(node.certain for node in drifted) else "may drift"
    return f"NodePool {pool}: {nodes} {verb}{by} ({reasons}): {names}"


def _drifted(pool: NodePool, claim: Manifest) -> DriftedNode | None:
    template, name = pool.stored()["spec"]["template"], str(_mapping(claim.get("metadata")).get("name", ""))
    # As the controller will stamp the pool once the file is applied.
    stamped = {HASH: stored_template_hash(template), HASH_VERSION: pool.karpenter.node_pool_hash}
    if hash_differs(stamped, _texts(claim, "annotations")):
        return DriftedNode(name, pool.name, CoreDrift.NODE_POOL, tuple(_members(template, claim)))
    if not meets_requirements(_texts(claim, "labels"), pool, pool.registry):
        return DriftedNode(name, pool.name, CoreDrift.REQUIREMENTS, ("spec.template.spec.requirements",))
    return None


def _members(template: Manifest, claim: Manifest) -> Iterator[str]:
    """Yield the members of the template that differ in the claim, judged by their hash; removals from metadata are not
    detected."""
    for key in _METADATA:
        wanted, texts = (template.get("metadata") or {}).get(key) or {}, _texts(claim, key)
        if any(texts.get(name) != value for name, value in wanted.items()):
            yield f"spec.template.metadata.{key}"
    try:
        of_claim = NodeClaim.from_manifest(claim).stored()["spec"]
    except InputError:
        return  # an older claim's fields are written differently
    own = template["spec"]
    for key in _COPIED:
        of_template = {"spec": {key: own[key]} if own.get(key) else {}}
        of_node = {"spec": {key: of_claim[key]} if of_claim.get(key) else {}}
        # Compared by hash and not as values: defaults and the order of lists differ without being a difference.
        if stored_template_hash(of_template) != stored_template_hash(of_node):
            yield f"spec.template.spec.{key}"


def _texts(claim: Manifest, key: str) -> Mapping[str, str]:
    texts = _mapping(_mapping(claim.get("metadata")).get(key))
    return {name: value for name, value in texts.items() if isinstance(value, str)}


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
