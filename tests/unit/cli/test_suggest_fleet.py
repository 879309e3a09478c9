"""`cutlist suggest --fleet`: its forms, its exit code, what it keeps, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cutlist.settings.suggest import RESUME
from cutlist_cli import main
from cutlist_cli.answers_folder import AnswersFolder
from tests.sample import SHOP
from tests.unit.planning.manifests import NODE_CLASS, ON_DEMAND, TYPES, deployment, pool
from tests.unit.report.suggestions import suggestions

POOL = pool(requirements=f"[{ON_DEMAND}, {TYPES.format('m5.large, m5.2xlarge, c5.large')}]")
FLEET = """
defaults: {region: us-west-2}
environments:
  - {name: shop, file: "[pw]*.yaml"}
  - {name: lost, file: none.yaml}
"""


@pytest.fixture
def fleet(tmp_path: Path, monkeypatch) -> Path:
    """The file of a fleet of which one environment fails; searches find always the same, at once."""
    for name, text in {"pools.yaml": f"{NODE_CLASS}---{POOL}", "web.yaml": deployment(), "fleet.yaml": FLEET}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setattr("cutlist.verbs.suggest.fleet.suggest", lambda *_, **__: suggestions())
    monkeypatch.setattr("cutlist.verbs.digests.digest_of_files", lambda folder: folder.name)
    return tmp_path / "fleet.yaml"


def run(fleet: Path, *more: str) -> Result:
    workers = () if "--workers" in more else ("--workers", "1")
    return CliRunner().invoke(main, ["suggest", "--fleet", str(fleet), *workers, *more])


def test_a_table_has_a_row_for_each_environment_and_sums(fleet):
    answer = run(fleet, "--width", "300")
    assert answer.exit_code == 1, answer.output
    lines = answer.stdout.splitlines()
    assert lines[0] == "$1,372.40 a month less in 1 environment: 47% of $2,920.00"
    assert lines[1] == "1 environment failed."
    assert "shop     us-west-2  2,920.00  1,460.00  1,547.60  1,372.40   47%" in answer.stdout
    assert "none.yaml: cannot be read: no such file or directory" in answer.stdout
    assert "all                 2,920.00" in answer.stdout


def test_all_answered_is_success(fleet):
    fleet.write_text(FLEET.replace("none.yaml", "'[pw]*.yaml'"))
    assert run(fleet).exit_code == 0


@pytest.mark.parametrize("form", ["markdown", "html", "csv", "yaml"])
def test_other_forms(fleet, form):
    answer = run(fleet, "-o", form)
    assert answer.exit_code == 1, answer.output
    assert "shop" in answer.stdout
    assert "cannot be read" in answer.stdout


def test_json_has_the_answer_of_each_environment(fleet):
    answer = json.loads(run(fleet, "-o", "json").stdout)
    shop, lost = answer["environments"]
    assert (shop["name"], shop["state"], shop["answer"]["version"]) == ("shop", "answered", 1)
    assert shop["pricePerHour"] == {"now": 4.0, "bound": 2.0, "best": 2.12, "saving": 1.88} == answer["pricePerHour"]
    assert (lost["state"], lost["answer"], lost["problems"][0]["file"]) == ("failed", None, f"{fleet.parent}/none.yaml")
    assert (answer["answered"], answer["failed"], answer["notComputed"]) == (1, 1, 0)


def test_answers_are_kept_in_a_folder(fleet, monkeypatch):
    first = run(fleet, "--resume", str(fleet.parent / "kept"), "-o", "json")
    assert len(list((fleet.parent / "kept").iterdir())) == 1
    monkeypatch.setattr("cutlist.verbs.suggest.fleet.suggest", None)  # which nothing may ask for
    again = run(fleet, "--resume", str(fleet.parent / "kept"), "-o", "json")
    assert (again.exit_code, again.stdout) == (1, first.stdout)


def test_what_is_kept_and_cannot_be_read_is_not_there(tmp_path):
    (tmp_path / "a.json").write_bytes(b"\xff")
    assert AnswersFolder(str(tmp_path), RESUME).get("a") is None


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--allow", "arm64"), "--allow cannot be given with --fleet, whose file sets this for each environment"),
        (("-f", "x", "--region", "y"), "--file, --region cannot be given with --fleet"),
        (("--resume", "{fleet}"), "is a file"),
        (("--resume", "{fleet}/kept"), "kept cannot be created: not a directory"),
        (("--workers", "2", "--dask", "tcp://x:1"), "a Dask cluster has its own"),
    ],
)
def test_wrong_options_are_refused(fleet, options, sentence):
    answer = run(fleet, *(option.format(fleet=fleet) for option in options))
    assert answer.exit_code == 2
    assert sentence in " ".join(answer.stderr.split())


def test_a_wrong_fleet_is_refused_before_anything_is_computed(fleet):
    fleet.write_text(FLEET.replace("file: none.yaml", "fiel: none.yaml"))
    answer = run(fleet, "--resume", str(fleet.parent / "kept"))
    assert answer.exit_code == 2
    assert "environments[1].fiel:isnotafieldhere" in "".join(answer.stderr.split())  # wherever lines end
    assert not (fleet.parent / "kept").exists()


def test_without_a_fleet_files_are_needed(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    missing = CliRunner().invoke(main, ["suggest", "--region", "us-west-2"])
    assert (missing.exit_code, "Missing option '-f' / '--file'" in missing.stderr) == (2, True)
    alone = CliRunner().invoke(main, ["suggest", "-f", "x", "--resume", "kept"])
    assert (alone.exit_code, "--resume keeps the answers of a fleet: name its file with --fleet" in alone.stderr) == (2, True)


@pytest.fixture
def shop(monkeypatch, tmp_path: Path) -> Path:
    """The fleet of the sample project, which the page of `suggest` shows; the folder of kept answers is another one."""
    monkeypatch.chdir(SHOP)
    return tmp_path / "kept"


def test_the_fleet_of_the_page_is_read_with_all_its_files(shop, fleet):
    """And each environment is asked for; what a search finds is another test's."""
    answer = run(SHOP / "fleet.yaml", "--resume", str(shop), "-o", "json")
    assert answer.exit_code == 0, answer.output
    environments = json.loads(answer.stdout)["environments"]
    names = ["shop", "shop-by-use", "search-in-europe"]
    assert [(of["name"], of["state"]) for of in environments] == [(name, "answered") for name in names]
    assert len(list(shop.rglob("*.json"))) == 3


@pytest.mark.thorough
def test_the_commands_of_the_page_find_something_cheaper(shop):
    """The second time from the answers that are kept."""
    shown = [run(SHOP / "fleet.yaml", "--resume", str(shop)) for _ in range(2)]
    assert [one.exit_code for one in shown] == [0, 0], shown[0].output
    assert "a month less in 3 environments" in shown[0].stdout
    assert shown[0].stdout == shown[1].stdout
    assert "2 requests by measured use" in shown[0].stdout
