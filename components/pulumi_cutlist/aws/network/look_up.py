"""Look an existing VPC up in the account, for a Network to adopt (spec: aws-infrastructure 1.8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import pulumi
import pulumi_aws as aws

from cutlist.core.errors import InputError, Place
from pulumi_cutlist.aws.network.args import AdoptedNetworkArgs, AdoptedSubnetArgs
from pulumi_cutlist.inputs.late import as_planned

_EVERYWHERE: Final = "0.0.0.0/0"
Wanted = Sequence[str] | Mapping[str, str]
"""Subnets by their ids, or by the tags that all of them have."""


def look_up_network(
    vpc_id: str,
    *,
    private: Wanted,
    control_plane: Wanted = (),
    public: Wanted = (),
    region: str | None = None,
    opts: pulumi.InvokeOptions | None = None,
) -> AdoptedNetworkArgs:
    """Return the facts of a VPC and of its subnets, as a Network takes them under `adopted`.

    It asks the account whenever the program runs, even in previews. It leaves out the VPC's endpoints, which AWS does not list
    for a program, and free addresses: a running cluster uses them up, and would block its own updates. The size of a subnet's
    block replaces them. Without a `region` that of the provider is asked. `opts` may name a provider other than the stack's.
    Raises InputError where tags find no subnet.
    """
    vpc = aws.ec2.get_vpc(id=vpc_id, region=region, opts=opts)
    vpc_subnets = _SubnetLookUp(vpc_id, region, opts)
    nodes = vpc_subnets.subnets(private, "private")
    tables = sorted({table for subnet in nodes for table in vpc_subnets.route_tables(as_planned(subnet["id"]))})
    return {
        "vpc_id": vpc_id,
        "dns_support": vpc.enable_dns_support,
        "dns_hostnames": vpc.enable_dns_hostnames,
        "private_subnets": [{**s, "has_default_route": vpc_subnets.has_default_route(as_planned(s["id"]))} for s in nodes],
        "control_plane_subnets": vpc_subnets.subnets(control_plane, "control_plane"),
        "public_subnets": vpc_subnets.subnets(public, "public"),
        "private_route_table_ids": [*tables],
    }


@dataclass(frozen=True, slots=True)
class _SubnetLookUp:
    """Asks for what is in one VPC."""

    vpc_id: str
    region: str | None
    opts: pulumi.InvokeOptions | None

    def subnets(self, wanted: Wanted, name: str) -> list[AdoptedSubnetArgs]:
        return [self._subnet(id_) for id_ in self._ids(wanted, name)]

    def _ids(self, wanted: Wanted, name: str) -> Sequence[str]:
        if not isinstance(wanted, Mapping):
            return wanted
        filters: list[aws.ec2.GetSubnetsFilterArgsDict] = [{"name": "vpc-id", "values": [self.vpc_id]}]
        filters += [{"name": f"tag:{key}", "values": [value]} for key, value in sorted(wanted.items())]
        subnets = sorted(aws.ec2.get_subnets(filters=filters, region=self.region, opts=self.opts).ids)
        if not subnets:
            raise InputError.one(Place(path=name), f"no subnet of {self.vpc_id} has the tags {dict(wanted)}")
        return subnets

    def _subnet(self, id_: str) -> AdoptedSubnetArgs:
        subnet = aws.ec2.get_subnet(id=id_, region=self.region, opts=self.opts)
        return {
            "id": id_,
            "zone": subnet.availability_zone,
            "zone_id": subnet.availability_zone_id,
            "cidr": subnet.cidr_block,
            "maps_public_ips": subnet.map_public_ip_on_launch,
            "tags": dict(subnet.tags or {}),
        }

    def route_tables(self, subnet: str) -> list[str]:
        """Return the route table of a subnet: its own, or else the VPC's."""
        own = self._tables("association.subnet-id", subnet)
        return own or self._tables("association.main", "true")

    def has_default_route(self, subnet: str) -> bool:
        """Tell whether the subnet's route table has a route to everywhere."""
        return any(route.cidr_block == _EVERYWHERE for route in self._routes(subnet))

    def _routes(self, subnet: str) -> Iterator[aws.ec2.outputs.GetRouteTableRouteResult]:
        for table in self.route_tables(subnet):
            yield from aws.ec2.get_route_table(route_table_id=table, region=self.region, opts=self.opts).routes

    def _tables(self, name: str, value: str) -> list[str]:
        filters: list[aws.ec2.GetRouteTablesFilterArgsDict] = [{"name": name, "values": [value]}]
        tables = aws.ec2.get_route_tables(vpc_id=self.vpc_id, filters=filters, region=self.region, opts=self.opts)
        return list(tables.ids)
