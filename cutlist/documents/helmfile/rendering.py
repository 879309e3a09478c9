"""What helmfile makes of a helmfile for one environment: objects, and what of it stays open.

helmfile says which releases an environment has, with which values and charts. Each becomes a release of a state that Cutlist
writes, with a chart that is here or fetched, and without anything that would start another program.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.core.ledger import OpenInput
from cutlist.core.notes import Notes
from cutlist.documents.account.helmfile import FORM, Helmfile
from cutlist.documents.delivery.checkout import Checkout
from cutlist.documents.delivery.fetched import NotFetched, chart_from
from cutlist.documents.delivery.fetching import Fetcher, FetchError
from cutlist.documents.delivery.processes import Ended
from cutlist.documents.delivery.work_copy import WorkCopy
from cutlist.documents.document import Document
from cutlist.documents.helmfile.hooks import leave_out_hooks
from cutlist.documents.helmfile.program import PROGRAM, Program
from cutlist.documents.helmfile.states import State, not_rendered, states_in, title_of
from cutlist.documents.input_files import is_below
from cutlist.documents.members import entries, mapping, text
from cutlist.documents.parsing import parse_documents
from cutlist.documents.rendered_sources import rendered_source

_FIRST_LINES: Final = 3
_LONGEST: Final = 150
_DETAILS: Final = re.compile(r"^(?:COMMAND|PATH|ARGS):", re.MULTILINE)
"""What helmfile adds about a program that failed."""
_OWN: Final = "cutlist-{}.yaml"
_TARGET: Final = "{{ .OutputDir }}/{{ .Release.Namespace }}--{{ .Release.Name }}"
"""The folder for the objects of a release."""
_HOOKS: Final = ("helmfile-hooks", "rendered without their hooks, which may prepare charts and values: {who}")
_SECRETS: Final = ("helmfile-secrets", "rendered without their secrets, which only a plugin of helm decrypts: {who}")


@dataclass(slots=True)
class HelmfileRenderer:
    """Renders helmfiles in a copy of their checkout, which is removed when it is closed."""

    notes: Notes
    fetcher: Fetcher | None
    environment: str
    by_fetching: str
    named: Sequence[str] = ()
    """The files and folders of the call."""
    read: set[str] = field(default_factory=set)
    """The real paths of the charts that were rendered."""

    def documents(self, helmfile: Helmfile, problems: Problems) -> list[Document]:
        """Return the objects of a helmfile; releases that cannot be rendered are open."""
        with tempfile.TemporaryDirectory(prefix="cutlist-helmfile-") as home:
            program = Program.installed(home, problems)
            if program is None:
                return []
            copy = WorkCopy.of(_checkout(helmfile.path, self.named), home, lambda _path, _is_folder: False, keeps_links=True)
            file = os.path.join(copy.root, os.path.relpath(os.path.realpath(helmfile.path), copy.checkout.root))
            self._leave_out_hooks(helmfile, copy)
            run = _Run(self, helmfile, program, copy, home)
            states = run.states(file)
            mark = self.notes.ledger.is_read if states else partial(self.notes.ledger.is_open, form=FORM)
            mark(os.path.realpath(helmfile.path))
            return [document for state in states for document in run.objects(state)]

    def _leave_out_hooks(self, helmfile: Helmfile, copy: WorkCopy) -> None:
        """Leave the hooks out of a copy, and note the files that had some."""
        named = (os.path.join(copy.root, os.path.relpath(file, copy.checkout.root)) for file in helmfile.files)
        for path in leave_out_hooks(copy.root, named):
            self.notes.add(*_HOOKS, copy.in_checkout(path))

    def leave_open(self, helmfile: Helmfile, why: str, release: str = "") -> None:
        """Add a helmfile, or a release of it, to what is open."""
        what = f"release {release} ({helmfile.path})" if release else helmfile.path
        words = "a release that is not rendered, because" if release else "a helmfile that is not rendered, because"
        command = self.by_fetching if why.endswith(_ELSEWHERE) else helmfile.command(self.environment)
        self.notes.ledger.leave_open(OpenInput(what, FORM, f"{words} {why}", command))


_ELSEWHERE: Final = "is elsewhere"


@dataclass(slots=True)
class _Run:
    """Renders the states of one helmfile."""

    renderer: HelmfileRenderer
    helmfile: Helmfile
    program: Program
    copy: WorkCopy
    home: str
    _number: int = 0
    _output: str = ""

    def states(self, file: str) -> list[State]:
        """Return the states of the environment; what helmfile refuses to build is open: single releases where that is known."""
        built = self._asked(file, "build")
        if not built.failure:
            return list(states_in(built.text))
        states: list[State] = []
        refused: dict[str, str] = {}
        for name, namespace in self._listed(file):
            selector = f"name={name},namespace={namespace}" if namespace else f"name={name}"
            alone = self._asked(file, "--selector", selector, "build")
            states += states_in(alone.text)
            refused |= {f"{namespace}/{name}" if namespace else name: alone.failure} if alone.failure else {}
        for release, why in refused.items() if states else [("", built.failure)]:
            self.renderer.leave_open(self.helmfile, why, release)
        return states

    def _listed(self, file: str) -> list[tuple[str, str]]:
        """Return the names and namespaces of the releases that the environment installs."""
        listed = self._asked(file, "list", "--skip-charts", "--output", "json")
        try:
            releases = entries(json.loads(listed.text or "[]"))
        except ValueError:
            return []
        installed = [of for of in map(mapping, releases) if of.get("enabled") and of.get("installed")]
        return [(text(of.get("name")), text(of.get("namespace"))) for of in installed]

    def _asked(self, file: str, *words: str) -> Ended:
        """Return what helmfile answers; its refusal is a failure."""
        ended = self.program.run(file, self.renderer.environment, words, self.home)
        if ended.failure or not ended.code:
            return replace(ended, failure=ended.failure and f"{PROGRAM} {ended.failure}")
        return Ended(failure=f"{PROGRAM} refuses: {_said(ended.said, self.copy)}")

    def objects(self, state: State) -> Iterator[Document]:
        """Yield the objects of the releases of a state."""
        self._output = tempfile.mkdtemp(dir=self.home)
        charts = {index: chart for index, of in enumerate(state.releases) if (chart := self._chart(state, of))}
        failed = self._render(state, charts)
        if failed:  # helmfile ends with the first release that fails
            self._output = tempfile.mkdtemp(dir=self.home)
            charts = {index: chart for index, chart in charts.items() if self._is_alone(state, index, chart)}
        for index in charts:
            yield from self._read(state, index, charts[index])

    def _chart(self, state: State, release: Mapping[str, Any]) -> str:
        """Return the folder of a release's chart; empty, with the release left open, if it cannot be rendered."""
        if release.get("installed") is False:
            return ""
        folder, source = state.folder_of(str(release.get("chart"))), state.source_of(release)
        try:
            if not folder and source is not None:
                folder = chart_from(source, self.renderer.fetcher).root
            why = not_rendered(release, folder) if folder else "its chart is from a source that Cutlist cannot fetch"
        except NotFetched as error:
            why = f"{error.args[0].partition(',')[0]} {_ELSEWHERE}" if error.is_elsewhere else str(error)
        if why:
            self.renderer.leave_open(self.helmfile, why, title_of(release))
            return ""
        if release.get("secrets"):
            self.renderer.notes.add(*_SECRETS, f"release {title_of(release)}")
        return self._completed(folder)

    def _completed(self, folder: str) -> str:
        """Return a chart with its dependencies, where they can be fetched; else the chart as it is, which helm refuses."""
        fetcher = self.renderer.fetcher
        if fetcher is None or not _lacks_charts(folder):
            return folder
        target = os.path.join(tempfile.mkdtemp(dir=self.home), os.path.basename(os.path.realpath(folder)))
        try:
            fetcher.complete(folder, self.copy.root if folder.startswith(self.copy.root) else folder, target)
        except FetchError:
            return folder
        return target

    def _render(self, state: State, charts: Mapping[int, str]) -> str:
        """Render releases of a state, by their numbers, with their charts. Return why helmfile refuses, if it does."""
        if not charts:
            return ""
        path = self._new_file(state)
        environments = {"environments": {self.renderer.environment or "default": {"values": [dict(state.values)]}}}
        releases = {**state.defaults, "releases": [self._written(state, index, chart) for index, chart in charts.items()]}
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"{_state(environments)}---\n{_state(releases)}")  # helmfile wants environments in a part of their own
        words = ("template", "--skip-deps", "--include-crds", "--output-dir", self._output, "--output-dir-template", _TARGET)
        return self._asked(path, *words).failure

    def _written(self, state: State, index: int, chart: str) -> dict[str, Any]:
        """Return a release under a name of its own, by which its output is found; its values are in files, so that nothing in
        them is rendered a second time."""
        release, files = state.releases[index], []
        for value in release.get("values") or ():
            if isinstance(value, str):
                files.append(value)
                continue
            path = self._new_file(state)
            files.append(os.path.basename(path))
            with open(path, "w", encoding="utf-8") as file:
                json.dump(value, file, default=str)
        return state.written(release, chart, files)

    def _new_file(self, state: State) -> str:
        """Return a path that no file has, beside a state."""
        self._number += 1
        return os.path.join(os.path.dirname(state.file), _OWN.format(self._number))

    def _is_alone(self, state: State, index: int, chart: str) -> bool:
        """Tell whether a release is rendered by itself; one that is not is open."""
        why = self._render(state, {index: chart})
        if why:
            self.renderer.leave_open(self.helmfile, why, title_of(state.releases[index]))
        return not why

    def _read(self, state: State, index: int, chart: str) -> Iterator[Document]:
        """Yield the objects that helm wrote for a release, each with the template that it is from."""
        name, namespace = str(state.releases[index]["name"]), state.releases[index].get("namespace")
        top = os.path.join(self._output, f"{namespace or ''}--{name}")
        is_here = chart.startswith(self.copy.root + os.sep)
        shown = self.copy.in_checkout(chart) if is_here else self.helmfile.path
        self.renderer.read.add(os.path.realpath(shown))
        for folder, _, files in sorted(os.walk(top)):
            for file in sorted(files):
                path = os.path.join(folder, file)
                template = os.path.join(shown, *os.path.relpath(path, top).split(os.sep)[1:]) if is_here else shown
                yield from _objects(path, rendered_source(template, name), self.renderer.notes)


