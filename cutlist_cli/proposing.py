"""Ask at a terminal whether all of a folder is read, where a call does not say what is, and write that down if it shall stay.

Nothing is asked where nobody can answer: in a pipeline, a script with redirected input, or another program.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

import click

from cutlist.settings.new import FROM
from cutlist.settings.planning import FILES, RECURSIVE, REGION
from cutlist_cli import terminal
from cutlist_cli.project_settings import PROJECT_FILE, settings_file

_ASKED: Final = frozenset(("explain", "plan", "suggest", "types", "validate"))
"""Commands that need files, and read a folder of manifests as a whole."""
_NO_REGION: Final = f"# {REGION.key}:"
"""What a project file has in place of a region that nothing says."""
_DEPTH: Final = 4
"""How many folders deep manifests are looked for before anything is asked."""
_MANIFESTS: Final = (".yaml", ".yml", ".json")


def proposed_files(command: str, arguments: Sequence[str], known: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that read all of this folder, if the user at the terminal agrees; else nothing.

    `known` are the options that the project's settings give. Where there is no project file, one is offered as well.
    """
    is_answered = FILES.name in known or any(word.startswith((FILES.short, FILES.flag)) for word in arguments)
    if command not in _ASKED or is_answered or not _is_attended() or not _has_manifests(os.curdir):
        return {}
    if not click.confirm(f"Nothing says what is read. Read all of this folder ({_reading()})?", default=True, err=True):
        return {}
    region: dict[str, Any] = {}
    if settings_file() is None and click.confirm(f"Write {PROJECT_FILE}, so that it is not asked again?", err=True):
        region = _write(_region_of(arguments) or str(known.get(REGION.name) or ""))
    return {FILES.name: [os.curdir], RECURSIVE.name: True, **region}


def _reading() -> str:
    return f"{FILES.short} {os.curdir} {RECURSIVE.short}"


def _is_attended() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _has_manifests(folder: str) -> bool:
    for path, folders, names in os.walk(folder):
        if any(name.endswith(_MANIFESTS) for name in names):
            return True
        is_deep = os.path.relpath(path, folder).count(os.sep) >= _DEPTH
        folders[:] = [] if is_deep else [name for name in folders if not name.startswith(".")]
    return False


def _region_of(arguments: Sequence[str]) -> str:
    pairs = zip(arguments, [*arguments, ""][1:], strict=True)
    return next((following for word, following in pairs if word == REGION.flag), "")


def _write(region: str) -> dict[str, Any]:
    """Write the project file of this folder, and say so. Return the region, which is asked for where nothing says it."""
    from cutlist.planning.project_draft import project_draft  # both bring readers of YAML
    from cutlist_cli.files import write_file

    draft, answer = project_draft(region), ""
    if _NO_REGION in draft.text and not any(map(os.environ.get, REGION.variables)):
        answer = click.prompt("Region, such as us-west-2 (empty to leave it out)", default="", show_default=False, err=True)
        draft = project_draft(answer.strip()) if answer.strip() else draft
    write_file(PROJECT_FILE, draft.text)
    several = f", with {len(draft.environments):,} environments" if draft.environments else ""
    terminal.write_note(f"{PROJECT_FILE} is written{several}; edit it, or write it again with `cutlist new {FROM.flag} .`")
    return {REGION.name: answer.strip()} if answer.strip() else {}
