"""Node groups take the pods that only they can take, as many as their nodes have room for (F-16, F-17)."""

from __future__ import annotations

import json

import pytest

from cutlist.core.errors import InputError
from cutlist.planning.model import Plan
from cutlist.planning.model.filled_groups import FilledGroup
from cutlist.verbs.explain.answer import explain
from cutlist.verbs.plan.answer import bounded_plan
from cutlist.verbs.plan.csv import plan_csv
from cutlist.verbs.plan.html import plan_html
from cutlist.verbs.plan.markdown import plan_markdown
from cutlist.verbs.plan.text import render_plan
from tests.unit.planning.beside.nodes import node
from tests.unit.planning.manifests import auto_pool, deployment, inputs_of, plan_of, pool
from tests.unit.report.pages import taken

ROLE = "nodeSelector: {role: system}"
BY_NAME = "nodeSelector: {eks.amazonaws.com/nodegroup: system}"
AWAY = """affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms: [{matchExpressions: [{key: karpenter.sh/nodepool, operator: DoesNotExist}]}]
"""
ALONE = """affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            - {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: apart}}}
      nodeSelector: {role: system}
"""


def group(more: str = "", name: str = "system", desired: int = 2) -> str:
    """Figures with one node group of m5.large, which have 1.93 cpu."""
    spec = f"{{instanceTypes: [m5.large], desired: {desired}, labels: {{role: system}}{more}}}"
    return f"\napiVersion: cutlist/v1\nkind: Figures\nnodeGroups: {{{name}: {spec}}}\n"


def only(plan: Plan) -> FilledGroup:
    (filled,) = plan.node_groups
    return filled


@pytest.mark.parametrize("extra", [ROLE, BY_NAME, AWAY])
def test_pods_that_only_a_group_can_take_are_on_its_nodes(extra: str) -> None:
    """By a label of their own, by the name of the group, or since they refuse Karpenter's nodes, as its own controller does."""
    plan = plan_of(pool(), group(), deployment("controller", 2, extra=extra), deployment("web"))
    assert plan.pending == ()
    filled = only(plan)
    assert [(share.workload, share.count) for share in filled.pods] == [("deployment/controller", 2)]
    assert (filled.count, filled.instance_type, filled.source) == (2, "m5.large", "Figures")
    assert [share.workload for new in plan.nodes for share in new.pods] == ["deployment/web"]


def test_pods_that_a_node_pool_can_take_stay_with_karpenter() -> None:
    """The plan is the same with an empty group as without it: what Karpenter makes is its subject."""
    with_group, without = (plan_of(pool(), *more, deployment("web", 3)) for more in ((group(),), ()))
    assert (with_group.nodes, with_group.pending) == (without.nodes, without.pending)
    assert only(with_group).placed == 0


def test_pods_that_wait_for_a_limit_are_karpenters() -> None:
    """A NodePool can take them once its limit is higher."""
    plan = plan_of(pool(spec="limits: {cpu: 0}"), group(), deployment("web"))
    assert [pods.count for pods in plan.pending] == [1]
    assert only(plan).placed == 0


def test_the_taints_of_a_group_keep_pods_away() -> None:
    """As the kube-scheduler has it."""
    tainted = group(', taints: [{key: CriticalAddonsOnly, value: "true", effect: NoSchedule}]')
    tolerant = f"{ROLE}\n      tolerations: [{{key: CriticalAddonsOnly, operator: Exists}}]"
    plan = plan_of(pool(), tainted, deployment("bare", extra=ROLE), deployment("tolerant", extra=tolerant))
    assert [share.workload for share in only(plan).pods] == ["deployment/tolerant"]
    assert [pods.workload for pods in plan.pending] == ["deployment/bare"]
    assert "node group" not in plan.pending[0].reason


def test_pods_beyond_the_nodes_of_a_group_are_pending_with_that_reason() -> None:
    """One pod of 1 cpu fits each node of m5.large."""
    plan = plan_of(pool(), group(), deployment("tools", 5, extra=ROLE))
    assert [(pods.count, pods.reason) for pods in plan.pending] == [
        (3, "node group system, beside Karpenter, has no room for it: 2 nodes of m5.large")
    ]
    assert only(plan).placed == 2


