"""Clusters and groups of pulumi-eks, and nodes that get public addresses from their subnets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from cutlist.policy.rules import UNKNOWN, Resource
from cutlist.policy.rules import tokens as t
from tests.gates.escalation import role
from tests.gates.machines import NODES
from tests.gates.trick import Trick, Wanted, output, registered
from tests.unit.policy.rules import subjects as s

CLUSTER: Final = registered(
    t.EKS_COMPONENT,
    "shop",
    version="1.34",
    authenticationMode="API",
    publicAccessCidrs=["203.0.113.0/24"],
    privateSubnetIds=["subnet-1", "subnet-2"],
    skipDefaultNodeGroup=True,
)
ADMIN: Final = "arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy"
PUBLIC: Final = registered(
    "aws:ec2/subnet:Subnet", "public", mapPublicIpOnLaunch=True, tags={"karpenter.sh/discovery": "demo", "tier": "web"}
)
UNTAGGED: Final = registered("aws:ec2/subnet:Subnet", "web", mapPublicIpOnLaunch=True)
PRIVATE: Final = registered("aws:ec2/subnet:Subnet", "private", tags={"karpenter.sh/discovery": "demo"})
NATIVE: Final = registered(
    "aws-native:ec2:Subnet",
    "public",
    mapPublicIpOnLaunch=True,
    tags=[{"key": "karpenter.sh/discovery", "value": "demo"}],
)
TAG: Final = registered("aws:ec2/tag:Tag", "t", key="karpenter.sh/discovery", value="demo")


def cluster(**inputs: Any) -> Resource:
    """Return a cluster of pulumi-eks with other inputs."""
    return replace(CLUSTER, data={**CLUSTER.data, **inputs})


def selecting(term: Any, **spec: Any) -> Resource:
    """Return a node class with a term for subnets."""
    return replace(s.CLASS, data={**s.CLASS.data, "spec": {**s.CLASS.data["spec"], "subnetSelectorTerms": [term], **spec}})


def entry(**inputs: Any) -> Resource:
    """Return a cluster with an entry of access for the role of nodes."""
    return cluster(accessEntries={"nodes": {"principalArn": NODES, **inputs}})


def referring(resource: Resource, member: str, *others: tuple[Resource, int]) -> Resource:
    """Return a resource of which a member names others, by outputs that only an update knows."""
    urns = tuple(f"urn:pulumi:dev::demo::{other.type}::{other.name}-{number}" for other, number in others)
    return replace(resource, references={member: urns})


def of(resource: Resource, member: str, other: Resource) -> Resource:
    """Return a resource of which a member is an output of the second resource of a row."""
    return output(resource, member, other, 1)


TAGGED: Final = {"tags": {"karpenter.sh/discovery": "demo"}}
CLUSTERS: dict[str, tuple[str, Resource]] = {
    "a public API by default": ("IF-07", s.drop(CLUSTER, "publicAccessCidrs")),
    "a public API that is written": ("IF-07", cluster(endpointPublicAccess=True, publicAccessCidrs=["0.0.0.0/0"])),
    "a public API by halves": ("IF-07", cluster(publicAccessCidrs=["0.0.0.0/1", "128.0.0.0/1"])),
    "access by a ConfigMap": ("IF-08", cluster(authenticationMode="CONFIG_MAP")),
    "no mode of access": ("IF-08", s.drop(CLUSTER, "authenticationMode")),
    "public nodes": ("NC-11", cluster(nodeAssociatePublicIpAddress=True)),
    "public nodes in options": ("NC-11", cluster(nodeGroupOptions={"nodeAssociatePublicIpAddress": True})),
    "public subnets alone": (
        "NC-11",
        replace(
            CLUSTER,
            data={"publicSubnetIds": ["subnet-1"], "authenticationMode": "API", "publicAccessCidrs": ["203.0.113.0/24"]},
        ),
    ),
}
ADMINISTRATORS: dict[str, Resource] = {
    "a policy": entry(accessPolicies={"admin": {"policyArn": ADMIN, "accessScope": {"type": "cluster"}}}),
    "a group": entry(kubernetesGroups=["system:masters"]),
    "a mapping": cluster(roleMappings=[{"roleArn": NODES, "username": "admin", "groups": ["system:masters"]}]),
    "a mapping of node's names": cluster(
        roleMappings=[
            {"roleArn": UNKNOWN, "username": "system:node:{{EC2PrivateDNSName}}", "groups": ["system:nodes", "system:masters"]}
        ]
    ),
}

TRICKS = (
    *(Trick(f"a cluster of pulumi-eks with {name}", (resource,), rule) for name, (rule, resource) in CLUSTERS.items()),
    *(
        Trick(f"nodes that {name} makes administrators", (resource, role()), "IF-24")
        for name, resource in ADMINISTRATORS.items()
    ),
    Trick(
        "roles of a cluster's instances as administrators",
        (
            replace(
                cluster(
                    instanceRoles=[UNKNOWN],
                    accessEntries={"n": {"principalArn": UNKNOWN, "kubernetesGroups": ["system:masters"]}},
                ),
                references={
                    "instanceRoles": ("urn:pulumi:dev::demo::aws:iam/role:Role::nodes-1",),
                    "accessEntries": ("urn:pulumi:dev::demo::aws:iam/role:Role::nodes-1",),
                },
            ),
        ),
        "IF-24",
    ),
    Trick(
        "masters in aws-auth by the ARN of nodes",
        (
            Resource(
                "kubernetes:core/v1:ConfigMap",
                "aws-auth",
                {
                    "apiVersion": "v1",
                    "kind": "ConfigMap",
                    "metadata": {"name": "aws-auth", "namespace": "kube-system"},
                    "data": {"mapRoles": f"- rolearn: {NODES}\n  username: admin\n  groups: [system:masters]\n"},
                },
            ),
            role(),
        ),
        "IF-24",
    ),
    Trick("Karpenter on a cluster of pulumi-eks that is too new", (s.put(CLUSTER, "version", "1.99"), s.RELEASE), "IF-12"),
    Trick("a class that selects a public subnet by tags", (selecting(TAGGED), PUBLIC), "NC-11"),
    Trick("a class that selects one by any value", (selecting({"tags": {"tier": "*"}}), PUBLIC), "NC-11"),
    Trick("a class that selects one by a pattern", (selecting({"tags": {"tier": "we?"}}), PUBLIC), "NC-11"),
    Trick("a class that selects one of Cloud Control", (selecting(TAGGED), NATIVE), "NC-11"),
    Trick(
        "a class that selects one by a tag of its own",
        (selecting(TAGGED), UNTAGGED, of(TAG, "resourceId", UNTAGGED)),
        "NC-11",
    ),
    Trick("a class that selects one by id", (referring(selecting({"id": UNKNOWN}), "spec", (PUBLIC, 1)), PUBLIC), "NC-11"),
    Trick("a group in a public subnet", (of(s.NODE_GROUP, "subnetIds", PUBLIC), PUBLIC), "NC-11"),
    Trick(
        "a component's group in a public subnet",
        (of(registered("eks:index:NodeGroupV2", nodeSubnetIds=[]), "nodeSubnetIds", PUBLIC), PUBLIC),
        "NC-11",
    ),
    Trick(
        "an own group of nodes in a public subnet",
        (
            of(
                registered("aws:autoscaling/group:Group", vpcZoneIdentifiers=[], tags=[{"key": "kubernetes.io/cluster/demo"}]),
                "vpcZoneIdentifiers",
                PUBLIC,
            ),
            PUBLIC,
        ),
        "NC-11",
    ),
    Trick("a default subnet", (selecting(TAGGED), registered("aws:ec2/defaultSubnet:DefaultSubnet", **TAGGED)), "NC-11"),
    Trick("a cluster of pulumi-eks", (CLUSTER, role()), wanted=Wanted.PASSES),
    Trick("a private API", (s.drop(cluster(endpointPublicAccess=False), "publicAccessCidrs"),), "IF-07", Wanted.PASSES),
    Trick("a cluster with nodes in private subnets", (cluster(publicSubnetIds=["subnet-3"]),), "NC-11", Wanted.PASSES),
    Trick("nodes with an entry", (entry(type="EC2_LINUX"), role()), "IF-24", Wanted.PASSES),
    Trick(
        "people with an entry",
        (
            cluster(accessEntries={"us": {"principalArn": f"{NODES}-admin", "accessPolicies": {"a": {"policyArn": ADMIN}}}}),
            role(),
        ),
        "IF-24",
        Wanted.PASSES,
    ),
    Trick("a class in private subnets beside public ones", (selecting(TAGGED), PRIVATE, UNTAGGED), "NC-11", Wanted.PASSES),
    Trick(
        "a class that overrules its subnets",
        (selecting(TAGGED, associatePublicIPAddress=False), PUBLIC),
        "NC-11",
        Wanted.PASSES,
    ),
    Trick("a group in a private subnet", (of(s.NODE_GROUP, "subnetIds", PRIVATE), PRIVATE, PUBLIC), "NC-11", Wanted.PASSES),
    Trick(
        "a bastion's group in a public subnet",
        (of(registered("aws:autoscaling/group:Group", vpcZoneIdentifiers=[]), "vpcZoneIdentifiers", PUBLIC), PUBLIC),
        "NC-11",
        Wanted.PASSES,
    ),
)
