"""`cutlist new --from`: the project file that is written gives the answers that there are without a file."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from cutlist_cli import main
from tests.unit.planning.manifests import NODE_CLASS, deployment, pool
from tests.unit.repositories.commands import FOLDER, run_in

EUROPE = ("--region", "eu-west-1")
REMOTES = {
    "flux-monorepo": "https://git.example.com/nimbus/fleet.git",
    "flux-outside-folder": "https://git.example.com/corvid/platform.git",
}
"""Where Flux takes the layouts from that it builds."""
LAYOUTS = sorted(path.name for path in FOLDER.iterdir() if path.is_dir() and path.name != "__pycache__")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The root of a repository, which is the working directory."""
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)
    root = tmp_path / "repository"
    (root / ".git").mkdir(parents=True)
    monkeypatch.chdir(root)
    return root


def written() -> dict[str, Any]:
    """Write the project file, and return what it has."""
    result = CliRunner().invoke(main, ["new", "--from", "."])
    assert result.exit_code == 0, result.output
    assert "cutlist.yaml has" in result.stdout
    return yaml.safe_load(Path("cutlist.yaml").read_text())


def answer(*words: str) -> tuple[int, str]:
    """The exit code and the answer of a command: what it writes, and its mistakes."""
    result = CliRunner().invoke(main, [*words])
    return result.exit_code, result.output


def without_counts(text: str) -> dict[str, Any]:
    """A plan without the counts of files, of which the project file is one more."""
    data = json.loads(text)
    for member in ("files", "passedOver"):
        del data["inputs"][member]
    return data


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_plan_with_the_written_file_is_the_one_without(layout: str, repository: Path) -> None:
    """Of each layout; where it has several environments, of each of them by its command."""
    shutil.copytree(FOLDER / layout, repository, dirs_exist_ok=True)
    (repository / ".git/config").write_text(f'[remote "origin"]\n\turl = {REMOTES.get(layout, "")}\n')
    alone = answer("plan", *EUROPE, "-o", "json")
    table = json.loads(CliRunner().invoke(main, ["plan", *EUROPE, "--all", "-o", "json"]).stdout)
    environments = written().get("environments", {})
    if environments:
        assert alone[0] == 2
        listed = answer("plan", *EUROPE)
        assert listed[0] == 2
        assert all(f"environments.{name}" in listed[1] for name in environments)
    else:
        exit_code, text = answer("plan", *EUROPE, "-o", "json")
        assert exit_code == alone[0]
        assert text == alone[1] if exit_code else without_counts(text) == without_counts(alone[1])
    after = json.loads(CliRunner().invoke(main, ["plan", *EUROPE, "--all", "-o", "json"]).stdout)
    assert [of["name"] for of in after["environments"]] == [of["name"] for of in table["environments"]]
    for of, before in zip(after["environments"], table["environments"], strict=True):
        assert (of["state"], of["totals"], of["open"]) == (before["state"], before["totals"], before["open"])
        if before["command"].startswith("cutlist plan") and environments:
            words = before["command"].split()[1:]
            chosen = answer("plan", "--environment", of["name"], *EUROPE, "-o", "json")
            direct = answer(*words, *EUROPE, "-o", "json")
            assert chosen == direct if direct[0] == 0 else chosen[0] == direct[0]


def test_files_of_values_of_a_chart_are_environments(repository: Path) -> None:
    (repository / "chart/templates").mkdir(parents=True)
    (repository / "chart/Chart.yaml").write_text("apiVersion: v2\nname: shop\nversion: 1.0.0\n")
    for name in ("dev", "prod"):
        (repository / f"chart/values-{name}.yaml").write_text("replicas: 2\n")
    environments = written()["environments"]
    assert environments["prod"] == {"file": "chart", "helm-values": "chart/values-prod.yaml"}


def test_a_chart_beside_other_objects_is_left_to_be_switched_on(repository: Path) -> None:
    """The file gives the answers of today; what would add to them is a comment."""
    (repository / "chart").mkdir()
    for name in ("dev", "prod"):
        (repository / f"chart/values-{name}.yaml").write_text("replicas: 2\n")
    (repository / "chart/Chart.yaml").write_text("apiVersion: v2\nname: shop\nversion: 1.0.0\n")
    (repository / "all.yaml").write_text("---\n".join((NODE_CLASS, pool(), deployment("web"))))
    assert written() == {"file": ".", "recursive": True}
    text = Path("cutlist.yaml").read_text()
    assert "\n# helm: true  # renders charts" in text
    assert "\n# helm-values: chart/values-prod.yaml  # " in text
    assert "# Not in the answers:\n#   chart, a Helm chart that is not rendered" in text


def test_a_kustomization_that_rewrites_in_its_own_ways_is_left_to_kustomize(repository: Path) -> None:
    """Without it there is no answer."""
    (repository / "all.yaml").write_text("---\n".join((NODE_CLASS, pool(), deployment("web"))))
    (repository / "patch.yaml").write_text(deployment("web", replicas=3) + "$patch: merge\n")
    (repository / "kustomization.yaml").write_text("resources: [all.yaml]\npatches: [{path: patch.yaml}]\n")
    assert written()["kustomize"] is True


