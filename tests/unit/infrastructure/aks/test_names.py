"""Names and ids of an AKS cluster's parts: what Azure takes, and the same for the same facts."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.errors import Problems
from cutlist.infrastructure.aks.names import AksFacts
from tests.unit.infrastructure.aks.facts import SUBSCRIPTION, facts

CLUSTERS = st.from_regex(r"[0-9A-Za-z]([0-9A-Za-z_-]{0,61}[0-9A-Za-z])?", fullmatch=True)


def reported(one: AksFacts) -> list[str]:
    problems = Problems()
    one.check(problems)
    return [str(problem) for problem in problems.found]


def test_ids_are_those_that_azure_writes():
    group = f"/subscriptions/{SUBSCRIPTION}/resourceGroups/rg-shop"
    assert facts().cluster_id == f"{group}/providers/Microsoft.ContainerService/managedClusters/shop"
    assert facts().identity_id("kubelet") == f"{group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/shop-kubelet"
    assert facts().role_definition_id("guid").endswith("/providers/Microsoft.Authorization/roleDefinitions/guid")


def test_the_group_of_nodes_has_the_name_that_aks_gives_it():
    assert facts("aks-karp-test", "rg-demo").node_resource_group == "MC_rg-demo_aks-karp-test_japaneast"
    assert facts(given_node_group="rg-nodes").node_resource_group == "rg-nodes"


@given(CLUSTERS)
def test_what_is_made_of_a_cluster_name_is_a_name_as_well(cluster):
    one = facts(cluster)
    assert reported(one) == []
    assert len(one.dns_prefix) <= 54
    assert set(one.dns_prefix) <= set(string.ascii_letters + string.digits + "-")
    assert 0 < len(one.network) <= 64
    assert len(one.named("controller")) <= 80


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (facts("x" * 64, given_node_group="rg-nodes"), "cluster.name: cluster name of 64 characters; allowed: at most 63"),
        (facts("-shop"), "cluster.name: cluster name '-shop'; allowed: letters, digits, - and _"),
        (
            facts(location="Japan East"),
            "cluster.location: location 'Japan East'; allowed: a name such as japaneast; did you mean japaneast?",
        ),
        (facts(resource_group="rg."), "cluster.resourceGroup: resource group 'rg.'"),
        (facts(given_node_group="n" * 81), "cluster.nodeResourceGroup: resource group of 81 characters; allowed: at most 80"),
        (facts("c" * 40, "g" * 40), "cluster.nodeResourceGroup: MC_ggg"),
        (
            AksFacts("shop", "rg", "japaneast", "mine"),
            "cluster.subscription: subscription 'mine'; allowed: the id of a subscription",
        ),
    ],
)
def test_a_name_that_azure_refuses_is_reported(wrong, message):
    [text] = reported(wrong)
    assert text.startswith(message)


def test_all_of_them_are_reported_together():
    assert len(reported(AksFacts("", "", "", ""))) == 4
