"""Devices by ResourceClaims: what Karpenter 1.15 launches for them once it no longer ignores them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from tests.live.scenario import Change, Object, Pause, Scale, Scenario
from tests.live.scenarios.builders import (
    ZONE,
    consolidating_pool,
    deployment,
    instance_type,
    node_pool,
    offering,
    pod_anti_affinity,
)

_GPU: Final = "gpu.example.com"
_LATE: Final = "late.example.com"
_NETWORK: Final = "net.example.com"
_ROOT: Final = "resource.kubernetes.io/pcieRoot"
_READ: Final = {"IGNORE_DRA_REQUESTS": "false"}
_T4: Final = {"attributes": {"model": {"string": "t4"}}, "capacity": {"memory": {"value": "16Gi"}}}
_H100: Final = {"attributes": {"model": {"string": "h100"}}, "capacity": {"memory": {"value": "80Gi"}}}


# --- what nodes have


def _slice(*devices: Object, driver: str = _GPU, **more: Any) -> dict[str, Any]:
    """Return a template of a ResourceSlice; `more` as in the oracle's form, or isPublished where the driver never comes up."""
    return {"driver": driver, "devices": list(devices), **more}


def _on_root(name: str, root: str) -> dict[str, Any]:
    attributes = {"model": {"string": "t4"}, _ROOT: {"string": root}}
    return {"name": name, "attributes": attributes, "capacity": _T4["capacity"]}


def _partition(name: str, memory: str) -> dict[str, Any]:
    """Return a partition of a device, which draws its memory on the whole device's."""
    draws = [{"counterSet": "whole", "counters": {"memory": {"value": memory}}}]
    return {"name": name, "capacity": {"memory": {"value": memory}}, "consumesCounters": draws}


def _type(name: str, cpu: str, price: float, *slices: Object, zones: str = "ab") -> dict[str, Any]:
    """Return an instance type with 4 GiB a processor, on demand in some zones; its slices are a pool of its own, unless they
    name one."""
    offerings = [offering(f"test-zone-{zone}", "on-demand", price) for zone in zones]
    return instance_type(name, cpu, f"{4 * int(cpu)}Gi", *offerings, slices=[{"pool": name, **each} for each in slices])


_PLAIN: Final = _type("plain", "4", 0.2)
_ONE: Final = _type("t4-one", "4", 0.5, _slice({"name": "gpu-0", **_T4}))
_FOUR: Final = _type("t4-four", "16", 1.9, _slice({"name": "gpu", "count": 4, **_T4}))
_TWO_LARGE: Final = _type("h100-two", "16", 6.0, _slice({"name": "gpu", "count": 2, **_H100}))
_ROOTED: Final = _type(
    "t4-rooted", "8", 1.0, _slice(_on_root("a", "pci0"), _on_root("b", "pci1"), _on_root("c", "pci1"), _on_root("d", "pci2"))
)
_COUNTERS: Final = [{"name": "whole", "counters": {"memory": {"value": "80Gi"}}}]
_DIVIDED: Final = _type(
    "divided",
    "16",
    4.0,
    {"driver": _GPU, "sharedCounters": _COUNTERS},
    _slice(_partition("half-a", "40Gi"), _partition("half-b", "40Gi"), _partition("whole", "80Gi")),
)
_SHARED: Final = _type(
    "shared", "16", 3.0, _slice({"name": "gpu-0", **_H100, "allowMultipleAllocations": True}, {"name": "gpu-1", **_H100})
)
_UNREADY: Final = _type("t4-late", "8", 0.9, _slice({"name": "gpu", "count": 3, **_T4}, driver=_LATE, isPublished=False))
_TYPES: Final = (_PLAIN, _ONE, _FOUR, _TWO_LARGE)


# --- what pods ask for


def _object(kind: str, name: str, spec: Object, namespace: str | None = "default") -> dict[str, Any]:
    metadata = {"name": name} if namespace is None else {"name": name, "namespace": namespace}
    return {"apiVersion": "resource.k8s.io/v1", "kind": kind, "metadata": metadata, "spec": spec}


def _cel(expression: str) -> dict[str, Any]:
    return {"cel": {"expression": expression}}


def _class(name: str, driver: str) -> dict[str, Any]:
    return _object("DeviceClass", name, {"selectors": [_cel(f"device.driver == '{driver}'")]}, None)


_CLASSES: Final = (_class("gpu", _GPU), _class("late", _LATE), _class("net", _NETWORK))


