"""R2, an EKS workshop: a Deployment scaled from nothing to five pods of 1Gi gets one node of the cheapest of four types."""

from __future__ import annotations

from dataclasses import replace

from cutlist.catalog.prices import usd
from cutlist.core.quantity import amounts
from cutlist.planning.pass_inputs import pass_inputs
from cutlist.scheduling.launched import launched
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.types.answer import types
from tests.one_pass import run_passes
from tests.seeds.steps import Seed, named, sold_out

R2 = Seed("r2-eks-workshop", "us-west-2", "abc")
FIVE = "2-scale-to-five"


def test_no_replicas_no_node():
    """With replicas 0 the plan has neither nodes nor pending pods."""
    # K-134
    expected = R2.step("1-apply-zero-replicas")["expect"]
    planned = plan(R2.inputs_of("1-apply-zero-replicas"))
    assert list(planned.nodes) == expected["nodes"]
    assert list(planned.pending) == expected["pending"]


def test_five_pods_get_one_node_of_the_cheapest_type_that_holds_them():
    """Five pods of 1Gi get one m5.large on demand, in any of the three zones."""
    # K-85 K-132 K-138 K-154
    (expected,) = R2.step(FIVE)["expect"]["nodes"]
    planned = plan(R2.inputs_of(FIVE))
    (node,) = planned.nodes
    assert (node.instance_type, node.count, node.node_pool) == (
        expected["instanceType"],
        expected["count"],
        expected["nodePool"],
    )
    assert (node.capacity_type, list(node.zones)) == (expected["capacityType"], expected["allowedZones"])
    assert (node.pods_each, planned.pending) == (expected["pods"], ())
    assert node.certainty == "determined"


def test_allocatable_of_the_node():
    """The m5.large offers 1930m, 6903Mi, 17Gi, 29 pods and 9 pod-eni."""
    # K-149 K-150
    expected = R2.step(FIVE)["expect"]["allocatable"]
    (node,) = plan(R2.inputs_of(FIVE)).nodes
    assert named(expected, node.allocatable) == amounts(expected)


def test_requests_include_the_daemon_sets():
    """The claim asks for five pods and three DaemonSets."""
    # K-148
    expected = {k: v for k, v in R2.step(FIVE)["derived"]["requests"].items() if k != "of"}
    (node,) = plan(R2.inputs_of(FIVE)).nodes
    assert node.requests == amounts(expected)


def test_candidates_are_the_types_that_hold_all_five_by_price():
    """c5.large is too small for five pods; the other three stand by price."""
    # K-153 K-154
    derived = R2.step(FIVE)["derived"]
    (node,) = plan(R2.inputs_of(FIVE)).nodes
    assert [c.instance_type for c in node.candidates] == derived["candidateInstanceTypes"]
    assert derived["candidateOrder"] == "by price " + ", ".join(str(usd(c.price)) for c in node.candidates)
    assert usd(node.price) == derived["costPerHour"]


def test_allocatable_of_the_other_types():
    """The three types that were not chosen have the figures of the seed, the refused c5.large included."""
    # K-85 K-150
    (pool,) = types(R2.inputs_of(FIVE))
    rows = {row.name: row.allocatable for row in pool.types}
    for name, expected in R2.step(FIVE)["derived"]["allocatableOthers"].items():
        assert named(expected, rows[name]) == amounts(expected)


def test_the_second_cheapest_takes_over():
    """With m5.large sold out in every zone the node is an r5.large."""
    # K-155
    (expected,) = R2.step("4-when-cheapest-is-out")["expect"]["nodes"]
    inputs = R2.inputs_of("4-when-cheapest-is-out")
    (node,) = plan(replace(inputs, catalog=sold_out(inputs.catalog, "m5.large"))).nodes
    assert (node.instance_type, node.capacity_type, node.count) == (
        expected["instanceType"],
        expected["capacityType"],
        expected["count"],
    )


# K-156
def test_labels_of_the_node_are_predicted():
    """All labels that Karpenter gives the node are known before its launch, with the values that were observed."""
    step = R2.step("3-node-labels")
    inputs = R2.inputs_of(FIVE)
    ready = pass_inputs(inputs)
    (claim,) = run_passes(ready.passes, ready.tables).result.claims
    labels = launched("node", claim, (), ready.batches, ready.passes.registry).labels
    wanted = {key: step["expect"]["labels"][key] for key in step["derived"]["mustPredict"]}
    assert {key: labels.get(key) for key in wanted} == wanted
