"""Files as they lie there, read into objects; of a folder, those that hold none are passed over."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Final

from cutlist.core.errors import Place, Problem, Problems
from cutlist.core.ledger import OpenInput
from cutlist.core.notes import Notes
from cutlist.documents.account.forms import TEMPLATE, TEMPLATE_WHY, has_directives, is_of_ci, is_template, may_be_encrypted
from cutlist.documents.beginnings import beginning_of
from cutlist.documents.cloud_resources import is_for_azure
from cutlist.documents.cloudformation.stack_templates import is_stack_template
from cutlist.documents.document import Document
from cutlist.documents.files import STDIN, STDIN_NAME, SourceText, file_text, is_pointer, stdin_text
from cutlist.documents.folders import CONFIGURATIONS, VARIABLES, foreign, is_manifest
from cutlist.documents.fragments import without_fragments
from cutlist.documents.input_files import InputFile
from cutlist.documents.parsing import OBJECT, parse_documents, parse_values
from cutlist.documents.terraform.opentofu import makes_unread_objects
from cutlist.documents.text.yaml import TEMPLATE_HINT

_SHOWN: Final = 3
REASONS: Final = {
    "foreign": ("foreign-file", "not read, since they hold no objects of Kubernetes: {who}"),
    "template": ("template-not-rendered", "not read, because they are templates; render them first (helm template): {who}"),
}
UNREAD: Final = "resource-not-read"
_UNREAD_RESOURCES: Final = (
    "not read, because Cutlist knows no objects in charts or resources of these types; pass the objects as files too: {who}"
)


@dataclass(slots=True)
class FileReader:
    """Reads files, and remembers what of them the rest of a reading needs to know."""

    problems: Problems
    notes: Notes
    rendered: AbstractSet[str] = frozenset()
    """The real paths of files from which a configuration renders objects; these may be no YAML themselves."""
    read: set[str] = field(default_factory=set)
    """The files that others read, or that name other files instead of holding objects themselves."""
    plain: set[str] = field(default_factory=set)
    """The real paths of the files in which nothing is encrypted."""
    templates: list[tuple[str, str]] = field(default_factory=list)
    """The templates of CloudFormation: their files and texts."""
    without_manifests: dict[str, list[str]] = field(default_factory=dict)
    """The folders of which no file is for kubectl, with these files."""
    _foreign_in: dict[str, list[str]] = field(default_factory=dict)

    def documents(self, file: InputFile, stdin: str | bytes | None) -> tuple[Document, ...]:
        """Return the objects of a file; what cannot be read is left out, with a problem added."""
        is_stdin = file.path == STDIN
        unread = Problems()
        text = stdin_text(stdin, unread) if is_stdin else file_text(file.path, unread)
        if text is None and file.folder and is_pointer(beginning_of(file.path).encode()):
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
            if reason == "foreign" and not is_of_ci(file.path):  # a template is open, which the account of all files says
                self.notes.add(*REASONS[reason], file.path)
            self._foreign_in.setdefault(file.folder, []).append(file.path)
            return ()
        if file.folder and own and all(problem.message.endswith(TEMPLATE_HINT) for problem in own.found):
            self._leave_documents_open(own.found)
        else:
            self.problems.extend(own.found)
        self.problems.inputs += own.inputs
        self._note_unread_resources(file, documents)
        return without_fragments(documents, self.notes, file.real) if file.folder else documents

    def _leave_documents_open(self, unread: Iterable[Problem]) -> None:
        """Add the documents with mistakes to what is open: those of a file of which only they are templates."""
        for place in dict.fromkeys(Place(problem.place.source, problem.place.document) for problem in unread):
            self.notes.ledger.leave_open(OpenInput(str(place), TEMPLATE, TEMPLATE_WHY))

    def _is_of_others(self, file: InputFile, text: str) -> bool:
        """Tell whether a file is a template of CloudFormation, which is remembered, HCL, or named and one of Azure: others read
        these."""
        if file.path.endswith((*CONFIGURATIONS, *VARIABLES)):
            if file.path.endswith(".json") and any(map(is_manifest, parse_values(text, file.path))):  # for kubectl
                return False
            if not file.folder:
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

    def note_foreign(self, inputs: Sequence[InputFile]) -> None:
        """Remember the folders of whose files none holds objects."""
        for folder, passed_over in self._foreign_in.items():
            if len(passed_over) == sum(file.folder == folder for file in inputs) and not self.notes.has("chart-not-rendered"):
                self.without_manifests[folder] = passed_over

    def report_without_manifests(self, details: tuple[str, ...] = ()) -> None:
        """Report the folders of which no file is for kubectl; `details` say what they hold instead."""
        for folder, files in self.without_manifests.items():
            shown = [file for file in files if not os.path.relpath(file, folder).startswith(".")] or files
            others = ", ".join([*shown[:_SHOWN], *(["..."] if len(files) > _SHOWN else [])])
            self.problems.add_absence(Place(folder), f"the folder holds no manifests, only {others}", OBJECT, details)
