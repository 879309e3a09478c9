"""`cutlist suggest`: its forms, what it writes, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from cutlist_cli import main
from tests.unit.planning.manifests import NODE_CLASS, ON_DEMAND, TYPES, deployment, pool

POOL = pool(requirements=f"\n      - {ON_DEMAND} # for now\n      - {TYPES.format('m5.large, m5.2xlarge, c5.large')}")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pools.yaml").write_text(f"{NODE_CLASS}---{POOL}")
    (tmp_path / "web.yaml").write_text(deployment(replicas=5, cpu="900m"))
    return tmp_path


def run(folder: Path, *more: str):
    return CliRunner().invoke(main, ["suggest", "-f", str(folder), "--region", "us-west-2", "--plans", "4", *more])


def test_text_begins_with_the_money(folder):
    answer = run(folder)
    assert answer.exit_code == 0, answer.output
    first, second, *_ = answer.stdout.splitlines()
    assert "a month" in first
    assert second.startswith("No packing on nodes that are allowed costs less than $")


def test_json_has_what_programs_read(folder):
    answer = json.loads(run(folder, "-o", "json", "--allow", "spot").stdout)
    assert {"current", "bound", "options", "restrictions"} <= answer.keys()
    assert all({"pricePerHour", "nodes", "edits", "manifests"} <= option.keys() for option in answer["options"])
    assert answer["options"][0]["manifests"][0]["kind"] == "NodePool"


@pytest.mark.parametrize("form", ["markdown", "html"])
def test_other_forms(folder, form):
    answer = run(folder, "-o", form)
    assert answer.exit_code == 0, answer.output
    assert "a month" in answer.stdout


def test_an_option_is_written_into_its_file(folder):
    answer = run(folder, "--allow", "spot", "--write", "1")
    assert answer.exit_code == 0, answer.output
    text = (folder / "pools.yaml").read_text()
    assert "values: [on-demand, spot]} # for now\n" in text
    assert "pools.yaml: NodePool general written" in answer.stderr


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--allow", "gpu"), "'gpu' cannot be allowed; allowed: arm64, spot, types, workloads"),
        (("--keep", "zones,nodes"), "'zones' cannot be kept; allowed: zone-spread, node-loss, zone-loss, nodes"),
        (("--spare", "half"), "'half' is not a valid percentage"),
        (("--spare", "200%"), "200 is not in the range 0<=x<=100"),
        (("--spare", "5", "--allow", "workloads"), "--spare: the pods that keep spare room are copies"),
        (("--write", "all"), "'all' is neither best nor the number of an option"),
        (("--write", "99"), "and no 99"),
        (("--min-nodes", "5", "--max-nodes", "2"), "--max-nodes 2 is less than --min-nodes 5"),
        (("--keep", "nodes", "--min-nodes", "500"), "--keep: no plan of those that were made keeps nodes"),
        (("--min-nodes", "500"), "--min-nodes and --max-nodes: none of the plans has that many nodes"),
    ],
)
def test_wrong_options_are_refused(folder, options, sentence):
    answer = run(folder, *options)
    assert answer.exit_code == 2
    assert sentence in " ".join(answer.stderr.split())
    assert (folder / "pools.yaml").read_text() == f"{NODE_CLASS}---{POOL}"


def test_spare_room_is_written_with_the_workloads(folder):
    answer = run(folder, "--spare", "20%", "--write", "1")
    assert answer.exit_code == 0, answer.output
    assert "keeps room for 20% more pods of each workload" in " ".join(answer.stdout.split())
    assert "web.yaml: CapacityBuffer spare-deployment-web written" in answer.stderr
    assert (folder / "web.yaml").read_text().startswith(deployment(replicas=5, cpu="900m"))


def test_standard_input_cannot_be_written_to():
    answer = CliRunner().invoke(main, ["suggest", "-f", "-", "--region", "us-west-2", "--write", "best"], input="")
    assert answer.exit_code == 2
    assert "leave out standard input" in answer.stderr


def test_measured_use_replaces_requests(folder):
    (folder.parent / "use.csv").write_text("workload,container,cpu,memory\nweb,main,100m,200Mi\n")
    use = ("--usage", str(folder.parent / "use.csv"))
    answer = json.loads(run(folder, "-o", "json", *use).stdout)
    assert answer["usage"]["requests"] == 2
    assert answer["usage"]["byUse"] == answer["current"]["pricePerHour"] < answer["usage"]["asWritten"]
    assert "Requests by measured use" in run(folder, *use).stdout
    plan = CliRunner().invoke(main, ["plan", "-f", str(folder), "--region", "us-west-2", *use, "-o", "json"])
    assert json.loads(plan.stdout)["totals"]["pricePerHour"] == answer["usage"]["byUse"]


def test_use_that_cannot_be_read_is_refused(folder):
    answer = run(folder, "--usage", str(folder / "none.csv"))
    assert answer.exit_code == 2
    assert "none.csv:cannotberead" in "".join(answer.stderr.split())
