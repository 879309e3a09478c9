"""Digests of the specs of Karpenter's objects, field by field: they identify what a plan was made from without showing it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.api.kinds import kind_of_manifest
from cutlist.core.karpenter.baselines import DEFAULT, Baseline
from cutlist.planning.inputs import PlanInputs

_DIGITS: Final = 12
_DEFAULT_NAMESPACE: Final = "default"
Digests = Mapping[str, str]
"""A digest of each member of a spec that is not a mapping, by path."""


def planned_specs(inputs: PlanInputs) -> dict[str, Digests]:
    """Return the digests of every object of Karpenter that a plan is made from, by kind and name such as `NodePool/general`."""
    karpenter = inputs.options.karpenter
    stored = (o.stored() for o in (*inputs.node_pools, *inputs.node_classes))
    others = (d.data for d in inputs.documents if d.kind in ("NodeOverlay", "CapacityBuffer"))
    specs = {object_key(manifest): _digests(manifest) for manifest in stored}
    specs |= {object_key(manifest): spec_digests(manifest, karpenter) for manifest in others}
    return {key: specs[key] for key in sorted(specs)}


def object_key(manifest: Mapping[str, Any]) -> str:
    """Return the key of an object among planned ones: kind and name, for a CapacityBuffer with its namespace."""
    metadata = manifest.get("metadata")
    own = metadata if isinstance(metadata, Mapping) else {}
    kind = kind_of_manifest(manifest)
    namespace = f"{own.get('namespace') or _DEFAULT_NAMESPACE}/" if kind is not None and kind.is_namespaced else ""
    return f"{manifest.get('kind', '')}/{namespace}{own.get('name', '')}"


def spec_digests(manifest: Mapping[str, Any], karpenter: Baseline = DEFAULT) -> Digests:
    """Return the digests of an object's spec with every default: equal for specs that an API server stores alike.

    It is empty for a kind that is not Karpenter's.
    """
    kind = kind_of_manifest(manifest, karpenter)
    return {} if kind is None else _digests(kind.stored(manifest))


def _digests(stored: Mapping[str, Any]) -> Digests:
    return {path: _digest(value) for path, value in _members(stored.get("spec"), "spec")}


def _members(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping) and value:
        for key in value:
            yield from _members(value[key], f"{path}.{key}")
    else:
        yield path, value


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(_as_texts(value), sort_keys=True).encode()).hexdigest()[:_DIGITS]


def _as_texts(value: Any) -> Any:
    """Return data with scalars as texts: a quantity is the same as a number and as a text."""
    if isinstance(value, Mapping):
        return {str(key): _as_texts(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_as_texts(inner) for inner in value]
    return value if value is None or isinstance(value, bool) else str(value)
