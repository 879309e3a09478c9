"""What changed between two versions of a Go module, as the first step of taking in a release says it."""

from __future__ import annotations

import json
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tools import module_diff

MODULE = "example.com/karpenter"
BEFORE = {"pkg/a/limits.go": "one\ntwo\n", "pkg/a/suite_test.go": "x\n", "docs/page.md": "x\n", "charts/values.yaml": "a: 1\n"}
AFTER = {
    **BEFORE,
    "pkg/a/limits.go": "one\nthree\nfour\n",
    "pkg/b/new.go": "x\n",
    "pkg/a/suite_test.go": "y\n",
    "docs/page.md": "y\n",
}


@pytest.fixture
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module cache with two versions, and a `go` that finds them."""
    for version, files in (("v1.0.0", BEFORE), ("v1.0.1", AFTER)):
        with zipfile.ZipFile(tmp_path / f"{version}.zip", "w") as archive:
            for name, text in files.items():
                archive.writestr(f"{MODULE}@{version}/{name}", text)

    def download(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        archive = tmp_path / f"{command[-1].partition('@')[2]}.zip"
        answer = {"Zip": str(archive)} if archive.exists() else {"Error": "this version is not available"}
        return subprocess.CompletedProcess(command, 0, json.dumps(answer), "")

    monkeypatch.setattr(module_diff.subprocess, "run", download)


@pytest.mark.usefixtures("cached")
def test_files_of_the_program_are_listed_by_folder_and_others_counted(capsys: pytest.CaptureFixture[str]) -> None:
    """With the lines that they gain and lose."""
    assert module_diff.main([MODULE, "v1.0.0", "v1.0.1"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "pkg/a: limits.go +2 -1",
        "pkg/b: new.go +1 -0",
        "2 files changed in 2 folders; 2 tests, documents and scripts besides",
    ]


@pytest.mark.usefixtures("cached")
def test_a_version_that_is_not_available_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a traceback, as wrong arguments are."""
    assert module_diff.main([MODULE, "v1.0.0", "v9.0.0"]) == 2
    assert capsys.readouterr().err == "this version is not available\n"
    assert module_diff.main([MODULE]) == 2
    assert "python -m tools.module_diff" in capsys.readouterr().err
