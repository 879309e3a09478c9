"""A live cluster, written down as a scenario of the form that the oracle's programs read (tools/oracle/core/FORMAT.md)."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tests.conformance.provisionable import is_provisionable
from tests.live.api import NOT_FOUND, Api, ApiError
from tests.live.kubelet import now
from tests.live.scenario import GATES, RELEASES, Object, Scenario
from tests.live.scenarios import builders
from tests.live.scenarios.builders import RESERVATION, ZONE, ZONES

_KINDS: Final = (
    "Node",
    "NodeClaim",
    "DaemonSet",
    "Namespace",
    "PersistentVolumeClaim",
    "PersistentVolume",
    "StorageClass",
    "CSINode",
    "PodDisruptionBudget",
    "NodeOverlay",
    "CapacityBuffer",
    "PodTemplate",
    "VolumeAttachment",
    "PriorityClass",
    "ReplicaSet",
    "Deployment",
    "StatefulSet",
)
_DEVICES: Final = {
    "deviceClasses": "DeviceClass",
    "resourceSlices": "ResourceSlice",
    "resourceClaims": "ResourceClaim",
    "resourceClaimTemplates": "ResourceClaimTemplate",
}
_LEFT_OUT: Final = ("managedFields", "resourceVersion", "selfLink")
_TYPES: Final = "types/kwok.json"
_SIZE: Final = re.compile(r"\w+\.(nano|micro|small|medium|large|\d*xlarge|metal)")
"""Names of types as AWS writes them, whose size the KWOK provider reads from the name."""
_SETTINGS: Final = {
    "PREFERENCE_POLICY": "preferencePolicy",
    "MIN_VALUES_POLICY": "minValuesPolicy",
    "SCHEDULER_CONFIG": "schedulerConfig",
}
_IGNORES_CLAIMS: Final = "IGNORE_DRA_REQUESTS"
"""Karpenter's settings that decide something, and their names in the form of the oracle."""


def written_down(api: Api, scenario: Scenario, version: str) -> dict[str, Any]:
    """Return what a cluster holds, with the settings of the scenario that made it.

    Pods that Karpenter may provision for are `pods`, everything else that it reads is in `objects`.
    """
    pods = [_clean(pod) for pod in api.items("Pod")]
    pending = [pod for pod in pods if is_provisionable(pod)]
    objects = [pod for pod in pods if not is_provisionable(pod)]
    objects += [_clean(item) for kind in _KINDS for item in _items(api, kind) if _is_of_scenario(item)]
    pools = [_clean(pool) for pool in api.items("NodePool")]
    recording = {
        "name": scenario.name,
        "about": scenario.about,
        "karpenter": RELEASES[version],
        "now": now(),
        "provider": _provider(scenario),
        "options": _options(scenario),
        "instanceTypes": [as_oracle_type(each) for each in scenario.instance_types] or _TYPES,
        "nodePools": pools,
        "objects": objects,
        "pods": [{"pod": pod} for pod in pending],
        "detail": True,
        **_devices(api),
    }
    if _zones_are_alike(scenario, [*pools, *pending, *(o for o in objects if o["kind"] != "NodeClaim")]):
        recording["symmetric"] = {ZONE: list(ZONES)}
    return recording


def _devices(api: Api) -> dict[str, Any]:
    """Return a cluster's objects of dynamic resources, if it has any; its controllers have made the claims of templates."""
    items = {member: [_clean(item) for item in _items(api, kind)] for member, kind in _DEVICES.items()}
    found: dict[str, Any] = {member: own for member, own in items.items() if own}
    return {**found, "generateClaims": False} if found else {}


def _provider(scenario: Scenario) -> Any:
    """Return what the KWOK provider registers: what is recorded of it, and the label of reservations where there are some."""
    if RESERVATION not in json.dumps(list(scenario.instance_types)):
        return "kwok"
    labels = ("size", "family", "cpu", "memory")
    return {
        "wellKnownLabels": [*(f"karpenter.kwok.sh/instance-{label}" for label in labels), RESERVATION],
        "restrictedLabelDomains": ["karpenter.kwok.sh"],
        "reservationIDLabel": RESERVATION,
    }


