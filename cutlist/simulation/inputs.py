"""What a simulation begins with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from cutlist.disruption.cluster_state import ClusterState
from cutlist.simulation.cron_jobs import TimedCronJob
from cutlist.simulation.demand.autoscaling import HorizontalAutoscaler
from cutlist.simulation.demand.curves import DemandCurves
from cutlist.simulation.demand.jobs import TimedJob
from cutlist.simulation.demand.rollouts import Rollout
from cutlist.simulation.failures import InterruptionRates
from cutlist.simulation.offerings import AttachLimits, Edition, Purchases, any_number
from cutlist.simulation.shortages import CapacityShortages
from cutlist.workloads.default_selectors import NO_SOURCES, SelectorSources
from cutlist.workloads.gangs.gang import Gang
from cutlist.workloads.groups import DaemonSet, PodGroup


@dataclass(frozen=True, slots=True)
class SimulationInputs:
    """What a simulation begins with: the cluster, with its NodeOverlays applied, and everything that may run in it.

    `groups` are the workloads; those that `demand` does not mention keep their count. `workload_of` gives the workload of each
    pod that runs, by `namespace/name`. `purchases` say what NodeClaims become, `attach_limits` how many volumes their nodes
    attach. `metrics` are the curves that the autoscalers look at, and `rollouts` how workloads take over a new template, by
    their names. `selectors` are what kube-scheduler deduces the selectors of its default spread constraints from. `at_once` are
    the storage classes that bind claims as soon as they exist; in the cluster they bind late, as plans assume. `gangs` are
    those of the workloads.
    """

    cluster: ClusterState
    groups: Sequence[PodGroup]
    daemons: Sequence[DaemonSet]
    purchases: Purchases
    workload_of: Mapping[str, str] = field(default_factory=dict)
    autoscalers: Sequence[HorizontalAutoscaler] = ()
    metrics: DemandCurves = field(default_factory=DemandCurves)
    cron_jobs: Sequence[TimedCronJob] = ()
    jobs: Sequence[TimedJob] = ()
    rollouts: Mapping[str, Rollout] = field(default_factory=dict)
    interruptions: InterruptionRates = field(default_factory=InterruptionRates)
    shortages: CapacityShortages = field(default_factory=CapacityShortages)
    editions: Sequence[Edition] = ()
    selectors: SelectorSources = NO_SOURCES
    attach_limits: AttachLimits = any_number
    at_once: frozenset[str] = frozenset()
    gangs: Sequence[Gang] = ()

    @property
    def all_editions(self) -> tuple[Edition, ...]:
        """Return the NodePools at the start, and those of each edit that follows."""
        return Edition(self.cluster, self.purchases, {}, {}, self.attach_limits), *self.editions
