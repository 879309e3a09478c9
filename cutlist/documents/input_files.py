"""The files to read: those that paths name, and those that folders hold."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from cutlist.core.errors import Place, Problems
from cutlist.core.notes import Notes
from cutlist.core.setting import Advice, Edge
from cutlist.documents.files import STDIN
from cutlist.documents.folders import KUSTOMIZATION_NAMES, Folder, Reading, files_of, has_other_forms
from cutlist.documents.kustomize.kustomization import Kustomization
from cutlist.documents.not_in_use import ARCHIVED, NOT_IN_USE, archived_around
from cutlist.settings.planning import HELM, RECURSIVE

Paths = Sequence[str | os.PathLike[str]]
_ON_THE_LINE, _IN_A_STACK = RECURSIVE.spelled(Edge.COMMAND_LINE), RECURSIVE.spelled(Edge.STACK)


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file to read, or `-`; `folder` is the argument that it was found in, empty for a file that the user named.

    `real` is the path without links, by which one file that is named twice is known. The folder of a chart, which is rendered,
    counts as one file.
    """

    path: str
    real: str
    folder: str = ""
    is_chart: bool = False


def input_files(paths: Paths, problems: Problems, reading: Reading, notes: Notes) -> list[InputFile]:
    """Return the files that paths mean, each once, as it was first named; a file that the user named counts as named."""
    inputs: dict[str, InputFile] = {}
    for path in [os.fspath(path) for path in paths]:
        for file in [InputFile(STDIN, STDIN)] if path == STDIN else _files(path, problems, reading, notes):
            earlier = inputs.get(file.real)
            if earlier is None or (earlier.folder and not file.folder):
                inputs[file.real] = file
    return list(inputs.values())


def _files(path: str, problems: Problems, reading: Reading, notes: Notes) -> list[InputFile]:
    is_folder = os.path.isdir(path)
    folder = _counted(files_of(path, problems, recursive=reading.recursive), reading.ignored)
    folder = _in_use(folder, path, notes) if is_folder else folder
    if reading.charts is None and reading.helmfile is None:  # which charts helmfiles install is known later
        _note_charts(path, folder, reading, problems, notes)
    if folder.files and not any(os.path.basename(file) in KUSTOMIZATION_NAMES for file in folder.files):
        for unread in folder.unread:
            notes.add(
                "subfolder",
                f"not read, because they are subfolders; {_ON_THE_LINE}, or {_IN_A_STACK} in a stack, reads them: {{who}}",
                unread,
            )
    named = path if is_folder else ""
    real_path = RealPaths()
    files = [InputFile(file, real_path(file), named) for file in folder.files]
    if reading.charts is not None:
        files += [InputFile(chart, os.path.realpath(chart), path, is_chart=True) for chart in folder.charts]
    return files


def _counted(folder: Folder, ignored: frozenset[str]) -> Folder:
    """Return what a folder holds without the paths that are passed over."""
    if not ignored:
        return folder
    real_path = RealPaths()

    def counts(path: str) -> bool:
        real = real_path(path)
        return real not in ignored and not any(str(above) in ignored for above in PurePath(real).parents)

    return Folder(*(tuple(filter(counts, paths)) for paths in (folder.files, folder.charts, folder.unread)))


def _in_use(folder: Folder, path: str, notes: Notes) -> Folder:
    """Return what a folder holds without what lies in folders below it that are not in use; these are noted."""
    above = {os.path.dirname(file) for file in folder.files}.union(folder.charts, folder.unread)
    archived = {each: found for each in above if (found := archived_around(each, path))}
    for found in sorted(set(archived.values())):
        notes.add(ARCHIVED, NOT_IN_USE, found)
    files = tuple(file for file in folder.files if os.path.dirname(file) not in archived)
    charts, unread = (tuple(each for each in of if each not in archived) for of in (folder.charts, folder.unread))
    return Folder(files, charts, unread)


def _note_charts(path: str, folder: Folder, reading: Reading, problems: Problems, notes: Notes) -> None:
    """Report charts that are not rendered because no option asks for it."""
    if folder.charts and not folder.files and not has_other_forms(path, recursive=reading.recursive):
        command = f"helm template {folder.charts[0]} | cutlist plan -f -"
        allowed = Advice.of((HELM, ", which runs the helm that is installed"), command)
        problems.add(Place(path), "holds a Helm chart and no manifests", allowed)
        return
    for chart in folder.charts:
        text = f"not read, because they are Helm charts; {HELM.flag} renders them, as helm template does: {{who}}"
        notes.add("chart-not-rendered", text, chart)


@dataclass(slots=True)
class RealPaths:
    """Gives the paths of files without links. Each of them, and each folder that they are in, is looked up once."""

    _folders: dict[str, str] = field(default_factory=dict)
    _files: dict[str, str] = field(default_factory=dict)

    def __call__(self, file: str) -> str:
        """Return the path of a file without links."""
        if file not in self._files:
            self._files[file] = self._real(file)
        return self._files[file]

    def _real(self, file: str) -> str:
        folder, name = os.path.split(file)
        if name in ("", os.curdir, os.pardir) or os.path.islink(file):
            return os.path.realpath(file)
        if folder not in self._folders:
            self._folders[folder] = os.path.realpath(folder)
        return os.path.join(self._folders[folder], name)


def is_named(file: InputFile, kustomization: Kustomization) -> bool:
    """Tell whether the user named the kustomization, by its file or its folder, and not a folder above."""
    return not file.folder or os.path.realpath(file.folder) == kustomization.real


def is_beside(file: InputFile, kustomizations: Iterable[Kustomization]) -> bool:
    """Tell whether a file was found in the folder of a kustomization, or below it."""
    return bool(file.folder) and any(is_below(os.path.dirname(file.real), k.real) for k in kustomizations)


def is_in(path: str, folder: str) -> bool:
    """Tell whether a path begins with a folder, as both are written; in the empty one is everything."""
    return folder == "" or path.startswith(folder + os.sep)


def is_below(folder: str, other: str) -> bool:
    """Tell whether a folder is another one or somewhere below it; both are real paths."""
    return folder == other or folder.startswith(other.rstrip(os.sep) + os.sep)
