"""Objects of `resource.k8s.io` in the form of v1, as the API server stores them, read as values.

What they lack is defaulted as the API server does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cutlist.core.labels import CORE, LabelRegistry
from cutlist.core.quantity import nanos
from cutlist.core.requirement import Expression, Operator
from cutlist.core.requirements import Requirements
from cutlist.devices.claims import (
    AllocatedDevice,
    Allocation,
    AllocationMode,
    ClaimSpec,
    Consumer,
    DeviceClass,
    DeviceConstraint,
    DeviceRequest,
    ResourceClaim,
)
from cutlist.devices.device import AmountRange, Attribute, Capacity, Counters, Device, DeviceID, RequestPolicy
from cutlist.devices.slices import NO_DEVICES, AttributeBinding, DynamicResources, ResourceSlice, ResourceSliceTemplate

Manifest = Mapping[str, Any]
_KINDS = ("string", "int", "bool", "version")
_OPERATORS = frozenset(map(str, Operator))


def read_class(manifest: Manifest) -> DeviceClass:
    """Return a DeviceClass."""
    spec = manifest.get("spec") or {}
    return DeviceClass(manifest["metadata"]["name"], _selectors(spec), spec.get("extendedResourceName") or "")


def read_claim(manifest: Manifest, registry: LabelRegistry = CORE) -> ResourceClaim:
    """Return a ResourceClaim with its allocation, if it has one."""
    metadata, status = manifest["metadata"], manifest.get("status") or {}
    return ResourceClaim(
        namespace=metadata.get("namespace") or "default",
        name=metadata["name"],
        spec=read_claim_spec(manifest.get("spec") or {}),
        allocation=_allocation(status.get("allocation"), registry),
        consumers=tuple(map(_consumer, status.get("reservedFor") or ())),
    )


def read_claim_spec(spec: Manifest) -> ClaimSpec:
    """Return what the spec of a claim asks for."""
    devices = spec.get("devices") or {}
    return ClaimSpec(
        tuple(map(_request, devices.get("requests") or ())), tuple(map(_constraint, devices.get("constraints") or ()))
    )


def read_template(manifest: Manifest) -> tuple[tuple[str, str], ClaimSpec]:
    """Return the namespace and name of a ResourceClaimTemplate, and what its claims ask for."""
    metadata, spec = manifest["metadata"], (manifest.get("spec") or {}).get("spec") or {}
    return (metadata.get("namespace") or "default", metadata["name"]), read_claim_spec(spec)


def read_slice(manifest: Manifest, registry: LabelRegistry = CORE) -> ResourceSlice:
    """Return a ResourceSlice; it belongs to the Node that is among its owners, if any."""
    metadata, spec = manifest["metadata"], manifest.get("spec") or {}
    pool, shared = spec.get("pool") or {}, spec.get("sharedCounters")
    owners = (o.get("name") or "" for o in metadata.get("ownerReferences") or () if o.get("kind") == "Node")
    return ResourceSlice(
        name=metadata["name"],
        driver=spec.get("driver") or "",
        pool=pool.get("name") or "",
        generation=pool.get("generation") or 0,
        slices=pool.get("resourceSliceCount") or 0,
        owner=next(owners, ""),
        node=spec.get("nodeName") or "",
        all_nodes=bool(spec.get("allNodes")),
        terms=_terms(spec.get("nodeSelector"), registry),
        devices=_devices(spec),
        counter_sets=tuple(s.get("name") or "" for s in shared) if shared else None,
        counters=_counters(shared),
        has_taints=any(device.get("taints") for device in spec.get("devices") or ()),
    )


def read_dynamic_resources(raw: Manifest) -> DynamicResources:
    """Return the devices of an instance type, in the form in which providers list them.

    A device with a `count` stands for so many, numbered from 0.
    """
    if not raw:
        return NO_DEVICES
    return DynamicResources(
        tuple(
            ResourceSliceTemplate(t.get("driver") or "", t.get("pool") or "", _devices(t), _counters(t.get("sharedCounters")))
            for t in raw.get("resourceSliceTemplates") or ()
        ),
        tuple(
            AttributeBinding(b["attribute"], tuple(DeviceID(d["driver"], d["pool"], d["device"]) for d in b["devices"]))
            for b in raw.get("attributeBindings") or ()
        ),
    )


def _devices(raw: Manifest) -> tuple[Device, ...]:
    return tuple(device for listed in raw.get("devices") or () for device in _device(listed))


def _device(raw: Manifest) -> Iterable[Device]:
    attributes = {name: _attribute(value or {}) for name, value in (raw.get("attributes") or {}).items()}
    capacity = {name: _capacity(value or {}) for name, value in (raw.get("capacity") or {}).items()}
    consumes = _counters(raw.get("consumesCounters"), "counterSet")
    count, name = raw.get("count"), raw.get("name") or ""
    for each in [name] if count is None else [f"{name}-{i}" for i in range(count)]:
        yield Device(each, attributes, capacity, bool(raw.get("allowMultipleAllocations")), consumes)


def _attribute(raw: Manifest) -> Attribute:
    kind = next((k for k in _KINDS if raw.get(k) is not None), "")
    return Attribute(kind, raw[kind] if kind else "")


def _capacity(raw: Manifest) -> Capacity:
    policy = raw.get("requestPolicy")
    return Capacity(_nanos(raw.get("value")), None if policy is None else _policy(policy))


def _policy(raw: Manifest) -> RequestPolicy:
    allowed = raw.get("validRange")
    bounds = None if allowed is None else AmountRange(*(_amount(allowed.get(name)) for name in ("min", "max", "step")))
    return RequestPolicy(_amount(raw.get("default")), bounds, tuple(map(_nanos, raw.get("validValues") or ())))


def _nanos(raw: Any) -> int:
    """Return an amount that stands for nothing if it is null, as the API server reads it."""
    return 0 if raw is None else nanos(raw)


def _amount(raw: Any) -> int | None:
    return None if raw is None else nanos(raw)


def _counters(raw: Iterable[Manifest] | None, name: str = "name") -> Counters:
    return {
        (counter_set.get(name) or "", counter): _nanos((value or {}).get("value"))
        for counter_set in raw or ()
        for counter, value in (counter_set.get("counters") or {}).items()
    }


def _selectors(raw: Manifest) -> tuple[str | None, ...]:
    return tuple((s.get("cel") or {}).get("expression") for s in raw.get("selectors") or ())


def _request(raw: Manifest) -> DeviceRequest:
    name, alternatives = raw.get("name") or "", raw.get("firstAvailable") or ()
    if alternatives:
        return DeviceRequest(name, alternatives=tuple(_asked(a.get("name") or "", a) for a in alternatives))
    exactly = raw.get("exactly")
    # A request of neither kind asks for a class that does not exist, as Karpenter reads it.
    return _asked(name, exactly) if exactly is not None else DeviceRequest(name, mode="")


def _asked(name: str, raw: Manifest) -> DeviceRequest:
    mode = raw.get("allocationMode") or AllocationMode.EXACT_COUNT
    wanted = (raw.get("capacity") or {}).get("requests") or {}
    return DeviceRequest(
        name=name,
        device_class=raw.get("deviceClassName") or "",
        selectors=_selectors(raw),
        mode=mode,
        count=raw.get("count") or (1 if mode == AllocationMode.EXACT_COUNT else 0),
        capacity={dimension: _nanos(amount) for dimension, amount in wanted.items()},
        admin_access=bool(raw.get("adminAccess")),
    )


def _constraint(raw: Manifest) -> DeviceConstraint:
    requests, distinct = frozenset(raw.get("requests") or ()), raw.get("distinctAttribute")
    same = raw.get("matchAttribute")
    return DeviceConstraint(distinct if same is None else same, requests, distinct=same is None and distinct is not None)


def _allocation(raw: Manifest | None, registry: LabelRegistry) -> Allocation | None:
    if raw is None:
        return None
    results = (raw.get("devices") or {}).get("results") or ()
    return Allocation(tuple(map(_allocated, results)), _terms(raw.get("nodeSelector"), registry))


def _allocated(raw: Manifest) -> AllocatedDevice:
    consumed = raw.get("consumedCapacity")
    return AllocatedDevice(
        DeviceID(raw.get("driver") or "", raw.get("pool") or "", raw.get("device") or ""),
        raw.get("request") or "",
        None if consumed is None else {name: _nanos(amount) for name, amount in consumed.items()},
    )


def _consumer(raw: Manifest) -> Consumer:
    is_pod = raw.get("resource") == "pods" and not raw.get("apiGroup")
    return Consumer(raw.get("name") or "", raw.get("uid") or "", is_pod=is_pod)


def _terms(raw: Manifest | None, registry: LabelRegistry) -> tuple[Requirements, ...] | None:
    """Return the terms of a node selector, None without one. A term that cannot be read selects no node, as in Kubernetes."""
    if raw is None:
        return None
    terms = (term.get("matchExpressions") or () for term in raw.get("nodeSelectorTerms") or ())
    return tuple(term for term in (_term(expressions, registry) for expressions in terms) if term is not None)


def _term(expressions: Iterable[Manifest], registry: LabelRegistry) -> Requirements | None:
    listed = list(expressions)
    if any(not e.get("key") or e.get("operator") not in _OPERATORS for e in listed):
        return None
    try:
        return Requirements.of_expressions(map(Expression.read, listed), registry)
    except ValueError:  # such as a bound that is no number
        return None