def test_a_group_that_cluster_autoscaler_manages_grows_to_its_maximum() -> None:
    """Only by nodes that pods need."""
    autoscaled = group(", max: 4, autoscaled: true")
    plan = plan_of(pool(), autoscaled, deployment("tools", 3, extra=ROLE))
    assert (plan.pending, only(plan).count, only(plan).maximum) == ((), 3, 4)
    full = plan_of(pool(), autoscaled, deployment("tools", 6, extra=ROLE))
    assert only(full).count == 4
    reason = "node group system, beside Karpenter, has no room for it: at most 4 nodes of m5.large"
    assert [(pods.count, pods.reason) for pods in full.pending] == [(2, reason)]


def test_a_full_group_that_runs_in_part_is_named_with_all_its_nodes() -> None:
    """Its maximum counts the nodes that run, and the plan's own table those besides them."""
    autoscaled = group(", max: 3, autoscaled: true", desired=1)
    running = node("a", "eks.amazonaws.com/nodegroup: system, role: system")
    plan = plan_of(pool(), autoscaled, running, deployment("tools", 5, extra=ROLE))
    reason = "node group system, beside Karpenter, has no room for it: at most 3 nodes of m5.large, of which 1 runs"
    assert [pods.reason for pods in plan.pending] == [reason]
    assert (only(plan).count, only(plan).maximum) == (2, 2)


def test_a_maximum_alone_is_not_capacity() -> None:
    """Nothing adds nodes to a group without Cluster Autoscaler."""
    plan = plan_of(pool(), group(", max: 4"), deployment("tools", 3, extra=ROLE))
    assert (only(plan).count, [pods.count for pods in plan.pending]) == (2, [1])


def test_pods_with_rules_about_others_find_their_nodes_first() -> None:
    """The kube-scheduler spreads the others, so that two that must be apart find room."""
    plan = plan_of(pool(), group(), deployment("a-tool", 2, cpu="900m", extra=ROLE), deployment("apart", 2, extra=ALONE))
    assert {share.workload: share.count for share in only(plan).pods} == {"deployment/a-tool": 2, "deployment/apart": 2}


def test_daemonsets_take_room_on_the_nodes_of_a_group() -> None:
    """Those that tolerate its taints."""
    daemon = deployment("agent", cpu="1").replace("kind: Deployment", "kind: DaemonSet").replace("  replicas: 1\n", "")
    plan = plan_of(pool(), group(), daemon, deployment("tools", 1, extra=ROLE))
    assert [pods.workload for pods in plan.pending] == ["deployment/tools"]


def test_a_group_of_unknown_type_has_no_room() -> None:
    """The reason says what is not known."""
    unknown = group().replace("instanceTypes: [m5.large], ", "")
    plan = plan_of(pool(), unknown, deployment("tools", extra=ROLE))
    reason = "node group system, beside Karpenter, is for it, and the type of its nodes is not known"
    assert [pods.reason for pods in plan.pending] == [reason]


@pytest.mark.parametrize(
    ("types", "why"),
    [
        ("x9.large", "the type x9.large of its nodes is not in the region's catalogue"),
        ("x9.large, x9.xlarge", "none of the types of its nodes is in the region's catalogue: x9.large, x9.xlarge"),
    ],
)
def test_a_type_that_the_region_does_not_sell_is_named(types: str, why: str) -> None:
    """Files of other tools are not refused for it."""
    system = f"{{name: system, instanceTypes: [{types}], labels: {{role: system}}}}"
    config = f"apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\nmetadata: {{name: a}}\nmanagedNodeGroups: [{system}]\n"
    plan = plan_of(pool(), config, deployment("tools", extra=ROLE))
    assert [pods.reason for pods in plan.pending] == [f"node group system, beside Karpenter, is for it, and {why}"]


def test_running_nodes_of_a_group_take_pods_that_karpenter_ignores() -> None:
    """They are existing nodes of the plan; the group has no further ones."""
    running = node("a", "eks.amazonaws.com/nodegroup: system")
    plan = plan_of(pool(), running, deployment("controller", extra=AWAY))
    assert [(n.name, [s.workload for s in n.pods]) for n in plan.existing] == [("a", ["deployment/controller"])]
    assert (plan.pending, plan.node_groups) == ((), ())


