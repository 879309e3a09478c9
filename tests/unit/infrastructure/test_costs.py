"""What resources cost: by their type and inputs, summed by component, and never a figure that nobody published."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from datetime import date
from decimal import Decimal
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.catalog import embedded
from cutlist.catalog.ebs import Volume
from cutlist.catalog.embedded import load_location
from cutlist.catalog.paid import PaidPrices, PaidRow
from cutlist.catalog.prices import Price
from cutlist.catalog.services import service_prices
from cutlist.core.records import data_of
from cutlist.infrastructure.costs import Bill, Charge, ChargeState, Component, RequestedResource, aws, azure, charges_of
from cutlist.providers.azure.claimed_disks import managed_disk
from cutlist.providers.eks_auto import listed_fees
from cutlist.verbs.preview.amounts import BillAmounts
from cutlist.verbs.preview.text import render_bill, render_preview_headline

COMPONENTS = Path(__file__).resolve().parents[3] / "components" / "pulumi_cutlist"
OF_AWS = re.compile(r"\baws\.(\w+)\.([A-Z]\w*)\(")
OF_AZURE = re.compile(r"\bazure\.(\w+)\.([A-Z]\w*)\(")
DAY = date(2026, 11, 23)
EKS, AKS = "aws:eks/cluster:Cluster", "azure-native:containerservice:ManagedCluster"
ENDPOINT, GROUP = "aws:ec2/vpcEndpoint:VpcEndpoint", "aws:eks/nodeGroup:NodeGroup"
POOL = "azure-native:containerservice:AgentPool"
OCTOBER = "2026-10-01", "2026-10-31"
CAPABILITY = "aws:eks/capability:Capability"
LB = "aws:lb/loadBalancer:LoadBalancer"
STANDARD = {"upgradePolicy": {"supportType": "STANDARD"}}
DISKS = (
    *("Standard_LRS", "Standard_ZRS", "StandardSSD_LRS", "StandardSSD_ZRS", "Premium_LRS", "Premium_ZRS"),
    *("PremiumV2_LRS", "UltraSSD_LRS"),
)
UNGIVEN = object()  # what an update alone knows

KNOWN = [
    (EKS, STANDARD, "us-west-2", [("control plane", 1, 0.1)]),
    (EKS, {**STANDARD, "controlPlaneScalingConfig": {"tier": "standard"}}, "us-west-2", [("control plane", 1, 0.1)]),
    *(
        (CAPABILITY, {"type": type_}, "us-west-2", [(f"EKS capability {name}", 1, usd)])
        for type_, name, usd in (("ACK", "ACK", 0.004757), ("ARGOCD", "Argo CD", 0.028838), ("KRO", "kro", 0.004757))
    ),
    ("aws:ec2/natGateway:NatGateway", {}, "eu-west-1", [("NAT gateway", 1, 0.048)]),
    ("aws:ec2/eip:Eip", {}, "eu-north-1", [("public IPv4 address", 1, 0.005)]),
    ("aws:kms/key:Key", {}, "eu-north-1", [("KMS key", 1, 1 / 730)]),
    (ENDPOINT, {"vpcEndpointType": "Gateway"}, "us-west-2", []),
    (ENDPOINT, {}, "us-west-2", []),
    (
        ENDPOINT,
        {"vpcEndpointType": "Interface", "subnetIds": [UNGIVEN, UNGIVEN, "subnet-c"]},
        "eu-central-1",
        [("interface endpoint in a zone", 3, 0.036)],
    ),
    ("aws:cloudwatch/metricAlarm:MetricAlarm", {}, "ap-northeast-1", [("alarm", 1, 0.1 / 730)]),
    (LB, {"loadBalancerType": "application"}, "us-west-2", [("application load balancer", 1, 0.0225)]),
    (AKS, {"sku": {"name": "Base", "tier": "Standard"}}, "West Europe", [("AKS control plane, Standard", 1, 0.1)]),
    (AKS, {"sku": {"name": "Base", "tier": "Premium"}}, "westeurope", [("AKS control plane, Premium", 1, 0.6)]),
    (AKS, {"sku": {"name": "Automatic", "tier": "Standard"}}, "uksouth", [("AKS Automatic control plane", 1, 0.16)]),
    ("azure-native:network:NatGateway", {"sku": {"name": "Standard"}}, "eastus2", [("NAT gateway", 1, 0.045)]),
    (
        "azure-native:network/v20240101:PublicIPAddress",
        {"sku": {"name": "Standard"}},
        "japaneast",
        [("public IPv4 address", 1, 0.005)],
    ),
    ("azure-native:network:PublicIPAddress", {"publicIPAddressVersion": "IPv6"}, "japaneast", []),
]


@pytest.mark.parametrize(("type_", "inputs", "region", "expected"), KNOWN)
def test_what_has_a_list_price_costs_that(type_, inputs, region, expected):
    found = charges_of(RequestedResource(type_, inputs, region))
    assert [(c.what, c.count) for c in found] == [(what, count) for what, count, _ in expected]
    assert [c.usd_per_hour for c in found] == [pytest.approx(usd) for *_, usd in expected]
    assert all(c.state is ChargeState.KNOWN and c.price is not None and c.price.date for c in found)


@pytest.mark.parametrize("vendor", ["aws", "azure"])
def test_there_is_no_price_that_nothing_asks_for(vendor):
    """Own prices are found by item alone, so those of all items show which of them some resource asks for."""
    asked: set[str] = set()

    class Asked(dict[str, Price]):
        def get(self, item: str, default: Any = None) -> Any:
            asked.add(item)
            return default

    tiers = [(EKS, {"controlPlaneScalingConfig": {"tier": t}}, "us-west-2", []) for t in aws._TIERS]
    for type_, inputs, region, _ in [*KNOWN, *tiers]:
        charges_of(RequestedResource(type_, inputs, region, Asked()))
    for kind in ("gp2", "gp3", "io1", "io2", "st1", "sc1", "standard"):  # those of nodes, which plans ask for
        Volume(kind, 100, iops=100_000, throughput=1000).price(lambda item: asked.add(item) or Price(1.0, "any"))
    for kind, gib in product(DISKS, (4, 8, 16, *(2**step - 1 for step in range(5, 16)))):  # those of claims
        of_kind = {"skuName": kind, "diskIOPSReadWrite": "9000", "diskMBpsReadWrite": "900"}
        managed_disk({**of_kind, "maxShares": "2", "enableBursting": "true"}, gib, asked.add)
    listed_fees(embedded.all_machines(), asked.add)  # those of Auto Mode, on top of its nodes
    assert set(service_prices(vendor).items) <= asked


@pytest.mark.parametrize(("tier", "usd"), [("tier-xl", 1.65), ("tier-2xl", 3.4), ("tier-4xl", 6.9), ("tier-8xl", 13.9)])
def test_a_tier_comes_on_top_of_the_control_plane(tier, usd):
    found = charges_of(RequestedResource(EKS, {**STANDARD, "controlPlaneScalingConfig": {"tier": tier}}, "eu-west-1"))
    assert [c.usd_per_hour for c in found] == [0.1, usd]


def test_extended_support_is_reported_where_a_cluster_may_come_to_it():
    """EKS's own default goes on with a version; a cluster with standard support is upgraded instead."""
    for inputs in ({}, {"upgradePolicy": {"supportType": "EXTENDED"}}):
        [charge] = charges_of(RequestedResource(EKS, inputs, "eu-west-1"))
        assert charge.usd_per_hour == 0.1
        assert "0.5 USD an hour more" in charge.note
        assert not charge.is_complete
    [charge] = charges_of(RequestedResource(EKS, STANDARD, "eu-west-1"))
    assert charge.is_complete


