"""Helmfiles: their environments, the charts that they install, and the command that renders each environment."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from glob import glob
from typing import Final

from cutlist.core.errors import Problems
from cutlist.documents.beginnings import beginning_of
from cutlist.documents.text.yaml import parse

FORM: Final = "helmfile"
_NAME: Final = re.compile(r"helmfile([.-][\w.-]+)?\.ya?ml(\.gotmpl)?$")
_FOLDER: Final = "helmfile.d"
_SUFFIXES: Final = (".yaml", ".yml", ".yaml.gotmpl", ".yml.gotmpl")
_SEPARATOR: Final = re.compile(r"^---.*$", re.MULTILINE)
_ACTION: Final = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_ENVIRONMENTS: Final = re.compile(r"^environments:\s*\n((?:[ \t]+.*\n?|\s*\n|#.*\n)*)", re.MULTILINE)
_NAMED: Final = re.compile(r"^(\s+)[\"']?([\w.\0-]+)[\"']?\s*:", re.MULTILINE)
_MADE: Final = "\0"
"""What replaces an action of a template, such as one that is the name of an environment."""
_LOCAL: Final = re.compile(r"\bchart:\s*[\"']?([^\s\"'#{},]+)")
_LISTED: Final = re.compile(r"^\s*-\s+[\"']?([^\s\"'#:{]+\.ya?ml(?:\.gotmpl)?)", re.MULTILINE)
_BELOW: Final = re.compile(r"^\s*-\s+path:\s*[\"']?([^\s\"'#{]+)", re.MULTILINE)
"""The helmfiles that one names: files, folders and patterns."""
_DEFAULT: Final = "default"


@dataclass(frozen=True, slots=True)
class Helmfile:
    """A helmfile, or a folder of them: its environments, and the real paths of its charts and of the files that it names."""

    path: str
    environments: tuple[str, ...]
    charts: frozenset[str]
    files: frozenset[str]

    def command(self, environment: str = "") -> str:
        """Return the command that renders it for an environment, and plans that."""
        return piped([self.rendering(environment)])

    def rendering(self, environment: str = "") -> str:
        """Return the command that renders it for an environment."""
        file = "" if re.fullmatch(r"helmfile\.ya?ml(\.gotmpl)?", self.path) else f" -f {self.path}"
        chosen = f" -e {environment}" if environment else ""
        return f"helmfile{file}{chosen} template"


def piped(renderings: Sequence[str]) -> str:
    """Return the command that plans what commands render together."""
    together = renderings[0] if len(renderings) == 1 else f"({'; '.join(renderings)})"
    return f"{together} | cutlist plan -f -"


def is_helmfile(path: str) -> bool:
    """Tell whether a file is a helmfile by its name, or by that of its folder."""
    folder, name = os.path.split(path)
    in_folder = os.path.basename(folder) == _FOLDER and name.endswith(_SUFFIXES)
    return in_folder or (_NAME.fullmatch(name) is not None and not name.endswith(".lock"))


def helmfiles(files: Iterable[str]) -> tuple[Helmfile, ...]:
    """Return the helmfiles among files that no other one names; those of a folder `helmfile.d` count as one."""
    by_path: dict[str, list[str]] = {}
    for path in filter(is_helmfile, files):
        folder = os.path.dirname(path)
        by_path.setdefault(folder if os.path.basename(folder) == _FOLDER else path, []).append(path)
    found = [_read(path, parts) for path, parts in by_path.items()]
    named = {real for helmfile in found for real in helmfile.files}
    return tuple(h for h in found if os.path.realpath(h.path) not in named)


def _read(path: str, parts: Sequence[str]) -> Helmfile:
    names: dict[str, None] = {}
    charts: set[str] = set()
    listed: set[str] = set()
    for part in parts:
        folder, text = os.path.dirname(part), beginning_of(part)
        named = (os.path.join(folder, chart) for chart in _LOCAL.findall(text))
        charts |= {os.path.realpath(chart) for chart in named if os.path.isdir(chart)}
        own = {os.path.realpath(os.path.join(folder, name)) for name in _LISTED.findall(text)}
        below = (path for name in _BELOW.findall(text) for path in glob(os.path.join(folder, name)))
        listed |= {*own, *(os.path.realpath(each) for path in below for each in _files_at(path))} - {os.path.realpath(part)}
        for source in (text, *(beginning_of(name) for name in sorted(own) if os.path.isfile(name))):
            names |= dict.fromkeys(_environments(source))
    return Helmfile(
        path, tuple(name for name in names if name != _DEFAULT or len(names) == 1), frozenset(charts), frozenset(listed)
    )


def _files_at(path: str) -> Iterable[str]:
    """Return a helmfile, or those of a folder."""
    return [os.path.join(path, name) for name in sorted(os.listdir(path))] if os.path.isdir(path) else [path]


def _environments(text: str) -> Iterator[str]:
    """Yield the names of the environments that a helmfile declares, as far as its template shows them."""
    for document in _SEPARATOR.split(text):
        if not re.search(r"^environments:", document, re.MULTILINE):
            continue
        problems = Problems()
        values = [parsed.value for parsed in parse(document, "", problems)]
        declared = values[0].get("environments") if len(values) == 1 and isinstance(values[0], dict) else None
        if not problems and isinstance(declared, dict):
            yield from (str(name) for name in declared)
        else:
            yield from _written_environments(_ACTION.sub(_MADE, document))


def _written_environments(text: str) -> Iterator[str]:
    """Yield the keys that are directly below `environments` in a text that is not YAML."""
    block = _ENVIRONMENTS.search(text)
    keys = _NAMED.findall(block[1]) if block else []
    least = min((len(indent.replace("\n", "")) for indent, _ in keys), default=0)
    yield from (name for indent, name in keys if len(indent.replace("\n", "")) == least and _MADE not in name)


def is_part(path: str, found: Iterable[Helmfile]) -> bool:
    """Tell whether a file is in a chart of a helmfile, or one that a helmfile names, such as one of values."""
    real = os.path.realpath(path)
    return any(real in h.files or any(real.startswith(chart + os.sep) for chart in h.charts) for h in found)
