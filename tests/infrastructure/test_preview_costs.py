"""`cutlist preview` on what a program costs: its resources by component, with the nodes of its plan."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from pulumi_cutlist.stack.preview import preview as previewed

from cutlist.catalog.embedded import all_machines, load
from cutlist.catalog.folder import CatalogFolder
from cutlist.catalog.format import Source, write_table
from cutlist.catalog.machines import write_machines
from cutlist.catalog.paid import PaidPrices, PaidRow, paid_table
from cutlist.catalog.services import service_prices
from cutlist_cli import main
from cutlist_cli import preview as preview_command
from cutlist_live.store import ServiceRow, write_catalogue_file, write_services
from tests.written_project import write_project

PROJECT = Path(__file__).resolve().parents[2]
STACKS, PAGE = PROJECT / "stacks", (PROJECT / "docs" / "stacks.md").read_text()
NETWORK = """
from pulumi_cutlist.aws import Network
network = Network("network", {
    "cluster_name": "shop", "region": REGION, "own": {"nat": "per-zone", "endpoints": ["ecr.api", "ecr.dkr"]},
})
"""
CLUSTER = """
from pulumi_cutlist.aws import Cluster
cluster = Cluster("cluster", {
    "control_plane": {
        "cluster_name": "shop", "region": REGION, "account_id": "111122223333", "version": "1.34",
        "subnet_ids": network.control_plane_subnet_ids, "zones": [f"{REGION}a", f"{REGION}b"],
        "admins": {"deployer": "arn:aws:iam::111122223333:role/Deployer"}, "encrypt_secrets": True,
    },
    "system_nodes": {"instance_types": ["m7g.large", "m6g.large"]},
})
"""
PLAN = f"""
from pulumi_cutlist.plan import NodePlan
NodePlan("nodes", {{"region": REGION, "sources": [{str(STACKS / "dev")!r}, {str(STACKS / "dev/workloads")!r}]}})
"""


@pytest.fixture(scope="module", autouse=True)
def each_program_once() -> Iterator[None]:
    """Run a program once, in whatever forms its preview is shown."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(preview_command, "_preview", functools.cache(preview_command._preview))
        yield


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Return what writes a program into a folder: the same one into the same folder."""

    @functools.cache
    def written(program: str, settings: str) -> Path:
        return write_project(tmp_path_factory.mktemp("project"), program, settings, stack="prod")

    def make(*parts: str, region: str = "us-west-2", settings: dict[str, str] | None = None) -> Path:
        program = "\n".join(["import pulumi, pulumi_aws as aws", f"REGION = {region!r}", *parts])
        return written(program, json.dumps(settings or {}))

    return make


def shown(folder: Path, *options: str) -> str:
    result = CliRunner().invoke(main, ["preview", "--stack", "prod", "--project-dir", str(folder), *options])
    assert result.exit_code == 0, result.output
    return result.output


def reported(folder: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(shown(folder, "-o", "json"))
    return data


def by_component(costs: dict[str, Any]) -> dict[str, dict[str, tuple[int, float | None]]]:
    return {
        component["name"]: {charge["what"]: (charge["count"], charge["pricePerHour"]) for charge in component["charges"]}
        for component in costs["components"]
    }


def test_resources_cost_what_their_list_prices_say_under_the_component_that_made_them(project):
    costs = reported(project(NETWORK, CLUSTER))["costs"]
    assert by_component(costs) == {
        "cluster": {
            "control plane": (1, 0.1),
            "node group of m7g.large": (2, 0.1632),
            "disks of a node of m7g.large": (2, pytest.approx(2 * 24 * 0.08 / 730)),
            "KMS key": (1, pytest.approx(1 / 730)),
            "log group": (1, None),
        },
        "network": {
            "NAT gateway": (3, 0.135),
            "interface endpoint in a zone": (6, 0.06),
            "public IPv4 address": (3, 0.015),
        },
    }
    assert costs["resourcesPerHour"] == pytest.approx(0.1 + 0.1632 + 2 * 24 * 0.08 / 730 + 1 / 730 + 0.135 + 0.06 + 0.015)
    assert costs["nodesPerHour"] is None
    assert costs["complete"] is False


def test_each_figure_names_its_source_and_what_is_without_one_says_why(project):
    charges = [c for part in reported(project(NETWORK, CLUSTER))["costs"]["components"] for c in part["charges"]]
    for charge in charges:
        assert charge["state"] == "known" or charge["note"]
        assert bool(charge["source"]) is (charge["pricePerHour"] is not None)
        assert re.search(r"20\d\d-\d\d", charge["source"]) or charge["state"] != "known"


def test_the_total_is_resources_and_planned_nodes(project):
    data = reported(project(NETWORK, CLUSTER, PLAN))
    costs, [plan] = data["costs"], data["plans"]
    assert costs["nodesPerHour"] == plan["totals"]["pricePerHour"]
    assert costs["totalPerHour"] == pytest.approx(costs["resourcesPerHour"] + costs["nodesPerHour"])
    assert costs["totalPerMonth"] == pytest.approx(costs["totalPerHour"] * 730, abs=0.01)


def test_answer_plan_bill_and_tree_follow_each_other_in_eighty_plain_columns(project):
    text = shown(project(NETWORK, CLUSTER, PLAN), "--width", "80")
    assert text.index("stack shop-prod") < text.index("in us-west-2") < text.index("What it costs") < text.index("Resources: ")
    assert "  NAT gateway                         3    98.55\n" in text
    assert "total, at least" in text
    assert all(len(line) <= 80 for line in text.splitlines())
    assert "\x1b" not in text


def test_system_nodes_cost_what_the_account_paid(project, tmp_path):
    """Like the nodes of a plan, which names the table."""
    row = PaidRow("m7g.large", "us-west-2", "us-west-2a", "linux", "contracted", 9, 0.05, 0.0816)
    paid = tmp_path / "paid.tsv"
    paid.write_text(paid_table(PaidPrices((row,), "USD", "2026-10-01", "2026-10-31"), Source("2026-10-31", "a bill")))
    plan = PLAN.replace('NodePlan("nodes", {', f'NodePlan("nodes", {{"paid": {str(paid)!r}, ')
    assert plan != PLAN
    charges = by_component(reported(project(NETWORK, CLUSTER, plan))["costs"]).values()
    ((count, price),) = [group for of in charges if (group := of.get("node group of m7g.large"))]
    assert price == pytest.approx(0.05 * count)


def test_in_a_region_without_a_figure_a_resource_is_called_not_known(project):
    folder = project(NETWORK, region="eu-north-1")
    network = by_component(reported(folder)["costs"])["network"]
    assert network == {
        "NAT gateway": (3, None),
        "interface endpoint in a zone": (6, None),
        "public IPv4 address": (3, 0.015),
    }
    assert "not known" in shown(folder)
    assert "see aws.amazon.com/vpc/pricing" in shown(folder)


def test_nodes_are_billed_at_list_prices_and_the_overlays_price_is_beside_it(project, tmp_path):
    overlay = tmp_path / "overlay.yaml"
    overlay.write_text(
        "apiVersion: karpenter.sh/v1alpha1\nkind: NodeOverlay\nmetadata: {name: cheap}\n"
        "spec: {requirements: [], priceAdjustment: '-50%'}\n"
    )
    plain = reported(project(PLAN))["costs"]
    folder = project(PLAN.replace("]})", f", {str(overlay)!r}]}})"))
    costs = reported(folder)["costs"]
    assert costs["nodesPerHour"] == plain["nodesPerHour"]
    assert costs["totalPerHour"] == plain["totalPerHour"]
    assert costs["overlayNodesPerHour"] < costs["nodesPerHour"]
    assert "overlayNodesPerHour" not in plain
    assert "as NodeOverlays make Karpenter see it" in " ".join(shown(folder).split())


def test_figures_of_one_s_own_go_before_list_prices(project, tmp_path):
    (tmp_path / "own.yaml").write_text(
        "apiVersion: cutlist/v1\nkind: Figures\nresources: {nat-gateway: 0.04, interface-endpoint: 0.01}\n"
    )
    program = PLAN.replace('"sources": [', f'"sources": [{str(tmp_path / "own.yaml")!r}, ')
    folder = project(NETWORK, program.replace('"region": REGION', '"region": "us-west-2"'), region="eu-north-1")
    network = by_component(reported(folder)["costs"])["network"]
    assert network["NAT gateway"] == (3, pytest.approx(0.12))
    assert network["interface endpoint in a zone"] == (6, pytest.approx(0.06))
    assert "your own figures" in shown(folder)


def test_a_program_that_makes_nothing_billed_shows_no_bill(project):
    assert "What it costs" not in shown(project(PLAN))
    assert reported(project(PLAN))["costs"]["components"] == []


GATEWAY = 'aws.ec2.NatGateway("gate", subnet_id="subnet-a"'


@pytest.mark.parametrize(
    ("program", "settings"),
    [
        (f'{GATEWAY}, region="eu-west-1")', {"aws:region": "us-east-1"}),
        (
            f'{GATEWAY}, opts=pulumi.ResourceOptions(provider=aws.Provider("there", region="eu-west-1")))',
            {"aws:region": "us-east-1"},
        ),
        (
            'thing = pulumi.ComponentResource("my:index:Thing", "thing", {"region": "eu-west-1"})\n'
            f"{GATEWAY}, opts=pulumi.ResourceOptions(parent=thing))",
            {"aws:region": "us-east-1"},
        ),
        (f"{GATEWAY})", {"aws:region": "eu-west-1"}),
    ],
    ids=["its own", "its provider's", "its component's", "the settings'"],
)
def test_the_nearest_that_names_a_region_decides(program, settings, project):
    bill = previewed(project(program, settings=settings), "prod").bill
    assert bill.resources_per_hour == 0.048


def test_a_tag_is_no_region(project):
    program = f'{GATEWAY}, tags={{"region": "emea"}})'
    assert previewed(project(program, settings={"aws:region": "eu-west-1"}), "prod").bill.resources_per_hour == 0.048


def test_what_another_package_makes_out_of_sight_is_not_left_out_in_silence(project):
    bill = previewed(project('pulumi.ComponentResource("awsx:ec2:Vpc", "c", {}, remote=True)'), "prod").bill
    assert [(c.name, [(x.what, x.usd_per_hour) for x in c.charges]) for c in bill.components] == [
        ("c", [("what it is made of", None)])
    ]
    assert not bill.is_complete


def test_a_cluster_of_pulumi_eks_is_priced_by_its_inputs(project):
    """Its control plane and the nodes that it makes without being asked; in the region of a cluster beside it, too."""
    made = 'pulumi.ComponentResource("eks:index:Cluster", "c", {"version": "1.36", "skipDefaultNodeGroup": %s}, remote=True)'
    [component] = previewed(project(made % "False", settings={"aws:region": "eu-west-1"}), "prod").bill.components
    assert [(x.what, x.count, x.usd_per_hour) for x in component.charges[:2]] == [
        ("control plane", 1, 0.1),
        ("node group of t3.medium", 2, pytest.approx(0.0912)),
    ]
    [component] = previewed(project(made % "True"), "prod").bill.components
    assert [(x.what, x.usd_per_hour) for x in component.charges] == [("control plane", 0.1)]
    assert "no region is named" in component.charges[0].note
    beside = 'pulumi.ComponentResource("my:index:Thing", "thing", {"region": "eu-west-1"})\n'
    bill = previewed(project(beside + made % "True"), "prod").bill
    assert "no region is named" not in bill.components[0].charges[0].note


def test_a_resource_under_another_belongs_to_the_component_above_both(project):
    program = (
        f"{NETWORK}\n"
        "table = aws.ec2.RouteTable('table', vpc_id='vpc-a', opts=pulumi.ResourceOptions(parent=network))\n"
        "aws.ec2.Eip('more', opts=pulumi.ResourceOptions(parent=table))\n"
        "aws.ec2.Eip('own')\n"
    )
    bill = previewed(project(program), "prod").bill
    addresses = {c.name: charge.count for c in bill.components for charge in c.charges if "IPv4" in charge.what}
    assert addresses == {"network": 4, "shop-prod": 1}


def test_outputs_that_an_update_tells_are_equal_in_every_preview(project):
    """No address of an object in memory, as there would be in what such a value prints of itself."""
    program = 'pulumi.export("key", {"arn": aws.kms.Key("key").arn, "name": "shop"})'
    assert reported(project(program))["exports"] == {"key": {"arn": "[unknown]", "name": "shop"}}


AKS = """
from pulumi_azure_native import containerservice, network
group = pulumi.ComponentResource("my:index:Aks", "aks", {"location": "eastus2"})
opts = pulumi.ResourceOptions(parent=group)
containerservice.ManagedCluster("c", resource_group_name="g", sku={"name": "Base", "tier": "Standard"}, opts=opts)
network.NatGateway("n", resource_group_name="g", sku={"name": "Standard"}, opts=opts)
network.PublicIPAddress("p", resource_group_name="g", sku={"name": "Standard"}, opts=opts)
network.VirtualNetwork("v", resource_group_name="g", opts=opts)
"""


def test_resources_of_azure_are_priced_by_their_type_too(project):
    assert by_component(reported(project(AKS))["costs"]) == {
        "aks": {"AKS control plane, Standard": (1, 0.1), "NAT gateway": (1, 0.045), "public IPv4 address": (1, 0.005)}
    }


def test_the_bill_on_the_page_is_what_comes_out(project):
    """Of its network and cluster without what the page leaves out."""
    network = NETWORK.replace(', "endpoints": ["ecr.api", "ecr.dkr"]', "")
    cluster = CLUSTER.replace(', "encrypt_secrets": True', "")
    assert (network, cluster) != (NETWORK, CLUSTER)
    [on_page] = re.findall(r"```text\n(What it costs\n.*?)```", PAGE, re.DOTALL)
    assert on_page in shown(project(network, cluster, PLAN), "--width", "80")


@pytest.mark.parametrize("vendor", ["aws", "azure"])
def test_the_page_names_each_price_that_can_be_given(vendor):
    """The steps of managed disks by one of them, disks that are billed by use without what they are billed for, and the fees of
    Auto Mode by the pattern of their names."""
    named = {re.sub(r"^(managed-disk-)[pes]\d+(-zrs)?(-mount)?$", r"\1p10\3", item) for item in service_prices(vendor).items}
    named = {item.removesuffix("-zrs") for item in named}
    named = {re.sub(r"^(managed-disk-.*)-(iops|throughput)$", r"\1", item) for item in named}
    named = {re.sub(r"^eks-auto-.*", "eks-auto-TYPE", item) for item in named}
    assert [item for item in sorted(named) if f"`{item}`" not in PAGE] == []


def test_a_catalogue_of_the_folder_gives_its_prices_to_resources_and_nodes(project, tmp_path_factory):
    """`catalog update --prices` wrote it: gateways, endpoints and machines cost what it says, and so do planned nodes."""
    folder = CatalogFolder.of(tmp_path_factory.mktemp("live"))
    region = load("us-west-2")
    rows = [(name, "all", "1", "L") for name in region.offered]
    zones = " ".join(f"{zone.name}={zone.zone_id}" for zone in region.zones)
    sources = {"L": Source("2026-11-01", "a price list")}
    header = {"vendor": "aws", "content": "region", "region": "us-west-2", "zones": zones}
    text = write_table(header, sources, ("type", "zones", "on_demand", "on_demand_source"), rows)
    write_catalogue_file(folder.region_file("us-west-2"), text)
    write_catalogue_file(folder.path / "machines.tsv", write_machines(all_machines().values(), {"vendor": "aws"}, {}))
    services = [ServiceRow(item, "us-west-2", usd, "hour", "a list") for item, usd in (("nat-gateway", 7.0), ("ebs-gp3", 0.5))]
    write_services(folder, services, "us-west-2", "2026-11-01")
    data = json.loads(shown(project(NETWORK, CLUSTER, PLAN), "-o", "json", "--catalog", str(folder.path.parent)))
    charges = by_component(data["costs"])
    assert charges["network"]["NAT gateway"] == (3, 21.0)
    assert charges["cluster"]["node group of m7g.large"] == (2, 2.0)
    assert charges["cluster"]["disks of a node of m7g.large"] == (2, 2 * 24 * 0.5)
    (plan,) = data["plans"]
    assert {node["pricePerHour"] for node in plan["nodes"]} == {1.0}
    assert 50 * 0.5 in {node["diskPricePerHour"] for node in plan["nodes"]}
    costs = (node["count"] * (node["pricePerHour"] + node["diskPricePerHour"]) for node in plan["nodes"])
    assert data["costs"]["nodesPerHour"] == pytest.approx(sum(costs))
