"""`cutlist new ci`: a workflow for GitHub or a pipeline for GitLab, for what is in a repository."""

from __future__ import annotations

import contextlib
import os
from importlib.metadata import metadata
from pathlib import Path
from typing import Final

from cutlist.core.errors import InputError, Place
from cutlist.core.wording import counted
from cutlist.documents.delivery.checkout import Checkout
from cutlist.documents.pulumi_stacks import stack_names
from cutlist.settings.new import FORCE, PLATFORM, SOURCE
from cutlist.settings.stack import PROJECT_DIR
from cutlist_cli import terminal
from cutlist_cli.code_owners import write_owners
from cutlist_cli.files import keep_existing, make_folder_of, write_file
from cutlist_cli.pipelines import Judged, Source, github_workflow, gitlab_pipeline, lines_to_fill
from cutlist_cli.price_workflow import FOLDER, price_workflow
from cutlist_cli.project_settings import read_project

_WORKFLOW: Final = ".github/workflows/cutlist.yml"
_PRICES: Final = ".github/workflows/cutlist-prices.yml"
_PIPELINE: Final = ".gitlab/cutlist.yml"
OWN_PIPELINES: Final = (_WORKFLOW, _PIPELINE)
"""What gates each change: of GitHub, and of GitLab."""
_OF_GITLAB: Final = ".gitlab-ci.yml"
GITLAB: Final = PLATFORM.choices[1]
_NO_HOME: Final = "https://example.com/"


def write_pipeline(project_dir: Path, platform: str | None, source: str | None, *, force: bool) -> None:
    """Write the pipeline of the repository around a project, and say what it judges and what is left to do.

    Raises InputError outside of a repository, for a mistake in the project's file or the source, and for a file that exists
    already, unless it may be replaced.
    """
    checkout = _checkout(project_dir)
    judged = _judged(project_dir, os.path.relpath(os.path.realpath(project_dir), checkout.root))
    is_github = (platform or platform_of(checkout)) == PLATFORM.choices[0]
    taken_from = Source.of(source) if source else own_source()
    text = github_workflow(judged, taken_from) if is_github else gitlab_pipeline(judged, taken_from)
    path = os.path.relpath(os.path.join(checkout.root, _WORKFLOW if is_github else _PIPELINE))
    keep_existing(path, force=force)
    make_folder_of(path)
    write_file(path, text)
    with contextlib.chdir(project_dir):
        of_owners = write_owners(os.path.relpath(checkout.root), _WORKFLOW if is_github else _PIPELINE)
    lines = [*_summary(path, text, judged, is_github=is_github), *of_owners]
    terminal.write("".join(f"{terminal.safe(line)}\n" for line in lines))


def write_price_workflow(project_dir: Path, source: str | None, *, force: bool) -> None:
    """Write the workflow that proposes today's prices, and say what is left to do. Raises InputError as `write_pipeline`
    does."""
    checkout = _checkout(project_dir)
    judged = _judged(project_dir, os.path.relpath(os.path.realpath(project_dir), checkout.root))
    text = price_workflow(judged, Source.of(source) if source else own_source())
    path = os.path.relpath(os.path.join(checkout.root, _PRICES))
    keep_existing(path, force=force)
    make_folder_of(path)
    write_file(path, text)
    lines = [f"{path} proposes prices once a week", ""]
    if numbers := lines_to_fill(text):
        lines.append(f"Put in the repository of Cutlist and the commit to use: {', '.join(f'{path}:{n}' for n in numbers)}")
    catalog = project_dir / FOLDER
    if not catalog.is_dir():
        lines.append(
            f"Write the catalogue with the regions that you use: cutlist catalog update --public --region REGION --to {catalog}"
        )
    lines += ["Let workflows open pull requests, in the settings of the repository", f"Next: commit {path} and {catalog}"]
    terminal.write("".join(f"{terminal.safe(line)}\n" for line in lines))


def project_of_repository(project_dir: Path) -> Path:
    """Return the project that was found from the working directory, or that directory itself if the project is outside of the
    repository around it."""
    checkout = Checkout.around(os.curdir)
    if checkout is None or Path(os.path.realpath(project_dir)).is_relative_to(checkout.root):
        return project_dir
    return Path()


def _summary(path: str, text: str, judged: Judged, *, is_github: bool) -> list[str]:
    what = f"{counted(len(judged.names), judged.key)}: {', '.join(judged.names)}" if judged.key else "all of the repository"
    lines = [f"{path} gates {what}", "", *(f"  {line}" if line else "" for line in text.splitlines()), ""]
    if numbers := lines_to_fill(text):
        places = ", ".join(f"{path}:{number}" for number in numbers)
        lines += [f"Put in the repository of Cutlist and the commit to use: {places} ({SOURCE.flag} with {FORCE.flag} does it)"]
    if not is_github:
        lines += [f"Add to {_OF_GITLAB}: include: [{{local: {_PIPELINE}}}]"]
    return [*lines, f"Next: commit {path}"]


def _checkout(project_dir: Path) -> Checkout:
    """Return the repository around a folder."""
    if not project_dir.is_dir():
        message = f"{project_dir} is not a folder"
        raise InputError.one(Place.of(PROJECT_DIR), message, "the folder of Pulumi.yaml or cutlist.yaml")
    checkout = Checkout.around(str(project_dir))
    if checkout is None:
        message = f"{project_dir} is in no repository of git"
        raise InputError.one(Place.of(PROJECT_DIR), message, "a folder of one; git init makes it one")
    return checkout


def _judged(project_dir: Path, folder: str) -> Judged:
    """Return the environments of the project's file, else the stacks; neither if all of the repository is judged."""
    with contextlib.chdir(project_dir):
        environments = tuple(environment.name for environment in read_project().environments)
        return Judged(environments, () if environments else stack_names("Pulumi.yaml"), folder)


def platform_of(checkout: Checkout) -> str:
    """Return what runs pipelines: GitLab where there is one of it or the repository comes from there, else GitHub."""
    root, (github, gitlab) = Path(checkout.root), PLATFORM.choices
    is_of_gitlab = (root / _OF_GITLAB).exists() or any(gitlab in address for address in checkout.addresses)
    return gitlab if is_of_gitlab and not (root / ".github").is_dir() else github


def own_source() -> Source | None:
    """Return where this version of Cutlist comes from, as its metadata say; None without a public home."""
    own = metadata("cutlist")
    homes = [line.partition(", ")[2] for line in own.get_all("Project-URL") or () if line.startswith("Homepage, ")]
    return Source(homes[0], f"v{own['Version']}") if homes and not homes[0].startswith(_NO_HOME) else None