def _state(members: Mapping[str, Any]) -> str:
    """Return a part of a state in YAML: helmfile looks for its members at the beginnings of lines, and JSON is YAML too."""
    return "".join(f"{name}: {json.dumps(value, default=str)}\n" for name, value in members.items())


def _objects(path: str, source: str, notes: Notes) -> Iterator[Document]:
    with open(path, encoding="utf-8", errors="replace") as file:
        own = Problems(allow_empty=True)
        for document in parse_documents(file.read(), source, own):
            yield replace(document, place=replace(document.place, line=0), lines={})
    for problem in own.found:
        notes.ledger.leave_open(OpenInput(source, FORM, f"not readable: {problem.message}"))


def _checkout(path: str, named: Iterable[str]) -> Checkout:
    """Return the checkout that a helmfile is in; without one, a folder of the call, the working directory or its own folder."""
    found = Checkout.around(path)
    if found is not None:
        return found
    real = os.path.realpath(path)
    around = [os.path.realpath(folder) for folder in (*named, os.curdir) if os.path.isdir(folder)]
    return Checkout(next((folder for folder in around if is_below(os.path.dirname(real), folder)), os.path.dirname(real)))


def _lacks_charts(folder: str) -> bool:
    """Tell whether a chart may lack charts that it depends on."""
    with open(os.path.join(folder, "Chart.yaml"), encoding="utf-8", errors="replace") as file:
        return "dependencies" in file.read()


def _said(said: str, copy: WorkCopy) -> str:
    """Return the beginning of what helmfile says, with the names of the checkout's files."""
    lines = [line.strip() for line in _DETAILS.split(said)[0].splitlines() if line.strip()]
    whole = copy.in_checkout(" ".join(lines[:_FIRST_LINES])).rstrip("[ ")
    return whole if len(whole) <= 2 * _LONGEST else f"{whole[:_LONGEST]} ... {whole[-_LONGEST:]}"