@pytest.mark.parametrize("version", ["1.31", "1.32", "1.33"])
def test_extended_support_is_a_charge_of_its_own_for_a_version_that_has_no_other(version):
    """0.10 and 0.50 USD an hour, by aws.amazon.com/eks/pricing."""
    charges = list(charges_of(RequestedResource(EKS, {"version": version}, "eu-west-1", day=DAY)))
    assert [(c.what, c.usd_per_hour) for c in charges] == [
        ("control plane", 0.1),
        (f"extended support of Kubernetes {version}", 0.5),
    ]
    assert all(c.is_complete for c in charges)


@pytest.mark.parametrize(
    ("version", "note"),
    [
        ("1.34", "0.5 USD an hour more after 2026-12-02, in 9 days, the end of standard support"),
        ("1.36", "0.5 USD an hour more after 2027-08-02, the end of standard support"),
        (
            "1.99",
            "0.5 USD an hour more once standard support of its version has ended, "
            "on a day that EKS's calendar of 2026-09-08 does not have",
        ),
    ],
)
def test_the_day_from_which_extended_support_costs_is_named(version, note):
    [charge] = charges_of(RequestedResource(EKS, {"version": version}, "eu-west-1", day=DAY))
    assert (charge.usd_per_hour, charge.note) == (0.1, note)


