"""What a stack says about its environment, checked at the program's edge: mistakes name the stack file and the path in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

import pulumi
from pulumi.runtime.config import CONFIG, get_config_env

from cutlist.api.built_in import AKS_POOLS, AUTO_POOLS
from cutlist.catalog import embedded
from cutlist.core.errors import InputError, Place, Problem, Problems, names_near, nearest
from cutlist.core.karpenter.baselines import DEFAULT, baseline_of, chosen_baseline
from cutlist.core.setting import Edge, Kind, Setting
from cutlist.core.shapes import Report
from cutlist.planning.controller_settings_checks import CONTROLLER_SETTINGS
from cutlist.providers import eks_auto
from cutlist.settings import planning
from cutlist.settings.planning import PLAN, PlanSettings
from pulumi_cutlist.stack import clusters, stack_file
from pulumi_cutlist.stack.clusters import KARPENTER, ClusterSettings
from pulumi_cutlist.stack.gate_keys import GATE_DEFAULTS, GATES, OWN_NAME, json_value
from pulumi_cutlist.stack.karpenter import AWS_FEATURE_GATES, FEATURE_GATES, VERSION, controller_figures, installed_karpenter
from pulumi_cutlist.stack.lookup_keys import LOOKUPS

_OF_PLAN: Final = {setting: setting.spelled(Edge.STACK) for setting in PLAN if setting.counts(Edge.STACK)}
"""The settings of a plan that a stack may have, with their keys."""
_CHECKED: Final = (
    *(planning.REGION, planning.ZONES, planning.BUILT_IN_POOLS, planning.OVERHEAD_PROFILE),
    *(planning.KARPENTER, planning.FEATURE_GATES),
)
"""Those whose values are checked here, with where they are in the stack file."""
_NUMBERS: Final = (Kind.WHOLE_NUMBER, Kind.NUMBER, Kind.PERCENTAGE)
_OWN: Final = (GATE_DEFAULTS, GATES, FEATURE_GATES, LOOKUPS, "nodePools", "workloads")
KEYS: Final = tuple(sorted((*_OWN, *_OF_PLAN.values(), *clusters.KEYS)))
_TEXTS: Final = "array<string>"

Locate = Callable[[str, str], Place]  # of a key, qualified unless it is the project's own, and a path inside its value


@dataclass(frozen=True, slots=True)
class EnvironmentSettings:
    """One environment: the region of its nodes; files and folders (absolute or from the working directory) with its NodePools
    and node classes, and with its workloads; the settings of its `plan`. Without a cluster the objects are for one that exists
    already. `baseline` is a file with the last plan, empty without one. `figures` are what the plan takes from the cluster, or
    from the feature gates of one that exists already: parts of a document of kind Figures."""

    region: str
    node_pools: tuple[str, ...]
    workloads: tuple[str, ...]
    plan: PlanSettings
    cluster: ClusterSettings | None = None
    baseline: str = ""
    figures: Mapping[str, Any] = field(default_factory=dict)


def read_settings(problems: Problems) -> EnvironmentSettings:
    """Return the settings of the stack that runs. Mistakes are noted; faulty values are left empty or left out."""
    reader = _Reader(received(), pulumi.get_stack(), _places(), problems)
    reader.check_keys()
    reader.check_namespaces(_everything(), pulumi.get_project())
    root = _root()
    others = {setting.name: reader.value(setting, root) for setting in _OF_PLAN if setting not in _CHECKED}
    regions = _Regions(others[planning.CATALOG.name], problems)
    region = reader.known(_OF_PLAN[planning.REGION], regions.names)
    zones = reader.zones(region, regions)
    built_in = reader.some(_OF_PLAN[planning.BUILT_IN_POOLS], _built_in(region))
    cluster = reader.cluster(region, zones, built_in)
    profile = planning.OVERHEAD_PROFILE
    checked: PlanSettings = {
        "region": region or None,
        "zones": zones,
        "built_in_pools": built_in,
        "overhead_profile": reader.known(_OF_PLAN[profile], eks_auto.PROFILES, profile.default),
        "karpenter": reader.karpenter(cluster),
    }
    return EnvironmentSettings(
        region=region,
        node_pools=reader.paths("nodePools", root),
        workloads=reader.paths("workloads", root),
        plan=cast("PlanSettings", {**others, **checked}),
        cluster=cluster,
        baseline=reader.baseline(root),
        figures=reader.figures(cluster),
    )


def in_stack_file(problem: Problem) -> Problem:
    """Return a mistake in a setting of the plan where the stack file has it."""
    if not problem.place.settings:
        return problem
    return replace(problem, place=_places()(problem.place.settings[0].spelled(Edge.STACK), ""))


@dataclass(frozen=True, slots=True)
class _Regions:
    """The regions of the catalogue's folder that a stack names, or of the embedded one. A wrong folder is noted."""

    folder: str | None
    problems: Problems

    @property
    def names(self) -> Sequence[str]:
        """Return their names; those of the embedded catalogue for a wrong folder."""
        try:
            return tuple(embedded.chosen_regions(self.folder))
        except InputError as error:
            self.problems.extend(map(in_stack_file, error.problems))
            return (*embedded.regions(), *embedded.locations())

    def zones(self, region: str) -> Sequence[str]:
        """Return the zones of one; none where it cannot be read, which the reading of the plan reports."""
        try:
            return [zone.name for zone in embedded.load_chosen(self.folder, region).zones]
        except InputError:
            return ()


