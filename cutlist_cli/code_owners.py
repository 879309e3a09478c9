"""The files that decide how a change is judged, as lines of CODEOWNERS: whoever may edit them without a review is no judge."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from cutlist.documents.beginnings import beginning_of
from cutlist.documents.files import FILE_SUFFIXES
from cutlist.settings.gate import BEFORE, GATES
from cutlist.settings.planning import CATALOG, PAID, SCHEDULER_CONFIG
from cutlist_cli.files import write_file
from cutlist_cli.project_settings import read_project, settings_file

PLACES: Final = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
"""Where GitHub and GitLab read it."""
_OWNERS: Final = "@OWNERS"
_STACK_FILE: Final = re.compile(r"Pulumi(\..+)?\.ya?ml")
_OWN_KIND: Final = re.compile(r"""^\W*kind["']?\s*:\s*["']?(Figures|PodKinds)\b""", re.MULTILINE)
_SKIPPED: Final = frozenset((".git", ".terraform", "node_modules", "__pycache__", ".venv"))
_SETTINGS: Final = (GATES, BEFORE, CATALOG, PAID, SCHEDULER_CONFIG)


def judging_files(root: str) -> list[str]:
    """Return the files of a repository that decide how its changes are judged, relative to its root; the working directory is
    that of the project."""
    real = os.path.realpath(root)
    found = {*_of_project(), *_in_repository(root), *PLACES[:1]}
    return sorted(name for path in found if not (name := os.path.relpath(os.path.realpath(path), real)).startswith(os.pardir))


def owners_text(files: list[str]) -> str:
    """Return the lines of CODEOWNERS for files, for owners who are still to be named."""
    head = "# What decides how a change is judged. Name the owners, and require their review."
    return "".join(f"{line}\n" for line in (head, *(f"/{file} {_OWNERS}" for file in files)))


def write_owners(root: str, pipeline: str) -> list[str]:
    """Write the file, unless the repository has one; return what is left to do, in lines."""
    text = owners_text(sorted({*judging_files(root), pipeline}))
    existing = next((place for place in PLACES if os.path.lexists(os.path.join(root, place))), None)
    if existing is not None:
        shown = (f"  {line}" for line in text.splitlines()[1:])
        return [f"Add to {existing}, so that owners review what judges a change:", *shown]
    path = os.path.relpath(os.path.join(root, PLACES[0] if pipeline.startswith(".github") else PLACES[3]))
    write_file(path, text)
    return [f"Name in {path} who reviews what judges a change"]


def _of_project() -> Iterator[str]:
    """Yield the file with the project's settings, and the files that these name."""
    file = settings_file()
    if file is None:
        return
    yield file
    project = read_project()
    for values in (project.values, *(of.values for of in project.environments)):
        yield from (str(values[setting]) for setting in _SETTINGS if values.get(setting))


def _in_repository(root: str) -> Iterator[str]:
    """Yield the files of stacks and documents that configure the judge."""
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = sorted(name for name in subfolders if name not in _SKIPPED)
        for name in names:
            path = os.path.join(folder, name)
            is_own = name.endswith(FILE_SUFFIXES) and (_STACK_FILE.fullmatch(name) or _OWN_KIND.search(beginning_of(path)))
            if is_own or name == "PulumiPolicy.yaml":
                yield str(Path(path))
