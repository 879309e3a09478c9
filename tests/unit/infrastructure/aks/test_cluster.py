"""A cluster's choices: node provisioning, identity, upgrades, access, and what changes of them destroy."""

from __future__ import annotations

import re
from datetime import date

import pytest

from cutlist.infrastructure.aks.cluster import ClusterChoices, check_change, check_choices, check_further, check_identity
from cutlist.infrastructure.aks.notes import AksNotes
from cutlist.infrastructure.aks.versions import check_kubernetes
from tests.unit.infrastructure.aks.facts import mistakes

LONG_TERM = {"tier": "Premium", "chosen_support_plan": "AKSLongTermSupport"}
DAY = date(2026, 11, 23)
CLOSED = {"authorized_ranges": ["198.51.100.0/24"]}
ARGUMENTS = [
    "addon_profiles",
    "auto_scaler_profile",
    "network_profile",
    "security_profile",
    "service_principal_profile",
    "storage_profile",
    "windows_profile",
]


def checked(**choices: object) -> AksNotes:
    notes = AksNotes()
    for check in (check_choices, check_identity):
        check(ClusterChoices(**{**CLOSED, "day": DAY, **choices}), notes)
    return notes


def test_without_a_choice_aks_makes_nodes_and_no_pools_of_its_own():  # Z-1, Z-2
    choices = ClusterChoices()
    assert (choices.provisioning, choices.default_pools) == ("Auto", "None")
    assert (mistakes(checked()), checked().texts) == ([], ())


def test_default_pools_are_said_only_with_node_provisioning():  # Z-2
    assert ClusterChoices(provisioning="Manual").default_pools is None
    assert ClusterChoices(chosen_default_pools="Auto").default_pools == "Auto"
    [text] = mistakes(checked(provisioning="Manual", chosen_default_pools="None"))
    assert text.startswith("defaultNodePools: defaultNodePools None without node provisioning")


def test_settings_of_the_cluster_autoscaler_are_warned_of():  # Z-5
    beside, instead = AksNotes(), AksNotes()
    check_further({"auto_scaler_profile": {}}, ARGUMENTS, provisioned=True, notes=beside)
    check_further({"auto_scaler_profile": {}}, ARGUMENTS, provisioned=False, notes=instead)
    assert mistakes(beside) == mistakes(instead) == []
    [text] = beside.texts
    assert text.startswith("further.auto_scaler_profile: settings of the cluster autoscaler")
    assert instead.texts == ()


def test_a_service_principal_is_refused():  # Z-4
    [text] = mistakes(checked(identity_type="ServicePrincipal"))
    assert text == (
        "identityType: a service principal cannot be combined with node provisioning; allowed: UserAssigned, SystemAssigned"
    )


def further(*keys: str, provisioned: bool = True) -> list[str]:
    notes = AksNotes()
    check_further({key: {} for key in keys}, ARGUMENTS, provisioned=provisioned, notes=notes)
    return mistakes(notes)


@pytest.mark.parametrize("key", ["service_principal_profile", "windows_profile"])
def test_arguments_of_the_sdk_that_node_provisioning_does_not_take_are_refused(key):  # Z-4
    [text] = further(key)
    assert text.startswith(f"further.{key}: ")
    assert further(key, provisioned=False) == []


def test_arguments_of_the_sdk_that_are_joined_with_inputs_are_mappings():
    notes = AksNotes()
    check_further({"addon_profiles": ["azurepolicy"], "security_profile": {}}, ARGUMENTS, provisioned=True, notes=notes)
    [text] = mistakes(notes)
    assert text.startswith("further.addon_profiles: found ['azurepolicy']")


def test_what_is_no_argument_of_the_sdk_is_refused():
    """Whoever writes a stack file writes it in camel case, and sees the spelling that the SDK has."""
    [text] = further("storageProfile")
    assert text == (
        "further.storageProfile: ManagedCluster has no argument 'storageProfile'; allowed: one of its arguments in snake case; "
        "did you mean storage_profile?"
    )


