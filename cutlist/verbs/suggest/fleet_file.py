"""The file of a fleet: environments, each with its manifests and how they are planned.

    defaults:
      region: us-west-2
      allow: [arm64, spot]
    environments:
      - name: shop
        file: [shop/pools.yaml, shop/apps/*.yaml]
      - name: search
        file: search/
        region: eu-west-1
        usage: [cpu=search/cpu.json, memory=search/memory.json]

Members are the options of `cutlist suggest`, by their long names; one that may be given several times takes a list. An
environment's own members replace the defaults. Paths are relative to the file; they may be patterns, as a shell expands them.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any, Final, cast

from cutlist.core.errors import Place, Problem, Problems
from cutlist.core.setting import Edge, Kind, Setting
from cutlist.core.shapes import Report, Rule, boolean, closed, integer, list_of, one_of, shown, text
from cutlist.documents.collecting import read_mapping
from cutlist.documents.document import Document
from cutlist.documents.files import STDIN
from cutlist.optimization.allowances import Allowances
from cutlist.settings import suggest, usage
from cutlist.settings.gate import GATES
from cutlist.settings.planning import FILES, PLAN, REGION, PlanSettings
from cutlist.settings.suggest import (
    ALLOW,
    BOUND,
    KEEP,
    MAX_NODES,
    MIN_NODES,
    PLANS,
    RATES,
    SCENARIO,
    SEED,
    SETTLED,
    SPARE,
    SPOT_TYPES,
    SPOT_ZONES,
    WEEK,
    BoundKind,
)
from cutlist.settings.usage import MARGIN, PERCENTILE, USAGE
from cutlist.settings.words import spelled
from cutlist.verbs.suggest.criteria import Criteria
from cutlist.workloads.usage import UsagePolicy

_AZURE: Final = "azure"
_FORM: Final = "one mapping with environments, and defaults if wanted"


def _number(low: float, high: float) -> Rule:
    def check(value: Any, path: str, report: Report) -> None:
        if isinstance(value, bool) or not isinstance(value, int | float):
            report.add(path, f"expected a number, found {shown(value)}")
        elif not low <= value <= high:
            report.add(path, f"{value} is out of range", allowed=f"{low:g} to {high:g}")

    return check


def _several(rule: Rule) -> Rule:
    """Return a rule for one value, or a list of some."""

    def check(value: Any, path: str, report: Report) -> None:
        (list_of(rule, at_least=1) if isinstance(value, list) else rule)(value, path, report)

    return check


def _named(value: Any, path: str, report: Report) -> None:
    text(value, path, report)
    if isinstance(value, str) and not value.strip():
        report.add(path, "is empty", "a name that no other environment has")


def _path(value: Any, path: str, report: Report) -> None:
    text(value, path, report)
    if value == STDIN:
        report.add(path, "standard input belongs to no environment", "files, folders and patterns")
    elif value == "":
        report.add(path, "is empty", "files, folders and patterns")


def _percentage(value: Any, path: str, report: Report) -> None:
    number = value.removesuffix("%") if isinstance(value, str) else ""
    integer(0, 100)(int(number) if number.isdecimal() else value, path, report)


def _rule(setting: Setting) -> Rule:
    """Return the rule for the values of a setting."""
    rule: Rule = text
    match setting.kind:
        case Kind.FLAG:
            rule = boolean
        case Kind.PATH | Kind.STREAM:
            rule = _path
        case Kind.PERCENTAGE:
            rule = _percentage
        case Kind.WHOLE_NUMBER:
            rule = integer(int(setting.least or 0))
        case Kind.NUMBER:
            rule = _number(setting.least or 0, setting.most or inf)
        case _ if setting.choices:
            rule = one_of(*setting.choices)
    return _several(rule) if setting.several else rule


SETTINGS: Final = tuple(s for s in (FILES, *PLAN, *suggest.SETTINGS, GATES, *usage.SETTINGS) if s.counts(Edge.FLEET_FILE))
"""The settings of an environment: those of `suggest` that count in a fleet."""
_PROVIDER: Final = "provider"
_PATHS: Final = (Kind.PATH, Kind.STREAM)
MEMBERS: Final[Mapping[str, Rule]] = {
    **{setting.key: _rule(setting) for setting in SETTINGS},
    _PROVIDER: one_of("aws", _AZURE),
}
"""The members of an environment and of the defaults: the options of `suggest` by their long names, and the provider."""
_FLEET: Final = closed(
    {"environments": list_of(closed({"name": _named}, MEMBERS), at_least=1)},
    {"defaults": closed(optional=MEMBERS)},
)


@dataclass(frozen=True, slots=True)
class Environment:
    """An environment of a fleet: its manifests, how they are planned, and what suggestions may change.

    `files`, `rates` and `usage` may be patterns. `is_azure` is None if no provider is named, `gates` if no file of gates is.
    """

    name: str
    files: tuple[str, ...]
    settings: PlanSettings
    is_azure: bool | None
    rates: tuple[str, ...]
    usage: tuple[str, ...]
    usage_policy: UsagePolicy
    allowances: Allowances
    criteria: Criteria
    bound: BoundKind
    plans: int
    seed: int
    gates: str | None
    written: _Members

    @property
    def allow_empty(self) -> bool:
        """Tell whether an answer about nothing is accepted."""
        return self.settings.get("allow_empty", False)

    def placed(self, problems: Sequence[Problem]) -> tuple[Problem, ...]:
        """Return problems in the words of the file; those of settings are where it has them."""
        return tuple(
            problem if problem.place.source else replace(problem, place=self.at(problem.place.path.partition(" ")[0]))
            for problem in spelled(problems, Edge.FLEET_FILE)
        )

    def at(self, member: str) -> Place:
        """Return where a member is written."""
        return self.written.at(member)


@dataclass(frozen=True, slots=True)
class _Members:
    """The members of an environment, and the defaults of all."""

    document: Document
    path: str
    own: Mapping[str, Any]
    defaults: Mapping[str, Any]

    def get(self, member: str) -> Any:
        """Return what is written for a member; None where nothing is."""
        values = (members.get(member) for members in (self.own, self.defaults))
        return next((value for value in values if value is not None), None)

    def value(self, setting: Setting) -> Any:
        """Return the value of a setting, its default where it is not written. Paths are relative to the file of the fleet."""
        written = self.get(setting.key)
        if written is None:
            return () if setting.several else setting.default
        if not setting.several:
            return self._beside(written, setting)
        return tuple(self._beside(each, setting) for each in (written if isinstance(written, list) else [written]))

    def at(self, member: str) -> Place:
        """Return where a member is written; if it is not, where its environment is."""
        is_default = self.own.get(member) is None and self.defaults.get(member) is not None
        return self.document.at(f"{'defaults' if is_default else self.path}.{member}")

    def _beside(self, value: Any, setting: Setting) -> Any:
        if setting.kind not in _PATHS:
            return value
        prefix = _prefix(value, setting.prefixes)
        return prefix + os.path.join(os.path.dirname(self.document.place.source), value.removeprefix(prefix))


def _prefix(path: str, prefixes: Iterable[str]) -> str:
    """Return what stands before a path, such as the resource whose use a file has."""
    return next((prefix for prefix in prefixes if path.startswith(prefix)), "")


def read_fleet(path: str | os.PathLike[str]) -> tuple[Environment, ...]:
    """Return the environments in the file of a fleet. Raises InputError with every mistake in it.

    The files that it names are not opened: a mistake in them fails only their environment.
    """
    document = read_mapping(path, "fleet", _FORM)
    problems = Problems()
    _FLEET(document.data, "", Report(document, problems))
    problems.raise_if_any()
    defaults = document.data.get("defaults") or {}
    members = [_Members(document, f"environments[{n}]", own, defaults) for n, own in enumerate(document.data["environments"])]
    _check(members, problems)
    problems.raise_if_any()
    return tuple(map(_environment, members))


def expanded(patterns: Iterable[str], place: Place) -> tuple[str, ...]:
    """Return the files that patterns match, sorted by name; a path that exists, or that has no wildcard, stands for itself.

    The file of the fleet, at `place`, is left out. Raises InputError for patterns that match no file.
    """
    problems, paths = Problems(), list[str]()
    for pattern in patterns:
        resource = _prefix(pattern, USAGE.prefixes)
        path = pattern.removeprefix(resource)
        is_pattern = glob.has_magic(path) and not os.path.exists(path)
        matches = sorted(glob.glob(path, recursive=True)) if is_pattern else [path]
        if is_pattern:
            matches = [match for match in matches if os.path.realpath(match) != os.path.realpath(place.source)]
        paths += [resource + match for match in matches]
        if not matches:
            problems.add(place, f"no file is called {path}")
    problems.raise_if_any()
    return tuple(dict.fromkeys(paths))


def _check(environments: Sequence[_Members], problems: Problems) -> None:
    """Report mistakes in environments whose members have the right form."""
    names = dict[str, int]()
    for number, members in enumerate(environments):
        name = members.own["name"]
        if name in names:
            text = f"{name!r} is the name of environments[{names[name]}] too"
            problems.add(members.at("name"), text, "a name that no other environment has")
        names.setdefault(name, number)
        for setting in (FILES, REGION):
            if members.get(setting.key) is None:
                allowed = f"{setting.key} in the environment, or in defaults"
                problems.add(members.at(setting.key), f"no {setting.key} is named", allowed)
        least, most = members.value(MIN_NODES), members.value(MAX_NODES)
        if most is not None and most < least:
            problems.add(members.at(MAX_NODES.key), f"{most} is less than {MIN_NODES.key} {least}", f"{least} or more")


def _environment(members: _Members) -> Environment:
    value, provider = members.value, members.get(_PROVIDER)
    settings = {setting.name: value(setting) for setting in PLAN if members.get(setting.key) is not None}
    return Environment(
        name=members.own["name"],
        files=value(FILES),
        settings=cast("PlanSettings", settings),
        is_azure=None if provider is None else provider == _AZURE,
        rates=value(RATES),
        usage=value(USAGE),
        usage_policy=UsagePolicy(value(PERCENTILE), value(MARGIN) / 100),
        allowances=Allowances(
            **dict.fromkeys(value(ALLOW), True),
            min_nodes=value(MIN_NODES),
            max_nodes=value(MAX_NODES),
            keep=frozenset(value(KEEP)),
            spare=int(str(value(SPARE)).removesuffix("%")),
        ),
        criteria=Criteria(value(SCENARIO), value(SPOT_TYPES), value(SPOT_ZONES), bool(value(SETTLED)), value(WEEK)),
        bound=value(BOUND),
        plans=value(PLANS),
        seed=value(SEED),
        gates=value(GATES),
        written=members,
    )
