"""Network: the VPC of a cluster, new or existing, as a resource of a stack."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.

import functools
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

import pulumi

from cutlist.catalog import embedded
from cutlist.core.errors import InputError, Place, Problem, Problems
from cutlist.infrastructure.adopted import AdoptingCluster, check_adopted
from cutlist.infrastructure.discovery import DiscoveryStyle, check_tags, read_style, tags_for
from cutlist.infrastructure.inputs import HERE, Places
from cutlist.infrastructure.name_checks import check_cluster_name, check_region, check_region_known
from cutlist.infrastructure.network import NetworkPlan, plan_network
from cutlist.infrastructure.unchangeable import OF_EKS, changes, network_changes, vpc_changes
from pulumi_cutlist.aws.network.args import (
    AdoptedNetworkArgs,
    AdoptedSubnetArgs,
    NetworkArgs,
    adopted_network,
    named_zones,
    own_network,
)
from pulumi_cutlist.aws.network.own_network import NetworkParts, make_network
from pulumi_cutlist.inputs.late import Component, all_as_planned, planned
from pulumi_cutlist.inputs.shapes import shaped
from pulumi_cutlist.inputs.spelling import outputs_of
from pulumi_cutlist.inputs.unchangeable import compared

_PLACE: Final = tuple(row for row in OF_EKS if row.name == "region")
"""A VPC does not leave its region; the name of its cluster is in its tags alone."""


@dataclass(frozen=True, slots=True)
class VpcPlan:
    """A VPC that can be made, or one that can be adopted."""

    args: NetworkArgs
    own: NetworkPlan | None
    node_tags: dict[str, str]
    at: Places = HERE

    @property
    def zones(self) -> list[str]:
        """Return the zones of the subnets for nodes."""
        if self.own is not None:
            return [subnets.zone for subnets in self.own.zones]
        return sorted({subnet["zone"] for subnet in self.args["adopted"]["private_subnets"]})

    @property
    def zones_by_subnet(self) -> list[str]:
        """Return the zone of each subnet for nodes, in the order of their ids."""
        return self.zones if self.own is not None else [one["zone"] for one in self.args["adopted"]["private_subnets"]]

    def in_zones(self, subnet_ids: pulumi.Output[list[str]], zones: Collection[str]) -> pulumi.Output[list[str]]:
        """Return those of the ids of the subnets for nodes that are in some zones."""
        every = self.zones_by_subnet
        if set(every) <= set(zones):
            return subnet_ids
        return subnet_ids.apply(lambda ids: [id_ for id_, zone in zip(ids, every, strict=True) if zone in zones])

    @property
    def adopted_subnet_ids(self) -> list[str]:
        """Return the ids of the subnets for nodes that exist already."""
        return _ids(self.args["adopted"]["private_subnets"]) if "adopted" in self.args else []


def plan_vpc(args: NetworkArgs, at: Places = HERE) -> VpcPlan:
    """Return what the inputs, written `at` these places, ask for. Raises InputError with every mistake in them."""
    problems = Problems()
    args = shaped(args, NetworkArgs, problems, at)
    cluster, region = args["cluster_name"], args["region"]
    shared_with, others = tuple(args.get("shared_with") or ()), at.member("sharedWith").path
    check_cluster_name(cluster, at.member("clusterName").path, problems)
    for index, name in enumerate(shared_with):
        check_cluster_name(name, f"{others}[{index}]", problems)
    check_tags(args.get("tags") or {}, at.member("tags").path, problems)
    style = read_style(args.get("discovery", DiscoveryStyle.TAG), at.member("discovery").path, problems)
    zone_ids, services = _zone_ids(args, at.member("region"), problems), at.member("serviceCidr")
    own, node_tags = None, dict[str, str]()
    if ("own" in args) == ("adopted" in args):
        problems.add(at.member("own"), "give exactly one of own and adopted")
    elif "own" in args:
        node_tags = tags_for((cluster, *shared_with), style, others, problems)
        own = plan_network(own_network(args), sorted(zone_ids), problems, at.member("own").path, services)
    else:
        adopting = AdoptingCluster(cluster, region, style, shared_with, zone_ids, args.get("service_cidr"))
        check_adopted(adopted_network(args["adopted"]), adopting, problems, at.member("adopted").path, services)
    problems.raise_if_any()
    return VpcPlan(args, own, node_tags, at)


class Network(Component):
    """The VPC of a cluster, with subnets for nodes, for the control plane's interfaces and for load balancers.

    A new one gets the routes to the internet that the inputs ask for. It checks an existing one by the facts that you give, and
    changes neither it nor its subnets. Raises InputError with every mistake found, before anything is registered.
    """

    vpc_id: pulumi.Output[str]
    """Id of the VPC."""
    private_subnet_ids: pulumi.Output[list[str]]
    """Subnets for nodes. What uses them waits for their routes to the internet and to the services of AWS."""
    control_plane_subnet_ids: pulumi.Output[list[str]]
    """Subnets for the interfaces of the control plane."""
    public_subnet_ids: pulumi.Output[list[str]]
    """Subnets for load balancers."""
    private_route_table_ids: pulumi.Output[list[str]]
    """Route tables of the subnets for nodes."""
    endpoint_security_group_id: pulumi.Output[str | None]
    """Security group of the interface endpoints, if there are any."""

    @planned(plan_vpc)
    def __init__(
        self,
        name: str,
        args: NetworkArgs,
        opts: pulumi.ResourceOptions | None = None,
        *,
        plan: VpcPlan | None = None,
    ) -> None:
        plan = plan_vpc(args) if plan is None else plan
        args, self.plan = plan.args, plan.own
        opts = compared(self, name, "network", functools.partial(changes_of_network, plan), opts)
        super().__init__("cutlist:index:Network", name, {**args}, opts)
        self.adopted_subnet_ids = plan.adopted_subnet_ids
        if plan.own is not None:
            parts = make_network(name, plan.own, args["region"], plan.node_tags, args.get("tags") or {}, parent=self)
        else:
            parts = _adopted_parts(args["adopted"])
        self.vpc_id = parts.vpc_id
        self.private_subnet_ids = parts.private_subnet_ids
        self.control_plane_subnet_ids = parts.control_plane_subnet_ids
        self.public_subnet_ids = parts.public_subnet_ids
        self.private_route_table_ids = parts.private_route_table_ids
        self.endpoint_security_group_id = parts.endpoint_security_group_id
        self.register_outputs(outputs_of(self))


def changes_of_network(plan: VpcPlan, olds: Mapping[str, Any], news: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield a problem for each edit by which another VPC or another subnet would take the place of one that is in use."""
    yield from changes(_PLACE, olds, news, plan.at)
    found = list(vpc_changes(olds, news, plan.at))
    yield from found
    if plan.own is None or found or olds.get("region") != news.get("region"):
        return
    try:
        recorded = {key: olds[key] for key in ("cluster_name", "region", "own", "service_cidr") if key in olds}
        before = plan_vpc(cast("NetworkArgs", recorded)).own
    except InputError:
        return  # an earlier version accepted what is refused today, so its ranges are not known
    if before is not None:
        yield from network_changes(before, plan.own, plan.at.member("own"))


