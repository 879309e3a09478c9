"""The system's node group beside a further, small one, in the sources that write the label by which it is known."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from cutlist.policy.rules import Resource
from tests.gates.plans import change, planned
from tests.gates.trick import Trick, Wanted, registered

_LABELS: Final = {"karpenter.sh/controller": "true"}
_SELECTED: Final = {"Namespace": "kube-system", "Labels": [{"Key": "app.kubernetes.io/name", "Value": "karpenter"}]}


def of_opentofu(nodes: int) -> tuple[Resource, ...]:
    """Return a plan with the system's group of so many nodes, and a further one."""
    return _planned("aws_eks_node_group", "subnet_ids", "taint", nodes, in_blocks=True)


def of_cloud_control(nodes: int) -> tuple[Resource, ...]:
    """Return the same of the provider that is made from AWS' API."""
    return _planned("awscc_eks_nodegroup", "subnets", "taints", nodes)


def _planned(group: str, subnets: str, taints: str, nodes: int, *, in_blocks: bool = False) -> tuple[Resource, ...]:
    def sizes(least: int) -> Any:
        block = {"min_size": least, "desired_size": least, "max_size": 4}
        return [block] if in_blocks else block

    taint = {"key": "CriticalAddonsOnly", "value": "true", "effect": "NO_SCHEDULE"}
    system = {"labels": _LABELS, taints: [taint], subnets: ["subnet-1", "subnet-2"], "scaling_config": sizes(nodes)}
    small = {"labels": {}, subnets: ["subnet-1"], "scaling_config": sizes(0)}
    return planned(change(group, "system", cluster_name="shop", **system), change(group, "batch", cluster_name="shop", **small))


def _small(**properties: Any) -> dict[str, Any]:
    sizes = {"MinSize": 0, "DesiredSize": 0, "MaxSize": 2}
    return {
        "Type": "AWS::EKS::Nodegroup",
        "Properties": {"ClusterName": "shop", "ScalingConfig": sizes, "Subnets": ["subnet-1"], **properties},
    }


def _stack(**resources: Any) -> tuple[Resource, ...]:
    body = json.dumps({"Resources": resources})
    return (registered("aws:cloudformation/stack:Stack", "shop", templateBody=body),)


def of_cloudformation(nodes: int) -> tuple[Resource, ...]:
    """Return the same as a template."""
    system = _small(
        ScalingConfig={"MinSize": nodes, "DesiredSize": nodes, "MaxSize": 4},
        Subnets=["subnet-1", "subnet-2"],
        Labels=_LABELS,
        Taints=[{"Key": "CriticalAddonsOnly", "Value": "true", "Effect": "NO_SCHEDULE"}],
    )
    return _stack(System=system, Batch=_small())


def _fargate(namespace: str) -> tuple[Resource, ...]:
    profile = {
        "Type": "AWS::EKS::FargateProfile",
        "Properties": {"ClusterName": "shop", "Selectors": [{**_SELECTED, "Namespace": namespace}]},
    }
    return _stack(Batch=_small(), Controller=profile)


def of_referred(nodes: int) -> tuple[Resource, ...]:
    """Return the same as a template whose groups refer to their cluster."""
    made = json.loads(of_cloudformation(nodes)[0].data["templateBody"])["Resources"]
    for group in made.values():
        group["Properties"]["ClusterName"] = {"Fn::ImportValue": "cluster"}
    return _stack(**made)


_SOURCES: Final[dict[str, Callable[[int], tuple[Resource, ...]]]] = {
    "a plan of OpenTofu": of_opentofu,
    "a plan of awscc": of_cloud_control,
    "a template": of_cloudformation,
    "a template that refers to its cluster": of_referred,
}

TRICKS: Final = (
    *(Trick(f"the system's only node beside others in {name}", made(1), "IF-09") for name, made in _SOURCES.items()),
    *(Trick(f"a small group beside the system's in {name}", made(2), wanted=Wanted.PASSES) for name, made in _SOURCES.items()),
    Trick("a small group where the controller is on Fargate", _fargate("kube-system"), wanted=Wanted.PASSES),
    Trick("a small group where other pods are on Fargate", _fargate("web"), "IF-09"),
)
