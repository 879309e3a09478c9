"""Nodes that drift because of an edit of a node class, or of the Kubernetes version of AKS, as far as their NodeClaims show it.

(spec: disruption 7.4; api-objects 9.4; azure 7)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from cutlist.api import aksnodeclass_hash as aks
from cutlist.api.aksnodeclass import AKSNodeClass
from cutlist.api.ami_alias import LATEST, AmiAlias, alias_of
from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.api.nodepool import NodePool
from cutlist.core.labels import CAPACITY_TYPE, NODEPOOL, RESERVED
from cutlist.disruption.drift_reason import Drift
from cutlist.disruption.drifted_nodes import DriftedNode, in_order
from cutlist.disruption.edits import Edited, MemberEdit, ObjectEdit, Reach
from cutlist.providers.aws import node_class_hash as ec2
from cutlist.providers.azure.images import is_behind
from cutlist.state.cluster import Origin
from cutlist.state.statenode import NodeClaimState

_BY_TERMS: Final = {
    "amiSelectorTerms": Drift.AMI,
    "subnetSelectorTerms": Drift.SUBNET,
    "securityGroupSelectorTerms": Drift.SECURITY_GROUP,
    "capacityReservationSelectorTerms": Drift.CAPACITY_RESERVATION,
}


def drifted_by_class(
    pools: Iterable[NodePool], changed: Iterable[ObjectEdit], classes: Iterable[Edited], claims: Iterable[Mapping[str, Any]]
) -> list[DriftedNode]:
    """Return the NodeClaims of these NodePools that drift, or may drift, because of changes in their node classes.

    They are ordered by pool and name. `classes` are the new node classes. Whatever depends on the account's resources that
    selector terms match is uncertain, except for images that are named by id or by a fixed version of an alias.
    """
    edited = {(edit.kind, edit.name): edit for edit in changed}
    new_classes = {(c.KIND, c.name): c for c in classes}
    by_name = {pool.name: pool for pool in pools}
    drifted = []
    for claim in map(NodeClaimState.read, claims):
        pool = by_name.get(claim.labels.get(NODEPOOL, ""))
        key = (pool.node_class_ref.kind, pool.node_class_ref.name) if pool is not None else ("", "")
        if pool is not None and key in edited and key in new_classes:
            node = _drifted(claim, pool.name, edited[key], new_classes[key])
            drifted += [node] if node is not None else []
    return in_order(drifted)


def _drifted(claim: NodeClaimState, pool: str, edit: ObjectEdit, new: Edited) -> DriftedNode | None:
    """Return the effect of a class on a claim: the first certain reason, else the first possible one."""
    hashed = tuple(m.path for m in edit.members if m.reach is Reach.ALL)
    if hashed and _is_compared(new, claim):
        return DriftedNode(claim.name, pool, Drift.NODE_CLASS, hashed)
    reasons = list(_by_terms(edit, claim, new))
    # A later reason that is certain tells more than an earlier one that is only possible.
    certain = next((reason for reason in reasons if reason[2]), None)
    chosen = certain or next(iter(reasons), None)
    return None if chosen is None else DriftedNode(claim.name, pool, chosen[0], (chosen[1],), certain=chosen[2])


def _is_compared(new: Edited, claim: NodeClaimState) -> bool:
    """Tell whether a claim carries a hash of the version that Karpenter writes; others get a new hash and are not compared."""
    if isinstance(new, AKSNodeClass):
        key, version_key, version = aks.HASH, aks.HASH_VERSION, aks.HASH_VERSION_OF_LINE
    else:
        key, version_key, version = ec2.HASH, ec2.HASH_VERSION, new.karpenter.ec2_node_class_hash
    return key in claim.annotations and claim.annotations.get(version_key) == version


def _by_terms(edit: ObjectEdit, claim: NodeClaimState, new: Edited) -> Iterator[tuple[Drift, str, bool]]:
    """Yield the reasons that depend on what terms match: the reason, the member, and whether it is certain."""
    for member in edit.members:
        reason = _reason(member)
        if reason is None or (reason is Drift.CAPACITY_RESERVATION and claim.labels.get(CAPACITY_TYPE) != RESERVED):
            continue
        other_image = _other_image(edit, claim, new) if reason is Drift.AMI else None
        if other_image is not False:
            yield reason, member.path, bool(other_image)


def _reason(member: MemberEdit) -> Drift | None:
    if member.reach is Reach.UNKNOWN:
        return Drift.NODE_CLASS
    return _BY_TERMS.get(member.path.rpartition(".")[2]) if member.reach is Reach.SOME else None


def _other_image(edit: ObjectEdit, claim: NodeClaimState, new: Edited) -> bool | None:
    """Tell whether a node would start from another image than before; None when only the account knows.

    Among several images named by id the newest that fits is used, so a match with one of them does not prove that the node
    stays.
    """
    if not isinstance(new, EC2NodeClass):
        return None
    terms = new.stored()["spec"].get("amiSelectorTerms") or ()
    ids = [term["id"] for term in terms if "id" in term]
    if ids and len(ids) == len(terms) and claim.image_id:
        # Not among the ids is certain; among several of them, the newest one may be another.
        return claim.image_id not in ids or (None if len(ids) > 1 else False)
    versions = [AmiAlias.read(alias_of(spec) or "").version for spec in (edit.before, new.stored()["spec"])]
    # Where both versions are fixed, the terms differ in the version or the family, and each leads to another image.
    return True if all(versions) and LATEST not in versions else None


K8S_VERSION_DRIFT: Final = "K8sVersionDrift"


MEMBER: Final = "aks.kubernetesVersion"
"""The name of the control plane's version in user input: no NodePool and no class contains it."""


def drifted_by_version(pools: Iterable[NodePool], origins: Iterable[Origin], version: str) -> list[DriftedNode]:
    """Return the NodeClaims of these NodePools whose Node is older than the control plane, by NodePool and name.

    `version` is the control plane's; if it is empty, none of them drifts. Nodes follow it and are never downgraded. A node's
    version is the one that its kubelet reports, so a claim without a Node is left out.
    """
    ours = {pool.name for pool in pools if version and pool.node_class_ref.kind == AKSNodeClass.KIND}
    drifted = []
    for node, manifest in origins:
        claim = NodeClaimState.read(manifest) if manifest is not None else None
        if node is None or claim is None or (pool := claim.labels.get(NODEPOOL, "")) not in ours:
            continue
        kubelet = ((node.get("status") or {}).get("nodeInfo") or {}).get("kubeletVersion") or ""
        if is_behind(kubelet, version):
            drifted.append(DriftedNode(claim.name, pool, K8S_VERSION_DRIFT, (MEMBER,)))
    return in_order(drifted)
