"""A change is judged by the gates, figures and settings of the base, or of the folder of the gates, and not by its own."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from cutlist import catalog
from cutlist.catalog.format import Source
from cutlist.catalog.paid import PaidPrices, PaidRow, paid_table
from cutlist_cli import main
from cutlist_cli.bases import bases
from tests.gates.judges import LABELS, MANAGED, SERVERS, node
from tests.gates.workloads import COUNTED, with_pool

PODS = with_pool(COUNTED["a Deployment"])
DISCOUNT = "apiVersion: cutlist/v1\nkind: Figures\nprices: {onDemandDiscount: 99%, spotDiscount: 99%}\n"
NO_PODS = """apiVersion: cutlist/v1
kind: PodKinds
kinds: [{group: argoproj.io, kind: Rollout, pods: [{template: spec.template, count: {spec.nothing: 0}}]}]
"""
_FEW = "NP-05: {level: off, reason: few types are enough here}"
GATES = f"rules: {{PL-01: {{perHour: 0.1}}, {_FEW}}}\n"
HIGHER = f"rules: {{PL-01: {{perHour: 500}}, {_FEW}}}\n"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("gates.yaml").write_text(GATES)
    Path("cutlist.yaml").write_text("region: us-west-2\nfile: [all.yaml]\ngates: gates.yaml\n")
    Path("all.yaml").write_text(PODS)
    git("init", "-q", "-b", "main", ".")
    git("add", "-A")
    git("-c", "user.email=a@example.com", "-c", "user.name=a", "commit", "-qm", "first")
    return tmp_path


def git(*words: str) -> None:
    subprocess.run(["git", *words], check=True, capture_output=True)


def committed(file: str, text: str) -> None:
    """Write a file, and have it at the base."""
    Path(file).write_text(text)
    git("add", "-A")
    git("-c", "user.email=a@example.com", "-c", "user.name=a", "commit", "-qm", "next")


def gated(*words: str) -> Result:
    return CliRunner().invoke(main, ["gate", *words])


def said(*words: str) -> str:
    """Return what stops a change, and what it does to its judge, without the breaks of lines."""
    result = gated(*words)
    assert result.exit_code == 1, result.output
    return " ".join(result.output.split())


@pytest.mark.parametrize("text", [DISCOUNT, NO_PODS], ids=["Figures", "PodKinds"])
def test_documents_count_from_the_folder_of_the_gates_alone(text: str, repository: Path):
    Path("all.yaml").write_text(with_pool(COUNTED["a Rollout"]))
    Path("own").mkdir()
    Path("own/all.yaml").write_text(f"{with_pool(COUNTED['a Rollout'])}\n---\n{text}")
    assert "which lowers this plan from $" in said("-f", "own")
    Path("own/link.yaml").symlink_to("../figures.yaml")
    Path("figures.yaml").write_text(text)
    assert gated("-f", "all.yaml", "-f", "figures.yaml").exit_code == 0
    Path("own/gates.yaml").write_text(GATES)
    assert gated("-f", "own/all.yaml", "--gates", "own/gates.yaml").exit_code == 0


def test_a_link_in_the_folder_of_the_gates_counts_as_where_it_leads(repository: Path):
    Path("own").mkdir()
    Path("own/figures.yaml").write_text(DISCOUNT)
    Path("figures.yaml").symlink_to("own/figures.yaml")
    assert "it does not count" in said("-f", "all.yaml", "-f", "figures.yaml")


EDITS = {
    "a discount": ("figures.yaml", DISCOUNT, "onDemandDiscount 99%, spotDiscount 99%, which lowers this plan from $"),
    "no pods": ("kinds.yaml", NO_PODS, "GT-10 PodKinds"),
    "a higher ceiling": ("gates.yaml", HIGHER, "perHour of PL-01 was 0.1 and is 500"),
    "a rule that is off": ("gates.yaml", "rules: {PL-01: {level: off, reason: late}}\n", "the level of PL-01 was mandatory"),
    "another profile": ("gates.yaml", f"profile: strict\n{GATES}", "profile was 'start' and is 'strict'"),
    "an exemption": (
        "gates.yaml",
        f"{GATES}exemptions: [{{rule: PL-01, object: '*', owner: team-a, reason: because of it, until: '2026-12-31'}}]\n",
        "the exemption of * from PL-01 was absent",
    ),
    "fewer replicas": (
        "cutlist.yaml",
        "region: us-west-2\nfile: [all.yaml]\ngates: gates.yaml\nreplicas: [x=1]\n",
        "replicas was not set and is ['x=1'], which lowers this plan from $",
    ),
}


PROJECTS = {
    "another file of gates": ("gates: gates.yaml", "gates: more.yaml", "gates was 'gates.yaml' and is 'more.yaml'"),
    "no file of gates": ("gates: gates.yaml", "", "gates was 'gates.yaml' and is not set"),
    "fewer files": ("[all.yaml]", "[other.yaml]", "file was ['all.yaml'] and is ['other.yaml']; it counts as it is"),
    "another profile": ("profile: strict", "profile: start", "profile was 'strict' and is 'start'"),
}


@pytest.mark.parametrize("edit", PROJECTS)
def test_what_a_change_does_to_the_settings_of_the_project_is_a_finding(edit: str, repository: Path):
    before, now, finding = PROJECTS[edit]
    text = "profile: strict\nregion: us-west-2\nfile: [all.yaml]\ngates: gates.yaml\n"
    committed("cutlist.yaml", text)
    Path("more.yaml").write_text(HIGHER)
    Path("other.yaml").write_text(PODS)
    Path("cutlist.yaml").write_text(text.replace(before, now))
    answer = said("--base", "main")
    assert finding in answer, answer
    assert "PL-01 NodePlan/nodes: $" in answer
    assert "profile strict" in answer


def test_a_file_with_settings_that_comes_with_a_change_is_not_its_judge(repository: Path):
    git("rm", "-q", "cutlist.yaml", "gates.yaml")
    committed("all.yaml", PODS.replace('cpu: "100"', 'cpu: "100"'))
    Path("gates.yaml").write_text(f"profile: start\n{HIGHER}")
    Path("cutlist.yaml").write_text("replicas: [x=1]\nfile: [all.yaml]\ngates: gates.yaml\nregion: us-west-2\n")
    answer = " ".join(gated("--base", "main").output.split())
    assert "gates was not set and is 'gates.yaml'" in answer
    assert "replicas was not set and is ['x=1']" in answer
    named = " ".join(gated("--base", "main", "--gates", "gates.yaml").output.split())
    assert "gates.yaml: the gates are not at the base yet; it counts as it is" in named


_SPREAD = "topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: ScheduleAnyway"
_MOST = PaidRow("c7i.8xlarge", "us-west-2", "us-west-2a", "linux", "spot", 100, 0.8)


def paid(cost: float) -> str:
    """Return the table of what an account paid."""
    prices = PaidPrices((replace(_MOST, per_hour=cost),), "USD", "2026-10-01", "2026-10-31")
    return paid_table(prices, Source("2026-10-31", "a bill"))


CONTENTS = {
    "scheduler_config": (
        "scheduler-config: spread.yaml",
        f"defaultConstraints: [{{maxSkew: 1, {_SPREAD}}}]\ndefaultingType: List\n",
        "defaultConstraints: []\ndefaultingType: List\n",
    ),
    "paid": ("paid: paid.tsv", paid(0.8), paid(0.0001)),
}


@pytest.mark.parametrize("name", CONTENTS)
def test_contents_of_files_that_settings_name_count_as_the_base_has_them(name: str, repository: Path):
    line, before, now = CONTENTS[name]
    file = line.split()[1]
    committed(file, before)
    committed("cutlist.yaml", f"{Path('cutlist.yaml').read_text()}{line}\nkarpenter: '1.15'\n")
    Path(file).write_text(now)
    answer = said("--base", "main")
    assert f"{name} names {file}, whose contents differ from those of the base" in answer
    assert ("which lowers this plan from $" in answer) is (name == "paid")
    os.unlink(file)
    Path("new.tsv").write_text(now)
    git("add", "-A")
    Path("cutlist.yaml").write_text(Path("cutlist.yaml").read_text().replace(file, "new.tsv"))
    assert f"{name} was '{file}' and is 'new.tsv'" in said("--base", "main")


def test_a_catalogue_counts_as_the_base_has_it(repository: Path):
    shutil.copytree(Path(catalog.__file__).parent / "data" / "aws", "prices/aws")
    committed("cutlist.yaml", f"{Path('cutlist.yaml').read_text()}catalog: prices\n")
    Path("prices/added.txt").write_text("more\n")
    assert "catalog names prices, whose contents differ from those of the base" in said("--base", "main")


@pytest.mark.parametrize("edit", EDITS)
def test_a_folder_with_the_files_as_they_were_is_a_base(edit: str, repository: Path, tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("before")
    for path in Path().glob("*.yaml"):
        (folder / path.name).write_text(path.read_text())
    file, text, finding = EDITS[edit]
    Path(file).write_text(text)
    more = ["-f", "all.yaml", "-f", file] if file in ("figures.yaml", "kinds.yaml") else []
    answer = said("--before", str(folder), "--at", "2026-06-01", *more)
    assert finding in answer, answer
    assert "PL-01 NodePlan/nodes: $" in answer


def test_a_folder_is_a_base_in_place_of_a_revision(repository: Path):
    refused = gated("--before", ".", "--base", "main")
    assert (refused.exit_code, "leave one of them out" in refused.stderr) == (2, True)


def test_a_project_beside_a_folder_is_not_its_own_base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The name of a project may begin with that of the folder."""
    for name in ("base", "base-next", "work"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "work")
    with bases(None, None, "../base", Path("../base-next")) as found:
        assert found.by is not None
        assert found.by.here == os.path.realpath(tmp_path / "base")


