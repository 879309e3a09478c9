"""Pods that wait for others: several passes, each on the nodes of the one before."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import Mock

import pytest

from cutlist.planning.notes import unfinished_notes
from cutlist.planning.pass_inputs import pass_inputs
from cutlist.scheduling import node_terms
from cutlist.scheduling.provisioner import SchedulingContext
from cutlist.verbs.plan.html import plan_html
from cutlist.verbs.plan.markdown import plan_markdown
from cutlist.verbs.plan.text import render_plan
from tests.one_pass import run_passes
from tests.unit.planning.manifests import ON_DEMAND, TYPES, deployment, inputs_of, plan_of, pool

LARGE = f"[{ON_DEMAND}, {TYPES.format('m5.2xlarge')}]"


def apart(key: str) -> str:
    """Pods of the app keep away from each other by a topology key."""
    return (
        "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
        f"[{{topologyKey: {key}, labelSelector: {{matchLabels: {{app: web}}}}}}]}}}}"
    )


def with_app(app: str, key: str) -> str:
    """Pods go where pods of another app are."""
    return (
        "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
        f"[{{topologyKey: {key}, labelSelector: {{matchLabels: {{app: {app}}}}}}}]}}}}"
    )


def test_pods_apart_by_zone_take_a_pass_each_while_their_zone_is_open() -> None:
    """A claim that may start in any zone holds them all, until it has become a node in one of them."""
    # S-103, S-105
    planned = plan_of(pool(requirements=LARGE), deployment(replicas=3, extra=apart("topology.kubernetes.io/zone")))
    assert planned.passes == 3
    assert planned.totals.nodes == 3
    assert not planned.pending
    assert "passes" in {n.code for n in planned.assumptions}


def test_later_passes_look_at_new_nodes_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each node is indexed once, and each instance type once, however many passes there are."""
    labels, contexts = Mock(wraps=node_terms.labels_of), Mock(wraps=SchedulingContext)
    monkeypatch.setattr("cutlist.scheduling.existingnode.labels_of", labels)
    monkeypatch.setattr("cutlist.planning.pass_controller.SchedulingContext", contexts)
    limited = pool(requirements=f"[{ON_DEMAND}]", spec="limits: {cpu: 200}")
    planned = plan_of(limited, deployment(replicas=30, extra=apart("kubernetes.io/hostname")))
    assert (planned.passes > 9, planned.totals.nodes) == (True, 30)
    assert labels.call_count == 29  # nobody waits for the last
    assert contexts.call_count == 1


def test_there_are_no_more_passes_than_bring_something() -> None:
    """The fifth pod finds no zone: four passes place four pods, and the last one says why it stays."""
    planned = plan_of(pool(requirements=LARGE), deployment(replicas=5, extra=apart("topology.kubernetes.io/zone")))
    assert (planned.passes, planned.totals.nodes, planned.totals.pending) == (4, 4, 1)
    assert "no domain of topology.kubernetes.io/zone satisfies the pod anti-affinity rule" in planned.pending[0].reason


def test_a_pod_joins_the_node_of_another_once_its_zone_is_known() -> None:
    """Affinity by zone to a pod whose zone is open is met in the next pass, on the very node if there is room."""
    # S-100
    follower = deployment("sidekick", cpu="500m", extra=with_app("web", "topology.kubernetes.io/zone"))
    planned = plan_of(pool(requirements=LARGE), deployment(cpu="2"), follower)
    (node,) = planned.nodes
    assert [(s.workload, s.count) for s in node.pods] == [("deployment/sidekick", 1), ("deployment/web", 1)]
    assert planned.passes == 2
    assert node.requests["cpu"] == 2_500 * 10**6


def test_pods_apart_by_host_need_one_pass() -> None:
    """Every claim is a host of its own at once."""
    planned = plan_of(pool(requirements=LARGE), deployment(replicas=3, extra=apart("kubernetes.io/hostname")))
    assert (planned.passes, planned.totals.nodes) == (1, 3)


def test_a_pod_whose_companion_does_not_exist_is_not_waited_for() -> None:
    """A pass that brings nothing is not counted."""
    # S-101
    planned = plan_of(pool(requirements=LARGE), deployment(extra=with_app("nobody", "topology.kubernetes.io/zone")))
    assert planned.passes == 1
    assert planned.totals.pending == 1


