"""New templates within a simulation."""

from __future__ import annotations

from dataclasses import replace

from cutlist.simulation.demand.rollouts import RollingUpdate, Rollout
from cutlist.simulation.events import MINUTE, SECOND, Event, Interrupted
from cutlist.simulation.outside_events import ReplicasSet, TemplateChanged
from cutlist.simulation.simulation import Simulation
from tests.unit.simulation.builders import Watched, group, inputs, settings

BEGINS = 10 * MINUTE


def rolled_out(of, *demand: Event, kind: str = "deployment"):
    """The run, and at each instant from the new template on: pods that do not end, those that are ready, those of it."""
    looks = []

    def look(run: Simulation) -> None:
        if run.world.now >= BEGINS:
            pods = [(key, pod) for key, pod in run.world.cluster.pods.items() if not pod.terminating]
            ready = sum(key in run.world.ready for key, _ in pods)
            looks.append((len(pods), ready, sum(pod.pod == NEW for _, pod in pods)))

    run = Watched(of, [TemplateChanged(BEGINS, f"{kind}/web", "v2", NEW), *demand], settings(1, pod_start=20 * SECOND))
    run.look = look
    run.run(run.world.settings.until)
    return run, looks


WEB = group(count=8, cpu="500m")
NEW = group(cpu="700m").pod


def test_a_deployment_rolls_out_step_by_step():
    """C-25 to C-27: two more, two less."""
    run, looks = rolled_out(inputs(WEB))
    assert looks[-1] == (8, 8, 8)
    assert max(pods for pods, _, _ in looks) == 10
    assert min(ready for _, ready, _ in looks) >= 6
    assert [new for _, _, new in looks] == sorted(new for _, _, new in looks)
    assert run.world.cluster.pending == {}


def test_a_pod_of_the_former_template_comes_back_as_it_was():
    """While no new pod may become ready, an old one that is lost is replaced by an old one: its node is taken back."""
    of = replace(inputs(WEB), rollouts={"deployment/web": Rollout(RollingUpdate(0, 1))})
    first, _ = rolled_out(of)
    node = first.result().lives[0].name
    run, looks = rolled_out(of, Interrupted(BEGINS + SECOND, node))
    assert looks[-1] == (8, 8, 8)
    assert max(pods for pods, _, _ in looks) == 8
    assert run.world.pods_made > 16  # eight of each template, and those that came back


def test_replicas_may_change_during_a_rollout():
    """C-30."""
    _, looks = rolled_out(inputs(WEB), ReplicasSet(BEGINS + SECOND, "deployment/web", 16))
    assert looks[-1] == (16, 16, 16)
    assert max(pods for pods, _, _ in looks) == 20
    assert any(pods > new + 8 for pods, _, new in looks)  # some of the additional pods are old ones


def test_recreated_pods_wait_for_the_old_ones():
    """C-29."""
    _, looks = rolled_out(replace(inputs(WEB), rollouts={"deployment/web": Rollout(None)}))
    assert looks[-1] == (8, 8, 8)
    assert (0, 0, 0) in looks


def test_a_stateful_set_restarts_one_pod_at_a_time():
    """C-31: from the highest number down to the partition."""
    web = group(count=3, cpu="500m", kind="StatefulSet")
    of = replace(inputs(web), rollouts={"statefulset/web": Rollout(None, partition=1)})
    run, looks = rolled_out(of, kind="statefulset")
    assert looks[-1] == (3, 3, 2)
    assert min(ready for _, ready, _ in looks) == 2
    new = sorted(key for key, pod in run.world.cluster.pods.items() if pod.pod == NEW)
    assert new == ["default/web-1", "default/web-2"]
