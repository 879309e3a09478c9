"""Which OS disk a size of Azure gets, and what it costs: in plans, tables of types and explanations, in each of their forms."""

from __future__ import annotations

import csv
import io
import json

import pytest
from click.testing import CliRunner

from cutlist import AKSNodeClass
from cutlist.catalog.embedded import load_location
from cutlist.planning.azure.cloud import AzureCloud
from cutlist.planning.model.os_disk import OsDisk
from cutlist_cli import main
from tests.unit.planning import azure_manifests
from tests.unit.planning.manifests import deployment

SIZES = "{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_D4as_v5, Standard_D4ads_v5]}"
LARGE_B = (
    "{key: karpenter.azure.com/sku-family, operator: In, values: [B]}",
    "{key: karpenter.azure.com/sku-cpu, operator: In, values: ['20']}",
)
P10 = 21.68 / 730


def written(*arguments: str, sizes: tuple[str, ...] = (SIZES,), region: str = "westeurope") -> str:
    """What a command writes about a NodePool of these sizes, and pods that fill one size of four vCPUs each."""
    texts = (azure_manifests.CLASS, azure_manifests.pool(*sizes, azure_manifests.ON_DEMAND), deployment(replicas=2, cpu="3"))
    result = CliRunner().invoke(main, [*arguments, "-f", "-", "--region", region], input="\n---\n".join(texts))
    assert result.exit_code == 0, result.output
    return result.stdout


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize(
    ("size", "gb", "disk", "price"),
    [
        ("Standard_D4ads_v5", 128, OsDisk(128, "ResourceDisk", ""), 0.0),  # x86 v5 has no cache
        ("Standard_D2ads_v5", 128, OsDisk(128, "", "P10"), P10),  # a temporary disk of 80 GB
        ("Standard_D4ds_v4", 100, OsDisk(100, "CacheDisk", ""), 0.0),
        ("Standard_D4ds_v4", 128, OsDisk(128, "", "P10"), P10),  # the cache of 107 GB counts, not the larger temporary disk
        ("Standard_B20ms", 128, OsDisk(128, "", "P10"), P10),
        ("Standard_D4ds_v6", 128, OsDisk(128, "NvmeDisk", ""), 0.0),
        ("Standard_D4as_v5", 64, OsDisk(64, "", "P6"), None),
    ],
)
def test_an_os_disk_is_on_the_first_disk_of_the_size_or_a_managed_one(size, gb, disk, price):
    # Z-42, VL-14
    cloud, node_class = AzureCloud(load_location("westeurope")), AKSNodeClass(name="a", os_disk_size_gb=gb)
    assert cloud.os_disks(node_class)(size) == disk
    found = cloud.disk_prices(node_class)(size)
    assert found is not None
    assert price is None or found.usd_per_hour == pytest.approx(price)


def test_types_have_the_os_disk_beside_the_price():
    of_types = {row["instance_type"]: row for row in rows(written("types", "-o", "csv"))}
    managed, ephemeral = of_types["Standard_D4as_v5"], of_types["Standard_D4ads_v5"]
    assert (managed["os_disk"], ephemeral["os_disk"]) == ("P10", "temp disk")
    assert (float(managed["os_disk_per_hour"]), float(ephemeral["os_disk_per_hour"])) == (pytest.approx(P10), 0.0)
    (pool,) = json.loads(written("types", "-o", "json"))["nodePools"]
    assert [row["osDisk"]["placement"] for row in pool["types"]] == [None, "ResourceDisk"]
    assert pool["types"][0]["osDiskSource"] == "Azure retail price list, 2026-08-22"
    for form in ("text", "markdown", "html"):
        shown = written("types", "-o", form)
        assert "P10" in shown
        assert "temp disk" in shown
        assert "Disks: Azure retail price list" in shown


def test_a_location_without_prices_of_disks_says_that_they_are_estimated():
    # VL-13
    (b20ms,) = rows(written("types", "-o", "csv", sizes=LARGE_B, region="japaneast"))
    assert (b20ms["os_disk"], b20ms["os_disk_estimated"]) == ("P10", "true")
    assert "estimated as the median of 5 European locations" in " ".join(
        written("types", sizes=LARGE_B, region="japaneast").split()
    )


def test_a_plan_says_where_the_os_disk_of_its_nodes_is():
    (node,) = [row for row in rows(written("plan", "-o", "csv")) if row["kind"] == "node"]
    assert (node["os_disk"], float(node["disk_price_per_hour"])) == ("P10", pytest.approx(P10))
    (node,) = json.loads(written("plan", "-o", "json"))["nodes"]
    assert node["osDisk"] == {"sizeGB": 128, "placement": None, "billedAs": "P10"}
    free = {c["instanceType"]: (c["osDisk"]["placement"], c["diskPricePerHour"]) for c in node["candidates"]}
    assert free == {"Standard_D4as_v5": (None, pytest.approx(P10)), "Standard_D4ads_v5": ("ResourceDisk", 0.0)}
    for form in ("text", "markdown", "html"):
        assert "OS disk: a managed disk, billed as P10" in written("plan", "-o", form)
    alone = SIZES.replace("Standard_D4as_v5, ", "")
    assert "the OS disk of 128 GB is ephemeral, on the temporary disk, and costs nothing" in " ".join(
        written("plan", sizes=(alone,)).split()
    )


def test_an_explanation_counts_the_os_disk_of_each_size():
    text = " ".join(written("explain", "deployment/web").split())
    assert "Standard_D4as_v5 on-demand $0.208 (+$0.0297 for its OS disk, P10)" in text
    assert "Standard_D4ads_v5 on-demand $0.250 (OS disk ephemeral, temp disk)" in text
    (node,) = [row for row in rows(written("explain", "deployment/web", "-o", "csv")) if row["kind"] == "node"]
    assert (node["os_disk"], float(node["disk_price_per_hour"])) == ("P10", pytest.approx(P10))
    assert "Disks: Azure retail price list" in written("explain", "deployment/web", "-o", "html")


def test_types_of_aws_have_no_such_columns():
    """A class has the same volumes for all of its types."""
    result = CliRunner().invoke(
        main, ["types", "--region", "us-west-2", "--built-in-pool", "general-purpose", "-f", "-"], input=""
    )
    assert "OS disk" not in result.output
