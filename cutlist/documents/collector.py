"""Turn files into objects: kustomizations are rendered in place of the files that they build on, all others are parsed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Final

from cutlist.core.errors import Place, Problem, Problems
from cutlist.core.ledger import OpenInput
from cutlist.core.notes import Notes
from cutlist.documents.account.forms import (
    KUSTOMIZATIONS,
    OF_KUSTOMIZATIONS,
    TEMPLATE,
    TEMPLATE_WHY,
    has_directives,
    is_template,
    may_be_encrypted,
    text_of,
)
from cutlist.documents.cloud_resources import is_for_azure
from cutlist.documents.cloudformation.stack_templates import is_stack_template
from cutlist.documents.document import Document, Identity, identity_of
from cutlist.documents.files import STDIN, STDIN_NAME, SourceText, file_text, is_pointer, stdin_text
from cutlist.documents.folders import CONFIGURATIONS, KUSTOMIZATION_NAMES, VARIABLES, Reading, foreign
from cutlist.documents.input_files import InputFile, is_below, is_beside, is_named
from cutlist.documents.kustomize.kustomization import UNRESTRICTED, Kustomization, below
from cutlist.documents.kustomize.not_built import KUSTOMIZATION, NotBuiltError
from cutlist.documents.parsing import OBJECT, parse_documents
from cutlist.documents.terraform.opentofu import makes_unread_objects
from cutlist.documents.text.yaml import TEMPLATE_HINT

_Parts = Mapping[str, Mapping[str, Kustomization]]  # the kustomizations that each one builds on, by folder

_SHOWN: Final = 3
REASONS: Final = {
    "foreign": ("foreign-file", "not read, since they hold no objects of Kubernetes: {who}"),
    "template": ("template-not-rendered", "not read, because they are templates; render them first (helm template): {who}"),
}


@dataclass(frozen=True, slots=True)
class Refused:
    """A kustomization with its mistakes. `is_freely_built` tells that it has none for those who may take files from outside its
    folder, as Flux does."""  # GO-8

    kustomization: Kustomization
    problems: Problems
    is_freely_built: bool


@dataclass(slots=True)
class Collector:
    """Reads files, and remembers what of them the rest of a reading needs to know."""

    problems: Problems
    notes: Notes
    reading: Reading
    rendered: AbstractSet[str] = frozenset()
    """The real paths of files from which a configuration renders objects; these may be no YAML themselves."""
    read: set[str] = field(default_factory=set)
    """The files that name other files instead of holding objects themselves."""
    used: set[str] = field(default_factory=set)
    """The real paths of the files that kustomizations name."""
    plain: set[str] = field(default_factory=set)
    """The real paths of the files in which nothing is encrypted."""
    charts: list[InputFile] = field(default_factory=list)
    """The charts to render."""
    templates: list[tuple[str, str]] = field(default_factory=list)
    """The templates of CloudFormation: their files and texts."""
    without_manifests: dict[str, list[str]] = field(default_factory=dict)
    """The folders of which no file is for kubectl, with these files."""
    made: dict[str, Sequence[Document]] = field(default_factory=dict)
    """What each kustomization that was found in a folder makes."""
    superseded: list[Document] = field(default_factory=list)
    """The objects of kustomizations that a later one makes again, and that are not counted for the earlier one."""
    twice: list[tuple[str, str]] = field(default_factory=list)
    """Of those among these that differ, the folders of both kustomizations, and the object."""
    refused: list[Refused] = field(default_factory=list)
    """The kustomizations with mistakes, which count unless Flux builds them."""
    not_built: list[tuple[Kustomization, NotBuiltError]] = field(default_factory=list)
    """The kustomizations of which parts are left to kustomize, or elsewhere."""
    left_to_program: set[str] = field(default_factory=set)
    """The folders of these, and of all that kustomize itself renders."""
    _built_from: set[str] = field(default_factory=set)
    _made: dict[Identity, tuple[int, str]] = field(default_factory=dict)
    _documents: list[Document | None] = field(default_factory=list)

    def collect(self, inputs: Sequence[InputFile], stdin: str | bytes | None) -> tuple[Document, ...]:
        """Return the objects of the files in order, each once; what cannot be read is left out, with a problem added."""
        kustomizations = self._kustomizations(inputs)
        parts = {k.real: below(k) for k in kustomizations.values()}
        roots = self._roots(kustomizations, parts)
        rendered = {file: self._render(k) for file, k in kustomizations.items() if file in roots}
        used = {f for file in roots for k in _with_parts(kustomizations[file], parts) for f in k.resource_files()}
        for k in (k for file in roots for k in _with_parts(kustomizations[file], parts)):
            self.used |= {os.path.realpath(k.file), *k.named_files()}
        left = [kustomization for kustomization, _ in self.not_built]
        for k in (kustomizations[file] for file in roots if kustomizations[file] not in left):
            self._built_from |= {os.path.realpath(k.file), *self._files_behind(k)}
        self.made |= {
            k.shown: self._made_by(k, rendered[f]) for f, k in kustomizations.items() if f in roots and not is_named(f, k)
        }
        files = [file for file in inputs if file not in kustomizations]
        self._note_left_out(files, [k for outer in kustomizations.values() for k in _with_parts(outer, parts)], used)
        foreign_in: dict[str, list[str]] = {}
        for file in inputs:
            if file in kustomizations:
                self._take_rendered(kustomizations[file], rendered.get(file, ()))
            # What a kustomization uses comes through it, transformed; by itself it would count twice.
            elif file.real in used or is_beside(file, kustomizations.values()):
                continue
            elif file.is_chart:
                self.charts.append(file)
            else:
                self._documents += self._read(file, stdin, foreign_in)
        for folder, passed_over in foreign_in.items():
            if len(passed_over) == sum(file.folder == folder for file in inputs) and not self.notes.has("chart-not-rendered"):
                self.without_manifests[folder] = passed_over
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

    def report_without_manifests(self, details: tuple[str, ...] = ()) -> None:
        """Report the folders of which no file is for kubectl; `details` say what they hold instead."""
        for folder, files in self.without_manifests.items():
            others = ", ".join([*files[:_SHOWN], *(["..."] if len(files) > _SHOWN else [])])
            self.problems.add_absence(Place(folder), f"the folder holds no manifests, only {others}", OBJECT, details)

    @property
    def has_unbuilt(self) -> bool:
        """Tell whether kustomizations are refused or not built, which are not settled yet."""
        return bool(self.refused or self.not_built)

    def settle(
        self, files: Sequence[str], is_built: Callable[[str], bool], is_named: Callable[[str], bool] = lambda _: False
    ) -> list[Document]:
        """Report the mistakes of refused kustomizations, and leave those open that are not built, except those of folders that
        something else builds in its own way. `files` are those of the call, for the commands.

        The folders for which `is_named` is true are those of objects of Flux that are open: what Flux builds there, and
        kustomize alone does not, is no mistake, but a part of what is open. Return what is known of its objects.
        """
        parts: list[Kustomization] = []
        for of in self.refused:
            if of.is_freely_built and is_named(of.kustomization.real):
                parts.append(of.kustomization)
            elif not is_built(of.kustomization.real):
                self.problems.extend(of.problems.found)
                self.problems.inputs += of.problems.inputs
        self.refused.clear()
        for kustomization, left in self.not_built:
            if not is_built(kustomization.real) and kustomization not in parts:
                self._leave_open(kustomization, left.open_input(kustomization, files, self.reading))
                for file in self._files_behind(kustomization) - self._built_from:
                    self.notes.ledger.is_open(file, OF_KUSTOMIZATIONS)
        self.not_built.clear()
        files_of_parts = {kustomization.file for kustomization in parts}
        made = (self._documents[index] for index, file in self._made.values() if file in files_of_parts)
        return [document for document in made if document is not None]

    def _render(self, kustomization: Kustomization) -> Sequence[Document]:
        """Return what a kustomization makes; one that is refused counts as read, since its mistakes may be elsewhere.

        The one of a folder that Flux builds may take files from outside it, as it may for Flux.
        """  # GO-8
        from cutlist.documents.delivery.fetched import NotFetched  # only where there are kustomizations
        from cutlist.documents.kustomize.secret_generators import note_secret_generators

        own = Problems(allow_empty=self.problems.allow_empty)
        documents: Sequence[Document] = ()
        try:
            documents = self._rendered(kustomization, own, restricted=True)
        except NotFetched as error:
            why = f"a kustomization that is not built, because {error}"
            self._leave_open(kustomization, OpenInput(kustomization.file, KUSTOMIZATION, why))
            return ()
        except NotBuiltError as error:
            self.not_built.append((kustomization, error))
            self.left_to_program.add(kustomization.shown)
        if self.reading.kustomize:
            self.left_to_program.add(kustomization.shown)
        if own:
            from cutlist.documents.delivery.flux.sources import is_built_by_flux  # only where Flux may build them

            self.read.add(kustomization.file)
            others = Problems(allow_empty=self.problems.allow_empty)
            freely = self._freely_rendered(kustomization, others)
            if not others and self.reading.charts is not None and is_built_by_flux(kustomization.real, freely):
                documents = freely
            else:
                self.refused.append(Refused(kustomization, own, is_freely_built=not others))
        note_secret_generators(kustomization, self.notes)
        return documents

    def _leave_open(self, kustomization: Kustomization, opened: OpenInput) -> None:
        """Add a kustomization to what is open."""
        self.read.add(kustomization.file)
        self.notes.ledger.is_open(os.path.realpath(kustomization.file), KUSTOMIZATIONS)
        self.notes.ledger.leave_open(opened)

    def _files_behind(self, kustomization: Kustomization) -> set[str]:
        """Return the real paths of the files that a kustomization, and those that it builds on, are made from."""
        inner = below(kustomization).values()
        named = {file for part in (kustomization, *inner) for file in part.named_files() if os.path.isfile(file)}
        return named.union(os.path.realpath(part.file) for part in inner)

    def _freely_rendered(self, kustomization: Kustomization, problems: Problems) -> Sequence[Document]:
        """Return what a kustomization makes if it may take files from outside its folder; nothing if it is not built."""
        try:
            return self._rendered(kustomization, problems, restricted=False)
        except NotBuiltError:
            return ()

    def _rendered(self, kustomization: Kustomization, problems: Problems, *, restricted: bool) -> Sequence[Document]:
        from cutlist.documents.kustomize.localized import localized
        from cutlist.documents.kustomize.program import (  # only where they are needed
            helm_options,
            is_left_to_program,
            render_by_program,
        )
        from cutlist.documents.kustomize.rendering import render
        from cutlist.documents.kustomize.secret_generators import as_named, without_secret_generators

        if not is_left_to_program(kustomization, self.reading):
            return render(kustomization, problems, restricted=restricted)
        remote, own = self.reading.remote and self.reading.fetcher is None, Problems(allow_empty=problems.allow_empty)
        with localized(kustomization, self.reading.fetcher) as local, without_secret_generators(local.kustomization) as built:
            options = helm_options(built) if restricted and self.reading.charts is not None else ()
            options = options if restricted else UNRESTRICTED
            documents = render_by_program(built, own, remote=remote, options=options)
            local.report(own, problems)
            return local.documents(as_named(document, built, local.kustomization) for document in documents)

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

    def _made_by(self, kustomization: Kustomization, rendered: Sequence[Document]) -> Sequence[Document]:
        """Return what a kustomization makes, as far as that is known if it was refused."""
        from cutlist.documents.kustomize.rendering import render

        try:
            return rendered or render(kustomization, Problems())
        except NotBuiltError as error:
            return error.documents

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

    def _read(self, file: InputFile, stdin: str | bytes | None, foreign_in: dict[str, list[str]]) -> tuple[Document, ...]:
        is_stdin = file.path == STDIN
        unread = Problems()
        text = stdin_text(stdin, unread) if is_stdin else file_text(file.path, unread)
        if text is None and file.folder and is_pointer(text_of(file.path).encode()):
            return ()  # which the account of all files names as open
        self.problems.extend(unread.found)
        if text is None:
            return ()
        if not may_be_encrypted(text):
            self.plain.add(file.real)
        if self._is_of_others(file, text):
            return ()
        own, source = Problems(allow_empty=self.problems.allow_empty), SourceText(STDIN_NAME if is_stdin else file.path, text)
        documents = parse_documents(text, source.source, own)
        is_of_ytt = has_directives(text)
        if own and file.real in self.rendered:
            return ()
        if not file.folder and (is_of_ytt or (own and is_template(file.path))):
            allowed = "what another tool renders from it"
            self.problems.add(Place(file.path), "is a template that is not rendered", allowed)
            return ()
        reason = "template" if is_of_ytt else foreign(source) if file.folder and (own or not documents) else ""
        if reason:
            if reason == "foreign":  # a template is open, which the account of all files says
                self.notes.add(*REASONS[reason], file.path)
            foreign_in.setdefault(file.folder, []).append(file.path)
            return ()
        if file.folder and own and all(problem.message.endswith(TEMPLATE_HINT) for problem in own.found):
            self._leave_documents_open(own.found)
        else:
            self.problems.extend(own.found)
        self.problems.inputs += own.inputs
        self._note_unread_resources(file, documents)
        return documents

    def _leave_documents_open(self, unread: Iterable[Problem]) -> None:
        """Add the documents with mistakes to what is open: those of a file of which only they are templates."""
        for place in dict.fromkeys(Place(problem.place.source, problem.place.document) for problem in unread):
            self.notes.ledger.leave_open(OpenInput(str(place), TEMPLATE, TEMPLATE_WHY))

    def _is_of_others(self, file: InputFile, text: str) -> bool:
        """Tell whether a file is a template of CloudFormation, which is remembered, HCL, or named and one of Azure: others read
        these."""
        if file.path.endswith((*CONFIGURATIONS, VARIABLES)):
            self.read.add(file.path)
            return True
        if not file.folder and is_for_azure(file.path, text):
            return True
        if file.path == STDIN or not is_stack_template(text):
            return False
        self.templates.append((file.path, text))
        self.read.add(file.path)
        return True

    def _note_unread_resources(self, file: InputFile, documents: Sequence[Document]) -> None:
        """Note the resources of a plan of OpenTofu that make objects of Kubernetes in a form that is not read."""
        origins = [(document, document.origin) for document in documents if document.origin is not None]
        if origins:
            self.read.add(file.path if file.path != STDIN else STDIN_NAME)
        for document, origin in origins:
            if makes_unread_objects(document, origin):
                self.notes.add(UNREAD, _UNREAD_RESOURCES, origin.address)


_READ_THROUGH: Final = "read as part of the kustomizations that include them: {who}"


UNREAD: Final = "resource-not-read"
_UNREAD_RESOURCES: Final = (
    "not read, because Cutlist knows no objects in charts or resources of these types; pass the objects as files too: {who}"
)


_LEFT_OUT: Final = "left out, since the kustomization next to them does not name them: {who}"


def _with_parts(kustomization: Kustomization, parts: _Parts) -> list[Kustomization]:
    return [kustomization, *parts[kustomization.real].values()]
