"""The project as a release sees it: its version, its commit, its changelog and its address."""

from __future__ import annotations

import re
import subprocess
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from pulumi_cutlist.package.version import semantic_version

PLACEHOLDER: Final = "example.com/cutlist"
"""The address of a project that has no public home yet, in every file that needs one, and in import paths of Go."""


@dataclass(frozen=True)
class Project:
    """A clone of the project."""

    root: Path

    @cached_property
    def metadata(self) -> dict[str, Any]:
        """Return what pyproject.toml says."""
        return tomllib.loads((self.root / "pyproject.toml").read_text("utf-8"))

    @property
    def version(self) -> str:
        """Return the version as Python writes it: 1.0.0rc1."""
        return str(self.metadata["project"]["version"])

    @property
    def semantic_version(self) -> str:
        """Return the version as engines and tags write it: 1.0.0-rc.1."""
        return semantic_version(self.version)

    @property
    def tag(self) -> str:
        """Return the name of the release's tag."""
        return f"v{self.semantic_version}"

    @property
    def is_candidate(self) -> bool:
        """Tell whether the version comes before a final one."""
        return "-" in self.semantic_version

    @property
    def address(self) -> str:
        """Return where the project is published, or the placeholder."""
        return str(self.metadata["project"]["urls"]["Homepage"])

    def git(self, *arguments: str) -> str:
        """Return what git prints. Raises CalledProcessError when it fails."""
        done = subprocess.run(["git", "-C", self.root, *arguments], check=True, capture_output=True, text=True)  # noqa: S603, S607
        return done.stdout.strip()

    def commit_time(self) -> int:
        """Return when the current commit was made, in seconds since 1970."""
        return int(self.git("log", "-1", "--format=%ct"))

    def notes(self) -> str:
        """Return the changelog's section about the version; of a candidate without one, what is unreleased; empty
        for a version that has no section."""
        text = (self.root / "CHANGELOG.md").read_text("utf-8")
        sections = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
        by_title = {re.sub(r"[\[\]]", "", section.split("\n", 1)[0]).split(" ")[0]: section for section in sections}
        section = by_title.get(self.semantic_version) or (by_title.get("Unreleased") if self.is_candidate else None)
        return section.partition("\n")[2].strip() if section else ""

    def with_placeholder(self) -> list[str]:
        """Return the files of the current commit that name the placeholder, but for those that explain it."""
        try:
            files = self.git("grep", "-l", "--fixed-strings", PLACEHOLDER, "--", ":!release", ":!docs/releasing.md", ":!tests")
        except subprocess.CalledProcessError:
            return []  # git ends with 1 where nothing matches
        return files.splitlines()
