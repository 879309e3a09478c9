"""kube-scheduler's preferences that look at other pods: the scores of nodes, computed by hand."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import pytest

from cutlist.core.labels import HOSTNAME, ZONE
from cutlist.simulation.pod_preferences import PodPreferences
from cutlist.simulation.pod_rules import PodCounts
from cutlist.simulation.soft_constraints import soft_constraints
from cutlist.state.statenode import StateNode
from cutlist.workloads.default_selectors import PodController, SelectorSources
from cutlist.workloads.pods import LabelSelector, Pod, PodTerm
from tests.unit.disruption.builders import node, runs
from tests.unit.scheduling.builders import pod, selecting, spread

WEB = {"app": "web"}
PLAIN = pod(labels=WEB)
DB = pod(labels={"app": "db"})
SOFT = "ScheduleAnyway"
DEPLOYMENT = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web"},
    "spec": {"selector": {"matchLabels": WEB}},
}


def on(name: str, *pods: Pod, zone: str = "a", **fields: object) -> StateNode:
    """Return a node in a zone with pods on it."""
    return node(name, *(runs(f"{name}-{n}", of=each) for n, each in enumerate(pods)), zone=zone, **fields)


def preferences(subject: Pod, nodes: Sequence[StateNode], *, is_owned: bool = False, others: Sequence[Pod] = ()):
    """Return the preferences of a pod, of a Deployment if it is owned, with all nodes counted."""
    sources = SelectorSources.of([DEPLOYMENT])
    controller = PodController("apps/v1", "Deployment", "web") if is_owned else None
    soft = soft_constraints(subject, controller, sources)
    prefers = PodPreferences(subject, soft, (subject, *others), {"default": {}}, PodCounts())
    for each in nodes:
        prefers.update(each, lambda _: True)
    return prefers


def by_name(of: PodPreferences, scores: Mapping, names: str) -> list[int]:
    return [scores[of.place(name)] for name in names]


def spread_scores(of: PodPreferences, names: str) -> list[int]:
    """Return the scores of nodes that are candidates, by name."""
    return by_name(of, of.spread_scores(Counter(of.place(name) for name in names)), names)


def affinity_scores(of: PodPreferences, names: str) -> list[int]:
    return by_name(of, of.affinity_scores(Counter(of.place(name) for name in names)), names)


def test_pods_of_a_controller_spread_by_default_over_nodes_and_zones():
    """Two zones and three nodes: a has two pods in a zone with two, b none there, c one in a zone with one."""
    nodes = [on("a", PLAIN, PLAIN), on("b"), on("c", PLAIN, DB, zone="b")]
    by_host, by_zone = math.log(3 + 2), math.log(2 + 2)
    raw = [round(2 * by_host + 2 + 2 * by_zone + 4), round(2 + 2 * by_zone + 4), round(by_host + 2 + by_zone + 4)]
    assert raw == [12, 9, 9]
    assert spread_scores(preferences(PLAIN, nodes, is_owned=True), "abc") == [100 * (12 + 9 - r) // 12 for r in raw]
    assert not preferences(PLAIN, nodes).is_concerned


def test_constraints_of_its_own_take_the_place_of_the_default_ones():
    """Nodes without a key of a constraint are not scored. Hard constraints only filter."""
    own = pod(labels=WEB, spread=(spread("rack", 1, selector=selecting(**WEB), when_unsatisfiable=SOFT),))
    nodes = [on("a", PLAIN, labels={"rack": "1"}), on("b", labels={"rack": "2"}), on("c")]
    assert spread_scores(preferences(own, nodes, is_owned=True), "abc") == [0, 100, 0]
    hard = pod(labels=WEB, spread=(spread(ZONE, 1, selector=selecting(**WEB)),))
    assert not preferences(hard, nodes, is_owned=True).is_concerned


@pytest.mark.parametrize(
    ("selector", "pods", "expected"),
    [
        (selecting(**WEB), (PLAIN, PLAIN, PLAIN), [0, 100]),
        (selecting(app="db"), (PLAIN,), [100, 100]),
        (LabelSelector(), (PLAIN,), [100, 100]),
        (None, (PLAIN,), [100, 100]),
        (selecting(**WEB), (pod(labels=WEB, namespace="team"),), [100, 100]),
    ],
)
def test_pods_that_the_selector_matches_are_counted(selector, pods, expected):
    """An empty selector counts none; equal counts give equal scores, and no count at all the highest one."""
    subject = pod(labels=WEB, spread=(spread(HOSTNAME, 1, selector=selector, when_unsatisfiable=SOFT),))
    assert spread_scores(preferences(subject, [on("a", *pods), on("b")]), "ab") == expected


def test_only_candidates_make_domains():
    """Pods in the zone of a candidate count wherever they are; a zone without a candidate is no domain."""
    own = pod(labels=WEB, spread=(spread(ZONE, 1, selector=selecting(**WEB), when_unsatisfiable=SOFT),))
    of = preferences(own, [on("a"), on("b", PLAIN, PLAIN), on("c", PLAIN, zone="b"), on("d", *[PLAIN] * 9, zone="c")])
    raw = [round(2 * math.log(4)), round(math.log(4))]
    assert spread_scores(of, "ac") == [100 * (sum(raw) - each) // raw[0] for each in raw]


def test_a_node_that_changes_or_goes_is_counted_as_it_is():
    nodes = [on("a", PLAIN), on("b")]
    of = preferences(PLAIN, nodes, is_owned=True)
    of.update(on("a"), lambda _: True)
    of.update(on("b", PLAIN), lambda _: True)
    assert spread_scores(of, "ab") == spread_scores(preferences(PLAIN, [on("a"), on("b", PLAIN)], is_owned=True), "ab")
    of.forget("b")
    assert spread_scores(of, "a") == [100]


NEAR_DB = PodTerm(ZONE, selecting(app="db"), weight=10)
AWAY = PodTerm(HOSTNAME, selecting(**WEB), weight=100)


@pytest.mark.parametrize(
    ("subject", "other", "expected"),
    [
        pytest.param(pod(labels=WEB, preferred_affinity=(NEAR_DB,)), DB, [100, 0], id="near others"),
        pytest.param(pod(labels=WEB, preferred_anti_affinity=(NEAR_DB,)), DB, [0, 100], id="away from others"),
        pytest.param(PLAIN, pod(preferred_affinity=(AWAY,)), [100, 0], id="others want it near"),
        pytest.param(PLAIN, pod(preferred_anti_affinity=(AWAY,)), [0, 100], id="others want it away"),
        pytest.param(PLAIN, pod(affinity=(PodTerm(HOSTNAME, selecting(**WEB)),)), [100, 0], id="others need it near"),
        pytest.param(PLAIN, pod(preferred_affinity=(NEAR_DB,)), [0, 0], id="others mean another one"),
    ],
)
def test_terms_of_a_pod_and_of_others_weigh(subject, other, expected):
    of = preferences(subject, [on("a", other), on("b", zone="b")], others=(other,))
    assert affinity_scores(of, "ab") == expected


def test_weights_add_up_and_are_normalized_between_the_least_and_the_most():
    """Zone a has two pods of db, with a weight of 10 each; node b another one of web, which is to be avoided."""
    subject = pod(
        labels=WEB, preferred_affinity=(NEAR_DB,), preferred_anti_affinity=(PodTerm(HOSTNAME, selecting(**WEB), weight=15),)
    )
    nodes = [on("a", DB, DB), on("b", PLAIN), on("c", PLAIN, zone="b"), on("d", zone="b")]
    raw = {"a": 20, "b": 5, "c": -15, "d": 0}
    assert affinity_scores(preferences(subject, nodes), "abcd") == [int(100 * (raw[n] + 15) / 35) for n in "abcd"]
