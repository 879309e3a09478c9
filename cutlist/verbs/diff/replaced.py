"""Which nodes an edit of NodePools, of node classes or of the cluster's version replaces, in a few sentences for a preview.

It counts the running nodes of a snapshot, else the nodes that the workloads get from the objects as they were before the edit.
Without workloads it counts no node, and names the NodePools alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol, cast

from cutlist.api import aksnodeclass_hash as aks
from cutlist.api.aksnodeclass import AKSNodeClass
from cutlist.api.ami_alias import LATEST, AmiAlias, alias_of
from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.api.nodepool import NodePool
from cutlist.api.nodepool_hash import HASH, HASH_VERSION, stored_template_hash
from cutlist.api.read import NodeClass
from cutlist.core.labels import AUTO_GROUP, AZURE_GROUP, NODEPOOL
from cutlist.disruption.drift_reason import Drift
from cutlist.disruption.drifted_by_cloud import K8S_VERSION_DRIFT
from cutlist.disruption.drifted_nodes import DriftedNode
from cutlist.disruption.edits import Edited, MemberEdit, ObjectEdit, Reach, edits
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.planned_cluster import with_plan
from cutlist.providers.aws import node_class_hash as ec2
from cutlist.verbs.cluster_state import newest_time
from cutlist.verbs.diff.headline import budget_words, planned_replacement_sentence, replacement_sentence
from cutlist.verbs.diff.nodes import BlastRadius, blast_radius, budgets_of_drift
from cutlist.verbs.plan.answer import plan

_OF_CLOUDS: Final[Mapping[str, str]] = {AUTO_GROUP: Drift.AMI, AZURE_GROUP: K8S_VERSION_DRIFT}
"""Why nodes drift from the control plane's version whose class is of a group of the clouds."""
VERSION: Final = "kubernetesVersion"
"""The member by which a later Kubernetes replaces nodes."""


@dataclass(frozen=True, slots=True)
class Upgrade:
    """Another version of Kubernetes for a cluster."""

    before: str
    after: str

    def __str__(self) -> str:
        return f"Kubernetes {self.before} becomes {self.after}"


class NodeObjects(Protocol):
    """NodePools and node classes, as the inputs of a plan have them."""

    @property
    def node_pools(self) -> tuple[NodePool, ...]:
        """Return the NodePools."""

    @property
    def node_classes(self) -> tuple[NodeClass, ...]:
        """Return the node classes."""


def replaced(before: Sequence[Edited], after: NodeObjects, now: float, upgrade: Upgrade | None = None) -> list[str]:
    """Return which nodes are replaced once the objects are those of `after`, and by what; empty if no node is.

    `before` are the changed objects as they were; `now` is the instant (seconds since 1970) from which budgets count for nodes
    that are only planned. A snapshot's nodes have the instant of the snapshot. Nodes are counted where `after` are the inputs
    of a plan with workloads or nodes.
    """
    was = {(of.KIND, of.name): of for of in before}
    new: list[Edited] = [*after.node_pools, *after.node_classes]
    changed = edits([was.get((of.KIND, of.name), of) for of in new], new)
    causes = [*(_cause(edit, after) for edit in changed if edit.reach is not Reach.NONE), *_of_upgrade(after, upgrade)]
    if not causes:
        return []
    if not isinstance(after, PlanInputs) or not (after.cluster.origins or after.has_workloads):
        return [*causes, *_budgets(after, changed, upgrade)]
    old = _with(after, was)
    if after.cluster.origins:
        sentence = replacement_sentence(_blast(old, after, newest_time(after), upgrade))
        return [sentence or "no node of the snapshot is replaced", *causes]
    running = _planned(old, now)
    if not running.cluster.origins:
        return causes
    planned = replace(running, node_pools=after.node_pools, node_classes=after.node_classes)
    return [planned_replacement_sentence(_blast(old, planned, now, upgrade)) or "no planned node is replaced", *causes]


def _blast(old: PlanInputs, new: PlanInputs, now: float, upgrade: Upgrade | None) -> BlastRadius:
    """Return what the edit does to the nodes that the new inputs have."""
    return blast_radius(old, new, now, list(_drifted_by_upgrade(new, upgrade)))


def _with(after: PlanInputs, was: Mapping[tuple[str, str], Edited]) -> PlanInputs:
    """Return the inputs with some objects as they were, by kind and name. Those that are new have no nodes."""
    pools = tuple(cast("NodePool", was.get((pool.KIND, pool.name), pool)) for pool in after.node_pools)
    classes = tuple(cast("NodeClass", was.get((of.KIND, of.name), of)) for of in after.node_classes)
    return replace(after, node_pools=pools, node_classes=classes)


def _planned(old: PlanInputs, now: float) -> PlanInputs:
    """Return the inputs with the nodes that the old objects give the workloads, as Karpenter would have marked them."""
    running = with_plan(old, plan(old), now)
    pools = {pool.name: pool for pool in old.node_pools}
    classes = {(of.KIND, of.name): of for of in old.node_classes}
    origins = tuple((node, claim and _marked(claim, pools, classes)) for node, claim in running.cluster.origins)
    return replace(running, cluster=replace(running.cluster, origins=origins))


