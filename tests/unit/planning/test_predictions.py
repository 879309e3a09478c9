"""What a claim is launched as is predicted once for the same types and requirements."""

from __future__ import annotations

from cutlist.core.requirement import Expression
from cutlist.core.requirements import Requirements
from cutlist.planning.cloud import Predictions
from cutlist.scheduling.inputs import SchedulerOptions
from cutlist.scheduling.instancetype_options import InstanceTypeOptions
from cutlist.scheduling.results import PlacedClaim
from tests.unit.disruption.builders import LARGE, MEDIUM, SMALL
from tests.unit.scheduling.builders import REGISTRY


class CountingCloud:
    """A cloud that launches nothing, and keeps what it is asked."""

    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []

    def predict(self, types, wanted, _node_class, _options):
        self.calls.append((types, wanted))


def test_claims_of_other_passes_share_a_prediction_and_others_do_not():
    cloud, zone = CountingCloud(), Requirements.of_expressions([Expression("zone", "In", ("a",))], REGISTRY)
    predictions = Predictions(cloud, {}, REGISTRY, SchedulerOptions(), lambda *_: {})
    for types, requirements, pool, calls in (
        ((SMALL, MEDIUM), Requirements(), "web", 1),
        ((SMALL, MEDIUM), Requirements(), "web", 1),
        ((SMALL, LARGE), Requirements(), "web", 2),
        ((SMALL, MEDIUM), zone, "web", 3),
        ((SMALL, MEDIUM), Requirements(), "batch", 4),
        ((SMALL, MEDIUM), zone, "web", 4),
    ):
        predictions.of(PlacedClaim(pool, {}, requirements, {}, InstanceTypeOptions(types, (None,) * len(types))))
        assert len(cloud.calls) == calls
