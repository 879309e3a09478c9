"""The clusters and the node plans of one program, compared: a plan for another region or Karpenter than the cluster's misleads.

A program is known once it has ended, so a comparison waits until then. The plugin makes the components of programs in other
languages one by one, and compares what it knows by then.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

import pulumi
from pulumi.runtime import settings
from pulumi.runtime.mocks import MockMonitor

from cutlist.core.errors import InputError, Place, Problem, Problems
from cutlist.core.karpenter.baselines import Baseline
from cutlist.core.karpenter.feature_gates import FEATURE_GATES
from cutlist.planning.figures import Figures, read_figures
from cutlist.planning.inputs import PlanInputs
from pulumi_cutlist.inputs.program_words import ProgramComponent, ProgramWords
from pulumi_cutlist.lookups.asking import Site, place_at, program_site
from pulumi_cutlist.program.offline import is_recorded

_NO_SITE: Final[Site] = ("", 0)
_HINT: Final = (
    "{} has no `workloads`, so no nodes are shown: with files, folders, manifests or a snapshot there, a preview shows their "
    "nodes, what these cost, and which pods stay pending"
)
_WAY: Final = "{}; or `workloads` of the cluster in place of the NodePlan: it knows its own settings"


@dataclass(frozen=True, slots=True)
class PlannedCluster:
    """A cluster of the program: the `kind` of its component, and what decides its nodes. `karpenter` is empty where the cloud
    runs it; `node_pools` are the names of its own NodePools, `built_in_pools` of its cloud's. `shows_nodes` says that it has a
    node plan of its own. `identity` is what its cloud knows it by; empty where that is known only during an update."""

    kind: str
    name: str
    region: str
    karpenter: Baseline | None
    figures: Mapping[str, Any]
    node_pools: frozenset[str]
    built_in_pools: frozenset[str]
    shows_nodes: bool
    identity: str = ""

    @property
    def label(self) -> str:
        """Return how messages call it."""
        return f"{self.kind} {self.name}"

    @property
    def source(self) -> str:
        """Return what places call it."""
        return f"{self.kind}/{self.name}"


class Difference(NamedTuple):
    """A member in which a plan and a cluster differ, with both values."""

    member: str
    of_plan: str
    of_cluster: str


@dataclass(frozen=True, slots=True)
class PlanBeside:
    """A NodePlan that is not a cluster's own, and what it is made from."""

    name: str
    inputs: PlanInputs

    def is_about(self, cluster: PlannedCluster) -> bool:
        """Tell whether it may be about a cluster: unless both have NodePools, and none in common."""
        pools, its = cluster.node_pools | cluster.built_in_pools, {pool.name for pool in self.inputs.node_pools}
        return not (pools and its) or not pools.isdisjoint(its)

    def fits(self, cluster: PlannedCluster) -> bool:
        """Tell whether it is a plan of a cluster's nodes: about the cluster, and different in nothing."""
        return self.is_about(cluster) and next(differences(cluster, self.inputs), None) is None


def differences(cluster: PlannedCluster, inputs: PlanInputs) -> Iterator[Difference]:
    """Yield each respect in which a plan is for another cluster than this one: another region, another Karpenter or other
    settings of it, or other NodePools of the cloud's."""
    if inputs.catalog.region != cluster.region:
        yield Difference("region", inputs.catalog.region, cluster.region)
    if cluster.karpenter is None:
        built_in = inputs.settings.get("built_in_pools") or ()
        if built_in and {*built_in} != cluster.built_in_pools:
            yield Difference("builtInPools", _listed(built_in), _listed(cluster.built_in_pools))
        return
    karpenter = inputs.options.karpenter
    if not _is_same(inputs.settings.get("karpenter") or "", karpenter, cluster.karpenter):
        yield Difference("karpenterVersion", str(karpenter), str(cluster.karpenter))
        return  # gates follow the version
    of_cluster = read_figures((), None, Problems(), cluster.figures)
    before, after = _controller(inputs.figures, karpenter), _controller(of_cluster, karpenter)
    for name, value in before.items():
        if value != after[name]:
            yield Difference(name, value, after[name])


def _is_same(written: str, planned: Baseline, installed: Baseline) -> bool:
    """Tell whether a plan follows the Karpenter that is installed: of a minor such as 1.14, any release is."""
    return planned == installed or (planned.minor == installed.minor and written == str(planned.minor))


def problems_of(clusters: Collection[PlannedCluster], plans: Collection[PlanBeside]) -> Iterator[Problem]:
    """Yield a problem for each respect in which a plan is for none of the clusters that it may be about."""
    for plan in plans:
        found = [(cluster, tuple(differences(cluster, plan.inputs))) for cluster in clusters if plan.is_about(cluster)]
        if found and all(differ for _, differ in found):
            cluster, nearest = min(found, key=lambda pair: len(pair[1]))
            for differ in nearest:
                place = Place(f"NodePlan/{plan.name}", path=differ.member)
                text = f"the plan is for {differ.of_plan}, and {cluster.label} beside it has {differ.of_cluster}"
                yield Problem(place, text, _WAY.format(differ.of_cluster))


def twins_in(clusters: Iterable[PlannedCluster]) -> Iterator[Problem]:
    """Yield a problem for each cluster that is one which another component makes already."""
    seen: dict[str, PlannedCluster] = {}
    for cluster in clusters:
        first = seen.setdefault(cluster.identity, cluster)
        if cluster.identity and first is not cluster:
            text = f"the {cluster.identity} is that of {first.label} already"
            yield Problem(Place(cluster.source), text, "another name or another region")


