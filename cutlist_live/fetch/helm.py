"""Charts of repositories and registries, pulled by the installed helm with the logins of its user and without plugins."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.documents.delivery.fetching import OCI, ChartSource, Fetched, FetchError
from cutlist.documents.parsing import parse_values
from cutlist_live.fetch.archive import unpack
from cutlist_live.fetch.cache import Cache
from cutlist_live.fetch.limits import Limits
from cutlist_live.fetch.programs import Program, empty_folder
from cutlist_live.fetch.reference import without_credentials

PROGRAM: Final = "helm"
CHART_FILE: Final = "Chart.yaml"
_NAME: Final = "source"
_NO_INDEX: Final = re.compile(r"Unable to get an update from .*\n(.*)")
_MOST: Final = 2**20
_DROPPED: Final = (
    "HELM_DEBUG",
    "HELM_REPOSITORY_CACHE",
    "HELM_CACHE_HOME",
    "HELM_PLUGINS",
    "HELM_REPOSITORY_CONFIG",
    "KUBECONFIG",
)
_CREDENTIALS: Final = (
    *("username", "password", "certFile", "keyFile", "caFile", "insecure_skip_tls_verify", "pass_credentials_all"),
)


@dataclass(frozen=True, slots=True)
class Helm:
    """The installed helm, for the user whose environment it gets."""

    environment: Mapping[str, str]
    limits: Limits

    def pull(self, source: ChartSource, version: str, cache: Cache) -> Fetched:
        """Return a chart in the cache, by the digest of its archive. Raises FetchError."""  # FE-1, FE-2
        with cache.work() as work:
            archive = self._archive(source, version, work)
            digest = f"sha256:{_sha256(archive)}"
            known = cache.content(digest)
            if known is None:
                unpacked = empty_folder(work, "unpacked")
                unpack(archive, unpacked, f"the archive of {source.name}", self.limits)
                chart_in(unpacked)
                known = cache.keep(digest, unpacked)
        chart = chart_in(known)
        return Fetched(chart, str(metadata_of(chart).get("version") or ""), digest)

    def repository(self, alias: str, cache: Cache) -> str:
        """Return the address of a repository that the user has added under a name; empty if there is none."""
        with cache.work() as work:
            entries = self._own_repositories(self._program(work))
        return next((str(entry.get("url")) for entry in entries if entry.get("name") == alias), "")

    def _archive(self, source: ChartSource, version: str, work: str) -> str:
        """Have helm write the archive of a chart into a folder, and return its path."""
        own = self._program(work)
        if source.repository.startswith(OCI):
            words = [f"{source.repository.rstrip('/')}/{source.name}", *(["--plain-http"] if source.plain_http else [])]
        else:
            self._add(source.repository, own, work, source)
            words = [f"{_NAME}/{source.name}"]
        words += ["--version", version] if version else []
        into = empty_folder(work, "pulled")
        own.run(["pull", *words, "--destination", into], shown=by_hand(source))
        archives = [os.path.join(into, name) for name in os.listdir(into) if name.endswith(".tgz")]
        if len(archives) != 1:
            raise FetchError(f"{PROGRAM} pull wrote {len(archives)} archives", by_hand(source))
        return archives[0]

    def _add(self, repository: str, own: Program, work: str, source: ChartSource) -> None:
        """Write the repository, with the user's login for it, as the only one that helm knows, and read its index."""
        entries = self._own_repositories(own)
        wanted = without_credentials(repository)
        login = next((entry for entry in entries if without_credentials(str(entry.get("url"))) == wanted), {})
        kept = {name: login[name] for name in _CREDENTIALS if login.get(name)}
        entry = {"name": _NAME, "url": repository, **kept}
        path = Path(work, "repositories.yaml")
        path.touch(mode=0o600)
        path.write_text(json.dumps({"apiVersion": "v1", "repositories": [entry]}), "utf-8")
        said = own.run(["repo", "update", _NAME], shown=by_hand(source)).decode(errors="replace")
        reason = _NO_INDEX.search(said)
        if reason is not None:  # which helm 3 only prints
            raise FetchError(f"{PROGRAM} cannot read the repository: {' '.join(reason[1].split())}", by_hand(source))

    def _own_repositories(self, own: Program) -> list[Mapping[str, Any]]:
        """Return the repositories that the user has added."""
        asked = Program(PROGRAM, own.folder, self.environment, self.limits)
        path = asked.run(["env", "HELM_REPOSITORY_CONFIG"], shown=f"{PROGRAM} env").decode(errors="replace").strip()
        data = _mapping_in(path, "the repositories of helm") if os.path.isfile(path) else {}
        listed = data.get("repositories")
        return [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []

    def _program(self, work: str) -> Program:
        """Return helm with its user's logins of registries, and no plugins, repositories and cluster."""
        kept = {name: value for name, value in self.environment.items() if name not in _DROPPED}
        own = {
            "HELM_PLUGINS": os.path.join(work, "no-plugins"),
            "HELM_CACHE_HOME": os.path.join(work, "helm"),
            "HELM_REPOSITORY_CACHE": os.path.join(work, "helm"),
            "HELM_REPOSITORY_CONFIG": os.path.join(work, "repositories.yaml"),
            "KUBECONFIG": os.path.join(work, "no-cluster"),
        }
        return Program(PROGRAM, work, {**kept, **own}, self.limits)


def by_hand(source: ChartSource) -> str:
    """Return the command that pulls a chart, as a person would type it, without credentials."""
    where = without_credentials(source.repository)
    if source.repository.startswith(OCI):
        words = [f"{where}/{source.name}", *(["--plain-http"] if source.plain_http else [])]
    else:
        words = [source.name, "--repo", where]
    words += ["--version", source.version] if source.version else []
    return shlex.join([PROGRAM, "pull", *words])


def chart_in(folder: str) -> str:
    """Return the only folder of an unpacked archive. Raises FetchError if it is not that of a chart."""
    names = os.listdir(folder)
    chart = os.path.join(folder, names[0]) if len(names) == 1 else folder
    if not os.path.isfile(os.path.join(chart, CHART_FILE)):
        raise FetchError(f"the archive holds no chart: it has no {CHART_FILE} in one folder")
    return chart


def metadata_of(chart: str, name: str = CHART_FILE) -> Mapping[str, Any]:
    """Return what a file of a chart says, such as Chart.yaml; empty if there is none. Raises FetchError."""
    path = os.path.join(chart, name)
    return _mapping_in(path, f"{name} of the chart {os.path.basename(chart)}") if os.path.isfile(path) else {}


def _mapping_in(path: str, what: str) -> Mapping[str, Any]:
    """Return the mapping in a YAML file. Raises FetchError."""
    if os.path.getsize(path) > _MOST:
        raise FetchError(f"{what} is larger than {_MOST // 2**20} MiB")
    problems = Problems()
    try:
        values = parse_values(Path(path).read_text("utf-8"), os.path.basename(path), problems)
    except (OSError, ValueError) as error:
        raise FetchError(f"{what} cannot be read: {error}") from None
    if problems.found:
        raise FetchError(f"{what} cannot be read: {problems.found[0].message}")
    return next((value for value in values if isinstance(value, dict)), {})


def _sha256(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
