"""Kustomizations built one by one: each is rendered, refused with its mistakes, or left to be built by others."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from cutlist.core.errors import Problems
from cutlist.core.ledger import OpenInput
from cutlist.core.notes import Notes
from cutlist.documents.account.forms import KUSTOMIZATIONS, OF_KUSTOMIZATIONS
from cutlist.documents.document import Document
from cutlist.documents.folders import Reading
from cutlist.documents.kustomize.kustomization import UNRESTRICTED, Kustomization, below
from cutlist.documents.kustomize.not_built import KUSTOMIZATION, NotBuiltError


@dataclass(frozen=True, slots=True)
class Refused:
    """A kustomization with its mistakes. `is_freely_built` tells that it has none for those who may take files from outside its
    folder, as Flux does."""  # GO-8

    kustomization: Kustomization
    problems: Problems
    is_freely_built: bool


@dataclass(slots=True)
class KustomizationBuilds:
    """Builds kustomizations, and remembers those that are not settled yet. `read` has the files that were read."""

    problems: Problems
    notes: Notes
    reading: Reading
    read: set[str]
    refused: list[Refused] = field(default_factory=list)
    """The kustomizations with mistakes, which count unless Flux builds them."""
    not_built: list[tuple[Kustomization, NotBuiltError]] = field(default_factory=list)
    """The kustomizations of which parts are left to kustomize, or elsewhere."""
    left_to_program: set[str] = field(default_factory=set)
    """The folders of these, and of all that kustomize itself renders."""
    _built_from: set[str] = field(default_factory=set)

    def render(self, kustomization: Kustomization) -> Sequence[Document]:
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

    @property
    def unbuilt(self) -> tuple[Kustomization, ...]:
        """Return the kustomizations that are refused or not built, and not settled yet."""
        return (*(of.kustomization for of in self.refused), *(kustomization for kustomization, _ in self.not_built))

    def note_built(self, kustomizations: Iterable[Kustomization]) -> None:
        """Remember the files from which kustomizations are made, unless they are not built."""
        left = [kustomization for kustomization, _ in self.not_built]
        for k in (k for k in kustomizations if k not in left):
            self._built_from |= {os.path.realpath(k.file), *self._files_behind(k)}

    def settle(
        self, files: Sequence[str], is_built: Callable[[str], bool], is_named: Callable[[str], bool] = lambda _: False
    ) -> list[str]:
        """Report the mistakes of refused kustomizations, and leave those open that are not built, except those of folders that
        something else builds in its own way. `files` are those of the call, for the commands.

        The folders for which `is_named` is true are those of objects of Flux that are open: what Flux builds there, and
        kustomize alone does not, is no mistake, but a part of what is open. Return the files of these kustomizations.
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
        return [kustomization.file for kustomization in parts]

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

    def made_by(self, kustomization: Kustomization, rendered: Sequence[Document]) -> Sequence[Document]:
        """Return what a kustomization makes, as far as that is known if it was refused."""
        from cutlist.documents.kustomize.rendering import render

        try:
            return rendered or render(kustomization, Problems())
        except NotBuiltError as error:
            return error.documents
