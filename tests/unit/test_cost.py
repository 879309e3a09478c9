"""Who causes a plan's price: nothing is counted twice, nothing is lost, and who asks for more pays more."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.catalog.prices import Price
from cutlist.core.quantity import amounts
from cutlist.planning.model import Plan, PodShare, PodSize
from cutlist.planning.model.cost import by_capacity_type, by_namespace, by_node_pool, by_workload
from cutlist.workloads.groups import workload_parts
from tests.unit.planning.manifests import deployment, plan_of, pool
from tests.unit.report.samples import ON_DEMAND, PLAN, SPOT, UNPRICED

_names = st.sampled_from(["deployment/web", "shop/deployment/api", "shop/job/report", "ml/job/train"])
_shares = st.lists(st.builds(PodShare, _names, st.integers(1, 50)), min_size=1, max_size=3).map(tuple)
_nodes = st.builds(
    lambda pool, pods, count, price: replace(SPOT, node_pool=pool, pods=pods, count=count, price=Price(price, "list")),
    st.sampled_from(["general", "batch"]),
    _shares,
    st.integers(1, 100),
    st.floats(0.001, 100),
)
_sizes = st.lists(
    st.builds(PodSize, _names, st.dictionaries(st.sampled_from(["cpu", "memory"]), st.integers(0, 10**12))), max_size=4
)


@given(st.lists(_nodes, min_size=1, max_size=5).map(tuple), _sizes.map(tuple))
def test_the_whole_price_is_shared_out_in_every_view(nodes, sizes):
    """NodePools, namespaces and workloads each add up to the total, whatever pods ask for and where nothing is known of it."""
    plan = Plan("us-west-2", nodes, pod_sizes=sizes)
    for view in (by_node_pool, by_capacity_type, by_namespace, by_workload):
        assert sum(cost.price for cost in view(plan)) == pytest.approx(plan.totals.price_per_hour)
        assert sum(cost.pods for cost in view(plan)) == plan.totals.pods


@given(st.lists(_nodes, max_size=5).map(tuple))
def test_the_most_expensive_comes_first(nodes):
    for view in (by_node_pool, by_capacity_type, by_namespace, by_workload):
        prices = [cost.price for cost in view(Plan("us-west-2", nodes))]
        assert prices == sorted(prices, reverse=True)


def test_half_of_a_price_goes_by_cpu_and_half_by_memory():
    """One pod asks for all of the cpu, the other for all of the memory: they pay the same."""
    node = replace(ON_DEMAND, price=Price(1.0, "list"), pods=(PodShare("a", 1), PodShare("b", 1)))
    sizes = (PodSize("a", amounts({"cpu": "3", "memory": "0"})), PodSize("b", amounts({"cpu": "0", "memory": "6Gi"})))
    assert [(c.name, c.price) for c in by_workload(Plan("r", (node,), pod_sizes=sizes))] == [("a", 0.5), ("b", 0.5)]


def test_pods_of_unknown_size_share_a_price_by_their_number():
    node = replace(ON_DEMAND, price=Price(1.0, "list"), pods=(PodShare("a", 3), PodShare("b", 1)))
    assert [(c.name, c.price) for c in by_workload(Plan("r", (node,)))] == [("a", 0.75), ("b", 0.25)]


def test_a_node_counts_once_for_a_namespace_with_several_workloads_on_it():
    node = replace(SPOT, pods=(PodShare("shop/deployment/web", 1), PodShare("shop/deployment/api", 2)))
    (cost,) = by_namespace(Plan("r", (node,)))
    assert (cost.name, cost.nodes, cost.pods) == ("shop", 2, 6)


def test_nodes_of_unknown_price_are_counted_and_add_nothing():
    costs = {
        cost.name: cost for cost in by_node_pool(replace(PLAN, nodes=(SPOT, replace(UNPRICED, node_pool="general"), UNPRICED)))
    }
    assert (costs["general"].price, costs["general"].unpriced) == (pytest.approx(0.0624), 1)
    assert (costs["training"].price, costs["training"].unpriced) == (None, 1)


@pytest.mark.parametrize(
    ("workload", "parts"),
    [
        ("deployment/web", ("default", "deployment", "web")),
        ("shop/deployment/web", ("shop", "deployment", "web")),
        ("web", ("default", "", "web")),
    ],
)
def test_a_workload_outside_of_default_begins_with_its_namespace(workload, parts):
    assert workload_parts(workload) == parts


def test_a_plan_knows_what_the_pods_on_its_nodes_ask_for():
    """The sizes are those of the manifests, and of placed workloads only."""
    huge = deployment("huge", cpu="4000")
    planned = plan_of(pool(), deployment(cpu="1500m", memory="2Gi"), huge)
    (size,) = planned.pod_sizes
    assert size.workload == "deployment/web"
    assert {name: size.requests[name] for name in ("cpu", "memory")} == amounts({"cpu": "1500m", "memory": "2Gi"})