def test_limits_are_asked_again_once_nodes_are_launched() -> None:
    """Within a pass a node counts as the largest type that it may become; the next pass knows that it is a small one."""
    # S-67
    extra = apart("kubernetes.io/hostname")
    planned = plan_of(pool(spec="limits: {cpu: 200}"), deployment(replicas=4, cpu="2", extra=extra))
    assert (planned.totals.nodes, planned.totals.pending) == (4, 0)
    assert planned.passes == 1 + len(planned.further_passes) > 1
    assert {(w.cause, w.pods) for p in planned.further_passes for w in p.waited_for} == {("limits", 1)}
    assert [p.number for p in planned.further_passes] == list(range(2, planned.passes + 1))


def test_a_limit_that_left_only_types_too_small_for_a_pod_is_the_cause_of_the_pass_that_places_it() -> None:
    """As one that left none at all is."""
    # S-67
    types = f"[{ON_DEMAND}, {TYPES.format('m5.large, m5.2xlarge, m5.4xlarge')}]"
    planned = plan_of(
        pool(requirements=types, spec="limits: {cpu: 26}"),
        deployment(replicas=3, cpu="7", extra=apart("kubernetes.io/hostname")),
    )
    assert (planned.totals.nodes, planned.totals.pending) == (3, 0)
    assert {(w.cause, w.pods) for p in planned.further_passes for w in p.waited_for} == {("limits", 1)}


@pytest.mark.slow
def test_ample_limits_leave_no_pod_pending() -> None:
    """Hundreds of pods under limits far above what they need all get a node, however many passes it takes."""
    # S-67
    types = f"[{ON_DEMAND}, {TYPES.format('m5.large, m5.xlarge, m5.24xlarge')}]"
    planned = plan_of(
        pool(requirements=types, spec="limits: {cpu: 5000}"),
        deployment(replicas=608, cpu="1500m", memory="1Gi", extra=apart("kubernetes.io/hostname")),
    )
    assert (planned.totals.nodes, planned.totals.pending, planned.unfinished) == (608, 0, "")


def test_a_limit_that_is_used_up_keeps_pods_pending() -> None:
    """The passes end where no node fits into what is left, and the reason is that of the last pass."""
    # S-67
    types = f"[{ON_DEMAND}, {TYPES.format('m5.large, m5.2xlarge')}]"
    planned = plan_of(
        pool(requirements=types, spec="limits: {cpu: 9}"),
        deployment(replicas=6, cpu="1500m", extra=apart("kubernetes.io/hostname")),
    )
    assert (planned.totals.nodes, planned.totals.pending) == (4, 2)
    assert "(1 cpu left)" in planned.pending[0].reason


def test_a_pod_that_only_an_existing_node_takes_finds_the_one_that_was_launched_for_others() -> None:
    """A pod that minValues keep from opening a node goes to a launched one that it fits."""
    # S-76, S-49
    several = "{key: node.kubernetes.io/instance-type, operator: In, values: [m5.large, m5.xlarge], minValues: 2}"
    picky = deployment("picky", cpu="100m", memory="64Mi", extra="nodeSelector: {node.kubernetes.io/instance-type: m5.large}")
    planned = plan_of(pool(requirements=f"[{ON_DEMAND}, {several}]"), deployment(cpu="500m"), picky)
    assert (planned.totals.nodes, planned.totals.pending) == (1, 0)
    assert [w.cause for p in planned.further_passes for w in p.waited_for] == ["launched nodes"]


def test_nodes_of_later_passes_that_are_alike_are_one_entry() -> None:
    """Which pass a node comes from does not show in the nodes."""
    types = f"[{ON_DEMAND}, {TYPES.format('m5.large, m5.24xlarge')}]"
    planned = plan_of(
        pool(requirements=types, spec="limits: {cpu: 100}"),
        deployment(replicas=4, cpu="1", extra=apart("kubernetes.io/hostname")),
    )
    assert planned.passes == 2
    assert sorted(n.count for n in planned.nodes) == [1, 3]


def test_passes_that_stop_early_are_called_unfinished() -> None:
    """A plan never hides that another pass would have placed more."""
    ready = pass_inputs(inputs_of(pool(requirements=LARGE), deployment(replicas=4, extra=apart("topology.kubernetes.io/zone"))))
    outcome = run_passes(ready.passes, ready.tables, most=2)
    assert outcome.passes == 2
    assert outcome.unfinished == "stopped after 2 rounds; Karpenter would continue"
    assert [n.code for n in unfinished_notes(outcome)] == ["passes-unfinished"]