def test_the_fee_of_auto_mode_is_not_added_to_the_price_of_nodes_twice():
    *_, auto = charges_of(RequestedResource(EKS, {**STANDARD, "computeConfig": {"enabled": True}}, "eu-west-1"))
    assert (auto.what, auto.state, auto.usd_per_hour) == ("Auto Mode", ChargeState.BY_USE, None)
    assert "in the price of planned nodes" in auto.note


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        ({}, ["control plane", "node group of t3.medium", "disks of a node of t3.medium"]),
        ({"fargate": True}, ["control plane", "Fargate profile"]),
        ({"autoMode": {"enabled": True}}, ["control plane", "Auto Mode"]),
        (
            {"autoMode": {"enabled": True}, "skipDefaultNodeGroup": False},
            ["control plane", "Auto Mode", "node group of t3.medium"],
        ),
        ({"enabledClusterLogTypes": ["api"], "skipDefaultNodeGroup": True}, ["control plane", "log group"]),
        (
            {"nodeGroupOptions": {"instanceType": "m7i.large", "desiredCapacity": 3}},
            ["control plane", "node group of m7i.large", "disks of a node of m7i.large"],
        ),
    ],
)
def test_a_cluster_of_pulumi_eks_costs_what_it_makes(inputs, expected):
    """By its defaults where nothing is said, as its package has them."""
    charges = charges_of(RequestedResource("eks:index:Cluster", inputs, "us-west-2"))
    assert [charge.what for charge in charges][: len(expected)] == expected
    assert charges[0].usd_per_hour == 0.1


def test_node_groups_of_pulumi_eks_have_two_nodes_by_default():
    group = charges_of(RequestedResource("eks:index:ManagedNodeGroup", {"instanceTypes": ["m7i.large"]}, "us-west-2"))[0]
    assert (group.what, group.count) == ("node group of m7i.large", 2)
    sized = {"scalingConfig": {"minSize": 3, "desiredSize": 5}}
    assert charges_of(RequestedResource("eks:index:ManagedNodeGroup", sized, "us-west-2"))[0].count == 5
    spot = charges_of(RequestedResource("eks:index:NodeGroupV2", {"spotPrice": "1"}, "us-west-2"))[0]
    assert (spot.what, spot.is_estimated) == ("node group of t3.medium, spot", True)
    assert charges_of(RequestedResource("eks:index:Addon", {}, "us-west-2")) == ()


def test_a_node_group_costs_its_first_type_on_demand():
    inputs = {"instanceTypes": ["m7g.large", "m6g.large"], "scalingConfig": {"desiredSize": 2}}
    charge, _ = charges_of(RequestedResource(GROUP, inputs, "us-west-2"))
    price = embedded.load("us-west-2").on_demand_price("m7g.large")
    assert price is not None
    assert (charge.count, charge.price) == (2, price)


