"""The resources of a new VPC: subnets by zone, their routes to the internet, endpoints (spec: aws-infrastructure 1.7, 1.9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import pulumi
import pulumi_aws as aws

from cutlist.infrastructure.endpoints import BY_NAME, GATEWAY
from cutlist.infrastructure.network import NetworkPlan


@dataclass(frozen=True, slots=True)
class NetworkParts:
    """What the rest of a stack needs to know about a VPC, made or adopted.

    Whatever uses the private subnets waits for their ways out as well, and is deleted before those.
    """

    vpc_id: pulumi.Output[str]
    private_subnet_ids: pulumi.Output[list[str]]
    control_plane_subnet_ids: pulumi.Output[list[str]]
    public_subnet_ids: pulumi.Output[list[str]]
    private_route_table_ids: pulumi.Output[list[str]]
    endpoint_security_group_id: pulumi.Output[str | None]


def ids_after(resources: Sequence[pulumi.CustomResource], others: Sequence[pulumi.Resource]) -> pulumi.Output[list[str]]:
    """Return the ids of some resources for users that must also wait for others. The URNs of the others are enough, which even
    a preview knows: adding one does not make the ids unknown again.
    """
    count = len(resources)
    everything = pulumi.Output.all(*(resource.id for resource in resources), *(other.urn for other in others))
    ids: pulumi.Output[list[str]] = everything.apply(lambda known: list(known[:count]))
    return ids


_EVERYWHERE: Final = "0.0.0.0/0"


def make_network(
    name: str,
    plan: NetworkPlan,
    region: str,
    node_tags: Mapping[str, str],
    tags: Mapping[str, pulumi.Input[str]],
    parent: pulumi.Resource,
) -> NetworkParts:
    """Register a planned VPC as children of a component. `node_tags` go to the subnets of nodes alone, `tags` to everything."""
    return _VpcBuilder(name, plan, region, node_tags, tags, pulumi.ResourceOptions(parent=parent)).make()


@dataclass(frozen=True, slots=True)
class _VpcBuilder:
    name: str
    plan: NetworkPlan
    region: str
    node_tags: Mapping[str, str]
    tags: Mapping[str, pulumi.Input[str]]
    opts: pulumi.ResourceOptions

    def make(self) -> NetworkParts:
        vpc = aws.ec2.Vpc(
            self.name,
            region=self.region,
            cidr_block=str(self.plan.block),
            enable_dns_support=True,
            enable_dns_hostnames=True,
            tags=self._tags(""),
            opts=self.opts,
        )
        # AWS makes this group with every VPC and puts whatever names no other into it; taken over without rules it lets
        # nothing through.
        aws.ec2.DefaultSecurityGroup(
            f"{self.name}-default",
            region=self.region,
            vpc_id=vpc.id,
            ingress=[],
            egress=[],
            tags=self._tags("default"),
            opts=self.opts,
        )
        public, public_ways_out, nat = self._public(vpc)
        private, tables, egress = self._private(vpc, nat)
        group, endpoints = self._endpoints(vpc, private, tables)
        # The ids of subnets wait for their way out: a node that starts before would reach neither the API nor a registry.
        return NetworkParts(
            vpc_id=vpc.id,
            private_subnet_ids=ids_after(private, [*egress, *endpoints]),
            control_plane_subnet_ids=ids_after(*self._control_plane(vpc)),
            public_subnet_ids=ids_after(public, public_ways_out),
            private_route_table_ids=ids_after(tables, []),
            endpoint_security_group_id=pulumi.Output.from_input(None if group is None else group.id),
        )

    def _public(self, vpc: aws.ec2.Vpc) -> tuple[list[aws.ec2.Subnet], list[pulumi.Resource], dict[str, aws.ec2.NatGateway]]:
        """Return the public subnets, the resources of their way out, and the NAT gateways by zone; empty without a way out."""
        if not self.plan.public:
            return [], [], {}
        gateway = aws.ec2.InternetGateway(
            f"{self.name}-internet", region=self.region, vpc_id=vpc.id, tags=self._tags("internet"), opts=self.opts
        )
        table = self._table(vpc, "public")
        route = aws.ec2.Route(
            f"{self.name}-public",
            region=self.region,
            route_table_id=table.id,
            destination_cidr_block=_EVERYWHERE,
            gateway_id=gateway.id,
            opts=self.opts,
        )
        subnets: list[aws.ec2.Subnet] = []
        egress: list[pulumi.Resource] = [gateway, route]
        nat: dict[str, aws.ec2.NatGateway] = {}
        for zone in self.plan.public:
            subnet = self._subnet(vpc, "public", zone.zone, str(zone.public), {"kubernetes.io/role/elb": "1"})
            joined = self._join(subnet, table, f"public-{zone.zone}")
            subnets.append(subnet)
            egress.append(joined)
            if zone.zone in self.plan.nat_zones:
                nat[zone.zone] = self._nat(zone.zone, subnet, [gateway, route, joined])
        return subnets, egress, nat

    def _nat(self, zone: str, subnet: aws.ec2.Subnet, after: Sequence[pulumi.Resource]) -> aws.ec2.NatGateway:
        """Return a NAT gateway. It works once its subnet has a route, and is deleted before that route."""
        address = aws.ec2.Eip(
            f"{self.name}-nat-{zone}",
            region=self.region,
            domain="vpc",
            tags=self._tags(f"nat-{zone}"),
            opts=self._after(after),
        )
        return aws.ec2.NatGateway(
            f"{self.name}-{zone}",
            region=self.region,
            allocation_id=address.id,
            subnet_id=subnet.id,
            connectivity_type="public",
            tags=self._tags(f"nat-{zone}"),
            opts=self._after(after),
        )

    def _private(
        self, vpc: aws.ec2.Vpc, nat: Mapping[str, aws.ec2.NatGateway]
    ) -> tuple[list[aws.ec2.Subnet], list[aws.ec2.RouteTable], list[pulumi.Resource]]:
        """Return the subnets of nodes, a route table for each, and the resources of their way out."""
        subnets, tables, egress = [], [], []
        for zone in self.plan.zones:
            tags = {"kubernetes.io/role/internal-elb": "1", **self.node_tags}
            subnet = self._subnet(vpc, "private", zone.zone, str(zone.private), tags)
            table = self._table(vpc, f"private-{zone.zone}")
            subnets.append(subnet)
            tables.append(table)
            egress.append(self._join(subnet, table, f"private-{zone.zone}"))
            by_zone = self.plan.nat_zone_of(zone.zone)
            if by_zone is not None:
                route = aws.ec2.Route(
                    f"{self.name}-private-{zone.zone}",
                    region=self.region,
                    route_table_id=table.id,
                    destination_cidr_block=_EVERYWHERE,
                    nat_gateway_id=nat[by_zone].id,
                    opts=self.opts,
                )
                egress.append(route)
        return subnets, tables, egress

    def _control_plane(self, vpc: aws.ec2.Vpc) -> tuple[list[aws.ec2.Subnet], list[pulumi.Resource]]:
        """Return the small subnets for the interfaces of the control plane, which reach the VPC and nothing else."""
        table = self._table(vpc, "control-plane")
        subnets, joined = [], []
        for zone in self.plan.zones:
            subnet = self._subnet(vpc, "control-plane", zone.zone, str(zone.control_plane), {})
            subnets.append(subnet)
            joined.append(self._join(subnet, table, f"control-plane-{zone.zone}"))
        return subnets, joined

    def _endpoints(
        self, vpc: aws.ec2.Vpc, subnets: Sequence[aws.ec2.Subnet], tables: Sequence[aws.ec2.RouteTable]
    ) -> tuple[aws.ec2.SecurityGroup | None, list[pulumi.Resource]]:
        """Return the gateways and the interface endpoints, with the security group that lets nodes reach those."""
        asked = self.plan.endpoints
        gateways: list[pulumi.Resource] = [
            aws.ec2.VpcEndpoint(
                f"{self.name}-{endpoint.name}",
                region=self.region,
                vpc_id=vpc.id,
                service_name=endpoint.service_name(self.region),
                vpc_endpoint_type="Gateway",
                route_table_ids=[table.id for table in tables],
                tags=self._tags(endpoint.name),
                opts=self.opts,
            )
            for endpoint in (BY_NAME[GATEWAY], *(endpoint for endpoint in asked if endpoint.is_gateway))
        ]
        interfaces = [endpoint for endpoint in asked if not endpoint.is_gateway]
        if not interfaces:
            return None, gateways
        group, rules = self._endpoint_group(vpc)
        endpoints = [
            aws.ec2.VpcEndpoint(
                f"{self.name}-{endpoint.name}",
                region=self.region,
                vpc_id=vpc.id,
                service_name=endpoint.service_name(self.region),
                vpc_endpoint_type="Interface",
                subnet_ids=[subnet.id for subnet in subnets],
                security_group_ids=[group.id],
                private_dns_enabled=endpoint.has_private_name,
                tags=self._tags(endpoint.name),
                opts=self.opts,
            )
            for endpoint in interfaces
        ]
        return group, [*gateways, *rules, *endpoints]

    def _endpoint_group(self, vpc: aws.ec2.Vpc) -> tuple[aws.ec2.SecurityGroup, list[pulumi.Resource]]:
        """Return the security group of the endpoints and its rules: HTTPS from the subnets of nodes."""
        group = aws.ec2.SecurityGroup(
            f"{self.name}-endpoints",
            region=self.region,
            vpc_id=vpc.id,
            description="Lets nodes reach the interface endpoints",
            revoke_rules_on_delete=True,
            tags=self._tags("endpoints"),
            opts=self.opts,
        )
        rules: list[pulumi.Resource] = [
            aws.vpc.SecurityGroupIngressRule(
                f"{self.name}-endpoints-{zone.zone}",
                region=self.region,
                security_group_id=group.id,
                ip_protocol="tcp",
                from_port=443,
                to_port=443,
                cidr_ipv4=str(zone.private),
                description=f"Nodes in {zone.zone}",
                tags=self.tags,
                opts=self.opts,
            )
            for zone in self.plan.zones
        ]
        return group, rules

    def _subnet(self, vpc: aws.ec2.Vpc, kind: str, zone: str, block: str, tags: Mapping[str, str]) -> aws.ec2.Subnet:
        return aws.ec2.Subnet(
            f"{self.name}-{kind}-{zone}",
            region=self.region,
            vpc_id=vpc.id,
            cidr_block=block,
            availability_zone=zone,
            map_public_ip_on_launch=False,
            tags={**self._tags(f"{kind}-{zone}"), **tags},
            opts=self.opts,
        )

    def _table(self, vpc: aws.ec2.Vpc, what: str) -> aws.ec2.RouteTable:
        return aws.ec2.RouteTable(
            f"{self.name}-{what}", region=self.region, vpc_id=vpc.id, tags=self._tags(what), opts=self.opts
        )

    def _join(self, subnet: aws.ec2.Subnet, table: aws.ec2.RouteTable, what: str) -> pulumi.Resource:
        return aws.ec2.RouteTableAssociation(
            f"{self.name}-{what}", region=self.region, subnet_id=subnet.id, route_table_id=table.id, opts=self.opts
        )

    def _tags(self, what: str) -> dict[str, pulumi.Input[str]]:
        return {"Name": f"{self.name}-{what}" if what else self.name, **self.tags}

    def _after(self, resources: Sequence[pulumi.Resource]) -> pulumi.ResourceOptions:
        return pulumi.ResourceOptions.merge(self.opts, pulumi.ResourceOptions(depends_on=list(resources)))
