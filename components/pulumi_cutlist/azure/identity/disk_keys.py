"""AksDiskKeys: disks encrypted with your own key, as a resource of a stack (spec: azure 1.5)."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from dataclasses import dataclass
from typing import NotRequired, TypedDict

import pulumi
import pulumi_azure_native as azure

from cutlist.infrastructure.aks import roles
from cutlist.infrastructure.aks.names import AksFacts
from cutlist.infrastructure.aks.resource_ids import check_key
from pulumi_cutlist.azure.checking import checked
from pulumi_cutlist.azure.identity.role_assignments import assign
from pulumi_cutlist.azure.names_args import AksClusterNames, read_facts
from pulumi_cutlist.inputs.known import after
from pulumi_cutlist.inputs.lists import MapOf
from pulumi_cutlist.inputs.program_words import ProgramComponent
from pulumi_cutlist.inputs.spelling import outputs_of


class AksDiskKeysArgs(TypedDict):
    """Inputs of AksDiskKeys."""

    cluster: AksClusterNames
    """The cluster whose disks it encrypts."""
    vault_id: pulumi.Input[str]
    """Id of the key vault. It needs Azure RBAC and purge protection."""
    key_url: pulumi.Input[str]
    """URL of the key. Without a version in it, Azure always uses the newest one."""
    tags: NotRequired[MapOf[str, pulumi.Input[str]]]
    """Tags of the set."""


@dataclass(frozen=True, slots=True)
class AksDiskKeysPlan:
    """Keys for disks that can be made."""

    args: AksDiskKeysArgs
    facts: AksFacts


def plan_aks_disk_keys(args: AksDiskKeysArgs) -> AksDiskKeysPlan:
    """Return what the inputs ask for. Raises InputError with every mistake in them."""
    inputs, notes = checked(args, AksDiskKeysArgs)
    facts = read_facts(inputs["cluster"], notes)
    check_key(inputs["vault_id"], inputs["key_url"], notes)
    notes.problems.raise_if_any()
    return AksDiskKeysPlan(inputs, facts)


class AksDiskKeys(ProgramComponent):
    """A disk encryption set whose identity may use your key. What uses its id waits for that permission."""

    disk_encryption_set_id: pulumi.Output[str]
    """Id of the set, known in a preview as well: for a cluster and for its identity."""

    def __init__(
        self,
        name: str,
        args: AksDiskKeysArgs,
        opts: pulumi.ResourceOptions | None = None,
        *,
        plan: AksDiskKeysPlan | None = None,
    ) -> None:
        """A `plan` was made from the same inputs, apart from those that other parts supply."""
        if plan is None:
            plan = plan_aks_disk_keys(args)
            args = plan.args
        facts, set_name = plan.facts, plan.facts.named("disks")
        super().__init__("cutlist:index:AksDiskKeys", name, {**args}, opts)
        keys = azure.compute.DiskEncryptionSet(
            name,
            disk_encryption_set_name=set_name,
            resource_group_name=facts.resource_group,
            location=facts.location,
            identity={"type": "SystemAssigned"},
            active_key={"key_url": args["key_url"], "source_vault": {"id": args["vault_id"]}},
            encryption_type="EncryptionAtRestWithCustomerKey",
            rotation_to_latest_key_version_enabled=True,
            tags=args.get("tags"),
            opts=pulumi.ResourceOptions(parent=self),
        )
        principal = keys.identity.apply(lambda identity: identity.principal_id if identity else "")
        right = assign(f"{name}-{roles.KEY_USER.key}", facts, roles.KEY_USER, args["vault_id"], principal, self)
        set_id = facts.id_of("Microsoft.Compute/diskEncryptionSets", set_name)
        self.disk_encryption_set_id = after(set_id, keys, right)
        self.register_outputs(outputs_of(self))
