"""What a plan says of small inputs."""

from __future__ import annotations

import subprocess
import sys

import pytest

from cutlist.catalog.prices import Price, usd
from cutlist.planning.model import DETERMINED, LOWEST_PRICE, Plan
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.types.answer import types
from tests.unit.planning.manifests import ON_DEMAND, TYPES, deployment, inputs_of, plan_of, pool

ONLY_M5 = f"[{ON_DEMAND}, {TYPES.format('m5.large, m5.xlarge')}]"


def codes(made: Plan) -> set[str]:
    return {note.code for note in (*made.assumptions, *made.warnings)}


def test_pods_share_the_cheapest_node_that_holds_them() -> None:
    """Three pods of one cpu need the four cpus of an m5.xlarge, at its list price."""
    planned = plan_of(pool(requirements=ONLY_M5), deployment(replicas=3))
    (node,) = planned.nodes
    assert (node.node_pool, node.count, node.instance_type) == ("general", 1, "m5.xlarge")
    assert (node.price, node.certainty) == (Price(0.192, "AWS public price list", "2026-02-17"), DETERMINED)
    assert [(s.workload, s.count) for s in node.pods] == [("deployment/web", 3)]
    assert planned.totals.price_per_hour == pytest.approx(0.192 + 20 * 0.08 / 730)


def test_nodes_that_are_alike_are_one_entry_with_a_count() -> None:
    """Twelve pods on four indistinguishable nodes make one row."""
    planned = plan_of(pool(requirements=ONLY_M5), deployment(replicas=12))
    assert [(n.instance_type, n.count) for n in planned.nodes] == [("m5.xlarge", 4)]
    assert planned.totals.pods == 12


@pytest.mark.slow
@pytest.mark.parametrize("replicas", [100_000, pytest.param(1_000_000, marks=pytest.mark.thorough)])
def test_any_number_of_replicas_is_planned_as_one_group(replicas: int) -> None:
    """Replicas cost nothing: the plan of a million pods is as short as that of three."""
    planned = plan_of(pool(requirements=ONLY_M5), deployment(replicas=replicas))
    assert planned.totals.pods == replicas
    assert len(planned.nodes) <= 2


def test_daemonsets_take_room_and_are_in_the_requests_but_not_among_the_pods() -> None:
    """Each node's requests include its DaemonSets; the pods of a row are those that asked for a node."""
    # K-148
    daemon = deployment("agent", cpu="500m", memory="100Mi").replace("Deployment", "DaemonSet").replace("  replicas: 1\n", "")
    planned = plan_of(pool(requirements=ONLY_M5), deployment(replicas=3), daemon)
    (node,) = planned.nodes
    assert node.requests["cpu"] == 3_500 * 10**6
    assert sum(s.count for s in node.pods) == 3
    assert "no-daemonsets" not in codes(planned)


def test_a_spot_price_is_at_least_and_says_where_it_comes_from() -> None:
    """For spot EC2 decides, so the plan names a set, a lowest price and its source."""
    # K-158
    planned = plan_of(pool(), deployment())
    (node,) = planned.nodes
    assert (node.capacity_type, node.certainty) == ("spot", LOWEST_PRICE)
    assert node.alternatives > 100
    assert node.is_estimated
    assert node.price.source.startswith("estimate: on-demand price x what spot is of it")
    assert "spot-capacity" in codes(planned)


def test_zones_are_an_assumption_until_they_are_given() -> None:
    """Without subnets every zone of the region is assumed, and said so; given zones are used and not assumed."""
    assumed, given = plan_of(pool(), deployment()), plan_of(pool(), deployment(), zones=("us-west-2b",))
    assert "zones" in codes(assumed)
    assert "zones" not in codes(given)
    assert given.nodes[0].zones == ("us-west-2b",)


def test_a_pool_that_allows_nothing_is_a_warning() -> None:
    """A NodePool whose requirements exclude every type on offer is named; others are used."""
    # S-42
    nothing = pool("nothing", "[{key: karpenter.k8s.aws/instance-cpu, operator: Gt, values: ['100000']}]")
    planned = plan_of(pool(requirements=ONLY_M5), nothing, deployment())
    assert [w.code for w in planned.warnings] == ["no-instance-type"]
    assert planned.nodes[0].node_pool == "general"


def test_static_pools_open_no_further_nodes_for_pods() -> None:
    """A pool with replicas has these, by its own controller, and no more."""
    # S-31
    planned = plan_of(pool(requirements=ONLY_M5, spec="replicas: 2"), deployment(replicas=40, cpu="60"))
    assert sum(node.count for node in planned.nodes) == 2
    assert planned.pending[0].reason.startswith("NodePool general: it is static and keeps 2 nodes")


def test_a_pool_that_is_being_deleted_is_left_out_and_the_plan_says_so() -> None:
    """Its replicas are not made either."""
    leaving = pool(spec="replicas: 2").replace("metadata: {", "metadata: {deletionTimestamp: '2026-01-05T00:00:00Z', ")
    planned = plan_of(leaving, deployment())
    assert not planned.nodes
    assert "node-pool-left-out" in codes(planned)


def test_kinds_that_place_pods_by_themselves_are_named() -> None:
    """A kind that no table knows is not planned, and the plan does not look as if it were."""
    fleet = """
apiVersion: example.com/v1
kind: Fleet
metadata: {name: shop}
spec: {replicas: 3, template: {spec: {containers: [{name: main, image: img}]}}}
"""
    fleet_plan = plan_of(pool(requirements=ONLY_M5), deployment(), fleet)
    assert [w.code for w in fleet_plan.warnings] == ["not-understood"]
    assert "Fleet shop" in fleet_plan.warnings[0].text


def test_the_order_of_files_does_not_show() -> None:
    """The same objects in another order give the same bytes where no pod's turn depends on it."""
    parts = (pool(requirements=ONLY_M5), pool("batch", f"[{ON_DEMAND}]", spec="weight: 10"), deployment(replicas=7, cpu="2"))
    assert plan_of(*parts).to_json() == plan_of(*reversed(parts)).to_json()


@pytest.mark.slow
def test_equal_inputs_give_equal_bytes_in_every_process() -> None:
    """Hash seeds differ between processes; a plan does not."""
    program = (
        "from tests.unit.planning.manifests import *\n"
        "print(plan_of(pool(), pool('b', spec='weight: 3'), deployment(replicas=40, cpu='3'), deployment('x', 9)).to_json())"
    )
    texts = {
        subprocess.run([sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1


def test_allowed_types_are_cheapest_first_with_both_prices() -> None:
    """`cutlist types`: what a pool may launch, by its lowest price, with what pods may use of each."""
    # K-85
    (allowed,) = types(inputs_of(pool(requirements=f"[{TYPES.format('m5.large, c5.large, m5.xlarge')}]")))
    assert [t.name for t in allowed.types] == ["c5.large", "m5.large", "m5.xlarge"]
    m5 = allowed.types[1]
    assert (usd(m5.on_demand), m5.allocatable["cpu"], m5.allocatable["memory"]) == (0.096, 1930 * 10**6, 6903 * 2**20 * 10**9)
    assert m5.spot is not None
    assert m5.spot.estimated


def test_planning_does_not_touch_its_inputs() -> None:
    """Two plans of one set of inputs are equal: nothing is used up."""
    inputs = inputs_of(pool(spec="limits: {cpu: 8}", requirements=ONLY_M5), deployment(replicas=9))
    assert plan(inputs) == plan(inputs)
