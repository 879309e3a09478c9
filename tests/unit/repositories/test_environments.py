"""Several environments in one repository: the command of each, all of them in one table, and a project file that says the same."""

from __future__ import annotations

from pathlib import Path

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