def written_types(scenario: Scenario, folder: Path) -> str:
    """Return the file with the instance types of a scenario, written below a folder; empty for the provider's own."""
    if not scenario.instance_types:
        return ""
    file = folder.resolve() / "types" / f"{scenario.name}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(list(scenario.instance_types)))
    return str(file)


def as_oracle_type(instance_type: Object) -> dict[str, Any]:
    """Return an instance type of the KWOK provider's file as the provider completes it, in the oracle's form."""
    name, resources, offerings = instance_type["name"], instance_type["resources"], instance_type["offerings"]
    family = re.split("[.-]", name, maxsplit=1)
    size = _SIZE.fullmatch(name)
    labels = {
        builders.INSTANCE_TYPE: [name],
        builders.ARCH: [instance_type["architecture"]],
        builders.OS: list(instance_type["operatingSystems"]),
        builders.ZONE: _values(offerings, builders.ZONE),
        builders.CAPACITY_TYPE: _values(offerings, builders.CAPACITY_TYPE),
        builders.SIZE: [size[1] if size else resources["cpu"]],
        builders.FAMILY: [family[0] if len(family) > 1 else name[:1]],
        builders.CPU: [resources["cpu"]],
        "karpenter.kwok.sh/instance-memory": [resources["memory"]],
    }
    devices = {member: instance_type[member] for member in ("dynamicResources",) if member in instance_type}
    return {
        "name": name,
        **devices,
        "requirements": [builders.requirement(key, "In", *values) for key, values in labels.items()],
        "capacity": {"pods": "110", **resources},
        "overhead": {"kubeReserved": {"cpu": "100m", "memory": "10Mi"}},
        "offerings": [
            {
                "requirements": offering["Requirements"],
                "price": offering["Price"],
                "available": True,
                "reservationCapacity": offering.get("ReservationCapacity", 0),
            }
            for offering in offerings
        ],
    }


def _values(offerings: Sequence[Object], key: str) -> list[str]:
    """Return the values that offerings have of a label, each once."""
    expressions = [each for offering in offerings for each in offering["Requirements"] if each["key"] == key]
    return list(dict.fromkeys(value for each in expressions for value in each["values"]))


def _items(api: Api, kind: str) -> list[dict[str, Any]]:
    try:
        return api.items(kind)
    except ApiError as error:
        if error.code == NOT_FOUND:
            return []
        raise


def _clean(item: Mapping[str, Any]) -> dict[str, Any]:
    item = copy.deepcopy(dict(item))
    for member in _LEFT_OUT:
        item["metadata"].pop(member, None)
    return item


def _is_of_scenario(item: Object) -> bool:
    """Tell whether an object was put in, and is not one of the API server's own."""
    name = item["metadata"]["name"]
    own = {"Namespace": "kube-", "PriorityClass": "system-"}
    return not (item["kind"] in own and name.startswith(own[item["kind"]]))


def _options(scenario: Scenario) -> dict[str, Any]:
    gates = {gate[0].lower() + gate[1:]: is_on for gate, is_on in {**GATES, **scenario.gates}.items()}
    options: dict[str, Any] = {"featureGates": gates}
    for variable, option in _SETTINGS.items():
        if variable in scenario.settings:
            options[option] = scenario.settings[variable]
    if _IGNORES_CLAIMS in scenario.settings:
        options["ignoreDRARequests"] = scenario.settings[_IGNORES_CLAIMS] == "true"
    return options


def _zones_are_alike(scenario: Scenario, items: Sequence[Object]) -> bool:
    """Tell whether zones may be exchanged: where nothing that the scheduler reads names one."""
    if scenario.symmetric_zones is not None:
        return scenario.symmetric_zones
    text = json.dumps(items)
    return not any(zone in text for zone in ZONES)
