"""Which cluster a component is for, as programs write it."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from typing import NotRequired, TypedDict

import pulumi_azure_native as azure

from cutlist.infrastructure.aks.names import AksFacts
from cutlist.infrastructure.aks.notes import AksNotes
from pulumi_cutlist.azure.known_location import check_known


class AksClusterNames(TypedDict):
    """One cluster by name. Plain values, because names and ids are built from them before anything exists."""

    name: str
    """Name of the cluster: at most 63 letters, digits, - and _."""
    resource_group: str
    """Name of its resource group, which has to exist."""
    location: str
    """Its location, such as japaneast."""
    subscription: NotRequired[str]
    """Id of the subscription. Without it, Cutlist asks the account, in a preview too."""
    node_resource_group: NotRequired[str]
    """Name of the node resource group, which AKS creates. Defaults to AKS's own name for it, MC_GROUP_NAME_LOCATION."""


def read_facts(args: AksClusterNames, notes: AksNotes) -> AksFacts:
    """Return the facts of a cluster; names that Azure would refuse are noted, and the facts are of no use then."""
    facts = AksFacts(
        args["name"],
        args["resource_group"],
        args["location"],
        args["subscription"] if "subscription" in args else azure.authorization.get_client_config().subscription_id,
        args.get("node_resource_group"),
    )
    before = len(notes.problems.found)
    facts.check(notes.problems)
    if len(notes.problems.found) == before:
        check_known(facts.location, notes)
    return facts