def test_every_view_says_how_many_passes_there_were_and_why() -> None:
    """Text, Markdown, HTML and JSON have it."""
    planned = plan_of(pool(requirements=LARGE), deployment(replicas=3, extra=apart("topology.kubernetes.io/zone")))
    in_short = "2 pods waited because of topology rules"
    assert f"rounds   3: {in_short}" in render_plan(planned)
    assert f"Launched in 3 rounds: {in_short}." in plan_markdown(planned)
    assert f"<dt>Rounds of placing pods</dt><dd>3<small>{in_short}</small>" in plan_html(planned)
    rows = [{"number": n, "pods": 1, "nodes": 1, "waitedFor": [{"cause": "topology", "pods": 1}]} for n in (2, 3)]
    assert (planned.to_dict()["furtherPasses"], planned.to_dict()["unfinished"]) == (rows, "")


def test_an_unfinished_plan_says_so_in_every_view() -> None:
    """Above all else that it says."""
    planned = plan_of(pool(requirements=LARGE), deployment(replicas=3, extra=apart("topology.kubernetes.io/zone")))
    stopped = replace(planned, unfinished="stopped early")
    assert "not finished, stopped early" in render_plan(stopped)
    assert "**Not finished**: stopped early." in plan_markdown(stopped)
    assert "not finished: stopped early" in plan_html(stopped)


LATE_CLAIM = """
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: shared}
spec: {accessModes: [ReadWriteMany], storageClassName: gp3, resources: {requests: {storage: 1Gi}}}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: gp3}
provisioner: PROVISIONER
volumeBindingMode: WaitForFirstConsumer
"""
SHARED = "volumes: [{name: v, persistentVolumeClaim: {claimName: shared}}]"


@pytest.mark.parametrize(("provisioner", "nodes"), [("ebs.csi.aws.com", 1), ("efs.csi.aws.com", 3)])
def test_a_claim_that_was_bound_in_one_pass_keeps_its_zone_in_the_next(provisioner: str, nodes: int) -> None:
    """Pods that keep apart by zone and share a volume of one zone: once it is bound, the others cannot be elsewhere."""
    # S-115, S-103
    extra = apart("topology.kubernetes.io/zone") + "\n      " + SHARED
    claim = LATE_CLAIM.replace("PROVISIONER", provisioner)
    planned = plan_of(pool(requirements=LARGE), claim, deployment(replicas=3, extra=extra))
    assert (planned.totals.nodes, planned.totals.pending) == (nodes, 3 - nodes)


def test_daemons_run_on_launched_nodes_in_later_passes() -> None:
    """A pod that has to be near others and away from a daemon does not join their node, where the daemon runs by then."""
    # S-104
    agent = deployment("agent", cpu="100m").replace("Deployment", "DaemonSet").replace("  replicas: 1\n", "")
    near = with_app("web", "topology.kubernetes.io/zone")
    away = apart("kubernetes.io/hostname").replace("app: web", "app: agent")
    shy = deployment("shy", cpu="10m", memory="1Mi", extra=f"{near[:-1]}, {away.removeprefix('affinity: {')}")
    planned = plan_of(pool(requirements=LARGE), deployment("web"), agent, shy)
    assert (planned.totals.nodes, planned.totals.pending, planned.passes) == (2, 0, 2)


def test_reasons_count_nodes_where_a_rule_goes_by_host() -> None:
    """Nodes that do not exist yet have no names that anybody knows."""
    planned = plan_of(
        pool(requirements=LARGE, spec="limits: {cpu: 2}"), deployment(replicas=2, extra=apart("kubernetes.io/hostname"))
    )
    assert "planned" not in planned.pending[0].reason
    assert "(general" not in planned.pending[0].reason


def test_nodes_that_run_come_before_those_that_were_launched() -> None:
    """A pod that waits for others to land goes to a node that was there already, whatever the new ones are called."""
    # S-50, S-100
    node = """
apiVersion: v1
kind: Node
metadata:
  name: zz-running
  labels: {kubernetes.io/hostname: zz-running, topology.kubernetes.io/zone: us-west-2a}
spec: {providerID: "aws:///zz"}
status: {capacity: {cpu: "2", memory: 8Gi, pods: "29"}, allocatable: {cpu: "2", memory: 8Gi, pods: "29"}}
"""
    follower = deployment("sidekick", cpu="100m", memory="64Mi", extra=with_app("web", "topology.kubernetes.io/zone"))
    planned = plan_of(pool(requirements=LARGE), deployment(cpu="4"), follower, node)
    assert planned.passes == 2
    assert [(n.name, [s.workload for s in n.pods]) for n in planned.existing] == [("zz-running", ["deployment/sidekick"])]