def test_running_nodes_are_not_filled_twice() -> None:
    """Pods that Karpenter ignores get what those of the only pass leave free."""
    running = node("a", "eks.amazonaws.com/nodegroup: system")
    plan = plan_of(pool(), running, deployment("web", 2), deployment("controller", extra=AWAY))
    assert [(n.name, [(s.workload, s.count) for s in n.pods]) for n in plan.existing] == [("a", [("deployment/web", 2)])]
    reason = "node group system, beside Karpenter, has no room on its 1 running node"
    assert [(pods.workload, pods.reason) for pods in plan.pending] == [("deployment/controller", reason)]


def test_the_price_of_a_group_is_a_line_of_its_own() -> None:
    """It is in no sum of the plan."""
    plan = plan_of(pool(), group(), deployment("tools", 2, extra=ROLE), deployment("web"))
    filled = only(plan)
    assert filled.price is not None
    assert filled.whole_price == pytest.approx(2 * filled.price.usd_per_hour)
    assert plan.totals.nodes == 1
    assert (plan.totals.pods, plan.pods_on_new_nodes, plan.pods_beside) == (3, 1, 2)
    alone = plan_of(pool(), deployment("web"))
    assert plan.totals.price_per_hour == alone.totals.price_per_hour


def test_the_bound_is_for_the_pods_on_karpenters_nodes() -> None:
    """Pods beside Karpenter need none of them."""
    documents = pool(), group(), deployment("web")
    with_tools = bounded_plan(inputs_of(*documents, deployment("tools", 2, extra=ROLE)), "quick")
    assert with_tools.bound_per_hour == bounded_plan(inputs_of(*documents), "quick").bound_per_hour


def test_an_explanation_names_the_group_that_takes_the_pods() -> None:
    """They are not said to wait."""
    inputs = inputs_of(pool(), group(), deployment("tools", 3, extra=ROLE))
    (explanation,) = explain(inputs, "tools")
    assert explanation.existing == (("node group system", 2),)
    assert [(pods.count, pods.reason[:17]) for pods in explanation.pending] == [(1, "node group system")]


def test_an_explanation_leaves_pods_to_the_other_controller_that_can_take_them() -> None:
    """The group takes what both controllers exclude, so it does not take what Auto Mode places."""
    on_auto = "nodeSelector: {eks.amazonaws.com/compute-type: auto}"
    alike = group().replace("role: system", "eks.amazonaws.com/compute-type: auto")
    auto, own = explain(inputs_of(pool(), auto_pool(), alike, deployment("web", 2, extra=on_auto)), "web")
    assert [sum(node.count for node in auto.nodes), auto.existing, auto.pending] == [2, (), ()]
    assert (own.nodes, own.existing, [pods.count for pods in own.pending]) == ((), (), [2])


def test_every_form_shows_the_groups() -> None:
    """Text, Markdown, page, CSV and JSON, which is read again."""
    plan = plan_of(pool(), group(), deployment("tools", 2, extra=ROLE), deployment("web"))
    line = "2 pods on node group system (2 nodes of m5.large), $140 a month that is not in the price"
    text, page = render_plan(plan, 120), plan_html(plan)
    assert f"beside   {line}\n" in text
    assert "system      eks       2  m5.large       on-demand     2      140\n" in text
    assert "            2 × deployment/tools\n" in text
    markdown = plan_markdown(plan)
    assert "- beside Karpenter: 2 pods on node group system" in markdown
    assert "| `system` | `eks` | 2 | `m5.large` | `on-demand` | 2 | 140 | 2 × deployment/tools |" in markdown
    assert taken(page).faults == []
    assert line in page
    assert 'id="beside-table"' in page
    (row,) = [line for line in plan_csv(plan).splitlines() if line.startswith("node group,")]
    assert row.startswith("node group,system,,2,m5.large,on-demand,")
    data = json.loads(plan.to_json())
    assert data["nodeGroups"][0]["pods"] == [{"workload": "deployment/tools", "count": 2}]
    assert Plan.from_dict(data) == plan


def test_a_group_of_more_nodes_than_a_plan_looks_at_is_refused() -> None:
    """A file may say any number, and each node has its own room."""
    config = "apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\nmetadata: {name: a}\n"
    inputs = inputs_of(pool(), deployment(), f"{config}managedNodeGroups: [{{name: big, desiredCapacity: 300000000}}]\n")
    with pytest.raises(InputError, match="node group big has 300,000,000 nodes to plan with, which are looked at one by one"):
        bounded_plan(inputs)