def test_a_node_group_costs_what_the_account_paid():
    paid = PaidPrices((PaidRow("m7g.large", "us-west-2", "us-west-2a", "linux", "contracted", 9, 0.05),), "USD", *OCTOBER)
    inputs = {"instanceTypes": ["m7g.large"], "scalingConfig": {"desiredSize": 2}}
    charge, _ = charges_of(RequestedResource(GROUP, inputs, "us-west-2", paid=paid))
    assert (charge.usd_per_hour, charge.source) == (0.1, "paid, October 2026")
    size = {"vmSize": "Standard_D4s_v5", "count": 3}
    rows = (PaidRow("Standard_D4s_v5", "westeurope", "", "linux", "committed", 9, 0.11),)
    pool, *_ = charges_of(RequestedResource(POOL, size, "West Europe", paid=replace(paid, rows=rows)))
    assert pool.usd_per_hour == pytest.approx(0.33)


@pytest.mark.parametrize(
    ("inputs", "region"),
    [
        ({"instanceTypes": [UNGIVEN], "scalingConfig": {"desiredSize": 2}}, "us-west-2"),
        ({"instanceTypes": UNGIVEN, "scalingConfig": {"desiredSize": 2}}, "us-west-2"),
        ({"instanceTypes": ["m7g.large"], "scalingConfig": {"desiredSize": UNGIVEN}}, "us-west-2"),
        ({"instanceTypes": ["m99.large"], "scalingConfig": {"desiredSize": 2}, "capacityType": "SPOT"}, "us-west-2"),
        ({"instanceTypes": ["m7g.large"], "scalingConfig": {"desiredSize": 2}}, "mars-1"),
        ({"instanceTypes": ["m7g.large"], "scalingConfig": {"desiredSize": 2}}, "cn-north-1"),
        ({"instanceTypes": ["m99.large"], "scalingConfig": {"desiredSize": 2}}, "us-west-2"),
        ({}, "us-west-2"),
    ],
)
def test_a_node_group_of_unknown_price_is_called_so(inputs, region):
    charge, *_ = charges_of(RequestedResource(GROUP, inputs, region))
    assert (charge.state, charge.usd_per_hour) == (ChargeState.NOT_KNOWN, None)
    assert charge.note


def test_a_node_group_of_spot_costs_the_estimate_of_the_cheapest_zone():
    machine = embedded.load("us-west-2")
    prices = [price.usd_per_hour for zone in machine.zones if (price := machine.spot_price("m7g.large", zone.name))]
    charge, _ = charges_of(RequestedResource(GROUP, {**TWO_NODES, "capacityType": "SPOT"}, "us-west-2"))
    assert (charge.what, charge.usd_per_hour) == ("node group of m7g.large, spot", pytest.approx(2 * min(prices)))
    assert charge.is_estimated
    [paid] = [PaidPrices((PaidRow("m7g.large", "us-west-2", "us-west-2a", "linux", "spot", 9, 0.03),), "USD", *OCTOBER)]
    charge, _ = charges_of(RequestedResource(GROUP, {**TWO_NODES, "capacityType": "SPOT"}, "us-west-2", paid=paid))
    assert charge.usd_per_hour == pytest.approx(0.06)


TWO_NODES = {"instanceTypes": ["m7g.large"], "scalingConfig": {"desiredSize": 2}}
IN_TEMPLATE = {**TWO_NODES, "launchTemplate": {"id": UNGIVEN}}
GP3, GP2 = 0.08 / 730, 0.1 / 730


def disks_of(inputs: dict[str, Any], template: dict[str, Any] | None = None) -> Charge:
    referred = {} if template is None else {"launchTemplate": template}
    _, disks = charges_of(RequestedResource(GROUP, inputs, "us-west-2", referred=referred))
    return disks


def mappings(*disks: dict[str, Any]) -> dict[str, Any]:
    return {"blockDeviceMappings": [{"ebs": disk} for disk in disks]}


