"""Which edits of a component's inputs are about another cluster; tests/engine has what an engine does with them."""

from __future__ import annotations

import pytest
from pulumi.runtime import rpc
from pulumi_cutlist.inputs.same_cluster import OF_AKS, OF_CONTROL_PLANE, OF_EKS, changes_of_cluster

EKS = {"cluster_name": "shop", "region": "eu-west-1", "account_id": "111122223333", "kubernetes_version": "1.34"}
AKS = {"name": "shop", "resource_group": "rg-shop", "location": "japaneast", "subscription": "1111"}


def changed(olds, news, paths) -> list[str]:
    return [problem.place.path for problem in changes_of_cluster(olds, news, paths)]


@pytest.mark.parametrize(
    ("edit", "paths"),
    [
        ({"cluster_name": "store"}, ["clusterName"]),
        ({"region": "eu-west-2", "account_id": "444455556666"}, ["region", "accountId"]),
        ({"kubernetes_version": "1.35"}, []),
        ({"account_id": None}, []),
        ({"account_id": rpc.UNKNOWN}, []),
    ],
)
def test_a_cluster_of_eks_is_its_name_its_region_and_its_account(edit, paths):
    """Any of them makes it another one. What only the update knows is not a change; nor is an input that was not recorded."""
    assert changed(EKS, {**EKS, **edit}, OF_EKS) == paths
    assert changed({}, {**EKS, **edit}, OF_EKS) == []
    inside = changed({"control_plane": EKS}, {"control_plane": {**EKS, **edit}}, OF_CONTROL_PLANE)
    assert inside == [f"controlPlane.{path}" for path in paths]


@pytest.mark.parametrize("key", AKS)
def test_a_cluster_of_aks_is_its_name_group_location_and_subscription(key):
    [problem] = changes_of_cluster({"cluster": AKS}, {"cluster": {**AKS, key: "other"}}, OF_AKS)
    path = f"cluster.{'resourceGroup' if key == 'resource_group' else key}"
    assert str(problem) == (
        f"{path}: {AKS[key]!r} becomes 'other', another cluster: all of this one would be replaced, with its nodes; "
        f"allowed: {AKS[key]!r}; or another stack for the other cluster; or first a destroy of this one"
    )
