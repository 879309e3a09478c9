"""`cutlist new ci`: a workflow for GitHub or a pipeline for GitLab, for what is in a repository."""

from __future__ import annotations

import contextlib
import os
import subprocess
from importlib.metadata import metadata
from pathlib import Path
from typing import Final

from cutlist.core.errors import InputError, Place
from cutlist.core.wording import counted
from cutlist.settings.new import FORCE, PLATFORM
from cutlist.settings.stack import PROJECT_DIR
from cutlist_cli import terminal
from cutlist_cli.files import write_file
from cutlist_cli.pipelines import Judged, Source, github_workflow, gitlab_pipeline, lines_to_fill
from cutlist_cli.project_settings import read_project

_GITHUB: Final = "github"
_WORKFLOW: Final = ".github/workflows/cutlist.yml"
_PIPELINE: Final = ".gitlab/cutlist.yml"
_OF_GITLAB: Final = ".gitlab-ci.yml"
_NO_HOME: Final = "https://example.com/"


def write_pipeline(project_dir: Path, platform: str | None, source: str | None, *, force: bool) -> None:
    """Write the pipeline of the repository around a project, and say what it judges and what is left to do.

    Raises InputError outside of a repository, for a mistake in the project's file or the source, and for a file that exists
    already, unless it may be replaced.
    """
    root = _root(project_dir)
    judged = _judged(project_dir, os.path.relpath(project_dir.resolve(), root))
    chosen = platform or ("gitlab" if _is_of_gitlab(root) else _GITHUB)
    taken_from = Source.of(source) if source else _own_source()
    is_github = chosen == _GITHUB
    text = github_workflow(judged, taken_from) if is_github else gitlab_pipeline(judged, taken_from)
    path = os.path.relpath(root / (_WORKFLOW if is_github else _PIPELINE))
    if os.path.lexists(path) and not force:
        raise InputError.one(Place(path), "exists already", f"{FORCE.flag}, which replaces it")
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    write_file(path, text)
    terminal.write("".join(f"{terminal.safe(line)}\n" for line in _summary(path, text, judged, is_github=is_github)))


def _summary(path: str, text: str, judged: Judged, *, is_github: bool) -> list[str]:
    what = f"{counted(len(judged.names), judged.key)}: {', '.join(judged.names)}" if judged.key else "all of the repository"
    lines = [f"{path} gates {what}", "", *(f"  {line}" if line else "" for line in text.splitlines()), ""]
    if numbers := lines_to_fill(text):
        places = ", ".join(f"{path}:{number}" for number in numbers)
        lines += [f"Put in the repository of Cutlist and the commit to use: {places}"]
    if not is_github:
        lines += [f"Add to {_OF_GITLAB}: include: [{{local: {_PIPELINE}}}]"]
    return [*lines, f"Next: commit {path}"]


def _root(project_dir: Path) -> Path:
    """Return the root of the repository around a folder."""
    if not project_dir.is_dir():
        raise InputError.one(
            Place.of(PROJECT_DIR), f"{project_dir} is not a folder", "the folder of Pulumi.yaml or cutlist.yaml"
        )
    folder = project_dir.resolve()
    for root in (folder, *folder.parents):
        if (root / ".git").exists():
            return root
    raise InputError.one(
        Place.of(PROJECT_DIR), f"{project_dir} is in no repository of git", "a folder of one; git init makes it one"
    )


def _judged(project_dir: Path, folder: str) -> Judged:
    with contextlib.chdir(project_dir):
        environments = tuple(environment.name for environment in read_project().environments)
        names = (path.name for pattern in ("Pulumi.*.yaml", "*/Pulumi.*.yaml") for path in Path().glob(pattern))
        stacks = tuple(sorted({name.removeprefix("Pulumi.").removesuffix(".yaml") for name in names}))
        is_project = Path("Pulumi.yaml").exists()
    return Judged(environments, stacks if is_project and not environments else (), folder)


def _is_of_gitlab(root: Path) -> bool:
    """Tell whether a repository has a pipeline of GitLab or, as its remote says, comes from there."""
    if (root / ".github").is_dir():
        return False
    if (root / _OF_GITLAB).exists():
        return True
    asked = ["git", "-C", str(root), "remote", "get-url", "origin"]
    try:
        answer = subprocess.run(asked, capture_output=True, text=True, check=False)  # noqa: S603 - git of whoever calls
    except FileNotFoundError:
        return False
    return PLATFORM.choices[1] in answer.stdout


def _own_source() -> Source | None:
    """Return where this version of Cutlist comes from, as its metadata say; None without a public home."""
    own = metadata("cutlist")
    homes = [line.partition(", ")[2] for line in own.get_all("Project-URL") or () if line.startswith("Homepage, ")]
    return Source(homes[0], f"v{own['Version']}") if homes and not homes[0].startswith(_NO_HOME) else None
