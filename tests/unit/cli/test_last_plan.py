"""The last plan of some files at a terminal is kept, and `--before last` compares with it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from cutlist_cli import main
from tests.sample import POOLS, WORKLOADS


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Plans the sample in a folder of its own, with an own cache, in front of a terminal."""
    for path in (POOLS, WORKLOADS):
        (tmp_path / path.name).write_text(path.read_text("utf-8"), "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CUTLIST_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("cutlist_cli.plan.is_kept", lambda *_: True)

    def run(*more: str):
        return CliRunner().invoke(main, ["plan", "-f", "pools.yaml", "-f", "workloads.yaml", "--region", "us-west-2", *more])

    return run


def _grow(folder: Path) -> None:
    path = folder / "workloads.yaml"
    path.write_text(path.read_text("utf-8").replace("replicas: 12", "replicas: 24"), "utf-8")


def test_a_plan_is_kept_and_the_next_is_compared_with_it(plan, tmp_path):
    """The comparison says which plan it is with; equal plans say nothing."""
    first = plan()
    assert first.stderr.startswith("Note: kept in ")
    assert "--before last compares" in first.stderr
    assert plan().stderr == ""
    _grow(tmp_path)
    compared = plan("--before", "last")
    assert compared.exit_code == 0, compared.output
    assert compared.stderr.startswith("Note: compared with the plan of ")
    assert compared.stdout != plan().stdout


def test_another_price_is_said_without_being_asked_for(plan, tmp_path):
    """The plan that is kept is then the new one."""
    plan()
    _grow(tmp_path)
    assert " before, the plan of these files was about $68 a month for 1 node, with 1 pod pending, and now " in " ".join(
        plan().stderr.split()
    )
    assert plan().stderr == ""


def test_without_a_kept_plan_the_word_is_an_error(plan):
    """Which says what to give."""
    refused = plan("--before", "last")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "--before: no plan of these files is kept for this folder" in refused.stderr


def test_a_file_of_that_name_is_read(plan, tmp_path):
    (tmp_path / "last").write_text(plan("-o", "json").stdout, "utf-8")
    assert plan("--before", "last").stderr == ""


def test_nothing_is_kept_without_a_terminal(tmp_path, monkeypatch):
    """As in a pipeline, where no cache is expected to be written."""
    monkeypatch.setenv("CUTLIST_CACHE", str(tmp_path / "cache"))
    result = CliRunner().invoke(main, ["plan", "-f", str(POOLS), "-f", str(WORKLOADS), "--region", "us-west-2"])
    assert (result.exit_code, result.stderr, (tmp_path / "cache").exists()) == (0, "", False)


@pytest.mark.parametrize(
    "sides", [("last", "pools.yaml", "-f", "workloads.yaml"), ("last", "workloads.yaml", "-f", "pools.yaml"), ("last",)]
)
def test_a_diff_begins_with_the_last_plan_of_the_same_files(plan, tmp_path, sides):
    """Of those that are named, else of the project's; nothing is kept of it."""
    plan()
    (tmp_path / "cutlist.yaml").write_text("file: [pools.yaml, workloads.yaml]\nregion: us-west-2\n", "utf-8")
    _grow(tmp_path)
    kept = [path.read_text("utf-8") for path in (tmp_path / "cache").rglob("*.json")]
    compared = CliRunner().invoke(main, ["diff", *sides])
    assert compared.exit_code == 0, compared.output
    assert compared.stderr.startswith("Note: compared with the plan of ")
    assert compared.stdout.startswith("From the last plan to ")
    assert "about $69 before, about $136 now" in compared.stdout
    assert [path.read_text("utf-8") for path in (tmp_path / "cache").rglob("*.json")] == kept


def test_a_diff_with_the_last_plan_of_other_files_is_refused(plan):
    plan()
    refused = CliRunner().invoke(main, ["diff", "last", "pools.yaml", "--region", "us-west-2"])
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr.startswith("last: no plan of these files is kept for this folder")


def test_a_file_named_last_is_a_side(plan, tmp_path):
    (tmp_path / "last").write_text(plan("-o", "json").stdout, "utf-8")
    same = CliRunner().invoke(main, ["diff", "last", "pools.yaml", "-f", "workloads.yaml", "--region", "us-west-2"])
    assert (same.exit_code, same.stderr) == (0, ""), same.output