def _zone_ids(args: NetworkArgs, place: Place, problems: Problems) -> dict[str, str]:
    """Return the region's zones that are known without an account; empty for a region that is newer than the catalogue. For a
    faulty region, which adds a problem, they are the named zones, so that nothing else is refused because of it."""
    region, named = args["region"], named_zones(args)
    check_region(region, place.path, problems)
    if check_region_known(region, named, place, problems):
        return {zone.name: zone.zone_id for zone in embedded.load(region).zones} if region in embedded.regions() else {}
    return dict.fromkeys(named or [f"{region}{letter}" for letter in "abc"], "")


def _adopted_parts(adopted: AdoptedNetworkArgs) -> NetworkParts:
    private, control_plane = _ids(adopted["private_subnets"]), _ids(adopted.get("control_plane_subnets"))
    group = adopted.get("endpoint_security_group_id")
    return NetworkParts(
        vpc_id=pulumi.Output.from_input(adopted["vpc_id"]),
        private_subnet_ids=pulumi.Output.from_input(private),
        control_plane_subnet_ids=pulumi.Output.from_input(control_plane or private),
        public_subnet_ids=pulumi.Output.from_input(_ids(adopted.get("public_subnets"))),
        private_route_table_ids=pulumi.Output.all(*adopted.get("private_route_table_ids", [])),
        endpoint_security_group_id=pulumi.Output.from_input(group),
    )


def _ids(subnets: list[AdoptedSubnetArgs] | None) -> list[str]:
    return all_as_planned(subnet["id"] for subnet in subnets or ())
