"""`cutlist catalog update --public`: made answers of the public endpoints, served by a real server on 127.0.0.1.

The forms are those that AWS, Azure and SkyPilot document. No test, and no machine of this project, has reached them.
"""

from __future__ import annotations

import csv
import http.server
import io
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml
from click.testing import CliRunner, Result

from cutlist.catalog.embedded import load, load_chosen
from cutlist.catalog.regions import AnyRegion
from cutlist_cli import main

REGION = "us-west-2"
LOCATION = "westeurope"
_MACHINE = {
    "TermType": "OnDemand",
    "Product Family": "Compute Instance",
    "Tenancy": "Shared",
    "Operating System": "Linux",
    "License Model": "No License required",
    "CapacityStatus": "Used",
    "Pre Installed S/W": "NA",
    "MarketOption": "OnDemand",
    "Unit": "Hrs",
}
_COLUMNS = (
    *("SKU", "OfferTermCode", "RateCode", "TermType", "PriceDescription", "EffectiveDate", "StartingRange", "EndingRange"),
    *("Unit", "PricePerUnit", "Currency", "RelatedTo", "Product Family", "serviceCode", "Location", "Instance Type", "Tenancy"),
    *("Operating System", "License Model", "Group", "usageType", "operation", "CapacityStatus", "MarketOption"),
    *("Pre Installed S/W", "Region Code"),
)
_EC2 = [
    {**_MACHINE, "Instance Type": "m5.large", "PricePerUnit": "0.1110000000"},
    {**_MACHINE, "Instance Type": "m5.large", "PricePerUnit": "0.0700000000", "TermType": "Reserved"},
    {**_MACHINE, "Instance Type": "m5.large", "PricePerUnit": "0.2220000000", "Operating System": "Windows"},
    {**_MACHINE, "Instance Type": "m5.large", "PricePerUnit": "0.9990000000", "Pre Installed S/W": "SQL Web"},
    {**_MACHINE, "Instance Type": "m5.large", "PricePerUnit": "0.1330000000", "Region Code": "us-west-2-lax-1"},
    {**_MACHINE, "Instance Type": "c6a.2xlarge", "PricePerUnit": "0.3000000000"},
    {**_MACHINE, "Instance Type": "zz9.large", "PricePerUnit": "0.5000000000"},
    *(
        {**_MACHINE, "Product Family": "Compute Instance (bare metal)", "Instance Type": "m5.metal"}
        | {"Tenancy": tenancy, "PricePerUnit": price}
        for tenancy, price in (("Shared", "5.0000000000"), ("Dedicated", "5.5000000000"))
    ),
    {"Product Family": "Storage", "usageType": "USW2-EBS:VolumeUsage.gp3", "PricePerUnit": "0.0900000000", "Unit": "GB-Mo"},
    {"Product Family": "NAT Gateway", "usageType": "USW2-NatGateway-Hours", "PricePerUnit": "0.0460000000", "Unit": "Hrs"},
]
_SERVICES = {
    "AmazonEC2": _EC2,
    "AmazonEKS": [
        {"Product Family": "Compute", "usageType": "USW2-AmazonEKS-Hours:perCluster", "PricePerUnit": "0.1"},
        {"Product Family": "EKS Auto", "usageType": "USW2-EKS-Auto:m5.large-management-hours", "PricePerUnit": "0.0133"},
    ],
    "AmazonVPC": [{"Product Family": "VpcEndpoint", "usageType": "USW2-VpcEndpoint-Hours", "PricePerUnit": "0.012"}],
    "AWSELB": [
        {"Product Family": "Load Balancer-Network", "usageType": "USW2-LoadBalancerUsage", "PricePerUnit": "0.0225"},
        {"Product Family": "Load Balancer-Application", "usageType": "USW2-LoadBalancerUsage", "PricePerUnit": "0.023"},
    ],
    "awskms": [{"Product Family": "Encryption Key", "usageType": "us-west-2-KMS-Keys", "PricePerUnit": "1.0"}],
    "AmazonCloudWatch": [
        {"SKU": "A", "Product Family": "Alarm", "usageType": "USW2-CW:AlarmMonitorUsage", "StartingRange": "0"}
        | {"PricePerUnit": "0.1"},
        {"SKU": "A", "Product Family": "Alarm", "usageType": "USW2-CW:AlarmMonitorUsage", "StartingRange": "1000"}
        | {"PricePerUnit": "0.02"},
    ],
}
_SKYPILOT = """InstanceType,vCPUs,MemoryGiB,Price,SpotPrice,Region,AvailabilityZone
m5.large,2,8,0.111,0.0444,us-west-2,usw2-az1
m5.large,2,8,0.111,0.0555,us-west-2,usw2-az2
m5.large,2,8,0.111,0.0111,us-east-1,use1-az1
c6a.2xlarge,8,16,0.3,,us-west-2,usw2-az1
"""
_ADVISOR = {
    "ranges": [{"index": 0, "label": "<5%"}],
    "spot_advisor": {
        REGION: {"Linux": {"m5.large": {"s": 50, "r": 1}, "c6a.2xlarge": {"s": 60, "r": 0}, "zz9.large": {"s": 9}}}
    },
}
_RETAIL = [
    ("Standard_D4s_v5", "D4s v5", "Virtual Machines Dsv5 Series", 0.2),
    ("Standard_D4s_v5", "D4s v5 Spot", "Virtual Machines Dsv5 Series", 0.05),
    ("Standard_D8s_v5", "D8s v5", "Virtual Machines Dsv5 Series", 0.4),
]


