"""Names and ARNs: the same facts give the same names, none too long, and no two of them the same."""

from __future__ import annotations

import dataclasses
import string
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.errors import InputError
from cutlist.infrastructure.names import ClusterFacts, NameStyle, partition_of, shortened

CLUSTERS = st.text(string.ascii_letters + string.digits, min_size=1, max_size=100)
STYLES = st.sampled_from([NameStyle.KARPENTER, NameStyle.REGIONAL])


def facts(cluster: str = "shop", region: str = "eu-west-1", **more: object) -> ClusterFacts:
    return ClusterFacts(cluster, region, "111122223333", **more)


@given(CLUSTERS, STYLES)
def test_no_name_is_longer_than_its_service_allows(cluster, style):  # I-1 K-23
    made = facts(cluster, name_style=style)
    limits = {made.node_role: 64, made.controller_role: 64, made.queue: 80, made.node_group_prefix("system"): 37}
    limits |= {made.controller_policy("ResourceDiscovery"): 128, made.event_rule("CapacityReservationInterruption"): 64}
    assert all(0 < len(name) <= limit for name, limit in limits.items())
    assert made == facts(cluster, name_style=style)


@pytest.mark.thorough
def test_a_million_pairs_of_long_names_stay_apart():  # I-1
    """Names that differ only behind the cut: the digest at the end is their whole difference."""
    stem = "x" * 90
    assert all(one != other for one, other in pairwise(shortened(f"{stem}{n}", 64) for n in range(1_000_001)))


def test_names_are_those_of_the_guides():
    made = facts()
    assert (made.node_role, made.controller_role, made.queue) == ("KarpenterNodeRole-shop", "KarpenterController-shop", "shop")
    assert made.controller_policy("NodeLifecycle") == "KarpenterControllerNodeLifecyclePolicy-shop"
    assert dataclasses.replace(made, name_style=NameStyle.REGIONAL).node_role == "KarpenterNodeRole-shop-eu-west-1"
    assert dataclasses.replace(made, name_style=NameStyle.AUTO).node_role is None


@pytest.mark.parametrize(
    ("region", "partition"),
    [("us-east-1", "aws"), ("cn-north-1", "aws-cn"), ("us-gov-west-1", "aws-us-gov"), ("us-isob-east-1", "aws-iso-b")],
)
def test_a_region_tells_its_partition(region, partition):
    assert partition_of(region) == partition
    assert facts(region=region).cluster_arn == f"arn:{partition}:eks:{region}:111122223333:cluster/shop"


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("x" * 101, "cluster name of 101 characters"),
        ("-shop", "cluster name '-shop' begins with '-'"),
        ("a/b", "cluster name 'a/b' has '/' in it"),
        ("", "no cluster name"),
    ],
)
def test_a_name_that_eks_refuses_is_refused(name, wrong):
    with pytest.raises(InputError, match=wrong):
        facts(name)
