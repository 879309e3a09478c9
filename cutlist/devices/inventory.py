"""All objects of dynamic resource allocation in a cluster or a set of files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.core.labels import CORE, LabelRegistry
from cutlist.core.requirements import Requirements
from cutlist.devices.claims import ClaimSpec, DeviceClass, ResourceClaim
from cutlist.devices.older_forms import in_v1
from cutlist.devices.read import read_claim, read_class, read_slice, read_template
from cutlist.devices.slices import ResourceSlice

GROUP = "resource.k8s.io"
KINDS = frozenset(("DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice"))


@dataclass(frozen=True, slots=True)
class DeviceInventory:
    """Device classes by name, claims and the specs of claim templates by namespace and name, and published slices."""

    classes: Mapping[str, DeviceClass] = field(default_factory=dict)
    claims: Mapping[tuple[str, str], ResourceClaim] = field(default_factory=dict)
    templates: Mapping[tuple[str, str], ClaimSpec] = field(default_factory=dict)
    slices: tuple[ResourceSlice, ...] = ()

    def node_requirements(self) -> Iterator[Requirements]:
        """Yield what slices and allocations require of nodes."""
        for published in self.slices:
            yield from published.terms or ()
        for claim in self.claims.values():
            if claim.allocation is not None:
                yield from claim.allocation.terms or ()

    @staticmethod
    def of(manifests: Iterable[Mapping[str, Any]], registry: LabelRegistry = CORE) -> DeviceInventory:
        """Return what is among objects of any kinds."""
        by_kind: dict[str, list[Mapping[str, Any]]] = {kind: [] for kind in KINDS}
        for manifest in manifests:
            if manifest.get("kind") in by_kind and str(manifest.get("apiVersion") or GROUP).startswith(GROUP):
                by_kind[manifest["kind"]].append(in_v1(manifest))
        claims = [read_claim(m, registry) for m in by_kind["ResourceClaim"]]
        return DeviceInventory(
            classes={m["metadata"]["name"]: read_class(m) for m in by_kind["DeviceClass"]},
            claims={claim.key: claim for claim in claims},
            templates=dict(map(read_template, by_kind["ResourceClaimTemplate"])),
            slices=tuple(read_slice(m, registry) for m in by_kind["ResourceSlice"]),
        )


NO_INVENTORY: Final = DeviceInventory()
