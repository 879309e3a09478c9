"""Paths of files without links."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cutlist.documents.input_files import RealPaths


@pytest.mark.parametrize(
    "path", ["a.yaml", "./folder/b.yaml", "folder/link.yaml", "linked/b.yaml", "folder/../a.yaml", "folder", "none"]
)
def test_a_path_is_the_one_that_the_system_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    """Also through a link to a file, to a folder, and for the second file of a folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    for name in ("a.yaml", "folder/b.yaml"):
        (tmp_path / name).write_text("")
    (tmp_path / "folder" / "link.yaml").symlink_to("../a.yaml")
    (tmp_path / "linked").symlink_to("folder")
    real_path = RealPaths()
    assert [real_path(path), real_path(path)] == [os.path.realpath(path)] * 2
