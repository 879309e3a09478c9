"""The hash of an EC2NodeClass: which changes drift nodes."""

from __future__ import annotations

import pytest

from cutlist import EC2NodeClass
from cutlist.api.structural_hash import duration, integer, listed, mapped, switch, text
from cutlist.providers.aws.node_class_hash import stored_hash
from tests.unit.providers.aws.node_classes import node_class


def node_class_hash(of: EC2NodeClass, ca_bundle: str = "") -> str:
    """Return the hash of the class as an API server stores it."""
    return stored_hash(of.stored()["spec"], ca_bundle, of.karpenter)


def test_the_building_blocks():
    """The worked examples of the algorithm."""
    assert text("team") == 10090681646342526602
    assert mapped(text)({"team": "a"}) == 5678614363990723190
    assert switch(True) == 12638153115695167454
    assert integer(4)(1) == 4934814342159144266
    assert integer(8)(1) == 16390143479181108970
    assert duration(0) == text("Duration")


def test_a_plain_class():
    """A class with a role and an alias has the published hash, with or without its family written."""
    # V-135
    plain = node_class("al2023@latest", role="node-role")
    assert node_class_hash(plain) == "9256495999969595767"
    assert node_class_hash(node_class("al2023@v20250101", role="node-role", amiFamily="AL2023")) == "9256495999969595767"
    assert node_class_hash(node_class(role="node-role", amiFamily="Custom")) == "14292371018770175606"


@pytest.mark.parametrize(
    "change",
    [
        {"tags": {"a": "b"}},
        {"userData": "echo"},
        {"userData": ""},
        {"role": "other"},
        {"kubelet": {"maxPods": 10}},
        {"kubelet": {}},
        {"detailedMonitoring": False},
        {"blockDeviceMappings": [{"deviceName": "/dev/xvda", "ebs": {"volumeSize": "20Gi"}}]},
        {"metadataOptions": {"httpTokens": "optional"}},
        {"instanceStorePolicy": "RAID0"},
    ],
)
def test_what_nodes_are_made_of_changes_the_hash(change):
    """A written value counts even when it says what would be the case without it."""
    # V-134, H-4
    assert node_class_hash(node_class(**change)) != node_class_hash(node_class())


@pytest.mark.parametrize(
    "change",
    [
        {"subnetSelectorTerms": [{"id": "subnet-1"}]},
        {"securityGroupSelectorTerms": [{"id": "sg-1"}]},
        {"capacityReservationSelectorTerms": [{"id": "cr-1"}]},
        {"ipPrefixCount": 2},
        {"metadataOptions": {"httpTokens": "required"}},
    ],
)
def test_selectors_and_defaults_do_not_change_the_hash(change):
    """Where to launch is compared with the instance, and a default that is written out is the default."""
    # V-134
    assert node_class_hash(node_class(**change)) == node_class_hash(node_class())


def test_order_does_not_count_and_doubles_cancel():
    """Lists are sets in which equal elements cancel in pairs."""
    # H-5
    kind = listed(text)
    assert kind(["a", "b"]) == kind(["b", "a"])
    assert kind(["a", "a", "b"]) == kind(["b"])


def test_equal_sizes_agree_and_kubelet_amounts_do_not():
    """`1Ti` and `1024Gi` are one size; reserved amounts are compared as written."""

    # H-7
    def sized(size):
        return node_class_hash(node_class(blockDeviceMappings=[{"deviceName": "/dev/xvda", "ebs": {"volumeSize": size}}]))

    def reserved(cpu):
        return node_class_hash(node_class(kubelet={"kubeReserved": {"cpu": cpu}}))

    assert sized("1Ti") == sized("1024Gi") != sized("1T")
    assert reserved("1") != reserved("1000m")


def test_the_authority_of_the_cluster_counts():
    """Another certificate authority is another hash."""
    assert node_class_hash(node_class(), "Y2E=") != node_class_hash(node_class())
