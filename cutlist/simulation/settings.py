"""What a simulation assumes about time: how long machines, pods and controllers need, and for how long it runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from cutlist.disruption.feature_gates import FeatureGates
from cutlist.settings.simulate import SEED
from cutlist.simulation.events import DAY, SECOND


@dataclass(frozen=True, slots=True)
class SimulationCost:
    """How long Karpenter needs to simulate the removal of nodes, in microseconds: for each simulation, plus for each node of
    the cluster and each pod that moves. It only decides which searches of consolidation reach their timeouts.
    """

    each: int = 2_000
    node: int = 20
    pod: int = 50

    def of(self, nodes: int, pods: int) -> int:
        """Return the milliseconds of one simulation, at least one."""
        return max(1, (self.each + self.node * nodes + self.pod * pods) // 1000)


@dataclass(frozen=True, slots=True)
class SimulationSettings:
    """How a simulation runs. Durations are in milliseconds; `start` is the instant 0 in seconds since 1970.

    A batch of pending pods closes `batch_idle` after the last pod and `batch_max` after the first (Karpenter's flags). A
    NodeClaim has its instance after `launch` and is ready after `startup`. A pod is ready after `pod_start`, and ends within
    `pod_stop` of its eviction, or within its grace period where that is shorter. `interruption_notice` is how long a spot
    instance runs after its interruption was announced.
    """

    start: float
    until: int = 7 * DAY
    seed: int = SEED.default
    batch_idle: int = 1 * SECOND
    batch_max: int = 10 * SECOND
    launch: int = 3 * SECOND
    startup: int = 60 * SECOND
    pod_start: int = 5 * SECOND
    pod_stop: int = 5 * SECOND
    interruption_notice: int = 120 * SECOND
    gates: FeatureGates = field(default_factory=FeatureGates)
    cost: SimulationCost = field(default_factory=SimulationCost)

    def instant(self, at: int) -> float:
        """Return an instant of the simulation in seconds since 1970."""
        return self.start + at / SECOND

    def stream(self, cause: str) -> Random:
        """Return the random numbers of one cause: those of other causes never change them."""
        # A stream for each cause, so that one more draw of one cause does not shift those of all others.
        return Random(f"{self.seed}/{cause}")  # noqa: S311 - repeatable by intention
