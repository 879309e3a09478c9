"""The account of the files below the folders that were named: none vanishes, and what is open is named with what renders it."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from cutlist.core.ledger import Ledger, OpenInput
from cutlist.core.notes import Notes
from cutlist.documents.account.forms import CHART_FILES, ENCRYPTED, KUSTOMIZATIONS, TEMPLATE, files_below, form_of, is_encrypted
from cutlist.documents.account.helmfile import FORM as HELMFILE
from cutlist.documents.account.helmfile import Helmfile, is_part
from cutlist.documents.account.jsonnet import leave_jsonnet_open
from cutlist.documents.account.programs import leave_programs_open
from cutlist.documents.account.submodules import leave_submodules_open
from cutlist.documents.beginnings import beginning_of
from cutlist.documents.chart_values import own_values
from cutlist.documents.commands import helm_command
from cutlist.documents.document import Document
from cutlist.documents.files import FILE_SUFFIXES, STDIN, STDIN_NAME
from cutlist.documents.folders import CHART_NAME, KUSTOMIZATION_NAMES, Reading
from cutlist.documents.input_files import Paths, RealPaths, is_in
from cutlist.documents.rendered_sources import file_of
from cutlist.settings.planning import HELMFILE as HELMFILE_OPTION

CHART: Final = "Helm chart"
"""The form of a chart that is not rendered."""
_CODES: Final = {
    TEMPLATE: (
        "template-not-rendered",
        "not read, because they are templates; render them first, or pass what they render: {who}",
    ),
}
_OPEN: Final = ("open-input", "not read: {who}")


@dataclass(frozen=True, slots=True)
class Account:
    """What was read: the objects, the files that kustomizations and others lead to, and the folders of rendered charts.

    `installed_charts` are the real paths of charts that a configuration installs, which is open itself where it is not
    rendered, `open_helmfiles` the helmfiles that nothing renders, and `plain` the real paths of files in which nothing is
    encrypted.
    """

    documents: Sequence[Document]
    read: Iterable[str]
    rendered_charts: Iterable[str] = ()
    installed_charts: Collection[str] = ()
    helmfiles: Sequence[Helmfile] = ()
    open_helmfiles: Sequence[Helmfile] = ()
    plain: Collection[str] = ()


def take_account(paths: Paths, files: Sequence[str], reading: Reading, account: Account, notes: Notes) -> None:
    """Add every file below the folders (`files`), and every file that was named, to the account of the notes; note what is
    open."""
    ledger, real_path = notes.ledger, RealPaths()
    sources = {file_of(document.place.source) for document in account.documents}.union(account.read)
    read = set(map(real_path, sources))
    for source in sources:
        if source != STDIN_NAME and os.path.isfile(source):
            ledger.is_read(real_path(source))
    ledger.objects += len(account.documents)
    charts = charts_among(files)
    chart_of = _ChartOfFolder(charts)
    rendered = {os.path.realpath(chart) for chart in account.rendered_charts}
    rendered |= {chart for chart in account.installed_charts if any(is_in(path, chart) for path in read)}
    found = account.helmfiles
    _leave_helmfiles_open(account.open_helmfiles, ledger)
    named = list(dict.fromkeys(os.fspath(path) for path in paths))
    command = helm_command(named, reading.options) if reading.charts is None else ""
    of_others = {*account.installed_charts, *(chart for helmfile in found for chart in helmfile.charts)}
    _leave_charts_open(charts, rendered.union(of_others), command, ledger)
    leave_jsonnet_open(files, ledger)
    leave_submodules_open(files, ledger)
    programs = leave_programs_open(files, read, ledger)
    for path in files:
        real, chart = real_path(path), chart_of(os.path.dirname(path))
        if chart:
            if os.path.realpath(chart) in rendered:
                ledger.is_read(real)
            else:
                ledger.is_passed_over(real, CHART_FILES)
        elif real in programs:
            continue
        elif found and is_part(path, found):
            ledger.is_passed_over(real, HELMFILE)
        elif real in read:
            if real not in account.plain:
                _note_encrypted(path, real, ledger)
        else:
            _take(path, real, ledger)
    _add_notes(ledger, notes)


def files_of_folders(paths: Paths, reading: Reading) -> list[str]:
    """Return the files below the folders among paths, as they are shown, each once."""
    folders = [os.fspath(path) for path in paths if path != STDIN and os.path.isdir(path)]
    listed = (file for folder in folders for file in files_below(folder, recursive=reading.recursive))
    real_path = RealPaths()
    return list({real_path(file): file for file in listed}.values())


def _take(path: str, real: str, ledger: Ledger) -> None:
    name = os.path.basename(path)
    if name in KUSTOMIZATION_NAMES:
        ledger.is_passed_over(real, KUSTOMIZATIONS)
        return
    form = form_of(path)
    if form.open is None:
        ledger.is_passed_over(real, form.form)
    else:
        ledger.is_open(real, form.form)
        ledger.leave_open(form.open)


def _note_encrypted(path: str, real: str, ledger: Ledger) -> None:
    """Count a file that was read, and of which SOPS encrypted the values, as encrypted."""
    if path.endswith(FILE_SUFFIXES) and is_encrypted(beginning_of(path)):
        form = form_of(path)
        if form.open is not None:
            ledger.is_open(real, ENCRYPTED)
            ledger.leave_open(form.open)


@dataclass(slots=True)
class _ChartOfFolder:
    """Gives the chart that a folder is in, or an empty text. Each folder is looked up once."""

    charts: Sequence[str]
    _of: dict[str, str] = field(default_factory=dict)

    def __call__(self, folder: str) -> str:
        if folder not in self._of:
            above = os.path.dirname(folder)
            self._of[folder] = folder if folder in self.charts else "" if above == folder else self(above)
        return self._of[folder]


def charts_among(files: Iterable[str], of_others: Collection[str] = ()) -> list[str]:
    """Return the folders of charts that are in no other chart, without those of others, which are real paths."""
    folders = sorted({os.path.dirname(path) for path in files if os.path.basename(path) == CHART_NAME})
    outer = [folder for folder in folders if not any(folder != other and is_in(folder, other) for other in folders)]
    return [folder for folder in outer if not of_others or os.path.realpath(folder or os.curdir) not in of_others]


def _leave_charts_open(charts: Iterable[str], taken: Collection[str], command: str, ledger: Ledger) -> None:
    """Leave the charts open that nothing renders or installs; `command` renders all of them, empty where that was tried."""
    for chart in charts:
        real = os.path.realpath(chart or os.curdir)
        if real not in taken:
            by_helm = f"helm template {chart or '.'} | cutlist plan -f -"
            ledger.is_open(os.path.join(real, CHART_NAME), CHART_FILES)
            why = "a Helm chart that is not rendered"
            if values := own_values(chart or os.curdir):
                why += f", with values for several environments: {', '.join(map(os.path.basename, values))}"
            ledger.leave_open(OpenInput(chart or ".", CHART, why, command or by_helm))


def _leave_helmfiles_open(found: Iterable[Helmfile], ledger: Ledger) -> None:
    for helmfile in found:
        for path in (helmfile.path,) if os.path.isfile(helmfile.path) else files_below(helmfile.path, recursive=False):
            ledger.is_open(os.path.realpath(path), HELMFILE)
        why = f"a helmfile, which only helmfile renders ({HELMFILE_OPTION.flag} runs the installed one)"
        if len(helmfile.environments) > 1:
            why += f", with the environments {', '.join(helmfile.environments)}"
        first = next(iter(helmfile.environments), "")
        ledger.leave_open(OpenInput(helmfile.path, HELMFILE, why, helmfile.command(first)))


def _add_notes(ledger: Ledger, notes: Notes) -> None:
    for opened in ledger.open:
        if opened.form == CHART:  # the note on charts names the option
            continue
        if opened.form in _CODES:
            notes.add(*_CODES[opened.form], opened.what)
        else:
            code, text = _OPEN
            notes.add(code, text, opened.sentence)
