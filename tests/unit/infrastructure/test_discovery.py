"""What Karpenter finds subnets and groups by, and for whom there is room."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.errors import Problems
from cutlist.infrastructure.discovery import (
    DiscoveryStyle,
    GroupFacts,
    Selection,
    check_more_groups,
    check_tags,
    tags_for,
)

CLUSTERS = st.from_regex(r"[0-9A-Za-z][0-9A-Za-z_-]{0,99}", fullmatch=True)


def finds(selection: Selection, tags: dict[str, str]) -> bool:
    """Whether Karpenter takes something with these tags, as it reads selector terms: `*` is any value."""
    wanted = [term["tags"] for term in selection.terms(())]
    return any(all(k in tags and v in ("*", tags[k]) for k, v in term.items()) for term in wanted)


@given(CLUSTERS, st.sampled_from([DiscoveryStyle.TAG, DiscoveryStyle.SHARED_TAG]))
def test_the_terms_find_what_is_tagged(cluster, style):
    selection = Selection(cluster, style)
    assert finds(selection, selection.tags)
    assert not finds(selection, {})


@given(CLUSTERS, CLUSTERS)
def test_clusters_that_share_subnets_have_keys_of_their_own(one, other):  # I-44
    """Whoever leaves takes away no tag of the other, and finds nothing by the other's."""
    mine, theirs = Selection(one, DiscoveryStyle.SHARED_TAG), Selection(other, DiscoveryStyle.SHARED_TAG)
    assert (mine.tags.keys() & theirs.tags.keys() == set()) == (one != other)
    assert finds(mine, theirs.tags) == (one == other)


def test_by_id_needs_no_tag():
    selection = Selection("shop", DiscoveryStyle.ID)
    assert selection.tags == {}
    assert selection.terms(["subnet-0a", "subnet-0b"]) == [{"id": "subnet-0a"}, {"id": "subnet-0b"}]


def test_terms_are_had_typed():
    selection = Selection("shop", DiscoveryStyle.SHARED_TAG)
    (by_tag, by_id) = selection.group_terms((), ["sg-0a"])
    assert (by_tag.tags, by_id.id) == ({"karpenter.sh/discovery/shop": "*"}, "sg-0a")
    assert [term.id for term in Selection("shop", DiscoveryStyle.ID).subnet_terms(["subnet-0a"])] == ["subnet-0a"]


def test_one_tag_names_one_cluster():
    problems = Problems()
    assert tags_for(["shop", "bank"], DiscoveryStyle.SHARED_TAG, "sharedWith", problems) == {
        "karpenter.sh/discovery/shop": "shared",
        "karpenter.sh/discovery/bank": "shared",
    }
    assert not problems
    tags_for(["shop", "bank"], DiscoveryStyle.TAG, "sharedWith", problems)
    assert "cannot name several clusters: shop, bank; allowed: style shared-tag or id" in str(problems.found[0])


def test_a_second_group_with_the_clusters_tag_is_refused():  # I-45
    problems = Problems()
    groups = [
        GroupFacts("sg-0a", {"kubernetes.io/cluster/shopping": "owned"}),
        GroupFacts("sg-0b", {"kubernetes.io/cluster/shop": ""}),
    ]
    check_more_groups(groups, "shop", "moreGroups", problems)
    assert [problem.place.path for problem in problems.found] == ["moreGroups[1]"]


@pytest.mark.parametrize(
    "key", ["karpenter.sh/discovery", "karpenter.sh/discovery/x", "kubernetes.io/cluster/x", "karpenter.sh/nodepool"]
)
def test_tags_that_are_not_a_users_are_refused(key):
    problems = Problems()
    check_tags({"team": "web", key: "a"}, "tags", problems)
    assert [problem.place.path for problem in problems.found] == [f"tags[{key!r}]"]
