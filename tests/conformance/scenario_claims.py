"""Random device classes, ResourceClaims and templates for scenarios of Karpenter 1.15."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from tests.conformance.scenario_devices import GPU, MEMORY, MODELS, NIC, ROOT, VERSIONS, DeviceMaker
from tests.conformance.scenario_words import ZONE, Object, some, weighted

CLASSES: Final = ("gpu", "nic", "any", "big", "odd")
_OF_GPU: Final = f"device.attributes['{GPU}']"
_CAPACITY: Final = f"device.capacity['{GPU}']"


def selector(rng: Random) -> str:
    """Return an expression in CEL; some fail on some devices, a few do not compile."""
    model, version, amount = rng.choice(MODELS), rng.choice(VERSIONS), rng.choice(MEMORY)
    choices = (
        f"{_OF_GPU}.model == '{model}'",
        f"{_OF_GPU}.model != '{model}'",
        f"{_OF_GPU}.model in ['t4', '{model}']",
        f"{_OF_GPU}['model'].startsWith('{model[0]}')",
        f"{_OF_GPU}.model.contains('1') || {_OF_GPU}.ecc",
        f"{_OF_GPU}.model.matches('^[ah]1')",
        f"{_OF_GPU}.model.lowerAscii() == '{model}' && size({_OF_GPU}.model) > 2",
        f"{_OF_GPU}.ecc",
        f"!{_OF_GPU}.ecc",
        f"{_OF_GPU}.cores >= 2560",
        f"{_OF_GPU}.cores % 2 == 0 && {_OF_GPU}.numa == {rng.choice((0, 1))}",
        f"{_OF_GPU}.?numa.orValue(1) == 1",
        f"has({_OF_GPU}.numa) && {_OF_GPU}.numa < 1",
        f"has({_OF_GPU}.numa) ? {_OF_GPU}.numa == 0 : true",
        f"{_OF_GPU}.driverVersion.isGreaterThan(semver('1.5.0'))",
        f"{_OF_GPU}.driverVersion.compareTo(semver('{version}')) <= 0",
        f"{_OF_GPU}.driverVersion == semver('{version}')",
        f"{_OF_GPU}.driverVersion.major() == 1 && {_OF_GPU}.driverVersion.minor() >= 2",
        f"isSemver('{version}') && {_OF_GPU}.driverVersion.isLessThan(semver('v2', true))",
        f"{_CAPACITY}.memory.compareTo(quantity('{amount}')) >= 0",
        f"{_CAPACITY}.memory.isGreaterThan(quantity('10Gi'))",
        f"{_CAPACITY}.memory == quantity('{amount}')",
        f"{_CAPACITY}.memory.sub(quantity('1Gi')).sign() > 0 && {_CAPACITY}.memory.isInteger()",
        f"'memory' in {_CAPACITY}",
        f"'model' in {_OF_GPU}",
        f"'{GPU}' in device.attributes",
        "'other.example.com' in device.attributes",
        "device.attributes['other.example.com'].x == 1",
        "!has(device.attributes['other.example.com'].x)",
        f"device.driver == '{GPU}' && {_OF_GPU}.profile == 'half'",
        f"device.driver == '{NIC}' || {_OF_GPU}.model == '{model}'",
        f"device.attributes['resource.kubernetes.io'].pcieRoot == '{rng.choice(('pci0', 'pci1'))}'",
        "device.allowMultipleAllocations",
        "device.allowMultipleAllocations == false",
        f"cel.bind(a, {_OF_GPU}, a.model == '{model}' || a.ecc)",
        f"['t4', 'a10'].exists(m, m == {_OF_GPU}.model)",
        f"sets.contains(['t4', 'a10'], [{_OF_GPU}.model])",
        f"{_OF_GPU}.model.find('[0-9]+') == '10'",
        "size(device.attributes) > 0",
        f"{_OF_GPU}.all(k, k != 'numa')",
        "true",
        "false",
        f"{_OF_GPU}.nothing == 1",
        f"{_OF_GPU}.model > 3",
        f"{_OF_GPU}.model",
        "device.name == 'x'",
        "device.driver ==",
    )
    return rng.choice(choices if rng.random() < 0.8 else choices[:24])


def device_classes(rng: Random) -> list[Object]:
    """Return the classes of a scenario; requests may also name `none`, which does not exist."""
    by_driver = {"gpu": GPU, "nic": NIC}
    found: list[Object] = []
    for name in CLASSES:
        texts = [f"device.driver == '{by_driver[name]}'"] if name in by_driver else []
        if name == "big":
            texts = [f"device.driver == '{GPU}'", f"{_CAPACITY}.memory.compareTo(quantity('16Gi')) >= 0"]
        if name == "odd":
            texts = [selector(rng) for _ in range(rng.choice((1, 2)))]
        spec: Object = {"selectors": [{"cel": {"expression": t}} for t in texts]} if texts else {}
        found.append({"metadata": {"name": name}, "spec": spec})
    return found


class ClaimMaker:
    """Makes the claims of one scenario."""

    def __init__(self, rng: Random, devices: DeviceMaker) -> None:
        self.rng = rng
        self.devices = devices

    def spec(self) -> Object:
        """Return what a claim asks for."""
        rng = self.rng
        requests = [self._request(f"r{n}") for n in range(rng.choice((1, 1, 1, 1, 2, 2)))]
        if rng.random() < 0.02:
            requests = []
        constraints = [self._constraint(requests) for _ in range(rng.choice((0, 0, 0, 1, 1, 2)))] if requests else []
        devices: Object = {"requests": requests, **({"constraints": constraints} if constraints else {})}
        return {"devices": devices}

    def _request(self, name: str) -> Object:
        rng = self.rng
        if rng.random() < 0.8:
            return {"name": name, "exactly": self._exactly()}
        parts = [{"name": f"alt{n}", **self._exactly()} for n in range(rng.choice((1, 2, 2, 3)))]
        return {"name": name, "firstAvailable": parts}

    def _exactly(self) -> Object:
        rng = self.rng
        names = {"gpu": 7, "nic": 2, "any": 1.5, "big": 1, "odd": 1, "none": 0.15}
        asked: Object = {"deviceClassName": weighted(rng, names)}
        if rng.random() < 0.4:
            asked["selectors"] = [{"cel": {"expression": selector(rng)}} for _ in range(rng.choice((1, 1, 2)))]
        if rng.random() < 0.12:
            asked["allocationMode"] = "All"
        elif rng.random() < 0.4:
            # Karpenter tries all orders of more, until its time is up.
            asked["count"] = 33 if rng.random() < 0.04 else rng.choice((1, 2, 2, 3))
        if "shared" in self.devices.kinds and rng.random() < 0.5:
            wanted = {"memory": rng.choice(("1Gi", "3Gi", "8Gi", "100Gi")), "slots": rng.choice(("1", "2", "9"))}
            asked["capacity"] = {"requests": {n: wanted[n] for n in some(rng, list(wanted), 2)}}
        return asked

    def _constraint(self, requests: Sequence[Object]) -> Object:
        rng = self.rng
        attribute = rng.choice(
            (ROOT, ROOT, f"{GPU}/model", f"{GPU}/driverVersion", f"{GPU}/numa", f"{GPU}/ecc", "x.example.com/y")
        )
        constraint: Object = {"matchAttribute": attribute}
        if rng.random() < 0.03:
            constraint = {"distinctAttribute": attribute}
        if rng.random() < 0.4:
            names = [r["name"] for r in requests]
            names += [f"{r['name']}/{part['name']}" for r in requests for part in r.get("firstAvailable") or ()]
            constraint["requests"] = some(rng, names, 2)
        return constraint

    def allocation(self, found: Sequence[Object], zones: Sequence[str]) -> Object:
        """Return an allocation of some published devices, or of a device that nothing publishes."""
        rng = self.rng
        chosen = rng.sample(list(found), min(len(found), rng.choice((1, 1, 2)))) if found else []
        if not chosen and rng.random() < 0.5:
            chosen = [{"driver": GPU, "pool": "elsewhere", "device": "gpu-0", "of": {}}]
        results = []
        for number, device in enumerate(chosen):
            result: dict[str, Any] = {"request": "r0", **{k: v for k, v in device.items() if k != "of"}}
            if device["of"].get("allowMultipleAllocations"):
                held = device["of"].get("capacity") or {}
                result["consumedCapacity"] = {n: rng.choice(("1", "2")) if n == "slots" else "4Gi" for n in held}
                result["shareID"] = f"7b1f0f0e-2f6e-4c8e-9d55-{rng.randrange(10**9):09d}{number:03d}"
            results.append(result)
        allocation: Object = {"devices": {"results": results}}
        match rng.choice(("none", "fields", "zone", "zones", "terms")):
            case "fields":
                field = {"key": "metadata.name", "operator": "In", "values": ["node-0"]}
                allocation["nodeSelector"] = {"nodeSelectorTerms": [{"matchFields": [field]}]}
            case "zone" | "zones" as how:
                terms = [
                    {"matchExpressions": [{"key": ZONE, "operator": "In", "values": some(rng, zones, 2)}]}
                    for _ in range(1 if how == "zone" else 2)
                ]
                allocation["nodeSelector"] = {"nodeSelectorTerms": terms}
            case "terms":
                allocation["nodeSelector"] = {"nodeSelectorTerms": self.devices.terms()}
        return allocation
