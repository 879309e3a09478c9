"""`cutlist suggest`: its forms, what it writes, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from cutlist_cli import main
from tests.unit.planning.manifests import NODE_CLASS, ON_DEMAND, TYPES, deployment, pool

POOL = pool(requirements=f"\n      - {ON_DEMAND} # for now\n      - {TYPES.format('m5.large, m5.2xlarge, c5.large')}")

GATES = "rules: {NP-05: {level: mandatory, spot: 1, onDemand: 1}}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pools.yaml").write_text(f"{NODE_CLASS}---{POOL}")
    (tmp_path.parent / "gates.yaml").write_text(GATES)
    (tmp_path / "web.yaml").write_text(deployment(replicas=5, cpu="900m"))
    return tmp_path


def run(folder: Path, *more: str):
    lenient = ("--gates", str(folder.parent / "gates.yaml"), "--spot-types", "1")
    words = ["suggest", "-f", str(folder), "--region", "us-west-2", "--plans", "4", *lenient, *more]
    return CliRunner().invoke(main, words)


def test_text_begins_with_the_money(folder):
    answer = run(folder)
    assert answer.exit_code == 0, answer.output
    first, second, *others = answer.stdout.splitlines()
    assert "a month" in first
    assert second.startswith("On average over ")
    assert any(line.startswith("No choice of instance types costs less than $") for line in others)


def test_json_has_what_programs_read(folder):
    answer = json.loads(run(folder, "-o", "json", "--allow", "spot").stdout)
    assert {"current", "bound", "options", "restrictions"} <= answer.keys()
    assert all({"pricePerHour", "nodes", "edits", "manifests"} <= option.keys() for option in answer["options"])
    assert answer["options"][0]["manifests"][0]["kind"] == "NodePool"


def test_scenarios_of_the_project_count_where_the_command_names_none(folder, monkeypatch):
    """A file and its environments have lists of them; a mistake is named with the file, and other commands go on."""
    settings = folder / "cutlist.yaml"
    settings.write_text("scenario: ['sale=5: deployment/web x3', replicas-4=0]\nenvironments: {prod: {scenario: zone=0}}\n")
    monkeypatch.chdir(folder)
    for words, own in (((), True), (("--environment", "prod"), False), (("--scenario", "now=1"), False)):
        shown = run(folder, *words).stdout
        assert ("\nsale " in shown, "\nreplicas times 4 " in shown) == (own, not own), words
    settings.write_text("scenario: zonne=0\n")
    assert "cutlist.yaml scenario: there is no scenario 'zonne'" in run(folder).stderr
    assert CliRunner().invoke(main, ["plan", "-f", str(folder), "--region", "us-west-2"]).exit_code == 0


@pytest.mark.parametrize("form", ["markdown", "html"])
def test_other_forms(folder, form):
    answer = run(folder, "-o", form)
    assert answer.exit_code == 0, answer.output
    assert "a month" in answer.stdout


def overlay_of(folder: Path, base: str, patch: str) -> Path:
    """Return a kustomization of a base, into which the files of a folder are moved, with a patch."""
    (folder / "prod").mkdir()
    (folder / "gates.yaml").write_text(GATES)
    at = (folder / "prod" / base).resolve()
    at.mkdir(exist_ok=True)
    for name in ("pools.yaml", "web.yaml"):
        (folder / name).rename(at / name)
    if base != ".":
        (at / "kustomization.yaml").write_text("resources: [pools.yaml, web.yaml]\n")
    resources = "pools.yaml, web.yaml" if base == "." else base
    (folder / "prod" / "kustomization.yaml").write_text(f"resources: [{resources}]\npatches:\n  - {patch}\n")
    return folder / "prod"


def test_an_option_for_an_overlay_is_written_into_its_patch(folder):
    prod = overlay_of(folder, "../base", "path: patch.yaml")
    patch = prod / "patch.yaml"
    patch.write_text(
        "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: general}\nspec:\n  limits: {cpu: 99} # prod\n"
    )
    before = (folder / "base" / "pools.yaml").read_text()
    answer = run(prod, "--allow", "spot", "--write", "1")
    assert answer.exit_code == 0, answer.output
    assert "limits: {cpu: 99} # prod\n" in patch.read_text()
    assert "- spot\n" in patch.read_text()
    assert (folder / "base" / "pools.yaml").read_text() == before


def test_nothing_is_written_where_a_patch_would_take_it_back(folder):
    operation = '{op: replace, path: /spec/template/spec/requirements/0/values, value: ["on-demand"]}'
    prod = overlay_of(folder, ".", f"{{target: {{kind: NodePool}}, patch: '[{operation}]'}}")
    before = (prod / "pools.yaml").read_text()
    answer = run(prod, "--allow", "spot", "--write", "1")
    assert answer.exit_code == 1, answer.output
    assert "nothing is written: something else, such as a patch, sets fields of NodePool general" in answer.output
    assert (prod / "pools.yaml").read_text() == before


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


def test_measured_requests_are_written_with_the_nodepools_and_cost_what_was_said(folder):
    (folder.parent / "use.csv").write_text("workload,container,cpu,memory\nweb,main,100m,200Mi\n")
    use = ("--usage", str(folder.parent / "use.csv"), "--allow", "spot")
    answer = json.loads(run(folder, "-o", "json", *use).stdout)
    best = next(option for option in answer["options"] if option["recommended"])
    assert {manifest["kind"] for manifest in best["manifests"]} == {"NodePool", "Deployment"}
    assert {change["resource"] for change in answer["usage"]["changes"]} == {"cpu", "memory"}
    assert "requests of 1 workload" in run(folder, *use, "--pull-request").stdout.splitlines()[0]
    shown = run(folder, *use, "--write", "best")
    assert shown.exit_code == 0, shown.output
    assert "- 2 requests of 1 workload, by measured use: save " in shown.stdout
    assert {"pools.yaml", "web.yaml"} <= {line.rpartition("/")[2] for line in shown.stdout.splitlines()}
    assert "cpu: 115m" in (folder / "web.yaml").read_text()
    assert "[on-demand, spot]" in (folder / "pools.yaml").read_text()
    plan = CliRunner().invoke(main, ["plan", "-f", str(folder), "--region", "us-west-2", "-o", "json"])
    assert json.loads(plan.stdout)["totals"]["pricePerHour"] == best["pricePerHour"]


def test_gates_with_mistakes_are_refused(folder):
    (folder.parent / "gates.yaml").write_text("rules: {NP-99: {level: mandatory}}")
    answer = run(folder)
    assert answer.exit_code == 2
    assert "'NP-99' is not a rule" in answer.stderr


def test_use_that_cannot_be_read_is_refused(folder):
    answer = run(folder, "--usage", str(folder / "none.csv"))
    assert answer.exit_code == 2
    assert "none.csv:cannotberead" in "".join(answer.stderr.split())


def test_an_option_that_a_gate_stops_is_not_offered(folder):
    """NodePools with spot keep 15 types unless the user says otherwise."""
    words = ("suggest", "-f", str(folder), "--region", "us-west-2", "--plans", "4", "--allow", "spot", "--show-refused")
    answer = CliRunner().invoke(main, words)
    assert answer.exit_code == 0, answer.output
    assert "nothing cheaper was found" in answer.stdout.splitlines()[0]
    assert "NodePool/general: 3 instance types on spot, at least 15" in " ".join(answer.stdout.split())


def test_a_pull_request_has_a_title_and_the_diff(folder):
    answer = run(folder, "--allow", "spot", "--pull-request")
    assert answer.exit_code == 0, answer.output
    title, empty, *text = answer.stdout.splitlines()
    assert title.startswith("NodePool general: ")
    assert empty == ""
    assert "+      - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand, spot]} # for now" in text


@pytest.mark.parametrize(
    ("scenario", "sentence"),
    [
        ("replicas-5=1", "there is no scenario 'replicas-5'"),
        ("sale=3: deployment/wep x2", "there is no workload 'deployment/wep'"),
        ("sale=3: twice", "'twice' is not a change"),
        ("sale", "'sale' is not a scenario"),
    ],
)
def test_scenarios_that_make_no_sense_are_refused(folder, scenario, sentence):
    answer = run(folder, "--scenario", scenario)
    assert answer.exit_code == 2
    assert sentence in " ".join(answer.stderr.split())


def test_a_scenario_of_ones_own_counts_beside_the_others(folder):
    words = ("--scenario", "sale=40: deployment/web x3", "--scenario", "replicas-4=0", "-o", "json")
    answer = json.loads(run(folder, *words).stdout)
    names = {scenario["name"]: scenario["weight"] for scenario in answer["scenarios"]}
    assert names["sale"] == 40
    assert "replicas-4" not in names
