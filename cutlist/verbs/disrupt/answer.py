"""What Karpenter will do next to a cluster that was saved to files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from cutlist.catalog.ages import PRICE_AGE, PriceAge
from cutlist.core.records import FLAT, SPARSE, After, Key, about, computed
from cutlist.core.services import OF_ANSWER, RunningService
from cutlist.disruption.cluster_state import ClusterState, odd_times
from cutlist.disruption.feature_gates import FeatureGates
from cutlist.disruption.forecast import Forecast, forecast
from cutlist.disruption.node_repair import repair
from cutlist.disruption.static_scale_in import surplus
from cutlist.disruption.timeline import ForcedRemoval, timeline, with_repairs, with_scale_in
from cutlist.disruption.trajectory import Trajectory, judged, until_stable
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.planning.model.notebook import NotebookValue
from cutlist.planning.services import running_services
from cutlist.verbs.cluster_state import at_instant, cluster_state_of


@dataclass(frozen=True, slots=True)
class DisruptionForecast(NotebookValue):
    """What Karpenter does next to a cluster.

    `removals` are forced, `trajectory` is everything that follows, if requested.
    `oddities` are times in the input that are inconsistent with each other or with the instant, and odd findings while
    reading.
    """

    region: str
    forecast: Annotated[Forecast, FLAT]
    removals: tuple[ForcedRemoval, ...] = ()
    trajectory: Annotated[
        Trajectory | None, Key("course"), SPARSE, about("The following steps; present only if requested."), After("error")
    ] = None
    oddities: tuple[str, ...] = ()
    price_age: Annotated[PriceAge | None, SPARSE, PRICE_AGE] = None
    services: Annotated[tuple[RunningService, ...] | None, SPARSE, OF_ANSWER] = None
    version: Annotated[Literal[1], After("")] = 1

    @property
    def due(self) -> tuple[ForcedRemoval, ...]:
        """Return the forced removals that begin now, regardless of budgets."""
        return tuple(r for r in self.removals if r.at <= self.forecast.now and not r.blocked)

    @property
    @computed(after="oddities")
    def error(self) -> Annotated[str | None, SPARSE, about("Why Karpenter does nothing at all; only then.")]:
        """Return why Karpenter does nothing at all, if it does nothing for a reason."""
        return self.forecast.error or None


def disrupt(
    inputs: PlanInputs,
    now: float | None = None,
    *,
    plan: Plan | None = None,
    gates: FeatureGates | None = None,
    to_the_end: bool = False,
    allow_empty: bool = False,
) -> DisruptionForecast:
    """Return the next command of Karpenter at an instant (seconds since 1970), and with `to_the_end` the whole trajectory.

    The instant is by default the newest in the inputs. With a plan of these inputs the cluster is the one that the plan
    describes, once it has settled. Raises InputError when there are no nodes, unless that is allowed, for a plan of other
    inputs, and for NodePools of two controllers, which have to be examined separately.

    >>> from cutlist import disrupt, read_inputs
    >>> files = ["examples/shop/pools.yaml", "examples/shop/snapshot.yaml"]
    >>> coming = disrupt(read_inputs(files, region="us-west-2"))
    >>> [(command.decision, [candidate.name for candidate in command.candidates]) for command in coming.forecast.commands]
    [('delete', ['ip-10-0-3-31'])]
    """
    inputs, instant = at_instant(inputs, now, plan)
    cluster = judged(cluster_state_of(inputs, instant, gates or FeatureGates(), allow_empty=allow_empty))
    trajectory = until_stable(cluster) if to_the_end else None
    return DisruptionForecast(
        inputs.catalog.region,
        forecast(cluster),
        _removals(cluster),
        trajectory,
        (*odd_times(cluster.nodes, instant), *(note.text for note in inputs.warnings)),
        inputs.price_age,
        running_services(inputs) or None,
    )


def _removals(cluster: ClusterState) -> tuple[ForcedRemoval, ...]:
    """Return the forced removals, including nodes that a static NodePool gives up, and unhealthy nodes if their feature gate is
    on and they are not left to repair as a disruption method."""
    removals = with_scale_in(timeline(cluster.nodes, cluster.now), surplus(cluster), cluster.now)
    if not cluster.feature_gates.node_repair or cluster.repairs:
        return removals
    return with_repairs(removals, cluster.nodes, repair(cluster.nodes, cluster.repair_policies, cluster.now), cluster.now)
