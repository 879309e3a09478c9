"""One topology rule by itself: where one more pod may go, given how many run where (spec 7.8)."""

from __future__ import annotations

import pytest

from cutlist.core.labels import HOSTNAME, ZONE
from cutlist.core.requirement import Requirement
from cutlist.scheduling.topologygroup import TopologyGroup, TopologyType
from tests.unit.scheduling.builders import label, pod, selecting

ANYWHERE = Requirement(ZONE, True, frozenset())
WEB = selecting(app="web")


def group(
    kind: TopologyType, key: str = ZONE, *, max_skew: int = 1, min_domains: int | None = None, **counts: int
) -> TopologyGroup:
    """A rule that counts pods of the label app=web; domains by name with their counts."""
    rule = TopologyGroup(kind, key, frozenset(("default",)), WEB, max_skew, min_domains)
    for domain, count in counts.items():
        rule.register(domain)
        if count:
            rule.record(domain, count)
    return rule


def zones(
    rule: TopologyGroup, wanted: Requirement = ANYWHERE, node: Requirement = ANYWHERE, *, self_selecting: bool = True
) -> set[str]:
    return set(rule.next_domains(wanted, node, self_selecting=self_selecting))


def test_spread_goes_to_the_emptiest_domain():
    """One domain is chosen: that with the fewest pods."""
    # S-85
    assert zones(group(TopologyType.SPREAD, a=1, b=0, c=1)) == {"b"}


def test_spread_measures_against_the_emptiest_domain():
    """With none in c, a domain with one is full at a skew of 1."""
    # S-86
    assert zones(group(TopologyType.SPREAD, a=1, b=1, c=0), node=label(ZONE, "a", "b")) == set()


def test_spread_allows_up_to_the_skew():
    """A skew of 2 lets a second pod stand beside an empty domain."""
    # S-86
    assert zones(group(TopologyType.SPREAD, max_skew=2, a=1, b=0), node=label(ZONE, "a")) == {"a"}


def test_spread_measures_only_domains_that_the_pod_may_use():
    """A pod that asks for zone a has no other zone to compare with."""
    # S-88
    assert zones(group(TopologyType.SPREAD, a=7, b=0), wanted=label(ZONE, "a"), node=label(ZONE, "a")) == {"a"}


def test_too_few_domains_count_as_an_empty_one():
    """minDomains 3 with two domains: a second pod in a domain would be a skew of 2."""
    # S-90
    assert zones(group(TopologyType.SPREAD, min_domains=3, a=1, b=1)) == set()
    assert zones(group(TopologyType.SPREAD, min_domains=2, a=1, b=1)) == {"a"}


def test_a_pod_that_the_rule_does_not_count_adds_no_skew():
    """It may go where a counted one may not."""
    # S-92
    rule = group(TopologyType.SPREAD, a=1, b=0)
    assert zones(rule, node=label(ZONE, "a"), self_selecting=False) == {"a"}
    assert zones(rule, node=label(ZONE, "a"), self_selecting=True) == set()


def test_without_a_domain_there_is_no_place():
    """A key that nothing has leaves nothing."""
    # S-93
    assert zones(group(TopologyType.SPREAD)) == set()


@pytest.mark.parametrize(("running", "allowed"), [(0, True), (1, True), (2, False)])
def test_spread_by_hostname_bounds_each_node_by_itself(running: int, allowed: bool):
    """At a skew of 2 a node takes two, whatever stands on others."""
    # S-91
    rule = group(TopologyType.SPREAD, HOSTNAME, max_skew=2)
    rule.register(0)
    if running:
        rule.record(0, running)
    assert rule.allows_host(0, Requirement(HOSTNAME, True, frozenset()), self_selecting=True) is allowed


def test_a_rule_without_a_selector_counts_nobody():
    """Not even pods with no labels at all."""
    # S-98
    assert not TopologyGroup(TopologyType.SPREAD, ZONE, frozenset(("default",)), None).selects(pod())


def test_an_empty_selector_counts_everybody():
    """Every pod of the namespace."""
    # S-98
    assert TopologyGroup(TopologyType.SPREAD, ZONE, frozenset(("default",)), selecting()).selects(pod())


def test_a_rule_counts_pods_of_its_namespaces_only():
    """The same labels elsewhere do not count."""
    # S-99
    rule = group(TopologyType.SPREAD)
    assert rule.selects(pod(labels={"app": "web"}))
    assert not rule.selects(pod(labels={"app": "web"}, namespace="other"))


def test_affinity_joins_what_is_there():
    """Every domain with a counted pod will do."""
    # S-100
    assert zones(group(TopologyType.AFFINITY, a=0, b=2, c=1)) == {"b", "c"}


def test_affinity_to_nobody_leaves_nothing():
    """A pod that does not select itself cannot be the first."""
    # S-101
    assert zones(group(TopologyType.AFFINITY, a=0, b=0), self_selecting=False) == set()


def test_a_pod_that_selects_itself_may_be_the_first():
    """It chooses one domain."""
    # S-101
    assert len(zones(group(TopologyType.AFFINITY, a=0, b=0))) == 1


def test_nobody_is_first_twice_where_it_could_join():
    """With a pod in zone a, one that may use zone a goes there."""
    # S-101
    assert zones(group(TopologyType.AFFINITY, a=1, b=0), node=label(ZONE, "b")) == set()


def test_a_pod_is_first_again_where_it_cannot_join():
    """With a pod in zone a, one that asks for zone b starts again there."""
    # S-102
    assert zones(group(TopologyType.AFFINITY, a=1, b=0), wanted=label(ZONE, "b"), node=label(ZONE, "b")) == {"b"}


def test_anti_affinity_leaves_the_empty_domains():
    """All of them, not one."""
    # S-103
    assert zones(group(TopologyType.ANTI_AFFINITY, a=1, b=0, c=0)) == {"b", "c"}


def test_anti_affinity_by_hostname_wants_an_empty_node():
    """A claim with a counted pod is taken."""
    # S-103
    rule = group(TopologyType.ANTI_AFFINITY, HOSTNAME)
    rule.register(0)
    rule.register(1)
    rule.record(0)
    anywhere = Requirement(HOSTNAME, True, frozenset())
    assert [rule.allows_host(claim, anywhere, self_selecting=True) for claim in (0, 1)] == [False, True]


def test_claims_are_known_by_how_many_counted_pods_they_hold():
    """As bits: claims 0 and 2 hold one or more, claim 2 alone three."""
    # S-91
    rule = group(TopologyType.SPREAD, HOSTNAME)
    rule.record(0)
    rule.record(2, 3)
    assert [rule.claims_with(n) for n in (1, 2, 3, 4)] == [0b101, 0b100, 0b100, 0]


@pytest.mark.parametrize("kind", TopologyType)
@pytest.mark.parametrize("self_selecting", [True, False])
@pytest.mark.parametrize("counts", [{"a": 0, "b": 0, "c": 0}, {"a": 1, "b": 0, "c": 2}, {"a": 1, "b": 1, "c": 1}])
def test_the_quick_question_agrees_with_the_whole_one(kind: TopologyType, self_selecting: bool, counts: dict[str, int]):
    """A claim that stands in one domain is ruled in exactly when that domain is allowed for it."""
    rule = group(kind, **counts)
    quick = rule.valid_domains(ANYWHERE, self_selecting=self_selecting)
    for zone in counts:
        whole = zone in zones(rule, node=label(ZONE, zone), self_selecting=self_selecting)
        assert quick(zone) or not whole  # never ruled out what is allowed
        if kind is not TopologyType.AFFINITY:
            assert quick(zone) == whole
