"""Objects of Argo CD and Flux replaced by what they take from this checkout; charts rendered by helm."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Final

from cutlist.core.errors import Problems
from cutlist.core.ledger import OpenInput
from cutlist.core.notes import Notes
from cutlist.core.unknown import LATE
from cutlist.documents.delivery.argo.application import application
from cutlist.documents.delivery.argo.reading import as_go_reads
from cutlist.documents.delivery.argo.sets import Applications, applications
from cutlist.documents.delivery.builds import Builder
from cutlist.documents.delivery.checkout import Checkout
from cutlist.documents.delivery.counting import RenderingCount
from cutlist.documents.delivery.fetched import NotFetched
from cutlist.documents.delivery.flux.kustomization import is_only_if_absent, keys_of, kustomization
from cutlist.documents.delivery.flux.release import helm_release
from cutlist.documents.delivery.helm import MissingDependencies
from cutlist.documents.delivery.objects import DeliveredObjects
from cutlist.documents.delivery.parts import Build, ChartOfSource, Delivery, Undelivered
from cutlist.documents.delivery.releases import (
    APPLICATION,
    APPLICATION_SET,
    FLUX_KUSTOMIZATION,
    HELM_RELEASE,
    NOT_RENDERED,
    is_patched,
    kind_of,
    render_command,
)
from cutlist.documents.delivery.taken_folders import TakenFolders
from cutlist.documents.document import Document, Identity, Unrendered, identity_of
from cutlist.documents.files import STDIN_NAME
from cutlist.documents.folders import Reading
from cutlist.documents.input_files import InputFile, is_below
from cutlist.documents.kustomize.not_built import NotBuiltError
from cutlist.documents.rendered_sources import file_of
from cutlist.documents.terraform.installed import Installed
from cutlist.settings.planning import HELM

_KINDS: Final = (APPLICATION, APPLICATION_SET, HELM_RELEASE, FLUX_KUSTOMIZATION)
_OF_ARGO: Final = (APPLICATION, APPLICATION_SET)
_DEEPEST: Final = 8
"""How far objects lead to further ones that are rendered; a chart that renders one of itself would never end."""

_Outcome = Delivery | Undelivered | Applications


@dataclass(slots=True)
class _Candidate:
    """An object that stands for others: how many lead to it, and what the last try to deliver it gave."""

    document: Document
    depth: int
    outcome: _Outcome = field(default_factory=Undelivered)
    problems: Problems = field(default_factory=Problems)


@dataclass(slots=True)
class Deliveries:
    """Replaces objects that stand for parts of a checkout, and those that these parts hold in turn.

    Charts that they take are added to `read`. `by_rendering` is the command that renders what is in this checkout,
    `by_fetching` the one that fetches what is elsewhere too. `config_maps` are in the cluster too, although the input does not
    hold them as objects.
    """

    reading: Reading
    problems: Problems
    notes: Notes
    read: set[str]
    by_rendering: str = ""
    by_fetching: str = ""
    config_maps: Sequence[Document] = ()
    _unrendered: dict[Identity, Unrendered] = field(default_factory=dict)
    _builder: Builder = field(init=False)
    _objects: DeliveredObjects = field(init=False)
    _rendered: dict[Identity, Document] = field(default_factory=dict)
    _delivered: set[Identity] = field(default_factory=set)
    _applied: list[Document] = field(default_factory=list)
    _folders: TakenFolders = field(default_factory=TakenFolders)
    _named: set[Identity] = field(default_factory=set)
    _fetched: list[Checkout] = field(default_factory=list)
    _count: RenderingCount = field(default_factory=RenderingCount)

    def __post_init__(self) -> None:
        self._builder = Builder(self.reading)
        self._objects = DeliveredObjects(self.reading, self._builder, self.notes)

    def replace_all(
        self, documents: Sequence[Document], charts: Sequence[InputFile], installed: Sequence[Installed] = ()
    ) -> tuple[Document, ...]:
        """Return the objects with what they, the charts and the releases of configurations render in their place.

        A file or chart below a folder that one of them takes is read through it, and not by itself.
        """
        with closing(self._builder), self.reading.rendering() as tell:
            first = [_Candidate(document, 0) for document in documents if _is_delivered(document)]
            for candidate in first:
                self._try(candidate, documents)
            roots = [candidate for candidate in first if not _is_within(candidate, first)]
            self._count = RenderingCount(tell, len(roots) + len(charts) + len(installed))
            left = self._deliver(roots, documents)
            for candidate in left:
                self._folders.withheld.update(candidate.outcome.covered if isinstance(candidate.outcome, Undelivered) else ())
            for chart in charts:
                if self._folders.has(chart.real):
                    self.read.add(chart.path)
                    self._count.one()
                    continue
                objects = self._objects.of_chart(chart, self.problems, charts)
                if objects is None:
                    self.read.add(chart.path)
                inner = self._take(objects or (), 0)
                self._count.one(len(inner))
                left += self._deliver(inner, documents)
            for release in installed:
                inner = self._take(self._objects.of_installed(release, self.by_fetching, self.problems), 0)
                self._count.one(len(inner))
                left += self._deliver(inner, documents)
        for candidate in left:
            self._report(candidate, documents)
        return self._together(documents)

    @property
    def built(self) -> tuple[str, ...]:
        """Return the real paths of the folders that were built."""
        return tuple(folder for folder in self._folders.covered if os.path.isdir(folder))

    def takes(self, folder: str) -> bool:
        """Tell whether an object of a controller takes a folder, or waits to."""
        return self._folders.is_taken(folder)

    def names(self, folder: str) -> bool:
        """Tell whether an object that is not rendered names a folder, whose files are read by themselves."""
        return self._folders.is_named(folder)

    def name_local(self, documents: Iterable[Document], installed: Iterable[Installed] = ()) -> tuple[Document, ...]:
        """Note the objects that could be rendered, and return all of them with the commands for those that stand for others.

        Releases of configurations are open.
        """
        listed = tuple(documents)
        for release in installed:
            release.leave_unrendered(self.notes.ledger, self.by_rendering, self.by_fetching)
        self._applied += [d for d in listed if kind_of(d) == FLUX_KUSTOMIZATION]  # none waits for one that is not built yet
        for document in filter(_is_delivered, listed):
            candidate = _Candidate(document, 0)
            self._try(candidate, (*listed, *self.config_maps))
            if isinstance(candidate.outcome, Delivery | Applications):
                self.notes.add(NOT_RENDERED, _WITH_OPTION, f"{document.kind} {document.name}")
                command = self.by_rendering
            else:
                command = self._command(document, candidate.outcome, listed)
                self._folders.named.update(candidate.outcome.named)
            self._folders.named.update(_covered_by(candidate))
            self._unrendered[identity_of(document)] = Unrendered("", command)
        return tuple(map(self._explained, listed))

    def _explained(self, document: Document) -> Document:
        """Return an object with why it is not rendered, if that is so."""
        unrendered = self._unrendered.get(identity_of(document))
        return document if unrendered is None else replace(document, unrendered=unrendered)

    def _together(self, documents: Sequence[Document]) -> tuple[Document, ...]:
        """Return what is left of the input, and what was rendered."""
        left_out = [d for d in documents if self._folders.has_file(d.place.source) and identity_of(d) not in self._named]
        passed_over = set(map(id, left_out))
        plain = [d for d in documents if identity_of(d) not in self._delivered and id(d) not in passed_over]
        taken = {os.path.realpath(document.place.source) for document in (*self._rendered.values(), *self._applied)}
        made = {*self._rendered, *self._delivered}
        for document in left_out:
            is_taken = identity_of(document) in made
            is_taken = is_taken or os.path.realpath(document.place.source) in taken  # under another namespace or name
            if not is_taken:
                self.notes.add("kustomization", self._folders.why_left_out(document.place.source), document.place.source)
        own = {identity_of(document): document.data for document in plain}
        further = (d for identity, d in self._rendered.items() if own.get(identity) != d.data)
        return tuple(map(self._explained, (*plain, *further)))

    def _deliver(self, candidates: Sequence[_Candidate], documents: Sequence[Document]) -> list[_Candidate]:
        """Deliver objects, and those that they lead to, until no more are ready. Return the others.

        What an object waits for may come from one behind it, so each is tried again while anything happens. Releases come after
        what may hold their values.
        """  # GO-3
        waiting, has_changed = list(candidates), True
        while has_changed:
            has_changed = False
            for is_late in (False, True):
                for candidate in [c for c in waiting if (kind_of(c.document) == HELM_RELEASE) == is_late]:
                    if identity_of(candidate.document) in self._delivered:
                        waiting.remove(candidate)
                        continue
                    self._try(candidate, self._known(documents))
                    if isinstance(candidate.outcome, Undelivered):
                        continue
                    made = self._make(candidate, documents)
                    if made is None:
                        continue
                    self._count.one(len(made))
                    waiting.remove(candidate)
                    waiting += made
                    has_changed = True
                if has_changed:
                    break
        return waiting

    def _try(self, candidate: _Candidate, others: Sequence[Document]) -> None:
        """Find out what an object stands for, among other objects."""
        candidate.problems = Problems()
        document = as_go_reads(candidate.document) if kind_of(candidate.document) in _OF_ARGO else candidate.document
        checkout = self._checkout_of(document)
        if document.origin is not None and document.origin.unknown:
            candidate.outcome = Undelivered(f"{document.origin.unknown[0]} {LATE}")
        elif checkout is None:
            candidate.outcome = Undelivered("its file is in no checkout of git")
        else:
            candidate.outcome = self._planned(document, checkout, others, candidate.problems)

    def _checkout_of(self, document: Document) -> Checkout | None:
        """Return the checkout that an object is in, or what was fetched that holds it.

        What is fetched needs no checkout around the release or Application that names it.
        """
        source = file_of(document.place.source)
        path = os.path.realpath("." if source == STDIN_NAME else source)
        held = [checkout for checkout in self._fetched if is_below(path, os.path.realpath(checkout.root))]
        checkout = held[0] if held else Checkout.around(path)
        is_alone = self.reading.fetcher is not None and kind_of(document) in (APPLICATION, HELM_RELEASE)
        return Checkout(path if os.path.isdir(path) else os.path.dirname(path)) if checkout is None and is_alone else checkout

    def _planned(self, document: Document, checkout: Checkout, others: Sequence[Document], problems: Problems) -> _Outcome:
        kind = kind_of(document)
        if kind == APPLICATION:
            return application(document, checkout, others, self.reading, problems)
        if kind == APPLICATION_SET:
            return applications(document, checkout, others, self.reading.fetcher)
        if kind == HELM_RELEASE:
            return helm_release(document, checkout, others, self.reading, problems)
        return kustomization(document, checkout, others, self.reading, keys_of(self._applied), problems)

    def _known(self, documents: Sequence[Document]) -> tuple[Document, ...]:
        """Return the objects that are in the cluster so far: those that the user gave, and what was rendered."""
        given = (d for d in documents if not self._folders.has_file(d.place.source))
        return (*given, *self._rendered.values(), *self._applied, *self.config_maps)

    def _make(self, candidate: _Candidate, others: Sequence[Document]) -> list[_Candidate] | None:
        """Render what an object stands for, and return the objects in it that stand for further ones; None if that has to wait.

        The object itself is replaced.
        """
        outcome, document = candidate.outcome, candidate.document
        made: Sequence[Document]
        if isinstance(outcome, Applications):
            made = outcome.documents
            self._folders.excluded.update(map(os.path.realpath, outcome.excluded))
            for why in filter(None, (*outcome.left_out, outcome.unknown)):
                self._note(document, why, render_command(document, (*others, *self._rendered.values()), self.by_fetching))
            if outcome.unknown:
                what, form = f"{document.kind} {document.name} ({document.place})", document.kind
                self.notes.ledger.leave_open(OpenInput(what, form, f"not rendered as a whole: {outcome.unknown}"))
        elif isinstance(outcome, Delivery):
            try:
                made = self._objects.of(outcome, candidate.problems)
            except (MissingDependencies, NotFetched) as error:
                candidate.outcome = Undelivered(str(error), outcome.covered)
                return None
            except NotBuiltError as error:
                candidate.outcome = Undelivered(error.sentence(self.reading), outcome.covered)
                return None
            self._folders.covered.update(dict.fromkeys(outcome.covered))
            self._fetched += [part.checkout for part in outcome.parts if isinstance(part, Build | ChartOfSource)]
            if outcome.unset:
                names = ", ".join(f"${{{name}}}" for name in dict.fromkeys(outcome.unset))
                self.notes.add("unset-variable", _UNSET, f"{document.kind} {document.name} ({names})")
            if outcome.root:
                self.notes.add("delivery-of-a-subfolder", _OF_SUBFOLDER, f"{document.kind} {document.name} ({outcome.root})")
            if outcome.revision:
                who = f"{document.kind} {document.name} ({outcome.revision})"
                self.notes.add("delivery-of-another-revision", _OF_HERE, who)
        else:
            return None
        self._delivered.add(identity_of(document))
        self._rendered.pop(identity_of(document), None)
        self._applied.append(document)
        self._adopt(candidate.problems)
        return self._take(made, candidate.depth + 1)

    def _take(self, documents: Sequence[Document], depth: int) -> list[_Candidate]:
        """Add what was rendered, each object once, and return the objects that stand for further ones."""
        for document in documents:
            identity = identity_of(document)
            earlier = self._rendered.get(identity)
            if earlier is not None and is_only_if_absent(document):
                continue
            if earlier is not None and earlier.data != document.data:
                text = "made by several Applications, releases or Kustomizations, and the last one counts: {who}"
                self.notes.add("kustomized-twice", text, f"{document.kind} {document.name}")
            if identity not in self._delivered:
                self._rendered[identity] = document
        inner = [document for document in documents if _is_delivered(document)]
        if inner and depth > _DEEPEST:
            text = f"is rendered by {_DEEPEST} others, each through the one before, and there are more"
            self.problems.add(inner[0].place, f"{inner[0].kind} {inner[0].name} {text}", "an end")
            return []
        return [_Candidate(document, depth) for document in inner if identity_of(document) not in self._delivered]

    def _report(self, candidate: _Candidate, others: Sequence[Document]) -> None:
        """Note why an object is not rendered, and pass on its mistakes."""
        self._adopt(candidate.problems)
        outcome = candidate.outcome
        self._named.add(identity_of(candidate.document))
        if isinstance(outcome, Undelivered):
            self._folders.withheld.update(outcome.covered)
            self._folders.named.update(outcome.named)
            if outcome.why:
                known = (*others, *self._rendered.values())
                command = "" if outcome.says_how else self._command(candidate.document, outcome, known)
                self._note(candidate.document, outcome.why, command)
                self._unrendered[identity_of(candidate.document)] = Unrendered(outcome.why, command)

    def _command(self, document: Document, outcome: _Outcome, others: Sequence[Document]) -> str:
        """Return the command that renders an object; fetching does where its source is elsewhere."""
        if isinstance(outcome, Undelivered) and outcome.is_elsewhere:
            return self.by_fetching
        if is_patched(document) and not self.reading.kustomize:
            return self.by_rendering
        return render_command(document, others, self.by_fetching)

    def _note(self, document: Document, why: str, command: str) -> None:
        text = f"not rendered: {{who}}, because {why}" + (f"; this renders it: {command}" if command else "")
        self.notes.add(NOT_RENDERED, text, f"{document.kind} {document.name}")

    def _adopt(self, problems: Problems) -> None:
        self.problems.extend(problems.found)
        self.problems.inputs += problems.inputs


_UNSET: Final = (
    "variables without a value are empty, as Flux has them; with its feature gate StrictPostBuildSubstitutions, which no file "
    "here speaks of, it would not apply what uses them: {who}"
)
_OF_SUBFOLDER: Final = "its path begins in a subfolder, because the root of the checkout has no such folder: {who}"
_OF_HERE: Final = "rendered from the files that are checked out, although they name another revision: {who}"
_WITH_OPTION: Final = f"not rendered, although what they take is in this checkout; {HELM.flag} renders it: {{who}}"


def _is_delivered(document: Document) -> bool:
    return kind_of(document) in _KINDS


def _is_within(candidate: _Candidate, others: Iterable[_Candidate]) -> bool:
    """Tell whether another object's folder holds the file of an object, and not the other way round."""
    folder, own = _folder_of(candidate), _covered_by(candidate)
    around = [o for o in others if o is not candidate and any(is_below(folder, real) for real in _covered_by(o))]
    return any(not any(is_below(_folder_of(other), mine) for mine in own) for other in around)


def _folder_of(candidate: _Candidate) -> str:
    return os.path.dirname(os.path.realpath(candidate.document.place.source))


def _covered_by(candidate: _Candidate) -> tuple[str, ...]:
    return candidate.outcome.covered if isinstance(candidate.outcome, Delivery | Undelivered) else ()
