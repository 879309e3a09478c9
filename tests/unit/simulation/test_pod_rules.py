"""kube-scheduler's rules about other pods: where they let a pod run, counted in the domains of nodes that exist."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from cutlist.core.labels import HOSTNAME, ZONE
from cutlist.core.taints import NO_SCHEDULE, Taint
from cutlist.simulation.pod_rules import PodCounts, PodRules, is_ruled
from cutlist.state.statenode import StateNode
from cutlist.workloads.pods import LabelSelector, Pod, PodTerm
from tests.unit.disruption.builders import node, runs
from tests.unit.scheduling.builders import pod, selecting, spread

WEB = {"app": "web"}
OTHERS_AWAY = PodTerm(HOSTNAME, selecting(app="db"))


def on(name: str, *pods: Pod, zone: str = "a", **fields: Any) -> StateNode:
    """Return a node in a zone with pods on it."""
    return node(name, *(runs(f"{name}-{n}", of=each) for n, each in enumerate(pods)), zone=zone, **fields)


def web(**fields: Any) -> Pod:
    return pod(**{"labels": WEB, **fields})


def allowed(subject: Pod, nodes: Sequence[StateNode], placed: str = "", **matching: Any) -> str:
    """Return the names of the nodes that a pod may run on, after one was placed on each of `placed`."""
    rules = PodRules(subject, {"default": {}, "team": {"of": "us"}})
    rules.count(nodes, PodCounts(), matching.get("matches_node", lambda _: True))
    for name in placed:
        rules.bound(next(n for n in nodes if n.name == name))
    return "".join(n.name for n in nodes if rules.allow(n))


PLAIN = web()
TWO_ZONES = [on("a", PLAIN), on("b", zone="b"), on("c", zone="b")]


@pytest.mark.parametrize(
    ("subject", "nodes", "placed", "expected"),
    [
        pytest.param(web(spread=(spread(),)), [on("a", PLAIN, PLAIN)], "", "a", id="a zone without nodes is no domain"),
        pytest.param(web(spread=(spread(),)), TWO_ZONES, "", "bc", id="the emptier zone"),
        pytest.param(web(spread=(spread(),)), TWO_ZONES, "b", "abc", id="zones are equal after a placement"),
        pytest.param(web(spread=(spread(),)), TWO_ZONES, "bb", "a", id="and then the other one"),
        pytest.param(web(spread=(spread(min_domains=3),)), TWO_ZONES, "", "bc", id="fewer domains count as empty ones"),
        pytest.param(web(spread=(spread(min_domains=3),)), TWO_ZONES, "b", "", id="so no zone takes a second pod"),
        pytest.param(web(spread=(spread(when_unsatisfiable="ScheduleAnyway"),)), TWO_ZONES, "", "abc", id="soft"),
        pytest.param(web(spread=(spread(), spread(HOSTNAME))), TWO_ZONES, "b", "c", id="all constraints"),
        pytest.param(pod(spread=(spread(),)), TWO_ZONES, "", "abc", id="a pod that it does not count itself"),
        pytest.param(web(namespace="team", spread=(spread(),)), TWO_ZONES, "", "abc", id="pods of another namespace"),
        pytest.param(web(anti_affinity=(PodTerm(ZONE, selecting(**WEB)),)), TWO_ZONES, "", "bc", id="away from a zone"),
        pytest.param(web(anti_affinity=(PodTerm(ZONE, selecting(**WEB)),)), TWO_ZONES, "b", "", id="away from its own kind"),
        pytest.param(web(anti_affinity=(PodTerm(ZONE, None),)), TWO_ZONES, "", "abc", id="a term without a selector"),
        pytest.param(web(affinity=(PodTerm(ZONE, selecting(**WEB)),)), TWO_ZONES, "", "a", id="beside its own kind"),
        pytest.param(web(affinity=(PodTerm(ZONE, selecting(app="db")),)), TWO_ZONES, "", "", id="beside pods that do not run"),
        pytest.param(
            pod(labels={"app": "db"}, affinity=(PodTerm(ZONE, selecting(app="db")),)), TWO_ZONES, "", "abc", id="the first"
        ),
        pytest.param(
            pod(labels={"app": "db"}, affinity=(PodTerm(ZONE, selecting(app="db")),)), TWO_ZONES, "a", "a", id="the second"
        ),
        pytest.param(
            pod(labels={"app": "db"}), [on("a", web(anti_affinity=(OTHERS_AWAY,))), on("b")], "", "b", id="kept away by others"
        ),
        pytest.param(
            web(namespace="team", affinity=(PodTerm(ZONE, selecting(**WEB), namespaces=frozenset(["default"])),)),
            TWO_ZONES, "", "a", id="a named namespace",
        ),
        pytest.param(
            web(affinity=(PodTerm(ZONE, selecting(**WEB), namespace_selector=LabelSelector((("of", "us"),))),)),
            TWO_ZONES, "", "", id="selected namespaces",
        ),
    ],
)  # fmt: skip
def test_rules_filter_nodes(subject: Pod, nodes: Sequence[StateNode], placed: str, expected: str):
    assert allowed(subject, nodes, placed) == expected


def test_a_constraint_counts_on_nodes_that_its_policies_include():
    """Those that node affinity matches; and those whose taints are tolerated where that is asked for."""
    fresh = on("b", zone="b")
    tainted = replace(fresh, state=replace(fresh.state, own_taints=(Taint("team", NO_SCHEDULE),)))
    nodes = [on("a", PLAIN), tainted]
    assert allowed(web(spread=(spread(),)), nodes) == "b"
    assert allowed(web(spread=(spread(node_taints_policy="Honor"),)), nodes) == "ab"
    assert allowed(web(spread=(spread(),)), nodes, matches_node=lambda n: n.name == "a") == "ab"
    ignoring = web(spread=(spread(node_affinity_policy="Ignore"),))
    assert allowed(ignoring, nodes, matches_node=lambda n: n.name == "a") == "b"


def test_pods_that_end_count_for_affinity_alone():
    """A spread no longer counts them, as kube-scheduler does."""
    leaving = replace(on("a", PLAIN), pods=(replace(runs("a", of=PLAIN), terminating=True, node="a"),))
    nodes = [leaving, on("b", zone="b")]
    assert allowed(web(spread=(spread(),)), nodes) == "ab"
    assert allowed(web(affinity=(PodTerm(ZONE, selecting(**WEB)),)), nodes) == "a"


def test_a_node_is_counted_again_when_its_pods_have_changed():
    counts, before = PodCounts(), on("a", PLAIN)
    assert counts.of(before) == [(PLAIN, 1, 1)]
    assert counts.of(replace(before, pods=())) == []


def test_pods_without_rules_that_nobody_keeps_away_are_placed_by_scores_alone():
    assert not is_ruled(PLAIN, [PLAIN])
    assert is_ruled(pod(labels={"app": "db"}), [web(anti_affinity=(OTHERS_AWAY,))])
