"""The cases: a repository, what the oracle is asked about it, what Cutlist reads of it, and the recorded answer."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cutlist.documents.folders import Charts, Reading

CASES: Final = Path(__file__).with_name("cases")
KUBE: Final = "1.34.0"
"""The version of Kubernetes that the oracle's charts see unless a case names another."""
_GIT: Final = ("git", "-c", "user.email=none@example.com", "-c", "user.name=none")


@dataclass(frozen=True, slots=True)
class Case:
    """A case by the name of its folder."""

    folder: Path
    about: Mapping[str, Any]
    answer: Mapping[str, Any]

    @staticmethod
    def of(folder: Path) -> Case:
        """Return the case in a folder; one that is not recorded yet has an empty answer."""
        answer = folder / "expected.json"
        about = json.loads((folder / "case.json").read_text("utf-8"))
        return Case(folder, about, json.loads(answer.read_text("utf-8")) if answer.exists() else {})

    @property
    def name(self) -> str:
        """Return its name."""
        return self.folder.name

    @property
    def paths(self) -> list[str]:
        """Return what Cutlist is asked to read, below the checkout."""
        return list(self.about["cutlist"]["paths"])

    @property
    def reading(self) -> Reading:
        """Return how Cutlist is asked to read it."""
        asked = self.about["cutlist"]
        values, versions = tuple(asked.get("helm_values", ())), tuple(asked.get("apis", ()))
        charts = Charts(values, asked.get("kube", KUBE), versions) if asked.get("helm") else None
        return Reading(bool(asked.get("recursive")), bool(asked.get("kustomize")), False, charts)

    @property
    def programs(self) -> tuple[str, ...]:
        """Return the programs that Cutlist needs for it."""
        return tuple(name for name in ("helm", "kustomize") if self.about["cutlist"].get(name))

    def checkout(self, folder: Path) -> Path:
        """Write the repository as a work tree of git, with its address as a remote, and return its root."""
        root = folder / "repo"
        shutil.copytree(self.folder / "repo", root)
        commands = (
            ("init", "-q", "-b", "main"),
            ("add", "-A", "-f"),
            ("commit", "-q", "-m", "case"),
            ("remote", "add", "origin", self.about["git"]),
        )
        for words in commands:
            subprocess.run([*_GIT, *words], cwd=root, check=True)
        return root


def all_cases(folder: Path = CASES) -> list[Case]:
    """Return the cases of a folder in the order of their names."""
    return [Case.of(path.parent) for path in sorted(folder.glob("*/case.json"))]
