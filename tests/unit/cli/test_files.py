"""What commands write: whole files, nothing beside them, and nothing over what they read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from cutlist.core.errors import InputError
from cutlist_cli import main
from cutlist_cli.files import write_file

POOL = """apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec: {template: {spec: {requirements: [], nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: a}}}}
"""


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_write_that_fails_leaves_everything_as_before(error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "a.json"
    path.write_text("before")

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises((InputError, KeyboardInterrupt)):
        write_file(str(path), "after")
    with pytest.raises((InputError, KeyboardInterrupt)):
        write_file(str(tmp_path / "new.json"), "after")
    assert path.read_text() == "before"
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def test_a_file_keeps_its_permissions_and_a_link_its_place(tmp_path: Path):
    path, link = tmp_path / "a.json", tmp_path / "link.json"
    path.write_text("before")
    path.chmod(0o640)
    link.symlink_to(path)
    write_file(str(link), "after")
    assert link.is_symlink()
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("after", 0o640)


def test_a_folder_is_not_written(tmp_path: Path):
    with pytest.raises(InputError, match="cannot be written: is a directory"):
        write_file(str(tmp_path), "text")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pools.yaml").write_text(POOL)
    (tmp_path / "plan.json").write_text("{}")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ("gate -f pools.yaml --region us-west-2 --write json=pools.yaml", "--write"),
        ("gate -f . --region us-west-2 --write json=./pools.yaml", "--write"),
        ("gate -f pools.yaml --region us-west-2 --before plan.json --write json=plan.json", "--write"),
        ("gate -f pools.yaml --region us-west-2 --gates pools.yaml --write json=pools.yaml", "--write"),
        ("convert -f pools.yaml --to pools.yaml", "--to"),
        ("convert -f pools.yaml --to new.yaml --values new.yaml", "--values"),
    ],
)
def test_no_output_is_written_over_an_input(words: str, option: str, folder: Path):
    result = CliRunner().invoke(main, words.split())
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{option}: ")
    assert (folder / "pools.yaml").read_text() == POOL
    assert not (folder / "new.yaml").exists()


@pytest.mark.parametrize("words", ["plan -f pools.yaml --region us-west-2 --to", "convert -f pools.yaml --to"])
def test_an_output_without_a_name_is_refused(words: str, folder: Path):
    """It is a variable of a script that is not set."""
    result = CliRunner().invoke(main, [*words.split(), ""])
    assert (result.exit_code, result.stderr.startswith("--to: the name of the file is empty")) == (2, True)


def test_two_forms_do_not_share_a_file(folder: Path):
    result = CliRunner().invoke(
        main, ["gate", "-f", "pools.yaml", "--region", "us-west-2", "--write", "json=gate.out", "--write", "sarif=gate.out"]
    )
    assert (result.exit_code, "gate.out is written already" in result.stderr) == (2, True)
    assert not (folder / "gate.out").exists()


def test_an_answer_is_written_again_where_manifests_lie(folder: Path):
    """The file of the run before is not a manifest, so it is not an input."""
    words = ["gate", "-f", ".", "--external-class", "a", "--region", "us-west-2", "--write", "json=gate.json"]
    first, second = (CliRunner().invoke(main, words) for _ in range(2))
    assert first.exit_code == second.exit_code != 2
    assert (folder / "gate.json").exists()
