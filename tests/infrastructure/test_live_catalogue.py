"""The live catalogue: what moto's EC2 and a price list say becomes a catalogue for plans; no failure loses anything."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

import boto3
import pytest
import yaml
from botocore.stub import ANY, Stubber
from click.testing import CliRunner, Result

from cutlist import EC2NodeClass
from cutlist.catalog.embedded import chosen_regions, load, load_chosen
from cutlist.catalog.folder import CatalogFolder
from cutlist.catalog.machines import Machine
from cutlist.core.errors import InputError, Problems
from cutlist.documents.parsing import parse_documents
from cutlist_cli import main
from cutlist_live.account import Account
from cutlist_live.in_turn import UpdateResult
from cutlist_live.machines import machine
from cutlist_live.price_update import update
from cutlist_live.prices import on_demand_prices, price_list_region, spot_prices
from cutlist_live.selectors import resolve
from cutlist_live.store import write_catalogue_file
from tests.infrastructure.aws_servers import Front, PriceList, serving
from tests.sample import MANIFESTS, POOLS, WORKLOADS
from tests.unit.published import faults

REGION = "us-west-2"
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
TABLE_FIELDS = {"network_mbps", "limits", "trunk_interfaces", "limits_ipv4", "source"}  # not from the record


@dataclasses.dataclass
class Cloud:
    front: Front
    prices: PriceList
    environment: dict[str, str]


@pytest.fixture(scope="module")
def servers(moto_address: str) -> Iterator[Cloud]:
    front, prices = Front(moto_address), PriceList()
    with serving(front) as ec2, serving(prices) as listed:
        environment = {
            "AWS_ENDPOINT_URL_EC2": ec2,
            "AWS_ENDPOINT_URL_PRICING": listed,
            "AWS_ACCESS_KEY_ID": "testing",
            "AWS_SECRET_ACCESS_KEY": "testing",
            "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_CONFIG_FILE": os.devnull,
            "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        }
        yield Cloud(front, prices, environment)


@pytest.fixture
def cloud(servers: Cloud, monkeypatch: pytest.MonkeyPatch) -> Cloud:
    """The servers, asked nothing yet and with a price for every type that has a published one."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    for name, value in servers.environment.items():
        monkeypatch.setenv(name, value)
    published = {n: p.usd_per_hour for n, p in load(REGION).on_demand.items() if not p.estimated}
    servers.prices.shared = {n: p for n, p in published.items() if "metal" not in n}
    servers.prices.dedicated = {n: round(p * 1.1, 10) for n, p in published.items() if "metal" in n}
    servers.prices.pages = 0
    servers.front.refusals, servers.front.asked = {}, []
    servers.front.code, servers.front.status = "RequestLimitExceeded", 503
    return servers


