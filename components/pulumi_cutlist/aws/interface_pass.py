"""InterfacePass: interfaces that a cluster's last pods left go after the cluster, before its network."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from typing import Final, TypedDict

import pulumi

from cutlist.infrastructure.teardown.steps import CEILING
from pulumi_cutlist.aws.at_delete import SweepResource, deleted_within, identity_of
from pulumi_cutlist.aws.facts import checked_cluster
from pulumi_cutlist.known import after

DELETE_MINUTES: Final = 20.0


class InterfacePassArgs(TypedDict):
    """Inputs of InterfacePass."""

    cluster_name: str
    """Name of the cluster, which comes after this."""
    region: str
    """Region of the cluster."""
    account_id: str
    """Account of the cluster, twelve digits. Credentials of another account are refused."""
    vpc_id: pulumi.Input[str]
    """Network whose idle interfaces go. What makes it waits with its own deletion until they are gone."""


class InterfacePass(pulumi.ComponentResource):
    """Nothing at create; at delete the cluster's idle interfaces in its network, once more after the cluster.

    Let it depend on the network, and let the cluster depend on it. Raises InputError with every mistake found.
    """

    cluster_name: pulumi.Output[str]
    """Name of the cluster. A cluster that is given it is deleted before the interfaces are looked for."""

    def __init__(self, name: str, args: InterfacePassArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        inputs, facts = checked_cluster(args, InterfacePassArgs)
        super().__init__("cutlist:index:InterfacePass", name, {**inputs}, opts)
        properties = {
            **identity_of(facts),
            "scope": "interfaces",
            "maximum_instances": CEILING,
            "vpc_id": inputs["vpc_id"],
        }
        sweep = SweepResource(f"{name}-interfaces", properties, deleted_within(DELETE_MINUTES, self, opts))
        self.cluster_name = after(facts.cluster, sweep)
        self.register_outputs({"clusterName": self.cluster_name})
