"""Sizes of the Azure provider: a location's records of sizes, and what each of some AKSNodeClasses makes of them.

`python -m tests.conformance.azure_types question LOCATION` prints the question to the program in `tools/oracle/azure`, and
`python -m tests.conformance.azure_types pack QUESTION ANSWER FOLDER` writes both as the recorded answers have them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from cutlist import AKSNodeClass
from cutlist.api.aksnodeclass_hash import stored_hash
from cutlist.catalog.embedded import load_location
from cutlist.catalog.regions import LocationCatalog
from cutlist.catalog.sizes import Size
from cutlist.core.quantity import NANO
from cutlist.planning.azure.os_disks import os_disk
from cutlist.providers.azure.os_disk import ephemeral_room
from cutlist.providers.azure.provider import instance_types
from cutlist.providers.azure.settings import AzureSettings
from cutlist.providers.instance_types import InstanceType
from cutlist_live.azure_sizes import skus
from tests import commands

QUESTION: Final = "question.json"
_GIB: Final = 2**30
_FORWARDS: Final[Mapping[str, str]] = {".": "VnetDNS", "cluster.local": "ClusterCoreDNS"}
_DNS: Final = [
    {
        "zone": zone,
        "queryLogging": "Error",
        "protocol": "PreferUDP",
        "forwardDestination": destination,
        "forwardPolicy": "Random",
        "maxConcurrent": 1,
        "cacheDuration": "1h",
        "serveStaleDuration": "1h",
        "serveStale": "Immediate",
    }
    for zone, destination in _FORWARDS.items()
]
CLASSES: Final[Mapping[str, Mapping[str, Any]]] = {
    "default": {},
    "azure-linux": {"imageFamily": "AzureLinux"},
    "disk-30": {"osDiskSizeGB": 30},
    "disk-64": {"osDiskSizeGB": 64},
    "disk-200": {"osDiskSizeGB": 200},
    "disk-2048": {"osDiskSizeGB": 2048},
    "pods-30": {"maxPods": 30},
    "fips": {"imageFamily": "AzureLinux", "fipsMode": "FIPS"},
    "host-encryption": {"security": {"encryptionAtHost": True}},
    "streaming": {"artifactStreaming": {"enabled": True}},
    "local-dns": {"localDNS": {"mode": "Required", "vnetDNSOverrides": _DNS, "kubeDNSOverrides": _DNS}},
}
"""The specs of the classes of which the program was asked, by name."""
_DEFAULTS: Final = {"imageFamily": "Ubuntu", "osDiskSizeGB": 128}
"""What the program fills in, as the API server does."""


def question(location: str) -> dict[str, Any]:
    """Return the question about a location: each of its sizes in the form of Azure's own record, and the classes."""
    catalog = load_location(location)
    zones = sorted(zone.name.rpartition("-")[2] for zone in catalog.zones if zone.name != "0")
    return {
        "Region": location,
        "Plugin": "azure",
        "Mode": "overlay",
        "RG": "MC_shop_prod_westeurope",
        "Skus": [_record(size, location, zones) for size in _known_sizes(catalog)],
        "Classes": {name: _class(name, spec) for name, spec in CLASSES.items()},
    }


def _known_sizes(catalog: LocationCatalog) -> list[Size]:
    """Return the sizes by name, without those of family N of which the number of GPUs is not known."""
    sizes = [catalog.machines[name] for name in sorted(catalog.machines)]
    return [size for size in sizes if size.gpus or size.parts is None or size.parts.family != "N"]


