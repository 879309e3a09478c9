"""A Karpenter of one's own: what its identity trusts, what its chart is given, and what it would refuse at its start."""

from __future__ import annotations

import re

import pytest

from cutlist.infrastructure.aks.notes import AksNotes
from cutlist.infrastructure.aks.profile import NetworkProfile
from cutlist.infrastructure.aks.self_hosted import (
    OPTIONAL,
    REQUIRED,
    ControllerFacts,
    chart_values,
    check_controller,
    environment,
)
from tests.recorded import SPEC
from tests.unit.infrastructure.aks.facts import SUBSCRIPTION, facts, mistakes

GIVEN = {
    "CLUSTER_ENDPOINT": "https://shop.example",
    "KUBELET_BOOTSTRAP_TOKEN": "abcdef.0123456789abcdef",
    "SSH_PUBLIC_KEY": "ssh-rsa AAAA",
    "VNET_SUBNET_ID": "/subscriptions/s/subnets/nodes",
}


def controller(**more: object) -> ControllerFacts:
    return ControllerFacts(**{"cluster": facts(), "version": "1.14.0", "profile": NetworkProfile(), **more})


def checked(values: dict | None = None, **more: object) -> list[str]:
    notes = AksNotes()
    check_controller(controller(**more), values or {}, notes)
    return mistakes(notes)


def test_the_identity_trusts_one_service_account():  # Z-13
    assert controller().subject == "system:serviceaccount:kube-system:karpenter-sa"
    assert controller(namespace="karpenter").subject == "system:serviceaccount:karpenter:karpenter-sa"


def test_the_environment_knows_every_variable_of_the_facts():
    text = (SPEC / "azure.md").read_text()
    section = text[text.index("- Env: ") : text.index("- Checks: plugin")]
    named = re.findall(r"`([A-Z_]+)`(\*?)", section)
    assert {name for name, _ in named} == {*REQUIRED, *OPTIONAL}
    assert {name for name, star in named if star} == set(REQUIRED)


def test_what_the_controller_needs_is_there_and_what_nobody_knows_is_left_out():
    made = {variable["name"]: variable["value"] for variable in environment(controller(), {**GIVEN, "VNET_GUID": None})}
    assert set(REQUIRED) <= set(made)
    assert made["AZURE_NODE_RESOURCE_GROUP"] == "MC_rg-shop_shop_japaneast"
    assert made["AZURE_SUBSCRIPTION_ID"] == SUBSCRIPTION
    assert (made["NETWORK_PLUGIN"], made["NETWORK_PLUGIN_MODE"], made["NETWORK_DATAPLANE"]) == ("azure", "overlay", "cilium")
    assert (made["PROVISION_MODE"], made["USE_SIG"]) == ("aksscriptless", "false")
    assert made["VM_MEMORY_OVERHEAD_PERCENT"] == "0.075"
    assert "VNET_GUID" not in made


def test_a_network_without_overlay_has_an_empty_mode():
    profile = NetworkProfile(chosen_mode="none")
    made = {variable["name"]: variable["value"] for variable in environment(controller(profile=profile), GIVEN)}
    assert (made["NETWORK_PLUGIN_MODE"], made["NETWORK_POLICY"]) == ("", "")


def test_the_identity_stands_in_the_values_whatever_the_user_says():
    user = {
        "serviceAccount": {"name": "mine", "annotations": {"team": "shop"}},
        "replicas": 3,
        "controller": {"env": [{"name": "LOG_LEVEL", "value": "debug"}], "resources": {"requests": {"cpu": 1}}},
    }
    values = chart_values([{"name": "CLUSTER_NAME", "value": "shop"}], "client", user)
    assert values["serviceAccount"] == {
        "name": "karpenter-sa",
        "annotations": {"team": "shop", "azure.workload.identity/client-id": "client"},
    }
    assert values["podLabels"] == {"azure.workload.identity/use": "true"}
    assert values["replicas"] == 3
    assert [variable["name"] for variable in values["controller"]["env"]] == ["CLUSTER_NAME", "LOG_LEVEL"]
    assert values["controller"]["resources"] == {"requests": {"cpu": 1}}


@pytest.mark.parametrize("chosen", [{}, {"plugin": "none"}, {"chosen_mode": "none"}, {"chosen_dataplane": "azure"}])
def test_networks_that_the_controller_knows_are_taken(chosen):
    assert checked(profile=NetworkProfile(**chosen)) == []


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"profile": NetworkProfile(plugin="kubenet")}, "network.plugin: unknown value 'kubenet'; allowed: azure, none"),
        ({"profile": NetworkProfile(plugin="none", chosen_mode="overlay")}, "network.mode: mode overlay with a CNI"),
        ({"version": "latest"}, "karpenterVersion: 'latest' is not an exact version of Karpenter"),
        ({"memory_overhead": 7.5}, "memoryOverhead: 7.5"),
        (
            {"values": {"controller": {"env": [{"name": "LOCATION", "value": "x"}]}}},
            "values.controller.env[0]: LOCATION is made",
        ),
    ],
)
def test_what_would_end_its_start_is_refused_before(more, message):
    [text] = checked(**more)
    assert text.startswith(message)
