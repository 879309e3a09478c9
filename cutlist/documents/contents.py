"""The contents of files and folders as they lie there: objects, configurations, and the environments that they are of."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from cutlist.core.errors import Problems
from cutlist.core.ledger import Environment
from cutlist.core.notes import Notes
from cutlist.documents.account.accounting import charts_among, files_of_folders
from cutlist.documents.account.helmfile import Helmfile, helmfiles, is_helmfile
from cutlist.documents.account.placeholders import BEARING, has_placeholders
from cutlist.documents.chart_values import of_charts
from cutlist.documents.collector import Collector
from cutlist.documents.delivery.releases import DELIVERED, applied_path, is_of_flux
from cutlist.documents.document import Document
from cutlist.documents.environments import DEPLOYED, is_under, of_flux, of_folders, of_overlays
from cutlist.documents.files import STDIN
from cutlist.documents.folders import PLAIN, Reading
from cutlist.documents.input_files import InputFile, Paths, input_files
from cutlist.documents.not_in_use import ARCHIVED, BESIDE, EXAMPLES, examples_among, is_archived
from cutlist.documents.pulumi_stacks import pulumi_stacks
from cutlist.documents.rendered_environments import of_helmfiles, of_stacks
from cutlist.documents.root_modules import of_cluster_roots, of_roots
from cutlist.documents.terraform.configurations import Configured, configured_objects, environments_by_variables

_WITH_PODS: Final = DEPLOYED - {"NodePool"}


@dataclass(frozen=True, slots=True)
class Contents:
    """The objects in files, the files below the folders, what configurations write, and the environments if there are several.

    `collector` has the charts that neither a helmfile nor a configuration installs, and what else is still to do.
    """

    documents: tuple[Document, ...]
    files: Sequence[str]
    collector: Collector
    configured: Configured
    helmfiles: Sequence[Helmfile]
    environments: tuple[Environment, ...]

    @staticmethod
    def of(paths: Paths, problems: Problems, stdin: str | bytes | None, reading: Reading, notes: Notes) -> Contents:
        """Return what lies in files and folders; what cannot be read is left out, with a problem added."""
        files, examples = _in_use(paths, files_of_folders(paths, reading), notes)
        configured = configured_objects(paths, files, problems, notes)
        collector = Collector.of(problems, notes, reading, frozenset(map(os.path.realpath, configured.read)))
        named = [os.fspath(path) for path in paths]
        own = [path for path in named if is_helmfile(path) and os.path.isfile(path)]
        others = [path for path in named if path not in own]
        inputs = input_files(others, problems, reading, notes)
        documents = collector.collect([file for file in inputs if not _is_within(file, examples)], stdin)
        installed = helmfiles(dict.fromkeys((*files, *map(os.path.normpath, own))))
        of_others = configured.charts.union(*(helmfile.charts for helmfile in installed))  # with values of their own
        environments = _environments(paths, files, documents, collector, reading, installed, of_others, configured)
        collector.charts = [chart for chart in collector.charts if chart.real not in of_others]
        return Contents(documents, files, collector, configured, installed, environments)


def _in_use(paths: Paths, files: Iterable[str], notes: Notes) -> tuple[list[str], frozenset[str]]:
    """Return the files without those of folders that are not in use, which are passed over; and the folders of examples among
    these."""
    roots = [os.path.normpath(os.fspath(path)) for path in paths]
    listed = list(files)
    archived = {folder for folder in set(map(os.path.dirname, listed)) if is_archived(folder, roots)}
    used = [path for path in listed if os.path.dirname(path) not in archived]
    examples = examples_among(used, roots)
    for path in (path for path in listed if os.path.dirname(path) in archived):
        notes.ledger.is_passed_over(os.path.realpath(path), ARCHIVED)
    for path in (path for path in used if os.path.dirname(path) in examples):
        notes.ledger.is_passed_over(os.path.realpath(path), EXAMPLES)
    for folder in sorted(set(examples.values())):
        notes.add(EXAMPLES, BESIDE, folder)
    return [path for path in used if os.path.dirname(path) not in examples], frozenset(examples)


def _is_within(file: InputFile, folders: AbstractSet[str]) -> bool:
    """Tell whether a file that was found in a folder, or a chart, is in one of others, as their paths are written."""
    return bool(file.folder) and os.path.normpath(file.path if file.is_chart else os.path.dirname(file.path)) in folders


def environments_in(paths: Paths, reading: Reading = PLAIN) -> tuple[Environment, ...]:
    """Return the environments that lie in files and folders, none if these are one; mistakes are those of each environment."""
    return Contents.of([path for path in paths if path != STDIN], Problems(), None, reading, Notes()).environments


def _environments(
    paths: Paths,
    files: Sequence[str],
    documents: tuple[Document, ...],
    collector: Collector,
    reading: Reading,
    installed: Iterable[Helmfile],
    charts_of_others: frozenset[str],
    configured: Configured,
) -> tuple[Environment, ...]:
    """Return the environments that lie in the folders, if there are several; else note what several kustomizations make."""
    stacks = pulumi_stacks(files)
    if stacks:
        documents = tuple(d for d in documents if not any(stack.holds(d.place.source) for stack in stacks))
    rendered_by_others = (*of_stacks(stacks), *of_helmfiles(installed, paths, reading))
    # Bootstrapping names the first Kustomization of each cluster alike.
    clusters = of_flux(_not_applied((*collector.superseded, *documents), collector), paths)
    # The parts of one cluster are read as they are where that can be done; else the command that renders them is named.
    is_unreadable = len(clusters) == 1 and reading.charts is None and _has_unread_parts(clusters[0], documents, collector)
    if rendered_by_others or len(clusters) > 1 or is_unreadable:
        return (*rendered_by_others, *clusters)
    is_of_controllers = any(document.kind in DELIVERED for document in documents)
    is_delivered = is_of_controllers and reading.charts is not None
    beside, side_by_side = collector.beside_kustomizations(documents), not is_of_controllers
    made = collector.made, collector.builds.left_to_program
    overlays = () if is_delivered else of_overlays(*made, beside, side_by_side=side_by_side)
    if not overlays:
        collector.note_twice()
    values = reading.charts.values if reading.charts is not None else ()
    # What is here without the charts is planned; what these would add is open, with the names of their environments.
    is_left = reading.charts is None and any(document.kind in _WITH_PODS for document in documents)
    charts = () if is_of_controllers or values or is_left else charts_among(files, charts_of_others)
    plain = () if is_delivered or overlays else of_folders(documents, paths)
    found = (*overlays, *plain, *of_charts(charts, documents, files))
    roots = () if is_delivered else of_cluster_roots(configured.clusters, configured.by_root, documents)
    # Folders that part within root modules are these; others may be of their clusters, and say more about what runs there.
    if roots and all(any(of.name == root.name or is_under(of.name, root.name) for root in roots) for of in found):
        return roots
    return found or environments_by_variables(files, paths, reading) or of_roots(configured.by_root, documents)


def _has_unread_parts(cluster: Environment, documents: Sequence[Document], collector: Collector) -> bool:
    """Tell whether what cannot be read as it is includes a part of a cluster of Flux: a file of its folder, or of one that its
    Kustomizations apply."""
    applied = [applied_path(document) for document in documents if is_of_flux(document)]
    taken = [f"{os.sep}{os.path.normpath(folder)}{os.sep}" for folder in (*cluster.files, *applied)]
    unread = [problem.place.source for problem in collector.problems.found]
    unread += [kustomization.file for kustomization in collector.builds.unbuilt]
    unread += [document.place.source for document in documents if _has_variables(document)]
    return "" in applied or any(folder in os.path.realpath(source) for source in unread for folder in taken)


def _has_variables(document: Document) -> bool:
    return document.kind in BEARING and has_placeholders(document)


def _not_applied(documents: Iterable[Document], collector: Collector) -> list[Document]:
    """Return the objects without those of kustomizations that a Kustomization of Flux applies: these are no clusters."""
    listed = list(documents)
    paths = {applied_path(document) for document in listed if is_of_flux(document)}
    taken = tuple(os.sep + path for path in paths if path)
    applied = (made for folder, made in collector.made.items() if os.path.realpath(folder).endswith(taken))
    sources = {document.place.source for made in applied for document in made}
    return [document for document in listed if document.place.source not in sources]
