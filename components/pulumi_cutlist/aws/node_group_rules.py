"""A security group for nodes alone, and the rules by which they and the control plane reach each other (spec: 5)."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from collections.abc import Mapping
from typing import Any, Final, NotRequired, TypedDict

import pulumi
import pulumi_aws as aws

from cutlist.core.errors import Place, Problems
from cutlist.infrastructure.addresses import read_block
from cutlist.infrastructure.names import shortened

_NAME_LIMIT: Final = 255
_EVERYWHERE: Final = "0.0.0.0/0"
_HTTPS, _KUBELET, _DNS = 443, 10250, 53


class NodeGroupArgs(TypedDict):
    """A security group to make for nodes."""

    vpc_id: pulumi.Input[str]
    """VPC that it is made in."""
    webhook_ports: NotRequired[list[int]]
    """Further ports on which the control plane calls pods, such as 9443. Defaults to none."""
    egress_cidrs: NotRequired[list[str]]
    """Address blocks that nodes may reach besides each other and the cluster. Defaults to everywhere."""


def check_node_group(args: NodeGroupArgs, path: str, problems: Problems) -> None:
    """Note ports that are none, and blocks that are none."""
    for index, port in enumerate(args.get("webhook_ports", [])):
        if port not in range(1, 65536):
            problems.add(Place(path=f"{path}.webhookPorts[{index}]"), f"{port} is not a port", "1 to 65535")
    for index, block in enumerate(args.get("egress_cidrs", [])):
        read_block(block, f"{path}.egressCidrs[{index}]", "the block", problems)


def make_node_group(
    name: str,
    args: NodeGroupArgs,
    cluster: str,
    cluster_group: pulumi.Input[str],
    tags: Mapping[str, pulumi.Input[str]],
    parent: pulumi.Resource,
) -> list[Any]:
    """Register the group and its rules; the group is the first of what comes back."""
    options = pulumi.ResourceOptions(parent=parent)
    group = aws.ec2.SecurityGroup(
        f"{name}-nodes",
        name=shortened(f"KarpenterNodes-{cluster}", _NAME_LIMIT),
        description="Nodes that Karpenter launches",
        vpc_id=args["vpc_id"],
        revoke_rules_on_delete=True,  # the two groups name each other, and neither could be deleted with a rule left
        tags=tags,
        opts=options,
    )
    node_side = {"security_group_id": group.id, "opts": options}
    cluster_side = {"security_group_id": cluster_group, "opts": options}
    ports = sorted({_HTTPS, _KUBELET, *args.get("webhook_ports", [])})
    ingress, egress = aws.vpc.SecurityGroupIngressRule, aws.vpc.SecurityGroupEgressRule
    of_cluster, of_nodes = {"referenced_security_group_id": cluster_group}, {"referenced_security_group_id": group.id}
    return [
        group,
        ingress(f"{name}-nodes-from-nodes", ip_protocol="-1", **of_nodes, **node_side),
        *(ingress(f"{name}-nodes-from-cluster-{p}", **_port(p), **of_cluster, **node_side) for p in ports),
        *(ingress(f"{name}-nodes-dns-{ip}", **_port(_DNS, ip), **of_cluster, **node_side) for ip in ("tcp", "udp")),
        ingress(f"{name}-cluster-from-nodes-{_HTTPS}", **_port(_HTTPS), **of_nodes, **cluster_side),
        *(ingress(f"{name}-cluster-dns-{ip}", **_port(_DNS, ip), **of_nodes, **cluster_side) for ip in ("tcp", "udp")),
        egress(f"{name}-nodes-to-nodes", ip_protocol="-1", **of_nodes, **node_side),
        egress(f"{name}-nodes-to-cluster-{_HTTPS}", **_port(_HTTPS), **of_cluster, **node_side),
        *(egress(f"{name}-nodes-to-cluster-dns-{ip}", **_port(_DNS, ip), **of_cluster, **node_side) for ip in ("tcp", "udp")),
        *(
            egress(f"{name}-nodes-to-{block}", ip_protocol="-1", cidr_ipv4=block, **node_side)
            for block in args.get("egress_cidrs", [_EVERYWHERE])
        ),
    ]


def _port(number: int, protocol: str = "tcp") -> dict[str, Any]:
    return {"ip_protocol": protocol, "from_port": number, "to_port": number}
