"""Leftovers: the cluster's own are recognised by any version's tags, and nobody else's ever are."""

from __future__ import annotations

import string

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cutlist.infrastructure.names import ClusterFacts
from cutlist.infrastructure.teardown.leftovers import (
    claim_volume_signatures,
    evidence,
    interface_evidence,
    is_profile_place,
    node_signatures,
    profile_evidence,
    template_signatures,
)

NAMES = st.from_regex(r"[0-9A-Za-z][0-9A-Za-z_-]{0,30}", fullmatch=True)


def facts(cluster: str = "shop", region: str = "eu-west-1") -> ClusterFacts:
    return ClusterFacts(cluster, region, "111122223333")


def todays_tags(cluster: str) -> dict[str, str]:
    return {
        "eks:eks-cluster-name": cluster,
        f"kubernetes.io/cluster/{cluster}": "owned",
        "karpenter.sh/nodepool": "general",
        "karpenter.k8s.aws/ec2nodeclass": "default",
    }


OLD_TAGS = {
    "before 1.1": {"karpenter.sh/managed-by": "shop", "karpenter.sh/nodepool": "general"},
    "before 0.32": {"kubernetes.io/cluster/shop": "owned", "karpenter.sh/provisioner-name": "default"},
}


@st.composite
def neighbours(draw: st.DrawFn) -> tuple[str, str]:
    """A cluster, and another whose name is close to it: a part of it, more than it, or in other letters."""
    name = draw(NAMES)
    more = draw(st.text(string.ascii_letters + string.digits + "-_", min_size=1, max_size=4))
    cut = draw(st.integers(0, len(name)))
    other = draw(
        st.sampled_from([name + more, more + name, name[:cut], name[cut:], name.swapcase(), name + "*", "?" * len(name)])
    )
    assume(other not in {name, ""})
    return name, other


@given(neighbours())
def test_a_cluster_of_a_similar_name_is_another(pair):  # I-60
    """Neither a prefix, a suffix, other letters nor a wildcard of the name is the name: for no kind of leftover."""
    mine, other = facts(pair[0]), pair[1]
    owned = {f"kubernetes.io/cluster/{other}": "owned"}
    assert not evidence(node_signatures(mine), todays_tags(other))
    assert not evidence(node_signatures(mine), {"karpenter.sh/managed-by": other, "karpenter.sh/nodepool": "x"})
    assert not evidence(node_signatures(mine), {**owned, "karpenter.sh/provisioner-name": "x"})
    assert not evidence(template_signatures(mine), todays_tags(other))
    assert not evidence(template_signatures(mine), {"karpenter.k8s.aws/cluster": other})
    assert not evidence(claim_volume_signatures(mine), {**owned, "ebs.csi.aws.com/cluster": "true"})
    assert not interface_evidence(mine, {"cluster.k8s.amazonaws.com/name": other}, "aws-K8S-i-1", {"i-1"})
    tags = {"kubernetes.io/cluster/" + mine.cluster: "owned", "topology.kubernetes.io/region": mine.region}
    assert not profile_evidence(mine, f"/karpenter/{mine.region}/{other}/uid/", "x", tags)
    assert not is_profile_place(mine, "/", f"{other}_1")


@given(NAMES)
def test_a_cluster_finds_its_own(name):  # I-60
    """The guard above does not hold because nothing is ever found."""
    mine = facts(name)
    tags = {mine.owned_tag: "owned", "topology.kubernetes.io/region": "eu-west-1"}
    assert evidence(node_signatures(mine), todays_tags(name))
    assert evidence(template_signatures(mine), todays_tags(name))
    assert profile_evidence(mine, f"/karpenter/eu-west-1/{name}/uid/", "any", tags)
    assert profile_evidence(mine, "/", f"{name}_123", tags)
    assert interface_evidence(mine, {"cluster.k8s.amazonaws.com/name": name}, "", ())


def test_templates_of_today_lack_the_tag_that_guides_filter_by():  # I-59 K-198
    assert "karpenter.k8s.aws/cluster" not in todays_tags("shop")
    assert evidence(template_signatures(facts()), todays_tags("shop")) == (
        "eks:eks-cluster-name=shop",
        "karpenter.sh/nodepool=general",
    )


@pytest.mark.parametrize("tags", OLD_TAGS.values(), ids=OLD_TAGS)
def test_instances_of_old_versions_are_found(tags):  # I-59
    assert evidence(node_signatures(facts()), tags)


@pytest.mark.parametrize("key", ["karpenter.k8s.aws/cluster", "karpenter.sh/managed-by"])
def test_templates_of_old_versions_are_found(key):  # I-59
    assert evidence(template_signatures(facts()), {key: "shop"}) == (f"{key}=shop",)


@pytest.mark.parametrize("missing", ["karpenter.sh/nodepool", "karpenter.k8s.aws/ec2nodeclass", "eks:eks-cluster-name"])
def test_every_tag_of_an_instance_counts(missing):
    """The cluster's own node group carries some of the tags."""
    tags = todays_tags("shop")
    del tags[missing]
    assert not evidence(node_signatures(facts()), tags)


def test_what_auto_mode_makes_is_not_karpenters():
    """EKS Auto Mode tags with the cluster's name and a pool as well; what it makes is for EKS to remove."""
    tags = {**todays_tags("shop"), "eks.amazonaws.com/nodeclass": "default"}
    assert not evidence(node_signatures(facts()), tags)
    assert not evidence(template_signatures(facts()), tags)


@pytest.mark.parametrize(
    ("path", "name", "tags"),
    [
        ("/karpenter/eu-west-1/shop/uid/", "shop_1", {"topology.kubernetes.io/region": "eu-central-1"}),
        ("/karpenter/eu-west-1/shop/uid/", "shop_1", {"kubernetes.io/cluster/shop": "shared"}),
        ("/karpenter/eu-central-1/shop/uid/", "shop_1", {}),
        ("/elsewhere/", "shop_1", {}),
        ("/", "shop_ab", {}),
        ("/", "shop_1_2", {}),
        ("/", "my_shop_1", {}),
    ],
)
def test_a_profile_elsewhere_or_of_another_region_is_left(path, name, tags):  # I-67
    own = {"kubernetes.io/cluster/shop": "owned", "topology.kubernetes.io/region": "eu-west-1"}
    assert not profile_evidence(facts(), path, name, {**own, **tags})


def test_an_interface_is_known_by_its_instance():
    """Of interfaces without the cluster's tag those count that were made for an instance of the cluster."""
    mine = facts()
    assert interface_evidence(mine, {}, "aws-K8S-i-0a1", {"i-0a1"}) == ("description aws-K8S-i-0a1",)
    assert interface_evidence(mine, {"node.k8s.amazonaws.com/instance_id": "i-0a1"}, "", {"i-0a1"})
    assert not interface_evidence(mine, {}, "aws-K8S-i-0a1", {"i-0a"})
    assert not interface_evidence(mine, {}, "i-0a1", {"i-0a1"})
    assert not interface_evidence(mine, {"cluster.k8s.amazonaws.com/name": "other"}, "aws-K8S-i-0a1", {"i-0a1"})