@pytest.mark.parametrize("provisioning", ["Auto", "Manual"])
def test_a_version_that_is_newer_than_the_known_ones_is_warned_of(provisioning):
    """It may be good, so it is not a mistake; the known ones are named."""
    [text] = checked(version="1.99", provisioning=provisioning).texts
    assert text.startswith("kubernetesVersion: Kubernetes 1.99 is newer than those that AKS is known to have;")
    assert "1.35" in text
    assert checked(version="1.35.5", provisioning=provisioning).texts == ()


@pytest.mark.parametrize("version", ["1.7", "1.13", "1.20", "1.20.9", "1.30"])
def test_a_version_that_aks_has_no_more_is_refused(version):
    """With the ones that it has: those whose long-term support has not ended."""
    notes = checked(version=version)
    [text] = mistakes(notes)
    minor = ".".join(version.split(".")[:2])
    assert text == (
        f"kubernetesVersion: AKS no longer creates clusters of Kubernetes {minor}; allowed: 1.31, 1.32, 1.33, 1.34, 1.35, "
        "1.36, 1.37; did you mean 1.37?"
    )
    assert notes.texts == ()


@pytest.mark.parametrize("version", ["1.34", "1.35", "1.36.1", "1.37"])
@pytest.mark.parametrize("plan", [{}, {"chosen_support_plan": "KubernetesOfficial"}, LONG_TERM])
def test_a_version_that_aks_has_passes(version, plan):
    assert mistakes(checked(version=version, chosen_upgrade_channel="none", **plan)) == []


@pytest.mark.parametrize("version", ["1.31", "1.32.4", "1.33"])
@pytest.mark.parametrize("plan", [{}, {"tier": "Premium"}, {"chosen_support_plan": "KubernetesOfficial"}])
def test_a_version_in_long_term_support_takes_that_support_plan(version, plan):
    """AKS answers K8sVersionNotSupported to a new cluster without it."""
    notes = checked(version=version, chosen_upgrade_channel="none", **plan)
    assert mistakes(notes) == [
        f"kubernetesVersion: AKS makes clusters of Kubernetes {version[:4]} in long-term support alone; allowed: supportPlan "
        "AKSLongTermSupport with tier Premium, 1.34, 1.35, 1.36, 1.37, or no version where a cluster has it"
    ]
    assert mistakes(checked(version=version, chosen_upgrade_channel="none", **LONG_TERM)) == []


@pytest.mark.parametrize("tier", ["Free", "Standard"])
@pytest.mark.parametrize("version", [None, "1.33", "1.36"])
def test_long_term_support_is_of_the_premium_tier(tier, version):
    """One message, also about a version that needs it."""
    notes = checked(version=version, tier=tier, chosen_support_plan="AKSLongTermSupport")
    assert mistakes(notes) == [f"supportPlan: AKSLongTermSupport in tier {tier}; allowed: tier Premium"]


def test_a_misspelt_support_plan_is_one_mistake():
    [text] = mistakes(checked(version="1.33", tier="Premium", chosen_support_plan="AKSLongtermSupport"))
    assert text == (
        "supportPlan: unknown value 'AKSLongtermSupport'; allowed: KubernetesOfficial, AKSLongTermSupport; "
        "did you mean AKSLongTermSupport?"
    )


def test_the_last_month_of_community_support_is_warned_of():
    """A cluster that is made a month later takes another support plan."""
    assert checked(version="1.34").texts == (
        "kubernetesVersion: Kubernetes 1.34 is the community's until the end of 2026-11; a cluster of it then takes "
        "AKSLongTermSupport; allowed: 1.35, 1.36, 1.37",
    )
    assert checked(version="1.34", **LONG_TERM).texts == checked(version="1.35").texts == ()
    assert checked(version="1.34", day=date(2026, 8, 1)).texts == checked(version="1.34", day=None).texts == ()
    assert "in long-term support alone" in mistakes(checked(version="1.34", day=date(2026, 12, 1)))[0]