def _class(name: str, spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return a class as the provider stores it: whether LocalDNS is on is in its status."""
    status = {"localDNSState": "Enabled"} if "localDNS" in spec else {}
    return {"metadata": {"name": name}, "spec": dict(spec), "status": status}


def _record(size: Size, location: str, zones: Sequence[str]) -> dict[str, Any]:
    capabilities = {
        "vCPUs": str(size.vcpus),
        "MemoryGB": f"{size.memory_gib:g}",
        "GPUs": str(size.gpus),
        "CpuArchitectureType": size.architecture,
        "HyperVGenerations": ",".join(f"V{generation}" for generation in size.generations),
        "PremiumIO": str(size.premium_io),
        "AcceleratedNetworkingEnabled": str(size.accelerated_networking),
        "EncryptionAtHostSupported": str(size.encryption_at_host),
        "TrustedLaunchDisabled": str("2" in size.generations and not size.trusted_launch),
        "LowPriorityCapable": str(size.spot),
        "EphemeralOSDiskSupported": str(size.ephemeral_os_disk),
        "SupportedEphemeralOSDiskPlacements": ",".join(size.placements),
        "CachedDiskBytes": str(int(size.cache_gib * _GIB)),
        "MaxResourceVolumeMB": str(size.temporary_mib),
        "NvmeDiskSizeInMiB": str(size.nvme_mib),
    }
    known = {name: value for name, value in capabilities.items() if value not in ("", "0")}
    return {
        "resourceType": "virtualMachines",
        "name": size.name,
        "tier": size.name.partition("_")[0],
        "size": size.name.partition("_")[2],
        "family": size.family,
        "locations": [location],
        "locationInfo": [{"location": location, "zones": list(zones)}],
        "capabilities": [{"name": name, "value": value} for name, value in known.items()],
        "restrictions": [],
    }


def answer(asked: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return Cutlist's answer about one class: its hash, and by name what each size is that it may launch."""
    written = {"apiVersion": "karpenter.azure.com/v1beta1", "kind": "AKSNodeClass", **asked["Classes"][name]}
    node_class = AKSNodeClass.from_manifest(written)
    settings = AzureSettings(network_plugin=asked["Plugin"], network_plugin_mode=asked["Mode"], node_resource_group=asked["RG"])
    catalog = _catalog(asked)
    sizes = {t.name: _row(t, node_class, catalog.machines[t.name]) for t in instance_types(node_class, catalog, settings)}
    return {"hash": stored_hash({**_DEFAULTS, **asked["Classes"][name]["spec"]}), "sizes": sizes}


def recorded_answer(whole: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return the program's answer about one class in the same form, without prices: each has a price list of its own."""
    sizes = {size: _without_prices(row) for size, row in whole[name].items()}
    return {"hash": whole[f"#{name}"]["hash"], "sizes": sizes}


def _without_prices(row: Mapping[str, Any]) -> dict[str, Any]:
    return {**row, "offers": sorted(offer.rpartition("/")[0] for offer in row["offers"])}


def _catalog(asked: Mapping[str, Any]) -> LocationCatalog:
    """Return the location with the sizes of the question instead of its own."""
    location = asked["Region"]
    found = skus(asked["Skus"], location, "")
    return replace(
        load_location(location),
        machines={sku.size.name: sku.size for sku in found},
        offered={sku.size.name: tuple(z if z == "0" else f"{location}-{z}" for z in sku.zones) for sku in found},
    )


def _row(t: InstanceType, node_class: AKSNodeClass, size: Size) -> dict[str, Any]:
    """Return what the program prints of a size."""
    offers = (f"{o.zone}/{o.capacity_type}/{str(o.available).lower()}" for o in t.offerings)
    return {
        "req": {key: sorted(t.requirements[key].values) for key in t.requirements},
        "cap": {name: _amount(amount) for name, amount in t.capacity.items()},
        "alloc": {name: _amount(amount) for name, amount in t.allocatable().items()},
        "offers": sorted(offers),
        "eph": bool(os_disk(node_class, size).placement),
        "ephmax": ephemeral_room(size).gb,
    }


def _amount(amount: int) -> str:
    """Return an amount as the program prints it: cores with three decimals if they are not whole."""
    whole, rest = divmod(amount, NANO)
    return f"{whole}.{rest // 10**6:03}" if rest else str(whole)


def differences(expected: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    """Return where two answers about a class differ, a line each."""
    lines = [] if expected["hash"] == found["hash"] else [f"hash: {expected['hash']} and {found['hash']}"]
    of_program, of_cutlist = expected["sizes"], found["sizes"]
    lines += [f"{name}: only the program has it" for name in sorted(of_program.keys() - of_cutlist.keys())]
    lines += [f"{name}: only Cutlist has it" for name in sorted(of_cutlist.keys() - of_program.keys())]
    for name in sorted(of_program.keys() & of_cutlist.keys()):
        for part, value in of_program[name].items():
            if value != of_cutlist[name][part]:
                lines.append(f"{name} {part}: {value} and {of_cutlist[name][part]}")
    return lines


def pack(asked: Path, answered: Path, folder: Path) -> None:
    """Write a question and the program's answer as the recorded answers have them: the question, and a file for each class."""
    folder.mkdir(parents=True, exist_ok=True)
    question_text, whole = asked.read_text(), json.loads(answered.read_text())
    _write(folder / QUESTION, json.loads(question_text))
    for name in CLASSES:
        _write(folder / f"{name}.json", recorded_answer(whole, name))


def _write(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, sort_keys=True, separators=(",", ":")) + "\n")


_COMMANDS: Final[Mapping[str, Callable[..., None]]] = {
    "question": lambda location: json.dump(question(location), sys.stdout),
    "pack": lambda asked, answered, folder: pack(Path(asked), Path(answered), Path(folder)),
}


if __name__ == "__main__":
    sys.exit(commands.run(__doc__, _COMMANDS, sys.argv[1:]))