def _marked(
    claim: Mapping[str, Any], pools: Mapping[str, NodePool], classes: Mapping[tuple[str, str], Edited]
) -> Mapping[str, Any]:
    """Return a NodeClaim with the hashes of its NodePool and its class."""
    metadata = claim["metadata"]
    pool = pools.get(str((metadata.get("labels") or {}).get(NODEPOOL, "")))
    if pool is None:
        return claim
    stored = pool.stored()["spec"]["template"]
    hashes = {HASH: stored_template_hash(stored), HASH_VERSION: pool.karpenter.node_pool_hash}
    node_class = classes.get((pool.node_class_ref.kind, pool.node_class_ref.name))
    if isinstance(node_class, EC2NodeClass):
        spec, karpenter = node_class.stored()["spec"], node_class.karpenter
        hashes |= {ec2.HASH: ec2.stored_hash(spec, karpenter=karpenter), ec2.HASH_VERSION: karpenter.ec2_node_class_hash}
    elif isinstance(node_class, AKSNodeClass):
        hashes |= {aks.HASH: aks.stored_hash(node_class.stored()["spec"]), aks.HASH_VERSION: aks.HASH_VERSION_OF_LINE}
    return {**claim, "metadata": {**metadata, "annotations": {**(metadata.get("annotations") or {}), **hashes}}}


# --- what an edit does to nodes, in words


def _cause(edit: ObjectEdit, after: NodeObjects) -> str:
    """Return which nodes an edited object has replaced, by which members."""
    members = [member for member in edit.members if member.reach is not Reach.NONE]
    paths = ", ".join(member.path for member in members)
    if edit.kind == NodePool.KIND:
        return f"{_nodes(edit, members, after)} of NodePool {edit.name} drift: {paths}"
    pools = sorted(pool.name for pool in after.node_pools if _is_of(pool, edit.kind, edit.name))
    named = f" (NodePool{'s' if len(pools) > 1 else ''} {', '.join(pools)})" if pools else ""
    return f"{_nodes(edit, members, after)} of {edit.kind} {edit.name} drift{named}: {paths}"


def _nodes(edit: ObjectEdit, members: Sequence[MemberEdit], after: NodeObjects) -> str:
    """Return how many of its nodes an object has replaced."""
    by_image = any(member.rule == Drift.AMI for member in members) and _is_other_image(edit, after)
    if by_image or any(member.reach is Reach.ALL for member in members):
        return "all nodes"
    if any(member.keys for member in members):
        return "the nodes outside the new requirements"
    return "some nodes" if any(member.reach is Reach.SOME for member in members) else "nodes, perhaps,"


def _is_other_image(edit: ObjectEdit, after: NodeObjects) -> bool:
    """Tell whether a class names another fixed image than before: then no node has it."""
    new = next((of for of in after.node_classes if (of.KIND, of.name) == (edit.kind, edit.name)), None)
    if not isinstance(new, EC2NodeClass):
        return False
    versions = [AmiAlias.read(alias_of(spec) or "").version for spec in (edit.before, new.stored()["spec"])]
    return all(versions) and LATEST not in versions


def _is_of(pool: NodePool, kind: str, name: str) -> bool:
    return (pool.node_class_ref.kind, pool.node_class_ref.name) == (kind, name)


def _budgets(after: NodeObjects, changed: Sequence[ObjectEdit], upgrade: Upgrade | None) -> Iterator[str]:
    """Yield what the budgets of the NodePools with drifting nodes allow."""
    edited = {(edit.kind, edit.name) for edit in changed if edit.reach is not Reach.NONE}
    pools = {
        pool.name
        for pool in after.node_pools
        if upgrade is not None
        or (pool.KIND, pool.name) in edited
        or (pool.node_class_ref.kind, pool.node_class_ref.name) in edited
    }
    words = budget_words(tuple(budgets_of_drift(after.node_pools, pools)))
    if words:
        yield words


# --- another version of Kubernetes


def _drifted_by_upgrade(inputs: PlanInputs, upgrade: Upgrade | None) -> Iterator[DriftedNode]:
    """Yield the NodeClaims that drift because their image, or their version, is that of the control plane."""
    reasons = dict(_reasons(inputs)) if upgrade is not None else {}
    pools = {pool.name: reasons.get((pool.node_class_ref.kind, pool.node_class_ref.name), "") for pool in inputs.node_pools}
    for claim in inputs.cluster.claims:
        metadata = claim["metadata"]
        pool = str((metadata.get("labels") or {}).get(NODEPOOL, ""))
        if pools.get(pool):
            yield DriftedNode(str(metadata["name"]), pool, pools[pool], (VERSION,))


def _of_upgrade(inputs: NodeObjects, upgrade: Upgrade | None) -> Iterator[str]:
    """Yield which nodes another version of Kubernetes has replaced."""
    if upgrade is None:
        return
    names = {
        f"{kind} {name}" for (kind, name), _ in _reasons(inputs) if any(_is_of(pool, kind, name) for pool in inputs.node_pools)
    }
    if names:
        yield f"{upgrade}: all nodes of {', '.join(sorted(names))} drift, since their images are those of the version"
    else:
        yield f"{upgrade}: no node drifts, since the node classes name their images by themselves"


def _reasons(inputs: NodeObjects) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield the node classes whose nodes have an image of the control plane's version, with the reason of their drift: those of
    the clouds, also where the cloud itself makes the class, and those that find images by an alias or a parameter (spec:
    aws-instance-types; disruption 7.4; azure 7)."""
    for of in inputs.node_classes:
        if isinstance(of, EC2NodeClass):
            terms = of.stored()["spec"].get("amiSelectorTerms") or ()
            if any("alias" in term or "ssmParameter" in term for term in terms):
                yield (of.KIND, of.name), Drift.AMI
        elif isinstance(of, AKSNodeClass):
            yield (of.KIND, of.name), K8S_VERSION_DRIFT
        else:
            yield (of.KIND, of.name), Drift.AMI
    listed = {(of.KIND, of.name) for of in inputs.node_classes}
    for ref in (pool.node_class_ref for pool in inputs.node_pools):
        if ref.group in _OF_CLOUDS and (ref.kind, ref.name) not in listed:
            yield (ref.kind, ref.name), _OF_CLOUDS[ref.group]
