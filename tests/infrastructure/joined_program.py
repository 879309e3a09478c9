"""Programs of one call that joins all components, and which part of the stack each of their resources is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pulumi_cutlist.program.offline import Mode
from pulumi_cutlist.recorded.recording import Recording

from tests.infrastructure.aws_stand_in import ACCOUNT, run
from tests.infrastructure.deletion_order import Part
from tests.infrastructure.test_node_configuration import node_class, pool

ADMINS = {"deployer": f"arn:aws:iam::{ACCOUNT}:role/Deployer"}
WHERE = {"cluster_name": "shop", "region": "eu-west-1", "account_id": ACCOUNT}
NEW = {**WHERE, "kubernetes_version": "1.35", "admins": ADMINS}
OBJECTS = {"node_pools": [pool()], "node_classes": [node_class()]}
SUBNETS = [
    {"id": "subnet-0a", "zone": "eu-west-1a", "has_default_route": True},
    {"id": "subnet-0b", "zone": "eu-west-1b", "has_default_route": True},
]
ADOPTED_VPC = {"adopted": {"vpc_id": "vpc-01", "private_subnets": SUBNETS}}
ADOPTED = {
    "authentication_mode": "API_AND_CONFIG_MAP",
    "endpoint": "https://shop.example",
    "certificate_authority": "Q0E=",
    "oidc_issuer": "https://oidc.eks.eu-west-1.amazonaws.com/id/ABC",
    "oidc_provider_arn": f"arn:aws:iam::{ACCOUNT}:oidc-provider/shop",
    "security_group_id": "sg-1",
}

BY_THEMSELVES = frozenset({Part.NODE_IDENTITY, Part.NODE_POOLS})
"""Parts not all of which wait for each other: roles are not in the cluster, and a pool goes before its own class alone."""
_EARLY = ("vpc-cni", "kube-proxy", "eks-pod-identity-agent")
_OF_COMPONENT = {
    "Network": Part.NETWORK,
    "InterfacePass": Part.LAST_INTERFACES,
    "NodeIdentity": Part.NODE_IDENTITY,
    "ControllerIdentity": Part.CONTROLLER_IDENTITY,
    "Interruption": Part.INTERRUPTION,
    "Discovery": Part.DISCOVERY,
    "Teardown": Part.SWEEP,
    "DrainGate": Part.DRAIN_GATE,
}
_OF_TYPE = {
    "aws:eks/cluster:Cluster": Part.CLUSTER,
    "aws:eks/nodeGroup:NodeGroup": Part.SYSTEM_CAPACITY,
    "aws:eks/fargateProfile:FargateProfile": Part.SYSTEM_CAPACITY,
    "kubernetes:karpenter.sh/v1:NodePool": Part.NODE_POOLS,
    "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass": Part.NODE_CLASSES,
}


def joined(component: str, given: dict[str, Any], mode: Mode = Mode.PREVIEW) -> Recording:
    """Return what one call with these inputs registers; many tests look at the same one."""
    return _registered(component, json.dumps(given), mode)


@lru_cache(maxsize=32)
def _registered(component: str, given: str, mode: Mode) -> Recording:
    body = f"from pulumi_cutlist.aws import {component}\n{component}('shop', given)\n"
    with TemporaryDirectory() as folder:
        return run(Path(folder), body, mode, given=json.loads(given))


def parts_of(recording: Recording) -> dict[str, Part]:
    """Return which part each resource belongs to, by URN; components and what may go at any time belong to none."""
    found = {urn: part_of(urn, one.type, one.inputs) for urn, one in recording.resources.items()}
    return {urn: part for urn, part in found.items() if part is not None}


def part_of(urn: str, type_: str, inputs: Mapping[str, Any]) -> Part | None:
    """Return which part a resource belongs to."""
    if type_.startswith("cutlist:"):
        return None
    if type_ in _OF_TYPE:
        return _OF_TYPE[type_]
    if type_ == "aws:eks/addon:Addon":
        return Part.EARLY_ADDONS if inputs["addonName"] in _EARLY else Part.LATE_ADDONS
    if type_ == "kubernetes:helm.sh/v3:Release":
        return {"karpenter": Part.CONTROLLER, "karpenter-crd": Part.CRDS}.get(inputs["name"])
    parents = [kind.removeprefix("cutlist:index:") for kind in urn.split("::")[2].split("$")]
    return next((_OF_COMPONENT[kind] for kind in parents if kind in _OF_COMPONENT), None)
