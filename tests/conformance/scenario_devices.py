"""Random devices for scenarios of Karpenter 1.15: what instance types, nodes and networks have, and the classes of devices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

from tests.conformance.scenario_words import CAPACITY_TYPE, HOSTNAME, INSTANCE_TYPE, ZONE, Object, some, weighted

GPU, NIC = "gpu.example.com", "nic.example.com"
ROOT: Final = "resource.kubernetes.io/pcieRoot"
MODELS: Final = ("t4", "a10", "h100")
VERSIONS: Final = ("1.2.0", "1.10.0", "2.0.0-rc.1", "2.0.0")
MEMORY: Final = ("8Gi", "16Gi", "40Gi")
PARTITIONS: Final = (("whole-0", 4), ("half-0", 2), ("half-1", 2), ("quarter-0", 1), ("quarter-1", 1))


class DeviceMaker:
    """Makes the devices of one scenario. `labels` are those of instance types, which selectors of slices may name."""

    def __init__(self, rng: Random, labels: Mapping[str, Sequence[str]]) -> None:
        self.rng = rng
        self.labels = labels
        self.kinds = some(rng, ("plain", "shared", "partitioned"), 2)
        self.same_names = rng.random() < 0.15

    # --- devices

    def attributes(self, driver: str) -> Object:
        """Return some attributes, with and without the driver's domain; now and then of another kind than usual."""
        rng = self.rng
        found: Object = {
            "model": {"string": rng.choice(MODELS)},
            "driverVersion": {"version": rng.choice(VERSIONS)},
            "ecc": {"bool": rng.random() < 0.5},
            "cores": {"int": rng.choice((1, 2560, 4096))},
            "numa": {"int": rng.choice((0, 1))},
            ROOT: {"string": rng.choice(("pci0", "pci1"))},
        }
        if rng.random() < 0.1:
            found["model"] = {"int": 4}
        if rng.random() < 0.08:
            found["driverVersion"] = rng.choice(({"version": "1.2"}, {"version": "v1.2.0"}, {"string": "1.2.0"}))
        kept = {name: value for name, value in found.items() if rng.random() < 0.8}
        return {f"{driver}/{n}" if "/" not in n and rng.random() < 0.2 else n: value for n, value in kept.items()}

    def device(self, driver: str, name: str, kind: str) -> Object:
        """Return a device of a kind."""
        rng = self.rng
        device: Object = {"name": name, "attributes": self.attributes(driver)}
        if rng.random() < 0.9:
            device["capacity"] = {"memory": {"value": rng.choice(MEMORY)}}
        if kind == "shared":
            device["allowMultipleAllocations"] = True
            if rng.random() < 0.5:
                device.setdefault("capacity", {})["slots"] = {"value": rng.choice(("2", "4", "7"))}
            for held in device.get("capacity", {}).values():
                if rng.random() < 0.6:
                    held["requestPolicy"] = self._policy(held["value"])
        return device

    def _policy(self, value: str) -> Object:
        rng, small = self.rng, not value.endswith("Gi")
        least, half = ("1", "2") if small else ("2Gi", "4Gi")
        match rng.choice(("default", "range", "step", "values")):
            case "default":
                return {"default": half}
            case "range":
                return {"default": least, "validRange": {"min": least, "max": rng.choice((half, value))}}
            case "step":
                return {"default": least, "validRange": {"min": least, "step": least}}
        return {"default": least, "validValues": [least, half]}

    def devices(self, driver: str, start: str, kind: str) -> tuple[list[Object], list[Object]]:
        """Return the devices of a pool, and the counter sets on which they draw."""
        rng = self.rng
        if kind != "partitioned":
            count = rng.choice((1, 1, 2, 2, 4, 8))
            return [self.device(driver, f"{start}-{n}", kind) for n in range(count)], []
        sets, devices = [], []
        for number in range(rng.choice((1, 2))):
            parts = [p for p in PARTITIONS if rng.random() < 0.8]
            sets.append({"name": f"set-{number}", "counters": {"memory": {"value": f"{rng.choice((4, 4, 3))}Gi"}}})
            for name, size in parts:
                device = self.device(driver, f"{start}-{number}-{name}", "plain")
                counters: Object = {"memory": {"value": f"{size}Gi"}}
                device["attributes"]["profile"] = {"string": name.partition("-")[0]}
                device["consumesCounters"] = [{"counterSet": f"set-{number}", "counters": counters}]
                devices.append(device)
        return devices, sets

    # --- instance types

    def of_type(self, name: str) -> Object:
        """Return the devices of an instance type, none for some."""
        rng = self.rng
        templates: list[Object] = []
        bound: list[Object] = []
        for driver in (GPU, NIC):
            if rng.random() < (0.35 if driver == GPU else 0.7):
                continue
            pool = "pool" if self.same_names else f"{driver.partition('.')[0]}s-{name}"
            kind = rng.choice(self.kinds) if driver == GPU else "plain"
            devices, sets = self.devices(driver, driver.partition(".")[0], kind)
            if not devices:
                continue
            templates.append({"driver": driver, "pool": pool, "devices": devices})
            if sets and rng.random() < 0.9:
                templates.append({"driver": driver, "pool": pool, "sharedCounters": sets})
            bound += [{"driver": driver, "pool": pool, "device": d["name"]} for d in devices]
        if not templates:
            return {}
        bindings = [self._binding(bound) for _ in range(rng.choice((0, 0, 1, 2)))]
        return {"resourceSliceTemplates": templates, **({"attributeBindings": bindings} if bindings else {})}

    def _binding(self, devices: Sequence[Object]) -> Object:
        count = self.rng.randint(1, min(4, len(devices)))
        attribute = self.rng.choice((ROOT, f"{GPU}/driverVersion", f"{GPU}/numa"))
        return {"attribute": attribute, "devices": self.rng.sample(list(devices), count)}

    # --- published slices

    def slices_of_node(self, node: str, labels: Mapping[str, str], of_type: Object) -> list[Object]:
        """Return what drivers have published on a node: mostly what its instance type lets expect."""
        rng = self.rng
        found: list[Object] = []
        pools: dict[tuple[str, str], list[Object]] = {}
        for template in of_type.get("resourceSliceTemplates") or ():
            pools.setdefault((template["driver"], template["pool"]), []).append(template)
        for (driver, pool), templates in pools.items():
            if rng.random() < 0.15:
                continue
            named = pool if rng.random() < 0.3 else node
            found += self._slices(driver, named, templates, {"nodeName": node}, node if rng.random() < 0.9 else "")
        if not found and rng.random() < 0.5:
            devices, sets = self.devices(GPU, "gpu", rng.choice(self.kinds))
            templates = [{"devices": devices}, *([{"sharedCounters": sets}] if sets else [])]
            found = self._slices(GPU, node, templates, {"nodeName": node}, node)
        return found

    def network(self, number: int) -> list[Object]:
        """Return the slices of devices that several nodes reach."""
        rng = self.rng
        devices, sets = self.devices(rng.choice((GPU, NIC)), f"net-{number}", rng.choice(self.kinds))
        templates = [{"devices": devices}, *([{"sharedCounters": sets}] if sets else [])]
        pool = f"fabric-{number}" if rng.random() < 0.85 else "fabric-0"
        if rng.random() < 0.3:
            return self._slices(GPU, pool, templates, {"allNodes": True}, "")
        return self._slices(GPU, pool, templates, {"nodeSelector": {"nodeSelectorTerms": self.terms()}}, "")

    def terms(self) -> list[Object]:
        """Return terms of a node selector."""
        return [{"matchExpressions": self._expressions()} for _ in range(self.rng.choice((1, 1, 1, 2)))]

    def _expressions(self) -> list[Object]:
        rng = self.rng
        found = []
        for _ in range(rng.choice((1, 1, 2))):
            key = weighted(rng, {ZONE: 6, CAPACITY_TYPE: 1, INSTANCE_TYPE: 1, "rack": 1, HOSTNAME: 0.3})
            values = self.labels.get(key) or {"rack": ("r1", "r2"), HOSTNAME: ("node-0",)}.get(key, ("x",))
            operator = weighted(rng, {"In": 6, "NotIn": 1, "Exists": 0.5})
            expression: Object = {"key": key, "operator": operator}
            if operator != "Exists":
                expression["values"] = some(rng, values, 2)
            found.append(expression)
        return found

    def _slices(self, driver: str, pool: str, templates: Sequence[Object], reach: Object, owner: str) -> list[Object]:
        """Return the slices of a pool: some of an older generation, some missing, some with a device twice."""
        rng = self.rng
        parts = [part for template in templates for part in _halves(rng, template)]
        count = len(parts) + rng.choice((0,) * 12 + (1, -1))
        found = []
        for number, part in enumerate(parts):
            metadata: Object = {"name": f"{driver.partition('.')[0]}-{pool}-{number}-{rng.randrange(10**6)}"}
            if owner:
                metadata["ownerReferences"] = [{"apiVersion": "v1", "kind": "Node", "name": owner, "uid": f"uid-of-{owner}"}]
            where = {"name": pool, "generation": 2, "resourceSliceCount": max(1, count)}
            content = {k: part[k] for k in ("devices", "sharedCounters") if k in part}
            spec = {"driver": driver, "pool": where, **reach, **content}
            found.append({"metadata": metadata, "spec": spec})
        if found and rng.random() < 0.1:
            old = found[0]
            spec = {**old["spec"], "pool": {**old["spec"]["pool"], "generation": 1}}
            found.append({"metadata": {**old["metadata"], "name": f"{old['metadata']['name']}-old"}, "spec": spec})
        if found and rng.random() < 0.04 and found[-1]["spec"].get("devices"):
            found[-1]["spec"]["devices"] = [*found[-1]["spec"]["devices"], found[-1]["spec"]["devices"][0]]
        return found


def _halves(rng: Random, template: Object) -> list[Object]:
    devices = template.get("devices") or []
    if len(devices) < 2 or rng.random() < 0.7:
        return [template]
    half = len(devices) // 2
    return [{"devices": devices[:half]}, {"devices": devices[half:]}]


def names_in(slices: Sequence[Mapping[str, Any]]) -> list[Object]:
    """Return the published devices as results of an allocation name them."""
    return [
        {"driver": s["spec"]["driver"], "pool": s["spec"]["pool"]["name"], "device": device["name"], "of": device}
        for s in slices
        for device in s["spec"].get("devices") or ()
    ]