def _built_in(region: str) -> tuple[str, ...]:
    """Return the NodePools that the cloud of a region makes by itself, where it is set to."""
    return AKS_POOLS if region in embedded.locations() else AUTO_POOLS


def received() -> dict[str, str]:
    """Return the configuration of the project that this program received, by key without the project's name."""
    prefix = f"{pulumi.get_project()}:"
    return {key.removeprefix(prefix): value for key, value in _everything().items() if key.startswith(prefix)}


def _everything() -> dict[str, str]:
    return {**get_config_env(), **CONFIG.get()}


def _places() -> Locate:
    """Return where things are written. With `--config-file` that is not known, and the stack's name must do."""
    project, stack = pulumi.get_project(), pulumi.get_stack()
    root = _root()
    try:
        file = stack_file.load(_shown(root), stack)
    except InputError:
        return lambda key, path: Place(f"stack {stack!r}", path=f"config.{project}:{key}{path}" if key else "config")
    return lambda key, path: file.at(key if not key or ":" in key else f"{project}:{key}", path)


def _root() -> Path:
    """Return the folder of Pulumi.yaml. Inline programs of the Automation API do not know it, and run in it."""
    return Path(pulumi.get_root_directory() or Path.cwd())


def _shown(root: Path) -> Path:
    """Return a folder as people would write it: the working directory is a dot, so paths in it stay as the stack file has
    them."""
    return Path(".") if root.resolve() == Path.cwd() else root