def _model(name: str) -> dict[str, Any]:
    return _cel(f"device.attributes['{_GPU}'].model == '{name}'")


def _request(name: str = "gpu", device_class: str = "gpu", **more: Any) -> dict[str, Any]:
    """Return a request for devices of a class; `more` is count, allocationMode, selectors and capacity."""
    return {"name": name, "exactly": {"deviceClassName": device_class, **more}}


def _template(name: str, *requests: Object, **devices: Any) -> dict[str, Any]:
    """Return a ResourceClaimTemplate; `devices` is constraints."""
    return _object("ResourceClaimTemplate", name, {"spec": {"devices": {"requests": list(requests), **devices}}})


def _claiming(name: str, replicas: int, template: str = "one", cpu: str = "1", **pod: Any) -> dict[str, Any]:
    """Return a Deployment whose pods have a claim each."""
    return deployment(name, replicas, cpu, resourceClaims=[{"name": "gpu", "resourceClaimTemplateName": template}], **pod)


_ONE_EACH: Final = _template("one", _request())


def _scenario(
    name: str,
    about: str,
    then: Sequence[Change],
    *before: Change,
    types: Sequence[Object] = _TYPES,
    pools: Sequence[Object] = (node_pool(),),
    **more: Any,
) -> Scenario:
    """Return a scenario of Karpenter 1.15 with the option for devices open; `before` is there besides classes and NodePools."""
    objects = [*pools, *_CLASSES, *before]
    settings = more.pop("settings", _READ)
    more = {"versions": ("1.15",), "settings": settings, "instance_types": types, **more}
    return Scenario(f"devices-{name}", about, objects, then, **more)


