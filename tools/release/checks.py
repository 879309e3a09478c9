"""What has to hold before a release is made, and where a version is written."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tools.release.project import PLACEHOLDER, Project


class Outcome(StrEnum):
    """How a check ended."""

    OK = "ok"
    OPEN = "open"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Check:
    """A check with its outcome and, where there is something to say, what was found."""

    name: str
    outcome: Outcome
    finding: str = ""


_PINNED: Final = ("constraints.txt", "tools/integrations/requirements.txt")
PLACES: Final[Mapping[str, str]] = {
    "policies/PulumiPolicy.yaml": r"^version: (\S+)$",
    "components/pulumi-plugin.json": r'"version": "([^"]+)"',
    "components/schema.json": r'^  "version": "([^"]+)"',
    "tools/integrations/kubectl/cutlist.yaml": r"^  version: v(\S+)$",
    "tools/integrations/kubectl/kubectl-cutlist": r'^version="([^"]+)"$',
}
"""Files that repeat the version of pyproject.toml, each with a pattern that finds it."""


def checks(project: Project) -> list[Check]:
    """Return every check of the current commit that needs no build."""
    return [check(project) for check in (_clean, _tag, _versions, _notes, _pins, _address)]


def check_wheel(project: Project) -> Check:
    """Install the wheel in a fresh environment and use it as a user would."""
    name = "the wheel works in a fresh environment"
    command = [sys.executable, "-m", "pytest", "-n", "0", "tests/release/checks/check_wheel.py"]
    done = subprocess.run(command, cwd=project.root, capture_output=True, text=True)  # noqa: S603 - our own tests
    if done.returncode == 0:
        return Check(name, Outcome.OK)
    return Check(name, Outcome.FAILED, done.stdout.strip() or done.stderr.strip())


def set_version(project: Project, version: str) -> list[str]:
    """Write another version into every file that has one, and return these files."""
    after = Project(project.root)
    _replace(project, "pyproject.toml", r'^version = "([^"]+)"$', version)
    for file, pattern in PLACES.items():
        _replace(project, file, pattern, _expected(after, file))
    _replace_all(project, "tools/integrations/kubectl/cutlist.yaml", project.tag, after.tag)
    return ["pyproject.toml", *PLACES]


def _replace(project: Project, file: str, pattern: str, version: str) -> None:
    path = project.root / file
    text = path.read_text("utf-8")
    match = re.search(pattern, text, re.MULTILINE)
    if match is not None:
        path.write_text(text[: match.start(1)] + version + text[match.end(1) :], "utf-8")


def _replace_all(project: Project, file: str, before: str, after: str) -> None:
    path = project.root / file
    path.write_text(path.read_text("utf-8").replace(before, after), "utf-8")


def _expected(project: Project, file: str) -> str:
    """Return the version that a file should have: Python's form where pip reads it."""
    return project.version if file.endswith("kubectl-cutlist") else project.semantic_version


def _check(name: str, finding: str, otherwise: Outcome = Outcome.FAILED) -> Check:
    return Check(name, otherwise if finding else Outcome.OK, finding)


def _clean(project: Project) -> Check:
    changed = [line.split()[-1] for line in project.git("status", "--porcelain").splitlines()]
    return _check("everything is committed", f"{len(changed)} changed files, {changed[0]} among them" if changed else "")


def _tag(project: Project) -> Check:
    """A tag of this commit is right: a release may be made again from it."""
    tags = project.git("tag", "--list", project.tag)
    commit = project.git("rev-list", "--max-count=1", project.tag) if tags else project.git("rev-parse", "HEAD")
    finding = "" if commit == project.git("rev-parse", "HEAD") else f"{project.tag} is of another commit, {commit[:8]}"
    return _check("the tag is free or of this commit", finding)


def _versions(project: Project) -> Check:
    wrong = []
    for file, pattern in PLACES.items():
        match = re.search(pattern, (project.root / file).read_text("utf-8"), re.MULTILINE)
        expected = _expected(project, file)
        if match is None or match[1] != expected:
            wrong.append(f"{file} has {match[1] if match else 'no version'}, not {expected}")
    return _check("every file has the same version", "; ".join(wrong))


def _notes(project: Project) -> Check:
    missing = f"CHANGELOG.md has no section {project.semantic_version}"
    return _check("the changelog has notes", "" if project.notes() else missing)


def _pins(project: Project) -> Check:
    """Hold the pins with hashes against those that the project is tested with."""
    text = {
        file: (project.root / file).read_text("utf-8") for file in ("constraints.txt", "tools/integrations/requirements.txt")
    }
    pins = {file: dict(re.findall(r"^([\w.-]+)==(\S+)", lines, re.MULTILINE)) for file, lines in text.items()}
    tested = {_canonical(name): version for name, version in pins["constraints.txt"].items()}
    wrong = [
        f"{name} is {version}, tested with {tested[_canonical(name)]}"
        for name, version in pins["tools/integrations/requirements.txt"].items()
        if tested.get(_canonical(name), version) != version
    ]
    return _check("pins and constraints agree", "; ".join(wrong))


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _address(project: Project) -> Check:
    """A candidate may be made without an address; a final release may not."""
    files = project.with_placeholder()
    finding = f"{PLACEHOLDER} is a placeholder in {', '.join(files)}: set it with `make address URL=...`" if files else ""
    return _check("the project has an address", finding, Outcome.OPEN if project.is_candidate else Outcome.FAILED)
