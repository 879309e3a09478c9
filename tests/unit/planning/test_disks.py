"""Disks of nodes in plans: a figure of their own beside the price of the machine, in every sum, and in no ranking."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist import AKSNodeClass
from cutlist.catalog.embedded import load_location
from cutlist.planning.azure.cloud import AzureCloud
from cutlist.planning.figures import Figures
from cutlist.planning.model import Plan
from cutlist.planning.model.comparison import Comparison
from cutlist.planning.model.cost import by_node_pool
from cutlist.verbs.plan.answer import plan, plan_with_measures
from tests.unit.planning import azure_manifests
from tests.unit.planning.manifests import NODE_CLASS, deployment, inputs_of, pool

DISK = 20 * 0.08 / 730
MAPPINGS = """
  blockDeviceMappings:
  - deviceName: /dev/xvda
    ebs: {volumeSize: 200Gi, volumeType: gp3, iops: 4000}
"""
LARGER = (200 * 0.08 + 1000 * 0.005) / 730


def planned(*documents: str) -> Plan:
    return plan(inputs_of(pool(), deployment(replicas=30), *documents))


def test_disks_are_beside_the_price_of_the_machine_and_in_every_sum():
    made = planned()
    (node,) = made.nodes
    assert node.price is not None
    assert node.disk_price.usd_per_hour == pytest.approx(DISK)
    assert node.disk_price.provenance == "AWS price page for EBS, 2024-07-18"
    assert node.price_with_disks == pytest.approx(node.price.usd_per_hour + DISK)
    assert made.totals.price_per_hour == pytest.approx(node.count * (node.price.usd_per_hour + DISK))
    assert made.totals.disk_price_per_hour == pytest.approx(node.count * DISK)
    assert made.totals.nodes_without_disks == 0
    (cost,) = by_node_pool(made)
    assert cost.price == pytest.approx(made.totals.price_per_hour)


def test_larger_disks_change_the_price_and_not_the_machine():
    """Karpenter ranks instance types by the price of the machine alone."""
    small, large = planned(), planned_with(NODE_CLASS + MAPPINGS)
    assert [(n.instance_type, n.price, n.candidates) for n in large.nodes] == [
        (n.instance_type, n.price, n.candidates) for n in small.nodes
    ]
    (node,) = large.nodes
    assert node.disk_price.usd_per_hour == pytest.approx(LARGER)
    difference = Comparison.of(small, large)
    assert difference.price_change == pytest.approx(node.count * (LARGER - DISK))


def planned_with(node_class: str) -> Plan:
    inputs = inputs_of(pool(), deployment(replicas=30), node_class=node_class)
    return plan(inputs)


def test_equal_disks_cancel_out():
    made = planned()
    assert Comparison.of(made, made).price_change == 0


def test_a_plan_that_knows_no_disks_is_compared_without():
    """What runs has no price of disks, nor has a plan of an older version: that alone is not a change."""
    made = planned()
    older = replace(made, nodes=tuple(replace(n, disk_price=None) for n in made.nodes))
    for difference in (Comparison.of(older, made), Comparison.of(made, older)):
        assert difference.is_same
        assert difference.before.totals.price_per_hour == difference.after.totals.price_per_hour


def test_a_plan_in_json_keeps_its_disks():
    made = planned()
    read = Plan.from_dict(made.to_dict())
    assert read.nodes == made.nodes
    (node,) = made.to_dict()["nodes"]
    assert node["diskPricePerHour"] == pytest.approx(DISK)
    assert node["priceEstimated"] is True
    totals = made.to_dict()["totals"]
    assert totals["diskPricePerHour"] > 0
    assert totals["estimatedPart"] == pytest.approx(node["count"] * node["pricePerHour"] / totals["pricePerHour"], abs=1e-4)
    del node["diskPricePerHour"], node["diskPriceSource"]
    older = Plan.from_dict({**made.to_dict(), "nodes": [node]})
    assert older.totals.nodes_without_disks == node["count"]


def test_own_figures_replace_the_price_of_a_disk():
    own = "apiVersion: cutlist/v1\nkind: Figures\nresources: {ebs-gp3: 0.001}\n"
    (node,) = planned(own).nodes
    assert node.disk_price.usd_per_hour == pytest.approx(20 * 0.001)
    assert node.disk_price.provenance == "your own figures"


def test_gates_count_disks_as_the_bill_does():
    inputs = inputs_of(pool(spec="limits: {nodes: 3}"), deployment(replicas=30))
    made, measures = plan_with_measures(inputs)
    assert measures.price_per_hour == made.totals.price_per_hour
    larger = inputs_of(pool(spec="limits: {nodes: 3}"), deployment(replicas=30), node_class=NODE_CLASS + MAPPINGS)
    more = plan_with_measures(larger)[1].pools[0].most_per_hour
    less = measures.pools[0].most_per_hour
    assert more is not None
    assert less is not None
    assert more - less == pytest.approx(3 * (LARGER - DISK), abs=1e-5)


@pytest.mark.parametrize(
    ("size", "gb", "price", "source"),
    [
        ("Standard_D8ds_v5", 128, 0.0, "an ephemeral OS disk costs nothing"),
        ("Standard_D8s_v5", 128, 21.68 / 730, "Azure retail price list"),
    ],
)
def test_an_ephemeral_os_disk_costs_nothing_and_a_managed_one_has_its_price(size: str, gb: int, price: float, source: str):
    """The size's own disks cost nothing."""
    # VL-14
    cloud = AzureCloud(load_location("westeurope"))
    disk = cloud.disk_prices(AKSNodeClass(name="a", os_disk_size_gb=gb))(size)
    assert disk is not None
    assert (disk.usd_per_hour, disk.source, disk.estimated) == (pytest.approx(price), source, False)


