"""Write files for commands: all of a file or nothing, and never over what the command reads."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Final

from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.setting import Advice
from cutlist.documents.files import FILE_SUFFIXES
from cutlist.documents.text.replacing import replace_file
from cutlist.settings.new import FORCE
from cutlist_cli import terminal

OWNERS: Final = 0o600
"""The mode of a file that only its owner may read."""


def write_file(path: str, text: str | bytes, mode: int = 0o666) -> None:
    """Write all of a text, or of its packed form, or nothing, so that no file is left half written, and nothing beside it.

    `mode` is that of a new file, before the umask; a file that exists keeps its own. Raises InputError, also for a path whose
    links lead out of its folder.
    """
    require_within([path])
    target = os.path.realpath(path)
    try:
        if os.path.lexists(target) and not os.path.isfile(target):  # a pipe or a terminal
            with open(target, "ab") as pipe:
                pipe.write(text.encode() if isinstance(text, str) else text)
        else:
            replace_file(target, text, mode)
    except OSError as error:
        raise _unwritable(path, error) from None


def write_files(texts: Iterable[tuple[str, str]]) -> None:
    """Write texts to files, each as a whole. Raises InputError before any is written if links lead one out of its folder."""
    listed = list(texts)
    require_within(path for path, _ in listed)
    for path, text in listed:
        write_file(path, text)


def require_within(paths: Iterable[str]) -> None:
    """Raise InputError for each path that its links lead elsewhere."""
    problems = Problems()
    for path in paths:
        if target := leads_out(path):
            problems.add(Place(path), f"is a link that leads out of its folder, to {target}", "that file by its own name")
    problems.raise_if_any()


def leads_out(path: str) -> str:
    """Return the file to which links lead a path, if it is out of the folder that the path names; else nothing.

    Somebody else may have made the link: a file of a change leads to a stranger's. A folder that is named from the root, or
    above the working directory, is where the user says. Pipes and terminals are written to wherever they are.
    """
    target, folder = os.path.realpath(path), os.path.dirname(path)
    if os.path.lexists(target) and not os.path.isfile(target):
        return ""
    inner = os.path.realpath(folder or os.curdir)
    is_below_here = not os.path.isabs(folder) and os.pardir not in folder.split(os.sep)
    outer = os.path.realpath(os.curdir) if is_below_here else inner
    is_within = _is_below(inner, outer) and _is_below(os.path.dirname(target), inner)
    return "" if is_within else target


def _is_below(folder: str, other: str) -> bool:
    return folder == other or folder.startswith(other.rstrip(os.sep) + os.sep)


def write_answer(text: str, file: str | None) -> None:
    """Write an answer to the file of `--to`, or without one to standard output. Raises InputError."""
    if file is None:
        terminal.write(text)
    else:
        write_file(file, text)


def make_folder_of(path: str) -> None:
    """Make the folder that a file is in. Raises InputError."""
    require_within([path])
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    except OSError as error:
        raise _unwritable(path, error) from None


def keep_existing(path: str, *, force: bool) -> None:
    """Raise InputError for a file that exists, unless it may be replaced."""
    if os.path.lexists(path) and not force:
        raise InputError.one(Place(path), "exists already", Advice.of((FORCE, ", which replaces it")))


def _unwritable(path: str, error: OSError) -> InputError:
    return InputError.one(Place(path), f"cannot be written: {(error.strerror or str(error)).lower()}")


def refuse_folders(option: str, file: str, inputs: Iterable[str]) -> None:
    """Raise InputError when a file that an option writes would be read as a manifest, in one of the folders that are read."""
    target = os.path.realpath(file)
    for folder in inputs:
        if target.endswith(FILE_SUFFIXES) and target.startswith(os.path.realpath(folder) + os.sep):
            raise InputError.one(Place(path=option), f"{file} is in {folder}, whose files are read", "a file elsewhere")


def refuse_inputs(option: str, outputs: Iterable[str], inputs: Iterable[str]) -> None:
    """Raise InputError when a file that an option writes is one that the command reads, or when it writes one twice."""
    taken = {os.path.realpath(path): "one of the files that are read" for path in inputs}
    for path in outputs:
        if not path:
            raise InputError.one(Place(path=option), "the name of the file is empty")
        if what := taken.get(os.path.realpath(path)):
            raise InputError.one(Place(path=option), f"{path} is {what}", "another file")
        taken[os.path.realpath(path)] = "written already"
