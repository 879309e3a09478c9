"""From paths to objects, read as kubectl and kustomize read them: files, folders, kustomizations, standard input."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from cutlist.core.errors import Place, Problems
from cutlist.core.notes import Notes
from cutlist.documents._document import Document, Identity, identity_of
from cutlist.documents._files import NO_NAME, STDIN, STDIN_NAME, SourceText, file_text, sources, stdin_text
from cutlist.documents._folders import KUSTOMIZATION_NAMES, PLAIN, RECURSIVE, Reading, files_of, foreign
from cutlist.documents._kustomization import Kustomization, below
from cutlist.documents._kustomize import render_by_program
from cutlist.documents._parsing import OBJECT, parse_documents
from cutlist.documents._rendering import render

Paths = Sequence[str | os.PathLike[str]]
_Parts = Mapping[str, Mapping[str, Kustomization]]  # the kustomizations that each one builds on, by folder

_REASONS: Final = {
    "foreign": ("foreign-file", "not read, since they hold no objects of Kubernetes: {who}"),
    "template": ("template-not-rendered", "not read, for they are templates; render them first (helm template): {who}"),
}


def collect_documents(
    paths: Paths,
    problems: Problems,
    stdin: str | bytes | None = None,
    reading: Reading = PLAIN,
    notes: Notes | None = None,
) -> tuple[Document, ...]:
    """Return the objects in files and folders, in the order given; what cannot be read is left out, with a problem added.

    A folder means its `*.yaml`, `*.yml` and `*.json` files in alphabetical order, and those of its subfolders if `reading` is
    recursive. A folder with a kustomization means what that renders, and nothing else below it is read. Files of a folder
    without objects are skipped; a file that is named itself must have some. `-` means `stdin`. A file that is named twice is
    read once. Skipped files are named in `notes`.
    """
    return _collected(paths, problems, stdin, reading, notes)[0]


def collect_inputs(
    paths: Paths,
    problems: Problems,
    stdin: str | bytes | None = None,
    reading: Reading = PLAIN,
    notes: Notes | None = None,
) -> tuple[Document, ...]:
    """Return the objects in files and folders, as `collect_documents` does, if each of them should contain some.

    One that contains none, such as the output of a command that failed, is reported as an absence.
    """
    documents, read = _collected(paths, problems, stdin, reading, notes)
    note_empty_inputs(paths, read, problems)
    return documents


def note_empty_inputs(paths: Iterable[str | os.PathLike[str]], read: Iterable[str], problems: Problems) -> None:
    """Report each file and folder as an absence that is not among the sources that were read, and has no problem of its own."""
    known = {_real(source) for source in (*read, *(problem.place.source for problem in problems.found)) if source}
    for path in dict.fromkeys(sources([path]) for path in paths):
        real = _real(path)
        below_it = real.rstrip(os.sep) + os.sep
        if real not in known and not any(source.startswith(below_it) for source in known):
            problems.add_absence(Place(path), "no object is in it", OBJECT)


def read_documents(
    paths: Paths,
    stdin: str | bytes | None = None,
    reading: Reading = PLAIN,
    notes: Notes | None = None,
    *,
    allow_empty: bool = False,
) -> tuple[Document, ...]:
    """Return the objects in files and folders, as `collect_inputs` does. Raises InputError for anything that is unreadable or
    empty."""
    problems = Problems(allow_empty=allow_empty)
    documents = collect_inputs(paths, problems, stdin, reading, notes)
    problems.raise_if_any()
    return documents


def _collected(
    paths: Paths, problems: Problems, stdin: str | bytes | None, reading: Reading, notes: Notes | None
) -> tuple[tuple[Document, ...], set[str]]:
    """Return the objects, and the files that they come from: those that name them and those that contain them."""
    notes = Notes() if notes is None else notes
    collector = _Collector(problems, notes, reading)
    documents = tuple(collector.collect(_inputs(paths, problems, reading, notes), stdin))
    return documents, {*collector.read, *(document.place.source for document in documents)}


def _real(source: str) -> str:
    return source if source in (STDIN_NAME, NO_NAME) else os.path.realpath(source)


def collect_texts(
    paths: Paths, problems: Problems, stdin: str | bytes | None = None, reading: Reading = PLAIN, notes: Notes | None = None
) -> Iterator[SourceText]:
    """Yield the unchanged texts of the same files, including those of kustomizations and files next to them."""
    notes = Notes() if notes is None else notes
    for file in _inputs(paths, problems, reading, notes):
        text = stdin_text(stdin, problems) if file.path == STDIN else file_text(file.path, problems)
        source = SourceText(STDIN_NAME if file.path == STDIN else file.path, text or "")
        if text is not None and not (file.folder and _is_passed_over(source, notes)):
            yield source


def files_behind(paths: Iterable[str]) -> set[str]:
    """Return the real paths of the files that the files of paths lead to, wherever they are.

    These are all that kustomizations name, however far below, and what links lead to. What cannot be read leads nowhere.
    """
    behind: set[str] = set()
    for path in paths:
        for file in files_of(path, Problems(), recursive=True).files if path != STDIN else ():
            behind.add(os.path.realpath(file))
            is_kustomization = os.path.basename(file) in KUSTOMIZATION_NAMES
            kustomization = Kustomization.of_file(file, Problems()) if is_kustomization else None
            for part in () if kustomization is None else (kustomization, *below(kustomization).values()):
                behind |= {os.path.realpath(part.file)} | part.named_files()
    return behind


@dataclass(frozen=True, slots=True)
class _Input:
    """A file to read, or `-`; `folder` is the argument that it was found in, empty for one that is named itself."""

    path: str
    folder: str = ""

    @property
    def real(self) -> str:
        return self.path if self.path == STDIN else os.path.realpath(self.path)


def _inputs(paths: Paths, problems: Problems, reading: Reading, notes: Notes) -> list[_Input]:
    """Return the files that paths mean, each once, as it was first named; one that is named itself counts as that."""
    inputs: dict[str, _Input] = {}
    for path in [os.fspath(path) for path in paths]:
        for file in [_Input(STDIN)] if path == STDIN else _files(path, problems, reading, notes):
            earlier = inputs.get(file.real)
            if earlier is None or (earlier.folder and not file.folder):
                inputs[file.real] = file
    return list(inputs.values())


def _files(path: str, problems: Problems, reading: Reading, notes: Notes) -> list[_Input]:
    folder = files_of(path, problems, recursive=reading.recursive)
    is_folder = os.path.isdir(path)
    if folder.charts and not folder.files:
        allowed = f"helm template {folder.charts[0]} | cutlist plan -f -"
        problems.add(Place(path), "holds a Helm chart and no manifests", allowed)
    else:
        for chart in folder.charts:
            notes.add(
                "chart-not-rendered", "not read, for they are Helm charts; give what helm template makes of them: {who}", chart
            )
    if folder.files and not any(os.path.basename(file) in KUSTOMIZATION_NAMES for file in folder.files):
        for unread in folder.unread:
            notes.add(
                "subfolder",
                f"not read, for they are subfolders; {RECURSIVE}, or recursive in a stack, reads them: {{who}}",
                unread,
            )
    return [_Input(file, path if is_folder else "") for file in folder.files]


def _is_passed_over(source: SourceText, notes: Notes) -> bool:
    """Tell whether a file of a folder contains no manifests, and add a note if so."""
    own = Problems()
    parse_documents(source.text, source.source, own)
    reason = foreign(source) if own else ""
    if reason:
        notes.add(*_REASONS[reason], source.source)
    return bool(reason)


@dataclass(slots=True)
class _Collector:
    problems: Problems
    notes: Notes
    reading: Reading
    read: set[str] = field(default_factory=set)
    _made: dict[Identity, tuple[int, str]] = field(default_factory=dict)
    _documents: list[Document | None] = field(default_factory=list)

    def collect(self, inputs: Sequence[_Input], stdin: str | bytes | None) -> Iterable[Document]:
        kustomizations = self._kustomizations(inputs)
        parts = {k.real: below(k) for k in kustomizations.values()}
        roots = self._roots(kustomizations, parts)
        rendered = {file: self._render(k) for file, k in kustomizations.items() if file in roots}
        used = {f for file in roots for k in _with_parts(kustomizations[file], parts) for f in k.resource_files()}
        files = [file for file in inputs if file not in kustomizations]
        self._note_left_out(files, [k for outer in kustomizations.values() for k in _with_parts(outer, parts)], used)
        foreign_in: dict[str, list[str]] = {}
        for file in inputs:
            if file in kustomizations:
                self._take_rendered(kustomizations[file], rendered.get(file, ()))
            elif file.real not in used and not _is_beside(file, kustomizations.values()):
                self._documents += self._read(file, stdin, foreign_in)
        for folder, passed_over in foreign_in.items():
            if len(passed_over) == sum(file.folder == folder for file in inputs):
                what = f"{', '.join(passed_over[:3])} {'is' if len(passed_over) == 1 else 'are'} none"
                self.problems.add_absence(Place(folder), f"the folder holds no manifests: {what}", OBJECT)
        return [document for document in self._documents if document is not None]

    def _kustomizations(self, inputs: Iterable[_Input]) -> dict[_Input, Kustomization]:
        """Return the kustomizations among the files, one per folder."""
        by_file: dict[_Input, Kustomization] = {}
        folders: set[str] = set()
        for file in inputs:
            if os.path.basename(file.path) not in KUSTOMIZATION_NAMES:
                continue
            kustomization = Kustomization.of_file(file.path, self.problems)
            if kustomization is not None and kustomization.real in folders:
                place = Place(file.path)
                self.problems.add(place, "is the second kustomization of its folder, which kustomize refuses", "one of them")
            elif kustomization is not None:
                folders.add(kustomization.real)
                by_file[file] = kustomization
        return by_file

    def _roots(self, kustomizations: dict[_Input, Kustomization], parts: _Parts) -> set[_Input]:
        """Return the kustomizations that no other one builds on, and that are not below another one of these without being
        named."""

        def is_used(real: str) -> bool:
            return any(real in inner and other not in parts[real] for other, inner in parts.items() if other != real)

        candidates = {file: k for file, k in kustomizations.items() if not is_used(k.real)}
        roots: set[_Input] = set()
        for file, k in candidates.items():
            above = any(other.real != k.real and _is_below(k.real, other.real) for other in candidates.values())
            if (k.is_component or above) and not _is_named(file, k):
                self.notes.add("kustomization", _LEFT_OUT, k.file)
            else:
                roots.add(file)
        for file, k in kustomizations.items():
            if file not in candidates and _is_named(file, k):
                self.read.add(file.path)
                self.notes.add("kustomization", _READ_THROUGH, k.shown)
        return roots

    def _render(self, kustomization: Kustomization) -> Sequence[Document]:
        if self.reading.kustomize:
            return render_by_program(kustomization, self.problems, remote=self.reading.remote)
        return render(kustomization, self.problems)

    def _take_rendered(self, kustomization: Kustomization, documents: Iterable[Document]) -> None:
        """Add what a kustomization renders. What another one rendered before is rendered again, as when both are applied."""
        for document in documents:
            self.read.add(kustomization.file)
            identity = identity_of(document)
            earlier = self._made.get(identity)
            if earlier is not None and earlier[1] != kustomization.file:
                index, other = earlier
                before = self._documents[index]
                if before is not None and before.data != document.data:
                    folders = " and ".join(os.path.dirname(file) or "." for file in (other, kustomization.file))
                    text = f"made by {folders}, and what is made last counts; name one kustomization: {{who}}"
                    self.notes.add("kustomized-twice", text, f"{document.kind} {document.name}")
                self._documents[index] = None
            self._made[identity] = (len(self._documents), kustomization.file)
            self._documents.append(document)

    def _note_left_out(self, files: Iterable[_Input], kustomizations: Sequence[Kustomization], used: set[str]) -> None:
        named = used.union(*(k.named_files() for k in kustomizations))
        for file in files:
            if not file.folder and file.real in used:
                self.read.add(file.path)
                self.notes.add("kustomization", _READ_THROUGH, file.path)
            elif _is_beside(file, kustomizations) and file.real not in named:
                self.notes.add("kustomization", _LEFT_OUT, file.path)

    def _read(self, file: _Input, stdin: str | bytes | None, foreign_in: dict[str, list[str]]) -> tuple[Document, ...]:
        is_stdin = file.path == STDIN
        text = stdin_text(stdin, self.problems) if is_stdin else file_text(file.path, self.problems)
        if text is None:
            return ()
        own, source = Problems(allow_empty=self.problems.allow_empty), SourceText(STDIN_NAME if is_stdin else file.path, text)
        documents = parse_documents(text, source.source, own)
        reason = foreign(source) if file.folder and (own or not documents) else ""
        if reason:
            self.notes.add(*_REASONS[reason], file.path)
            foreign_in.setdefault(file.folder, []).append(file.path)
            return ()
        self.problems.extend(own.found)
        return documents


_READ_THROUGH: Final = "read through the kustomizations that build on them: {who}"
_LEFT_OUT: Final = "left out, since the kustomization next to them does not name them: {who}"


def _with_parts(kustomization: Kustomization, parts: _Parts) -> list[Kustomization]:
    return [kustomization, *parts[kustomization.real].values()]


def _is_named(file: _Input, kustomization: Kustomization) -> bool:
    """Tell whether the user named the kustomization, by its file or its folder, and not a folder above."""
    return not file.folder or os.path.realpath(file.folder) == kustomization.real


def _is_beside(file: _Input, kustomizations: Iterable[Kustomization]) -> bool:
    """Tell whether a file was found in the folder of a kustomization, or below it."""
    return bool(file.folder) and any(_is_below(os.path.dirname(file.real), k.real) for k in kustomizations)


def _is_below(folder: str, other: str) -> bool:
    return folder == other or folder.startswith(other.rstrip(os.sep) + os.sep)