def test_a_cluster_that_runs_may_be_older():
    """What is adopted already exists; that Karpenter is not known for its version is worth a word."""
    notes = AksNotes()
    assert check_kubernetes("1.20", "version", notes)
    assert mistakes(notes) == []
    assert notes.texts[0].startswith("version: Kubernetes 1.20 is not one that Karpenter is known for; AKS may not have it;")


def test_a_misspelt_choice_is_not_taken_for_its_opposite():
    """One mistake is one message: what would follow from Manual is not reported as well."""
    [text] = mistakes(checked(provisioning="Aut", chosen_default_pools="Auto", sku="Automatic"))
    assert text.startswith("nodeProvisioning: unknown value 'Aut'")


def test_arguments_of_the_sdk_that_are_made_from_inputs_are_refused():
    assert further("storage_profile", "network_profile") == [
        "further.network_profile: network_profile is made from settings.network; allowed: settings.network"
    ]


@pytest.mark.parametrize(
    "choice",
    [
        {"given_network": True},
        {"own_kubelet_identity": True},
        {
            "private": True,
            "authorized_ranges": [],
            "private_dns_zone": "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/privateDnsZones/z",
        },
    ],
)
def test_rights_that_have_to_be_there_first_take_an_identity_that_is_there_first(choice):  # Z-7
    [text] = mistakes(checked(**choice))
    assert text.startswith("identityId: ")
    assert mistakes(checked(**choice, identity_type="UserAssigned")) == []


@pytest.mark.parametrize(
    ("choices", "channel", "reported"),
    [
        ({}, "patch", ""),
        ({"version": "1.35"}, "patch", ""),
        ({"version": "1.35.5"}, "none", ""),
        ({"version": "1.35.5", "chosen_upgrade_channel": "patch"}, "patch", "did you mean 1.35?"),
        ({"version": "1.35", "chosen_upgrade_channel": "stable"}, "stable", "allowed: no version, or upgradeChannel patch"),
        ({"chosen_upgrade_channel": "stable"}, "stable", ""),
        ({"version": "1.35.5", "chosen_upgrade_channel": "node-image"}, "node-image", ""),
    ],
)
def test_upgrades_do_not_run_away_from_the_version_that_was_asked_for(choices, channel, reported):
    assert ClusterChoices(**choices).upgrade_channel == channel
    texts = mistakes(checked(**choices))
    assert (len(texts) == 1 and texts[0].endswith(reported)) if reported else texts == []


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"provisioning": "auto"}, "nodeProvisioning: unknown value 'auto'; allowed: Auto, Manual; did you mean Auto?"),
        ({"tier": "standard"}, "tier: unknown value 'standard'; allowed: Free, Standard, Premium; did you mean Standard?"),
        (
            {"image_channel": "nodeimage"},
            "nodeOsUpgradeChannel: unknown value 'nodeimage'; allowed: None, Unmanaged, NodeImage",
        ),
        ({"version": "v1.33"}, "kubernetesVersion: 'v1.33' is not a version of Kubernetes"),
        ({"sku": "Automatic", "provisioning": "Manual"}, "nodeProvisioning: Manual, and a cluster of sku Automatic"),
        ({"private": True}, "authorizedIpRanges: ranges that may reach a private cluster"),
        (
            {"private": True, "authorized_ranges": [], "private_dns_zone": "sytem", "identity_type": "UserAssigned"},
            "private.dnsZone: 'sytem' is not a zone",
        ),
        ({"authorized_ranges": ["0.0.0.0/0"]}, "authorizedIpRanges[0]: 0.0.0.0/0 is every address"),
        ({"authorized_ranges": ["mine"]}, "authorizedIpRanges[0]: 'mine' is not an address range"),
        ({"disable_local_accounts": True}, "adminGroupIds: no local accounts and no group of administrators"),
    ],
)
def test_what_cannot_be_or_locks_everybody_out_is_refused(choices, message):
    [text] = mistakes(checked(**choices))
    assert text.startswith(message)


