"""The objects of what Argo CD and Flux take from a checkout, and of charts in folders."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from errno import ENOENT
from typing import Final

from cutlist.core.errors import Place, Problems
from cutlist.core.notes import Notes
from cutlist.documents.delivery.argo.directory import objects_in
from cutlist.documents.delivery.builds import Builder
from cutlist.documents.delivery.checkout import Checkout
from cutlist.documents.delivery.helm import MissingDependencies, Release, note_missing
from cutlist.documents.delivery.parts import ChartOfSource, Delivery, Part, PlainFiles
from cutlist.documents.document import Document
from cutlist.documents.files import unreadable
from cutlist.documents.folders import CHART_NAME, Charts, Reading
from cutlist.documents.input_files import InputFile, is_below
from cutlist.documents.namespaces import in_namespace
from cutlist.documents.terraform.installed import Installed, take_objects
from cutlist.documents.text.yaml import parse

_LIBRARY: Final = "library"


@dataclass(frozen=True, slots=True)
class DeliveredObjects:
    """Renders parts of checkouts, and charts."""

    reading: Reading
    builder: Builder
    notes: Notes

    def of(self, delivery: Delivery, problems: Problems) -> Sequence[Document]:
        """Return the objects of a delivery. Raises MissingDependencies."""
        place = delivery.document.place
        documents: Sequence[Document] = [d for part in delivery.parts for d in self._part(part, place, problems)]
        if problems:
            return ()
        for step in delivery.steps:
            documents = step(documents, problems)
        return documents

    def _part(self, part: Part, place: Place, problems: Problems) -> Sequence[Document]:
        if isinstance(part, Release):
            return self.builder.rendered(self._with_versions(part), place, problems)
        if isinstance(part, ChartOfSource):
            release, copy = self.builder.chart(part)
            rendered = self.builder.rendered(self._with_versions(release), place, problems)
            return rendered if copy is None else list(copy.renamed(rendered))
        if isinstance(part, PlainFiles):
            return objects_in(part, problems, self.notes)
        return self.builder.build(part, place, problems)

    def of_chart(self, chart: InputFile, problems: Problems, others: Sequence[InputFile] = ()) -> tuple[Document, ...] | None:
        """Return what a chart in a folder renders, under its own name, with the values of the options; None if these are not
        there, which is a mistake of the options and not of the chart.

        Files of values that lie in one of the other charts that are given are that chart's own.
        """
        if _is_library(chart.path):
            self.notes.add("chart-not-rendered", "not rendered, because library charts have no objects: {who}", chart.path)
            return ()
        values = () if self.reading.charts is None else self.reading.charts.values
        missing = [
            unreadable(path, FileNotFoundError(ENOENT, os.strerror(ENOENT))) for path in values if not os.path.isfile(path)
        ]
        if missing:  # helm would fetch what looks like an address
            problems.extend(missing)
            return None
        elsewhere = [other.real for other in others if not is_below(chart.real, other.real)]
        own = [path for path in values if not any(is_below(os.path.realpath(path), other) for other in elsewhere)]
        release, place = self._with_versions(bare_release(chart.path, own)), Place(os.path.join(chart.path, CHART_NAME))
        try:
            return self.builder.rendered(release, place, problems)
        except MissingDependencies as error:
            note_missing(error, place, problems)
            return ()

    def of_installed(self, installed: Installed, by_fetching: str, problems: Problems) -> Sequence[Document]:
        """Return the objects of a release that a configuration installs; what of it is not rendered is open.

        `by_fetching` is the command that fetches its chart.
        """
        problems.inputs.append({"secret": list(installed.secrets)})

        def rendered(release: Release, own: Problems) -> Sequence[Document]:
            return self.builder.rendered(self._with_versions(release), installed.place, own)

        documents = take_objects(installed, self.reading.fetcher, rendered, self.notes.ledger, by_fetching)
        return in_namespace(installed.release.namespace, documents, problems)

    def _with_versions(self, release: Release) -> Release:
        charts = self.reading.charts or Charts()
        kube_version = release.kube_version or charts.kube_version
        return replace(release, kube_version=kube_version, api_versions=release.api_versions or charts.api_versions)


def bare_release(folder: str, values: Sequence[str] = ()) -> Release:
    """Return the release of a chart that is given as a folder: it has the folder's name."""
    real = os.path.realpath(folder)
    around = Checkout.around(real)
    root = os.path.dirname(real) if around is None else around.root
    return Release(folder, os.path.basename(real), values=tuple(values), root=root)


def _is_library(folder: str) -> bool:
    try:
        with open(os.path.join(folder, CHART_NAME), encoding="utf-8") as file:
            parsed = list(parse(file.read(2**20), CHART_NAME, Problems()))
    except (OSError, UnicodeDecodeError):
        return False
    return any(isinstance(p.value, dict) and p.value.get("type") == _LIBRARY for p in parsed)
