"""Kustomizations whose remote parts are fetched: built from a copy in which each remote name is one of a local folder or file.

kustomize then has nothing to fetch itself, so that what it builds from is in the cache and the lock.
"""  # FE-15

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from tempfile import TemporaryDirectory
from typing import Any, Final

from cutlist.core.errors import Place, Problems
from cutlist.documents.delivery.checkout import Checkout
from cutlist.documents.delivery.fetched import NotFetched, folder_of
from cutlist.documents.delivery.fetching import ChartSource, Fetcher, FetchError, FileSource, GitSource
from cutlist.documents.delivery.work_copy import WorkCopy
from cutlist.documents.document import Document
from cutlist.documents.folders import CHART_NAME
from cutlist.documents.kustomize.kustomization import Kustomization, is_partly_elsewhere
from cutlist.documents.kustomize.remote_names import source_named

_CHARTS: Final = "helmCharts"
_CHART_HOME: Final = "charts"
_FETCHED: Final = "fetched"


@dataclass(frozen=True, slots=True)
class Localized:
    """A kustomization in a copy, and the names of the copy's folders as the kustomization has them."""

    kustomization: Kustomization
    names: tuple[tuple[str, str], ...]

    def named(self, text: str) -> str:
        """Return a text about the copy as one about what was copied."""
        for copy, name in self.names:
            text = text.replace(copy, name)
        return text

    def documents(self, documents: Iterable[Document]) -> list[Document]:
        """Return objects that are made from the copy as those of what was copied."""
        return [replace(d, place=replace(d.place, source=self.named(d.place.source))) for d in documents]

    def report(self, own: Problems, problems: Problems) -> None:
        """Add the problems of the copy as those of what was copied."""
        for problem in own.found:
            place = replace(problem.place, source=self.named(problem.place.source))
            allowed = self.named(problem.allowed) if isinstance(problem.allowed, str) else problem.allowed
            problems.extend([replace(problem, place=place, message=self.named(problem.message), allowed=allowed)])
        problems.inputs += own.inputs


@contextmanager
def localized(kustomization: Kustomization, fetcher: Fetcher | None) -> Iterator[Localized]:
    """Yield a copy of a kustomization, and of all that it builds on, in which nothing is remote; the kustomization itself where
    nothing is, or nobody fetches. Raises NotFetched."""
    if fetcher is None or not is_partly_elsewhere(kustomization):
        yield Localized(kustomization, ())
        return
    with TemporaryDirectory(prefix="cutlist-kustomize-") as folder:
        copies = _Copies(os.path.realpath(folder), fetcher)
        here = _Tree(os.sep, os.path.join(copies.folder, "here"))
        copies.lay(kustomization, here)
        copy = Kustomization.of_file(here.target(kustomization.file) or "", Problems())
        if copy is None:
            raise NotFetched(f"{kustomization.shown} cannot be copied")
        yield Localized(copy, (*copies.names, (copy.folder, kustomization.shown), (here.copy, "")))


@dataclass(frozen=True, slots=True)
class _Tree:
    """A folder and its copy; `name` is how a kustomization names it, empty for the folders of this machine."""

    root: str
    copy: str
    name: str = ""

    def target(self, path: str) -> str | None:
        """Return where a path is in the copy; None for one outside of the folder."""
        inner = os.path.relpath(os.path.abspath(path), self.root)
        is_outside = inner == os.pardir or inner.startswith(os.pardir + os.sep)
        return None if is_outside else os.path.normpath(os.path.join(self.copy, inner))


