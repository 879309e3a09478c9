"""The HorizontalPodAutoscalers of a simulation: every 15 seconds each sees its metrics and its workload's pods."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from cutlist.simulation.controllers import Controllers
from cutlist.simulation.demand.autoscaling import SYNC_PERIOD, HorizontalAutoscaler, ScalingHistory, desired_replicas
from cutlist.simulation.demand.curves import Curve, DemandCurves
from cutlist.simulation.demand.replica_calculator import PodCounts
from cutlist.simulation.events import AutoscalersDue
from cutlist.simulation.world import World


@dataclass(frozen=True, slots=True)
class AutoscalerInput:
    """What an autoscaler sees besides what it remembers."""

    replicas: int
    pods: PodCounts
    usage: Mapping[str, int]


@dataclass(slots=True)
class SteppedAutoscaler:
    """An autoscaler with its curves and its memory. `steady` is what it saw last, if it changed nothing and remembers nothing
    else."""

    autoscaler: HorizontalAutoscaler
    curves: Mapping[str, Curve]
    history: ScalingHistory = field(default_factory=ScalingHistory)
    steady: AutoscalerInput | None = None

    def desired(self, now: int, seen: AutoscalerInput) -> int:
        """Return the replicas that the autoscaler sets. If it sees the same as when it last recommended the current replicas,
        with nothing else to remember, it recommends them again: only the instant of the recommendation differs, which is
        corrected once it sees something else.
        """
        # Most looks of a week see what the one before saw; replaying all of them would cost most of a run.
        if seen == self.steady:
            return seen.replicas
        history = self.history
        if self.steady is not None:
            # A steady autoscaler remembers exactly one recommendation, which would have been renewed at each look.
            ((_, recommended),) = history.recommendations
            history = replace(history, recommendations=((now - SYNC_PERIOD, recommended),))
        desired, self.history = desired_replicas(self.autoscaler, now, seen.replicas, seen.pods, seen.usage, history)
        # The first look remembers the present replicas even where no pod has a metric yet; only a recommendation renews them.
        rests = bool(history.recommendations) and self.history.recommendations == ((now, seen.replicas),)
        self.steady = seen if rests and desired == seen.replicas else None
        return desired


class Autoscalers:
    """Steps autoscalers whose workloads have a curve for one of their metrics; the others do nothing.

    Pods are ready or not: metrics of a pod are there as soon as it is ready, and metrics of pods are what all of them use.
    """

    __slots__ = ("_controllers", "_stepped", "_world")

    def __init__(
        self, world: World, controllers: Controllers, autoscalers: Iterable[HorizontalAutoscaler], curves: DemandCurves
    ) -> None:
        self._world = world
        self._controllers = controllers
        self._stepped: list[SteppedAutoscaler] = []
        for autoscaler in autoscalers:
            names = {metric.name for metric in autoscaler.metrics}
            own = {name: c for (of, name), c in curves.metrics.items() if of == autoscaler.workload and name in names}
            if own and autoscaler.workload in controllers.workloads:
                self._stepped.append(SteppedAutoscaler(autoscaler, own))

    def begin(self) -> None:
        """Look for the first time one period after the start."""
        if self._stepped:
            self._world.push(AutoscalersDue(self._world.now + SYNC_PERIOD))

    def look(self) -> None:
        """Let every autoscaler set the replicas of its workload, and look again after a period."""
        now = self._world.now
        for stepped in self._stepped:
            name = stepped.autoscaler.workload
            # One after the other, each with what the ones before have set: so does their controller.
            replicas, ready, total = self._controllers.counts(name)
            usage = {metric: curve.value_at(now) for metric, curve in stepped.curves.items()}
            desired = stepped.desired(now, AutoscalerInput(replicas, PodCounts(ready, total - ready), usage))
            if desired != replicas:
                self._controllers.set_replicas(name, desired)
        self._world.push(AutoscalersDue(now + SYNC_PERIOD))
