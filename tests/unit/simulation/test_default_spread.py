"""Default spread constraints over time: pods that controllers make belong to these."""

from __future__ import annotations

from dataclasses import replace

from cutlist.core.karpenter.baselines import baseline_of
from cutlist.core.labels import ZONE
from cutlist.scheduling.inputs import SchedulerOptions
from cutlist.simulation.demand.jobs import JobTerms
from cutlist.simulation.events import MINUTE
from cutlist.simulation.outside_events import JobStarted
from cutlist.workloads.default_selectors import PodController, SelectorSources
from tests.unit.disruption.builders import cluster
from tests.unit.scheduling.builders import spread
from tests.unit.simulation.builders import group, inputs, simulation

SELECTOR = {"matchLabels": {"app": "web"}}


def zones_of(kind: str, version: str = "1.15") -> list[str]:
    """Return the zones of the nodes of three small pods of a workload that has a selector."""
    options = SchedulerOptions(karpenter=baseline_of(version), default_spread=(spread(ZONE, 1, selector=None),))
    manifest = {"apiVersion": "apps/v1", "kind": kind, "metadata": {"name": "web"}, "spec": {"selector": SELECTOR}}
    of = replace(cluster(options=options), selectors=SelectorSources.of([manifest]))
    web = group("web", 3, "100m", kind)
    run = simulation(inputs(web, of=of), hours=0.1)
    return sorted(node.zone for node in run.world.cluster.nodes.values())


def test_pods_of_a_simulation_spread_as_their_controller_selects_them():  # V15-19, V15-20
    for kind in ("Deployment", "StatefulSet"):
        assert len(set(zones_of(kind))) == 3
        assert len(zones_of(kind, "1.14")) == 1
    assert len(zones_of("Pod")) == 1


def test_each_pod_names_its_controller():
    groups = [group("web", 1), group("db", 1, kind="StatefulSet"), group("bare", 1, kind="Pod")]
    job = group("report", kind="CronJob")
    run = simulation(inputs(*groups, job), [JobStarted(0, job.workload, JobTerms(1, 1), 20 * MINUTE)], hours=0.2)
    owners = {pod.pod.labels["app"]: (pod.controller, pod.owners) for pod in run.world.cluster.pods.values()}
    assert owners == {
        "web": (PodController("apps/v1", "Deployment", "web"), {"ReplicaSet"}),
        "db": (PodController("apps/v1", "StatefulSet", "db"), {"StatefulSet"}),
        "bare": (None, set()),
        "report": (PodController("", "Job", "report"), {"Job"}),
    }
