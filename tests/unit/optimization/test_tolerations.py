"""Taints that keep the copy of a NodePool for some workloads."""

from __future__ import annotations

from cutlist.core.taints import Taint
from cutlist.optimization.tolerations import KeptFor, tolerable, tolerant_workloads, tolerated, with_tolerations
from tests.unit.planning.manifests import buffer, deployment, inputs_of, pool

BATCH = Taint("dedicated", "NoSchedule", "batch")
TOLERATION = "tolerations: [{key: dedicated, value: batch}]"
DAEMON = """
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      containers: [{name: main, image: a, resources: {requests: {cpu: 50m}}}]
      %s
"""
CRON_JOB = """
apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly}
spec:
  schedule: "0 2 * * *"
  jobTemplate:
    spec:
      template:
        spec: {restartPolicy: Never, containers: [{name: main, image: a, resources: {requests: {cpu: 1}}}]}
"""


def test_a_taint_that_some_workloads_tolerate_may_keep_a_copy_for_them():
    inputs = inputs_of(pool(), deployment("web", 3), deployment("batch", 4, "2", extra=TOLERATION))
    assert list(tolerated(inputs)) == [KeptFor(BATCH, 8)]


def test_no_taint_keeps_a_copy_that_all_tolerate_or_a_daemon_does_not():
    all_of_them = (deployment(name, extra=TOLERATION) for name in ("web", "batch"))
    assert not list(tolerated(inputs_of(pool(), *all_of_them)))
    some = (deployment("web"), deployment("batch", extra=TOLERATION))
    assert not list(tolerated(inputs_of(pool(), *some, DAEMON % "")))
    assert len(list(tolerated(inputs_of(pool(), *some, DAEMON % "tolerations: [{operator: Exists}]")))) == 1


def test_taints_of_nodes_that_are_not_ready_keep_nothing():
    not_ready = "tolerations: [{key: node.kubernetes.io/not-ready, operator: Exists}]"
    assert not list(tolerated(inputs_of(pool(), deployment("web"), deployment("batch", extra=not_ready))))


def test_workloads_are_split_by_memory_for_a_core_and_daemons_go_with_them():
    inputs = inputs_of(pool(), deployment("web", 4, "1", "1Gi"), deployment("cache", 4, "1", "8Gi"), DAEMON % "")
    ways = list(tolerable(inputs, "general-first"))
    assert {way.taint for way in ways} == {Taint("dedicated", "NoSchedule", "general-first")}
    assert {way.workloads for way in ways} == {
        ("daemonset/agent", "deployment/web"),
        ("daemonset/agent", "deployment/cache"),
    }
    tolerant = with_tolerations(inputs.workloads, ways[:1])
    assert all(any(t.tolerates(ways[0].taint) for t in d.pod.tolerations) for d in tolerant.daemons)


def test_workloads_that_a_buffer_copies_and_unwritten_ones_stay():
    own = buffer("{scalableRef: {apiGroup: apps, kind: Deployment, name: web}, percentage: 50}")
    inputs = inputs_of(pool(), deployment("web", 4), deployment("cache", 4, "1", "8Gi"), own)
    assert {name for way in tolerable(inputs, "x") for name in way.workloads} == {"deployment/cache"}


def test_the_template_of_a_workload_gets_the_toleration():
    documents = inputs_of(pool(), deployment("web", extra=TOLERATION), CRON_JOB).documents
    kept = KeptFor(Taint("dedicated", "NoSchedule", "x"), 1, ("cronjob/nightly", "deployment/web"))
    web, nightly = tolerant_workloads(documents, [kept])
    added = {"key": "dedicated", "operator": "Equal", "value": "x", "effect": "NoSchedule"}
    assert web.manifest()["spec"]["template"]["spec"]["tolerations"] == [{"key": "dedicated", "value": "batch"}, added]
    assert nightly.manifest()["spec"]["jobTemplate"]["spec"]["template"]["spec"]["tolerations"] == [added]