def test_an_api_server_that_every_address_reaches_is_warned_of():
    [text] = checked(authorized_ranges=[]).texts
    assert text.startswith("authorizedIpRanges: every address reaches the API server")
    assert checked(private=True, authorized_ranges=[]).texts == ()


def inputs(mode: str = "Auto", pools: str | None = "None", outbound: str = "loadBalancer") -> dict:
    profile = {"mode": mode} | ({"defaultNodePools": pools} if pools else {})
    return {"nodeProvisioningProfile": profile, "networkProfile": {"outboundType": outbound}}


def changed(before: dict, after: dict) -> AksNotes:
    notes = AksNotes()
    check_change(before, after, notes)
    return notes


@pytest.mark.parametrize("before", ["Auto", None])
def test_taking_the_default_pools_away_is_reported_as_destructive(before):  # Z-2
    """Where nothing was said AKS has made them as well."""
    [text] = changed(inputs(pools=before), inputs()).texts
    assert text.startswith("defaultNodePools: Auto becomes None: the NodePools default and system-surge may be deleted")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (inputs(), inputs()),
        (inputs(), inputs(pools="Auto")),
        (inputs("Manual", None), inputs()),
        ({}, inputs()),
    ],
)
def test_what_destroys_nothing_is_not_told(before, after):  # Z-2
    notes = changed(before, after)
    assert (mistakes(notes), notes.texts) == ([], ())


def test_switching_node_provisioning_off_tells_the_steps_before_it():
    [text] = changed(inputs(), inputs("Manual", None)).texts
    assert "spec.limits.cpu: 0" in text


def test_the_way_out_of_a_cluster_stays():
    [text] = mistakes(changed(inputs(), inputs(outbound="userDefinedRouting")))
    assert text.startswith("network.outboundType: outboundType goes from loadBalancer to userDefinedRouting")


@pytest.mark.parametrize(
    ("key", "value", "what"),
    [
        ("enable_rbac", False, "Kubernetes RBAC that is off"),
        ("public_network_access", "Disabled", "public network access that is off"),
        ("service_principal_profile", {"client_id": "a"}, "a service principal"),
        ("windows_profile", {"admin_username": "a"}, "Windows"),
    ],
)
def test_what_node_provisioning_does_not_support_is_refused(key, value, what):
    """By Microsoft's list, with its source and date; without node provisioning it is possible."""  # Z-74
    notes = AksNotes()
    check_further({key: value}, [key], provisioned=True, notes=notes)
    (problem,) = notes.problems.ordered()
    assert problem.message == f"{what} cannot be combined with node provisioning"
    assert re.search(r"\(.+, 20\d\d-\d\d-\d\d\)$", problem.allowed)
    without = AksNotes()
    check_further({key: value}, [key], provisioned=False, notes=without)
    assert not without.problems.ordered()


@pytest.mark.parametrize(("key", "value"), [("enable_rbac", True), ("public_network_access", "Enabled")])
def test_what_node_provisioning_needs_is_accepted(key, value):
    notes = AksNotes()
    check_further({key: value}, [key], provisioned=True, notes=notes)
    assert not notes.problems.ordered()  # Z-74


def test_node_provisioning_keeps_the_data_plane():
    """It has to be off for the change to Cilium."""  # Z-74
    before = {"nodeProvisioningProfile": {"mode": "Auto"}, "networkProfile": {"networkDataplane": "azure"}}
    after = {**before, "networkProfile": {"networkDataplane": "cilium"}}
    notes = AksNotes()
    check_change(before, after, notes)
    assert [p.message for p in notes.problems.ordered()] == [
        "networkDataplane goes from azure to cilium, which a cluster with node provisioning cannot do"
    ]
    manual = {**after, "nodeProvisioningProfile": {"mode": "Manual"}}
    quiet = AksNotes()
    check_change({**before, "nodeProvisioningProfile": {"mode": "Manual"}}, manual, quiet)
    assert not quiet.problems.ordered()