@dataclass(slots=True)
class _Copies:
    """Copies of kustomizations below a temporary folder."""

    folder: str
    fetcher: Fetcher
    names: list[tuple[str, str]] = field(default_factory=list)
    _laid: set[str] = field(default_factory=set)
    _trees: dict[GitSource, _Tree] = field(default_factory=dict)
    _numbers: Iterator[int] = field(default_factory=count)

    def lay(self, kustomization: Kustomization, tree: _Tree) -> None:
        """Write a kustomization of a tree into its copy, with all that it names. Raises NotFetched."""
        target = self._inside(kustomization.file, kustomization.shown, tree)
        if target in self._laid:
            return
        self._laid.add(target)
        folder, local = os.path.dirname(target), dict[str, str]()
        os.makedirs(folder, exist_ok=True)
        for at, name in kustomization.names():
            if at.startswith(_CHARTS) and at.endswith(".repo"):
                continue
            if kustomization.is_remote(name):
                local[name] = os.path.relpath(self._remote(name, folder), folder)
            else:
                self._local(name, kustomization, tree)
        data = _renamed(dict(kustomization.document.data), local)
        if isinstance(data.get(_CHARTS), list):
            data[_CHARTS] = [self._chart(entry, kustomization, tree) for entry in data[_CHARTS]]
        if os.path.lexists(target):
            os.unlink(target)  # it may be a link to a file of the cache
        with open(target, "x", encoding="utf-8") as file:
            json.dump(data, file, default=str)

    def _inside(self, path: str, name: str, tree: _Tree) -> str:
        target = tree.target(path)
        if target is None:
            raise NotFetched(f"{name} leads out of {tree.name}, and a repository that is fetched may only name what is in it")
        return target

    def _local(self, name: str, kustomization: Kustomization, tree: _Tree) -> None:
        path = kustomization.path_of(name)
        target = self._inside(path, name, tree)
        if os.path.isdir(path):
            inner = Kustomization.of_folder(path, kustomization.document.place, Problems())
            if inner is not None:
                self.lay(inner, tree)
        elif os.path.isfile(path) and not os.path.lexists(target):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copyfile(path, target)

    def _remote(self, name: str, folder: str) -> str:
        """Return the folder or the file in the copy that a remote name means."""
        try:
            source = source_named(name)
        except ValueError as error:
            raise NotFetched(f"{error}, so it cannot be fetched") from None
        if isinstance(source, FileSource):
            held = folder_of(source, self.fetcher)
            (file,) = os.listdir(held)
            own = os.path.join(folder, f".{_FETCHED}-{next(self._numbers)}")
            os.mkdir(own)
            self.names.append((os.path.join(own, file), name))
            return shutil.copyfile(os.path.join(held, file), os.path.join(own, file))
        repository, path = source
        tree = self._tree(repository, name)
        inner = Kustomization.of_folder(os.path.join(tree.root, path), Place(name), problems := Problems())
        if inner is None:
            why = problems.found[0].message if problems.found else f"{path or 'its root'} has no kustomization"
            raise NotFetched(f"{name} cannot be built: {why}")
        self.lay(inner, tree)
        return self._inside(inner.folder, name, tree)

    def _tree(self, source: GitSource, name: str) -> _Tree:
        """Return a repository with its copy, each once."""
        if source not in self._trees:
            root = os.path.realpath(folder_of(source, self.fetcher))
            copy = WorkCopy.of(Checkout(root), self.folder, lambda _path, _is_folder: False, keeps_links=True).root
            self._trees[source] = _Tree(root, copy, name.partition("?")[0])
            self.names.append((copy, source.url))
        return self._trees[source]

    def _chart(self, entry: Any, kustomization: Kustomization, tree: _Tree) -> Any:
        """Return an entry of helmCharts whose chart is in the copy, with its dependencies."""
        if not isinstance(entry, Mapping) or not isinstance(entry.get("name"), str):
            return entry
        globals_of_helm = kustomization.document.data.get("helmGlobals")
        home = globals_of_helm.get("chartHome") if isinstance(globals_of_helm, Mapping) else None
        home = kustomization.path_of(home if isinstance(home, str) and home else _CHART_HOME)
        name, version, repository = entry["name"], str(entry.get("version") or ""), entry.get("repo")
        own = os.path.join(home, f"{name}-{version}" if version and repository else "", name)
        target = self._inside(own, name, tree)
        if os.path.isfile(os.path.join(own, CHART_NAME)) or not isinstance(repository, str) or not repository:
            self._complete(own, own if tree.name else os.path.dirname(own), target)
            return entry
        source = ChartSource(repository.rstrip("/"), name, version)
        held = folder_of(source, self.fetcher)
        found = f"{version}-{next(self._numbers)}"  # where kustomize looks before it pulls a chart
        target = os.path.join(self._inside(home, name, tree), f"{name}-{found}", name)
        self._complete(held, held, target)
        self.names.append((target, source.shown))
        return {**entry, "version": found, "repo": _FETCHED}

    def _complete(self, chart: str, root: str, target: str) -> None:
        if not os.path.isfile(os.path.join(chart, CHART_NAME)) or target in self._laid:
            return  # which kustomize says itself
        self._laid.add(target)
        if os.path.lexists(target):
            shutil.rmtree(target)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        try:
            self.fetcher.complete(chart, root, target)
        except FetchError as error:
            raise NotFetched(str(error)) from None


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return a value in which names are others, also behind the key of a file (`key=name`)."""
    if isinstance(value, Mapping):
        return {key: _renamed(inner, names) for key, inner in value.items()}
    if isinstance(value, list):
        return [_renamed(inner, names) for inner in value]
    if not isinstance(value, str):
        return value
    key, mark, name = value.partition("=")
    return names.get(value) or (f"{key}={names[name]}" if mark and name in names else value)