def _price_file(rows: list[dict[str, str]]) -> bytes:
    """Return a price list file: five lines about it, then the table."""
    text = io.StringIO()
    about = (("FormatVersion", "v1.0"), ("Disclaimer", "a, b"), ("Publication Date", "2026-11-27"), ("Version", "1"))
    writer = csv.writer(text, quoting=csv.QUOTE_ALL)
    writer.writerows((*about, ("OfferCode", "x"), _COLUMNS))
    for number, row in enumerate(rows):
        own = {"SKU": f"S{number}", "TermType": "OnDemand", "StartingRange": "0", "Currency": "USD", "Region Code": REGION}
        writer.writerow([{**own, **row}.get(column, "") for column in _COLUMNS])
    return text.getvalue().encode()


@dataclass
class Public:
    """All endpoints at once. `broken` answers a path with a status, `cut` ends its answer early; `asked` is what was asked."""

    address: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    broken: dict[str, int] = field(default_factory=dict)
    busy: dict[str, int] = field(default_factory=dict)
    cut: set[str] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)

    def page(self, query: str) -> bytes:
        """Return two rows of Azure's list: the next page is named at the address that the public list has."""
        said = parse_qs(query)
        skip = int(said.get("$skip", ["0"])[0])
        rows = _RETAIL if "Virtual Machines" in said["$filter"][0] else []
        items = [
            {"armSkuName": size, "skuName": sku, "productName": product, "meterName": sku, "retailPrice": price}
            | {"armRegionName": LOCATION, "serviceName": "Virtual Machines", "type": "Consumption"}
            for size, sku, product, price in rows[skip : skip + 2]
        ]
        more = f"https://prices.azure.com:443/api/retail/prices?{query.partition('&$skip')[0]}&$skip={skip + 2}"
        return json.dumps({"Items": items, "NextPageLink": more if skip + 2 < len(rows) else None}).encode()


