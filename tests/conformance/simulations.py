"""Random simulations that are recorded: several NodePools, spot and on-demand, budgets, rules of topology, expiry, daemons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final

from cutlist import Budget, NodePool
from cutlist.api.nodepool_hash import HASH, HASH_VERSION
from cutlist.core.karpenter.baselines import BASELINES, Baseline
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.labels import HOSTNAME, ON_DEMAND, SPOT, ZONE
from cutlist.core.requirement import Expression
from cutlist.core.taints import Taint, Toleration
from cutlist.disruption.feature_gates import FeatureGates
from cutlist.providers.node_repair import AWS_DISRUPTION_REPAIR_POLICIES, AWS_REPAIR_POLICIES
from cutlist.scheduling.inputs import SchedulerOptions
from cutlist.scheduling.launched import Purchase, cheapest_purchase
from cutlist.scheduling.results import PlacedClaim
from cutlist.simulation.demand.jobs import JobTerms
from cutlist.simulation.events import HOUR, MINUTE, SECOND, Event
from cutlist.simulation.failures import InterruptionRates
from cutlist.simulation.inputs import SimulationInputs
from cutlist.simulation.offerings import Edition
from cutlist.simulation.outside_events import (
    CapacityLost,
    ClusterEdited,
    ImageReleased,
    JobStarted,
    NodeSelection,
    NodesFailed,
    NodesInterrupted,
    ReplicasSet,
    TemplateChanged,
)
from cutlist.simulation.recording.recorder import DISRUPT, SCHEDULE, Recording
from cutlist.simulation.settings import SimulationSettings
from cutlist.simulation.shortages import CapacityShortages
from cutlist.simulation.simulation import Simulation, simulate
from cutlist.workloads.groups import DaemonSet, PodGroup
from cutlist.workloads.objects import EvictionBudgets, PodDisruptionBudget
from cutlist.workloads.pods import PodTerm
from tests.unit.disruption.builders import cluster, pool, sold
from tests.unit.disruption.claims import NOON
from tests.unit.scheduling.builders import REGISTRY, ZONES, pod, selecting, spread

TYPES: Final = tuple(
    sold(f"{family}-{cpu}", cpu, round(price * cpu, 4), round(price * cpu * share, 4))
    for family, price, share in (("a", 0.05, 0.35), ("b", 0.048, 0.5), ("c", 0.061, 0.3))
    for cpu in (2, 4, 8, 16)
)
UNHEALTHY: Final = (("Ready", "False"), ("Ready", "Unknown"), ("StorageReady", "False"))
KARPENTERS: Final = {"1.14": BASELINES[0], "1.15": BASELINES[-1]}


def drawn(seed: int, karpenter: str, hours: float) -> tuple[SimulationInputs, Sequence[Event], SimulationSettings]:
    """Return what the random simulation of a seed is made of."""
    maker = _Maker(Random(f"simulation {seed}"), KARPENTERS[karpenter])  # noqa: S311 - it has to be the same every time
    inputs = maker.inputs()
    demand = maker.demand(inputs.groups, hours)
    startup = maker.rng.choice((20, 45, 60)) * SECOND
    return inputs, demand, SimulationSettings(NOON, until=round(hours * HOUR), seed=seed, startup=startup)


def recordings(seed: int, karpenter: str, hours: float = 3) -> list[Recording]:
    """Return the passes and rounds of the random simulation of a seed, in their order."""
    found: list[Recording] = []
    inputs, demand, settings = drawn(seed, karpenter, hours)
    simulate(Simulation(inputs, demand, settings), settings.until, found.append)
    return found


def chosen(recorded: Sequence[Recording], most: int) -> list[Recording]:
    """Return so many of the passes and rounds of a run, half of each: first those whose command does not survive its
    validation, up to a third, then those that decide something."""
    kept = []
    for kind in (SCHEDULE, DISRUPT):
        of_kind = [r for r in recorded if r.kind == kind]
        dropped = [r for r in of_kind if is_validated(r) and not _decides(r)]
        decided = [r for r in of_kind if _decides(r)]
        others = [r for r in of_kind if not _decides(r) and not is_validated(r)]
        share, left = _even(dropped, most // 6), most // 2
        kept += share
        left -= len(share)
        share = _even(decided, left)
        kept += [*share, *_even(others, left - len(share))]
    return sorted(kept, key=lambda r: r.name)


def is_validated(recording: Recording) -> bool:
    """Tell whether a round has what changed until the validation of its command."""
    return "during" in recording.scenario.get("disruption", {})


def _decides(recording: Recording) -> bool:
    answer = recording.answer
    methods = answer.get("methods", {}).values()
    return any(answer.get(part) for part in ("claims", "existing", "errors")) or any(m["commands"] for m in methods)


def _even(recorded: Sequence[Recording], most: int) -> list[Recording]:
    count = min(most, len(recorded))
    return [recorded[number * len(recorded) // count] for number in range(count)]


class _Maker:
    """Draws the parts of a simulation."""

    def __init__(self, rng: Random, karpenter: Baseline) -> None:
        self.rng = rng
        self.karpenter = karpenter

    def inputs(self) -> SimulationInputs:
        """Return an empty cluster with NodePools, workloads and what protects these."""
        rng = self.rng
        pools = [self._pool(name, is_static=False) for name in ("alpha", "beta", "gamma")[: rng.choice((1, 2, 2, 3))]]
        pools += [self._pool("fixed", is_static=True)] if rng.random() < 0.25 else []
        groups = [self._group(name) for name in "stuvwxyz"[: rng.randint(3, 7)]]
        daemons = [self._daemon(name) for name in ("agent", "proxy")[: rng.choice((0, 1, 1, 2))]]
        state = cluster(
            pools=pools,
            types=TYPES,
            daemons=[d.pod for d in daemons],
            evictions=EvictionBudgets.of(self._guard(g) for g in groups if rng.random() < 0.4),
            options=SchedulerOptions(karpenter=self.karpenter, respect_preferences=rng.random() < 0.8),
            feature_gates=self._gates(),
            repair_policies=AWS_DISRUPTION_REPAIR_POLICIES if self._is_later else AWS_REPAIR_POLICIES,
        )
        rates = InterruptionRates({("*", "*"): 0.99} if rng.random() < 0.4 else {})
        shortages = CapacityShortages({("*", "*", SPOT): 0.2} if rng.random() < 0.3 else {})

        def purchase(claim: PlacedClaim) -> Purchase:
            return cheapest_purchase(claim, REGISTRY)

        edited = {p.name: self._pool(p.name, is_static=p.is_static) for p in pools}
        hashes = {name: {HASH: "1", HASH_VERSION: p.karpenter.node_pool_hash} for name, p in edited.items()}
        edition = Edition(replace(state, pools=edited), purchase, {}, hashes)
        return SimulationInputs(state, groups, daemons, purchase, interruptions=rates, shortages=shortages, editions=(edition,))

    @property
    def _is_later(self) -> bool:
        return self.karpenter.does(Behaviour.REPAIR_IS_A_DISRUPTION_METHOD)

    def _gates(self) -> FeatureGates:
        rng = self.rng
        return FeatureGates(
            spot_to_spot=rng.random() < 0.5,
            static_capacity=True,
            node_repair=rng.random() < 0.5,
            terminate_first_drift=self._is_later and rng.random() < 0.4,
            terminate_first_repair=self._is_later and rng.random() < 0.4,
        )

    def _pool(self, name: str, *, is_static: bool) -> NodePool:
        rng = self.rng
        fields: dict[str, Any] = {}
        if is_static:
            written = pool(name, budgets=self._budgets(), kinds=(ON_DEMAND,), replicas=rng.randint(0, 3))
            return written.under(self.karpenter, frozenset({"StaticCapacity"}))
        if rng.random() < 0.4:
            fields["weight"] = rng.choice((5, 10))
        if rng.random() < 0.25:
            fields["limits"] = {"cpu": str(rng.choice((16, 40)))}
        if rng.random() < 0.5:
            fields["expire_after"] = rng.choice(("40m", "90m"))
        if rng.random() < 0.3:
            fields["termination_grace_period"] = rng.choice(("2m", "10m"))
        if rng.random() < 0.2:
            fields["taints"] = [Taint("team", "NoSchedule", "red")]
        wanted = [Expression(ZONE, "In", ZONES[:2])] if rng.random() < 0.3 else []
        kinds = rng.choice(((ON_DEMAND,), (SPOT,), (SPOT, ON_DEMAND), (SPOT, ON_DEMAND)))
        written = pool(
            name,
            policy=rng.choice(("WhenEmptyOrUnderutilized", "WhenEmptyOrUnderutilized", "WhenEmpty")),
            after=rng.choice(("0s", "30s", "2m", "5m")),
            budgets=self._budgets(),
            kinds=kinds,
            requirements=wanted,
            **fields,
        )
        return written.under(self.karpenter)

    def _budgets(self) -> Sequence[Budget]:
        rng = self.rng
        budgets = [Budget(nodes=rng.choice(("1", "2", "20%", "50%", "100%", "100%")))]
        if rng.random() < 0.3:
            budgets.append(Budget(nodes="1", reasons=[rng.choice(("Underutilized", "Empty", "Drifted"))]))
        if rng.random() < 0.3:
            budgets.append(Budget(nodes="0", schedule="30 12 * * *", duration="25m"))
        return budgets

    def _group(self, name: str) -> PodGroup:
        rng = self.rng
        labels, fields = {"app": name}, {}
        own = selecting(app=name)
        rule = rng.random()
        if rule < 0.2:
            key, when = rng.choice((ZONE, ZONE, HOSTNAME)), rng.choice(("DoNotSchedule", "ScheduleAnyway"))
            policy = rng.choice(("Ignore", "Ignore", "Honor"))
            fields["spread"] = (
                spread(key, rng.choice((1, 2)), selector=own, when_unsatisfiable=when, node_taints_policy=policy),
            )
        elif rule < 0.28:
            fields["anti_affinity"] = (PodTerm(HOSTNAME, own),)
        elif rule < 0.34:
            fields["affinity"] = (PodTerm(rng.choice((ZONE, HOSTNAME)), own),)
        elif rule < 0.42:
            fields["preferred_anti_affinity"] = (PodTerm(HOSTNAME, own, weight=10),)
        if rng.random() < 0.15:
            fields["node_selector"] = {ZONE: rng.choice(ZONES)}
        if rng.random() < 0.3:
            fields["tolerations"] = (Toleration("team", "Exists"),)
        kind = rng.choice(("Deployment", "Deployment", "StatefulSet", "CronJob"))
        annotations = {}
        if rng.random() < 0.15:
            annotations["karpenter.sh/do-not-disrupt"] = rng.choice(("true", "20m"))
        if rng.random() < 0.2:
            annotations["controller.kubernetes.io/pod-deletion-cost"] = rng.choice(("100", "-50", "1000000000"))
        template = pod(
            rng.choice(("100m", "250m", "500m", "1", "1500m", "3")),
            rng.choice(("128Mi", "1Gi", "3Gi")),
            labels=labels,
            **fields,
        )
        return PodGroup(name, "default", kind, 0, template, annotations=annotations, grace=rng.choice((30, 30, 2, 120)))

    def _daemon(self, name: str) -> DaemonSet:
        rng = self.rng
        tolerations = (Toleration(operator="Exists"),) if rng.random() < 0.7 else ()
        return DaemonSet(
            name, "kube-system", pod(rng.choice(("50m", "200m")), "64Mi", namespace="kube-system", tolerations=tolerations)
        )

    def _guard(self, group: PodGroup) -> PodDisruptionBudget:
        limit = self.rng.choice(
            ({"minAvailable": "50%"}, {"maxUnavailable": 1}, {"maxUnavailable": "25%"}, {"maxUnavailable": 0})
        )
        spec = {"selector": {"matchLabels": {"app": group.name}}, **limit}
        return PodDisruptionBudget.read({"metadata": {"name": group.name}, "spec": spec})

    def demand(self, groups: Sequence[PodGroup], hours: float) -> list[Event]:
        """Return what the workloads want, in order of time; much of it comes in bursts."""
        rng = self.rng
        events: list[Event] = []
        for group in groups:
            at = 0
            while at < hours * HOUR:
                if group.kind == "CronJob":
                    parallelism = rng.randint(1, 6)
                    terms = JobTerms(parallelism * rng.choice((1, 2)), parallelism)
                    events.append(JobStarted(at, group.workload, terms, rng.randint(2, 20) * MINUTE))
                elif rng.random() < 0.08:
                    events.append(TemplateChanged(at, group.workload, f"r{at}"))
                else:
                    events.append(ReplicasSet(at, group.workload, rng.choice((0, 1, 2, 4, 7, 12))))
                at += rng.choice((rng.randint(1, 60) * 997, rng.randint(5, 40) * MINUTE))
        events += self._from_outside(hours)
        return sorted(events, key=lambda event: event.at)

    def _from_outside(self, hours: float) -> Iterator[Event]:
        """Yield what happens besides what workloads want."""
        rng = self.rng
        at = (rng.randint(10 * MINUTE, round(hours * HOUR)) for _ in range(100))
        if rng.random() < 0.5:
            yield ImageReleased(next(at))
        if rng.random() < 0.4:
            yield ClusterEdited(next(at), 1)
        for _ in range(rng.choice((0, 0, 1, 3))):
            kind, status = rng.choice(UNHEALTHY)
            yield NodesFailed(
                next(at), NodeSelection(count=rng.choice((1, 2))), kind, status, lasts=rng.choice((None, 5 * MINUTE))
            )
        for _ in range(rng.choice((0, 0, 1, 2))):
            start = next(at)
            yield CapacityLost(start, rng.choice(("*", "a-2", "b-4")), rng.choice(("*", *ZONES)), "*", start + 20 * MINUTE)
        for _ in range(rng.choice((0, 1, 1, 2))):
            yield NodesInterrupted(next(at), NodeSelection(count=rng.choice((1, 1, 3))))