_SCHEDULING: Final = (
    _scenario("one-each", "three pods with a device each", [_claiming("a", 3)], _ONE_EACH),
    _scenario(
        "and-plain-pods",
        "pods that ask for devices beside pods that do not",
        [_claiming("a", 2, cpu="2"), deployment("web", 5, "1500m")],
        _ONE_EACH,
    ),
    _scenario(
        "by-attribute",
        "a selector that only the devices of one type match",
        [_claiming("a", 3, "large")],
        _template("large", _request(selectors=[_model("h100")])),
    ),
    _scenario(
        "of-one-name",
        "types whose pools and devices have the same names: what a selector said of the first holds for all",
        [_claiming("a", 3, "large")],
        _template("large", _request(selectors=[_model("h100")])),
        types=(
            _PLAIN,
            _type("t4", "16", 1.9, _slice({"name": "gpu-0", **_T4}, pool="devices")),
            _type("h100", "16", 6.0, _slice({"name": "gpu-0", **_H100}, pool="devices")),
        ),
    ),
    _scenario("two-for-a-pod", "two devices for each pod", [_claiming("a", 3, "two")], _template("two", _request(count=2))),
    _scenario(
        "all-of-a-node",
        "all devices of the node for one pod, and one for another",
        [_claiming("a", 1, "all"), _claiming("b", 1)],
        _template("all", _request(allocationMode="All")),
        _ONE_EACH,
    ),
    _scenario(
        "first-available",
        "two large devices or, since no type has them, one that every type has",
        [_claiming("a", 2, "either")],
        _template(
            "either",
            {
                "name": "gpu",
                "firstAvailable": [
                    {"name": "large", "deviceClassName": "gpu", "selectors": [_model("h100")], "count": 2},
                    {"name": "small", "deviceClassName": "gpu"},
                ],
            },
        ),
        types=(_PLAIN, _ONE, _FOUR),
    ),
    _scenario(
        "on-one-root",
        "two devices behind the same root of PCIe, for each of two pods: a node has one such pair",
        [_claiming("a", 2, "pair")],
        _template("pair", _request(count=2), constraints=[{"matchAttribute": _ROOT}]),
        types=(_PLAIN, _ROOTED),
    ),
    _scenario(
        "shared-claim",
        "one claim that three pods name",
        [deployment("a", 3, "3", resourceClaims=[{"name": "gpu", "resourceClaimName": "ours"}])],
        _object("ResourceClaim", "ours", {"devices": {"requests": [_request()]}}),
    ),
    _scenario(
        "partitions",
        "halves and wholes of a device: the whole excludes both halves",
        [_claiming("half", 3, "half"), _claiming("whole", 1, "whole")],
        _template("half", _request(selectors=[_cel(f"device.capacity['{_GPU}'].memory.isLessThan(quantity('50Gi'))")])),
        _template("whole", _request(selectors=[_cel(f"device.capacity['{_GPU}'].memory.isGreaterThan(quantity('50Gi'))")])),
        types=(_PLAIN, _DIVIDED),
    ),
    _scenario(
        "shared-capacity",
        "pods that take 30 GiB each of devices with 80 GiB, of which one may be shared",
        [_claiming("a", 5, "part")],
        _template("part", _request(capacity={"requests": {"memory": "30Gi"}})),
        types=(_PLAIN, _SHARED),
    ),
    _scenario(
        "of-a-zone",
        "two devices that every node of one zone reaches, and three pods",
        [_claiming("a", 3, "net", affinity=pod_anti_affinity("a"))],
        _template("net", _request("net", "net")),
        _object(
            "ResourceSlice",
            "network",
            {
                "driver": _NETWORK,
                "pool": {"name": "network", "generation": 1, "resourceSliceCount": 1},
                "nodeSelector": {
                    "nodeSelectorTerms": [{"matchExpressions": [{"key": ZONE, "operator": "In", "values": ["test-zone-b"]}]}]
                },
                "devices": [{"name": "port-0"}, {"name": "port-1"}],
            },
            None,
        ),
    ),
    _scenario(
        "on-running-nodes",
        "a node with a free device for three of five pods: kube-scheduler gives these out, Karpenter launches for two",
        [Scale("Deployment", "a", 6)],
        _ONE_EACH,
        types=(_PLAIN, _FOUR),
        phases=[[_claiming("a", 1)]],
    ),
    _scenario(
        "not-registered",
        "nodes that were launched and have not joined yet have the devices of their type",
        [_claiming("more", 4)],
        _ONE_EACH,
        types=(_PLAIN, _FOUR),
        phases=[[_claiming("a", 2)]],
        nodes_join_late=True,
    ),
    _scenario(
        "driver-not-ready",
        "a node whose driver publishes nothing is not initialized, and keeps the devices of its type for further pods",
        [_claiming("more", 3, "late")],
        _template("late", _request("late", "late")),
        types=(_PLAIN, _UNREADY),
        phases=[[_claiming("a", 1, "late")]],
    ),
    _scenario(
        "nobody-has-them",
        "a selector that no device matches, and more devices than a type has",
        [_claiming("model", 1, "model"), _claiming("many", 1, "many"), _claiming("a", 1)],
        _template("model", _request(selectors=[_model("b200")])),
        _template("many", _request(count=5)),
        _ONE_EACH,
    ),
    _scenario(
        "ignored",
        "with the option as it is where nobody sets it, pods with claims are left alone",
        [_claiming("a", 2), deployment("web", 2)],
        _ONE_EACH,
        settings={},
    ),
)

_DISRUPTION: Final = tuple(
    replace(each, kind="disruption")
    for each in (
        _scenario(
            "empty-node",
            "a node with devices that holds nothing any longer",
            [Scale("Deployment", "a", 0), Pause(2)],
            _ONE_EACH,
            types=(_PLAIN, _ONE),
            pools=[consolidating_pool()],
            phases=[[_claiming("a", 1)]],
        ),
        _scenario(
            "two-nodes-into-one",
            "two nodes with four devices each and one taken: one node will do",
            [Scale("Deployment", "a", 0), Pause(2)],
            _ONE_EACH,
            types=(_PLAIN, _FOUR),
            pools=[consolidating_pool()],
            phases=[[_claiming("a", 2, affinity=pod_anti_affinity("a"))], [_claiming("b", 2)]],
        ),
        _scenario(
            "smaller-node",
            "of four devices one is still taken: a node with one device costs less",
            [Scale("Deployment", "a", 1), Pause(2)],
            _ONE_EACH,
            types=(_PLAIN, _ONE, _FOUR),
            pools=[consolidating_pool()],
            phases=[[_claiming("a", 4)]],
        ),
        _scenario(
            "no-free-device",
            "two nodes with one device each: pods have room for each other, and devices have not",
            [],
            _ONE_EACH,
            types=(_PLAIN, _ONE),
            pools=[consolidating_pool()],
            phases=[[_claiming("a", 2, cpu="500m")]],
            is_quiet=True,
        ),
    )
)
SCENARIOS: Final = (*_SCHEDULING, *_DISRUPTION)
