"""Charts rendered by the installed `helm`, offline: what a release is, the command that renders it, and what it makes."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from cutlist.core.errors import Place, Problems
from cutlist.documents.delivery.processes import empty_home, run
from cutlist.documents.document import Document
from cutlist.documents.parsing import parse_documents
from cutlist.documents.rendered_sources import rendered_source
from cutlist.settings.planning import FETCH, HELM

PROGRAM: Final = "helm"
_LAST_LINES: Final = 3
_SOURCE: Final = re.compile(r"^---[ \t]*\n# Source: ([^\n]+)\n", re.MULTILINE)
_NO_DEPENDENCY: Final = re.compile(r"missing in charts/ directory: (.+)")
_NO_ERROR: Final = "Use --debug flag"


@dataclass(frozen=True, slots=True)
class Release:
    """A chart that is installed under a name: its folder, and what `helm template` is given.

    `values` are files, and mappings that are written for it, the later over the earlier. `sets` are options with their texts,
    such as `("--set", "replicas=3")`. `own_values` replace those that the chart has itself. `programs` are the names that a
    helm of the wanted version may have, the best first. `root` is the folder that dependencies with a path may lie in; if it is
    empty, that is the chart.
    """

    chart: str
    name: str
    namespace: str = ""
    values: tuple[str | Mapping[str, Any], ...] = ()
    sets: tuple[tuple[str, str], ...] = ()
    definitions: bool = True
    kube_version: str = ""
    api_versions: tuple[str, ...] = ()
    own_values: Mapping[str, Any] | None = None
    hooks: bool = True
    checks_values: bool = True
    programs: tuple[str, ...] = (PROGRAM,)
    root: str = ""

    def command(self, written: Iterator[str] | None = None) -> list[str]:
        """Return the words of the command; `written` are the files with the mappings, in their order."""
        files = [value if isinstance(value, str) else next(written or iter(()), _VALUES) for value in self.values]
        words = [PROGRAM, "template", self.name, _path(self.chart)]
        words += ["--namespace", self.namespace] if self.namespace else []
        words += [word for file in files for word in ("--values", file)]
        words += [word for option, text in self.sets for word in (option, text)]
        words += ["--include-crds"] if self.definitions else []
        words += [] if self.hooks else ["--no-hooks"]
        words += [] if self.checks_values else ["--skip-schema-validation"]
        words += ["--kube-version", self.kube_version] if self.kube_version else []
        return words + [word for version in self.api_versions for word in ("--api-versions", version)]

    @property
    def shown(self) -> str:
        """Return the command as a person would type it."""
        return " ".join(word if word == _VALUES else shlex.quote(word) for word in self.command())


_VALUES: Final = "<its values>"
_OWN_VALUES: Final = "values.yaml"


class MissingDependencies(Exception):
    """A chart depends on charts that are not in its folder; `names` are theirs, and `why` is the reason why they are not
    fetched."""

    def __init__(self, chart: str, names: str, why: str = "") -> None:
        text = f"its chart depends on {names}, which its charts folder does not hold"
        super().__init__(f"{text}: {why}" if why else text)
        self.chart, self.names, self.why = chart, names, why


def by_command(release: Release) -> str:
    """Return the command that renders a release outside of Cutlist, and plans it."""
    return f"{release.shown} | cutlist plan -f -"


def render_release(release: Release, place: Place, problems: Problems) -> tuple[Document, ...]:
    """Return the objects of a release, each with the template that it is from; failures are added to `problems` at `place`.

    Helm gets an empty home, so that it has no plugins, repositories and registries, and no cluster; nothing is fetched. Raises
    MissingDependencies.
    """
    program = next(filter(None, map(shutil.which, release.programs)), None)
    if program is None:
        allowed = f"helm on the PATH, or {by_command(release)}"
        problems.add(place, f"{PROGRAM}, which {HELM.flag} runs, is not installed", allowed)
        return ()
    with tempfile.TemporaryDirectory(prefix="cutlist-helm-") as home:
        chart = replace(release, chart=_with_own_values(release, home))
        command = chart.command(_written(release, home))
        text = _output([program, *command[1:]], home, release, place, problems)
    return tuple(_documents(text, release, problems))


def note_missing(missing: MissingDependencies, place: Place, problems: Problems) -> None:
    """Add that a chart lacks dependencies, with the command that fetches them."""
    allowed = f"{FETCH.flag}, or helm dependency build {shlex.quote(missing.chart)}, which fetches them"
    why = f"; {missing.why}" if missing.why else ""
    problems.add(place, f"the chart has dependencies that are not in its charts folder: {missing.names}{why}", allowed)


def _written(release: Release, home: str) -> Iterator[str]:
    """Yield files with the mappings among the values; JSON, which is YAML as well."""
    for number, value in enumerate(release.values):
        if not isinstance(value, str):
            path = os.path.join(home, f"values-{number}.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(value, file, default=str)
            yield path


def _with_own_values(release: Release, home: str) -> str:
    """Return the chart's folder; where other values replace its own, that of a copy with these."""
    if release.own_values is None:
        return release.chart
    folder = os.path.join(home, os.path.basename(os.path.realpath(release.chart)))
    shutil.copytree(release.chart, folder)
    with open(os.path.join(folder, _OWN_VALUES), "w", encoding="utf-8") as file:
        json.dump(release.own_values, file, default=str)
    return folder


def _path(folder: str) -> str:
    """Return a folder as no name of a chart in a repository could be written."""
    return folder if os.path.isabs(folder) or folder.startswith(".") else os.path.join(".", folder)


def _output(command: list[str], home: str, release: Release, place: Place, problems: Problems) -> str:
    """Return what helm prints; empty, with a problem added, where it fails, takes too long or prints too much."""
    ended = run(command, empty_home(home), home)
    if ended.failure:
        problems.add(place, f"{PROGRAM} {ended.failure}")
    elif ended.code:
        _refused(ended.said, release, place, problems)
    else:
        return ended.text
    return ""


def _refused(said: str, release: Release, place: Place, problems: Problems) -> None:
    """Add the problem that helm names. Raises MissingDependencies."""
    missing = _NO_DEPENDENCY.search(said)
    if missing is not None:
        raise MissingDependencies(release.chart, missing[1].strip())
    lines = [line.strip() for line in said.splitlines() if line.strip() and not line.startswith((_NO_ERROR, "level="))]
    text = " ".join(lines[-_LAST_LINES:]).removeprefix("Error: ")
    problems.add(place, f"{PROGRAM} refuses the chart {release.chart}: {text}")


def _documents(text: str, release: Release, problems: Problems) -> Iterator[Document]:
    """Yield the objects of what helm printed. Lines are left out: they would be those of the rendered text."""
    _, *parts = _SOURCE.split(text)
    counts: Counter[str] = Counter()
    for source, body in zip(parts[::2], parts[1::2], strict=True):
        template = os.path.join(release.chart, *source.split("/")[1:])
        name = rendered_source(template, release.name)
        own = Problems(allow_empty=True)
        for document in parse_documents(body, name, own):
            counts[source] += 1
            yield replace(document, place=replace(document.place, document=counts[source], line=0), lines={})
        problems.extend(replace(problem, place=replace(problem.place, line=0)) for problem in own.found)
        problems.inputs += own.inputs  # whose secrets no message shows
