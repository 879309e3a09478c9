"""Instance types and what a provider registers, in the form of conformance scenarios."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from cutlist.core.labels import LabelRegistry
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.simulation.recording.pod_manifests import amounts_text, expressions_manifest, present


def types_form(types: Iterable[InstanceType]) -> list[dict[str, Any]]:
    """Return instance types as a scenario has them. A price that is unknown is null."""
    return [
        {
            "name": t.name,
            "requirements": expressions_manifest(t.requirements.expressions()),
            "capacity": amounts_text(t.capacity),
            **_overhead("overhead", t.overhead),
            "offerings": [_offering(o) for o in t.offerings],
            **present(volumeAttachmentLimits=dict(t.attach_limits)),
        }
        for t in types
    ]


def _offering(offering: Offering) -> dict[str, Any]:
    price = offering.price
    return {
        "requirements": expressions_manifest(offering.requirements.expressions()),
        "price": None if price is None or math.isnan(price) else price,
        "available": offering.available,
        **present(reservationCapacity=offering.reservation_capacity or None),
        **present(capacityOverride=amounts_text(offering.capacity_override)),
        **_overhead("overheadOverride", offering.overhead_override),
    }


def _overhead(name: str, amounts: Mapping[str, int]) -> dict[str, Any]:
    """Return all overhead as that of the kubelet: nothing depends on its kinds."""
    return {name: {"kubeReserved": amounts_text(amounts)}} if amounts else {}


def provider_form(registry: LabelRegistry) -> dict[str, Any]:
    """Return what a provider registers about labels and resources."""
    return present(
        wellKnownLabels=sorted(registry.well_known),
        restrictedLabelDomains=sorted(registry.restricted_domains),
        normalizedLabels=dict(sorted(registry.normalized.items())),
        wellKnownResources=sorted(registry.well_known_resources),
        wellKnownValues={key: sorted(values) for key, values in sorted(registry.well_known_values.items())},
        reservationIDLabel=registry.reservation_id,
    )