def test_settings_of_an_environment_count_as_the_base_has_them(repository: Path):
    text = "region: us-west-2\nenvironments:\n  qa: {file: [all.yaml], gates: gates.yaml, replicas: [x=9]}\n"
    committed("cutlist.yaml", text)
    every = ("--all", "--base", "main", "-o", "json")
    of_one = ("--environment", "qa", "--base", "main")
    assert "GT-10" not in said(*of_one)
    Path("cutlist.yaml").write_text(text.replace("x=9", "x=1").replace("gates.yaml", "more.yaml"))
    Path("more.yaml").write_text(HIGHER)
    assert [each["stoppedBy"] for each in json.loads(gated(*every).output)["environments"]] == [["PL-01"]]
    answer = said(*of_one)
    assert "replicas was ['x=9'] and is ['x=1'], which lowers this plan from $" in answer
    assert "gates was 'gates.yaml' and is 'more.yaml'" in answer


def test_a_snapshot_that_comes_with_a_change_is_a_change(repository: Path):
    text = "---\n".join(yaml.safe_dump(each) for each in [node({**LABELS, **MANAGED}, **SERVERS)])
    Path("snapshot.yaml").write_text(text)
    words = ("-f", "all.yaml", "-f", "snapshot.yaml", "--base", "main")
    assert gated(*words).exit_code == 0  # written beside the checkout's own files, by whoever judges
    git("add", "snapshot.yaml")
    assert "the Node of Node/fake: not counted, since the file comes with the change" in said(*words)
    committed("snapshot.yaml", text)
    assert gated(*words).exit_code == 0


