"""The contents of a folder: its manifests, kustomizations and charts, recognised by name as kubectl, kustomize and Helm do."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.errors import Place, Problem, Problems
from cutlist.core.setting import Advice
from cutlist.core.wording import counted
from cutlist.documents.beginnings import KARPENTERS, beginning_of
from cutlist.documents.commands import option_words
from cutlist.documents.delivery.counting import Rendering, unwatched
from cutlist.documents.delivery.fetching import Fetcher
from cutlist.documents.files import FILE_SUFFIXES, NO_NAME, TEMPLATE_SUFFIXES, SourceText, unreadable
from cutlist.documents.parsing import parse_values
from cutlist.documents.terraform.opentofu import is_show_json
from cutlist.settings.planning import PLAN, RECURSIVE, PlanSettings, with_defaults

KUSTOMIZATION_NAMES: Final = ("kustomization.yaml", "kustomization.yml", "Kustomization")
CHART_NAME: Final = "Chart.yaml"
_CRDS: Final = "crds"
_SETTINGS_NAME: Final = "cutlist.yaml"  # options of the command line, which `cutlist_cli.project_settings` reads

CONFIGURATIONS: Final = (".tf", ".tofu", ".tf.json", ".tofu.json")
"""File name extensions of configurations of Terraform and OpenTofu."""
VARIABLES: Final = (".tfvars", ".tfvars.json")
"""The file name extensions of their files of variables."""
FILES_OF_CONFIGURATIONS: Final = (*CONFIGURATIONS, *VARIABLES, ".hcl")
"""Those of all files that a configuration consists of."""
_OTHER_FORMS: Final = (
    *(*CONFIGURATIONS, *TEMPLATE_SUFFIXES),
    *(".jsonnet", ".cue", ".dhall", ".k", ".ncl", ".pkl", ".bicep", ".sh", ".bash", ".ps1"),
)
_TYPE: Final = re.compile(r'^(\s*")?(apiVersion|kind)"?\s*:', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Charts:
    """The options with which charts are rendered.

    `values` are files for charts that are given as folders, the later over the earlier. `kube_version` and `api_versions` are
    what charts assume the cluster to have; without them, what the installed helm assumes.
    """

    values: tuple[str, ...] = ()
    kube_version: str = ""
    api_versions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """How folders, kustomizations and charts are read.

    `recursive` is kubectl's `-R`: subfolders are read too. `kustomize` renders kustomizations with the installed program
    (`kustomize`, else `kubectl`), and `remote` allows it to fetch remote resources. `charts` renders charts with the installed
    `helm`, and what Applications of Argo CD, and HelmReleases and Kustomizations of Flux, take from their own checkout.
    `helmfile` is the environment for which the installed helmfile renders helmfiles, empty for its default; None renders none.
    `fetcher` fetches what they and kustomizations take from elsewhere. `options` are those of the command that reads the same,
    which messages name. `ignored` are real paths of files and folders that are passed over. `rendering` is given how much of
    what is rendered is done.
    """

    recursive: bool = False
    kustomize: bool = False
    remote: bool = False
    charts: Charts | None = None
    helmfile: str | None = None
    fetcher: Fetcher | None = None
    options: tuple[str, ...] = ()
    ignored: frozenset[str] = frozenset()
    rendering: Rendering = unwatched

    @staticmethod
    def of(
        settings: PlanSettings,
        fetcher: Fetcher | None = None,
        ignored: frozenset[str] = frozenset(),
        rendering: Rendering = unwatched,
    ) -> Reading:
        """Return how the settings of a plan have files read; each of those of Helm asks for it."""
        chosen = with_defaults(settings)
        remote, values = chosen["kustomize_remote"], (os.fspath(path) for path in chosen["helm_values"])
        charts = Charts(tuple(values), chosen["helm_kube_version"] or "", tuple(chosen["helm_api_versions"]))
        options = option_words({s: value for s in PLAN if (value := settings.get(s.name)) and value != s.default})
        is_asked = chosen["helm"] or charts != Charts()
        kustomize, rendered = chosen["kustomize"] or remote, charts if is_asked else None
        environment = chosen["helmfile_environment"] or ("" if chosen["helmfile"] else None)
        return Reading(chosen["recursive"], kustomize, remote, rendered, environment, fetcher, options, ignored, rendering)


PLAIN: Final = Reading()
"""One folder at a time, without running anything."""


@dataclass(frozen=True, slots=True)
class Folder:
    """Files that may hold manifests in alphabetical order, kustomization files among them; the folders of charts; and the
    subfolders with such files that were not read."""

    files: tuple[str, ...] = ()
    charts: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


def look_into(path: str, problems: Problems, *, recursive: bool) -> Folder:
    """Return the contents of a folder; subfolders only with `recursive`. Problems are added for whatever cannot be opened.

    What is in charts is not looked at: their files are templates and values, from which Helm makes manifests. Whole manifests
    of Karpenter beside `Chart.yaml`, and those that Helm applies unchanged, are read.
    """
    files: list[str] = []
    charts: list[str] = []
    unread: list[str] = []
    closed: list[OSError] = []
    for folder, subfolders, names in os.walk(path, onerror=closed.append):
        subfolders.sort()
        if CHART_NAME in names:
            charts.append(folder)
            files += _plain_in_chart(folder, names)
            subfolders.clear()
            continue
        files += [os.path.join(folder, n) for n in names if _may_hold_manifests(folder, n)]
        if not recursive:
            unread = [os.path.join(folder, n) for n in subfolders if _has_manifests(os.path.join(folder, n))]
            break
    problems.extend(unreadable(error.filename, error) for error in closed)
    if not files and not charts and not closed and not has_other_forms(path, recursive=recursive):
        more = f" and {counted(len(unread) - 1, 'more folder')}" if len(unread) > 1 else ""
        allowed = (RECURSIVE, f" reads {unread[0]}{more}") if unread else "files that end in .yaml, .yml or .json"
        problems.add_absence(Place(path), "the folder holds no manifests", Advice.of(allowed))
    return Folder(tuple(sorted(files)), tuple(charts), tuple(unread))


def has_other_forms(path: str, *, recursive: bool) -> bool:
    """Tell whether a folder has files from which another tool makes manifests."""
    for _, subfolders, names in os.walk(path):
        subfolders[:] = [name for name in subfolders if not name.startswith(".")] if recursive else []
        if any(name.endswith(_OTHER_FORMS) for name in names):
            return True
    return False


def _plain_in_chart(folder: str, names: Iterable[str]) -> Iterator[str]:
    """Yield the files of a chart that hold objects of Karpenter and that no template makes: kubectl applies those beside
    `Chart.yaml`, Helm those below `crds`."""
    crds = os.path.join(folder, _CRDS)
    inner = os.listdir(crds) if os.path.isdir(crds) else ()
    for path in (*(os.path.join(folder, name) for name in names), *(os.path.join(crds, name) for name in inner)):
        if path.endswith(FILE_SUFFIXES) and (text := beginning_of(path)) and KARPENTERS.search(text) and "{{" not in text:
            yield path


def _may_hold_manifests(folder: str, name: str) -> bool:
    if name == _SETTINGS_NAME:  # which kubectl applies if it holds objects
        return _TYPE.search(beginning_of(os.path.join(folder, name))) is not None
    return name.endswith(FILE_SUFFIXES) or name in KUSTOMIZATION_NAMES


def files_of(path: str, problems: Problems, *, recursive: bool) -> Folder:
    """Return the files of a path: a file itself, or the contents of a folder."""
    if not path:
        problems.extend([Problem(Place(NO_NAME), "is neither a file nor a folder: the name is empty", is_unread=True)])
        return Folder()
    return look_into(path, problems, recursive=recursive) if os.path.isdir(path) else Folder((path,))


def foreign(source: SourceText) -> str:
    """Return why a file of a folder is not for kubectl: "template", "foreign"; empty for one with manifests, valid or not.

    An unreadable text counts as a manifest with a mistake if a line begins with apiVersion or kind, or if kustomize reads the
    file by its name, except in templates.
    """
    problems = Problems()
    values = [value for value in parse_values(source.text, source.source, problems) if value is not None]
    if any(map(is_manifest, values)):
        return ""
    if problems:
        if "{{" in source.text:
            return "template"
        is_for_kustomize = os.path.basename(source.source) in KUSTOMIZATION_NAMES
        return "" if is_for_kustomize or _TYPE.search(source.text) else "foreign"
    return "foreign" if values else ""


def is_manifest(value: Any) -> bool:
    """Tell whether a value is an object of Kubernetes, perhaps with a mistake: half of its type, and the body of one; or a plan
    of OpenTofu."""
    if not isinstance(value, dict):
        return False
    if is_show_json(value):
        return True
    named = [isinstance(value.get(name), str) and bool(value[name]) for name in ("apiVersion", "kind")]
    return all(named) or (any(named) and any(isinstance(value.get(name), dict) for name in ("metadata", "spec")))


def _has_manifests(path: str) -> bool:
    if os.path.basename(path).startswith("."):
        return False
    return any(name.endswith(FILE_SUFFIXES) for name in _names_below(path))


def _names_below(path: str) -> Iterator[str]:
    for _, subfolders, names in os.walk(path):
        subfolders[:] = [name for name in subfolders if not name.startswith(".")]
        yield from names
