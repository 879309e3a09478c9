"""Several environments in one repository: the command of each, all in one table, and a project file that says the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.unit.planning.manifests import NODE_CLASS, deployment, pool
from tests.unit.repositories.commands import FOLDER, run_in

EUROPE = ("--region", "eu-west-1")


def test_only_an_overlay_with_patches_needs_kustomize(monkeypatch: pytest.MonkeyPatch) -> None:
    """F-9: the command of each overlay works as it is written."""
    answer = run_in(FOLDER / "kustomize-overlays", monkeypatch, "plan", "-f", ".", "-R", *EUROPE)
    lines = [line.strip() for line in answer.text.splitlines()]
    assert "allowed: cutlist plan -f overlays/dev" in lines
    assert "allowed: cutlist plan -f overlays/prod --kustomize" in lines


def test_files_above_the_environments_belong_to_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-9: without the folder that they are in, which has the other environment too."""
    (tmp_path / "pools.yaml").write_text(NODE_CLASS + "---" + pool())
    for name, replicas in (("dev", 1), ("prod", 3)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "web.yaml").write_text(deployment("web", replicas=replicas))
    answer = run_in(tmp_path, monkeypatch, "plan", "-f", ".", "-R", *EUROPE)
    assert "allowed: cutlist plan -f pools.yaml -f prod -R" in answer.text
    prod = run_in(tmp_path, monkeypatch, "plan", "-f", "pools.yaml", "-f", "prod", "-R", *EUROPE, "-o", "json")
    assert prod.pods() == {"deployment/web": 3}


def rows(data: dict[str, Any]) -> dict[str, Any]:
    """The environments of an answer by name."""
    return {of["name"]: of for of in data["environments"]}


def test_all_overlays_are_planned_in_one_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each as its own command plans it."""
    words = ("plan", "-f", ".", "-R", *EUROPE, "--all", "-o", "json")
    answer = run_in(FOLDER / "kustomize-overlays", monkeypatch, *words)
    assert answer.exit_code == 0
    for name, of in rows(answer.data).items():
        alone = run_in(FOLDER / "kustomize-overlays", monkeypatch, *of["command"].split()[1:], *EUROPE, "-o", "json")
        assert of["totals"] == alone.data["totals"], name
    assert answer.data["totals"]["nodes"] == sum(of["totals"]["nodes"] for of in answer.data["environments"]) == 4


def test_an_environment_is_chosen_by_the_last_part_of_its_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("plan", "-f", ".", "-R", *EUROPE, "-o", "json", "--environment")
    short = run_in(FOLDER / "kustomize-overlays", monkeypatch, *words, "prod")
    assert short.pods() == {"app/deployment/web": 12, "app/deployment/worker": 4}
    assert run_in(FOLDER / "kustomize-overlays", monkeypatch, *words, "overlays/prod").text == short.text


def test_an_environment_that_is_not_there_has_a_near_name(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = run_in(FOLDER / "kustomize-overlays", monkeypatch, "plan", "-f", ".", "-R", *EUROPE, "--environment", "prd")
    assert answer.exit_code == 2
    assert "there is no environment 'prd'" in answer.text
    assert "did you mean prod?" in answer.text


@pytest.fixture
def several(tmp_path: Path) -> Path:
    """The root of a repository with two environments, of which one has a mistake."""
    (tmp_path / ".git").mkdir()
    for name, text in (
        ("good", deployment("web")),
        ("wrong", deployment("web", replicas=2).replace("replicas: 2", "replicas: x")),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "all.yaml").write_text("---\n".join((NODE_CLASS, pool(), text)))
    return tmp_path


def test_an_environment_that_fails_is_a_row_and_not_the_end_of_the_others(
    several: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = run_in(several, monkeypatch, "plan", *EUROPE, "--all", "-o", "json")
    assert answer.exit_code == 2
    assert rows(answer.data)["good"]["totals"]["pods"] == 1
    (problem,) = rows(answer.data)["wrong"]["problems"]
    assert (problem["file"], problem["path"]) == ("wrong/all.yaml", "spec.replicas")


def test_pending_pods_count_for_the_exit_code_only_where_that_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, cpu in (("small", "1"), ("large", "2000")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "all.yaml").write_text("---\n".join((NODE_CLASS, pool(), deployment("web", cpu=cpu))))
    words = ("plan", "-f", ".", "-R", *EUROPE, "--all")
    assert run_in(tmp_path, monkeypatch, *words).exit_code == 0
    assert run_in(tmp_path, monkeypatch, *words, "--strict").exit_code == 1


def test_files_of_one_environment_are_one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = run_in(FOLDER / "templates-tpl", monkeypatch, "plan", "-f", "k8s", "-R", *EUROPE, "--all", "-o", "json")
    assert answer.exit_code == 0
    (of,) = answer.data["environments"]
    assert (of["command"], of["complete"], len(of["open"])) == ("cutlist plan -f k8s -R", False, 2)
    assert run_in(FOLDER / "templates-tpl", monkeypatch, *of["command"].split()[1:], *EUROPE, "--strict").exit_code == 1


def test_environments_of_a_helmfile_are_rows_with_the_command_that_renders_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """F-6: Cutlist starts no helmfile."""
    answer = run_in(FOLDER / "helmfile", monkeypatch, "plan", "-f", ".", "-R", *EUROPE, "--all", "-o", "json")
    assert answer.exit_code == 2
    assert rows(answer.data)["prod"]["problems"][0]["allowed"] == "helmfile -e prod template | cutlist plan -f -"


def test_what_is_shown_of_one_plan_cannot_be_combined_with_all(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = run_in(FOLDER / "kustomize-overlays", monkeypatch, "plan", "-f", ".", "-R", *EUROPE, "--all", "--summary")
    assert answer.exit_code == 2
    assert "--summary is about one plan" in answer.text