def without_plan(clusters: Collection[PlannedCluster], plans: Collection[PlanBeside]) -> Iterator[PlannedCluster]:
    """Yield the clusters whose nodes no plan shows."""
    for cluster in clusters:
        if not cluster.shows_nodes and not any(plan.fits(cluster) for plan in plans):
            yield cluster


@dataclass(slots=True)
class Known:
    """The clusters and plans of the running program so far, by name. With `at_once` each is compared with those before it,
    otherwise all are at the end of the program, which talks to one `monitor`."""

    at_once: bool = False
    monitor: object = None
    clusters: dict[str, tuple[PlannedCluster, pulumi.Resource]] = field(default_factory=dict)
    plans: dict[str, PlanBeside] = field(default_factory=dict)
    sites: dict[str, Site] = field(default_factory=dict)
    """The lines of the program that make them, by kind and name."""
    waits: bool = False

    def compare(self) -> None:
        """Raise InputError if a plan is for none of the clusters, and log how to see the nodes of those that no plan shows."""
        self.waits = False
        clusters = {name: cluster for name, (cluster, _) in self.clusters.items()}
        problems = [*twins_in(clusters.values()), *problems_of(clusters.values(), self.plans.values())]
        if problems:
            raise InputError([self._in_program(problem) for problem in problems])
        for cluster in without_plan(clusters.values(), self.plans.values()):
            pulumi.log.info(_HINT.format(cluster.label), resource=self.clusters[cluster.label][1])

    def _in_program(self, problem: Problem) -> Problem:
        """Return a problem at the line of the program, and with the names of inputs as it spells them: its components know."""
        words = next((of.words for _, of in self.clusters.values() if isinstance(of, ProgramComponent)), ProgramWords())
        place = problem.place.at(words.text(problem.place.path))
        at = place_at(self.sites.get(place.source, _NO_SITE))
        if at.source:
            place = replace(at, path=" ".join(filter(None, (place.source, place.path))))
        return replace(problem, place=place)

    def changed(self) -> None:
        """Compare now, or when the program has ended. Mocks of a program's own tests have no end of a program."""
        if isinstance(self.monitor, MockMonitor) and not is_recorded():
            return
        if self.at_once:
            self.compare()
        elif not self.waits:
            self.waits = True
            # What waits for a value runs when the program's own file has ended, even where the value is known.
            pulumi.Output.from_input(True).apply(lambda _: self.compare())


KNOWN: Final[ContextVar[Known | None]] = ContextVar("known", default=None)
"""What the running program has, as far as its components have said so."""


def is_hint(message: str) -> bool:
    """Tell whether a message says how to see the nodes of a cluster, which one that shows them makes superfluous."""
    return message.endswith(_HINT.partition("{}")[2])


def note_cluster(cluster: PlannedCluster, component: pulumi.Resource) -> None:
    """Note a cluster of the running program, whose component is given."""
    known = _known()
    known.clusters[cluster.label] = cluster, component
    known.sites[cluster.source] = _site()
    known.changed()


def inputs_beside(label: str) -> PlanInputs | None:
    """Return what the NodePlan for the nodes of a cluster was made from, both of the running program; None without one."""
    known = _known()
    if label not in known.clusters:
        return None
    cluster, _ = known.clusters[label]
    return next((plan.inputs for plan in known.plans.values() if plan.fits(cluster)), None)


def inputs_with(kind: str, name: str) -> PlanInputs | None:
    """Return what a NodePlan of the running program was made from that has an object of a kind and name; None without one."""
    for plan in _known().plans.values():
        if any((of.KIND, of.name) == (kind, name) for of in (*plan.inputs.node_pools, *plan.inputs.node_classes)):
            return plan.inputs
    return None


def note_plan(plan: PlanBeside) -> None:
    """Note a NodePlan of the running program that is not a cluster's own."""
    known = _known()
    known.plans[plan.name] = plan
    known.sites[f"NodePlan/{plan.name}"] = _site()
    known.changed()


def _site() -> Site:
    """Return the line of the program that is running; on an engine, whose messages name resources, none."""
    return program_site() if is_recorded() else _NO_SITE


def _known() -> Known:
    """Return what is known of the running program, and nothing of one that ran before it in this process."""
    known, monitor = KNOWN.get(), settings.get_monitor()
    if known is None or not (known.at_once or known.monitor is monitor):
        known = Known(monitor=monitor)
        KNOWN.set(known)
    return known


def _controller(figures: Figures, karpenter: Baseline) -> dict[str, str]:
    """Return the settings of a controller that change plans, in words, by name."""
    settings, aws = figures.controller, figures.settings
    known = karpenter.feature_gates | karpenter.aws_feature_gates
    gates = {
        f"{'awsFeatureGates' if gate.is_of_aws else 'featureGates'}.{gate.name}": _switch(
            settings.is_on(gate.name) or (_is_default(gate.on_since, karpenter) and not settings.is_off(gate.name))
        )
        for gate in FEATURE_GATES
        if gate.name in known
    }
    return {
        **gates,
        "preferencePolicy": "Respect" if settings.respects_preferences else "Ignore",
        "minValuesPolicy": "Strict" if settings.has_strict_min_values else "BestEffort",
        "ignoreDRARequests": _switch(not settings.plans_claims(karpenter)),
        "vmMemoryOverheadPercent": f"{aws.vm_memory_overhead_percent:g}",
        "reservedENIs": f"{aws.reserved_enis:g}",
    }


def _is_default(since: Any, karpenter: Baseline) -> bool:
    return since is not None and since <= karpenter.release


def _switch(is_on: bool) -> str:
    return "on" if is_on else "off"


def _listed(names: Collection[str]) -> str:
    return ", ".join(sorted(names)) or "none"
