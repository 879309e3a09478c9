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
from typing import Any, Final, get_args

from cutlist.core.errors import Place, Problem, Problems
from cutlist.core.karpenter.baselines import DEFAULT
from cutlist.core.karpenter.feature_gates import FEATURE_GATES
from cutlist.core.shapes import Report, Rule, boolean, closed, integer, list_of, one_of, shown, text
from cutlist.documents import STDIN, Charts, Document, Reading, read_mapping
from cutlist.optimization.allowances import KEPT, WIDENINGS, Allowances
from cutlist.planning.document_inputs import PlanSettings
from cutlist.planning.model import BoundKind
from cutlist.providers.eks_auto import DEFAULT_PROFILE
from cutlist.workloads.usage import UsagePolicy

PLANS: Final = 300
"""How many candidates are planned at most where nothing else is said."""

_BOUNDS: Final[tuple[BoundKind, ...]] = get_args(BoundKind)
_AZURE: Final = "azure"
_FORM: Final = "one mapping with environments, and defaults if wanted"
_RESOURCES: Final = ("cpu=", "memory=")
_OPTIONS: Final = {
    "zones": "zone",
    "inputs": "file",
    "nodes": "min-nodes",
    "built_in_pools": "built-in-pool",
    "external_classes": "external-class",
    "feature_gates": "feature-gate",
}
"""Parameters in the texts of mistakes whose option has another name."""


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


MEMBERS: Final[Mapping[str, Rule]] = {
    "file": _several(_path),
    "region": text,
    "provider": one_of("aws", _AZURE),
    "zone": _several(text),
    "catalog": _path,
    "built-in-pool": _several(text),
    "overhead-profile": text,
    "external-class": _several(text),
    "karpenter": text,
    "scheduler-config": _path,
    "feature-gate": _several(one_of(*(gate.name for gate in FEATURE_GATES if gate.is_of_aws))),
    "recursive": boolean,
    "kustomize": boolean,
    "kustomize-remote": boolean,
    "helm": boolean,
    "helm-values": _several(_path),
    "helm-kube-version": text,
    "helm-api-version": _several(text),
    "allow-empty": boolean,
    "allow": _several(one_of(*WIDENINGS)),
    "keep": _several(one_of(*KEPT)),
    "spare": _percentage,
    "min-nodes": integer(0),
    "max-nodes": integer(1),
    "bound": one_of(*_BOUNDS),
    "plans": integer(1),
    "seed": integer(0),
    "rates": _several(_path),
    "usage": _several(_path),
    "percentile": _number(1, 100),
    "margin": _number(0, 1000),
}
"""The members of an environment and of the defaults: the options of `suggest` by their long names."""
_FLEET: Final = closed(
    {"environments": list_of(closed({"name": _named}, MEMBERS), at_least=1)},
    {"defaults": closed(optional=MEMBERS)},
)


@dataclass(frozen=True, slots=True)
class Environment:
    """An environment of a fleet: its manifests, how they are planned, and what suggestions may change.

    `files`, `rates` and `usage` may be patterns. `is_azure` is None if no provider is named.
    """

    name: str
    files: tuple[str, ...]
    settings: PlanSettings
    is_azure: bool | None
    allow_empty: bool
    rates: tuple[str, ...]
    usage: tuple[str, ...]
    usage_policy: UsagePolicy
    allowances: Allowances
    bound: BoundKind
    plans: int
    seed: int
    written: _Members

    def placed(self, problems: Sequence[Problem]) -> tuple[Problem, ...]:
        """Return problems of parameters as problems of the file's options for them."""
        return tuple(p if p.place.source else replace(p, place=self.at(p.place.path)) for p in problems)

    def at(self, parameter: str) -> Place:
        """Return where the option of a parameter is written."""
        return self.written.at(_OPTIONS.get(parameter, parameter.replace("_", "-")))


@dataclass(frozen=True, slots=True)
class _Members:
    """The members of an environment, and the defaults of all."""

    document: Document
    path: str
    own: Mapping[str, Any]
    defaults: Mapping[str, Any]

    def get(self, option: str, default: Any = None) -> Any:
        """Return the value of an option."""
        values = (members.get(option) for members in (self.own, self.defaults))
        return next((value for value in values if value is not None), default)

    def several(self, option: str) -> tuple[str, ...]:
        """Return the values of an option that may have several."""
        value = self.get(option, [])
        return tuple(value) if isinstance(value, list) else (value,)

    def at(self, option: str) -> Place:
        """Return where an option is written; if it is not, where its environment is."""
        is_default = self.own.get(option) is None and self.defaults.get(option) is not None
        return self.document.at(f"{'defaults' if is_default else self.path}.{option}")

    def file(self, option: str) -> str | None:
        """Return the path that an option names."""
        path = self.get(option)
        return None if path is None else self.beside(path)

    def beside(self, path: str) -> str:
        """Return a path that is relative to the file of the fleet; one of `usage` may name a resource."""
        resource = next((prefix for prefix in _RESOURCES if path.startswith(prefix)), "")
        folder = os.path.dirname(self.document.place.source)
        return resource + os.path.join(folder, path.removeprefix(resource))


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
        resource = next((prefix for prefix in _RESOURCES if pattern.startswith(prefix)), "")
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
        for option, what in (("file", "no file is named"), ("region", "no region is named")):
            if members.get(option) is None:
                problems.add(members.at(option), what, f"{option} in the environment, or in defaults")
        least, most = members.get("min-nodes", 0), members.get("max-nodes")
        if most is not None and most < least:
            problems.add(members.at("max-nodes"), f"{most} is less than min-nodes {least}", f"{least} or more")


def _charts(members: _Members) -> Charts | None:
    """Return what the charts of an environment are rendered with, if it asks for that."""
    values = map(members.beside, members.several("helm-values"))
    versions = members.get("helm-kube-version"), members.several("helm-api-version")
    return Charts.where_asked(members.get("helm", False), values, *versions)


def _environment(members: _Members) -> Environment:
    get, several = members.get, members.several
    provider = get("provider")
    remote = get("kustomize-remote", False)
    settings = PlanSettings(
        region=get("region"),
        zones=several("zone"),
        catalog=members.file("catalog"),
        built_in_pools=several("built-in-pool"),
        overhead_profile=get("overhead-profile", DEFAULT_PROFILE),
        external_classes=several("external-class"),
        karpenter=get("karpenter", str(DEFAULT)),
        reading=Reading(get("recursive", False), get("kustomize", False) or remote, remote, _charts(members)),
        scheduler_config=members.file("scheduler-config"),
        feature_gates=several("feature-gate"),
    )
    return Environment(
        name=get("name"),
        files=tuple(map(members.beside, several("file"))),
        settings=settings,
        is_azure=None if provider is None else provider == _AZURE,
        allow_empty=get("allow-empty", False),
        rates=tuple(map(members.beside, several("rates"))),
        usage=tuple(map(members.beside, several("usage"))),
        usage_policy=UsagePolicy(get("percentile", 95.0), get("margin", 15.0) / 100),
        allowances=Allowances(
            **dict.fromkeys(several("allow"), True),
            min_nodes=get("min-nodes", 0),
            max_nodes=get("max-nodes"),
            keep=frozenset(several("keep")),
            spare=int(str(get("spare", 0)).removesuffix("%")),
        ),
        bound=get("bound", "linear"),
        plans=get("plans", PLANS),
        seed=get("seed", 1),
        written=members,
    )
