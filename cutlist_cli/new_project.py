"""`cutlist new --from`: a project file from what is in a folder."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.wording import counted
from cutlist.infrastructure.name_checks import check_region_of_any_cloud
from cutlist.planning.project_draft import ProjectDraft, project_draft
from cutlist.settings.environments import ALL, ENVIRONMENT
from cutlist.settings.new import FROM, REGION
from cutlist_cli import terminal
from cutlist_cli.files import keep_existing, write_file
from cutlist_cli.progress import progress_line
from cutlist_cli.project_settings import PROJECT_FILE


def write_project(folder: str, region: str, *, force: bool) -> None:
    """Write the project file of a folder, and say what it has and which command is next.

    Raises InputError if there is one, unless it may be replaced, and for a folder or a region that there is not.
    """
    if not os.path.isdir(folder):
        raise InputError.one(Place.of(FROM), f"{folder} is not a folder", "a folder such as the root of the repository")
    problems = Problems()
    if region:
        check_region_of_any_cloud(region, REGION, problems)
    problems.raise_if_any()
    path = os.path.normpath(os.path.join(folder, PROJECT_FILE))
    keep_existing(path, force=force)
    with progress_line("reading the files"), contextlib.chdir(Path(folder)):
        draft = project_draft(region)
    write_file(path, draft.text)
    terminal.write("".join(f"{terminal.safe(line)}\n" for line in _summary(path, draft)))


def _summary(path: str, draft: ProjectDraft) -> list[str]:
    names = draft.environments
    what = f"{counted(len(names), 'environment')}: {', '.join(names)}" if names else "one environment"
    following = f"cutlist plan {ALL.flag}, or cutlist plan {ENVIRONMENT.flag} {names[0]}" if names else "cutlist plan"
    return [
        f"{path} has {what}",
        "",
        *(f"  {line}" if line else "" for line in draft.text.splitlines()),
        "",
        f"Next: {following}",
    ]
