"""Other verbs than `plan` and `gate` answer for every environment of a repository in one table, as these do."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.planning.manifests import NODE_CLASS, deployment, pool
from tests.unit.repositories.commands import FOLDER, run_in

EUROPE = ("--region", "eu-west-1")
READING = ("-f", ".", "-R")
VERBS = (("validate",), ("explain", "deployment/web"), ("suggest", "--plans", "2"))


@pytest.fixture
def several(tmp_path: Path) -> Path:
    """Two environments, of which one has a mistake."""
    for name, text in (("right", deployment("web")), ("wrong", deployment("web").replace("replicas:", "replica:"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "all.yaml").write_text("---\n".join((NODE_CLASS, pool(), text)))
    return tmp_path


def test_all_environments_are_checked_in_one_table(several: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has the mistakes of its own check, and the worst decides about the exit code."""
    answer = run_in(several, monkeypatch, "validate", *READING, "--all", "-o", "json")
    right, wrong = answer.data["environments"]
    assert (answer.exit_code, answer.data["passed"], answer.data["failed"]) == (1, False, 0)
    assert (right["state"], right["checked"], right["problems"]) == ("passed", 3, [])
    assert (wrong["state"], wrong["command"]) == ("refused", "cutlist validate -f wrong -R")
    alone = run_in(several, monkeypatch, "validate", *READING, "--environment", "wrong", "-o", "json")
    assert (wrong["problems"], wrong["checked"]) == (alone.data["problems"], sum(alone.data["checked"].values()))


def test_an_environment_that_cannot_be_read_is_a_row_of_the_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With settings of its own, such as the version of Kubernetes; the exit code is 2."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "all.yaml").write_text("---\n".join((NODE_CLASS, pool(), deployment("web"))))
    text = "environments:\n  dev: {file: all.yaml, karpenter: '9.9'}\n  prod: {file: all.yaml}\n  gone: {file: gone.yaml}\n"
    (tmp_path / "cutlist.yaml").write_text(text)
    answer = run_in(tmp_path, monkeypatch, "validate", "--all", "-o", "json")
    assert [of["state"] for of in answer.data["environments"]] == ["failed", "passed", "failed"]
    assert (answer.exit_code, answer.data["failed"]) == (2, 2)
    assert answer.data["environments"][0]["problems"][0]["path"] == "environments.dev.karpenter"
    assert answer.data["environments"][2]["problems"][0]["file"] == "gone.yaml"


def test_a_workload_is_explained_in_every_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("explain", "app/deployment/web", *READING, *EUROPE)
    answer = run_in(FOLDER / "kustomize-overlays", monkeypatch, *words, "--all", "-o", "json")
    assert (answer.exit_code, answer.data["failed"]) == (0, 0)
    for of in answer.data["environments"]:
        alone = run_in(FOLDER / "kustomize-overlays", monkeypatch, *words, "--environment", of["name"], "-o", "json").data
        (explanation,) = alone["explanations"]
        assert of["explanations"] == [explanation]
        assert (of["pods"], of["pricePerHour"]) == (explanation["pods"], explanation["pricePerHour"])


def test_an_environment_without_the_workload_is_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its mistake names what is there; a pod without a node is a fact and no mistake."""
    for name, text in (("a", deployment("web", cpu="2000")), ("b", deployment("web") + "---\n" + deployment("jobs"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "all.yaml").write_text("---\n".join((NODE_CLASS, pool(), text)))
    text = run_in(tmp_path, monkeypatch, "explain", "deployment/web", *READING, *EUROPE, "--all").text
    assert "in 2 environments, 1 without a node" in text
    answer = run_in(tmp_path, monkeypatch, "explain", "deployment/jobs", *READING, *EUROPE, "--all", "-o", "json")
    assert (answer.exit_code, answer.data["failed"]) == (2, 1)
    assert answer.data["environments"][0]["problems"][0]["message"] == "no pod of such a workload waits for a node"


@pytest.mark.thorough
def test_suggestions_for_every_environment_are_those_of_each(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("suggest", *READING, *EUROPE, "--plans", "2")
    answer = run_in(FOLDER / "kustomize-overlays", monkeypatch, *words, "--all", "-o", "json")
    assert (answer.exit_code, answer.data["answered"]) == (0, 2)
    for of in answer.data["environments"]:
        alone = run_in(FOLDER / "kustomize-overlays", monkeypatch, *words, "--environment", of["name"], "-o", "json")
        assert of["answer"] == alone.data


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("form", ["text", "markdown", "csv"])
def test_each_form_has_a_row_for_each_environment(
    several: Path, verb: tuple[str, ...], form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where one of them has a mistake."""
    region = () if verb == ("validate",) else EUROPE
    answer = run_in(several, monkeypatch, *verb, *READING, *region, "--all", "-o", form)
    assert answer.exit_code == (1 if verb == ("validate",) else 2)
    rows = [line.lstrip("|` ") for line in answer.text.splitlines()]
    assert all(any(row.startswith(name) for row in rows) for name in ("right", "wrong"))
    assert "spec.replica" in answer.text


@pytest.mark.parametrize(
    "words", [("validate", "--before", "."), ("explain", "deployment/web", "--restrictions"), ("suggest", "--write", "best")]
)
def test_what_is_done_with_one_answer_cannot_be_combined_with_all(
    several: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = run_in(several, monkeypatch, *words, *READING, "--all")
    assert answer.exit_code == 2
    assert f"{words[-1] if words[-1].startswith('--') else words[1]} is about one" in answer.text


def test_calendars_of_all_plans_count_from_the_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Support of the cluster's Kubernetes has ended by the later one, which is a warning more."""
    figures = "apiVersion: cutlist/v1\nkind: Figures\neks: {kubernetesVersion: '1.34'}\n"
    (tmp_path / "all.yaml").write_text("---\n".join((NODE_CLASS, pool(), deployment("web"), figures)))
    (tmp_path / "cutlist.yaml").write_text("environments:\n  dev: {file: all.yaml}\n")
    counts = []
    for day in ("2026-01-05", "2036-01-05"):
        answer = run_in(tmp_path, monkeypatch, "plan", "--all", *EUROPE, "--at", day, "-o", "json")
        counts += [of["warnings"] for of in answer.data["environments"]]
    assert counts[1] == counts[0] + 1
