"""The network of pods: the recommended one without a choice, and what node provisioning does not take."""

from __future__ import annotations

import pytest

from cutlist.infrastructure.aks.notes import AksNotes
from cutlist.infrastructure.aks.profile import NetworkProfile, check_profile
from tests.unit.infrastructure.aks.facts import mistakes


def checked(profile: NetworkProfile, provisioned: bool = True, given_network: bool = True) -> AksNotes:
    notes = AksNotes()
    check_profile(profile, provisioned=provisioned, given_network=given_network, notes=notes)
    return notes


def shape(profile: NetworkProfile) -> tuple[str, ...]:
    return profile.plugin, profile.mode, profile.dataplane, profile.policy


def test_without_a_choice_it_is_the_overlay_with_cilium():  # Z-3
    profile = NetworkProfile()
    assert shape(profile) == ("azure", "overlay", "cilium", "cilium")
    assert profile.load_balancer_sku == "standard"
    assert (mistakes(checked(profile)), checked(profile).texts) == ([], ())


@pytest.mark.parametrize(
    ("chosen", "shaped", "pods"),
    [
        ({}, ("azure", "overlay", "cilium", "cilium"), 250),
        ({"chosen_dataplane": "azure"}, ("azure", "overlay", "azure", "none"), 250),
        ({"chosen_dataplane": "azure", "chosen_policy": "azure"}, ("azure", "overlay", "azure", "azure"), 250),
        ({"chosen_mode": "none"}, ("azure", "none", "azure", "none"), 30),
        ({"plugin": "none"}, ("none", "none", "none", "none"), 250),
    ],
)
def test_every_way_that_node_provisioning_takes(chosen, shaped, pods):  # Z-40
    profile = NetworkProfile(**chosen)
    assert shape(profile) == shaped
    assert profile.pods_per_node == pods
    assert mistakes(checked(profile)) == []


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"plugin": "kubenet"}, "network.plugin: kubenet cannot be combined with node provisioning; allowed: azure, none"),
        ({"chosen_policy": "calico"}, "network.policy: Calico cannot be combined"),
        ({"ip_families": ["IPv4", "IPv6"]}, "network.ipFamilies: IPv6 cannot be combined"),
        ({"ip_families": ["IPv6"]}, "network.ipFamilies: IPv6 cannot be combined"),
        ({"load_balancer_sku": "basic"}, "network.loadBalancerSku: a Basic load balancer in your own network"),
    ],
)
def test_what_node_provisioning_does_not_take_is_refused_with_it_alone(chosen, message):  # Z-4
    [text] = mistakes(checked(NetworkProfile(**chosen)))
    assert text.startswith(message)
    assert mistakes(checked(NetworkProfile(**chosen), provisioned=False)) == []


def test_a_basic_load_balancer_is_refused_in_a_network_of_ones_own_alone():  # Z-4
    assert mistakes(checked(NetworkProfile(load_balancer_sku="basic"), given_network=False)) == []


def test_everything_refused_is_reported_together():
    profile = NetworkProfile(plugin="kubenet", chosen_policy="calico", ip_families=["IPv6"], load_balancer_sku="basic")
    assert len(mistakes(checked(profile))) == 4


def test_cilium_without_overlay_is_warned_of():
    notes = checked(NetworkProfile(chosen_mode="none", chosen_dataplane="cilium"))
    assert mistakes(notes) == []
    assert notes.texts == (
        "network.dataplane: a Cilium dataplane without overlay, which older API versions refuse; "
        "allowed: mode overlay, or dataplane azure",
    )


@pytest.mark.parametrize(
    ("chosen", "given_network", "message"),
    [
        (
            {"chosen_policy": "cilium", "chosen_dataplane": "azure"},
            True,
            "network.policy: policy cilium on the dataplane azure",
        ),
        (
            {"plugin": "none", "chosen_dataplane": "cilium", "chosen_policy": "none"},
            True,
            "network.dataplane: dataplane cilium with",
        ),
        (
            {"outbound_type": "userDefinedRouting"},
            False,
            "network.outboundType: userDefinedRouting in a network that AKS makes",
        ),
        ({"outbound_type": "managedNATGateway"}, True, "network.outboundType: managedNATGateway in your own network"),
        (
            {"chosen_dataplane": "celium"},
            True,
            "network.dataplane: unknown value 'celium'; allowed: cilium, azure, none; did you mean cilium?",
        ),
    ],
)
def test_what_contradicts_itself_is_refused(chosen, given_network, message):
    [text] = mistakes(checked(NetworkProfile(**chosen), given_network=given_network))
    assert text.startswith(message)
