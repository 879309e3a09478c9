"""Instance types and label registries of scenarios."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from cutlist.core.labels import AWS, CORE, LabelRegistry
from cutlist.core.quantity import amounts, merge
from cutlist.core.requirement import Expression
from cutlist.core.requirements import Requirements
from cutlist.devices.read import read_dynamic_resources
from cutlist.providers.instance_types import InstanceType, Offering
from tests.conformance.lookup import find_file


def registry_of(raw: Mapping[str, Any], path: Path) -> LabelRegistry:
    """Return the labels that a scenario's provider registers: one of `providers.json`, or what the scenario itself says."""
    provider = raw.get("provider") or guess_provider(raw.get("instanceTypes"))
    if isinstance(provider, Mapping):
        return inline_registry(json.dumps(provider, sort_keys=True))
    return AWS if provider == "aws" else provider_registry(provider, str(find_file(path, "providers.json")))


@lru_cache
def provider_registry(provider: str, file: str) -> LabelRegistry:
    return _extended(json.loads(Path(file).read_text())[provider])


@lru_cache
def inline_registry(text: str) -> LabelRegistry:
    return _extended(json.loads(text))


def _extended(known: Mapping[str, Any]) -> LabelRegistry:
    return CORE.extended(
        well_known=known.get("wellKnownLabels", ()),
        restricted_domains=known.get("restrictedLabelDomains", ()),
        normalized=known.get("normalizedLabels"),
        well_known_resources=known.get("wellKnownResources", ()),
        well_known_values=known.get("wellKnownValues"),
        reservation_id=known.get("reservationIDLabel"),
    )


def guess_provider(types: Any) -> str:
    name = Path(types).name if isinstance(types, str) else ""
    for start, provider in (("aws", "aws"), ("kwok", "kwok"), ("assorted", "fake"), ("fake", "fake")):
        if name.startswith(start):
            return provider
    return "example" if isinstance(types, str) and types.startswith("types/") else "core"


@dataclass(frozen=True, eq=False)
class Registered:
    """A registry as a key: registries are made once a provider."""

    registry: LabelRegistry

    def __hash__(self) -> int:
        return id(self.registry)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Registered) and self.registry is other.registry


@lru_cache(maxsize=64)
def type_file(path: str, registered: Registered) -> tuple[InstanceType, ...]:
    raw = json.loads(Path(path).read_text())
    return tuple(map(read_type(registered.registry), raw["instanceTypes"] if isinstance(raw, dict) else raw))


@lru_cache(maxsize=64)
def inline_types(text: str, registered: Registered) -> tuple[InstanceType, ...]:
    return tuple(map(read_type(registered.registry), json.loads(text)))


def read_type(registry: LabelRegistry) -> Any:
    def requirements(raw: Any) -> Requirements:
        return Requirements.of_expressions(map(Expression.read, raw or ()), registry)

    def offering(raw: Mapping[str, Any]) -> Offering:
        return Offering(
            requirements(raw["requirements"]),
            raw.get("price"),
            raw.get("available", False),
            raw.get("reservationCapacity", 0),
            amounts(raw.get("capacityOverride") or {}),
            merge(*(amounts(part) for part in (raw.get("overheadOverride") or {}).values())),
        )

    def instance_type(raw: Mapping[str, Any]) -> InstanceType:
        overhead = [amounts(part or {}) for part in (raw.get("overhead") or {}).values()]
        return InstanceType(
            raw["name"],
            requirements(raw["requirements"]),
            amounts(raw["capacity"]),
            merge(*overhead) if overhead else {},
            tuple(map(offering, raw.get("offerings") or ())),
            attach_limits=raw.get("volumeAttachmentLimits") or {},
            dynamic_resources=read_dynamic_resources(raw.get("dynamicResources") or {}),
        )

    return instance_type
