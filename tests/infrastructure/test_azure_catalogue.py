"""The catalogue of a subscription of Azure: from saved answers without any SDK, and from served ones through it."""

from __future__ import annotations

import csv
import inspect
import json
import subprocess
import sys
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml
from azure.mgmt.compute.operations import ResourceSkusOperations, UsageOperations
from click.testing import CliRunner, Result

from cutlist.catalog.embedded import all_sizes, load_chosen, load_location
from cutlist.catalog.folder import CatalogFolder
from cutlist.catalog.regions import LocationCatalog, is_azure
from cutlist.core.errors import InputError
from cutlist.planning.read_inputs import read_inputs
from cutlist.verbs.plan.answer import plan
from cutlist_cli import main
from cutlist_live.azure_location import SavedAnswers
from cutlist_live.azure_prices import retail_prices
from cutlist_live.azure_sizes import size_of
from cutlist_live.azure_update import update_locations
from tests.infrastructure.aws_servers import serving
from tests.infrastructure.azure_answers import LOCATION, SKUS, SUBSCRIPTION, Azure, price, save, sku
from tests.recorded import FACTS
from tests.unit.planning.manifests import deployment

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["catalog", *map(str, arguments)])


def words(result: Result) -> str:
    return " ".join(result.stderr.split())


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> tuple[Path, Result]:
    """A catalogue from saved answers, and what the command said."""
    folder = tmp_path_factory.mktemp("azure")
    answers = save(folder / "answers")
    said = run("update", "--cloud", "azure", "--region", LOCATION, "--from", answers, "--to", folder / "catalogue")
    return folder / "catalogue", said


@pytest.fixture
def live(written) -> LocationCatalog:
    found = load_chosen(written[0], LOCATION)
    assert is_azure(found)
    return found


def test_the_update_says_what_it_read(written):
    """Numbers of sizes, prices and quotas, and what is not there."""
    folder, said = written
    assert (said.exit_code, said.stderr) == (0, "")
    assert said.stdout.splitlines() == [
        f"japaneast: 4 sizes in 4 zones, 4 on-demand prices, 1 spot prices; written to {folder}/azure/regions/japaneast.tsv",
        f"  4 quotas written to {folder}/azure/quotas/japaneast.yaml; give them to plans as a file",
        "  not open to the subscription and left out: 1 size",
        "  not in the price list, so with the price known before, its source and date: 3 sizes",
    ]


# Z-62
def test_a_record_is_right_whatever_the_name_tells(live):
    """Every field of it."""
    odd = live.machines["Standard_D8s_v5"]
    said = {f.name: getattr(odd, f.name) for f in fields(odd) if f.name not in ("name", "parts", "source")}
    assert said == {
        "family": "standardOddFamily",
        "vcpus": 6,
        "memory_gib": 31.5,
        "architecture": "x64",
        "gpus": 0,
        "generations": ("1",),
        "premium_io": False,
        "accelerated_networking": False,
        "encryption_at_host": False,
        "trusted_launch": False,
        "spot": False,
        "ephemeral_os_disk": True,
        "placements": ("ResourceDisk", "CacheDisk"),
        "cache_gib": 200.0,
        "temporary_mib": 76800,
        "nvme_mib": 0,
        "derived": frozenset(),
    }
    assert live.machines["Standard_D8ds_v6"].nvme_mib == 450560
    assert not live.machines["Standard_E16as_v5"].trusted_launch


# Z-62
def test_zones_and_restrictions_are_those_of_the_subscription(live):
    """A restricted zone is left out, a restricted location the whole size; one without zones is in zone 0 alone."""
    assert live.offered == {
        "Standard_D8_v4": ("0", "japaneast-1", "japaneast-2"),
        "Standard_D8ds_v6": ("0",),
        "Standard_D8s_v5": ("0", "japaneast-1", "japaneast-2", "japaneast-3"),
        "Standard_E16as_v5": ("0", "japaneast-2"),
    }


# Z-54 Z-59 Z-62
def test_prices_are_the_lowest_of_linux(live):
    """Windows and low priority are other things; what the list lacks keeps the price known before, with its source."""
    d8, e16 = live.on_demand_price("Standard_D8_v4"), live.on_demand_price("Standard_E16as_v5")
    assert d8 is not None
    assert (d8.usd_per_hour, d8.source) == (0.5, "Azure API: retail prices")
    assert {live.spot_price("Standard_D8_v4", z).usd_per_hour for z in ("0", "japaneast-1")} == {0.08}
    assert live.spot_price("Standard_E16as_v5", "0") is None
    assert e16 == load_location(LOCATION).on_demand_price("Standard_E16as_v5")


# Z-54
@pytest.mark.parametrize(("location", "expected"), [("japaneast", 65.0), ("eastus", 23.296)])
def test_a_flat_price_of_large_sizes_is_passed_over_where_it_is_known_to_be_wrong(location, expected):
    rows = [price("Standard_M416s_6_v3", p, armRegionName=location) for p in (23.296, 65.0)]
    assert retail_prices(rows, location) == ({"Standard_M416s_6_v3": expected}, {})


