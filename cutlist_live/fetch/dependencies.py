"""The dependencies of a chart, put into a copy of it as `helm dependency build` does: by Chart.lock, from their sources."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.documents.delivery.fetching import ChartSource, Fetched, FetchError
from cutlist.documents.input_files import is_below
from cutlist_live.fetch.archive import Room
from cutlist_live.fetch.helm import CHART_FILE, metadata_of
from cutlist_live.fetch.limits import Limits
from cutlist_live.fetch.reference import check
from cutlist_live.fetch.semver import Range, Version

_FILE: Final = "file://"
_DEEPEST: Final = 8
_HASHED: Final = ("name", "version", "repository", "condition", "tags", "enabled", "import-values", "alias")
"""The members of a dependency in the order in which helm hashes them."""


@dataclass(frozen=True, slots=True)
class Dependencies:
    """Completes charts. `fetch` fetches a chart, and `repository` returns the address behind a name that the user gave it."""

    fetch: Callable[[ChartSource], Fetched]
    repository: Callable[[str], str]
    limits: Limits

    def complete(self, chart: str, root: str, target: str, depth: int = 0) -> None:
        """Write a chart with its dependencies into a folder that does not exist yet. Raises FetchError.

        A dependency with a path is taken from below `root`.
        """  # FE-7
        if depth > _DEEPEST:
            raise FetchError(f"the chart {os.path.basename(chart)} depends on others through more than {_DEEPEST} charts")
        _copy(chart, root, target, self.limits)
        wanted = _wanted(chart)
        there = _present(os.path.join(target, "charts"))
        for dependency in wanted:
            name, version = str(dependency.get("name") or ""), str(dependency.get("version") or "")
            if name in there and len([other for other in wanted if other.get("name") == name]) == 1:
                continue
            own = os.path.join(target, "charts", f"{name}-{hashlib.sha256(version.encode()).hexdigest()[:8]}")
            if os.path.lexists(own):
                continue  # the same chart under two aliases
            self._put(dependency, chart, root, own, depth)

    def _put(self, dependency: Mapping[str, Any], chart: str, root: str, target: str, depth: int) -> None:
        name, version = str(dependency.get("name") or ""), str(dependency.get("version") or "")
        repository = str(dependency.get("repository") or "")
        who = f"{name}, a dependency of {os.path.basename(chart)},"
        if repository.startswith(_FILE):
            self.complete(self._local(repository, version, chart, root, who), root, target, depth + 1)
            return
        for mark in ("@", "alias:"):
            if repository.startswith(mark):
                alias = repository.removeprefix(mark)
                repository = self.repository(alias)
                if not repository:
                    raise FetchError(
                        f"{who} is in the repository {alias}, which helm does not know", f"helm repo add {alias} ..."
                    )
        if not repository:
            raise FetchError(f"{who} names no repository and is not in its charts folder", "a repository, or the chart itself")
        source = ChartSource(repository, name, version)
        check(source)
        fetched = self.fetch(source)
        self.complete(fetched.folder, fetched.folder, target, depth + 1)

    def _local(self, repository: str, version: str, chart: str, root: str, who: str) -> str:
        """Return the folder of a dependency with a path."""
        path = os.path.realpath(os.path.join(chart, repository.removeprefix(_FILE)))
        top = os.path.realpath(root)
        if not is_below(path, top):
            raise FetchError(f"{who} lies outside of the checkout: {repository}", "a folder of the checkout")
        if not os.path.isfile(os.path.join(path, CHART_FILE)):
            raise FetchError(f"{who} is not a chart: {repository}", f"a folder with a {CHART_FILE}")
        own = Version.of(str(metadata_of(path).get("version") or ""))
        try:
            fits = own is not None and Range.of(version).has(own)
        except ValueError as error:
            raise FetchError(f"{who} has a version that cannot be read: {error}") from None
        if not fits:
            raise FetchError(f"{who} has another version than {version}: {repository}", "the version of the chart there")
        return path


def _wanted(chart: str) -> list[Mapping[str, Any]]:
    """Return the dependencies of a chart, with the versions of its lock. Raises FetchError if the lock is of others."""  # FE-8
    is_first = str(metadata_of(chart).get("apiVersion") or "v1") == "v1"
    asked = _listed(chart, "requirements.yaml" if is_first else CHART_FILE)
    lock_name = "requirements.lock" if is_first else "Chart.lock"
    lock = metadata_of(chart, lock_name)
    if not lock:
        return asked
    locked = _listed(chart, lock_name)
    if lock.get("digest") not in (digest_of(asked, locked), *([_first_digest(locked)] if is_first else [])):
        by = f"helm dependency update {os.path.basename(chart)}"
        raise FetchError(f"{lock_name} of the chart {os.path.basename(chart)} does not match its dependencies", by)
    return locked


def _listed(chart: str, name: str) -> list[Mapping[str, Any]]:
    listed = metadata_of(chart, name).get("dependencies")
    return [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []


def digest_of(asked: list[Mapping[str, Any]], locked: list[Mapping[str, Any]]) -> str:
    """Return the digest of a lock, from what the chart asks for and what was found, as helm computes it."""
    return _sha256([[_hashed(entry) for entry in asked], [_hashed(entry) for entry in locked]])


def _first_digest(locked: list[Mapping[str, Any]]) -> str:
    """Return the digest that Helm 2 wrote."""
    return _sha256([_hashed(entry) for entry in locked])


def _hashed(entry: Mapping[str, Any]) -> dict[str, Any]:
    members = {member: entry[member] for member in _HASHED if entry.get(member)}
    return {"name": str(entry.get("name") or ""), **members, "repository": str(entry.get("repository") or "")}


def _sha256(data: Any) -> str:
    ordered = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        ordered = ordered.replace(character, f"\\u{ord(character):04x}")
    return f"sha256:{hashlib.sha256(ordered.encode()).hexdigest()}"


def _present(folder: str) -> set[str]:
    """Return the names of the charts in a charts folder."""
    names: set[str] = set()
    for name in os.listdir(folder) if os.path.isdir(folder) else ():
        path = os.path.join(folder, name)
        if os.path.isdir(path):
            names.add(str(metadata_of(path).get("name") or name))
        elif name.endswith(".tgz"):
            stem = name.removesuffix(".tgz")
            names |= {stem[:at] for at, character in enumerate(stem) if character == "-" and stem[at + 1 : at + 2].isdigit()}
    return names


def _copy(chart: str, root: str, target: str, limits: Limits) -> None:
    """Copy a chart within the limits, with what its links lead to, but without links that lead out of `root` or up."""
    top, room = os.path.realpath(root), Room(f"the chart {os.path.basename(chart)}", limits)

    def left_out(folder: str, names: list[str]) -> list[str]:
        here = os.path.realpath(folder)
        reals = {name: os.path.realpath(os.path.join(folder, name)) for name in names}
        return [name for name, real in reals.items() if name == ".git" or not is_below(real, top) or is_below(here, real)]

    def counted(source: str, copy: str) -> str:
        room.take(source, os.path.getsize(source))
        return shutil.copyfile(source, copy)

    try:
        shutil.copytree(chart, target, ignore=left_out, copy_function=counted)
    except OSError as error:  # shutil.Error is one
        raise FetchError(f"the chart {os.path.basename(chart)} cannot be copied: {error}") from None