@pytest.mark.parametrize("edit", EDITS)
def test_what_a_change_does_to_its_judge_is_a_finding_and_does_not_count(edit: str, repository: Path):
    file, text, finding = EDITS[edit]
    Path(file).write_text(text)
    more = ["-f", "all.yaml", "-f", file] if file in ("figures.yaml", "kinds.yaml") else []
    answer = said("--base", "main", "--at", "2026-06-01", *more)
    assert finding in answer, answer
    assert "PL-01 NodePlan/nodes: $" in answer


def test_gates_of_a_revision_are_what_a_change_is_judged_by(repository: Path):
    Path("gates.yaml").write_text(HIGHER)
    assert gated().exit_code == 0
    assert "PL-01 NodePlan/nodes: $" in said("--gates-from", "main")
    assert gated("--gates-from", "nowhere").stderr.startswith("--gates-from: this repository has no revision 'nowhere'")


def test_a_file_of_gates_is_pinned_by_its_digest(repository: Path):
    digest = hashlib.sha256(Path("gates.yaml").read_bytes()).hexdigest()
    Path("all.yaml").write_text(PODS)
    assert "PL-01" in said("--gates-digest", f"sha256:{digest}")
    Path("gates.yaml").write_text("rules: {}\n")
    refused = gated("--gates-digest", digest)
    assert (refused.exit_code, "and not the one that is pinned" in " ".join(refused.stderr.split())) == (2, True)


def test_what_a_cluster_has_counts_in_a_snapshot_that_is_named(repository: Path):
    of_cluster = [node({**LABELS, **MANAGED}, **SERVERS)]
    text = "---\n".join(yaml.safe_dump(each) for each in of_cluster)
    Path("state").mkdir()
    Path("state/snapshot.yaml").write_text(text)
    named = gated("-f", "all.yaml", "-f", "state/snapshot.yaml")
    assert (named.exit_code, "state/snapshot.yaml is read as a snapshot" in named.output) == (0, True), named.output
    assert "the Node of Node/fake: not counted" in said("-f", "all.yaml", "-f", "state")


def test_owners_of_all_that_judges_are_written(repository: Path):
    Path("k8s").mkdir()
    Path("k8s/figures.yaml").write_text(DISCOUNT)
    words = ["new", "ci", "--source", "https://github.com/acme/cutlist@4f1c0de"]
    assert CliRunner().invoke(main, words).exit_code == 0
    owned = [line.split()[0] for line in Path(".github/CODEOWNERS").read_text().splitlines()[1:]]
    pipeline = "/.github/workflows/cutlist.yml"
    assert owned == ["/.github/CODEOWNERS", pipeline, "/cutlist.yaml", "/gates.yaml", "/k8s/figures.yaml"]
    before = Path(".github/CODEOWNERS").read_text()
    os.unlink(pipeline[1:])
    again = CliRunner().invoke(main, words)
    assert "Add to .github/CODEOWNERS" in again.output
    assert Path(".github/CODEOWNERS").read_text() == before