@pytest.mark.parametrize(
    ("disks", "usd"),
    [
        ([{"volumeType": "gp3", "volumeSize": 30}], 30 * GP3),
        ([{"volumeSize": 30}], 30 * GP2),
        ([{"volumeType": "gp3", "volumeSize": 4}, {"volumeType": "gp3", "volumeSize": 20}], 24 * GP3),
        ([{"volumeType": "gp3", "volumeSize": 20, "iops": 4000}], 20 * GP3 + 1000 * 0.005 / 730),
    ],
)
def test_the_disks_of_a_node_group_are_those_of_its_launch_template(disks, usd):
    charge = disks_of(IN_TEMPLATE, mappings(*disks))
    assert (charge.count, charge.usd_per_hour) == (2, pytest.approx(2 * usd))
    assert charge.price is not None
    assert not charge.price.estimated
    assert charge.is_complete


@pytest.mark.parametrize(
    ("more", "gib"),
    [({}, 20), ({"diskSize": 100}, 100), ({"amiType": "WINDOWS_CORE_2022_x86_64"}, 50), ({"amiType": "AL2023_ARM_64"}, 20)],
)
def test_without_a_launch_template_the_type_of_a_disk_is_assumed(more, gib):
    """EKS documents its size alone, so the price is an estimate that says so."""
    charge = disks_of({**TWO_NODES, **more})
    assert charge.usd_per_hour == pytest.approx(2 * gib * GP2)
    assert charge.price is not None
    assert (charge.price.estimated, "taken as gp2" in charge.price.source) == (True, True)


def test_the_system_s_volume_of_bottlerocket_is_assumed():
    """Where a template leaves its size to the image."""
    template = mappings({"volumeType": "gp3"}, {"volumeType": "gp3", "volumeSize": 20})
    charge = disks_of({**IN_TEMPLATE, "amiType": "BOTTLEROCKET_ARM_64"}, template)
    assert charge.usd_per_hour == pytest.approx(2 * 24 * GP3)
    assert charge.price is not None
    assert charge.price.estimated


@pytest.mark.parametrize(
    ("inputs", "template"),
    [
        (IN_TEMPLATE, None),
        (IN_TEMPLATE, {}),
        (IN_TEMPLATE, {"blockDeviceMappings": UNGIVEN}),
        (IN_TEMPLATE, {"blockDeviceMappings": [UNGIVEN]}),
        (IN_TEMPLATE, mappings({"volumeType": "gp3"})),
        (IN_TEMPLATE, mappings({"volumeType": UNGIVEN, "volumeSize": 20})),
        (IN_TEMPLATE, mappings({"volumeType": "gp9", "volumeSize": 20})),
        ({**TWO_NODES, "diskSize": UNGIVEN}, None),
    ],
)
def test_disks_of_unknown_size_or_price_are_called_so(inputs, template):
    charge = disks_of(inputs, template)
    assert (charge.state, charge.usd_per_hour) == (ChargeState.NOT_KNOWN, None)
    assert charge.note


@pytest.mark.parametrize(
    ("type_", "inputs"),
    [
        ("aws:ec2/natGateway:NatGateway", {}),
        (ENDPOINT, {"vpcEndpointType": "Interface", "subnetIds": ["a"]}),
        (ENDPOINT, {"vpcEndpointType": "Interface", "subnetIds": UNGIVEN}),
        (ENDPOINT, {"vpcEndpointType": UNGIVEN}),
        (ENDPOINT, {"vpcEndpointType": "GatewayLoadBalancer", "subnetIds": ["a"]}),
        ("aws:ec2/natGateway:NatGateway", {"availabilityMode": "regional"}),
        ("aws:ec2/eip:Eip", {"publicIpv4Pool": "ipv4pool-ec2-1"}),
        (EKS, {"outpostConfig": {"outpostArns": []}}),
        (LB, {"loadBalancerType": "network"}),
        (EKS, {"controlPlaneScalingConfig": {"tier": "tier-64xl"}}),
        (AKS, {}),
        (AKS, {"sku": {"name": "Base", "tier": "Standard"}}),
        (AKS, {"sku": {"name": "Base", "tier": UNGIVEN}}),
        ("azure-native:network:PublicIPAddress", {"sku": {"name": "Basic"}}),
        ("azure-native:network:PublicIPAddress", {"sku": {"name": "Standard", "tier": "Global"}}),
        ("azure-native:network:NatGateway", {"sku": {"name": "StandardV2"}}),
        ("aws:rds/instance:Instance", {}),
        ("azure-native:sql:Server", {}),
    ],
)
def test_what_is_not_known_says_where_to_look_and_costs_no_zero(type_, inputs):
    for region in ("", "mars-1"):
        charge = charges_of(RequestedResource(type_, inputs, region))[-1]
        assert charge.state is ChargeState.NOT_KNOWN
        assert charge.usd_per_hour is None
        assert "see " in charge.note


