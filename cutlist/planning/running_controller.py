"""What the Karpenter among the objects runs with, by the variables of its container."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from cutlist.core.karpenter.feature_gates import DEVICE_GATES, gate_spelled
from cutlist.documents.document import Document
from cutlist.documents.members import entries, mapping
from cutlist.planning.controller_settings import ControllerSettings

_GATES: Final = ("FEATURE_GATES", "AWS_FEATURE_GATES")
_IGNORE_CLAIMS: Final = "IGNORE_DRA_REQUESTS"


def with_running_controller(settings: ControllerSettings, documents: Iterable[Document]) -> ControllerSettings:
    """Return the settings with what a controller among the objects says of claims for devices, unless it is set already."""
    variables = dict(_variables(d.data for d in documents))
    if settings.ignores_claims is None and _IGNORE_CLAIMS in variables:
        settings = replace(settings, ignores_claims=_is_true(variables[_IGNORE_CLAIMS]))
    gates = _gates_of(variables)
    unset = frozenset(name for name in DEVICE_GATES if gates.get(name) and name not in settings.feature_gates)
    return settings.with_aws_gates(unset) if unset else settings


def running_gates(manifests: Iterable[Mapping[str, Any]]) -> dict[str, bool]:
    """Return the feature gates of a controller among objects; snapshots have none."""
    return _gates_of(dict(_variables(manifests)))


def _gates_of(variables: Mapping[str, str]) -> dict[str, bool]:
    gates: dict[str, bool] = {}
    for part in (part for name in _GATES for part in variables.get(name, "").split(",")):
        written, _, on = part.partition("=")
        gate = gate_spelled(written.strip())
        if gate is not None:
            gates[gate.name] = _is_true(on)
    return gates


def _is_true(text: str) -> bool:
    return text.strip().lower() in ("true", "1", "t")


def _variables(manifests: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield the variables of all controllers that have any of Karpenter's."""
    for manifest in manifests:
        spec = mapping(manifest.get("spec"))
        if manifest.get("kind") == "Deployment":
            spec = mapping(mapping(spec.get("template")).get("spec"))
        elif manifest.get("kind") != "Pod":
            continue
        for container in map(mapping, entries(spec.get("containers"))):
            for variable in map(mapping, entries(container.get("env"))):
                if variable.get("name") in (*_GATES, _IGNORE_CLAIMS):
                    yield str(variable["name"]), str(variable.get("value") or "")
