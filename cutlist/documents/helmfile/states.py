"""States as `helmfile build` prints them: the releases of an environment with their values, and the repositories of charts."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.documents.delivery.fetching import OCI, ChartSource
from cutlist.documents.folders import CHART_NAME
from cutlist.documents.members import entries, mapping, text
from cutlist.documents.text.yaml import parse

_SOURCE: Final = re.compile(r"^---\n# +Source: (.+)\n", re.MULTILINE)
_RENDERED: Final = ("name", "namespace", "installed", "missingFileHandler", "set", "setString", "valuesPathPrefix")
"""The members of a release that are rendered as they are."""
_WITH_HELM: Final = ("apiVersions", "kubeVersion", "disableValidation", "skipSchemaValidation")
"""Those that a state may have for all releases too."""
_IDLE: Final = frozenset(
    (
        *("hooks", "labels", "chartPath", "chart", "version", "devel", "values", "needs", "condition", "wait", "waitForJobs"),
        *("timeout", "atomic", "force", "recreatePods", "createNamespace", "cleanupOnFail", "historyMax", "verify", "keyring"),
        *("kubeContext", "disableOpenAPIValidation", "cascade", "deleteTimeout", "deleteWait", "reuseValues", "skipDeps"),
        *("insecureSkipTLSVerify", "plainHttp", "suppressDiff", "suppressOutputLineRegex", "syncReleaseLabels", "secrets"),
        *("waitRetries", "takeOwnership", "disableValidationOnInstall", "skipCRDs", "trackMode", "trackTimeout", "trackLogs"),
    )
)
"""Those that change nothing of what is rendered, or of which Cutlist gives the rest."""


@dataclass(frozen=True, slots=True)
class State:
    """One helmfile: its file, its releases, what all of these have, the values of the environment, and the repositories."""

    file: str
    releases: tuple[Mapping[str, Any], ...]
    defaults: Mapping[str, Any] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)
    repositories: Sequence[Any] = ()

    def written(self, release: Mapping[str, Any], chart: str, files: Sequence[str]) -> dict[str, Any]:
        """Return a release for a state of its own: with a chart and files of values, and without what runs programs."""
        kept = {name: release[name] for name in (*_RENDERED, *_WITH_HELM) if name in release}
        return {**kept, "chart": chart, "values": list(files)}

    def folder_of(self, chart: str) -> str:
        """Return the folder of a release's chart; empty if it is not one of this checkout."""
        path = os.path.join(os.path.dirname(self.file), chart)
        return path if chart.startswith(".") or os.path.isdir(path) else ""

    def source_of(self, release: Mapping[str, Any]) -> ChartSource | None:
        """Return where the chart of a release comes from; None if that is not a repository of charts."""
        chart, version = text(release.get("chart")), text(release.get("version"))
        if chart.startswith(OCI):
            where, _, name = chart.rpartition("/")
            return ChartSource(where, name, version, bool(release.get("plainHttp")))
        alias, _, name = chart.partition("/")
        of = next((of for of in map(mapping, self.repositories) if of.get("name") == alias), None)
        if of is None or not name or not isinstance(of.get("url"), str):
            return None
        url = of["url"].removeprefix(OCI)
        is_plain = bool(of.get("plainHttp"))
        return ChartSource(f"{OCI}{url}" if of.get("oci") else of["url"], name, version, is_plain)


def states_in(built: str) -> Iterator[State]:
    """Yield the states in what `helmfile build` printed."""
    _, *parts = _SOURCE.split(built)
    for file, body in zip(parts[::2], parts[1::2], strict=True):
        parsed = [each.value for each in parse(body, file, Problems())]
        data = mapping(parsed[0]) if parsed else {}
        defaults = {name: value for name, value in mapping(data.get("helmDefaults")).items() if name in _WITH_HELM}
        defaults |= {name: data[name] for name in _WITH_HELM if name in data}
        releases = tuple(of for of in entries(data.get("releases")) if isinstance(of, Mapping) and text(of.get("name")))
        yield State(file, releases, defaults, mapping(data.get("renderedvalues")), entries(data.get("repositories")))


def title_of(release: Mapping[str, Any]) -> str:
    """Return the name of a release with its namespace."""
    namespace = text(release.get("namespace"))
    return f"{namespace}/{release['name']}" if namespace else str(release["name"])


def not_rendered(release: Mapping[str, Any], folder: str) -> str:
    """Return why a release is not rendered although its chart is in a folder; empty if it is."""
    unknown = sorted(name for name in release if name not in _IDLE and name not in (*_RENDERED, *_WITH_HELM))
    if unknown:
        return f"its {' and '.join(unknown)} can run other programs, or change what helm renders"
    if not os.path.isfile(os.path.join(folder, CHART_NAME)):
        return "its chart is not one of helm, and only kustomize makes one of it"
    return ""