@pytest.fixture
def public(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Public]:
    monkeypatch.setenv("CUTLIST_CACHE", str(tmp_path / "cache"))
    remote = Public()
    remote.files = {f"/aws/{name}/current/{REGION}/index.csv": _price_file(rows) for name, rows in _SERVICES.items()}
    remote.files |= {"/vms.csv": _SKYPILOT.encode(), "/advisor.json": json.dumps(_ADVISOR).encode()}

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path, _, query = self.path.partition("?")
            remote.asked.append(path)
            data = remote.page(query) if path == "/api/retail/prices" else remote.files.get(path)
            status = remote.broken.get(path, 200 if data is not None else 404)
            if remote.busy.get(path, 0):
                remote.busy[path] -= 1
                status = 429
            self.send_response(status)
            self.send_header("Content-Length", str(len(data or b"")))
            self.send_header("Retry-After", "0")
            self.end_headers()
            if status == 200 and data is not None:
                self.wfile.write(data[: len(data) // 2] if path in remote.cut else data)

        def log_message(self, *_: object) -> None: ...

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    remote.address = f"http://127.0.0.1:{server.server_port}"
    yield remote
    server.shutdown()
    server.server_close()


def _update(remote: Public, to: Path, *options: str) -> Result:
    at = remote.address
    where = ["--aws-price-list", f"{at}/aws", "--spot-advisor", f"{at}/advisor.json", "--skypilot-catalog", f"{at}/vms.csv"]
    words = ["catalog", "update", "--public", *where, "--azure-price-list", at, "--to", str(to), *options]
    return CliRunner().invoke(main, words)


def _read(to: Path, region: str = REGION) -> AnyRegion:
    return load_chosen(str(to), region)


def test_prices_of_a_region_are_read_from_public_files(public: Public, tmp_path: Path) -> None:
    """List prices, Windows, services; spot by zone, else by its saving; what no file has stays."""
    to = tmp_path / "catalogue"
    result = _update(public, to, "--region", REGION)
    assert result.exit_code == 0, result.output
    new, old = _read(to), load(REGION)
    assert new.on_demand["m5.large"].usd_per_hour == 0.111
    assert not new.on_demand["m5.large"].estimated
    assert new.on_demand["m5.metal"].usd_per_hour == 5.5  # what Karpenter ranks metal types by
    assert new.windows["m5.large"].usd_per_hour == 0.222
    zones = {zone.zone_id: zone.name for zone in new.zones}
    spot = (new.spot or {})["m5.large"]
    assert spot[zones["usw2-az1"]].usd_per_hour == 0.0444
    assert not spot[zones["usw2-az1"]].estimated
    assert spot[zones["usw2-az3"]].usd_per_hour == pytest.approx(0.04995)  # of its other zones
    assert spot[zones["usw2-az3"]].estimated
    advised = (new.spot or {})["c6a.2xlarge"][zones["usw2-az1"]]
    assert advised.usd_per_hour == pytest.approx(0.12)
    assert advised.low is not None
    assert "Spot Advisor" in advised.source
    assert new.on_demand["r5.large"] == old.on_demand["r5.large"]  # no file has it: price, source and date stay
    for item, usd in (
        ("nat-gateway", 0.046),
        ("ebs-gp3", 0.09 / 730),
        ("metric-alarm", 0.1 / 730),
        ("network-load-balancer", 0.0225),
        ("eks-auto-m5.large", 0.0133),
    ):
        price = new.service_price(item)
        assert price is not None
        assert price.usd_per_hour == pytest.approx(usd)
    assert "zz9.large" not in new.machines
    assert "1 type of the price list has no record of its hardware here, and was left out" in result.output


@pytest.mark.parametrize("path", ["/vms.csv", "/advisor.json", f"/aws/AmazonEKS/current/{REGION}/index.csv"])
def test_a_file_that_cannot_be_read_is_one_open_part(public: Public, tmp_path: Path, path: str) -> None:
    """The rest is written; the answer names the part, once, and is not a success."""
    to = tmp_path / "catalogue"
    assert _update(public, to, "--region", REGION).exit_code == 0
    before = _read(to)
    public.broken[path] = 500
    result = _update(public, to, "--region", REGION)
    assert result.exit_code == 2
    assert " ".join(result.output.split()).count(f"{path} is answered with 500") == 1
    assert "what was known of it stays" in " ".join(result.output.split())
    after = _read(to)
    assert after.on_demand["m5.large"].usd_per_hour == 0.111
    if path == "/vms.csv":  # published prices of zones are kept, not replaced by an estimate
        assert (after.spot or {})["m5.large"] == (before.spot or {})["m5.large"]


@pytest.mark.parametrize("cut", [True, False])
def test_what_ends_early_or_is_no_table_is_never_taken_for_the_whole(public: Public, tmp_path: Path, cut: bool) -> None:
    """Neither a transfer that breaks off nor a line that is cut changes a price."""
    to, path = tmp_path / "catalogue", f"/aws/AmazonEC2/current/{REGION}/index.csv"
    assert _update(public, to, "--region", REGION).exit_code == 0
    before = (to / "aws/regions" / f"{REGION}.tsv").read_text()
    changed = public.files[path].replace(b"0.1110000000", b"0.7770000000")
    public.files[path] = changed if cut else changed[: len(changed) // 2]
    public.cut = {path} if cut else set()
    public.broken = {"/vms.csv": 404, "/advisor.json": 404}
    result = _update(public, to, "--region", REGION)
    assert result.exit_code == 2
    assert ("ended after" if cut else "cannot be read as CSV") in " ".join(result.output.split())
    after = (to / "aws/regions" / f"{REGION}.tsv").read_text()
    assert "0.777" not in after
    assert _read(to).on_demand["m5.large"].usd_per_hour == 0.111
    assert len(after) > len(before) // 2


def test_nothing_read_writes_nothing(public: Public, tmp_path: Path) -> None:
    public.files = {}
    result = _update(public, tmp_path / "catalogue", "--region", REGION)
    assert result.exit_code == 2
    assert "is answered with 404" in result.output
    assert not (tmp_path / "catalogue").exists()


def test_offline_takes_what_was_read_last(public: Public, tmp_path: Path) -> None:
    """Without any question to a server; what was never read is an open part."""
    assert _update(public, tmp_path / "a", "--region", REGION).exit_code == 0
    public.asked.clear()
    result = _update(public, tmp_path / "b", "--region", REGION, "--offline")
    assert result.exit_code == 0, result.output
    assert public.asked == []
    assert _read(tmp_path / "b").on_demand["m5.large"].usd_per_hour == 0.111
    never = _update(public, tmp_path / "c", "--region", "eu-central-1", "--offline")
    assert never.exit_code == 2
    assert "not in the cache" in " ".join(never.output.split())


def test_a_busy_server_is_asked_again(public: Public, tmp_path: Path) -> None:
    public.busy["/vms.csv"] = 2
    start = time.monotonic()
    assert _update(public, tmp_path / "catalogue", "--region", REGION).exit_code == 0
    assert public.asked.count("/vms.csv") == 3
    assert time.monotonic() - start < 60


def test_the_regions_of_a_folder_are_read_without_naming_them(public: Public, tmp_path: Path) -> None:
    to = tmp_path / "catalogue"
    none = _update(public, to)
    assert none.exit_code == 2
    assert "no region is given" in none.output
    assert _update(public, to, "--region", REGION).exit_code == 0
    again = _update(public, to)
    assert again.exit_code == 0
    assert REGION in again.output


def test_prices_of_azure_are_read_page_by_page_from_the_address_that_was_chosen(public: Public, tmp_path: Path) -> None:
    """A page names the next one at the public address, which a mirror replaces."""
    to = tmp_path / "catalogue"
    result = _update(public, to, "--cloud", "azure", "--region", LOCATION)
    assert result.exit_code == 0, result.output
    new = _read(to, LOCATION)
    assert new.on_demand["Standard_D8s_v5"].usd_per_hour == 0.4  # of the second page
    assert {price.usd_per_hour for price in (new.spot or {})["Standard_D4s_v5"].values()} == {0.05}
    assert {urlsplit(path).path for path in public.asked} == {"/api/retail/prices"}


@pytest.mark.parametrize("options", [["--profile", "x"], ["--prices"], ["--from", "."]])
def test_options_of_an_account_are_refused_beside_public_files(public: Public, tmp_path: Path, options: list[str]) -> None:
    cloud = ["--cloud", "azure"] if options[0] == "--from" else []
    result = _update(public, tmp_path, "--region", REGION, *cloud, *options)
    assert result.exit_code == 2
    assert "cannot be combined with --public" in result.output
    assert public.asked == []


def test_an_address_without_public_is_refused(tmp_path: Path) -> None:
    words = ["catalog", "update", "--region", REGION, "--spot-advisor", "http://127.0.0.1/x", "--to", str(tmp_path)]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert "needs --public" in result.output


def _steps(workflow: Path) -> list[dict[str, Any]]:
    (job,) = yaml.safe_load(workflow.read_text())["jobs"].values()
    return list(job["steps"])


@pytest.mark.sampled(one_in=2)
@pytest.mark.parametrize("own", [False, True])
def test_the_scheduled_workflow_proposes_what_differs_and_what_it_does_to_the_plans(
    public: Public, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own: bool
) -> None:
    """Its steps run in bash as GitHub runs them: the workflow that `new ci --prices` writes, and that of this project, each
    with the sample. One file cannot be read, which the text says, and the job fails at its end."""
    root, here, temp = Path(__file__).resolve().parents[2], tmp_path / "work", tmp_path / "temp"
    temp.mkdir()
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com"]
    subprocess.run(["git", "init", "-q", "--bare", tmp_path / "remote"], check=True)
    shutil.copytree(root / "examples/shop", here / "examples/shop" if own else here)
    if own:
        for name in ("machines.tsv", "services.tsv", "spot.tsv", f"regions/{REGION}.tsv", "regions/eu-west-1.tsv"):
            (here / "cutlist/catalog/data/aws" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / "cutlist/catalog/data/aws" / name, here / "cutlist/catalog/data/aws" / name)
        workflow = root / ".github/workflows/prices.yml"
    else:
        assert _update(public, here / "cutlist-catalog", "--region", REGION).exit_code == 0
    subprocess.run(["git", "init", "-q", "-b", "main", here], check=True)
    monkeypatch.chdir(here)
    if not own:
        made = CliRunner().invoke(main, ["new", "ci", "--prices", "--source", "https://github.com/acme/cutlist@4f1c0de"])
        assert made.exit_code == 0, made.output
        workflow = Path(".github/workflows/cutlist-prices.yml")
    programs = (here / ".venv/bin") if own else tmp_path / "bin"
    programs.mkdir(parents=True)
    (programs / "cutlist").write_text(f'#!/bin/sh\nPYTHONPATH={root} exec {sys.executable} -m cutlist_cli "$@"\n')
    (programs / "gh").write_text('#!/bin/sh\necho "$@" >> "$RUNNER_TEMP/gh.txt"\n')
    for program in programs.iterdir():
        program.chmod(0o755)
    (here / ".gitignore").write_text(".venv\n")
    for words in (["add", "."], ["commit", "-q", "-m", "a"], ["remote", "add", "origin", str(tmp_path / "remote")]):
        subprocess.run([*git, *words], check=True)
    public.files[f"/aws/AmazonEC2/current/{REGION}/index.csv"] = _price_file(
        [{**row, "PricePerUnit": "0.4000000000"} if row.get("Instance Type") == "c6a.2xlarge" else row for row in _EC2]
    )
    public.broken["/advisor.json"] = 500
    addresses = {"AWS_PRICE_LIST": "aws", "SPOT_ADVISOR": "advisor.json", "SKYPILOT_CATALOG": "vms.csv", "AZURE_PRICE_LIST": ""}
    variables = {f"CUTLIST_{name}": f"{public.address}/{path}" for name, path in addresses.items()}
    env = {**os.environ, **variables, "RUNNER_TEMP": str(temp), "PATH": f"{programs}:{os.environ['PATH']}"}
    outcomes = []
    for step in _steps(workflow):
        if "run" in step and not step["run"].startswith(("pip ", "make ", "exit ")):
            done = subprocess.run(["bash", "-e", "-c", step["run"]], env=env, capture_output=True, text=True, check=False)
            outcomes.append(done.returncode)
            assert done.returncode == 0 or step.get("continue-on-error"), done.stderr + done.stdout
    assert outcomes == [2, 0, 0]  # the last step then fails the job
    body = (temp / "body.md").read_text()
    assert "/advisor.json is answered with 500" in " ".join(body.split())
    assert "c6a.2xlarge" in body.partition("####")[0]
    assert body.count("### Node plan for") + body.count("gives no answer") == 2
    assert "pr create --head" in (temp / "gh.txt").read_text()
    pushed = subprocess.run(["git", "ls-remote", "origin"], check=True, capture_output=True, text=True).stdout
    assert "prices" in pushed
    changed = subprocess.run(["git", "diff", "--stat", "main"], check=True, capture_output=True, text=True).stdout
    assert f"{REGION}.tsv" in changed
    assert "aws/machines.tsv" not in changed  # which the prices do not concern
