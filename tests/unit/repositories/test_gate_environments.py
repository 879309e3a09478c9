"""The gates judge every environment of a repository in one table."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.planning.manifests import NODE_CLASS, deployment, pool
from tests.unit.repositories.commands import FOLDER, run_in

EUROPE = ("--region", "eu-west-1")
OVERLAYS = ("gate", "-f", ".", "-R", *EUROPE)


def test_each_environment_has_the_outcomes_of_its_own_report(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = run_in(FOLDER / "kustomize-overlays", monkeypatch, *OVERLAYS, "--all", "-o", "json")
    assert (answer.exit_code, answer.data["passed"]) == (1, False)
    for of in answer.data["environments"]:
        words = (*OVERLAYS, "--environment", of["name"], "-o", "json")
        alone = run_in(FOLDER / "kustomize-overlays", monkeypatch, *words).data
        stopping = {outcome["rule"] for outcome in alone["outcomes"] if outcome["stops"]}
        assert (of["counts"], set(of["stoppedBy"])) == (alone["counts"], stopping)


def test_a_table_names_what_stops_each(monkeypatch: pytest.MonkeyPatch) -> None:
    for form in ("text", "markdown"):
        words = (*OVERLAYS, "--all", "--profile", "strict", "-o", form)
        text = run_in(FOLDER / "kustomize-overlays", monkeypatch, *words).text
        assert "2 stopped of 2 environments" in text
        assert text.count("NP-01, NP-04") == 2


def test_gates_of_an_environment_are_those_of_the_project_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One has gates of its own; a folder that cannot be opened is a row, and the exit code says so."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "all.yaml").write_text("---\n".join((NODE_CLASS, pool(), deployment("web"))))
    (tmp_path / "lax.yaml").write_text("rules: {NP-01: off, NP-04: off, NP-05: off, NP-13: off}\n")
    project = tmp_path / "cutlist.yaml"
    project.write_text("region: eu-west-1\nenvironments:\n  dev: {file: all.yaml, gates: lax.yaml}\n  prod: {file: all.yaml}\n")
    answer = run_in(tmp_path, monkeypatch, "gate", "--all", "-o", "json")
    dev, prod = answer.data["environments"]
    assert "NP-01" in prod["stoppedBy"]
    assert "NP-01" not in dev["stoppedBy"]
    project.write_text(project.read_text() + "  gone: {file: gone.yaml}\n")
    answer = run_in(tmp_path, monkeypatch, "gate", "--all", "-o", "json")
    assert (answer.exit_code, answer.data["failed"]) == (2, 1)
    assert answer.data["environments"][2]["problems"][0]["file"] == "gone.yaml"


def test_what_is_done_with_one_report_cannot_be_combined_with_all(monkeypatch: pytest.MonkeyPatch) -> None:
    for words in (("--write",), ("-o", "sarif")):
        answer = run_in(FOLDER / "kustomize-overlays", monkeypatch, *OVERLAYS, "--all", *words)
        assert answer.exit_code == 2
        assert "--all" in answer.text
