"""`cutlist catalog update --prices`: list prices of machines, disks and services from stand-ins of the price lists."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from azure.core import PipelineClient
from azure.core.pipeline.policies import RetryPolicy
from click.testing import CliRunner, Result

from cutlist.catalog.embedded import load, load_chosen
from cutlist.catalog.folder import CatalogFolder
from cutlist_cli import main
from cutlist_live.azure_account import RetailPriceList
from cutlist_live.azure_price_update import update_location_prices
from tests.infrastructure.aws_servers import serving
from tests.infrastructure.azure_answers import LOCATION, PRICES, price, save
from tests.sample import MANIFESTS

REGION = "us-west-2"
LISTED = {
    ("AmazonEC2", "Compute Instance"): [("m5.large", "BoxUsage:m5.large", "0.1110000000", "Hrs")],
    ("AmazonEC2", "Compute Instance (bare metal)"): [("m5.metal", "DedicatedUsage:m5.metal", "5.5500000000", "Hrs")],
    ("AmazonEC2", "Compute Instance of Windows"): [("m5.large", "BoxUsage:m5.large", "0.2220000000", "Hrs")],
    ("AmazonEC2", "Compute Instance (bare metal) of Windows"): [("m5.metal", "DedicatedUsage:m5.metal", "9.9900000000", "Hrs")],
    ("AmazonEC2", "NAT Gateway"): [
        ("", "USW2-NatGateway-Hours", "0.0460000000", "Hrs"),
        ("", "USW2-NatGateway-Bytes", "0.0450000000", "GB"),
    ],
    ("AmazonEC2", "Storage"): [
        ("", "USW2-EBS:VolumeUsage.gp3", "0.0900000000", "GB-Mo"),
        ("", "USW2-EBS:VolumeUsage.gp2", "0.1000000000", "GB-Mo"),
        ("", "USW2-EBS:SnapshotUsage", "0.0500000000", "GB-Mo"),
    ],
    ("AmazonEC2", "System Operation"): [("", "USW2-EBS:VolumeP-IOPS.gp3", "0.0060000000", "IOPS-Mo")],
    ("AmazonEC2", "Provisioned Throughput"): [("", "USW2-EBS:VolumeP-Throughput.gp3", "40.9600000000", "GiBps-mo")],
    ("AmazonVPC", "VpcEndpoint"): [("", "USW2-VpcEndpoint-Hours", "0.0120000000", "Hrs")],
    ("AmazonVPC", "VPCPublicIPv4Address"): [("", "USW2-PublicIPv4:InUseAddress", "0.0050000000", "Hrs")],
    ("AWSELB", "Load Balancer-Application"): [
        ("", "USW2-LoadBalancerUsage", "0.0230000000", "Hrs"),
        ("", "USW2-TS-LoadBalancerUsage", "0.0056000000", "Hrs"),
    ],
    ("AWSELB", "Load Balancer-Network"): [("", "USW2-LoadBalancerUsage", "0.0225000000", "Hrs")],
    ("AmazonEKS", "Compute"): [("", "USW2-AmazonEKS-Hours:perCluster", "0.1000000000", "Hours")],
    ("AmazonEKS", "AmazonEKS"): [
        ("", "USW2-AmazonEKS-Hours:perCluster", "0.1000000000", "Hours"),
        ("", "USW2-EKS-Auto:m5.large-management-hours", "0.0133200000", "Hours"),
        ("", "USW2-EKS-Auto:p6-b200.48xlarge-management-hours", "5.4000000000", "Hours"),
    ],
    ("awskms", "Encryption Key"): [("", "us-west-2-KMS-Keys", "1.0000000000", "Keys")],
    ("AmazonCloudWatch", "Alarm"): [("", "USW2-CW:AlarmMonitorUsage", "0.1000000000", "Alarms")],
}


@dataclass
class PriceList:
    """GetProducts in pages of one product, in the form that AWS documents; refuses the first `refusals` with `code`."""

    listed: dict[tuple[str, str], list[tuple[str, str, str, str]]] = field(default_factory=dict)
    refusals: int = 0
    code: str = "ThrottlingException"
    asked: list[tuple[str, str]] = field(default_factory=list)

    def __call__(self, _: str, headers: dict[str, str], body: bytes) -> tuple[int, str, bytes]:
        assert headers["X-Amz-Target"] == "AWSPriceListService.GetProducts"
        question = json.loads(body)
        wanted = {f["Field"]: f["Value"] for f in question["Filters"]}
        assert wanted["regionCode"] == REGION
        key = question["ServiceCode"], wanted.get("productFamily") or wanted.get("group") or wanted["servicecode"]
        if wanted.get("operatingSystem") == "Windows":
            assert (
                wanted["licenseModel"] == "No License required"
            )  # licences that the user brings are listed at the price of Linux
            key = key[0], f"{key[1]} of Windows"
        self.asked.append(key)
        if self.refusals:
            self.refusals -= 1
            return 400, "application/x-amz-json-1.1", json.dumps({"__type": self.code, "message": "no"}).encode()
        products = [_product(*row) for row in self.listed.get(key, ())]
        start = int(question.get("NextToken") or 0)
        answer: dict[str, Any] = {"FormatVersion": "aws_v1", "PriceList": products[start : start + 1]}
        if start + 1 < len(products):
            answer["NextToken"] = str(start + 1)
        return 200, "application/x-amz-json-1.1", json.dumps(answer).encode()


def _product(machine: str, usage: str, usd: str, unit: str) -> str:
    """A product as the list has it; a free first step comes before the price of an alarm."""
    step = {"unit": unit, "beginRange": "0", "endRange": "Inf", "pricePerUnit": {"USD": usd}}
    steps = {"T.D": step}
    if "Alarm" in usage:
        steps = {
            "T.F": {**step, "endRange": "10", "pricePerUnit": {"USD": "0.0000000000"}},
            "T.D": {**step, "beginRange": "10"},
        }
    attributes = {"usagetype": usage, "regionCode": REGION, **({"instanceType": machine} if machine else {})}
    return json.dumps({"product": {"attributes": attributes}, "terms": {"OnDemand": {"T": {"priceDimensions": steps}}}})


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> Iterator[PriceList]:
    prices = PriceList(dict(LISTED))
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    with serving(prices) as address:
        for name, value in {
            "AWS_ENDPOINT_URL_PRICING": address,
            "AWS_ACCESS_KEY_ID": "testing",
            "AWS_SECRET_ACCESS_KEY": "testing",
            "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_CONFIG_FILE": os.devnull,
            "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        }.items():
            monkeypatch.setenv(name, value)
        yield prices


def update(folder: Path, *more: str) -> Result:
    arguments = ["catalog", "update", "--prices", "--region", REGION, "--to", str(folder), *more]
    return CliRunner().invoke(main, arguments)


def words(result: Result) -> str:
    return " ".join(result.stderr.split())


def test_prices_of_machines_disks_and_services_are_read_from_the_price_list(listed, tmp_path):
    """In pages; a machine that the list lacks keeps its price, source and date; so does all spot."""
    said = update(tmp_path)
    assert said.exit_code == 0, said.output
    assert "2 on-demand prices from the price list" in said.stdout
    assert "not in the price list: ebs-standard, ebs-io1, ebs-io2" in " ".join(said.stdout.split())
    live, before = load_chosen(tmp_path, REGION), load(REGION)
    fees = {name: live.service_price(f"eks-auto-{name}") for name in ("m5.large", "p6-b200.48xlarge", "m5.xlarge")}
    assert {name: price and price.usd_per_hour for name, price in fees.items()} == {
        "m5.large": 0.01332,
        "p6-b200.48xlarge": 5.4,
        "m5.xlarge": None,
    }  # V-145
    assert (live.on_demand["m5.large"].usd_per_hour, live.on_demand["m5.large"].source) == (0.111, "AWS API: price list")
    assert live.on_demand["m5.metal"].usd_per_hour == 5.55
    assert "dedicated" in live.on_demand["m5.metal"].source
    assert live.on_demand["c5.large"] == before.on_demand["c5.large"]
    assert live.offered == before.offered
    kept = live.spot_price("m5.large", "us-west-2a")
    assert kept is not None
    assert kept == before.spot_price("m5.large", "us-west-2a")
    month = 730
    monthly = ("ebs-gp3", "ebs-gp3-iops", "ebs-gp3-throughput", "kms-key", "metric-alarm")
    found = {item: live.service_price(item) for item in monthly}
    assert {item: round(p.usd_per_hour * month, 6) for item, p in found.items() if p} == {
        "ebs-gp3": 0.09,
        "ebs-gp3-iops": 0.006,
        "ebs-gp3-throughput": 0.04,
        "kms-key": 1.0,
        "metric-alarm": 0.1,
    }
    hourly = ("nat-gateway", "interface-endpoint", "application-load-balancer", "network-load-balancer", "eks-control-plane")
    assert [p.usd_per_hour for item in hourly if (p := live.service_price(item))] == [0.046, 0.012, 0.023, 0.0225, 0.1]
    embedded = live.service_price("ebs-io1")
    assert embedded is not None
    assert embedded.date == "2024-07-18"


def test_plans_use_live_prices_of_disks(listed, tmp_path):
    assert update(tmp_path).exit_code == 0
    arguments = ["plan", *MANIFESTS, "--region", REGION, "--catalog", str(tmp_path), "-o", "json"]
    (node,) = json.loads(CliRunner().invoke(main, arguments).stdout)["nodes"]
    assert node["diskPricePerHour"] == pytest.approx(20 * 0.09 / 730)
    assert node["diskPriceSource"].startswith("AWS API: price list AmazonEC2")


WINDOWS_POOL = """
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: r
  amiSelectorTerms: [{alias: windows2022@latest}]
  subnetSelectorTerms: [{tags: {a: b}}]
  securityGroupSelectorTerms: [{tags: {a: b}}]
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: windows}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements:
      - {key: kubernetes.io/os, operator: In, values: [windows]}
      - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
      - {key: node.kubernetes.io/instance-type, operator: In, values: [TYPE]}