# Z-62
def test_quotas_become_a_file_for_plans(written, live):
    """What is left of those of the location's families, of spot and of all; never less than none."""
    folder, _ = written
    file = folder / "azure" / "quotas" / "japaneast.yaml"
    assert yaml.safe_load(file.read_text())["aks"]["quotas"] == {
        "cores": 60,
        "lowPriorityCores": 50,
        "standardDv4Family": 6,
        "standardEASv5Family": 0,
    }
    pool = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_D8_v4]}]
"""
    planned = plan(read_inputs([file, "-"], region=LOCATION, catalog=folder, stdin=f"{pool}---{deployment()}"))
    (node,) = planned.nodes
    assert (node.capacity_type, node.price.usd_per_hour, node.zones) == ("spot", 0.08, ("japaneast-1", "japaneast-2"))
    assert {note.code for note in planned.assumptions}.isdisjoint({"quotas-unknown", "derived-facts", "catalogue"})


def test_a_folder_may_hold_both_clouds(written, tmp_path):
    """An update of one leaves the other as it is, and each is found by its region."""
    answers = save(tmp_path / "answers")
    for _ in range(2):
        update_locations(SavedAnswers(answers), [LOCATION], CatalogFolder.of(tmp_path / "both", "azure"), NOW)
    (tmp_path / "both" / "aws").mkdir()
    assert is_azure(load_chosen(tmp_path / "both", LOCATION))
    with pytest.raises(InputError, match="region 'us-west-2' is not in the catalogue"):
        load_chosen(tmp_path / "both", "us-west-2")


def test_two_catalogues_of_azure_are_compared(written):
    result = run("diff", "embedded", written[0], "--limit", 1)
    assert result.exit_code == 0
    assert result.stdout.startswith("japaneast: 0 new, ")
    assert "Standard_D8_v4" in run("diff", "embedded", written[0], "--limit", 0).stdout


def test_sizes_of_the_embedded_catalogue_are_those_of_their_records():
    """All twenty of which there is a whole one."""
    records: dict[str, dict[str, str]] = {}
    with (FACTS / "azure-sku-samples.csv").open() as file:
        for row in csv.DictReader(file):
            records.setdefault(row["size"], {})[row["key"]] = row["value"]
    for name, said in records.items():
        record = {"name": name, "family": said["family"], "capabilities": [{"name": k, "value": v} for k, v in said.items()]}
        ours = all_sizes().get(name)
        if ours is None or ours.source != "F":
            continue
        found = size_of(record, "F")
        for field in (
            "vcpus",
            "memory_gib",
            "architecture",
            "generations",
            "premium_io",
            "trusted_launch",
            "ephemeral_os_disk",
        ):
            assert getattr(ours, field) == getattr(found, field), (name, field)


@pytest.mark.parametrize(
    ("answers", "reported"),
    [
        ({"skus": None}, "az vm list-skus"),
        ({"skus": "[{"}, "this is not JSON"),
        ({"skus": "3"}, "this is not a list of objects"),
        ({"skus": []}, "Azure lists no VM size for this location"),
        ({"skus": [SKUS[2]]}, "no size there is open to the subscription"),
    ],
)
def test_answers_that_cannot_be_used_are_reported(tmp_path, answers, reported):
    """With what they should be, and nothing is written."""
    result = run(
        "update",
        "--cloud",
        "azure",
        "--region",
        LOCATION,
        "--from",
        save(tmp_path / "a", **answers),
        "--to",
        tmp_path / "c",
    )
    assert (result.exit_code, reported in words(result)) == (2, True), result.output
    assert not list(tmp_path.glob("c/**/*.tsv"))


def test_prices_and_quotas_may_be_missing(tmp_path):
    """Then those known before stay, and quotas are without limit."""
    made = update_locations(
        SavedAnswers(save(tmp_path / "a", usage=None, prices=None)), [LOCATION], CatalogFolder.of(tmp_path / "c", "azure"), NOW
    )
    assert not made.problems
    assert (made.done[0].file.kept, made.done[0].live.quotas) == (4, {})


def test_a_size_of_which_nothing_is_known_but_its_record(tmp_path):
    """It has no price, and is read back as it was written."""
    answers = save(tmp_path / "a", skus=[sku("Standard_D2x_v9", "standardDXv9Family", 2, "8")])
    made = update_locations(SavedAnswers(answers), [LOCATION], CatalogFolder.of(tmp_path / "c", "azure"), NOW)
    assert "without a known price, so taken last by plans: 1 size" in made.done[0].summary
    assert load_chosen(tmp_path / "c", LOCATION).machines["Standard_D2x_v9"].vcpus == 2


@pytest.mark.parametrize(
    ("options", "reported"),
    [
        (("--cloud", "azure", "--region", "japaneast", "--profile", "p"), "--profile: cannot be combined with --cloud azure"),
        (("--region", "us-west-2", "--subscription", "s"), "--subscription: cannot be combined with --cloud aws"),
        (("--cloud", "azure", "--region", "japaneast", "--region", "westus", "--from", "a"), "about one location"),
        (("--cloud", "azure", "--region", "Japan East", "--from", "a"), "is not a name of a location of Azure"),
        (("--cloud", "azure", "--region", "us-west-2", "--from", "a"), "a region of AWS, which is read without --cloud azure"),
        (("--region", "westeurope"), "a location of Azure, which is read with --cloud azure"),
    ],
)
def test_options_that_do_not_go_together_are_reported(options, reported):
    result = run("update", *options)
    assert (result.exit_code, reported in words(result)) == (2, True), result.output


def test_without_the_sdk_the_command_says_what_to_install():
    hidden = "import sys\nfor name in ('azure', 'azure.core'): sys.modules[name] = None\nfrom cutlist_cli import main\nmain()"
    command = [sys.executable, "-c", hidden, "catalog", "update", "--cloud", "azure", "--region", LOCATION]
    refused = subprocess.run(command, capture_output=True, text=True)
    assert (refused.returncode, "pip install 'cutlist[live-azure]'" in refused.stderr) == (2, True), refused.stderr


class TestThroughTheSdk:
    """The same answers, served page by page."""

    @pytest.fixture
    def azure(self):
        found = Azure()
        with serving(found) as address:
            found.address = address
            yield found

    @pytest.fixture
    def subscription(self, azure):
        pytest.importorskip("azure.mgmt.compute", reason="the extra live-azure is not installed")
        from azure.core import PipelineClient
        from azure.core.pipeline.policies import RetryPolicy, SansIOHTTPPolicy
        from azure.mgmt.compute import ComputeManagementClient

        from cutlist_live.azure_account import Subscription

        once = RetryPolicy.no_retries()
        compute = ComputeManagementClient(
            object(),
            SUBSCRIPTION,
            base_url=azure.address,
            authentication_policy=SansIOHTTPPolicy(),
            retry_policy=once,
        )
        return Subscription(compute, PipelineClient(azure.address, policies=[once]))

    def test_the_answers_are_those_of_the_files(self, subscription, azure, tmp_path):
        """All pages of them, asked for this location alone."""
        made = update_locations(subscription, [LOCATION], CatalogFolder.of(tmp_path / "c", "azure"), NOW)
        assert [str(p) for p in made.problems.found] == []
        files = SavedAnswers(save(tmp_path / "a"))
        saved = update_locations(files, [LOCATION], CatalogFolder.of(tmp_path / "s", "azure"), NOW)
        assert made.done[0].file.text == saved.done[0].file.text
        assert made.done[0].live.quotas == saved.done[0].live.quotas
        assert any("location%20eq%20%27japaneast%27" in path for path in azure.asked)
        assert any("api-version=2023-01-01-preview" in path and "armRegionName" in path for path in azure.asked)

    @pytest.mark.parametrize(
        ("status", "reported"),
        [
            (401, "no usable credentials: "),
            (403, "the credentials do not allow Microsoft.Compute/skus/read; docs/prices.md has the role"),
            (429, "Azure throttled Microsoft.Compute/skus/read; wait some minutes"),
            (500, "Microsoft.Compute/skus/read failed (500)"),
        ],
    )
    def test_a_refusal_is_reported_and_leaves_what_is_there(self, subscription, azure, tmp_path, status, reported):
        folder = CatalogFolder.of(tmp_path / "c", "azure")
        update_locations(SavedAnswers(save(tmp_path / "a")), [LOCATION], folder, NOW)
        before = folder.region_file(LOCATION).read_text()
        azure.refusal = status
        (problem,) = update_locations(subscription, [LOCATION], folder, NOW).problems.found
        assert str(problem).startswith(f"japaneast: {reported}")
        assert folder.region_file(LOCATION).read_text() == before

    def test_a_server_that_is_not_there_is_reported(self, tmp_path):
        """As with AWS."""
        pytest.importorskip("azure.mgmt.compute", reason="the extra live-azure is not installed")
        from azure.core import PipelineClient
        from azure.core.pipeline.policies import RetryPolicy

        from cutlist_live.azure_account import Subscription

        nowhere = PipelineClient("http://127.0.0.1:9", policies=[RetryPolicy.no_retries()])
        with pytest.raises(Exception, match="the API cannot be reached"):
            Subscription(None, nowhere).prices(LOCATION)

    def test_a_subscription_has_to_be_named(self, monkeypatch):
        """On the command line or in the environment."""
        pytest.importorskip("azure.mgmt.compute", reason="the extra live-azure is not installed")
        monkeypatch.delenv("AZURE_SUBSCRIPTION_ID", raising=False)
        result = run("update", "--cloud", "azure", "--region", LOCATION)
        assert (result.exit_code, "no subscription is given" in words(result)) == (2, True)
        assert json.dumps(result.stdout) == '""'


def test_the_sdk_has_the_calls_that_are_used():
    """The type check reads these calls from a protocol, for it does not follow the SDK's models."""
    assert inspect.signature(ResourceSkusOperations.list).parameters["filter"].kind is inspect.Parameter.KEYWORD_ONLY
    assert list(inspect.signature(UsageOperations.list).parameters)[:2] == ["self", "location"]
