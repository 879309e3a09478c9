"""Nodes of static NodePools: there whatever pods there are, in the plan, its price and every view of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cutlist.planning.model import Plan
from cutlist.planning.model.comparison import Comparison
from cutlist.verbs.plan.answer import plan, plan_with_measures
from cutlist.verbs.plan.csv import plan_csv
from cutlist.verbs.plan.html import plan_html
from cutlist.verbs.plan.markdown import plan_markdown
from cutlist.verbs.plan.text import render_plan
from tests.unit.planning.manifests import ON_DEMAND, TYPES, deployment, inputs_of, plan_of, pool
from tests.unit.planning.test_existing import node

XLARGE = f"[{ON_DEMAND}, {TYPES.format('m5.xlarge')}]"
STATIC = pool("kept", XLARGE, spec="replicas: 3")
DYNAMIC = pool(requirements=f"[{ON_DEMAND}, {TYPES.format('m5.large')}]")
PRICE = 0.192 + 20 * 0.08 / 730  # with its disk of 20 GiB


def codes(made: Plan) -> set[str]:
    return {note.code for note in (*made.warnings, *made.assumptions)}


def text_of(made: Plan, code: str) -> str:
    return next(note.text for note in (*made.warnings, *made.assumptions) if note.code == code)


def own(name: str, pool_name: str = "kept", extra: str = "") -> str:
    return (
        node(name, extra=f'providerID: "aws:///{name}"')
        .replace("labels: {", f"labels: {{karpenter.sh/nodepool: {pool_name}, node.kubernetes.io/instance-type: m5.xlarge, ")
        .replace("metadata:", f"metadata:\n  {extra}" if extra else "metadata:")
    )


def test_a_static_pool_has_its_nodes_without_any_pod() -> None:
    """They cost what they cost, and the gate that makes them is assumed to be open."""
    planned = plan_of(STATIC)
    (kept,) = planned.nodes
    assert (kept.node_pool, kept.count, kept.instance_type, kept.pods) == ("kept", 3, "m5.xlarge", ())
    assert planned.totals.price_per_hour == pytest.approx(3 * PRICE)
    assert "StaticCapacity" in text_of(planned, "feature-gates")
    assert not codes(planned) & {"node-pool-left-out", "static-limit", "static-surplus"}


def test_pods_go_to_static_nodes_before_new_ones_are_opened() -> None:
    """For a pass they are nodes like any other; DaemonSets take their room on each."""
    # S-49
    daemon = deployment("agent", cpu="500m").replace("Deployment", "DaemonSet").replace("  replicas: 1\n", "")
    planned = plan_of(STATIC, DYNAMIC, deployment(replicas=10), daemon)
    on_pool = {name: sum(n.count * n.pods_each for n in planned.nodes if n.node_pool == name) for name in ("kept", "general")}
    assert on_pool == {"kept": 9, "general": 1}
    assert {n.requests["cpu"] for n in planned.nodes if n.node_pool == "kept"} == {3_500_000_000}


def test_without_a_dynamic_pool_pods_still_find_the_static_nodes() -> None:
    """The kube-scheduler puts them there; what has no room stays pending."""
    # S-31
    planned = plan_of(STATIC, deployment(replicas=12))
    assert sum(n.count * n.pods_each for n in planned.nodes) == 9
    (pending,) = planned.pending
    reason = "NodePool kept: it is static and keeps 3 nodes (spec.replicas); it launches none for pending pods"
    assert (pending.count, pending.reason) == (3, reason)
    assert pending.remedy == "with replicas: 4, NodePool kept has 4 nodes and room for them"


def test_nodes_that_are_there_are_not_made_again() -> None:
    """Only what is missing of the replicas is in the plan; too many nodes are said."""
    assert [n.count for n in plan_of(STATIC, own("a")).nodes] == [2]
    many = plan_of(STATIC, *(own(name) for name in "abcde"))
    assert many.nodes == ()
    assert "has 5 nodes and 3 replicas: Karpenter removes 2" in text_of(many, "static-surplus")


def test_the_limit_on_nodes_holds_replicas_back_and_says_so() -> None:
    """The smaller of the two counts."""
    planned = plan_of(pool("kept", XLARGE, spec="replicas: 3\n  limits: {nodes: 2}"))
    assert [n.count for n in planned.nodes] == [2]
    assert text_of(planned, "static-limit") == "NodePool kept: 1 of its 3 replicas is missing, because its limit on nodes is 2"


def test_a_static_pool_that_may_launch_nothing_says_so() -> None:
    """As any other pool does."""
    planned = plan_of(
        pool("kept", f"[{TYPES.format('m5.xlarge')}, {{key: kubernetes.io/arch, operator: In, values: [arm64]}}]")
    )
    assert planned.nodes == ()
    assert "no-instance-type" in codes(planned)


def test_a_pool_of_no_replicas_has_no_node() -> None:
    """Nor does it ask for the gate."""
    planned = plan_of(pool("kept", XLARGE, spec="replicas: 0"))
    assert (planned.nodes, "feature-gates" in codes(planned)) == ((), False)


@pytest.mark.parametrize(
    "view",
    [
        lambda made: render_plan(made),
        lambda made: plan_markdown(made),
        lambda made: plan_html(made),
        lambda made: plan_csv(made),
        lambda made: made.to_json(),
    ],
    ids=["text", "markdown", "html", "csv", "json"],
)
def test_every_view_has_a_line_for_them(view: Callable[[Plan], str]) -> None:
    """With their NodePool and type."""
    shown = view(plan_of(STATIC))
    assert "kept" in shown
    assert "m5.xlarge" in shown


def test_more_replicas_are_a_difference_with_a_price() -> None:
    """What a diff compares."""
    after = plan_of(pool("kept", XLARGE, spec="replicas: 5"))
    comparison = Comparison.of(plan_of(STATIC), after)
    (change,) = comparison.nodes
    assert (change.before.count, change.after.count) == (3, 5)
    assert comparison.price_change == pytest.approx(2 * PRICE)


def test_gates_see_the_nodes_and_what_they_cost() -> None:
    """The figures of a plan count them."""
    _, measures = plan_with_measures(inputs_of(STATIC))
    assert (measures.nodes, measures.new_nodes, measures.vcpus) == (3, 3, 12)
    assert measures.price_per_hour == pytest.approx(3 * PRICE)
    assert measures.pools[0].most_per_hour == pytest.approx(3 * PRICE, rel=0.02)


def test_equal_inputs_give_equal_plans() -> None:
    """Whatever the order of the pools."""
    assert plan(inputs_of(STATIC, DYNAMIC, deployment())) == plan(inputs_of(DYNAMIC, STATIC, deployment()))


def test_a_limit_on_nodes_that_a_pass_oversteps_is_said() -> None:
    """Karpenter looks at it before the pass, and counts none of the nodes that the pass opens."""
    # S-69
    planned = plan_of(pool(requirements=XLARGE, spec="limits: {nodes: 2}"), deployment(replicas=9))
    assert sum(n.count for n in planned.nodes) == 3
    assert text_of(planned, "nodes-limit-exceeded").startswith("NodePool general gets 3 nodes with a limit of 2 nodes")
    within = plan_of(pool(requirements=XLARGE, spec="limits: {nodes: 3}"), deployment(replicas=9))
    assert "nodes-limit-exceeded" not in codes(within)