@pytest.mark.parametrize(
    "type_",
    [
        "aws:cloudwatch/logGroup:LogGroup",
        "aws:sqs/queue:Queue",
        "aws:eks/fargateProfile:FargateProfile",
        "azure-native:operationalinsights:Workspace",
    ],
)
def test_what_is_billed_by_use_says_by_what(type_):
    [charge] = charges_of(RequestedResource(type_, {}, "us-west-2"))
    assert (charge.state, charge.usd_per_hour) == (ChargeState.BY_USE, None)
    assert charge.note.startswith("by ")


@pytest.mark.parametrize("type_", ["aws:iam/role:Role", "kubernetes:core/v1:Namespace", "random:index/randomId:RandomId"])
def test_what_costs_nothing_by_itself_is_not_on_the_bill(type_):
    assert charges_of(RequestedResource(type_, {}, "us-west-2")) == ()


def made_by_components() -> set[str]:
    """Tokens of the cloud resources that the components make."""
    text = "\n".join(path.read_text() for path in sorted((COMPONENTS / "aws").rglob("*.py")))
    of_aws = {f"aws:{module}/{kind[0].lower()}{kind[1:]}:{kind}" for module, kind in OF_AWS.findall(text)}
    text = "\n".join(path.read_text() for path in sorted((COMPONENTS / "azure").rglob("*.py")))
    return of_aws | {f"azure-native:{module}:{kind}" for module, kind in OF_AZURE.findall(text) if not kind.endswith("Args")}


def test_each_resource_of_a_component_has_a_rule_or_is_known_to_cost_nothing():
    made = made_by_components()
    assert "aws:ec2/natGateway:NatGateway" in made
    free = aws.FREE | azure.FREE
    modules = (*aws.FREE_MODULES, *azure.FREE_MODULES)
    unruled = {t for t in made if t not in aws.RULES and t not in azure.RULES and t not in free and not t.startswith(modules)}
    assert unruled == set()


def test_node_pools_of_a_managed_cluster_are_on_the_bill():
    pools = [{"name": "system", "vmSize": "Standard_D4s_v5", "count": 3}, UNGIVEN]
    found = charges_of(RequestedResource(AKS, {"sku": {"tier": "Standard"}, "agentPoolProfiles": pools}, "westeurope"))
    assert [(c.what, c.state) for c in found[1:]] == [
        ("node of Standard_D4s_v5", ChargeState.KNOWN),
        ("node pool", ChargeState.NOT_KNOWN),
    ]
    assert found[1].count == 3
    assert found[1].price == load_location("westeurope").on_demand_price("Standard_D4s_v5")


def test_a_price_of_one_s_own_takes_the_place_of_the_list_price():
    own = {"nat-gateway": Price(0.03, "own figures")}
    for region in ("us-west-2", "eu-north-1"):
        [charge] = charges_of(RequestedResource("aws:ec2/natGateway:NatGateway", {}, region, own))
        assert charge.usd_per_hour == 0.03


PRICES = st.builds(Price, st.sampled_from([0.0, 0.5, 1.0]) | st.floats(0, 100), st.sampled_from(["a list", "a page"]))
CHARGES = st.lists(
    st.one_of(
        st.builds(Charge, st.sampled_from("abc"), st.just(ChargeState.KNOWN), PRICES, st.integers(1, 9)),
        st.builds(Charge, st.sampled_from("abc"), st.sampled_from([ChargeState.BY_USE, ChargeState.NOT_KNOWN])),
    ),
    max_size=8,
)


