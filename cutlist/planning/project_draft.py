"""A project file from what is in a folder: its environments, or what is read if there is only one, to be edited afterwards."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.core.ledger import Environment
from cutlist.core.notes import Notes
from cutlist.core.setting import Edge, Setting
from cutlist.documents.account.accounting import CHART
from cutlist.documents.chart_values import values_of
from cutlist.documents.collecting import collect_documents
from cutlist.documents.contents import environments_in
from cutlist.documents.delivery.releases import NOT_RENDERED
from cutlist.documents.environments import short_names
from cutlist.documents.folders import Charts, Reading
from cutlist.documents.input_files import Paths
from cutlist.documents.kustomize.not_built import KUSTOMIZATION
from cutlist.documents.terraform.configurations import configured_regions
from cutlist.documents.text.writing import Style, entry_lines
from cutlist.planning.built_in_signs import with_cluster_config
from cutlist.planning.region_signs import with_region_of_input
from cutlist.settings.environments import ALL, COMMAND, ENVIRONMENT
from cutlist.settings.planning import FILES, HELM, HELM_VALUES, KUSTOMIZE, PLAN, RECURSIVE, REGION, with_defaults
from cutlist.settings.project import ENVIRONMENTS
from cutlist.settings.stack import PROJECT_DIR, STACK

_STYLE: Final = Style()
_EVERYTHING: Final = Reading(recursive=True)
_CHARTS: Final = Reading(recursive=True, charts=Charts())
_OPEN_NAMED: Final = 10
_WHY: Final[Mapping[Setting, str]] = {
    HELM: "renders charts, and what Argo CD and Flux take from this checkout",
    HELM_VALUES: "values of this environment, over those of the chart",
    KUSTOMIZE: "builds what only kustomize itself can, such as patches",
}


@dataclass(frozen=True, slots=True)
class ProjectDraft:
    """The text of a project file, and the names of the environments in it; none if the folder is one environment."""

    text: str
    environments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Reading:
    """What was read of files without starting a program: whether they hold objects, the region that they name, what is open,
    and which programs would add more."""

    has_objects: bool
    region: str
    needs_kustomize: bool
    may_use_helm: bool
    charts: tuple[str, ...]
    open: tuple[str, ...]


def project_draft(region: str = "") -> ProjectDraft:
    """Return a project file for the working directory. It gives the answers that there are without a file.

    `region` is that of all environments, where it is known; else it is what the objects speak of. No program is started.
    """
    whole = _read([os.curdir])
    environments = environments_in([os.curdir], _EVERYTHING if whole.has_objects else _CHARTS)
    if not environments:
        common = region or whole.region
        return ProjectDraft("".join(f"{line}\n" for line in (*_head(()), *_region(common), *_of_one(whole))))
    names = short_names(environments)
    own = [region or (_read(of.files).region if of.files else "") for of in environments]
    common = own[0] if len(set(own)) == 1 else ""
    lines = [*_head(names), *_region(common or ("" if any(own) else whole.region)), "", f"{ENVIRONMENTS}:"]
    for number, (name, environment) in enumerate(zip(names, environments, strict=True)):
        lines += [""] if number else []
        lines += [f"  {line}" for line in _of_environment(name, environment, "" if common else own[number])]
    return ProjectDraft("".join(f"{line}\n" for line in lines), names)


def _read(paths: Paths) -> _Reading:
    problems, notes = Problems(), Notes()
    documents = collect_documents(paths, problems, None, _EVERYTHING, notes)
    charts = tuple(of.what for of in notes.ledger.open if of.form == CHART)
    needs_kustomize = any(of.form == KUSTOMIZATION for of in notes.ledger.open)
    may_use_helm = bool(charts) or any(note.code == NOT_RENDERED for note in notes.all())
    still_open = tuple(f"{of.what}, {of.why}" for of in notes.ledger.open)
    settings = with_region_of_input(
        with_cluster_config(with_defaults({}), documents, Notes()),
        documents,
        lambda: configured_regions(paths, _EVERYTHING),
        Notes(),
        Problems(),
    )
    region = settings["region"] or ""
    return _Reading(bool(documents), region, needs_kustomize, may_use_helm, charts, still_open)


def _head(names: Sequence[str]) -> Iterator[str]:
    """Yield the first comment: what the file is for, and the commands that use it."""
    yield "# Options that commands of Cutlist need not repeat here. One on the command line replaces what is written."
    if names:
        yield f"# cutlist plan {ENVIRONMENT.flag} {names[0]} is about one environment, cutlist plan {ALL.flag} about each."
    yield "# Paths are relative to this file. `cutlist schema project` prints what it may have."


def _region(region: str) -> Iterator[str]:
    yield ""
    yield from (
        entry_lines(REGION.key, region, _STYLE) if region else (f"# {REGION.key}:  # {REGION.described(Edge.PROJECT_FILE)}",)
    )


def _of_one(whole: _Reading) -> Iterator[str]:
    """Yield what is read of a folder that is one environment."""
    yield from entry_lines(FILES.key, os.curdir, _STYLE)
    yield f"{RECURSIVE.key}: true"
    if whole.needs_kustomize:
        yield f"{KUSTOMIZE.key}: true  # {_WHY[KUSTOMIZE]}"
    if whole.may_use_helm:
        yield f"# {HELM.key}: true  # {_WHY[HELM]}"
    for path in (path for chart in whole.charts for path in values_of(chart)):
        yield f"# {HELM_VALUES.key}: {_one_or_all([path])}  # {_WHY[HELM_VALUES]}"
    yield from _open(whole.open)


def _open(still_open: Sequence[str]) -> Iterator[str]:
    """Yield what is not in the answers, as comments."""
    if still_open:
        yield ""
        yield "# Not in the answers:"
        yield from (f"#   {' '.join(text.split())}" for text in still_open[:_OPEN_NAMED])
        yield from (f"#   and {len(still_open) - _OPEN_NAMED:,} more",) if len(still_open) > _OPEN_NAMED else ()


def _of_environment(name: str, environment: Environment, region: str) -> Iterator[str]:
    yield f"# {' '.join(environment.holds.split())}"
    (first,) = entry_lines(name, None, _STYLE)
    yield first.removesuffix(" null")
    yield from (f"  {line}" for line in _members(environment, region))


def _members(environment: Environment, region: str) -> Iterator[str]:
    """Yield the members of an environment: of a stack, of another program, or its files and how they are read."""
    if environment.stack:
        yield from entry_lines(STACK.key, environment.stack, _STYLE)
        if os.path.normpath(environment.project) != os.curdir:
            yield from entry_lines(PROJECT_DIR.key, environment.project, _STYLE)
        return
    if not environment.files:
        yield from entry_lines(COMMAND.key, environment.command, _STYLE)
        return
    yield from entry_lines(FILES.key, _one_or_all(environment.files), _STYLE)
    by_name = {setting.name: setting for setting in PLAN}
    for key, value in environment.settings.items():
        setting = by_name[key]
        why = f"  # {_WHY[setting]}" if setting in _WHY else ""
        (line,) = entry_lines(setting.key, value if value is True else _one_or_all(value), _STYLE)
        yield line + why
    yield from entry_lines(REGION.key, region, _STYLE) if region else ()


def _one_or_all(values: Iterable[str]) -> Any:
    listed = list(values)
    return listed[0] if len(listed) == 1 else listed
