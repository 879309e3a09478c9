"""AksNetwork: the virtual network of a cluster, new or existing, as a resource of a stack."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from collections.abc import Mapping
from dataclasses import dataclass

import pulumi
import pulumi_azure_native as azure

from cutlist.core.errors import InputError
from cutlist.infrastructure.aks.names import AksFacts
from cutlist.infrastructure.aks.network import NetworkPlan
from pulumi_cutlist.azure.checking import checked
from pulumi_cutlist.azure.names_args import read_facts
from pulumi_cutlist.azure.network.args import AksNetworkArgs, read_network
from pulumi_cutlist.inputs.known import after
from pulumi_cutlist.inputs.late import Component, planned
from pulumi_cutlist.inputs.spelling import outputs_of


@dataclass(frozen=True, slots=True)
class AksNetworkPlan:
    """A virtual network that can be made, or one that can be adopted."""

    args: AksNetworkArgs
    facts: AksFacts
    network: NetworkPlan


def plan_aks_network(args: AksNetworkArgs) -> AksNetworkPlan:
    """Return what the inputs ask for. Raises InputError with every mistake in them."""
    inputs, notes = checked(args, AksNetworkArgs)
    facts = read_facts(inputs["cluster"], notes)
    network = read_network(inputs, facts, notes)
    if network is None or notes.problems:
        raise InputError(notes.problems.ordered())
    return AksNetworkPlan(inputs, facts, network)


class AksNetwork(Component):
    """The virtual network of a cluster, with a subnet for each kind of its nodes.

    It checks an existing one by the facts that you give, and changes neither it nor its subnets. Raises InputError with every
    mistake found, before anything is registered.
    """

    network_id: pulumi.Output[str]
    """Id of the network, known in a preview as well. What uses it waits for the network."""
    subnet_ids: pulumi.Output[dict[str, str]]
    """Ids of the subnets by name, known in a preview as well. What uses them waits for them and for their route to the
    internet."""
    node_subnet_id: pulumi.Output[str]
    """The subnet of the cluster's own nodes."""

    @planned(plan_aks_network)
    def __init__(
        self,
        name: str,
        args: AksNetworkArgs,
        opts: pulumi.ResourceOptions | None = None,
        *,
        plan: AksNetworkPlan | None = None,
    ) -> None:
        """A `plan` was made from the same inputs, apart from those that other parts supply."""
        if plan is None:
            plan = plan_aks_network(args)
            args = plan.args
        super().__init__("cutlist:index:AksNetwork", name, {**args}, opts)
        network = plan.network
        if network.block is None:
            self.network_id = pulumi.Output.from_input(network.network.text)
            ids = {subnet: pulumi.Output.from_input(id_) for subnet, id_ in network.subnet_ids.items()}
        else:
            self.network_id, ids = _make(name, network, plan.facts, args.get("tags") or {}, self)
        self.node_subnet_id = ids[network.node_subnet]
        self.subnet_ids = pulumi.Output.all(**ids)
        self.register_outputs(outputs_of(self))


def _make(
    name: str, plan: NetworkPlan, facts: AksFacts, tags: Mapping[str, pulumi.Input[str]], parent: pulumi.Resource
) -> tuple[pulumi.Output[str], dict[str, pulumi.Output[str]]]:
    """Register a planned network; return its id and those of its subnets."""
    network = azure.network.VirtualNetwork(
        name,
        virtual_network_name=plan.network.name,
        resource_group_name=facts.resource_group,
        location=facts.location,
        address_space={"address_prefixes": [str(plan.block.network if plan.block else "")]},
        tags=tags,
        # Subnets are resources of their own: those inside the network's inputs would undo them.
        opts=pulumi.ResourceOptions(parent=parent, ignore_changes=["subnets"]),
    )
    gateway = _nat_gateway(name, facts, tags, parent) if plan.nat_gateway else None
    inside = after(plan.network.name, network)
    ids: dict[str, pulumi.Output[str]] = {}
    before: list[pulumi.Resource] = []
    for subnet_name, block in plan.subnets.items():
        subnet = azure.network.Subnet(
            f"{name}-{subnet_name}",
            subnet_name=subnet_name,
            virtual_network_name=inside,
            resource_group_name=facts.resource_group,
            address_prefix=str(block.network) if block else None,
            nat_gateway={"id": gateway.id} if gateway else None,
            # Azure changes one subnet of a network at a time, and refuses a second.
            opts=pulumi.ResourceOptions(parent=parent, depends_on=list(before)),
        )
        ids[subnet_name] = after(plan.subnet_ids[subnet_name], subnet)
        before = [subnet]
    return after(plan.network.text, network), ids


def _nat_gateway(
    name: str, facts: AksFacts, tags: Mapping[str, pulumi.Input[str]], parent: pulumi.Resource
) -> "azure.network.NatGateway":
    """Register a gateway to the internet with one public address."""
    address = azure.network.PublicIPAddress(
        f"{name}-nat",
        public_ip_address_name=f"{facts.network}-nat",
        sku={"name": "Standard"},
        public_ip_allocation_method="Static",
        resource_group_name=facts.resource_group,
        location=facts.location,
        tags=tags,
        opts=pulumi.ResourceOptions(parent=parent),
    )
    return azure.network.NatGateway(
        f"{name}-nat",
        nat_gateway_name=f"{facts.network}-nat",
        sku={"name": "Standard"},
        public_ip_addresses=[{"id": address.id}],
        resource_group_name=facts.resource_group,
        location=facts.location,
        tags=tags,
        opts=pulumi.ResourceOptions(parent=parent),
    )