---
apiVersion: v1
kind: Pod
metadata: {name: iis}
spec:
  nodeSelector: {kubernetes.io/os: windows}
  containers: [{name: iis, resources: {requests: {cpu: "1", memory: 1Gi}}}]
"""


def windows_node(folder: Path, machine: str = "m5.large", *documents: str) -> dict[str, Any]:
    text = "\n---\n".join((WINDOWS_POOL.replace("TYPE", machine), *documents))
    arguments = ["plan", "-f", "-", "--region", REGION, "--catalog", str(folder), "-o", "json"]
    (node,) = json.loads(CliRunner().invoke(main, arguments, input=text).stdout)["nodes"]
    return dict(node)


def test_plans_use_list_prices_of_windows(listed, tmp_path):
    """They are not an estimate; a type without one has the licence by its rule. A discount is on the machine alone."""
    said = update(tmp_path)
    assert "2 prices of machines with Windows, the licence included" in said.stdout
    live, metal = load_chosen(tmp_path, REGION), "AWS API: price list, Windows with its licence, dedicated tenancy"
    assert live.windows["m5.metal"].source.startswith(metal)
    node = windows_node(tmp_path)
    assert (node["pricePerHour"], node["priceEstimated"]) == (pytest.approx(0.222), False)
    assert node["priceSource"].startswith("AWS API: price list, Windows with its licence, 20")
    other = windows_node(tmp_path, "m5.xlarge")
    assert (other["pricePerHour"], other["priceEstimated"]) == (pytest.approx(0.192 + 4 * 0.046), True)
    figures = "{apiVersion: cutlist/v1, kind: Figures, prices: {onDemandDiscount: 10%}}"
    assert windows_node(tmp_path, "m5.large", figures)["pricePerHour"] == pytest.approx(0.222 - 0.0111)


def test_list_prices_of_windows_are_kept_where_the_next_list_lacks_them(listed, tmp_path):
    update(tmp_path)
    listed.listed = {("AmazonEC2", "NAT Gateway"): [("", "USW2-NatGateway-Hours", "0.0500000000", "Hrs")]}
    assert update(tmp_path).exit_code == 0
    assert load_chosen(tmp_path, REGION).windows["m5.large"].usd_per_hour == 0.222


def test_a_second_update_replaces_what_it_finds(listed, tmp_path):
    """And leaves other items of the folder as they were."""
    update(tmp_path)
    listed.listed = {("AmazonEC2", "NAT Gateway"): [("", "USW2-NatGateway-Hours", "0.0500000000", "Hrs")]}
    assert update(tmp_path).exit_code == 0
    live = load_chosen(tmp_path, REGION)
    assert [p.usd_per_hour for i in ("nat-gateway", "interface-endpoint") if (p := live.service_price(i))] == [0.05, 0.012]
    assert live.on_demand["m5.large"].usd_per_hour == 0.111


def test_a_list_without_prices_is_an_error_and_writes_nothing(listed, tmp_path):
    listed.listed = {}
    said = update(tmp_path / "catalogue")
    assert said.exit_code == 2
    assert "the price list has no price for this region" in words(said)
    assert not (tmp_path / "catalogue").exists()


def test_throttling_is_waited_out(listed, tmp_path):
    listed.refusals = 2
    assert update(tmp_path).exit_code == 0


def test_a_missing_permission_is_reported_once(listed, tmp_path):
    listed.refusals, listed.code = 100, "AccessDeniedException"
    said = update(tmp_path / "catalogue")
    assert said.exit_code == 2
    assert words(said).count("pricing:GetProducts") == 1
    assert not (tmp_path / "catalogue").exists()


def test_govcloud_has_no_price_list(listed, tmp_path):
    said = CliRunner().invoke(main, ["catalog", "update", "--prices", "--region", "us-gov-west-1", "--to", str(tmp_path)])
    assert said.exit_code == 2
    assert "cannot reach the price list" in words(said)


def retail(product: str, meter: str, amount: float, unit: str, **more: str) -> dict[str, Any]:
    row = price("", amount, productName=product, meterName=meter, skuName=meter, serviceName="any", **more)
    return {**row, "unitOfMeasure": unit}


AZURE = [
    *PRICES,
    retail("Premium SSD Managed Disks", "P10 LRS Disk", 21.68, "1/Month"),
    retail("Premium SSD Managed Disks", "P10 LRS Disk Mount", 1.22, "1/Month"),
    retail("Standard HDD Managed Disks", "S10 LRS Disk", 5.89, "1/Month"),
    retail("NAT Gateway", "Standard Gateway", 0.045, "1 Hour"),
    retail("NAT Gateway", "Standard Gateway", 0.01, "1 Hour", armRegionName="westus"),
    retail("IP Addresses", "Standard IPv4 Static Public IP", 0.005, "1 Hour"),
]


WITHOUT_BOTO3 = """
import sys
sys.modules |= {"boto3": None, "botocore": None}
import cutlist_live.azure_account
from cutlist_cli import main
main(sys.argv[1:])
"""


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), pytest.param(("--prices",), marks=pytest.mark.thorough)])
def test_updates_of_azure_need_no_sdk_of_aws(options, tmp_path):
    """Neither from saved answers nor, as `azure_account` can be imported, through Azure's own SDK.

    An update of prices alone imports a part of what a whole one does.
    """
    save(tmp_path / "answers")
    words = ("catalog", "update", *options, "--cloud", "azure", "--region", LOCATION, "--from", "answers")
    ran = subprocess.run([sys.executable, "-c", WITHOUT_BOTO3, *words], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith(f"{LOCATION}: ")


def test_prices_of_azure_come_from_saved_pages_without_an_account(tmp_path):
    """Managed disks by the month, gateways by the hour; sizes that the pages lack keep their price."""
    answers = save(tmp_path / "answers", skus=None, usage=None, prices=[{"Items": AZURE}])
    arguments = ["--cloud", "azure", "--region", LOCATION, "--from", str(answers), "--to", str(tmp_path / "c")]
    said = CliRunner().invoke(main, ["catalog", "update", "--prices", *arguments])
    assert said.exit_code == 0, said.output
    live = load_chosen(tmp_path / "c", LOCATION)
    assert live.on_demand["Standard_D8_v4"].usd_per_hour == 0.5
    prices = [live.service_price(item) for item in ("managed-disk-p10", "managed-disk-s10", "nat-gateway")]
    assert [round(p.usd_per_hour, 6) for p in prices if p] == [round(21.68 / 730, 6), round(5.89 / 730, 6), 0.045]
    assert "Standard_D2s_v5" in live.on_demand


@pytest.mark.parametrize("status", [200, 429])
def test_the_retail_list_is_asked_for_each_product_page_by_page(status, tmp_path):
    """Without any sign-in; lasting throttling writes nothing."""
    asked = []

    def answer(path: str, _: dict[str, str], __: bytes) -> tuple[int, str, bytes]:
        query = parse_qs(urlsplit(path).query)
        wanted, start = query["$filter"][0], int(query.get("$skip", ["0"])[0])
        asked.append(wanted)
        named = [row for row in AZURE if f"productName eq '{row['productName']}'" in wanted]
        rows = named if "productName" in wanted else list(PRICES)
        following = f"{address}/api/retail/prices?{urlencode({'$filter': wanted, '$skip': start + 1})}"
        page = {"Items": rows[start : start + 1], "NextPageLink": following if start + 1 < len(rows) else None}
        return status, "application/json", json.dumps(page).encode()

    with serving(answer) as address:
        listed = RetailPriceList(PipelineClient(address, policies=[RetryPolicy(retry_total=1, retry_backoff_factor=0)]))
        folder = CatalogFolder.of(tmp_path / "c", "azure")
        done = update_location_prices(listed, [LOCATION], folder, datetime(2026, 11, 20, tzinfo=UTC))
    if status == 200:
        (written,) = done.done
        assert len(written.live.services) == 4
        assert any("Premium SSD Managed Disks" in wanted and LOCATION in wanted for wanted in asked)
        live = load_chosen(tmp_path / "c", LOCATION).service_price("managed-disk-p10")
        assert live is not None
        assert live.provenance == "Azure API: retail prices, 2026-11-20"
    else:
        assert "throttled" in str(done.problems.found[0])
        assert not done.done
        assert not (tmp_path / "c").exists()
