"""Read objects from paths as kubectl and kustomize do: files, folders, kustomizations, standard input."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.ledger import open_sentences
from cutlist.core.notes import Notes
from cutlist.documents.account.accounting import Account, charts_among, take_account
from cutlist.documents.account.helmfile import is_helmfile, is_part
from cutlist.documents.account.placeholders import has_placeholders, without_placeholders
from cutlist.documents.account.wrappers import leave_wrapped_open
from cutlist.documents.cloud_resources import cloud_resources
from cutlist.documents.cloudformation.stack_templates import StackTemplates
from cutlist.documents.collector import Collector
from cutlist.documents.commands import fetch_command, helm_command, option_words, plan_with
from cutlist.documents.contents import Contents
from cutlist.documents.definitions import last_of_each
from cutlist.documents.delivery.releases import DELIVERED, is_patched
from cutlist.documents.document import Document, identity_of
from cutlist.documents.environments import note_environments
from cutlist.documents.file_reading import REASONS
from cutlist.documents.files import NO_NAME, STDIN, STDIN_NAME, SourceText, file_text, sources, stdin_text
from cutlist.documents.folders import KUSTOMIZATION_NAMES, PLAIN, Reading, files_of, foreign
from cutlist.documents.input_files import Paths, RealPaths, input_files, is_in
from cutlist.documents.kustomize.kustomization import Kustomization, below
from cutlist.documents.kustomize.not_built import KUSTOMIZATION
from cutlist.documents.parsing import OBJECT, parse_documents
from cutlist.documents.plain_templates import objects_of_templates
from cutlist.documents.terraform.configurations import config_maps_for
from cutlist.documents.text.yaml import parse as parse_yaml
from cutlist.settings.planning import FETCH, KUSTOMIZE

if TYPE_CHECKING:
    from cutlist.documents.terraform.installed import Installed


def collect_documents(
    paths: Paths,
    problems: Problems,
    stdin: str | bytes | None = None,
    reading: Reading = PLAIN,
    notes: Notes | None = None,
) -> tuple[Document, ...]:
    """Return the objects in files and folders, in the order given; what cannot be read is left out, with a problem added.

    A folder means its `*.yaml`, `*.yml` and `*.json` files in alphabetical order, and those of its subfolders if `reading` is
    recursive. A folder with a kustomization means what that renders, and nothing else below it is read. If `reading` has
    `charts`, a chart means what helm renders, and what Argo CD and Flux take from their checkout is rendered. Files of a folder
    without objects are skipped, and named in `notes`. `-` means `stdin`. A file that is named twice is read once. A path
    without any object, such as the output of a command that failed, is reported as an absence.
    """
    notes = Notes() if notes is None else notes
    contents = Contents.of(paths, problems, stdin, reading, notes)
    collector, configured = contents.collector, contents.configured
    # What a configuration renders comes through it, with its values.
    documents = _without_rendered(contents.documents, configured.read)
    templates = StackTemplates(problems, notes)
    of_templates = tuple(templates.documents(collector.files.templates))
    releases = (*configured.releases, *templates.releases)
    collector.charts = [chart for chart in collector.charts if chart.real not in templates.charts]
    if contents.environments:
        note_environments(contents.environments, _named(paths), reading.options, notes)
        for release in releases:
            release.leave_open(notes.ledger)
    elif collector.charts or releases or any(document.kind in DELIVERED for document in documents):
        documents = _delivered(paths, documents, collector, reading, configured.config_maps, releases)
    of_helmfiles, rendered_charts = _of_helmfiles(paths, contents, reading, problems, notes)
    documents = (*documents, *of_helmfiles)
    collector.settle(_named(paths), lambda _: bool(contents.environments))  # each environment has its own mistakes
    read = {*collector.read, *configured.read, *collector.used}
    read |= {document.place.source for document in (*contents.documents, *documents)}
    leave_wrapped_open(documents, notes)
    of_clouds = cloud_resources([*contents.files, *filter(os.path.isfile, _named(paths))], notes.ledger)
    of_texts = () if contents.environments else objects_of_templates(_unread(contents, read), notes)
    further = (*configured.objects, *of_clouds, *of_templates, *of_texts)
    documents = without_placeholders(last_of_each(with_others(documents, further, notes), notes), notes)
    rendered = rendered_charts if contents.environments else [*rendered_charts, *(chart.path for chart in collector.charts)]
    open_helmfiles = () if _are_rendered(contents, reading) else contents.helmfiles
    account = Account(
        documents,
        read,
        rendered,
        configured.charts | templates.charts,
        contents.helmfiles,
        open_helmfiles,
        collector.files.plain,
    )
    take_account(paths, contents.files, reading, account, notes)
    read |= {document.place.source for document in further}
    _report_absences(paths, documents, contents, read, reading, problems, notes, has_helmfiles=bool(of_helmfiles))
    return documents


def _report_absences(
    paths: Paths,
    documents: Sequence[Document],
    contents: Contents,
    read: Collection[str],
    reading: Reading,
    problems: Problems,
    notes: Notes,
    *,
    has_helmfiles: bool,
) -> None:
    """Report the paths, and the input as a whole, that have no object that is read, with what was not read there."""
    ledger, found = notes.ledger, bool(documents or contents.environments)
    # Where nothing at all was read, what is open is no answer yet.
    known = {of.what for of in ledger.open} if found else set()
    roots = {os.path.join(folder, os.curdir) for folder in contents.configured.by_root}
    named = tuple(f"not read: {sentence}" for sentence in open_sentences(ledger.open))
    if not has_helmfiles:
        counts = (ledger.closed().sentence,) if reading.recursive else ()
        contents.collector.files.report_without_manifests((*counts, *named))
    note_empty_inputs(paths, {*read, *known, *roots}, problems, (ledger.closed().sentence, *named))
    if paths and not found and not problems and any(of.form == KUSTOMIZATION for of in ledger.open):
        problems.add_absence(Place(sources(paths)), "contains no object that is read", OBJECT, named)


def _of_helmfiles(
    paths: Paths, contents: Contents, reading: Reading, problems: Problems, notes: Notes
) -> tuple[list[Document], Collection[str]]:
    """Return the objects of helmfiles, if the installed helmfile may render them, and the charts that they are from."""
    if not _are_rendered(contents, reading) or not contents.helmfiles:
        return [], ()
    from cutlist.documents.helmfile.rendering import HelmfileRenderer

    by_fetching = plan_with((FETCH,), _named(paths), reading.options)
    renderer = HelmfileRenderer(notes, reading.fetcher, reading.helmfile or "", by_fetching, _named(paths))
    documents = [document for helmfile in contents.helmfiles for document in renderer.documents(helmfile, problems)]
    return documents, renderer.read


def _are_rendered(contents: Contents, reading: Reading) -> bool:
    """Tell whether helmfiles are rendered: those of one environment, or of the chosen one."""
    return reading.helmfile is not None and not contents.environments


def _unread(contents: Contents, read: Iterable[str]) -> list[str]:
    """Return the files that nobody reads or renders: not those of charts and helmfiles either."""
    real_path, charts = RealPaths(), charts_among(contents.files)
    taken = set(map(real_path, read))
    others = (path for path in contents.files if real_path(path) not in taken and not is_part(path, contents.helmfiles))
    return [path for path in others if not any(is_in(path, chart) for chart in charts)]


def with_others(documents: tuple[Document, ...], others: Sequence[Document], notes: Notes) -> tuple[Document, ...]:
    """Return objects with those of configurations that are not among them; one that differs from its file is noted."""
    if not others:
        return documents
    known = {identity_of(document): document.data for document in documents}
    further = [document for document in others if identity_of(document) not in known]
    for document in others:
        if known.get(identity_of(document), document.data) != document.data:
            notes.add("written-twice", _FILE_COUNTS, f"{document.kind} {document.name}")
    return (*documents, *further)


_FILE_COUNTS: Final = "also written in a configuration of another form, and the file counts: {who}"


def _without_rendered(documents: tuple[Document, ...], templates: Iterable[str]) -> tuple[Document, ...]:
    """Return the objects without those of files from which a configuration renders them."""
    rendered = set(map(os.path.realpath, templates))
    if not rendered:
        return documents
    return tuple(d for d in documents if os.path.realpath(d.place.source) not in rendered or not has_placeholders(d))


def _delivered(
    paths: Paths,
    documents: tuple[Document, ...],
    collector: Collector,
    reading: Reading,
    config_maps: Sequence[Document],
    releases: Sequence[Installed],
) -> tuple[Document, ...]:
    """Return objects with what charts, Argo CD and Flux make, if `reading` asks for that; else note what could be rendered.
    `config_maps` and `releases` are those that configurations and templates beside the objects write and install."""
    from cutlist.documents.delivery.deliveries import Deliveries

    named = _named(paths)
    # With one command fewer: what only kustomize applies would ask for it in the next answer.
    options = (*reading.options, *option_words({KUSTOMIZE: any(map(is_patched, documents))}))
    commands = helm_command(named, options), fetch_command(named, options)
    deliveries = Deliveries(
        reading,
        collector.problems,
        collector.notes,
        collector.read,
        *commands,
        config_maps_for(documents, config_maps),
    )
    if reading.charts is not None:
        delivered = deliveries.replace_all(documents, collector.charts, releases)
        collector.used |= files_behind(map(_read_of, deliveries.built))
    else:
        delivered = deliveries.name_local(documents, releases)
    halves = set(map(id, collector.settle(named, deliveries.takes, deliveries.names)))
    return tuple(document for document in delivered if id(document) not in halves)


def _named(paths: Paths) -> list[str]:
    return list(dict.fromkeys(os.fspath(path) for path in paths))


def _read_of(folder: str) -> str:
    """Return the kustomization of a folder, which is what kustomize reads of it, or else the folder."""
    files = (os.path.join(folder, name) for name in KUSTOMIZATION_NAMES)
    return next((file for file in files if os.path.isfile(file)), folder)


def read_mapping(path: str | os.PathLike[str], what: str, form: str) -> Document:
    """Return the only document of a file, a mapping that is not a Kubernetes object; messages say `what` it holds, in which
    `form`. Raises InputError if the file holds anything else.
    """
    path, problems = os.fspath(path), Problems()
    contents = file_text(path, problems)
    documents = [] if contents is None else [p for p in parse_yaml(contents, path, problems) if p.value is not None]
    for further in documents[1:]:
        problems.add(Place(path, further.number, further.lines.get("", 0)), "a second document", form)
    if not documents and not problems:
        problems.add(Place(path), f"holds no {what}", form)
    problems.raise_if_any()
    parsed = documents[0]
    place = Place(path, parsed.number, parsed.lines.get("", 0))
    if not isinstance(parsed.value, dict):
        kind = "a list" if isinstance(parsed.value, list) else repr(parsed.value)
        raise InputError.one(place, f"holds no {what} but {kind[:60]}", form)
    return Document(place, parsed.value, parsed.lines)


def note_empty_inputs(
    paths: Iterable[str | os.PathLike[str]], read: Iterable[str], problems: Problems, account: tuple[str, ...] = ()
) -> None:
    """Report as an absence each file and folder that gave no objects and has no problem of its own. `account` says what the
    folders hold instead."""
    real_path = RealPaths()
    sources_read = {*read, *(problem.place.source for problem in problems.found)} - {""}
    known = {source if source in (STDIN_NAME, NO_NAME) else real_path(source) for source in sources_read}
    known |= {
        os.path.join(os.path.realpath(os.path.dirname(s)), os.path.basename(s)) for s in sources_read if os.path.islink(s)
    }
    for path in dict.fromkeys(sources([path]) for path in paths):
        real = _real(path)
        below_it = real.rstrip(os.sep) + os.sep
        if real not in known and not any(source.startswith(below_it) for source in known):
            what = account if os.path.isdir(path) or is_helmfile(path) else ()
            problems.add_absence(Place(path), "contains no object", OBJECT, what)


def read_documents(
    paths: Paths,
    stdin: str | bytes | None = None,
    reading: Reading = PLAIN,
    notes: Notes | None = None,
    *,
    allow_empty: bool = False,
) -> tuple[Document, ...]:
    """Return the objects in files and folders, as `collect_documents` does. Raises InputError for any problem."""
    problems = Problems(allow_empty=allow_empty)
    documents = collect_documents(paths, problems, stdin, reading, notes)
    problems.raise_if_any()
    return documents


def _real(source: str) -> str:
    return source if source in (STDIN_NAME, NO_NAME) else os.path.realpath(source)


def collect_texts(
    paths: Paths, problems: Problems, stdin: str | bytes | None = None, reading: Reading = PLAIN, notes: Notes | None = None
) -> Iterator[SourceText]:
    """Yield the unchanged texts of the same files, including those of kustomizations and files next to them."""
    notes = Notes() if notes is None else notes
    for file in input_files(paths, problems, reading, notes):
        if file.is_chart:
            continue
        text = stdin_text(stdin, problems) if file.path == STDIN else file_text(file.path, problems)
        source = SourceText(STDIN_NAME if file.path == STDIN else file.path, text or "")
        if text is not None and not (file.folder and _is_passed_over(source, notes)):
            yield source


def files_behind(paths: Iterable[str]) -> set[str]:
    """Return the real paths of all files that the files of paths lead to: those that kustomizations name, at any depth, and the
    targets of links. A file that cannot be read leads nowhere.
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


def _is_passed_over(source: SourceText, notes: Notes) -> bool:
    """Tell whether a file of a folder contains no manifests, and add a note if so."""
    own = Problems()
    parse_documents(source.text, source.source, own)
    reason = foreign(source) if own else ""
    if reason:
        notes.add(*REASONS[reason], source.source)
    return bool(reason)
