"""What kube-scheduler keeps for pairs of templates and nodes: objects are shared, and there is a limit that changes nothing."""

from __future__ import annotations

from random import Random

import pytest

from cutlist.core.labels import HOSTNAME, ZONE
from cutlist.simulation import kept_templates
from cutlist.simulation.events import MINUTE
from cutlist.simulation.kept_templates import KeptTemplates
from cutlist.simulation.outside_events import ReplicasSet
from cutlist.simulation.pod_preferences import PodPreferences
from cutlist.simulation.pod_rules import PodCounts
from cutlist.workloads.pods import PodTerm
from tests.unit.disruption.builders import node, runs
from tests.unit.scheduling.builders import pod, selecting, spread
from tests.unit.simulation.builders import group, inputs, simulation

WEB = pod("500m", labels={"app": "web"})
OTHER = pod("500m", labels={"app": "db"})
SOFT = (spread(HOSTNAME, when_unsatisfiable="ScheduleAnyway"), spread(ZONE, when_unsatisfiable="ScheduleAnyway"))


def preferences(nodes: int, *, by_hostname: bool = False) -> PodPreferences:
    """Return the preferences of a pod for nodes in three zones, of which every second one runs such a pod, the others
    another."""
    terms = (PodTerm(HOSTNAME, selecting(app="web"), weight=1),) if by_hostname else ()
    subject = pod("500m", labels={"app": "web"}, preferred_anti_affinity=terms)
    prefers = PodPreferences(subject, SOFT, (subject,), {"default": {}}, PodCounts())
    for number in range(nodes):
        running = runs(f"pod-{number}", of=subject if number % 2 else OTHER)
        prefers.update(node(f"n-{number:03d}", running, zone="abc"[number % 3]), lambda _: True)
    return prefers


def shares(of: PodPreferences, nodes: int) -> int:
    """Return how many different objects say where these nodes are."""
    for number in range(nodes):
        of.place(f"n-{number:03d}")
    return len({id(share) for share in (*of._shares.values(), *of._plain.values())})


def test_as_many_nodes_again_are_no_more_objects():
    """Each zone has nodes with a pod and nodes without one."""
    assert [shares(preferences(nodes), nodes) for nodes in (24, 48, 96)] == [6, 6, 6]


def test_a_weight_by_hostname_is_of_one_node_alone():
    """A term by hostname gives every node with such a pod a value of its own; the others are alike in each zone."""
    assert shares(preferences(24, by_hostname=True), 24) == 12 + 3


def test_of_nodes_without_a_pod_that_counts_nothing_is_kept():
    """So many templates of many nodes are kept: there are no more pairs than pods."""
    of = preferences(24)
    assert len(of) == 12
    of.update(node("n-001", runs("db", of=OTHER), zone="b"), lambda _: True)
    assert len(of) == 11


@pytest.fixture
def three(monkeypatch: pytest.MonkeyPatch) -> KeptTemplates[str, int]:
    """Three templates with ten pairs each, as many as may be kept."""
    monkeypatch.setattr(kept_templates, "MOST_PAIRS", 30)
    known = KeptTemplates[str, int]()
    for number, name in enumerate("abc"):
        known.keep(name, number, 10)
    return known


def test_what_was_asked_for_longest_ago_is_dropped(three):
    """The fourth takes the place of the one that was used least recently."""
    assert three.take("a") == 0
    three.keep("a", 0, 10)
    assert three.take("d") is None
    three.keep("d", 3, 10)
    assert list(three) == [2, 0, 3]


def test_a_template_counts_as_it_was_kept_last(three):
    """One with fewer pairs leaves room for others."""
    three.take("a")
    three.keep("a", 0, 1)
    three.keep("d", 3, 9)
    assert list(three) == [1, 2, 0, 3]


def test_a_template_with_more_pairs_than_the_limit_is_kept_alone(three):
    """What is in use is always kept."""
    three.keep("d", 3, 100)
    assert list(three) == [3]


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


def test_many_templates_on_many_nodes_are_counted_once(monkeypatch: pytest.MonkeyPatch):
    """Twenty Deployments on as many nodes are more pairs than may be kept, but few of them have something to say."""
    groups = [group(f"app-{number}", 2, "1900m", spread=SOFT) for number in range(20)]
    demand = [ReplicasSet(at * MINUTE, groups[at].workload, 1 + at % 3) for at in range(20)]
    looked: list[str] = []
    update = PodPreferences.update
    monkeypatch.setattr(PodPreferences, "update", lambda *of: (looked.append(of[1].name), update(*of)))
    numbers = []
    for most in (1_000_000, 100):
        monkeypatch.setattr(kept_templates, "MOST_PAIRS", most)
        run = simulation(inputs(*groups), demand, hours=1)
        numbers.append(len(looked))
        looked.clear()
    assert len(run.world.cluster.nodes) * len(groups) > 100
    assert numbers[0] == numbers[1] > 0
