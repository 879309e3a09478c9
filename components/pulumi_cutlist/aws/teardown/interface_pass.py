"""InterfacePass: removes the interfaces that a cluster's last pods left, after the cluster and before its network."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from typing import Final, TypedDict

import pulumi

from cutlist.settings.sweep import CEILING
from pulumi_cutlist.aws.at_delete import SweepResource, deleted_within, identity_of
from pulumi_cutlist.aws.credentials import credentials_of
from pulumi_cutlist.aws.facts import checked_cluster
from pulumi_cutlist.inputs.known import after
from pulumi_cutlist.inputs.late import Component, planned
from pulumi_cutlist.inputs.spelling import outputs_of
from pulumi_cutlist.options import named_part

DELETE_MINUTES: Final = 20.0


class InterfacePassArgs(TypedDict):
    """Inputs of InterfacePass."""

    cluster_name: str
    """Name of the cluster, which is created after this."""
    region: str
    """Region of the cluster."""
    account_id: pulumi.Input[str]
    """Account of the cluster, twelve digits. Credentials of another account are refused."""
    vpc_id: pulumi.Input[str]
    """Network whose idle interfaces are removed. The network itself is deleted only after that."""


class InterfacePass(Component):
    """Does nothing when created; when deleted, after the cluster, removes the idle interfaces that the cluster left in its
    network.

    Let it depend on the network, and let the cluster depend on it. Raises InputError with every mistake found.
    """

    cluster_name: pulumi.Output[str]
    """Name of the cluster. A cluster that takes its name from here is deleted before the component looks for interfaces."""

    @planned(lambda args: checked_cluster(args, InterfacePassArgs))
    def __init__(self, name: str, args: InterfacePassArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        inputs, facts = checked_cluster(args, InterfacePassArgs)
        super().__init__("cutlist:index:InterfacePass", name, {**inputs}, opts)
        properties = {
            **identity_of(facts),
            **credentials_of(self),
            "scope": "interfaces",
            "maximum_instances": CEILING,
            "vpc_id": inputs["vpc_id"],
        }
        of_sweep, options = named_part(name, "interfaces", deleted_within(DELETE_MINUTES, self, opts))
        sweep = SweepResource(of_sweep, properties, options)
        self.cluster_name = after(facts.cluster, sweep)
        self.register_outputs(outputs_of(self))
