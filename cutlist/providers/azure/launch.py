"""Which size the provider starts for a claim, in which offering, and what labels the node then has (spec: azure 3.2, 3.3, 6.3).

There is no fleet request: the provider itself picks one size and one offering. When Azure refuses, the offering is left alone
for a while (see `failures`) and the next look at the pods picks anew, so the order of choices is the order of retries.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cutlist.core.labels import AKS_GROUP, AZURE, INSTANCE_TYPE
from cutlist.core.requirements import Requirements
from cutlist.providers.azure.labels import EBPF_DATAPLANE, HYPERV, MODE, ULTRA_SSD, USER
from cutlist.providers.azure.settings import AzureSettings
from cutlist.providers.instance_types import InstanceType, Offering

if TYPE_CHECKING:
    from cutlist.api import AKSNodeClass

_CILIUM: Final = "cilium"
_OVERLAY: Final = "overlay"


@dataclass(frozen=True, slots=True)
class Choice:
    """A size with the offerings that the provider takes it in: equal in all but the zone, which is left to chance."""

    type: InstanceType
    offerings: tuple[Offering, ...]

    @property
    def offering(self) -> Offering:
        """One of them; they differ in their zone only."""
        return self.offerings[0]

    @property
    def zones(self) -> tuple[str, ...]:
        """The zones among which chance decides, sorted."""
        return tuple(sorted(o.zone for o in self.offerings))


def choices(types: Iterable[InstanceType], wanted: Requirements) -> tuple[Choice, ...]:
    """The sizes of a claim as they are tried: by price, spot before on-demand, in a zone before in none, then by name (Z-52).

    Sizes without a price come last; those without an open offering that the claim allows are left out.
    """
    found = [choice for t in types if (choice := _choice(t, wanted)) is not None]
    return tuple(sorted(found, key=lambda c: (*_order(c.offering), c.type.name)))


def _choice(t: InstanceType, wanted: Requirements) -> Choice | None:
    usable = [o for o in t.offerings if o.available and wanted.compatible(o.requirements, AZURE.well_known)]
    if not usable:
        return None
    best = min(map(_order, usable))
    return Choice(t, tuple(sorted((o for o in usable if _order(o) == best), key=lambda o: o.zone)))


def _order(offering: Offering) -> tuple[float, int]:
    return (math.inf if offering.price is None else offering.price, offering.rank)


def node_labels(
    choice: Choice, wanted: Requirements, node_class: AKSNodeClass, settings: AzureSettings, own: Mapping[str, str]
) -> dict[str, str]:
    """The labels of the node that a choice becomes, without its names and ids. `own` are those of the NodePool's template.

    Of the labels of its size those with one value; a node is for `user` pods unless its NodePool says otherwise (Z-34).
    """
    said = {**choice.type.requirements.single_values(), **choice.offering.requirements.single_values()}
    said.pop(HYPERV, None)
    said[ULTRA_SSD] = "true" if demands_ultra(wanted) else "false"
    said[MODE] = own.get(MODE, USER)
    return {**said, **_written(node_class, settings), **own, INSTANCE_TYPE: choice.type.name}


def demands_ultra(wanted: Requirements) -> bool:
    """Whether nothing but a machine that takes ultra disks would do (spec: azure 3.3)."""
    ultra = wanted.get(ULTRA_SSD)
    return ultra is not None and ultra.has("true") and not ultra.has("false")


def _written(node_class: AKSNodeClass, settings: AzureSettings) -> dict[str, str]:
    """What is written on nodes besides, and plays no part in scheduling."""
    streams = node_class.artifact_streaming is not None and node_class.artifact_streaming.enabled
    of_network: dict[str, str] = {}
    if settings.network_plugin_mode == _OVERLAY:
        of_network |= {f"{AKS_GROUP}/azure-cni-overlay": "true", f"{AKS_GROUP}/podnetwork-type": _OVERLAY}
    if settings.network_dataplane == _CILIUM:
        of_network[EBPF_DATAPLANE] = _CILIUM
    return {
        f"{AKS_GROUP}/role": "agent",
        f"{AKS_GROUP}/os-sku-requested": node_class.image_family,
        **of_network,
        **({f"{AKS_GROUP}/artifactstreaming-enabled": "true"} if streams else {}),
    }