@given(CHARGES, st.randoms())
def test_summing_loses_nothing_and_knows_no_order(charges, random):
    component = Component.of("net", "cutlist:index:Network", charges)
    assert sum(c.count for c in component.charges) == sum(c.count for c in charges)
    assert component.usd_per_hour == pytest.approx(math.fsum(c.usd_per_hour or 0 for c in charges))
    shuffled = list(charges)
    random.shuffle(shuffled)
    assert Component.of("net", "cutlist:index:Network", shuffled) == component


@given(CHARGES, CHARGES, st.none() | st.floats(0, 100))
def test_a_bill_is_the_sum_of_its_components_and_its_nodes(first, second, nodes):
    parts = tuple(Component.of(name, "", of) for name, of in (("a", first), ("b", second)))
    bill = Bill(parts, nodes)
    reported = data_of(bill)
    assert reported["totalPerHour"] == pytest.approx(sum(p.usd_per_hour for p in parts) + (nodes or 0), abs=1e-9)
    assert reported["totalPerMonth"] == pytest.approx(reported["totalPerHour"] * 730, abs=0.01)
    assert reported["complete"] is all(c.state is ChargeState.KNOWN for c in [*first, *second])


@given(CHARGES, st.integers(40, 120))
def test_the_bill_keeps_to_the_width_of_the_page(charges, width):
    text = render_bill(Bill((Component.of("network", "cutlist:index:Network", charges),), 1.5), width)
    assert all(len(line) <= width for line in text.splitlines())
    assert bool(text) is bool(charges)


@given(CHARGES, CHARGES, st.none() | st.floats(0, 100))
def test_a_bill_adds_up_as_it_is_shown(first, second, nodes):
    """Each charge to the cent, the resources, the total; and the first line, which may be in whole dollars."""
    bill = Bill((Component.of("net", "", first), Component.of("logs", "", second)), nodes)
    amounts = BillAmounts.of(bill)
    resources, total = Decimal(amounts.resources.replace(",", "")), Decimal(amounts.total.replace(",", ""))
    assert sum(Decimal((row.month or "0").replace(",", "")) for row in amounts.charges) == resources
    assert resources + Decimal((amounts.nodes or "0").replace(",", "")) == total
    shown = render_preview_headline("dev", 1, bill, 200)
    if bill.charges and nodes is not None:
        whole, *parts = (Decimal(text.replace(",", "")) for text in re.findall(r"\$([0-9,]+(?:\.[0-9]+)?)", shown))
        assert sum(part if whole < 100 else int(part) for part in parts) == whole


def test_a_bill_reads_as_a_table():
    charges = [*charges_of(RequestedResource("aws:ec2/natGateway:NatGateway", {}, "us-west-2"))] * 3
    logs = charges_of(RequestedResource("aws:cloudwatch/logGroup:LogGroup"))
    network = Component.of("net", "cutlist:index:Network", [*charges, *logs])
    text = render_bill(Bill((network,), 1.0, nodes_estimated=True), 80)
    assert text.splitlines()[:14] == [
        "What it costs",
        "",
        "                                  count  $/month",
        "net  cutlist:index:Network",
        "  NAT gateway                         3    98.55",
        "                                  and by the traffic through it",
        "  log group                           1   by use",
        "                                  by what is written and kept",
        "Together",
        "  resources whose price is known           98.55",
        "  nodes of the plan                       730.00*",
        "  total, at least                         828.55*",
        "",
        "* Estimated price: that of nodes, as the plan says.",
    ]
    assert "Other prices: Amazon VPC price page for us-west-2 (2026-10-01)." in text


def test_a_total_of_all_that_there_is_does_not_say_at_least():
    plane = Component.of("c", "cutlist:index:Cluster", charges_of(RequestedResource(EKS, STANDARD, "us-west-2")))
    assert "  total    " in render_bill(Bill((plane,), 1.0), 80)
    assert "at least" in render_bill(Bill((plane,), 1.0, nodes_complete=False), 80)
