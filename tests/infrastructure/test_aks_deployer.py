"""The custom role of whoever updates a cluster of AKS: enough for every resource of the components, where it has to hold."""

from __future__ import annotations

import re
from pathlib import Path

from pulumi_cutlist.stack.permissions import aks_permissions_of_stack
from pulumi_cutlist.stack.preview import preview

from cutlist.infrastructure.aks.deployer import OPERATIONS, deployer_role, scopes_of
from cutlist.infrastructure.aks.names import AksFacts
from cutlist.verbs.permissions.answer import aks_permissions_of

ROOT = Path(__file__).resolve().parents[2]
SUBSCRIPTION = "11111111-2222-3333-4444-555555555555"
SHOP = AksFacts("shop", "rg-shop", "japaneast", SUBSCRIPTION)
GROUP = "azure-native:resources:ResourceGroup"
CLUSTER = "azure-native:containerservice:ManagedCluster"
ACTION = re.compile(r"Microsoft\.[A-Za-z]+(/[A-Za-z]+)+/(read|write|delete|[A-Za-z]+/action)")


def test_every_action_is_one_of_a_type_of_azure():
    """A resource is read, written and deleted, or something is done with it; tests of the page hold each type to its name."""
    actions = {action for operations in OPERATIONS.values() for action in operations.actions}
    assert [action for action in actions if not ACTION.fullmatch(action)] == []


def test_a_role_for_the_stack_allows_all_that_its_resources_take():
    recording = preview(ROOT, "aks").recording
    [answer] = aks_permissions_of_stack(recording)
    types = {one.type for one in recording.resources.values() if one.type.startswith("azure-native:")}
    assert len(types) > 5
    assert answer.not_covered == ()
    assert {action for type_ in types for action in OPERATIONS[type_].actions} == {*answer.role.actions}
    assert "*" not in "".join(answer.role.actions)


def test_a_type_without_operations_is_named():
    answer = aks_permissions_of(SHOP, [CLUSTER, "azure-native:storage:StorageAccount", "aws:s3/bucket:Bucket"], ())
    assert answer.not_covered == ("azure-native:storage:StorageAccount",)
    assert answer.role == deployer_role(SHOP, [CLUSTER], scopes_of(SHOP, [CLUSTER], ()))


def test_a_role_holds_where_resources_are():
    """On the subscription if the group is made; else on the group, and on those of a network and of a vault of others."""
    group, other = SHOP.group_id, f"/subscriptions/{SUBSCRIPTION.replace('1', '9')}/resourceGroups/rg-keys"
    network = f"/subscriptions/{SUBSCRIPTION}/resourcegroups/RG-net/providers/Microsoft.Network/virtualNetworks/hub"
    named = [network, f"{network}/subnets/nodes", f"{other}/providers/Microsoft.KeyVault/vaults/v", f"{group}/x", "rg-else"]
    assert scopes_of(SHOP, [GROUP, CLUSTER], named) == [f"/subscriptions/{SUBSCRIPTION}", other]
    assert scopes_of(SHOP, [CLUSTER], named) == [group, network.partition("/providers/")[0], other]
