"""Teardown: removes what Karpenter left of a cluster when the stack is destroyed."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from typing import Final, NotRequired, TypedDict

import pulumi

from cutlist.settings.sweep import CEILING
from pulumi_cutlist.aws.at_delete import SweepResource, deleted_within, identity_of
from pulumi_cutlist.aws.credentials import credentials_of
from pulumi_cutlist.aws.facts import checked_cluster
from pulumi_cutlist.inputs.known import after
from pulumi_cutlist.inputs.late import Component, planned
from pulumi_cutlist.inputs.spelling import outputs_of

DELETE_MINUTES: Final = 45.0  # instances alone may take 15


class TeardownArgs(TypedDict):
    """Inputs of Teardown."""

    cluster_name: str
    """Name of the cluster. A plain value: it decides what is swept."""
    region: str
    """Region of the cluster."""
    account_id: pulumi.Input[str]
    """Account of the cluster, twelve digits. A sweep with credentials of another account is refused."""
    vpc_id: NotRequired[pulumi.Input[str]]
    """Network in which to look for idle interfaces. Defaults to all networks of the region, by the cluster's tag."""
    maximum_instances: NotRequired[int]
    """If there are more instances than this, nothing is removed. Defaults to 200."""


class Teardown(Component):
    """Does nothing when created; when deleted, removes instances, launch templates, instance profiles and idle interfaces that
    Karpenter left.

    Let it depend on network, cluster, node identity and discovery, and let the releases of Karpenter depend on it: then a
    destroy sweeps after the controller is removed, and before anything that leftovers would block. A sweep removes nothing that
    a live cluster uses, so you can remove this from a stack that stays. It uses the
    credentials of its provider. Raises
    InputError with every mistake found, before anything is registered.
    """

    cluster_name: pulumi.Output[str]
    """Name of the cluster. What uses it is deleted before the sweep."""

    @planned(lambda args: checked_cluster(args, TeardownArgs))
    def __init__(self, name: str, args: TeardownArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        inputs, facts = checked_cluster(args, TeardownArgs)
        super().__init__("cutlist:index:Teardown", name, {**inputs}, opts)
        properties = {
            **identity_of(facts),
            **credentials_of(self),
            "scope": "all",
            "maximum_instances": inputs.get("maximum_instances", CEILING),
            "vpc_id": inputs.get("vpc_id"),
        }
        sweep = SweepResource(f"{name}-sweep", properties, deleted_within(DELETE_MINUTES, self, opts))
        self.cluster_name = after(facts.cluster, sweep)
        self.register_outputs(outputs_of(self))
