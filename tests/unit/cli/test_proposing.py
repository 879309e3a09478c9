"""At a terminal a call that does not say what is read is asked whether that is all of the folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from cutlist_cli import main, proposing
from tests.sample import POOLS, WORKLOADS

_PLAN = ["plan", "--region", "us-west-2"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder outside of any repository, with manifests below it, in front of a terminal."""
    (tmp_path / "apps").mkdir()
    for path in (POOLS, WORKLOADS):
        (tmp_path / "apps" / path.name).write_text(path.read_text("utf-8"), "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(proposing, "_is_attended", lambda: True)
    return tmp_path


def test_the_folder_is_read_and_the_file_written_once_agreed(folder):
    """Then nothing is asked again, and the answer is the same."""
    first = CliRunner().invoke(main, _PLAN, input="y\ny\n")
    assert first.exit_code == 0, first.output
    assert "Read all of this folder (-f . -R)?" in first.stderr
    assert "Note: cutlist.yaml is written" in first.stderr
    assert "region: us-west-2" in (folder / "cutlist.yaml").read_text("utf-8")
    again = CliRunner().invoke(main, ["plan"])
    assert (again.exit_code, again.stderr) == (0, "")
    assert again.stdout == first.stdout


def test_a_region_that_nothing_says_is_asked_for(folder, monkeypatch):
    """It is written down, and counts at once."""
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)
    shown = CliRunner().invoke(main, ["plan"], input="y\ny\nus-west-2\n")
    assert shown.exit_code == 0, shown.output
    assert "region: us-west-2" in (folder / "cutlist.yaml").read_text("utf-8")
    assert shown.stdout == CliRunner().invoke(main, ["plan"]).stdout


def test_without_a_yes_the_message_says_what_to_give(folder):
    refused = CliRunner().invoke(main, _PLAN, input="n\n")
    assert refused.exit_code == 2
    assert "`cutlist new --from .` writes cutlist.yaml" in " ".join(refused.stderr.split())
    assert not (folder / "cutlist.yaml").exists()


def test_nothing_is_asked_without_a_terminal_or_manifests(folder, monkeypatch):
    """A script must not wait for an answer that nobody gives."""
    monkeypatch.setattr(proposing, "_is_attended", lambda: False)
    assert "Read all" not in CliRunner().invoke(main, _PLAN, input="y\ny\n").stderr
    monkeypatch.setattr(proposing, "_is_attended", lambda: True)
    monkeypatch.chdir(folder.parent)
    (folder.parent / "empty").mkdir(exist_ok=True)
    monkeypatch.chdir(folder.parent / "empty")
    assert "Read all" not in CliRunner().invoke(main, _PLAN, input="y\ny\n").stderr


def test_a_file_that_is_named_is_read_without_a_question(folder):
    shown = CliRunner().invoke(main, [*_PLAN, "-f", "apps"])
    assert (shown.exit_code, shown.stderr) == (0, "")
