"""Pods as Kubernetes objects: a manifest from which scheduling reads the same pod again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from cutlist.core.annotations import DO_NOT_DISRUPT
from cutlist.core.instants import instant_text
from cutlist.core.quantity import Quantity
from cutlist.core.requirement import Expression
from cutlist.state.pods import DISRUPTION_COST, RunningPod
from cutlist.workloads import pods

Manifest = dict[str, Any]

_IMAGE: Final = "example.com/image"
_API_VERSIONS: Final = {"Node": "v1", "ReplicationController": "v1", "Job": "batch/v1"}
_REPLICA_SETS: Final = {"Deployment": "ReplicaSet"}
"""The kind of the objects by which a workload controls its pods, where it is another one."""


def present(**members: Any) -> Manifest:
    """Return the members that have a value."""
    # 0 and False are values.
    return {name: value for name, value in members.items() if value not in (None, "", [], {}, ())}


def amounts_text(amounts: Mapping[str, int]) -> dict[str, str]:
    """Return amounts in nano-units as manifests write them."""
    return {name: Quantity(amount).canonical() for name, amount in amounts.items()}


def running_pod_manifest(pod: RunningPod) -> Manifest:
    """Return the object of a pod, bound or not. Times are in whole seconds, as an API server keeps them."""
    manifest = pod_manifest(pod.pod, pod.name)
    metadata = {
        **manifest["metadata"],
        **present(
            uid=pod.uid,
            creationTimestamp=instant_text(pod.created) if pod.created else None,
            deletionTimestamp=_deleted(pod),
            annotations=_annotations(pod),
            ownerReferences=_owners(pod),
        ),
    }
    spec = {
        **manifest["spec"],
        **present(nodeName=pod.node, priorityClassName=pod.priority_class),
        **({} if pod.grace == pods.DEFAULT_GRACE else {"terminationGracePeriodSeconds": pod.grace}),
    }
    status = present(phase=pod.phase, startTime=None if pod.started is None else instant_text(pod.started))
    if pod.unready:
        status["conditions"] = [{"type": "Ready", "status": "False"}]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, **present(status=status)}


def pod_manifest(pod: pods.Pod, name: str) -> Manifest:
    """Return `metadata` and `spec` of a pod of this name, or of the template of such pods."""
    requests = amounts_text({r: amount for r, amount in pod.requests.items() if r != "pods"})
    ports = sorted(pod.host_ports, key=lambda p: (p.port, p.protocol, p.ip))
    container = {
        "name": "main",
        "image": _IMAGE,
        **present(
            resources=present(requests=requests),
            ports=[{"containerPort": p.port, "hostPort": p.port, "hostIP": p.ip, "protocol": p.protocol} for p in ports],
        ),
    }
    spec = present(
        nodeSelector=dict(pod.node_selector),
        affinity=_affinity(pod),
        tolerations=[
            present(key=t.key, operator=t.operator, value=t.value, effect=t.effect) or {"operator": ""} for t in pod.tolerations
        ],
        topologySpreadConstraints=[spread_manifest(c) for c in pod.spread],
        volumes=[_volume(v, name, number) for number, v in enumerate(pod.volumes)],
        resourceClaims=[_claim(c) for c in pod.resource_claims],
        priority=pod.priority or None,
    )
    metadata = {"name": name, "namespace": pod.namespace, **present(labels=dict(pod.labels))}
    return {"metadata": metadata, "spec": {"containers": [container], **spec}}


def _claim(claim: pods.PodClaim) -> Manifest:
    return {"name": claim.name, **present(resourceClaimName=claim.claim, resourceClaimTemplateName=claim.template)}


def spread_manifest(constraint: pods.SpreadConstraint) -> Manifest:
    """Return an entry of `topologySpreadConstraints`."""
    policies = {
        "nodeAffinityPolicy": (constraint.node_affinity_policy, "Honor"),
        "nodeTaintsPolicy": (constraint.node_taints_policy, "Ignore"),
    }
    return {
        "topologyKey": constraint.topology_key,
        "maxSkew": constraint.max_skew,
        "whenUnsatisfiable": constraint.when_unsatisfiable,
        **_selector("labelSelector", constraint.selector),
        **present(minDomains=constraint.min_domains, matchLabelKeys=list(constraint.match_label_keys)),
        **{name: policy for name, (policy, default) in policies.items() if policy != default},
    }


def expressions_manifest(expressions: Iterable[Expression]) -> list[Manifest]:
    """Return expressions as manifests write them."""
    return [e.manifest() for e in expressions]


def owner_kind(kind: str) -> str:
    """Return the kind of the object that controls a pod of a workload: a ReplicaSet for a Deployment."""
    return _REPLICA_SETS.get(kind, kind)


def _owners(pod: RunningPod) -> list[Manifest]:
    """Return references to the owners of a pod, its controller first. Of other owners only the kind is known."""
    owners = []
    if pod.controller is not None:
        kind = owner_kind(pod.controller.kind)
        owners.append(_owner(kind, pod.controller.name, pod.controller.api_version or _api_version(kind)))
    known = {owner["kind"] for owner in owners}
    owners += [_owner(kind, f"recorded-{kind.lower()}", _api_version(kind)) for kind in sorted(pod.owners - known)]
    return [{**owner, "controller": True} if number == 0 else owner for number, owner in enumerate(owners)]


def _owner(kind: str, name: str, api_version: str) -> Manifest:
    return {"apiVersion": api_version, "kind": kind, "name": name, "uid": f"{kind.lower()}-{name}"}


def _api_version(kind: str) -> str:
    return _API_VERSIONS.get(kind, "apps/v1")


def _annotations(pod: RunningPod) -> dict[str, str]:
    held = present(**{DO_NOT_DISRUPT: pod.do_not_disrupt, pods.DELETION_COST: pod.deletion_cost})
    return held if pod.disruption_cost is None else {**held, DISRUPTION_COST: pod.disruption_cost}


def _deleted(pod: RunningPod) -> str | None:
    if not pod.terminating:
        return None
    return instant_text(pod.created if pod.deletion_timestamp is None else pod.deletion_timestamp)


def _affinity(pod: pods.Pod) -> Manifest:
    preferred = [
        {"weight": p.weight, "preference": {"matchExpressions": expressions_manifest(p.expressions)}} for p in pod.preferred
    ]
    return present(
        nodeAffinity=present(**{pods.REQUIRED: _node_terms(pod.required, pod), pods.PREFERRED: preferred}),
        podAffinity=_pod_affinity(pod.affinity, pod.preferred_affinity),
        podAntiAffinity=_pod_affinity(pod.anti_affinity, pod.preferred_anti_affinity),
    )


def _node_terms(terms: pods.Terms | None, pod: pods.Pod) -> Manifest | None:
    if terms is None:
        return None
    written = [present(matchExpressions=expressions_manifest(term)) for term in terms]
    if pod.uses_match_fields:
        written[0] |= {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["node"]}]}
    return {"nodeSelectorTerms": written}


def _pod_affinity(required: Iterable[pods.PodTerm], preferred: Iterable[pods.PodTerm]) -> Manifest:
    weighted = [{"weight": term.weight, "podAffinityTerm": _pod_term(term)} for term in preferred]
    return present(**{pods.REQUIRED: [_pod_term(term) for term in required], pods.PREFERRED: weighted})


def _pod_term(term: pods.PodTerm) -> Manifest:
    return {
        "topologyKey": term.topology_key,
        **_selector("labelSelector", term.selector),
        **_selector("namespaceSelector", term.namespace_selector),
        **present(namespaces=sorted(term.namespaces)),
    }


def _selector(name: str, selector: pods.LabelSelector | None) -> Manifest:
    return {} if selector is None else {name: selector_manifest(selector)}


def selector_manifest(selector: pods.LabelSelector) -> Manifest:
    """Return a label selector; one that selects everything is empty."""
    expressions = expressions_manifest(selector.expressions)
    return present(matchLabels=dict(selector.match_labels), matchExpressions=expressions)


def _volume(volume: pods.Volume, pod_name: str, number: int) -> Manifest:
    if not volume.ephemeral:
        return {"name": f"volume-{number}", "persistentVolumeClaim": {"claimName": volume.claim_of(pod_name)}}
    spec = {} if volume.storage_class is None else {"storageClassName": volume.storage_class}
    return {"name": volume.claim, "ephemeral": {"volumeClaimTemplate": {"spec": spec}}}