ZONES = "[{{key: topology.kubernetes.io/zone, operator: In, values: [{}]}}]"


@pytest.mark.parametrize(
    ("text", "region"),
    [
        (pool(requirements=ZONES.format("eu-north-1a, eu-north-1b")), "eu-north-1"),
        (pool(requirements=ZONES.format("eu-north-1a, us-west-2b")), None),
        (
            pool() + "---\napiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\nmetadata: {name: x, region: eu-west-3}\n",
            "eu-west-3",
        ),
        (pool(), None),
    ],
    ids=["zones", "zones of two regions", "a cluster of eksctl", "nothing"],
)
def test_a_region_is_written_where_the_objects_say_it(text: str, region: str | None, repository: Path) -> None:
    (repository / "all.yaml").write_text(NODE_CLASS + "---\n" + text)
    assert written().get("region") == region


def test_each_environment_has_its_own_region(repository: Path) -> None:
    """So that one command plans clusters of several regions."""
    for name in ("eu-west-1", "us-east-2"):
        (repository / name).mkdir()
        own = pool(requirements=ZONES.format(f"{name}a"))
        (repository / name / "all.yaml").write_text("---\n".join((NODE_CLASS, own, deployment("web"))))
    environments = written()["environments"]
    assert {name: of["region"] for name, of in environments.items()} == {name: name for name in ("eu-west-1", "us-east-2")}
    rows = json.loads(CliRunner().invoke(main, ["plan", "--all", "-o", "json"]).stdout)["environments"]
    assert [(of["name"], of["region"], of["totals"]["nodes"]) for of in rows] == [
        ("eu-west-1", "eu-west-1", 1),
        ("us-east-2", "us-east-2", 1),
    ]


def test_stacks_are_written_with_their_project(repository: Path) -> None:
    (repository / "infra").mkdir()
    (repository / "infra/Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (repository / "infra/Pulumi.dev.yaml").write_text("config:\n  shop:nodePools: [pools.yaml]\n")
    assert written() == {"environments": {"dev": {"stack": "dev", "project-dir": "infra"}}}
    assert "cutlist preview --stack dev --project-dir infra" in " ".join(answer("plan")[1].split())


def test_environments_of_one_name_get_names_that_differ(repository: Path) -> None:
    """A stack is named with its project. Environments of one name of several helmfiles are one."""
    for project in ("infra", "labs"):
        (repository / project).mkdir()
        (repository / project / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
        (repository / project / "Pulumi.dev.yaml").write_text("config:\n  shop:nodePools: [pools.yaml]\n")
    (repository / "helmfile.yaml").write_text("environments:\n  dev: {}\n  prod: {}\n")
    (repository / "tools").mkdir()
    (repository / "tools/helmfile.yaml").write_text("environments:\n  dev: {}\n  prod: {}\n")
    assert list(written()["environments"]) == ["infra/dev", "labs/dev", "dev", "prod"]


def test_a_file_that_exists_is_replaced_only_by_force(repository: Path) -> None:
    (repository / "all.yaml").write_text("---\n".join((NODE_CLASS, pool(), deployment("web"))))
    (repository / "cutlist.yaml").write_text("region: eu-west-1\n")
    exit_code, text = answer("new", "--from", ".")
    assert (exit_code, "cutlist.yaml: exists already" in text) == (2, True)
    assert (repository / "cutlist.yaml").read_text() == "region: eu-west-1\n"
    assert answer("new", "--from", ".", "--force", "--region", "us-west-2")[0] == 0
    assert yaml.safe_load((repository / "cutlist.yaml").read_text())["region"] == "us-west-2"


def test_the_file_of_another_folder_has_paths_from_there(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(FOLDER / "kustomize-overlays", repository / "deep/app")
    assert answer("new", "--from", "deep/app")[0] == 0
    environments = yaml.safe_load((repository / "deep/app/cutlist.yaml").read_text())["environments"]
    assert environments["dev"] == {"file": "overlays/dev"}
    dev = run_in(repository / "deep/app", monkeypatch, "plan", "--environment", "dev", *EUROPE, "-o", "json")
    assert dev.exit_code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("qa", "--from", "."), "NAME is for a stack"),
        (("--from", ".", "--like", "dev"), "--like is for a stack"),
        (("--from", ".", "--source", "a@b"), "--source is for a pipeline, and --from writes a project file"),
        (("qa", "--like", "dev", "--cloud", "aks"), "--cloud is for a new project, and a stack of Pulumi.yaml is copied"),
        (("--from", "nowhere"), "nowhere is not a folder"),
        (("--from", ".", "--region", "eu-west-9"), "unknown region 'eu-west-9'"),
        (("qa",), "--like copies a stack of an existing one"),
        (("--like", "dev"), "Missing argument"),
        (("qa", "--like", "dev", "--force"), "--force is not for a new stack"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_cannot_be_combined_is_refused(words: tuple[str, ...], message: str, repository: Path) -> None:
    exit_code, text = answer("new", *words)
    assert (exit_code, message in text) == (2, True), text
