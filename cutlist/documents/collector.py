"""Turn files into objects: kustomizations are rendered in place of the files that they build on, all others are parsed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Final

from cutlist.core.errors import Place, Problems
from cutlist.core.notes import Notes
from cutlist.documents.document import Document, Identity, identity_of
from cutlist.documents.file_reading import FileReader
from cutlist.documents.folders import KUSTOMIZATION_NAMES, Reading
from cutlist.documents.input_files import InputFile, is_below, is_beside, is_named
from cutlist.documents.kustomization_builds import KustomizationBuilds
from cutlist.documents.kustomize.kustomization import Kustomization, below

_Parts = Mapping[str, Mapping[str, Kustomization]]  # the kustomizations that each one builds on, by folder


@dataclass(slots=True)
class Collector:
    """Takes objects from files and kustomizations, each once, and remembers which kustomization made which."""

    problems: Problems
    notes: Notes
    files: FileReader
    builds: KustomizationBuilds
    read: set[str]
    """The files that name other files instead of holding objects themselves."""
    used: set[str] = field(default_factory=set)
    """The real paths of the files that kustomizations name."""
    charts: list[InputFile] = field(default_factory=list)
    """The charts to render."""
    made: dict[str, Sequence[Document]] = field(default_factory=dict)
    """What each kustomization that was found in a folder makes."""
    superseded: list[Document] = field(default_factory=list)
    """The objects of kustomizations that a later one makes again, and that are not counted for the earlier one."""
    twice: list[tuple[str, str]] = field(default_factory=list)
    """Of those among these that differ, the folders of both kustomizations, and the object."""
    _made: dict[Identity, tuple[int, str]] = field(default_factory=dict)
    _documents: list[Document | None] = field(default_factory=list)

    @staticmethod
    def of(problems: Problems, notes: Notes, reading: Reading, rendered: AbstractSet[str] = frozenset()) -> Collector:
        """Return one that adds mistakes and notes to these; `rendered` are the real paths of files from which a configuration
        renders objects."""
        read: set[str] = set()
        files = FileReader(problems, notes, rendered, read)
        return Collector(problems, notes, files, KustomizationBuilds(problems, notes, reading, read), read)

    def collect(self, inputs: Sequence[InputFile], stdin: str | bytes | None) -> tuple[Document, ...]:
        """Return the objects of the files in order, each once; what cannot be read is left out, with a problem added."""
        kustomizations = self._kustomizations(inputs)
        parts = {k.real: below(k) for k in kustomizations.values()}
        roots = self._roots(kustomizations, parts)
        rendered = {file: self.builds.render(k) for file, k in kustomizations.items() if file in roots}
        used = {f for file in roots for k in _with_parts(kustomizations[file], parts) for f in k.resource_files()}
        for k in (k for file in roots for k in _with_parts(kustomizations[file], parts)):
            self.used |= {os.path.realpath(k.file), *k.named_files()}
        self.builds.note_built(kustomizations[file] for file in roots)
        made = {file: k for file, k in kustomizations.items() if file in roots and not is_named(file, k)}
        self.made |= {k.shown: self.builds.made_by(k, rendered[file]) for file, k in made.items()}
        files = [file for file in inputs if file not in kustomizations]
        self._note_left_out(files, [k for outer in kustomizations.values() for k in _with_parts(outer, parts)], used)
        for file in inputs:
            if file in kustomizations:
                self._take_rendered(kustomizations[file], rendered.get(file, ()))
            # What a kustomization takes comes through it, transformed, or is laid over that; by itself it would count twice.
            elif file.real in (self.used if file.folder else used) or is_beside(file, kustomizations.values()):
                continue
            elif file.is_chart:
                self.charts.append(file)
            else:
                self._documents += self.files.documents(file, stdin)
        self.files.note_foreign(inputs)
        return tuple(document for document in self._documents if document is not None)

    def _kustomizations(self, inputs: Iterable[InputFile]) -> dict[InputFile, Kustomization]:
        """Return the kustomizations among the files, one per folder."""
        by_file: dict[InputFile, Kustomization] = {}
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

    def _roots(self, kustomizations: dict[InputFile, Kustomization], parts: _Parts) -> set[InputFile]:
        """Return the kustomizations that no other one builds on; one below another counts only if the user named it."""

        def is_used(real: str) -> bool:
            return any(real in inner and other not in parts[real] for other, inner in parts.items() if other != real)

        candidates = {file: k for file, k in kustomizations.items() if not is_used(k.real)}
        roots: set[InputFile] = set()
        for file, k in candidates.items():
            above = any(other.real != k.real and is_below(k.real, other.real) for other in candidates.values())
            if (k.is_component or above) and not is_named(file, k):
                self.notes.add("kustomization", _LEFT_OUT, k.file)
            else:
                roots.add(file)
        for file, k in kustomizations.items():
            if file not in candidates and is_named(file, k):
                self.read.add(file.path)
                self.notes.add("kustomization", _READ_THROUGH, k.shown)
        return roots

    def settle(
        self, files: Sequence[str], is_built: Callable[[str], bool], is_named: Callable[[str], bool] = lambda _: False
    ) -> list[Document]:
        """Settle what is refused and not built, as `KustomizationBuilds` does. Return what is known of the objects of
        kustomizations that are parts of what is open."""
        parts = set(self.builds.settle(files, is_built, is_named))
        made = (self._documents[index] for index, file in self._made.values() if file in parts)
        return [document for document in made if document is not None]

    def beside_kustomizations(self, documents: Iterable[Document]) -> list[Document]:
        """Return the objects that were read from files, and not made by a kustomization."""
        made = {id(document) for index, _ in self._made.values() if (document := self._documents[index]) is not None}
        return [document for document in documents if id(document) not in made]

    def note_twice(self) -> None:
        """Note the objects that several kustomizations make in different forms, and of which the last one counts."""
        for folders, who in self.twice:
            self.notes.add(
                "kustomized-twice", f"made by {folders}, and the last one counts; pass one kustomization: {{who}}", who
            )

    def _take_rendered(self, kustomization: Kustomization, documents: Iterable[Document]) -> None:
        """Add what a kustomization renders. What another one rendered before is rendered again, as when both are applied."""
        for document in documents:
            self.read.add(kustomization.file)
            identity = identity_of(document)
            earlier = self._made.get(identity)
            if earlier is not None and earlier[1] != kustomization.file:
                index, other = earlier
                before = self._documents[index]
                if before is not None:
                    self.superseded.append(before)
                if before is not None and before.data != document.data:
                    folders = " and ".join(os.path.dirname(file) or "." for file in (other, kustomization.file))
                    self.twice.append((folders, f"{document.kind} {document.name}"))
                self._documents[index] = None
            self._made[identity] = (len(self._documents), kustomization.file)
            self._documents.append(document)

    def _note_left_out(self, files: Iterable[InputFile], kustomizations: Sequence[Kustomization], used: set[str]) -> None:
        named = used.union(*(k.named_files() for k in kustomizations))
        for file in files:
            if not file.folder and file.real in used:
                self.read.add(file.path)
                self.notes.add("kustomization", _READ_THROUGH, file.path)
            elif is_beside(file, kustomizations) and file.real not in named:
                self.notes.add("kustomization", _LEFT_OUT, file.path)


_READ_THROUGH: Final = "read as part of the kustomizations that include them: {who}"


_LEFT_OUT: Final = "left out, since the kustomization next to them does not name them: {who}"


def _with_parts(kustomization: Kustomization, parts: _Parts) -> list[Kustomization]:
    return [kustomization, *parts[kustomization.real].values()]
