"""Simulate the loss of all spot capacity of a zone: where the pods of its nodes are placed."""

from __future__ import annotations

from dataclasses import replace

from cutlist.core.errors import InputError, Place, nearest
from cutlist.disruption.feature_gates import FeatureGates
from cutlist.disruption.spot_loss import SpotLoss, lose_spot
from cutlist.disruption.trajectory import judged
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.planning.services import running_services
from cutlist.settings.interrupt import SPOT_ENDS
from cutlist.verbs.cluster_state import at_instant, cluster_state_of


def interrupt(
    inputs: PlanInputs,
    now: float | None = None,
    zone: str = "",
    *,
    plan: Plan | None = None,
    allow_empty: bool = False,
) -> SpotLoss:
    """Return what happens to a cluster when all spot capacity of a zone ends at an instant (seconds since 1970).

    With a plan of these inputs it is the cluster that the plan describes. Without a zone the spot capacity of all zones ends;
    the instant is by default the newest in the inputs. Raises InputError for a zone that the region does not have, and as
    `disrupt` does.

    >>> from cutlist import interrupt, read_inputs
    >>> files = ["examples/shop/pools.yaml", "examples/shop/snapshot.yaml"]
    >>> loss = interrupt(read_inputs(files, region="us-west-2"), zone="us-west-2b")
    >>> loss.displaced
    1
    """
    zones = [z.name for z in inputs.catalog.zones]
    if zone and zone not in zones:
        text = f"no zone {zone!r} in {inputs.catalog.region}"
        raise InputError.one(Place.of(SPOT_ENDS), text, ", ".join(zones), nearest(zone, zones))
    inputs, instant = at_instant(inputs, now, plan)
    cluster = judged(cluster_state_of(inputs, instant, FeatureGates(), allow_empty=allow_empty))
    return replace(
        lose_spot(cluster, zone, region=inputs.catalog.region),
        price_age=inputs.price_age,
        services=running_services(inputs) or None,
    )
