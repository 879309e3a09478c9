"""Where a page comes from, as the command that writes it knows: the project, its commit, the day."""

from __future__ import annotations

import subprocess
from datetime import date
from pathlib import Path

import pytest

from cutlist_cli.page_origin import page_origin


def _git(*arguments: str) -> None:
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.com", *arguments], check=True)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "checkout"
    folder.mkdir()
    monkeypatch.chdir(folder)
    Path("pools.yaml").write_text("a: 1\n")
    _git("init", "-q", "-b", "main")
    _git("add", ".")
    _git("commit", "-q", "-m", "pools")
    return folder


def test_the_commit_is_named_and_whether_files_differ_from_it(repository):
    head = subprocess.run(["git", "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout
    origin = page_origin({"day": "2026-12-03", "environment": "prod"})
    assert head.startswith(origin.commit)
    assert (origin.project, origin.environment, origin.made) == ("checkout", "prod", date(2026, 12, 3))
    assert not origin.is_edited
    (repository / "pools.yaml").write_text("a: 2\n")
    assert page_origin({}).is_edited


def test_a_project_has_the_name_of_its_file_or_its_remote(repository):
    _git("remote", "add", "origin", "git@example.com:team/shop.git")
    assert page_origin({}).project == "shop"
    (repository / "Pulumi.yaml").write_text("name: store\nruntime: python\n")
    assert page_origin({"stack": "dev"}).name == "store, dev"


def test_outside_of_a_repository_no_commit_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    origin = page_origin({})
    assert (origin.project, origin.commit) == (tmp_path.name, "")
