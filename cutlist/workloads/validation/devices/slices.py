"""ResourceSlices: what drivers publish about the devices of a pool (W-91 to W-95)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from cutlist.workloads.validation import formats
from cutlist.workloads.validation.devices import gates, names
from cutlist.workloads.validation.devices.capacities import check_capacities
from cutlist.workloads.validation.devices.claims import EFFECTS
from cutlist.workloads.validation.refusals import Refusals, one_of
from cutlist.workloads.validation.selectors import check_node_selector

Manifest = Mapping[str, Any]

_DEVICES: Final = 128
_DEVICES_WITH_MORE: Final = 64  # with taints or counters
_COUNTER_SETS: Final = 8
_COUNTERS: Final = 32
_CONSUMPTIONS: Final = 2
_MEMBERS: Final = 32  # attributes and capacities of a device
_TAINTS: Final = 16
_TAINTS_BEFORE: Final = 4
_CONDITIONS: Final = 4
_OF_SLICE: Final = ("nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection")
_VALUES: Final = ("int", "bool", "string", "version")


def check_resource_slice(manifest: Manifest, refusals: Refusals) -> None:
    """Add what is wrong with a ResourceSlice."""
    spec = gates.slice_spec(manifest.get("spec") or {}, refusals.minor)
    names.driver(spec.get("driver"), "spec.driver", refusals)
    _check_pool(spec.get("pool") or {}, "spec.pool", refusals)
    _check_nodes(spec, _OF_SLICE, "spec", refusals)
    if len((spec.get("nodeSelector") or {}).get("nodeSelectorTerms") or ()) > 1:
        refusals.add("spec.nodeSelector.nodeSelectorTerms", "must have exactly one term")
    if spec.get("sharedCounters") is not None and spec.get("devices") is not None:
        refusals.add("spec", "has both sharedCounters and devices", "only one of them")
    devices, per_device = spec.get("devices") or (), spec.get("perDeviceNodeSelection") is True
    has_more = any(device.get("taints") or device.get("consumesCounters") for device in devices)

    def check(device: Manifest, path: str, refusals: Refusals) -> None:
        _check_device(device, path, refusals, per_device)

    names.each_once(devices, _DEVICES_WITH_MORE if has_more else _DEVICES, "name", "spec.devices", refusals, check)
    sets = spec.get("sharedCounters") or ()
    names.each_once(sets, _COUNTER_SETS, "name", "spec.sharedCounters", refusals, _check_counter_set)


def _check_pool(pool: Manifest, path: str, refusals: Refusals) -> None:
    names.pool(pool.get("name"), f"{path}.name", refusals)
    slices, generation = pool.get("resourceSliceCount") or 0, pool.get("generation") or 0
    if slices <= 0:
        refusals.invalid(f"{path}.resourceSliceCount", slices, "must be greater than zero")
    if generation < 0:
        refusals.invalid(f"{path}.generation", generation, "must be greater than or equal to zero")


def _check_nodes(written: Manifest, forms: Sequence[str], path: str, refusals: Refusals) -> None:
    """Add what is wrong with how a slice or a device says which nodes reach it: in exactly one of some forms."""
    chosen = []
    for form in forms:
        value, here = written.get(form), f"{path}.{form}"
        if form == "nodeSelector" and value is not None:
            check_node_selector(value, here, refusals)
        elif form == "nodeName" and value:
            formats.subdomain(value, here, refusals)
        elif value is not None and not value:
            refusals.add(here, "must be left out, or be true" if value is False else "must be left out, or name a node")
        if value is not None and (value or form == "nodeSelector"):
            chosen.append(form)
    which = f"exactly one of {', '.join(forms)} is needed"
    if not chosen:
        refusals.required(path, which)
    elif len(chosen) > 1:
        refusals.add(path, f"has {' and '.join(chosen)}: {which}")


def _check_counter_set(counters: Manifest, path: str, refusals: Refusals) -> None:
    formats.object_label(counters.get("name"), f"{path}.name", refusals)
    _check_counters(counters.get("counters") or {}, f"{path}.counters", refusals)


def _check_counters(counters: Manifest, path: str, refusals: Refusals) -> None:
    if not counters:
        refusals.required(path)
    elif not names.is_too_many(counters, _COUNTERS, path, refusals):
        for name in counters:
            formats.dns_label(name, path, refusals)


def _check_device(device: Manifest, path: str, refusals: Refusals, per_device: bool) -> None:
    formats.dns_label(device.get("name") or "", f"{path}.name", refusals)
    attributes, capacity = device.get("attributes") or {}, device.get("capacity") or {}
    if (count := len(attributes) + len(capacity)) > _MEMBERS:
        refusals.add(path, f"has {count} attributes and capacities", f"at most {_MEMBERS}")
    for name, attribute in attributes.items():
        names.qualified_key(name, f"{path}.attributes", refusals)
        _check_attribute(attribute or {}, names.key_path(f"{path}.attributes", name), refusals)
    check_capacities(capacity, f"{path}.capacity", refusals, is_shared=device.get("allowMultipleAllocations") is True)
    taints = device.get("taints") or ()
    if not names.is_too_many(taints, _TAINTS if refusals.minor >= gates.BETA else _TAINTS_BEFORE, f"{path}.taints", refusals):
        for index, taint in enumerate(taints):
            _check_taint(taint, f"{path}.taints[{index}]", refusals)
    consumed, here = device.get("consumesCounters") or (), f"{path}.consumesCounters"
    names.each_once(consumed, _CONSUMPTIONS, "counterSet", here, refusals, _check_consumption)
    if per_device:
        _check_nodes(device, _OF_SLICE[:3], path, refusals)
    elif any(device.get(form) is not None for form in _OF_SLICE[:3]):
        refusals.add(path, "has nodes of its own, which needs perDeviceNodeSelection: true in the slice")
    _check_conditions(device, path, refusals)


def _check_attribute(attribute: Manifest, path: str, refusals: Refusals) -> None:
    given = [name for name in _VALUES if attribute.get(name) is not None]
    if "string" in given:
        names.attribute_text(attribute["string"], f"{path}.string", refusals)
    if "version" in given:
        names.version(attribute["version"], f"{path}.version", refusals)
    if len(given) != 1:
        found = f"has {' and '.join(given)}" if given else "has no value"
        refusals.add(path, found, f"exactly one of {', '.join(_VALUES)}")


def _check_taint(taint: Manifest, path: str, refusals: Refusals) -> None:
    formats.qualified_name(taint.get("key") or "", f"{path}.key", refusals)
    formats.label_value(taint.get("value") or "", f"{path}.value", refusals)
    if not taint.get("effect"):
        refusals.required(f"{path}.effect")
    one_of(taint.get("effect") or None, f"{path}.effect", EFFECTS, refusals)


def _check_consumption(consumption: Manifest, path: str, refusals: Refusals) -> None:
    formats.object_label(consumption.get("counterSet"), f"{path}.counterSet", refusals)
    _check_counters(consumption.get("counters") or {}, f"{path}.counters", refusals)


def _check_conditions(device: Manifest, path: str, refusals: Refusals) -> None:
    """Add what is wrong with the conditions that a device waits for, and those by which it fails: both, or none."""
    met, failed = (device.get(part) or () for part in ("bindingConditions", "bindingFailureConditions"))
    for part, conditions in (("bindingConditions", met), ("bindingFailureConditions", failed)):
        here = f"{path}.{part}"
        if not names.is_too_many(conditions, _CONDITIONS, here, refusals):
            for index, condition in enumerate(conditions):
                formats.qualified_name(condition or "", f"{here}[{index}]", refusals)
        for index in formats.first_repeated(conditions):
            refusals.duplicate(f"{here}[{index}]", conditions[index])
    for index, condition in enumerate(failed):
        if condition in met:
            refusals.invalid(f"{path}.bindingFailureConditions[{index}]", condition, "is one of bindingConditions too")
    if failed and not met:
        refusals.add(f"{path}.bindingConditions", "are needed for bindingFailureConditions")
    if met and not failed:
        refusals.add(f"{path}.bindingFailureConditions", "are needed for bindingConditions")
