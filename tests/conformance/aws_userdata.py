"""User data, and what else the files of `vectors/aws-userdata` ask: NodeClass hash, drift and tags.

A launch is answered as far as these files go: the machines of the claim by image and number of pods, with the user data of each
template. How machines are chosen for a launch is another matter and not asked here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cutlist.api import EC2NodeClass
from cutlist.labels import AWS, NODEPOOL, ON_DEMAND, RESERVED, SPOT
from cutlist.providers.aws import instance_types
from cutlist.providers.aws.capacity import PODS
from cutlist.providers.aws.userdata import Cluster, ClusterNotReadyError, NodeFacts, UserDataError, user_data
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.requirements import Expression, Requirements
from cutlist.resources import NANO
from cutlist.taints import Taint
from tests.conformance.aws_types import catalog, ec2, observed, settings
from tests.conformance.stored import stored_node_class

Case = Mapping[str, Any]
Answer = dict[str, Any]


def answer(path: Path) -> dict[str, Answer]:
    """The answer to each case of a file, by name."""
    document = json.loads(path.read_text())
    ask = QUESTIONS[document["kind"]]
    records = ec2(path, document["catalogue"]) if document.get("catalogue") else {}
    return {case["name"]: ask(case["input"], records) for case in document["cases"]}


def launch(case: Case, records: Mapping[str, Any]) -> Answer:
    """The fleet request and its templates."""
    node_class = stored_node_class(case["nodeClass"])
    claim, wanted = case["nodeClaim"], requirements(case["nodeClaim"]["spec"].get("requirements") or ())
    found = [(t, usable(t, wanted)) for t in types(case, records, node_class)]
    sold_as = next(c for c in (RESERVED, SPOT, ON_DEMAND) if any(o.capacity_type == c for _, of in found for o in of))
    groups: dict[tuple[str, int], dict[str, dict[str, float]]] = {}
    for t, offerings in found:
        prices = {o.zone: o.price or 0.0 for o in offerings if o.capacity_type == sold_as}
        image = image_of(t, node_class)
        if prices and image:
            groups.setdefault((image, t.capacity[PODS] // NANO), {})[t.name] = prices
    try:
        texts = {pods: user_data(node_class, node_facts(claim, pods, sold_as), cluster(case)) for _, pods in groups}
    except ClusterNotReadyError as error:
        return {"error": {"kind": "NodeClassNotReady", "message": str(error)}}
    except UserDataError as error:
        return {"error": {"kind": "Create", "reason": "LaunchFailed", "message": str(error)}}
    subnets = {s.zone: s.id for s in reversed(node_class.subnets)}
    return {
        "fleet": fleet(case, sold_as, len(groups)),
        "templates": [
            {
                "imageID": image,
                "overrides": overrides,
                "subnets": {zone: subnets[zone] for of in overrides.values() for zone in of},
                "userData": texts[pods],
            }
            for (image, pods), overrides in groups.items()
        ],
    }


def types(case: Case, records: Mapping[str, Any], node_class: EC2NodeClass) -> Sequence[InstanceType]:
    """The instance types that a case names."""
    return instance_types(node_class, catalog(case, records), settings(case), observed=observed(case, node_class))


def requirements(listed: Iterable[Mapping[str, Any]]) -> Requirements:
    """Requirements as objects write them."""
    return Requirements.of_expressions([Expression.read(r) for r in listed], AWS)


def usable(t: InstanceType, wanted: Requirements) -> list[Offering]:
    """Open offerings of a type that a claim allows."""
    if not t.requirements.compatible(wanted, AWS.well_known):
        return []
    return [o for o in t.offerings if o.available and wanted.compatible(o.requirements, AWS.well_known)]


def image_of(t: InstanceType, node_class: EC2NodeClass) -> str:
    """The first image that fits the type; empty when none does."""
    for ami in node_class.amis:
        raw = [{"key": r.key, "operator": r.operator, "values": list(r.values)} for r in ami.requirements]
        if t.requirements.compatible(requirements(raw), frozenset()):
            return ami.id
    return ""


def node_facts(claim: Mapping[str, Any], pods: int, sold_as: str) -> NodeFacts:
    """What a NodeClaim says of its node."""
    spec = claim["spec"]
    return NodeFacts(
        max_pods=pods,
        capacity_type=sold_as,
        labels=claim["metadata"].get("labels") or {},
        taints=tuple(map(Taint.read, spec.get("taints") or ())),
        startup_taints=tuple(map(Taint.read, spec.get("startupTaints") or ())),
    )


def cluster(case: Case) -> Cluster:
    """The cluster of a case."""
    given = case.get("settings") or {}
    return Cluster(
        name=given.get("clusterName", ""),
        endpoint=given.get("clusterEndpoint", ""),
        ca_bundle=given.get("clusterCABundle"),
        service_cidr=given.get("clusterCIDR"),
        dns_ip=given.get("kubeDNSIP"),
    )


def fleet(case: Case, sold_as: str, templates: int) -> Answer:
    """The fleet request."""
    strategy = (
        {"spotAllocationStrategy": "price-capacity-optimized"}
        if sold_as == SPOT
        else {"onDemandAllocationStrategy": "lowest-price"}
    )
    return {
        "type": "instant",
        "defaultTargetCapacityType": sold_as,
        "totalTargetCapacity": 1,
        "taggedResources": ["fleet", "instance", "volume"],
        "launchTemplateConfigs": templates,
        "tags": launch_tags(case["nodeClass"], case["nodeClaim"], (case.get("settings") or {}).get("clusterName", "")),
        **strategy,
    }


def launch_tags(node_class: Mapping[str, Any], claim: Mapping[str, Any], cluster_name: str) -> dict[str, str]:
    """The tags of everything that a launch makes."""
    return {
        **(node_class["spec"].get("tags") or {}),
        f"kubernetes.io/cluster/{cluster_name}": "owned",
        "karpenter.sh/nodepool": (claim["metadata"].get("labels") or {}).get(NODEPOOL, ""),
        "eks:eks-cluster-name": cluster_name,
        "karpenter.k8s.aws/ec2nodeclass": node_class["metadata"]["name"],
    }


QUESTIONS = {"launch": launch}
