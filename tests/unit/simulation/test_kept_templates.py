"""What kube-scheduler keeps for pairs of templates and nodes: objects are shared, and there is a limit that changes nothing."""

from __future__ import annotations

from random import Random

import pytest

from cutlist.core.labels import HOSTNAME, ZONE
from cutlist.simulation import kept_templates
from cutlist.simulation.events import MINUTE
from cutlist.simulation.kept_templates import kept
from cutlist.simulation.outside_events import ReplicasSet
from cutlist.simulation.pod_preferences import PodPreferences
from cutlist.simulation.pod_rules import PodCounts
from cutlist.workloads.pods import PodTerm
from tests.unit.disruption.builders import node, runs
from tests.unit.scheduling.builders import pod, selecting, spread
from tests.unit.simulation.builders import group, inputs, simulation

WEB = pod("500m", labels={"app": "web"})
SOFT = (spread(HOSTNAME, when_unsatisfiable="ScheduleAnyway"), spread(ZONE, when_unsatisfiable="ScheduleAnyway"))


def shares(nodes: int, *, by_hostname: bool = False) -> int:
    """Return how many objects are kept about nodes in three zones, of which every second one runs a pod."""
    terms = (PodTerm(HOSTNAME, selecting(app="web"), weight=1),) if by_hostname else ()
    subject = pod("500m", labels={"app": "web"}, preferred_anti_affinity=terms)
    prefers, counts = PodPreferences(subject, SOFT, (subject,), {"default": {}}), PodCounts()
    for number in range(nodes):
        pods = [runs(f"web-{number}", of=subject)] if number % 2 else []
        prefers.update(node(f"n-{number:03d}", *pods, zone="abc"[number % 3]), counts, lambda _: True)
    return len({id(share) for share in prefers._shares.values()})


def test_as_many_nodes_again_are_no_more_objects():
    """Each zone has nodes with a pod and nodes without one."""
    assert [shares(nodes) for nodes in (24, 48, 96)] == [6, 6, 6]


def test_a_weight_by_hostname_is_of_one_node_alone():
    """A term by hostname gives every node with such a pod a value of its own; the others are alike in each zone."""
    assert shares(24, by_hostname=True) == 12 + 3


def test_what_was_asked_for_longest_ago_is_dropped(monkeypatch: pytest.MonkeyPatch):
    """Three templates on ten nodes are kept; the fourth takes the place of the one that was used least recently."""
    monkeypatch.setattr(kept_templates, "MOST_PAIRS", 30)
    known = {"a": 1, "b": 2, "c": 3}
    assert kept(known, "a", 10) == 1
    assert kept(known, "d", 10) is None
    assert known == {"c": 3, "a": 1}


def test_a_template_on_more_nodes_than_the_limit_is_kept_alone(monkeypatch: pytest.MonkeyPatch):
    """What is in use is always kept."""
    monkeypatch.setattr(kept_templates, "MOST_PAIRS", 30)
    known = {"a": 1, "b": 2}
    assert (kept(known, "c", 100), known) == (None, {})


def test_a_run_that_keeps_one_template_is_the_same_run(monkeypatch: pytest.MonkeyPatch):
    """What is dropped is computed again, and so are the scores."""
    random = Random("templates")  # noqa: S311 - the same demand on every run, not a secret
    near = (PodTerm(HOSTNAME, selecting(app="api"), weight=5),)
    groups = (group("web", cpu="700m", spread=SOFT), group("api"), group("small", cpu="100m", preferred_anti_affinity=near))
    demand = [ReplicasSet(at * 4 * MINUTE, groups[at % 3].workload, random.randint(0, 9)) for at in range(6)]
    whole = simulation(inputs(*groups), demand, hours=0.5)
    monkeypatch.setattr(kept_templates, "MOST_PAIRS", 1)
    assert simulation(inputs(*groups), demand, hours=0.5).result() == whole.result()
    assert len(whole.result().lives) > 1
