"""Locations of Azure on the command line."""

from __future__ import annotations

import json

import pytest
import yaml
from click.testing import CliRunner, Result

from cutlist_cli import main
from tests.sample import SHOP
from tests.seeds.aks import running

AKS = SHOP / "aks"
JAPAN = ("--region", "japaneast")
NOON = "2026-01-05T12:00:00Z"


@pytest.fixture(autouse=True)
def _no_region_in_the_environment(monkeypatch):
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "CUTLIST_CATALOG"):
        monkeypatch.delenv(name, raising=False)


def run(command: str, *arguments: object) -> Result:
    return CliRunner().invoke(main, [command, *map(str, arguments)])


def words(text: str) -> str:
    return " ".join(text.split())


def test_types_of_a_location():
    """Sizes with their zones by number, and both prices."""
    result = run("types", "-f", AKS / "pools.yaml", *JAPAN, "--limit", "1", "-o", "json")
    (pool,) = json.loads(result.stdout)["nodePools"]
    (row,) = pool["types"]
    assert (row["instanceType"], row["onDemandPerHour"]) == ("Standard_D2als_v6", 0.105)
    assert row["zones"] == ["0", "japaneast-1", "japaneast-2", "japaneast-3"]
    assert "0 1 2 3" in run("types", "-f", AKS / "pools.yaml", *JAPAN, "--limit", "1").stdout


def test_a_zone_is_named_as_azure_names_it():
    """Else what exists is named."""
    plan = run("plan", "-f", AKS, *JAPAN, "--zone", "japaneast-2", "-o", "json")
    assert {zone for node in json.loads(plan.stdout)["nodes"] for zone in node["zones"]} == {"japaneast-2"}
    wrong = run("plan", "-f", AKS, *JAPAN, "--zone", "japaneasta")
    assert (wrong.exit_code, wrong.stdout) == (2, "")
    assert "zone 'japaneasta' is not in japaneast" in words(wrong.stderr)
    assert "allowed: 0, japaneast-1, japaneast-2, japaneast-3" in words(wrong.stderr)


def test_an_unknown_location_is_reported_among_the_regions():
    result = run("plan", "-f", AKS, "--region", "japaneas")
    assert "did you mean japaneast?" in words(result.stderr)


def test_an_explanation_speaks_of_no_other_cloud():
    """The words of the steps are the same for all."""
    result = run("explain", "deployment/web", "-f", AKS, *JAPAN)
    assert result.exit_code == 0
    assert "the NodePool's requirements allow and the region offers" in words(result.stdout)
    assert "EC2" not in result.stdout


@pytest.fixture
def cluster(tmp_path):
    """One spot node of a NodePool, which Azure is about to take back."""
    labels = {
        "karpenter.sh/nodepool": "general",
        "karpenter.sh/registered": "true",
        "karpenter.sh/initialized": "true",
        "karpenter.sh/capacity-type": "spot",
        "node.kubernetes.io/instance-type": "Standard_D2_v4",
        "topology.kubernetes.io/zone": "japaneast-1",
        "topology.disk.csi.azure.com/zone": "japaneast-1",
    }
    node, claim = running("aks-general-1", "general", labels, {"cpu": "2", "memory": "7Gi", "pods": "110"})
    node["status"]["conditions"] = [
        *node["status"]["conditions"],
        {"type": "PreemptionScheduled", "status": "True", "lastTransitionTime": NOON},
    ]
    file = tmp_path / "cluster.yaml"
    file.write_text(yaml.safe_dump_all([node, claim]))
    return file


def test_nodes_have_the_prices_of_their_location(cluster):
    """Spot costs the same in all zones."""
    result = run("nodes", "-f", cluster, *JAPAN, "-o", "json")
    (node,) = json.loads(result.stdout)["nodes"]
    assert node["instanceType"] == "Standard_D2_v4"
    assert 0 < node["pricePerHour"] < 0.124


@pytest.fixture
def own_karpenter(tmp_path):
    """Return Figures of a cluster on which the user runs Karpenter."""
    file = tmp_path / "own.yaml"
    file.write_text("apiVersion: cutlist/v1\nkind: Figures\naks: {nodeProvisioning: Manual}\n")
    return file


def test_a_machine_that_azure_takes_back_is_repaired_at_once(cluster, own_karpenter):
    """As AKS runs Karpenter; with one of your own where its gate is open. There is no queue that would tell of it."""  # Z-73
    given = ("-f", cluster, "-f", AKS / "pools.yaml", *JAPAN, "--at", NOON)
    managed = run("disrupt", *given)
    closed, opened = run("disrupt", *given, "-f", own_karpenter), run("disrupt", *given, "-f", own_karpenter, "--node-repair")
    assert [result.exit_code for result in (managed, closed, opened)] == [0, 0, 0]
    assert ["is repaired now" in result.stdout for result in (managed, closed, opened)] == [True, False, True]


# V15-43 V15-57
def test_repair_as_a_method_is_not_answered_where_no_release_of_the_provider_has_it(cluster, own_karpenter):
    """Of the Azure provider none is built on core 1.15, whose policies have reasons; 1.14 and the old controller are known."""
    given = ("-f", cluster, "-f", AKS / "pools.yaml", "-f", own_karpenter, *JAPAN, "--at", NOON, "--node-repair")
    refused = run("disrupt", *given, "--karpenter", "1.15")
    said = " ".join(refused.output.split())
    assert refused.exit_code == 2
    assert "repair policies on Azure are not known for Karpenter 1.15: no public release of the Azure provider" in said
    assert "v1.14.2 of 2026-08-09, is on core 1.14 allowed: --karpenter 1.14, --legacy-node-repair" in said
    assert run("disrupt", *given, "--karpenter", "1.15", "--legacy-node-repair").exit_code == 0
    assert run("disrupt", *given).exit_code == 0


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize(("karpenter", "is_noted"), [("1.14", False), ("1.14.3", False), ("1.15", True)])
def test_a_plan_by_rules_that_azure_does_not_have_yet_says_so(karpenter, is_noted):
    result = run("plan", "-f", AKS, *JAPAN, "--karpenter", karpenter, "-o", "json")
    notes = [note["code"] for note in json.loads(result.stdout)["assumptions"]]
    assert ("azure-release" in notes) is is_noted
