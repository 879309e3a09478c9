"""What is kept of a cluster from look to look: it changes no decision, and a look costs what has changed."""

from __future__ import annotations

from random import Random

import pytest

from cutlist import Budget
from cutlist.core.labels import ZONE
from cutlist.disruption import known_candidates
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.evaluation import MethodInputs
from cutlist.disruption.followed_cluster import FollowedCluster
from cutlist.disruption.simulation import Simulator
from cutlist.disruption.trajectory import until_stable
from cutlist.scheduling.queue import PodBatch
from cutlist.workloads.pods import PodTerm
from tests.unit.disruption.builders import LARGE, MEDIUM, SMALL, cluster, node, runs
from tests.unit.disruption.builders import pool as pool_of
from tests.unit.disruption.test_trajectory import PATIENT, outdated
from tests.unit.scheduling.builders import pod, selecting


def _random_cluster(seed: int) -> ClusterState:
    """A dozen nodes, some of them empty, old or on their way out; pods that wait, are protected, or repel each other."""
    random = Random(seed)  # noqa: S311 - the same clusters on every run, not secrets
    lonely = pod("1", "128Mi", labels={"app": "lonely"}, anti_affinity=(PodTerm(ZONE, selecting(app="lonely")),))
    nodes = []
    for number in range(12):
        of = random.choice((SMALL, MEDIUM, LARGE))
        pods = [
            runs(
                f"p-{number}-{n}",
                random.choice(("500m", "700m", "1")),
                do_not_disrupt=random.choice(("", "", "", "30m", "true")),
                deletion_cost=random.choice(("", "", "-134217728")),
            )
            for n in range(random.randint(0, 3 if of is LARGE else 2))
        ]
        if random.random() < 0.2:
            pods = [runs(f"lonely-{number}", of=lonely)]
        name, fields = f"n-{number:02d}", {"zone": f"zone-{random.choice('abc')}", "removed": random.random() < 0.1}
        is_old = bool(pods) and random.random() < 0.15
        nodes.append(outdated(name, *pods, **fields) if is_old else node(name, *pods, of=of, **fields))
    waits = PodBatch("waits", pod(random.choice(("1", "4")), "128Mi"), random.randint(1, 4))
    budget, after = Budget(nodes=random.choice(("1", "30%", "100%"))), random.choice(("0s", "0s", "2m"))
    return cluster(*nodes, pools=[pool_of(after=after, budgets=[budget])], pending=[waits] if random.random() < 0.5 else [])


@pytest.mark.parametrize("seed", range(8))
def test_what_is_kept_from_step_to_step_changes_no_step(monkeypatch: pytest.MonkeyPatch, seed: int):
    """The course is the one that is found by looking at the whole cluster again at each step."""
    kept = until_stable(_random_cluster(seed), most=20)
    monkeypatch.setattr(FollowedCluster, "inputs", lambda _, of: MethodInputs.of(of))
    monkeypatch.setattr(FollowedCluster, "simulator", lambda _, of: Simulator(of))
    again = until_stable(_random_cluster(seed), most=20)
    assert kept.steps == again.steps
    assert kept.end is again.end
    assert [(n.name, n.pods) for n in kept.cluster.nodes] == [(n.name, n.pods) for n in again.cluster.nodes]


def test_nodes_of_other_steps_are_not_judged_again(monkeypatch: pytest.MonkeyPatch):
    """In a cluster whose nodes are replaced one by one, a step judges the nodes that it changes: as many in a larger one."""

    def judgements(number: int) -> int:
        judged: list[str] = []
        check = known_candidates.judged
        monkeypatch.setattr(known_candidates, "judged", lambda of, state: judged.append(of.name) or check(of, state))
        old = [outdated(f"old-{n}") for n in range(4)]
        rest = [node(f"rest-{n:03d}", runs(f"p-{n}", "1500m"), of=SMALL, conditions=()) for n in range(number)]
        assert len(until_stable(cluster(*old, *rest, pools=[PATIENT])).steps) == 4
        monkeypatch.undo()
        return len(judged) - number

    assert 0 < judgements(10) == judgements(40)
