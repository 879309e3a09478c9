"""Claims to devices: requests, constraints and configuration (W-86 to W-90)."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from cutlist.workloads.validation import formats
from cutlist.workloads.validation.devices import gates, names
from cutlist.workloads.validation.devices.expressions import check_selectors
from cutlist.workloads.validation.metadata import check_template_metadata
from cutlist.workloads.validation.refusals import Refusals, one_of
from cutlist.workloads.validation.resources import is_extended

Manifest = Mapping[str, Any]

MODES: Final = ("All", "ExactCount")
EFFECTS: Final = ("NoExecute", "NoSchedule", "None")
_OPERATORS: Final = ("Equal", "Exists")
_ENTRIES: Final = 32  # of requests, constraints, configurations and names in them
_ALTERNATIVES: Final = 8
_LONGEST_PARAMETERS: Final = 10 * 1024
_ONE_FORM: Final = "exactly one of exactly and firstAvailable is needed"


def check_device_class(manifest: Manifest, refusals: Refusals) -> None:
    """Add what is wrong with a DeviceClass."""
    spec = manifest.get("spec") or {}
    check_selectors(spec.get("selectors") or (), "spec.selectors", refusals)
    config = spec.get("config") or ()
    if not names.is_too_many(config, _ENTRIES, "spec.config", refusals):
        for index, each in enumerate(config):
            _check_opaque(each, f"spec.config[{index}]", refusals)
    name = spec.get("extendedResourceName")
    if name is not None and refusals.minor >= gates.BETA:
        _check_extended_name(name, "spec.extendedResourceName", refusals)


def _check_extended_name(name: str, path: str, refusals: Refusals) -> None:
    before = len(refusals.problems.found)
    if not is_extended(name):
        refusals.invalid(path, name, "is not a name for an extended resource", "such as example.com/gpu")
        return
    # A quota puts a prefix before the name, which still has to be a qualified one.
    formats.qualified_name(f"requests.{name}", path, refusals)
    del refusals.problems.found[before + 1 :]


def check_resource_claim(manifest: Manifest, refusals: Refusals) -> None:
    """Add what is wrong with a ResourceClaim."""
    _check_claim_spec(manifest.get("spec") or {}, "spec", refusals)


def check_claim_template(manifest: Manifest, refusals: Refusals) -> None:
    """Add what is wrong with a ResourceClaimTemplate, whose claims take only labels and annotations from it."""
    spec = manifest.get("spec") or {}
    check_template_metadata(spec.get("metadata") or {}, "spec.metadata", refusals)
    _check_claim_spec(spec.get("spec") or {}, "spec.spec", refusals)


def _check_claim_spec(spec: Manifest, path: str, refusals: Refusals) -> None:
    claim, here = spec.get("devices") or {}, f"{path}.devices"
    requests, constraints, config = (claim.get(part) or () for part in ("requests", "constraints", "config"))
    known = request_names(requests)
    names.each_once(requests, _ENTRIES, "name", f"{here}.requests", refusals, _check_request)
    if not names.is_too_many(constraints, _ENTRIES, f"{here}.constraints", refusals):
        for index, constraint in enumerate(constraints):
            _check_constraint(constraint, known, f"{here}.constraints[{index}]", refusals)
    if not names.is_too_many(config, _ENTRIES, f"{here}.config", refusals):
        for index, each in enumerate(config):
            _check_references(each.get("requests") or (), known, f"{here}.config[{index}].requests", refusals)
            _check_opaque(each, f"{here}.config[{index}]", refusals)


def request_names(requests: Sequence[Manifest]) -> Collection[str]:
    """Return the names by which requests may be referred to: their own, and `request/alternative`."""
    known: dict[str, None] = {}
    for request in requests:
        name = request.get("name") or ""
        known[name] = None
        known.update((f"{name}/{each.get('name') or ''}", None) for each in request.get("firstAvailable") or ())
    return known


def _check_request(request: Manifest, path: str, refusals: Refusals) -> None:
    formats.dns_label(request.get("name") or "", f"{path}.name", refusals)
    exactly, alternatives = request.get("exactly"), request.get("firstAvailable") or ()
    if exactly is None and not alternatives:
        refusals.required(path, _ONE_FORM)
    elif exactly is not None and alternatives:
        refusals.add(path, f"has both: {_ONE_FORM}")
    elif exactly is not None:
        _check_asked(gates.asked(exactly, refusals.minor), f"{path}.exactly", refusals)
    else:
        names.each_once(alternatives, _ALTERNATIVES, "name", f"{path}.firstAvailable", refusals, _check_alternative)


def _check_alternative(alternative: Manifest, path: str, refusals: Refusals) -> None:
    formats.dns_label(alternative.get("name") or "", f"{path}.name", refusals)
    _check_asked(gates.asked(alternative, refusals.minor), path, refusals)


def _check_asked(asked: Manifest, path: str, refusals: Refusals) -> None:
    """Add what is wrong with what a request or an alternative asks for."""
    formats.object_name(asked.get("deviceClassName"), f"{path}.deviceClassName", refusals)
    check_selectors(asked.get("selectors") or (), f"{path}.selectors", refusals)
    mode, count = asked.get("allocationMode") or "ExactCount", asked.get("count") or 0
    one_of(mode, f"{path}.allocationMode", MODES, refusals)
    if mode == "All" and count:
        refusals.invalid(f"{path}.count", count, "must not be set when allocationMode is All")
    elif mode == "ExactCount" and count < 0:
        refusals.invalid(f"{path}.count", count, "must be greater than zero")
    for index, toleration in enumerate(asked.get("tolerations") or ()):
        _check_toleration(toleration, f"{path}.tolerations[{index}]", refusals)


def _check_toleration(toleration: Manifest, path: str, refusals: Refusals) -> None:
    key, value = toleration.get("key") or "", toleration.get("value") or ""
    operator, effect = toleration.get("operator"), toleration.get("effect") or None
    if key:
        formats.qualified_name(key, f"{path}.key", refusals)
    if operator == "Exists" and value:
        refusals.invalid(f"{path}.value", value, "must be empty when operator is Exists")
    elif operator in (None, "", "Equal"):
        formats.label_value(value, f"{path}.value", refusals)
    one_of(operator or None, f"{path}.operator", _OPERATORS, refusals)
    one_of(effect, f"{path}.effect", EFFECTS, refusals)


def _check_constraint(written: Manifest, known: Collection[str], path: str, refusals: Refusals) -> None:
    constraint = gates.constraint(written, refusals.minor)
    _check_references(constraint.get("requests") or (), known, f"{path}.requests", refusals)
    for name in ("matchAttribute", "distinctAttribute"):
        if constraint.get(name) is not None:
            names.qualified(constraint[name], f"{path}.{name}", refusals, fully=True)
            return
    if refusals.minor >= gates.BETA:
        refusals.required(path, "exactly one of matchAttribute and distinctAttribute is needed")
    else:
        refusals.required(f"{path}.matchAttribute")


def _check_references(references: Sequence[Any], known: Collection[str], path: str, refusals: Refusals) -> None:
    """Add references to requests that the claim does not have."""
    if names.is_too_many(references, _ENTRIES, path, refusals):
        return
    texts = [reference or "" for reference in references]
    for index, text in enumerate(texts):
        segments = text.split("/")
        for segment in segments if len(segments) <= 2 else ():
            formats.dns_label(segment, f"{path}[{index}]", refusals)
        if text not in known:
            refusals.not_found(f"{path}[{index}]", text, "request", known)
    for index in formats.first_repeated(texts):
        refusals.duplicate(f"{path}[{index}]", texts[index])


def _check_opaque(configuration: Manifest, path: str, refusals: Refusals) -> None:
    opaque, here = configuration.get("opaque"), f"{path}.opaque"
    if opaque is None:
        refusals.required(here)
        return
    names.driver(opaque.get("driver"), f"{here}.driver", refusals)
    parameters = opaque.get("parameters")
    if parameters is None:
        refusals.required(f"{here}.parameters")
    elif (size := len(json.dumps(parameters, separators=(",", ":"), ensure_ascii=False, default=str))) > _LONGEST_PARAMETERS:
        refusals.add(f"{here}.parameters", f"has {size} characters as JSON", f"at most {_LONGEST_PARAMETERS}")
    elif not isinstance(parameters, Mapping):
        refusals.add(f"{here}.parameters", "must be a mapping")
