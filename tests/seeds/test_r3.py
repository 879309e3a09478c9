"""R3, Karpenter on EKS from nothing: what a Deployment of one-cpu pods gets, with the prices of the seed's own file."""

from __future__ import annotations

import pytest

from cutlist.catalog.prices import usd
from cutlist.core.quantity import amounts
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import PlannedNode
from cutlist.verbs.plan.answer import plan
from tests.seeds.steps import Seed, named, with_prices

R3 = Seed("r3-karpenter-on-eks", "ap-northeast-2", "abc")
RUN1 = "2-run1-scale-5"
RUN2 = "6-run2-scale-5"


def priced(inputs: PlanInputs) -> PlanInputs:
    return with_prices(inputs, R3.folder / "prices-ap-northeast-2.csv")


def only_node(inputs: PlanInputs) -> PlannedNode:
    (node,) = plan(priced(inputs)).nodes
    return node


def cheapest_five(node: PlannedNode) -> list[list[object]]:
    return [[c.instance_type, usd(c.price)] for c in node.candidates[:5]]


def files(step: str, leave_out: str, *more: str) -> list[str]:
    """The files of a step, without those whose name begins so, and with more."""
    return [f for f in R3.step(step)["inputs"] if not f.startswith(leave_out)] + list(more)


def test_no_replicas_no_node():
    """With replicas 0 the plan has neither nodes nor pending pods."""
    # K-134
    expected = R3.step("1-pool-and-class")["expect"]
    planned = plan(priced(R3.inputs_of("1-pool-and-class")))
    assert list(planned.nodes) == expected["nodes"]
    assert list(planned.pending) == expected["pending"]


@pytest.mark.parametrize("step", [RUN1, RUN2])
def test_five_pods_get_one_node(step: str):  # K-115
    """Five pods share one node of the cheapest allowed type: amd64 in run 1, any architecture in run 2."""
    # K-75 K-76 K-79 K-82 K-83 K-131 K-133 K-154
    (expected,) = R3.step(step)["expect"]["nodes"]
    planned = plan(priced(R3.inputs_of(step)))
    (node,) = planned.nodes
    assert (node.instance_type, node.count, node.node_pool) == (
        expected["instanceType"],
        expected["count"],
        expected["nodePool"],
    )
    assert (node.capacity_type, list(node.zones)) == (expected["capacityType"], expected["allowedZones"])
    assert (node.pods_each, planned.pending) == (5, ())
    assert usd(node.price) == R3.step(step)["derived"]["costPerHour"]


@pytest.mark.parametrize(("step", "where"), [(RUN1, "expect"), (RUN2, "derived")])
def test_allocatable_of_the_node(step: str, where: str):
    """cpu, memory, pods, storage and pod-eni are the stated figures."""
    # K-149 K-150
    expected = R3.step(step)[where]["allocatable"]
    assert named(expected, only_node(R3.inputs_of(step)).allocatable) == amounts(expected)


@pytest.mark.parametrize(("step", "member"), [(RUN1, "onePassRequests"), (RUN2, "requests")])
def test_requests_of_one_pass(step: str, member: str):
    """All five pods and four DaemonSets, three of which ask for nothing but a place."""
    # K-148
    expected = R3.step(step)["derived"][member]
    assert only_node(R3.inputs_of(step)).requests == amounts(expected)


def test_candidates_that_the_document_lists():
    """The 60 cheapest, which is where Karpenter 1.2 cut, are by name the list of the seed; its head stands in the document."""
    # K-153
    step = R3.step(RUN1)
    node = only_node(R3.inputs_of(RUN1))
    sixty = sorted(c.instance_type for c in node.candidates[:60])
    assert sixty == step["derived"]["candidateInstanceTypes60"]
    assert sixty[:10] == step["expect"]["candidateInstanceTypesHead"]


@pytest.mark.parametrize("step", [RUN1, RUN2])
def test_all_candidates(step: str):
    """As many as Karpenter 1.14 lists, cheapest first; in run 2 the limit on memory drops one."""
    # K-91 K-153 K-154
    derived = R3.step(step)["derived"]
    node = only_node(R3.inputs_of(step))
    assert len(node.candidates) == derived["candidateTotal1.14"]
    assert cheapest_five(node) == derived["cheapestFive"]


def test_a_batch_of_one_pod(tmp_path):
    """One pod alone gets a c5a.large, which the log removes later."""
    # K-131 K-154
    step = R3.step("2b-run1-first-batch-of-one")
    (expected,) = step["expect"]["nodes"]
    deployment = (R3.folder / "manifests/12-run1-deployment-inflate-0.yaml").read_text()
    (tmp_path / "one.yaml").write_text(deployment.replace("replicas: 0", "replicas: 1"))
    node = only_node(R3.inputs([*step["inputs"], str(tmp_path / "one.yaml")]))
    assert (node.instance_type, node.count) == (expected["instanceType"], expected["count"])
    assert node.requests == amounts(step["derived"]["requests"])
    assert cheapest_five(node) == step["derived"]["cheapestFive"]


@pytest.mark.parametrize(("step", "five"), [("3-run1-scale-30", "live/run1"), ("7-run2-scale-12", "live/run2")])
def test_scaled_up_from_nothing(step: str, five: str):
    """Thirty and twelve pods at once, without the nodes of before, get one larger node each."""
    # K-91 K-131 K-154
    derived = R3.step(step)["derived"]
    expected = derived["fromNothing"]
    node = only_node(R3.inputs(files(step, five)))
    assert (node.instance_type, node.count, node.pods_each) == (expected["instanceType"], 1, expected["pods"])
    assert node.requests["cpu"] == amounts(expected["requests"])["cpu"]
    assert cheapest_five(node) == (expected.get("cheapestFive") or derived["cheapestFive"])


def test_spot_nodes_have_the_same_candidates():
    """Run 3 is run 2 on spot and Bottlerocket: the same types, the same node, no certainty which of them EC2 takes."""
    # K-80 K-158
    run3 = files("11-run3-spot", "manifests/3", *(f"manifests/{f}" for f in RUN3))
    on_demand, spot = only_node(R3.inputs_of(RUN2)), only_node(R3.inputs(run3))
    assert spot.capacity_type == R3.step("11-run3-spot")["expect"]["capacityType"]
    assert {c.instance_type for c in spot.candidates} == {c.instance_type for c in on_demand.candidates}
    assert spot.certainty == "lowest price"
    expected = R3.step(RUN2)["derived"]["allocatable"]
    assert named(expected, spot.allocatable) == named(expected, on_demand.allocatable)


RUN3 = ("30-run3-nodepool-default.yaml", "31-run3-ec2nodeclass-default.yaml", "32-run3-deployment-inflate-5.yaml")
