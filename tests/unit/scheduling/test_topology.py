"""Topology rules in a pass: spread, affinity and anti-affinity as pods are placed (spec 7)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist.core.labels import CAPACITY_TYPE, HOSTNAME, ZONE
from cutlist.scheduling.spread_rules import selector_identity, with_match_label_keys
from cutlist.workloads.pods import FrozenDict, LabelSelector, Pod, PodTerm, Preference
from tests.unit.scheduling.builders import (
    by_zone,
    counts,
    machine,
    only,
    pending,
    pod,
    pool,
    run,
    said,
    selecting,
    spread,
    term,
)

WEB = {"app": "web"}
ANY_ZONE = selecting(app="web")


def web(*constraints: object, **fields: object) -> Pod:
    return pod(labels=WEB, spread=constraints, **fields)


def near(key: str = ZONE) -> tuple[PodTerm, ...]:
    return (PodTerm(key, ANY_ZONE),)


def test_pods_are_spread_evenly_over_zones():
    """Four pods over three zones at a skew of 1 are 2, 1, 1."""
    # S-85
    assert sorted(by_zone(run((web(spread()), 4))).values()) == [1, 1, 2]


def test_alike_pods_try_every_zone_that_is_as_good_as_another():
    """Where only the last of three tied zones sells a large enough machine, alike pods are not stuck with the first."""
    # S-85
    other = spread(selector=selecting(app="db"))
    types = [machine("small", 4), machine("big", 32, zones=("zone-c",))]
    assert by_zone(run((pod(cpu="20", labels=WEB, spread=(other,)), 3), types=types)) == {"zone-c": 3}


def test_a_pool_of_two_zones_spreads_over_two():
    """A zone that no NodePool reaches is not a domain."""
    # S-87
    two_zones = [pool(requirements={ZONE: ["zone-b", "zone-c"]})]
    assert by_zone(run((web(spread()), 4), pools=two_zones)) == {"zone-b": 2, "zone-c": 2}


def test_a_pod_that_asks_for_a_zone_is_not_held_back_by_others():
    """All pods may go to the one zone that they ask for."""
    # S-88
    assert by_zone(run((web(spread(), node_selector={ZONE: "zone-a"}), 5))) == {"zone-a": 5}


def test_preferred_zones_do_not_shrink_the_comparison():
    """Six pods that prefer two of three zones still end at two in each."""
    # S-89
    preferring = web(spread(), preferred=(Preference(1, term(ZONE, "In", "zone-a", "zone-b")),))
    assert by_zone(run((preferring, 6))) == {"zone-a": 2, "zone-b": 2, "zone-c": 2}


def test_too_few_zones_hold_one_pod_each():
    """minDomains 3 with two zones in reach."""
    # S-90
    two_zones = [pool(requirements={ZONE: ["zone-a", "zone-b"]})]
    result = run((web(spread(min_domains=3)), 4), pools=two_zones)
    assert (by_zone(result), pending(result)) == ({"zone-a": 1, "zone-b": 1}, 2)


@pytest.mark.parametrize(("skew", "expected"), [(1, [1, 1, 1, 1, 1]), (2, [2, 2, 1])])
def test_spread_by_hostname_bounds_each_node(skew: int, expected: list[int]):
    """As many counted pods on a node as the skew."""
    # S-91
    assert counts(run((web(spread(HOSTNAME, skew)), 5))) == expected


def test_pods_that_do_not_match_their_own_selector_share_a_node():
    """Nothing that they add is counted."""
    # S-92
    other = pod(labels={"app": "other"}, spread=(spread(HOSTNAME),))
    assert counts(run((other, 4))) == [4]


def test_a_key_that_nothing_has_leaves_its_pod_pending():
    """Others are not held up."""
    # S-93
    lost = web(spread("example.com/unknown"))
    result = run((lost, 1), (pod(), 2))
    assert (pending(result), counts(result)) == (1, [2])
    assert "unsatisfiable topology constraint for topology spread, key=example.com/unknown" in said(result)


def test_a_label_of_the_pool_gives_domains():
    """Spread over the values that a NodePool names for a key of its own."""
    # S-94
    racks = [pool(requirements={"example.com/rack": ["r1", "r2"]})]
    result = run((web(spread("example.com/rack")), 4), pools=racks)
    assert sorted(sorted(c.requirements["example.com/rack"].values) for c in result.claims) == [["r1"], ["r2"]]
    assert sorted(counts(result)) == [2, 2]


def test_capacity_type_is_a_domain_like_any_other():
    """Half on spot, half on demand."""
    # S-94
    both = [machine(name, cpu, capacity_types={"spot": 1.0, "on-demand": 2.0}) for name, cpu in (("two", 2), ("eight", 8))]
    result = run((web(spread(CAPACITY_TYPE)), 4), types=both)
    assert sorted(sorted(c.requirements[CAPACITY_TYPE].values) for c in result.claims) == [["on-demand"], ["spot"]]


def test_match_label_keys_part_a_rule_by_the_pods_own_value():
    """Two revisions of three pods each: each revision is spread by itself."""
    # S-97
    old, new = (
        pod(labels={**WEB, "revision": r}, spread=(spread(HOSTNAME, match_label_keys=("revision",)),)) for r in ("1", "2")
    )
    assert counts(run((old, 3), (new, 3))) == [2, 2, 2]


def test_a_match_label_key_that_the_pod_lacks_changes_nothing():
    """The selector stays what it was."""
    # S-97
    constraint = spread(match_label_keys=("revision",))
    assert with_match_label_keys(constraint, pod(labels=WEB)) == constraint.selector


def test_a_rule_without_a_selector_spreads_nothing():
    """Its own pods are not counted."""
    # S-98
    assert counts(run((web(spread(HOSTNAME, selector=None)), 4))) == [4]


def test_an_empty_selector_spreads_everything():
    """Every pod is counted."""
    # S-98
    assert counts(run((web(spread(HOSTNAME, selector=LabelSelector())), 4))) == [1, 1, 1, 1]


def test_affinity_by_hostname_keeps_pods_together_on_one_node():
    """What does not fit beside the first stays pending."""
    # S-101
    together = pod("3", labels=WEB, affinity=near(HOSTNAME))
    result = run((together, 3))
    assert (counts(result), pending(result)) == ([2], 1)


def test_affinity_to_pods_that_do_not_exist_fails():
    """There is nothing to be near to."""
    # S-101
    lonely = pod(labels={"app": "other"}, affinity=near())
    assert "pod affinity" in said(run(lonely))


def test_affinity_follows_a_pod_placed_in_one_zone():
    """The target asks for a zone and comes first, so the follower goes there."""
    # S-100
    target = pod("2", labels=WEB, node_selector={ZONE: "zone-b"})
    follower = pod("1", labels={"app": "other"}, affinity=near())
    assert by_zone(run((target, 1), (follower, 1))) == {"zone-b": 2}


def test_affinity_to_a_pod_whose_zone_is_open_fails():
    """Where the target may be in any of three zones nothing is counted."""
    # S-100 S-107
    target = pod("2", labels=WEB)
    follower = pod("1", labels={"app": "other"}, affinity=near())
    result = run((target, 1), (follower, 1))
    assert (counts(result), pending(result)) == ([1], 1)


def test_a_spread_does_not_count_pods_whose_zone_is_open():
    """A plain pod of the same label in no certain zone leaves the spread as it is."""
    # S-107
    plain = pod("8", labels=WEB)
    result = run((plain, 1), (web(spread()), 3))
    assert counts(result) == [1, 1, 1, 1]
    assert pending(result) == 0


def test_pods_with_disjoint_zones_start_an_affinity_each():
    """Self-affinity in zone a and in zone b are two beginnings."""
    # S-102
    a, b = (pod(labels=WEB, affinity=near(), node_selector={ZONE: zone}) for zone in ("zone-a", "zone-b"))
    assert by_zone(run((a, 2), (b, 2))) == {"zone-a": 2, "zone-b": 2}


def test_anti_affinity_by_zone_places_one_pod_a_pass():
    """The first pod may end in any zone, so it blocks them all."""
    # S-103
    apart = pod(labels=WEB, anti_affinity=near())
    result = run((apart, 3))
    assert (counts(result), pending(result)) == ([1], 2)


def test_anti_affinity_by_zone_with_distinct_zones_places_all():
    """Each pod asks for its own zone."""
    # S-103
    apart = pod(labels=WEB, anti_affinity=near())
    each = [replace(apart, node_selector=FrozenDict({ZONE: zone})) for zone in ("zone-a", "zone-b", "zone-c")]
    assert by_zone(run(*each)) == {"zone-a": 1, "zone-b": 1, "zone-c": 1}


def test_anti_affinity_repels_plain_pods():
    """A matching pod without any rule keeps away from one that wants to be alone."""
    # S-104
    alone = pod("2", labels={"app": "other"}, anti_affinity=near(HOSTNAME))
    assert counts(run((alone, 1), (pod(labels=WEB), 2))) == [1, 2]


def test_preferred_anti_affinity_repels_nobody():
    """Only required terms are looked at from the other side."""
    # S-104
    shy = pod("2", labels={"app": "other"}, preferred_anti_affinity=near(HOSTNAME))
    assert counts(run((shy, 1), (pod(labels=WEB), 2))) == [3]


def test_two_rules_that_choose_different_zones_admit_nobody():
    """Each rule chooses its own emptiest zone; only one outcome is tried, although zone c would do for both."""
    # S-108
    first = pod("4", labels={"web": "1"}, node_selector={ZONE: "zone-a"})
    second = pod("3", labels={"api": "1"}, node_selector={ZONE: "zone-b"})
    rules = (spread(selector=selecting(web="1")), spread(selector=selecting(api="1")))
    both = pod("1", labels={"web": "1", "api": "1"}, spread=rules)
    result = run(first, second, both)
    assert [unplaced.batch for unplaced in result.unplaced] == [2]


def test_rules_are_one_rule_whatever_the_order_of_their_parts():
    """The order of labels and of values does not part them."""
    # S-109
    first = LabelSelector((("a", "1"), ("b", "2")), term("k", "In", "x", "y"))
    other = LabelSelector((("b", "2"), ("a", "1")), term("k", "In", "y", "x"))
    assert selector_identity(first) == selector_identity(other)
    assert selector_identity(None) != selector_identity(LabelSelector())


def test_a_single_pod_with_rules_needs_no_others():
    """A spread of one is not a spread."""
    # S-85
    assert only(run(web(spread()))).requirements[ZONE].values == {"zone-a"}
