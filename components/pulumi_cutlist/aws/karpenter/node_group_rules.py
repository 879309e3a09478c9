"""A security group for nodes alone, and the rules by which they and the control plane reach each other (spec: 5)."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NotRequired, TypedDict

import pulumi
import pulumi_aws as aws

from cutlist.core.errors import Place, Problems
from cutlist.infrastructure.addresses import read_block
from cutlist.infrastructure.names import shortened

_NAME_LIMIT: Final = 255
_EVERYWHERE: Final = "0.0.0.0/0"
_HTTPS, _KUBELET, _DNS = 443, 10250, 53
_DNS_PROTOCOLS: Final = ("tcp", "udp")
_ALL: Final = "-1"
_RULES: Final = 60
"""How many rules a security group can have in each direction: the quota of a new account."""
_INTO_NODES, _OUT_OF_NODES = 5, 4


class NodeGroupArgs(TypedDict):
    """A new security group for nodes."""

    vpc_id: pulumi.Input[str]
    """VPC of the group."""
    webhook_ports: NotRequired[list[int]]
    """Further ports on which the control plane calls pods, such as 9443. Defaults to none."""
    egress_cidrs: NotRequired[list[str]]
    """Address blocks that nodes may reach in addition to each other and the cluster. Defaults to everywhere."""


def check_node_group(args: NodeGroupArgs, path: str, problems: Problems) -> None:
    """Note invalid ports and invalid address blocks."""
    for index, port in enumerate(args.get("webhook_ports", [])):
        if port not in range(1, 65536):
            problems.add(Place(path=f"{path}.webhookPorts[{index}]"), f"{port} is not a port", "1 to 65535")
    into = _INTO_NODES + len(set(args.get("webhook_ports", [])) - {_HTTPS, _KUBELET})
    for member, rules in (("webhookPorts", into), ("egressCidrs", _OUT_OF_NODES + len(args.get("egress_cidrs", [])))):
        if rules > _RULES:
            problems.add(
                Place(path=f"{path}.{member}"), f"{rules} rules in one direction", f"at most {_RULES} of a security group"
            )
    for index, block in enumerate(args.get("egress_cidrs", [])):
        read_block(block, f"{path}.egressCidrs[{index}]", "the block", problems)


def make_node_group(
    name: str,
    args: NodeGroupArgs,
    region: str | None,
    cluster: str,
    cluster_group: pulumi.Input[str],
    tags: Mapping[str, pulumi.Input[str]],
    parent: pulumi.Resource,
) -> tuple["aws.ec2.SecurityGroup", list[pulumi.Resource]]:
    """Register the group and its rules."""
    group = aws.ec2.SecurityGroup(
        f"{name}-nodes",
        region=region,
        name=shortened(f"KarpenterNodes-{cluster}", _NAME_LIMIT),
        description="Nodes that Karpenter launches",
        vpc_id=args["vpc_id"],
        revoke_rules_on_delete=True,  # the two groups name each other, and neither could be deleted with a rule left
        tags=tags,
        opts=pulumi.ResourceOptions(parent=parent),
    )
    rules = _Rules(name, region, group.id, cluster_group, pulumi.ResourceOptions(parent=parent))
    ports = sorted({_HTTPS, _KUBELET, *args.get("webhook_ports", [])})
    return group, [
        rules.into_nodes("from-nodes", None, source=group.id),
        *(rules.into_nodes(f"from-cluster-{port}", port, source=cluster_group) for port in ports),
        *(rules.into_nodes(f"dns-{protocol}", _DNS, protocol, source=cluster_group) for protocol in _DNS_PROTOCOLS),
        rules.into_cluster(f"from-nodes-{_HTTPS}", _HTTPS),
        *(rules.into_cluster(f"dns-{protocol}", _DNS, protocol) for protocol in _DNS_PROTOCOLS),
        rules.out_of_nodes("nodes", None, target=group.id),
        rules.out_of_nodes(f"cluster-{_HTTPS}", _HTTPS, target=cluster_group),
        *(rules.out_of_nodes(f"cluster-dns-{protocol}", _DNS, protocol, target=cluster_group) for protocol in _DNS_PROTOCOLS),
        *(rules.out_of_nodes(block, None, block=block) for block in args.get("egress_cidrs", [_EVERYWHERE])),
    ]


@dataclass(frozen=True, slots=True)
class _Rules:
    """Registers the rules between nodes and control plane. A rule without a port is for all traffic."""

    name: str
    region: str | None
    nodes: pulumi.Output[str]
    cluster: pulumi.Input[str]
    opts: pulumi.ResourceOptions

    def into_nodes(self, suffix: str, port: int | None, protocol: str = "tcp", *, source: pulumi.Input[str]) -> pulumi.Resource:
        return aws.vpc.SecurityGroupIngressRule(
            f"{self.name}-nodes-{suffix}",
            region=self.region,
            security_group_id=self.nodes,
            referenced_security_group_id=source,
            ip_protocol=_ALL if port is None else protocol,
            from_port=port,
            to_port=port,
            opts=self.opts,
        )

    def into_cluster(self, suffix: str, port: int, protocol: str = "tcp") -> pulumi.Resource:
        return aws.vpc.SecurityGroupIngressRule(
            f"{self.name}-cluster-{suffix}",
            region=self.region,
            security_group_id=self.cluster,
            referenced_security_group_id=self.nodes,
            ip_protocol=protocol,
            from_port=port,
            to_port=port,
            opts=self.opts,
        )

    def out_of_nodes(
        self,
        suffix: str,
        port: int | None,
        protocol: str = "tcp",
        *,
        target: pulumi.Input[str] | None = None,
        block: str | None = None,
    ) -> pulumi.Resource:
        return aws.vpc.SecurityGroupEgressRule(
            f"{self.name}-nodes-to-{suffix}",
            region=self.region,
            security_group_id=self.nodes,
            referenced_security_group_id=target,
            cidr_ipv4=block,
            ip_protocol=_ALL if port is None else protocol,
            from_port=port,
            to_port=port,
            opts=self.opts,
        )