@dataclass(frozen=True, slots=True)
class _Reader:
    config: Mapping[str, str]
    stack: str
    locate: Locate
    problems: Problems

    def check_keys(self) -> None:
        """Note keys that nothing reads: a misspelt one would otherwise be ignored silently."""
        for key in sorted(set(self.config) - set(KEYS)):
            self.problems.add(self.locate(key, ""), f"unknown configuration key {key!r}", ", ".join(KEYS), nearest(key, KEYS))

    def check_namespaces(self, everything: Iterable[str], project: str) -> None:
        """Add a problem for Cutlist's keys under a namespace that looks like the project's: nothing reads them."""
        for key in sorted(everything):
            namespace, _, bare = key.partition(":")
            if namespace != project and bare in KEYS and (namespace == OWN_NAME or nearest(namespace, [project])):
                self.problems.add(self.locate(key, ""), f"nothing reads {bare!r} of {namespace!r}", nearest=f"{project}:{bare}")

    def known(self, key: str, allowed: Iterable[str], default: str | None = None) -> str:
        """Return a text that must be one of some; required without a default, which else stands in for a mistaken one too."""
        value = self.config.get(key, default)
        if value is None:
            self.problems.extend([stack_file.missing(self.locate("", ""), self.stack, key)])
        elif value not in (names := sorted(allowed)):
            self.problems.add(self.locate(key, ""), f"unknown {key} {value!r}", names_near(value, names), nearest(value, names))
        else:
            return value
        return default or ""

    def some(self, key: str, allowed: Sequence[str]) -> tuple[str, ...]:
        """Return those of some texts that are listed; none when the key is missing."""
        values = self.texts(key, ())
        for index, value in enumerate(values):
            if value not in allowed:
                place = self.locate(key, f"[{index}]")
                self.problems.add(place, f"unknown {key} {value!r}", ", ".join(allowed), nearest(value, allowed))
        return tuple(value for value in values if value in allowed)

    def texts(self, key: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """Return a list of texts; required without a default."""
        written = self.config.get(key)
        if written is None:
            if default is None:
                self.problems.extend([stack_file.missing(self.locate("", ""), self.stack, key)])
            return default or ()
        values = json_value(written)
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            self.problems.extend([stack_file.mistyped(self.locate(key, ""), self.stack, key, _TEXTS)])
            return ()
        return tuple(values)

    def value(self, setting: Setting, root: Path) -> Any:
        """Return the value of a setting of the plan, its default where it is not written. Paths are those of the project."""
        key = _OF_PLAN[setting]
        if setting.kind is Kind.FLAG:
            return self.known(key, ("true", "false"), "false") == "true"
        shown = (lambda name: str(_shown(root) / name)) if setting.kind is Kind.PATH else str
        if setting.several:
            return tuple(map(shown, self.texts(key, ())))
        written = self.config.get(key)
        if written is None or setting.kind not in _NUMBERS:
            return setting.default if written is None else shown(written)
        number = json_value(written)
        if isinstance(number, bool) or not isinstance(number, int | float):
            self.problems.extend([stack_file.mistyped(self.locate(key, ""), self.stack, key, "number")])
            return setting.default
        return number

    def zones(self, region: str, regions: _Regions) -> tuple[str, ...]:
        """Return the zones of a region that are listed; all when none are. Those of an unknown region pass."""
        values = self.texts("zones", ())
        allowed = regions.zones(region) if region else values
        for index, zone in enumerate(values):
            if zone not in allowed:
                place = self.locate("zones", f"[{index}]")
                self.problems.add(place, f"no zone {zone!r} in {region}", ", ".join(allowed), nearest(zone, allowed))
        return tuple(zone for zone in values if zone in allowed)

    def cluster(self, region: str, zones: Sequence[str], built_in_pools: Sequence[str]) -> ClusterSettings | None:
        """Return what the stack says of its cluster; none when it says nothing, or something that cannot be read."""
        settings: dict[str, ClusterSettings] = {}
        for key in clusters.KEYS:
            args = json_value(self.config.get(key))
            if args is not None and not isinstance(args, dict):
                self.problems.extend([stack_file.mistyped(self.locate(key, ""), self.stack, key, "object")])
            elif args:
                settings[key] = ClusterSettings(key, args, region, zones, built_in_pools, partial(self.locate, key))
        if len(settings) > 1:
            message = f"{' and '.join(settings)} in one stack"
            self.problems.add(self.locate(next(iter(settings)), ""), message, "one of them: a stack has one cluster")
        return next(iter(settings.values()), None)

    def karpenter(self, cluster: ClusterSettings | None) -> str | None:
        """Return the Karpenter whose rules count: that of the stack's cluster where its rules are known, else what the stack
        says by itself. None leaves it to the service that runs Karpenter. Both at once, and a version whose rules are unknown,
        are noted."""
        written = self.config.get(VERSION)
        installed = cluster.args.get(VERSION) if cluster is not None else None
        if written is None:
            return installed_karpenter(installed).choice if cluster is not None and cluster.key == KARPENTER else None
        place = self.locate(VERSION, "")
        if installed is not None:
            self.problems.add(place, "the cluster of the stack has a karpenterVersion already", "one of them")
        chosen_baseline(written, place, self.problems)
        return written if baseline_of(written) is not None else DEFAULT.choice

    def figures(self, cluster: ClusterSettings | None) -> Mapping[str, Any]:
        """Return what the plan takes from the stack's cluster, or from the feature gates of one that exists already.

        Gates beside a cluster of the stack, and what is not a gate, are noted.
        """
        for key in (FEATURE_GATES, AWS_FEATURE_GATES):
            written = json_value(self.config.get(key))
            if cluster is not None and written is not None:
                where = f"charts.{key} of {KARPENTER}"
                self.problems.add(self.locate(key, ""), "the stack has its own cluster, whose charts have gates", where)
            elif written is not None:
                CONTROLLER_SETTINGS[key](written, "", Report(_Located(partial(self.locate, key)), self.problems))
        return controller_figures(self.config) if cluster is None else cluster.figures

    def paths(self, key: str, root: Path) -> tuple[str, ...]:
        """Return files and folders of the project; it notes those that do not exist, and returns them too."""
        written = self.texts(key)
        for index, name in enumerate(written):
            path = _shown(root) / name
            if not path.exists():
                place, near = self.locate(key, f"[{index}]"), _neighbour(path, name)
                self.problems.extend([Problem(place, f"no file or folder {name!r}", nearest=near, is_unread=True)])
        return tuple(str(_shown(root) / name) for name in written)

    def baseline(self, root: Path) -> str:
        """Return the file with the last plan, of the gates' configuration, whose other mistakes the gates report."""
        gates = json_value(self.config.get(GATES))
        written = gates.get("baseline") if isinstance(gates, Mapping) else None
        if not isinstance(written, str) or not written:
            return ""
        if not (_shown(root) / written).is_file():
            place = self.locate(GATES, ".baseline")
            self.problems.add(place, f"no file {written!r}", nearest=_neighbour(_shown(root) / written, written))
            return ""
        return str(_shown(root) / written)


@dataclass(frozen=True, slots=True)
class _Located:
    """The value of a key, with the places of its parts."""

    locate: Callable[[str], Place]

    def at(self, path: str) -> Place:
        """Return the place of a part."""
        return self.locate(f".{path}" if path else "")


def _neighbour(path: Path, written: str) -> str:
    """Return what lies beside a missing file under a similar name, written as the missing one was."""
    names = sorted(entry.name for entry in path.parent.iterdir()) if path.parent.is_dir() else []
    close = nearest(path.name, names)
    return str(Path(written).parent / close) if close else ""
