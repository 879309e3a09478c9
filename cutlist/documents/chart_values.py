"""Files of values with which a chart is installed in several environments: beside its own, or elsewhere in the folders."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.core.ledger import Environment
from cutlist.documents.beginnings import beginning_of
from cutlist.documents.document import Document
from cutlist.documents.environments import VALUES, last_part, planned, shared_input
from cutlist.documents.files import YAML_SUFFIXES
from cutlist.documents.input_files import is_in
from cutlist.documents.text.yaml import parse
from cutlist.settings.planning import HELM_VALUES, RECURSIVE

_OWN: Final = ("values.yaml", "values.yml")
_OF_VALUES: Final = re.compile(r"value|env", re.IGNORECASE)
"""In the names of folders that have such files under any name."""
_FOR_ALL: Final = frozenset(("base", "common", "default", "defaults", "global", "shared", "all"))
"""Names of files and folders whose values every environment gets: which others come on top of them is not written anywhere."""


def of_charts(charts: Sequence[str], documents: Sequence[Document], files: Sequence[str] = ()) -> tuple[Environment, ...]:
    """Return the environments of charts by their files of values: those of each chart, and those that charts with files of the
    same names have together. Charts without such files, and objects beside the charts, belong to each of them."""
    found = {chart: values_of(chart, files if len(charts) == 1 else ()) for chart in map(os.path.normpath, charts)}
    everybodys = [chart for chart, paths in found.items() if not paths]
    groups: dict[tuple[str, ...], list[str]] = {}
    for chart, paths in found.items():
        if paths:
            groups.setdefault(tuple(last_part(_name(path)) for path in paths), []).append(chart)
    return tuple(
        _of_values(alike, [found[chart][index] for chart in alike], everybodys, documents)
        for names, alike in groups.items()
        for index in range(len(names))
    )


def _of_values(
    charts: Sequence[str], values: Sequence[str], others: Sequence[str], documents: Iterable[Document]
) -> Environment:
    """Return the environment of charts with values for each of them."""
    shared = dict.fromkeys(shared_input(os.path.normpath(d.place.source), [*charts, *others]) for d in documents)
    settings = {RECURSIVE: True} if shared else {}
    what = "values of the chart" if len(charts) == 1 else f"values of {len(charts):,} charts"
    name = _name(values[0]) if len(charts) == 1 else last_part(_name(values[0]))
    return planned(name, what, [*shared, *others, *charts], {**settings, HELM_VALUES: list(values)})


def values_of(chart: str, files: Sequence[str] = ()) -> list[str]:
    """Return the files of values for the environments of a chart, if there are several: its own, else those among other files
    that have no members but the chart's."""
    chart = os.path.normpath(chart)
    paths = own_values(chart) or _values_elsewhere(chart, files)
    return paths if len(paths) > 1 else []


def _name(path: str) -> str:
    """Return the name of an environment: its file, or the folder of one that is named like any other."""
    return os.path.dirname(path) if os.path.basename(path) in _OWN else path


def own_values(chart: str) -> list[str]:
    """Return the files of values that a chart has for its environments, if there are several."""
    try:
        names = sorted(os.listdir(chart))
    except OSError:
        return []
    named = [n for n in names if n.startswith(VALUES) and n.endswith(YAML_SUFFIXES) and n not in _OWN and ".schema." not in n]
    return [os.path.normpath(os.path.join(chart, name)) for name in named] if len(named) > 1 else []


def _values_elsewhere(chart: str, files: Sequence[str]) -> list[str]:
    """Return files next to each other, or of the same name in folders next to each other, that have only values of a chart."""
    members = _values_in(os.path.join(chart, _OWN[0])).keys()
    groups: dict[tuple[str, str], list[str]] = {}
    for path in files if members else ():
        folder, name = os.path.split(path)
        may_be_values = name.endswith(YAML_SUFFIXES) and (name.startswith("values") or _OF_VALUES.search(folder) is not None)
        if not may_be_values or (chart != os.curdir and is_in(path, chart)):
            continue
        values = _values_in(path)
        if values and values.keys() <= members:
            is_own = name in _OWN
            groups.setdefault((os.path.dirname(folder) if is_own else folder, name if is_own else ""), []).append(path)
    several = [paths for (folder, _), paths in groups.items() if len(paths) > 1 and folder != chart]
    is_clear = len(several) == 1 and not any(last_part(_name(path)) in _FOR_ALL for path in several[0])
    return several[0] if is_clear else []


def _values_in(path: str) -> Mapping[str, Any]:
    """Return the values in a file; nothing if it holds something else, such as an object."""
    problems = Problems()
    parsed = [document.value for document in parse(beginning_of(path), path, problems) if document.value is not None]
    is_mapping = not problems and len(parsed) == 1 and isinstance(parsed[0], dict) and "apiVersion" not in parsed[0]
    return parsed[0] if is_mapping else {}
