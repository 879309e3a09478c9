"""Build folders as controllers do: in a copy of the checkout, with their own changes to its kustomizations."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final

from cutlist.core.errors import Place, Problems
from cutlist.documents.delivery.checkout import Checkout
from cutlist.documents.delivery.fetching import FetchError
from cutlist.documents.delivery.flux.ignore import Ignored
from cutlist.documents.delivery.flux.overlay import generated
from cutlist.documents.delivery.helm import MissingDependencies, Release, render_release
from cutlist.documents.delivery.parts import Build, ChartOfSource
from cutlist.documents.delivery.work_copy import WorkCopy
from cutlist.documents.document import Document
from cutlist.documents.folders import KUSTOMIZATION_NAMES, Reading
from cutlist.documents.kustomize.kustomization import BUILT_ON, UNRESTRICTED, Kustomization
from cutlist.documents.kustomize.localized import localized
from cutlist.documents.kustomize.program import is_left_to_program, render_by_program
from cutlist.documents.kustomize.rendering import render

_MAKING: Final = (*BUILT_ON, "configMapGenerator", "secretGenerator", "generators", "helmCharts", "helmChartInflationGenerator")
"""The members of a kustomization that give it objects."""
_COMPLETE: Final = Ignored(())


@dataclass(slots=True)
class Builder:
    """Builds folders, and keeps the copies of checkouts that it needs until it is closed."""

    reading: Reading
    _folder: tempfile.TemporaryDirectory[str] | None = None
    _ignored: dict[tuple[str, str | None], Ignored] = field(default_factory=dict)
    _copies: dict[tuple[str, str | None], WorkCopy] = field(default_factory=dict)

    def close(self) -> None:
        """Remove the copies."""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
        self._copies.clear()

    def chart(self, part: ChartOfSource) -> tuple[Release, WorkCopy | None]:
        """Return a release with the chart that Flux takes, and the copy of the checkout where that is another one."""
        ignored = self._left_out(part.checkout, part.ignore)
        if ignored.is_usual:
            return part.release, None
        copy = self._copy(part.checkout, part.ignore, ignored)
        path = os.path.join(copy.root, _below(part.release.chart, part.checkout))
        return replace(part.release, chart=path, root=copy.root), copy

    def rendered(self, release: Release, place: Place, problems: Problems) -> tuple[Document, ...]:
        """Return the objects of a release, whose chart is completed with dependencies that are fetched, if it lacks some.

        Raises MissingDependencies where they cannot be fetched, or nobody may fetch.
        """
        try:
            return render_release(release, place, problems)
        except MissingDependencies as error:
            if self.reading.fetcher is None:
                raise
            target = os.path.join(self._new_folder(), os.path.basename(os.path.realpath(release.chart)))
            try:
                self.reading.fetcher.complete(release.chart, release.root or release.chart, target)
            except FetchError as failure:
                raise MissingDependencies(error.chart, error.names, str(failure)) from None
        documents = render_release(replace(release, chart=target), place, problems)
        return tuple(replace(d, place=_in_chart(d.place, target, release.chart)) for d in documents)

    def build(self, part: Build, place: Place, problems: Problems) -> list[Document]:
        """Return the objects of a folder. What the controller or kustomize refuses is added to `problems`."""
        ignored = self._left_out(part.checkout, part.ignore)
        has_kustomization = any(os.path.isfile(os.path.join(part.folder, name)) for name in KUSTOMIZATION_NAMES)
        is_written = part.overlay is not None or (self.reading.kustomize and not has_kustomization)
        is_written = is_written or self.reading.fetcher is not None  # kustomize may write, and a cache stays as it is
        if not is_written and (part.ignore is None or ignored.is_usual):
            root = part.checkout.root
            return self._built(part, part.folder, root, ignored, place, problems)
        copy, own = self._copy(part.checkout, part.ignore, ignored), Problems()
        folder = os.path.normpath(os.path.join(copy.root, _below(part.folder, part.checkout)))
        if not os.path.isdir(folder):
            problems.add(place, f"{part.folder} is left out of what the controller takes from the checkout", "another folder")
            return []
        documents = self._built(part, folder, copy.root, ignored, place, own)
        copy.report(own, problems)
        return list(copy.renamed(documents))

    def _built(self, part: Build, folder: str, root: str, ignored: Ignored, place: Place, problems: Problems) -> list[Document]:
        """Return the objects of a folder of the checkout, or of a copy of it."""
        earlier = len(problems.found)
        files = [path for path in (os.path.join(folder, name) for name in KUSTOMIZATION_NAMES) if os.path.isfile(path)]
        kustomization = Kustomization.of_folder(folder, place, problems) if files else None
        if kustomization is None and part.generates and not files:
            kustomization = _made(folder, generated(folder, root, ignored, problems))
        elif kustomization is None and not files:
            problems.add(place, f"{part.folder} has no kustomization", f"one of {', '.join(KUSTOMIZATION_NAMES)}")
        if kustomization is None or len(problems.found) > earlier:
            return []
        try:
            changed = _overlaid(part, kustomization)
        except ValueError as error:
            problems.add(place, f"its settings are refused: {error}")
            return []
        if part.generates and not any(changed.document.data.get(member) for member in _MAKING):
            return []  # which kustomize itself refuses to build
        return self._rendered(part, kustomization, changed, problems)

    def _rendered(
        self, part: Build, kustomization: Kustomization, changed: Kustomization, problems: Problems
    ) -> list[Document]:
        restricted = UNRESTRICTED[0] not in part.options
        if not is_left_to_program(changed, self.reading):
            return render(changed, problems, restricted=restricted)
        remote, own = self.reading.remote and self.reading.fetcher is None, Problems()
        with _written(kustomization, changed), localized(changed, self.reading.fetcher) as local:
            documents = render_by_program(local.kustomization, own, remote=remote, options=part.options)
            local.report(own, problems)
            return local.documents(documents)

    def _left_out(self, checkout: Checkout, ignore: str | None) -> Ignored:
        if ignore is None:
            return _COMPLETE
        key = checkout.root, ignore
        if key not in self._ignored:
            self._ignored[key] = Ignored.of(checkout.root, ignore)
        return self._ignored[key]

    def _copy(self, checkout: Checkout, ignore: str | None, ignored: Ignored) -> WorkCopy:
        key = checkout.root, ignore
        if key not in self._copies:
            folder = self._new_folder()

            def leaves_out(path: tuple[str, ...], is_folder: bool) -> bool:
                return ignored.has(path, is_folder=is_folder)

            self._copies[key] = WorkCopy.of(checkout, folder, leaves_out, keeps_links=ignore is None)
        return self._copies[key]

    def _new_folder(self) -> str:
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="cutlist-checkout-")
        return tempfile.mkdtemp(dir=self._folder.name)


def _in_chart(place: Place, copy: str, chart: str) -> Place:
    """Return a place under the path that the user knows, not that of the copy, which is deleted."""
    return replace(place, source=place.source.replace(f"{copy}{os.sep}", f"{chart}{os.sep}"))


def _below(path: str, checkout: Checkout) -> str:
    """Return a path of a checkout from its root."""
    return os.path.relpath(os.path.realpath(path), os.path.realpath(checkout.root))


def _made(folder: str, data: dict[str, Any]) -> Kustomization:
    path = os.path.join(folder, KUSTOMIZATION_NAMES[0])
    return Kustomization(Document(Place(path), data, {}), folder, os.path.realpath(folder))


def _overlaid(part: Build, kustomization: Kustomization) -> Kustomization:
    """Return a kustomization with the controller's changes. Raises ValueError for what it refuses."""
    if part.overlay is None:
        return kustomization
    document = kustomization.document
    return replace(kustomization, document=replace(document, data=part.overlay.over(document.data, kustomization.folder)))


@contextmanager
def _written(before: Kustomization, after: Kustomization) -> Iterator[None]:
    """Write a kustomization of a copy while its folder is built, and put the earlier file back."""
    path = after.file
    earlier = None
    if os.path.exists(path):
        if before.document.data == after.document.data:
            yield
            return
        with open(path, encoding="utf-8") as file:
            earlier = file.read()
        os.unlink(path)  # it may be a link to the checkout's own file
    _write(path, json.dumps(after.document.data))
    try:
        yield
    finally:
        os.unlink(path)
        if earlier is not None:
            _write(path, earlier)


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