def test_a_managed_disk_without_a_price_in_its_location_is_estimated():
    """A location whose prices are not in the catalogue gets the median of those that are, and says so."""
    # VL-13
    disk = AzureCloud(load_location("eastus")).disk_prices(AKSNodeClass(name="a", os_disk_size_gb=128))("Standard_D8s_v5")
    assert disk is not None
    assert (disk.usd_per_hour, disk.estimated) == (pytest.approx(21.68 / 730), True)
    assert disk.provenance == (
        "estimated as the median of 5 European locations, compared with none elsewhere, Azure retail price list, 2026-08-22"
    )
    assert (disk.low, disk.high) == (None, None)
    near = AzureCloud(load_location("uksouth")).disk_prices(AKSNodeClass(name="a", os_disk_size_gb=128))("Standard_D8s_v5")
    assert near is not None
    assert near.provenance == "estimated as the median of 5 European locations, Azure retail price list, 2026-08-22"
    assert (near.low, near.high) == (pytest.approx(0.82 * 21.68 / 730, abs=1e-6), pytest.approx(1.15 * 21.68 / 730, abs=1e-6))


def test_a_plan_says_which_os_disks_are_managed_and_counts_estimates_of_them():
    """What an ephemeral disk may be at most is named, since more of it would cost nothing."""
    # VL-14
    size = "{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_D4ds_v4]}"
    pools = azure_manifests.pool(size, azure_manifests.ON_DEMAND)
    made = azure_manifests.plan_of(pools, deployment(replicas=1), region="eastus")
    (text,) = [note.text for note in made.assumptions if note.code == "managed-os-disk"]
    assert text == (
        "Standard_D4ds_v4: the OS disk of 128 GB is a managed disk, billed as P10: an ephemeral one has 107 GB at most there"
    )
    assert made.totals.estimated_part == pytest.approx(made.totals.disk_price_per_hour / made.totals.price_per_hour)
    assert Plan.from_dict(made.to_dict()) == made


def test_a_managed_os_disk_is_billed_by_the_step_of_its_size():
    """64 GB of premium SSD are a P6, 65 GB a P10; a size without premium disks has standard ones."""
    prices = {"managed-disk-p6": 0.01, "managed-disk-p10": 0.02, "managed-disk-s10": 0.005}
    cloud = AzureCloud(load_location("eastus"), figures=Figures(resources=prices))
    costs = {
        (size, gb): cloud.disk_prices(AKSNodeClass(name="a", os_disk_size_gb=gb))(size)
        for size, gb in (("Standard_D8s_v5", 64), ("Standard_D8s_v5", 65), ("Standard_D8_v5", 128))
    }
    assert [price.usd_per_hour for price in costs.values() if price] == [0.01, 0.02, 0.005]