@pytest.fixture(scope="module")
def written(servers: Cloud, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """A catalogue of us-west-2 that the command wrote, and what it said; made once."""
    folder = tmp_path_factory.mktemp("written") / "catalogue"
    published = {n: p.usd_per_hour for n, p in load(REGION).on_demand.items() if not p.estimated}
    servers.prices.shared = {n: p for n, p in published.items() if "metal" not in n}
    servers.prices.dedicated = {n: round(p * 1.1, 10) for n, p in published.items() if "metal" in n}
    servers.prices.pages = 0
    return folder, run_update(folder, environment=servers.environment)


def run_update(folder: Path, *regions: str, environment: dict[str, str] | None = None) -> Result:
    options = [option for region in regions or (REGION,) for option in ("--region", region)]
    return CliRunner().invoke(main, ["catalog", "update", *options, "--to", str(folder)], env=environment)


def words(result: Result) -> str:
    """What was printed to standard error, without the line breaks that its width brings."""
    return " ".join(result.stderr.split())


def hardware(found: Machine) -> dict[str, Any]:
    return {f.name: getattr(found, f.name) for f in dataclasses.fields(found) if f.name not in TABLE_FIELDS}


def test_the_answers_become_a_catalogue(written):
    """Types, zones and prices of the whole region, from paginated answers, with their source and the day they were read."""
    folder, said = written
    assert said.exit_code == 0, said.output
    live, embedded = load_chosen(folder, REGION), load(REGION)
    assert set(live.machines) > {"m5.large", "c5a.2xlarge", "p5.48xlarge", "mac2.metal"}
    assert live.offered == {name: zones for name, zones in embedded.offered.items() if name in live.offered}
    assert live.on_demand_price("m5.large").usd_per_hour == 0.096
    assert live.on_demand_price("m5.large").source == "AWS API: price list"
    assert live.on_demand_price("m5.large").date == datetime.now(UTC).date().isoformat()
    assert not live.on_demand_price("m5.large").estimated
    assert live.spot_price("m5.large", "us-west-2a").usd_per_hour == 0.00001


def test_the_hardware_is_that_of_the_embedded_catalogue(written):
    """Every machine read from the API equals the embedded one that was made from the same records."""
    live, embedded = load_chosen(written[0], REGION).machines, load(REGION).machines
    same = [name for name in live if name in embedded and embedded[name].source == "A"]
    assert len(same) > 900
    assert [name for name in same if hardware(live[name]) != hardware(embedded[name])] == []


def test_what_karpenter_compiles_in_is_kept(written):
    """Bandwidth and branch interfaces come from Karpenter's tables and not from the record."""
    machines = load_chosen(written[0], REGION).machines
    assert (machines["m5.large"].network_mbps, machines["m5.large"].trunk_interfaces) == (750, 9)
    assert machines["c4.large"].network_mbps is None


def test_metal_costs_what_dedicated_tenancy_costs(written):
    """Metal types take the price that Karpenter asks for, and say so."""
    price = load_chosen(written[0], REGION).on_demand_price("m5.metal")
    assert price.usd_per_hour == pytest.approx(load(REGION).on_demand_price("m5.metal").usd_per_hour * 1.1)
    assert "dedicated tenancy" in price.source


def test_a_type_without_a_list_price_keeps_the_one_known_before(written):
    """An estimate stays an estimate, with its source and date; the update says how many there are."""
    folder, said = written
    estimates = {n: p for n, p in load(REGION).on_demand.items() if p.estimated}
    live = load_chosen(folder, REGION)
    kept = {n: live.on_demand_price(n) for n in estimates if n in live.machines}
    assert kept
    facts = {n: (p.usd_per_hour, p.source, p.date, p.estimated) for n, p in kept.items()}
    assert facts == {n: (p.usd_per_hour, p.source, p.date, True) for n, p in estimates.items() if n in kept}
    assert f"{len(kept)} types are not in the price list" in said.stdout


def test_plans_use_it(written):
    """`cutlist plan --catalog` plans with the prices of the folder."""
    arguments = ["plan", *MANIFESTS, "--region", REGION, "-o", "json"]
    plain = CliRunner().invoke(main, arguments)
    live = CliRunner().invoke(main, [*arguments, "--catalog", str(written[0])])
    assert live.exit_code == 0, live.output
    assert "AWS API: EC2 spot price history" in live.stdout
    assert "AWS API" not in plain.stdout


def test_a_region_that_was_not_written_is_reported(written):
    """The message lists the regions of the folder."""
    result = CliRunner().invoke(main, ["plan", *MANIFESTS, "--region", "us-west-1", "--catalog", str(written[0])])
    assert result.exit_code == 2
    assert "region 'us-west-1' is not in the catalogue allowed: us-west-2" in words(result)


def test_a_folder_without_a_catalogue_is_reported(tmp_path):
    """The message says what writes one."""
    result = CliRunner().invoke(main, ["plan", *MANIFESTS, "--region", REGION, "--catalog", str(tmp_path)])
    assert result.exit_code == 2
    assert "this folder holds no catalogue allowed: one that `cutlist catalog update` wrote" in words(result)


def test_a_second_region_leaves_the_first(written, tmp_path):
    """Machines of several regions share a file, which keeps those of regions that are not named."""
    folder = tmp_path / "two"
    shutil.copytree(written[0], folder)
    stubs = Stubs()
    answer_region(stubs.of("ec2", "ap-east-1"), "ap-east-1", "t3.small")
    answer_prices(stubs.of("pricing", "ap-south-1"), {"t3.small": "0.03"}, {"m5.metal": "6"})
    assert not stubs.update(folder, "ap-east-1").problems
    assert chosen_regions(folder) == ("ap-east-1", REGION)
    first, before = load_chosen(folder, REGION), load_chosen(written[0], REGION)
    assert set(first.machines) == set(before.machines)
    assert hardware(first.machines["m5.large"]) == hardware(before.machines["m5.large"])
    assert load_chosen(folder, "ap-east-1").on_demand_price("t3.small").usd_per_hour == 0.03


def test_throttling_is_waited_out(cloud):
    """A call that AWS throttles twice is made a third time, and its answer is whole."""
    cloud.front.refusals = {"DescribeAvailabilityZones": 2}
    zones = Account(boto3.Session()).ec2(REGION, "describe_availability_zones", "AvailabilityZones")
    assert cloud.front.asked == ["DescribeAvailabilityZones"] * 3
    assert {zone["ZoneName"] for zone in zones} >= {"us-west-2a", "us-west-2b", "us-west-2c"}


def test_every_missing_permission_is_reported_at_once(tmp_path):
    """Three denied actions give three problems, and nothing is written."""
    stubs = Stubs()
    ec2, pricing = stubs.of("ec2", REGION), stubs.of("pricing", "us-east-1")
    ec2.add_response("describe_availability_zones", {"AvailabilityZones": []})
    ec2.add_client_error("describe_instance_types", "UnauthorizedOperation")
    ec2.add_response("describe_instance_type_offerings", {"InstanceTypeOfferings": []})
    ec2.add_client_error("describe_spot_price_history", "UnauthorizedOperation")
    for _ in range(2):
        pricing.add_client_error("get_products", "AccessDeniedException")
    made = stubs.update(tmp_path / "c", REGION)
    actions = ("ec2:DescribeInstanceTypes", "ec2:DescribeSpotPriceHistory", "pricing:GetProducts")
    reported = [f"us-west-2: the credentials do not allow {a}; docs/prices.md has the policy" for a in actions]
    assert [str(p) for p in made.problems.found] == reported
    assert not (tmp_path / "c").exists()


def test_an_expired_credential_leaves_the_old_catalogue(cloud, written):
    """The command says so, exits with 2, and the files are those of before."""
    before = {path: path.read_bytes() for path in written[0].rglob("*") if path.is_file()}
    cloud.front.code, cloud.front.status = "RequestExpired", 400
    cloud.front.refusals = {"DescribeInstanceTypes": 1}
    result = run_update(written[0])
    assert result.exit_code == 2
    assert "us-west-2: the credentials have expired (RequestExpired); sign in again" in words(result)
    assert "Traceback" not in result.output
    assert {path: path.read_bytes() for path in written[0].rglob("*") if path.is_file()} == before


def test_no_credentials_are_reported(cloud, tmp_path, monkeypatch):
    """Without any credentials nothing is asked, and the message says how to name some."""
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    result = run_update(tmp_path / "c")
    assert result.exit_code == 2
    assert "no usable credentials" in words(result)
    assert cloud.front.asked == []


def test_an_unknown_region_is_reported_before_anything_is_asked(cloud, tmp_path):
    """A slip gets the nearest region."""
    result = run_update(tmp_path / "c", "us-wst-2", REGION)
    assert result.exit_code == 2
    assert "region 'us-wst-2' is not known to AWS" in words(result)
    assert "did you mean us-west-2?" in words(result)
    assert cloud.front.asked == []


def test_an_unknown_profile_is_reported(cloud):
    """A profile that the configuration lacks is no internal error."""
    result = CliRunner().invoke(main, ["catalog", "update", "--region", REGION, "--profile", "nobody"])
    assert result.exit_code == 2
    assert "nobody" in words(result)
    assert cloud.front.asked == []


@pytest.mark.parametrize("moment", ["fsync", "replace"])
def test_an_interrupted_update_leaves_the_old_files_whole(moment, changed, monkeypatch):
    """Ctrl-C while the new file is written or put in place: the old one is still there, and no scrap of the new one."""
    folder = Path(changed[0])
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    stubs = Stubs()
    answer_region(stubs.of("ec2", REGION), REGION, "c5.large")
    answer_prices(stubs.of("pricing", "us-east-1"), {"c5.large": "0.2"}, {"m5.metal": "5"})
    monkeypatch.setattr(os, moment, interrupt)
    with pytest.raises(KeyboardInterrupt):
        stubs.update(folder, REGION)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_an_update_that_stops_between_its_files_leaves_a_whole_catalogue(changed, monkeypatch):
    """Machines come first, so that the region's old file finds all of its machines."""
    folder, put = Path(changed[0]), os.replace

    def once(source: str, target: str) -> None:
        if Path(target).name != "machines.tsv":
            raise KeyboardInterrupt
        put(source, target)

    stubs = Stubs()
    answer_region(stubs.of("ec2", REGION), REGION, "c5.large")
    answer_prices(stubs.of("pricing", "us-east-1"), {"c5.large": "0.2"}, {"m5.metal": "5"})
    monkeypatch.setattr(os, "replace", once)
    with pytest.raises(KeyboardInterrupt):
        stubs.update(folder, REGION)
    assert set(load_chosen(folder, REGION).machines) == {"m4.large", "m5.large"}


def test_a_file_that_cannot_be_written_is_reported(tmp_path):
    """The folder's place is taken by a file."""
    (tmp_path / "aws").write_text("")
    with pytest.raises(InputError, match="the catalogue cannot be written"):
        write_catalogue_file(tmp_path / "aws" / "machines.tsv", "text")


def test_damaged_machines_stop_an_update_before_it_asks(cloud, tmp_path):
    """Records of other regions are not overwritten for want of being readable."""
    (tmp_path / "aws").mkdir()
    (tmp_path / "aws" / "machines.tsv").write_text("# cutlist catalogue 1\n# rows: 1\nx\n")
    result = run_update(tmp_path)
    assert result.exit_code == 2
    assert "machines.tsv:thecataloguefileisdamaged" in words(result).replace(" ", "")  # a long path is broken to the width
    assert cloud.front.asked == []


@lru_cache(maxsize=1)
def session() -> boto3.Session:
    """One for all, since each reads the SDK's descriptions of services from scratch."""
    return boto3.Session(aws_access_key_id="a", aws_secret_access_key="b")  # noqa: S106 - nobody checks it


class Stubs:
    """An account whose answers are given one by one."""

    def __init__(self) -> None:
        self.account = Account(session())

    def of(self, service: str, region: str) -> Stubber:
        stubber = Stubber(self.account.client(service, region))
        stubber.activate()
        return stubber

    def update(self, folder: Path, *regions: str) -> UpdateResult:
        return update(self.account, regions, CatalogFolder.of(folder), NOW)


def record(name: str, **more: Any) -> dict[str, Any]:
    return {
        "InstanceType": name,
        "SupportedUsageClasses": ["on-demand", "spot"],
        "SupportedVirtualizationTypes": ["hvm"],
        "ProcessorInfo": {"SupportedArchitectures": ["x86_64"], "Manufacturer": "Intel"},
        "VCpuInfo": {"DefaultVCpus": 2},
        "MemoryInfo": {"SizeInMiB": 8192},
        "NetworkInfo": {
            "DefaultNetworkCardIndex": 0,
            "Ipv4AddressesPerInterface": 10,
            "NetworkCards": [{"NetworkCardIndex": 0, "MaximumNetworkInterfaces": 3}],
        },
        **more,
    }


def answer_region(ec2: Stubber, region: str, *names: str) -> None:
    """One zone that sells these types, each in a page of its own; spot for the first."""
    zone = f"{region}a"
    ec2.add_response("describe_availability_zones", {"AvailabilityZones": [{"ZoneName": zone, "ZoneId": "z-az1"}]})
    for number, name in enumerate(names):
        page: dict[str, Any] = {"InstanceTypes": [record(name)]}
        asked: dict[str, Any] = {"MaxResults": 100}
        if number:
            asked["NextToken"] = str(number)
        if number + 1 < len(names):
            page["NextToken"] = str(number + 1)
        ec2.add_response("describe_instance_types", page, asked)
    offered = [{"InstanceType": name, "LocationType": "availability-zone", "Location": zone} for name in names]
    ec2.add_response("describe_instance_type_offerings", {"InstanceTypeOfferings": offered})
    spot = {
        "InstanceType": names[0],
        "AvailabilityZone": zone,
        "SpotPrice": "0.05",
        "ProductDescription": "Linux/UNIX",
        "Timestamp": NOW,
    }
    asked_spot = {"ProductDescriptions": ["Linux/UNIX", "Linux/UNIX (Amazon VPC)"], "StartTime": NOW}
    ec2.add_response("describe_spot_price_history", {"SpotPriceHistory": [spot]}, asked_spot)


def answer_prices(pricing: Stubber, shared: dict[str, str], metal: dict[str, str]) -> None:
    for prices in (shared, metal):
        products = [product(name, price) for name, price in prices.items()]
        pricing.add_response("get_products", {"PriceList": products}, {"ServiceCode": "AmazonEC2", "Filters": ANY})


def product(name: str, *prices: str) -> str:
    dimensions = {str(i): {"pricePerUnit": {"USD": price}} for i, price in enumerate(prices)}
    return json.dumps(
        {"product": {"attributes": {"instanceType": name}}, "terms": {"OnDemand": {"t": {"priceDimensions": dimensions}}}}
    )


def test_all_pages_are_read_and_a_pair_without_spot_price_has_none(tmp_path):
    """Types of every page are there; once spot prices are known, a type without one has none."""
    stubs = Stubs()
    answer_region(stubs.of("ec2", REGION), REGION, "m5.large", "m5.xlarge", "x99.large")
    answer_prices(stubs.of("pricing", "us-east-1"), {"m5.large": "0.1", "m5.xlarge": "0"}, {"m5.metal": "5"})
    made = stubs.update(tmp_path, REGION)
    assert not made.problems
    live = load_chosen(tmp_path, REGION)
    assert set(live.machines) == {"m5.large", "m5.xlarge", "x99.large"}
    assert live.spot_price("m5.large", "us-west-2a").usd_per_hour == 0.05
    assert live.spot_price("m5.xlarge", "us-west-2a") is None
    assert live.on_demand_price("x99.large") is None
    assert live.machines["x99.large"].network_mbps is None
    assert made.done[0].file.beyond_tables == 1


def test_half_a_price_list_changes_no_price(tmp_path):
    """Without prices of metal types Karpenter keeps the prices that it has, and so does the catalogue."""
    stubs = Stubs()
    answer_region(stubs.of("ec2", REGION), REGION, "m5.large")
    answer_prices(stubs.of("pricing", "us-east-1"), {"m5.large": "0.5"}, {})
    stubs.update(tmp_path, REGION)
    assert load_chosen(tmp_path, REGION).on_demand_price("m5.large") == load(REGION).on_demand_price("m5.large")


def test_govcloud_has_no_price_list(tmp_path):
    """Nothing is asked of a price list; the known prices stay and the offerings are new."""
    stubs = Stubs()
    answer_region(stubs.of("ec2", "us-gov-west-1"), "us-gov-west-1", "m5.large")
    assert not stubs.update(tmp_path, "us-gov-west-1").problems
    live = load_chosen(tmp_path, "us-gov-west-1")
    assert live.offered == {"m5.large": ("us-gov-west-1a",)}
    assert live.on_demand_price("m5.large") == load("us-gov-west-1").on_demand_price("m5.large")


@pytest.mark.parametrize("code", ["RequestLimitExceeded", "Throttling", "ThrottlingException"])
def test_lasting_throttling_fails_one_region_only(code, tmp_path):
    """The throttled region is reported, and the other is written."""
    stubs = Stubs()
    stubs.of("ec2", "eu-west-1").add_client_error("describe_availability_zones", code)
    answer_region(stubs.of("ec2", REGION), REGION, "m5.large")
    answer_prices(stubs.of("pricing", "us-east-1"), {"m5.large": "0.1"}, {"m5.metal": "5"})
    made = stubs.update(tmp_path, "eu-west-1", REGION)
    assert [done.live.region for done in made.done] == [REGION]
    (problem,) = made.problems.found
    assert str(problem).startswith(f"eu-west-1: AWS throttled ec2:DescribeAvailabilityZones once ({code}); wait some minutes")


@pytest.mark.parametrize("code", ["ExpiredToken", "ExpiredTokenException", "RequestExpired"])
def test_an_expired_credential_ends_the_update(code, tmp_path):
    """The other regions are not asked: they would say the same."""
    stubs = Stubs()
    stubs.of("ec2", "eu-west-1").add_client_error("describe_availability_zones", code)
    made = stubs.update(tmp_path, "eu-west-1", REGION)
    assert [str(p) for p in made.problems.found] == [
        f"eu-west-1: the credentials have expired ({code}); sign in again, then repeat the command"
    ]


@pytest.mark.parametrize("state", ["not-opted-in", "opt-in-not-required", None])
def test_a_region_that_is_not_enabled_is_reported_from_wrong_keys(state, tmp_path):
    """EC2 answers both with AuthFailure; the home region knows which it is, unless it may not be asked."""
    stubs = Stubs()
    stubs.of("ec2", "af-south-1").add_client_error("describe_availability_zones", "AuthFailure", "not able to validate")
    home = stubs.of("ec2", "us-east-1")
    if state:
        home.add_response("describe_regions", {"Regions": [{"RegionName": "af-south-1", "OptInStatus": state}]})
    else:
        home.add_client_error("describe_regions", "UnauthorizedOperation")
    (problem,) = stubs.update(tmp_path, "af-south-1").problems.found
    if state == "not-opted-in":
        assert str(problem).startswith("af-south-1: the account has not enabled this region")
    else:
        assert "AWS does not accept the credentials here (AuthFailure: not able to validate)" in str(problem)


def test_a_region_that_says_opt_in_is_not_enabled(tmp_path):
    """OptInRequired needs no second question."""
    stubs = Stubs()
    stubs.of("ec2", "me-south-1").add_client_error("describe_availability_zones", "OptInRequired")
    (problem,) = stubs.update(tmp_path, "me-south-1").problems.found
    assert "the account has not enabled this region" in str(problem)


def test_zero_is_no_price_and_the_last_of_several_counts():
    """As Karpenter reads the price list."""
    listed = [product("a.large", "0.0000000000"), product("b.large", "0.1", "0", "0.3"), product("c.large", "free")]
    assert on_demand_prices(listed, "USD") == {"b.large": 0.3}


def test_the_newest_spot_price_counts():
    """Whatever the order of the history; other products have no say."""

    def entry(day: int, price: str, kind: str = "Linux/UNIX") -> dict[str, Any]:
        at = datetime(2026, 1, day, tzinfo=UTC)
        return {"InstanceType": "t", "AvailabilityZone": "z", "SpotPrice": price, "ProductDescription": kind, "Timestamp": at}

    assert spot_prices([entry(3, "0.3"), entry(2, "0.2"), entry(4, "0.4", "Windows")]) == {"t": {"z": 0.3}}


@pytest.mark.parametrize(
    ("region", "endpoint"),
    [("ap-east-1", "ap-south-1"), ("cn-north-1", "cn-northwest-1"), ("eu-west-1", "eu-central-1"), ("sa-east-1", "us-east-1")],
)
def test_the_price_list_is_asked_where_it_is(region, endpoint):
    """Few regions have the service."""
    assert price_list_region(region) == endpoint


def test_odd_names_of_devices_do_not_break_the_format():
    """The signs that the file format joins with are not taken from names."""
    gpu = {"Manufacturer": "NVIDIA", "Name": "A:1+2", "Count": 1, "MemoryInfo": {"SizeInMiB": 1}}
    assert machine(record("z.large", GpuInfo={"Gpus": [gpu]}), {}, "L").gpus[0].name == "A 1 2"


def diff(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["catalog", "diff", *arguments])


@pytest.fixture
def changed(tmp_path):
    """Two catalogues of us-west-2: one type new, one gone, one re-priced."""
    for name, types, price in (("old", ("m5.large", "m4.large"), "0.1"), ("new", ("m5.large", "m6i.large"), "0.15")):
        stubs = Stubs()
        answer_region(stubs.of("ec2", REGION), REGION, *types)
        listed = {"m5.large": price, "m4.large": "1", "m6i.large": "1"}
        answer_prices(stubs.of("pricing", "us-east-1"), listed, {"m5.metal": "5"})
        stubs.update(tmp_path / name, REGION)
    return str(tmp_path / "old"), str(tmp_path / "new")


def test_a_comparison_names_new_gone_and_repriced_types(changed):
    """As text for people."""
    result = diff(*changed)
    assert result.exit_code == 0
    assert "us-west-2: 1 new, 1 removed, 0 in other zones, 1 price changed" in result.stdout
    assert "m5.large  on-demand  $0.1000  ->  $0.1500  +50.0%" in result.stdout


def test_a_comparison_as_json(changed):
    """The same with every price's source and date."""
    (found,) = reported = json.loads(diff(*changed, "-o", "json").stdout)
    assert faults("catalog-diff", reported) == []
    assert (found["new"], found["gone"]) == (["m6i.large"], ["m4.large"])
    (price,) = found["prices"]
    assert (price["type"], price["old"]["perHour"], price["new"]["perHour"]) == ("m5.large", 0.1, 0.15)
    assert price["new"]["date"] == "2026-11-20"


def test_a_difference_fails_under_strict_only(changed):
    """Equal catalogues are reported as equal."""
    assert diff(*changed, "--strict").exit_code == 1
    same = diff(changed[0], changed[0], "--strict")
    assert (same.exit_code, same.stdout) == (0, "us-west-2: no difference\n")


def test_a_comparison_with_the_embedded_catalogue(changed):
    """`embedded` is what comes with Cutlist; long lists are cut and say so."""
    result = diff("embedded", changed[1], "--limit", "3")
    assert "us-west-2: 0 new" in result.stdout
    assert "more; --limit 0 shows all" in result.stdout
    assert "more" not in diff("embedded", changed[1], "--limit", "0").stdout


def test_mistakes_of_a_comparison_are_reported(changed, tmp_path):
    """A folder that does not exist, and a region that one of them lacks."""
    nowhere = diff(str(tmp_path / "nowhere"), changed[1])
    assert (nowhere.exit_code, "there is no such folder" in words(nowhere)) == (2, True)
    region = diff("embedded", changed[1], "--region", "us-west-1")
    assert (region.exit_code, "region 'us-west-1' is not in both catalogues" in words(region)) == (2, True)


def test_a_comparison_needs_no_sdk(changed):
    """`catalog diff` works without the extra; `catalog update` says what to install."""
    hidden = "import sys\nfor name in ('boto3', 'botocore'): sys.modules[name] = None\nfrom cutlist_cli import main\nmain()"
    command = [sys.executable, "-c", hidden, "catalog"]
    shown = subprocess.run([*command, "diff", *changed], capture_output=True, text=True)
    assert shown.returncode == 0, shown.stderr
    refused = subprocess.run([*command, "update", "--region", REGION], capture_output=True, text=True)
    assert refused.returncode == 2
    assert "pip install 'cutlist[live]'" in refused.stderr


NODE_CLASS = """
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: nodes
  amiSelectorTerms: [{alias: al2023@latest}]
  securityGroupSelectorTerms: [{tags: {team: web}}]
  subnetSelectorTerms:
    - tags: {team: web, used: "*"}
    - id: subnet-0123456789abcdef0
  capacityReservationSelectorTerms:
    - tags: {team: web}
      ownerID: "123456789012"
    - id: cr-0123456789abcdef0
"""


def subnet(name: str, zone: str, free: int) -> dict[str, Any]:
    return {"SubnetId": name, "AvailabilityZone": zone, "AvailabilityZoneId": f"id-{zone}", "AvailableIpAddressCount": free}


def reservation(name: str, **more: Any) -> dict[str, Any]:
    common = {"InstanceType": "m5.large", "AvailabilityZone": "us-west-2a", "OwnerId": "123456789012"}
    return {"CapacityReservationId": name, **common, "InstanceMatchCriteria": "targeted", **more}


def test_selectors_find_what_the_controller_would(tmp_path):
    """Each term is asked for, subnets come most free addresses first, reservations that ended are dropped."""  # A-67 K-5
    stubs = Stubs()
    ec2 = stubs.of("ec2", REGION)
    by_tags = [{"Name": "tag:team", "Values": ["web"]}, {"Name": "tag-key", "Values": ["used"]}]
    ec2.add_response("describe_subnets", {"Subnets": [subnet("subnet-b", "us-west-2b", 5)]}, {"Filters": by_tags})
    both = [subnet("subnet-a", "us-west-2a", 9), subnet("subnet-b", "us-west-2b", 5)]
    by_id = [{"Name": "subnet-id", "Values": ["subnet-0123456789abcdef0"]}]
    ec2.add_response("describe_subnets", {"Subnets": both}, {"Filters": by_id})
    active = {"Name": "state", "Values": ["active"]}
    tagged = [active, {"Name": "tag:team", "Values": ["web"]}, {"Name": "owner-id", "Values": ["123456789012"]}]
    block = reservation("cr-b", ReservationType="capacity-block", EndDate=NOW + timedelta(minutes=39))
    answer = {"CapacityReservations": [block, reservation("cr-old", EndDate=NOW - timedelta(days=1))]}
    ec2.add_response("describe_capacity_reservations", answer, {"Filters": tagged})
    asked = {"Filters": [active], "CapacityReservationIds": ["cr-0123456789abcdef0"]}
    ec2.add_response(
        "describe_capacity_reservations", {"CapacityReservations": [reservation("cr-a", AvailableInstanceCount=3)]}, asked
    )
    (found,) = resolve(stubs.account, REGION, parse_documents(NODE_CLASS, "c.yaml", Problems()), NOW)
    status = EC2NodeClass.from_manifest(dict(found.manifest)).status
    assert [(s.id, s.zone, s.zone_id) for s in status.subnets] == [
        ("subnet-a", "us-west-2a", "id-us-west-2a"),
        ("subnet-b", "us-west-2b", "id-us-west-2b"),
    ]
    assert [(r.id, r.state, r.reservation_type) for r in status.capacity_reservations] == [
        ("cr-a", "active", "default"),
        ("cr-b", "expiring", "capacity-block"),
    ]
    assert [r["availableInstanceCount"] for r in found.manifest["status"]["capacityReservations"]] == [3, 0]


def test_the_resolved_class_is_planned_in_its_zones(cloud, tmp_path):
    """What `catalog resolve` prints is a class that a plan reads, with the account's subnets."""  # K-4
    ec2 = boto3.client("ec2", region_name=REGION)
    network = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
    tags = [{"ResourceType": "subnet", "Tags": [{"Key": "karpenter.sh/discovery", "Value": "shop"}]}]
    ec2.create_subnet(VpcId=network, CidrBlock="10.0.1.0/24", AvailabilityZone="us-west-2c", TagSpecifications=tags)
    pools = POOLS.read_text()
    result = CliRunner().invoke(main, ["catalog", "resolve", "-f", "-", "--region", REGION], input=pools)
    assert result.exit_code == 0, result.output
    assert "default: 1 subnets, 0 capacity reservations" in result.stderr
    (resolved,) = yaml.safe_load_all(result.stdout)
    assert [s["zone"] for s in resolved["status"]["subnets"]] == ["us-west-2c"]
    documents = [d for d in yaml.safe_load_all(pools) if d["kind"] != "EC2NodeClass"]
    (tmp_path / "all.yaml").write_text(yaml.safe_dump_all([*documents, resolved]))
    arguments = ["plan", "-f", str(tmp_path), "-f", str(WORKLOADS), "--region", REGION]
    plan = CliRunner().invoke(main, arguments)
    assert "subnets in every zone" not in plan.output
    assert plan.exit_code == 0, plan.output


def test_a_class_that_finds_no_subnet_is_reported(tmp_path):
    """The line of its selector and the region are in the message."""
    stubs = Stubs()
    only_subnets = NODE_CLASS.partition("  capacityReservation")[0]
    ec2 = stubs.of("ec2", REGION)
    ec2.add_response("describe_subnets", {"Subnets": []})
    ec2.add_response("describe_subnets", {"Subnets": []})
    with pytest.raises(InputError, match=r"c.yaml:9 spec.subnetSelectorTerms: no subnet of us-west-2"):
        resolve(stubs.account, REGION, parse_documents(only_subnets, "c.yaml", Problems()), NOW)


def test_input_without_a_class_is_reported():
    """Nothing is asked."""
    pod = parse_documents("kind: Pod\napiVersion: v1\nmetadata: {name: a}", "c.yaml", Problems())
    with pytest.raises(InputError, match="no EC2NodeClass is in the input"):
        resolve(Stubs().account, REGION, pod, NOW)


def test_a_zone_that_is_not_open_to_the_account_sells_nothing(tmp_path):
    """Offerings of a Local Zone without opt-in are left out, and machines that are sold nowhere else."""
    stubs = Stubs()
    ec2 = stubs.of("ec2", REGION)
    ec2.add_response("describe_availability_zones", {"AvailabilityZones": [{"ZoneName": "us-west-2a", "ZoneId": "usw2-az2"}]})
    ec2.add_response("describe_instance_types", {"InstanceTypes": [record("m5.large"), record("t3.small")]})
    places = [("m5.large", "us-west-2a"), ("m5.large", "us-west-2-lax-1a"), ("t3.small", "us-west-2-lax-1a")]
    offerings = [{"InstanceType": name, "Location": zone} for name, zone in places]
    ec2.add_response("describe_instance_type_offerings", {"InstanceTypeOfferings": offerings})
    ec2.add_response("describe_spot_price_history", {"SpotPriceHistory": []})
    answer_prices(stubs.of("pricing", "us-east-1"), {"m5.large": "0.1"}, {"m5.metal": "5"})
    assert not stubs.update(tmp_path, REGION).problems
    live = load_chosen(tmp_path, REGION)
    assert live.offered == {"m5.large": ("us-west-2a",)}
    # nothing is known of spot, so the on-demand price stands in.
    assert live.spot_price("m5.large", "us-west-2a").estimated


def test_a_type_newer_than_the_embedded_catalogue_may_be_named(tmp_path):
    """A NodePool asks for a type that only the account knows: known with its catalogue, warned of without."""
    stubs = Stubs()
    answer_region(stubs.of("ec2", REGION), REGION, "x99.large")
    answer_prices(stubs.of("pricing", "us-east-1"), {"x99.large": "0.1"}, {"m5.metal": "5"})
    stubs.update(tmp_path / "catalogue", REGION)
    node_class, pool = yaml.safe_load_all(POOLS.read_text())
    wanted = {"key": "node.kubernetes.io/instance-type", "operator": "In", "values": ["x99.large"]}
    pool["spec"]["template"]["spec"]["requirements"] = [wanted]
    (tmp_path / "pools.yaml").write_text(yaml.safe_dump_all([node_class, pool]))
    arguments = ["types", "-f", str(tmp_path / "pools.yaml"), "--region", REGION]
    known = CliRunner().invoke(main, [*arguments, "--catalog", str(tmp_path / "catalogue")])
    assert (known.exit_code, "x99.large" in known.stdout) == (0, True), known.output
    unknown = CliRunner().invoke(main, arguments)
    assert unknown.exit_code == 0
    assert "no known EC2 instance type has node.kubernetes.io/instance-type x99.large" in " ".join(unknown.stdout.split())
