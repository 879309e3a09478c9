"""Entries of a scenario's pods: new ones, variants of earlier ones, and such as are wrong or rare."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Final

from tests.conformance.scenario_pods import PodMaker
from tests.conformance.scenario_words import CAPACITY_TYPE, CUSTOM, HOSTNAME, NODEPOOL, RACK, SINCE, Object


def entry(maker: PodMaker, name: str, most: int, before: Sequence[Object] = ()) -> Object:
    """Return an entry of a scenario's pods: some pods alike. Now and then they are a variant of an entry before."""
    rng = maker.rng
    alike = bool(before) and rng.random() < 0.3
    pod = variant(maker, rng.choice(before)["pod"], name) if alike else maker.pod(name)
    if maker.chance("strange", 0.4):
        make_strange(maker, pod)
    if rng.random() < 0.05:
        pod["metadata"]["creationTimestamp"] = SINCE
    return {"count": rng.randint(1, most), "pod": pod}


def variant(maker: PodMaker, pod: Object, name: str) -> Object:
    """Return a pod with nearly the same constraints: such pods share topology rules in ways that are easy to get wrong."""
    rng, copied = maker.rng, copy.deepcopy(pod)
    copied["metadata"]["name"] = name
    spec = copied["spec"]
    for _ in range(rng.choice((1, 1, 2))):
        match rng.choice(("requests", "labels", "tolerations", "selector", "terms", "spread", "nothing")):
            case "requests":
                spec["containers"][0]["resources"]["requests"] = maker.requests()
            case "labels":
                copied["metadata"]["labels"] = maker.labels()
            case "tolerations":
                has = spec.get("tolerations") or [maker.toleration()]
                spec["tolerations"] = [*has, rng.choice((has[0], maker.toleration()))]
            case "selector":
                spec["nodeSelector"] = {k: rng.choice(CUSTOM.get(k, (v,))) for k, v in spec.get("nodeSelector", {}).items()}
            case "terms":
                _more_terms(maker, spec)
            case "spread":
                for entry in spec.get("topologySpreadConstraints", []):
                    entry["minDomains"] = rng.randint(1, 4)
    return copied


def _more_terms(maker: PodMaker, spec: Object) -> None:
    """One more OR-term, the same one again or another."""
    affinity = spec.setdefault("affinity", {}).setdefault("nodeAffinity", {})
    node_selector = affinity.setdefault("requiredDuringSchedulingIgnoredDuringExecution", {"nodeSelectorTerms": maker.terms(1)})
    terms = node_selector["nodeSelectorTerms"]
    terms.append(copy.deepcopy(maker.rng.choice(terms)) if terms and maker.rng.random() < 0.5 else maker.terms(1)[0])


_WRONG: Final = (
    {"key": HOSTNAME, "operator": "In", "values": ["node-0"]},
    {"key": CAPACITY_TYPE, "operator": "In", "values": ["nonsense"]},
    {"key": "karpenter.sh/other", "operator": "Exists"},
    {"key": "a b", "operator": "Exists"},
    {"key": RACK, "operator": "In", "values": []},
    {"key": RACK, "operator": "Gt", "values": ["x"]},
    {"key": RACK, "operator": "Lt", "values": ["1", "2"]},
    {"key": NODEPOOL, "operator": "DoesNotExist"},
    {"key": "node-restriction.kubernetes.io/x", "operator": "NotIn", "values": ["y"]},
    {"key": "kubernetes.io/custom", "operator": "DoesNotExist"},
)


def make_strange(maker: PodMaker, pod: Object) -> None:
    """Put something into a pod that is wrong, rare or none of a NodePool's business."""
    rng, spec = maker.rng, pod["spec"]
    affinity = spec.setdefault("affinity", {}).setdefault("nodeAffinity", {})
    required = "requiredDuringSchedulingIgnoredDuringExecution"
    wrong = dict(rng.choice(_WRONG))
    match rng.choice(
        ("required", "or", "preferred", "many", "selector", "fields", "empty", "claims", "nominated", "daemon", "gone")
    ):
        case "required":
            affinity[required] = {"nodeSelectorTerms": [{"matchExpressions": [wrong]}]}
        case "or":
            affinity.setdefault(required, {"nodeSelectorTerms": maker.terms(1)})["nodeSelectorTerms"].append(
                {"matchExpressions": [wrong]}
            )
        case "preferred":
            affinity["preferredDuringSchedulingIgnoredDuringExecution"] = [
                {"weight": 1, "preference": {"matchExpressions": [wrong]}}
            ]
        case "many":
            affinity["preferredDuringSchedulingIgnoredDuringExecution"] = [
                {"weight": rng.choice((1, 5, 5)), "preference": {"matchExpressions": [maker.expression()]}}
                for _ in range(rng.randint(12, 18))
            ]
        case "selector":
            spec["nodeSelector"] = {rng.choice((HOSTNAME, "karpenter.sh/other", "unknown", NODEPOOL)): "alpha"}
        case "fields":
            fields = [{"key": "metadata.name", "operator": "In", "values": ["node-0"]}]
            affinity[required] = {"nodeSelectorTerms": [{"matchFields": fields}]}
        case "empty":
            affinity[required] = {"nodeSelectorTerms": rng.choice(([], [{}], [{}, *maker.terms(1)]))}
        case "claims":
            spec["resourceClaims"] = [{"name": "device", "resourceClaimName": "device"}]
        case "nominated":
            pod["status"] = {"phase": "Pending", "nominatedNodeName": "node-0"}
        case "daemon":
            owner = {"apiVersion": "apps/v1", "kind": "DaemonSet", "name": "daemon-0", "uid": "daemon-0", "controller": True}
            pod["metadata"]["ownerReferences"] = [owner]
        case "gone":
            pod["status"] = {
                "phase": "Pending",
                "conditions": [{"type": "PodScheduled", "status": "False", "reason": "SchedulingGated"}],
            }
