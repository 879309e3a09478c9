"""Which edits of a component's inputs a preview refuses; tests/engine has what an engine does with them."""

from __future__ import annotations

from typing import Any

import pytest
from pulumi import ResourceHookArgs
from pulumi.runtime import rpc
from pulumi_cutlist.aws.cluster.changes import changes_of_cluster
from pulumi_cutlist.aws.network.network import changes_of_network, plan_vpc
from pulumi_cutlist.inputs.unchangeable import refuse_changes

from cutlist.core.errors import InputError, Place
from cutlist.infrastructure.inputs import HERE
from cutlist.infrastructure.unchangeable import changes_of_aks, changes_of_eks

EKS = {"cluster_name": "shop", "region": "eu-west-1", "account_id": "111122223333", "version": "1.34"}
AKS = {"name": "shop", "resource_group": "rg-shop", "location": "japaneast", "subscription": "1111"}
VPC: dict[str, Any] = {"cluster_name": "shop", "region": "eu-west-1", "own": {}}


def of_plane(**edit: Any) -> list[str]:
    """The paths that an edit of a control plane is refused at."""
    found = changes_of_cluster(HERE, {"control_plane": EKS}, {"control_plane": {**EKS, **edit}})
    return [problem.place.path for problem in found]


def of_network(olds: dict[str, Any], news: dict[str, Any]) -> list[str]:
    """The paths that an edit of a network is refused at."""
    return [problem.place.path for problem in changes_of_network(plan_vpc(news), olds, news)]


def refusal(olds: dict[str, Any], news: dict[str, Any], outputs: dict[str, Any] | None) -> str:
    """Return what the hook of a whole cluster says to a change."""
    change = ResourceHookArgs("urn", "", "shop", "cutlist:index:KarpenterCluster", news, olds, None, outputs)
    try:
        refuse_changes(changes_of_eks, change)
    except InputError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("edit", "paths"),
    [
        ({"cluster_name": "store"}, ["clusterName"]),
        ({"region": "eu-west-2", "account_id": "444455556666"}, ["region", "accountId"]),
        ({"account_id": None}, []),
        ({"ip_family": "ipv6"}, ["ipFamily"]),
        ({"ip_family": "ipv4"}, []),
        ({"service_ipv4_cidr": "172.21.0.0/16"}, ["serviceIpv4Cidr"]),
        ({"name_style": "regional"}, ["nameStyle"]),
        ({"outpost_config": {"outpost_arns": ["a"]}}, []),
        ({"encrypt_secrets": True}, []),
        ({"production": True, "support_type": "EXTENDED"}, []),
    ],
)
def test_a_control_plane_keeps_what_eks_sets_once(edit, paths):  # I-83
    """What is written out as it was by default is not an edit, and what can be added later is not refused."""
    assert of_plane(**edit) == [f"controlPlane.{path}" for path in paths]


def test_secrets_stay_encrypted():  # I-83
    olds, news = {"control_plane": {**EKS, "encrypt_secrets": True}}, {"control_plane": EKS}
    [problem] = changes_of_cluster(HERE, olds, news)
    assert str(problem).startswith("controlPlane.encryptSecrets: secrets stay under the key that they have")


def test_a_range_of_services_can_be_left_out_again():
    """The provider keeps what EKS has."""
    olds = {"control_plane": {**EKS, "service_ipv4_cidr": "172.21.0.0/16"}}
    assert list(changes_of_cluster(HERE, olds, {"control_plane": EKS})) == []


@pytest.mark.parametrize(
    ("edit", "paths"),
    [
        ({"own": {"cidr": "10.99.0.0/16"}}, ["own.cidr"]),
        ({"own": {"cidr": "10.0.0.0/16", "private_prefix": 19}}, []),
        ({"own": {"private_prefix": 20}}, ["own.privatePrefix"]),
        ({"own": {"control_plane_prefix": 27}}, ["own.controlPlanePrefix"]),
        ({"own": {"zones": ["eu-west-1a", "eu-west-1b"], "nat": "per-zone"}}, []),
        ({"region": "eu-west-2", "own": {"zones": ["eu-west-2a", "eu-west-2b"]}}, ["region"]),
        ({"adopted": {"vpc_id": "vpc-1", "private_subnets": []}, "own": None}, ["adopted"]),
        ({"tags": {"team": "web"}, "cluster_name": "store"}, []),
    ],
)
def test_a_vpc_and_its_subnets_keep_their_ranges(edit, paths):  # I-83
    """Zones come and go without moving those of others."""
    news = {key: value for key, value in {**VPC, **edit}.items() if value is not None}
    if "adopted" in news:
        subnets = [{"id": f"subnet-0{zone}", "zone": f"eu-west-1{zone}"} for zone in "ab"]
        news["adopted"] = {**news["adopted"], "private_subnets": subnets}
    assert of_network(VPC, news) == paths


def test_what_an_earlier_version_accepted_is_no_obstacle():
    assert of_network({**VPC, "own": {"cidr": "10.0.0.0/30"}}, VPC) == []


@pytest.mark.parametrize("key", AKS)
def test_a_cluster_of_aks_is_its_name_group_location_and_subscription(key):
    [problem] = changes_of_aks({"cluster": AKS}, {"cluster": {**AKS, key: "other"}})
    path = f"cluster.{'resourceGroup' if key == 'resource_group' else key}"
    assert problem.place == Place(path=path)
    assert str(problem) == (
        f"{path}: {AKS[key]!r} becomes 'other', another cluster: all of this one would be replaced, with its nodes; "
        f"allowed: {AKS[key]!r}; or another stack for the other cluster; or first a destroy of this one"
    )


def test_only_a_component_that_was_completed_is_compared():  # I-84
    """The first update of the other one ended before it made anything, for instance in the wrong account."""
    other = {**EKS, "account_id": "444455556666"}
    assert "another cluster" in refusal(EKS, other, {"cluster_name": "shop"})
    assert refusal(EKS, other, {}) == refusal(EKS, other, None) == ""


def test_what_only_the_update_knows_is_not_a_change():
    assert refusal(EKS, {**EKS, "account_id": rpc.UNKNOWN}, {"cluster_name": "shop"}) == ""
