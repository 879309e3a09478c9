"""Answers of Azure about japaneast in the forms of its APIs: some sizes, their quotas and prices; a server that gives them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

LOCATION = "japaneast"
SUBSCRIPTION = "00000000-0000-0000-0000-000000000000"


def sku(name: str, family: str, vcpus: int, memory: str, **more: Any) -> dict[str, Any]:
    """Return a record of a size; `more` are `zones`, `restrictions`, and capabilities other than those of an ordinary new
    size."""
    zones, restrictions = more.pop("zones", ["1", "2", "3"]), more.pop("restrictions", [])
    said = {
        "vCPUs": str(vcpus),
        "vCPUsAvailable": str(vcpus),
        "MemoryGB": memory,
        "CpuArchitectureType": "x64",
        "HyperVGenerations": "V1,V2",
        "PremiumIO": "True",
        "AcceleratedNetworkingEnabled": "True",
        "EncryptionAtHostSupported": "True",
        "LowPriorityCapable": "True",
        "EphemeralOSDiskSupported": "False",
        **more,
    }
    return {
        "name": name,
        "family": family,
        "size": name.removeprefix("Standard_"),
        "tier": "Standard",
        "resourceType": "virtualMachines",
        "locations": [LOCATION],
        "locationInfo": [{"location": "JapanEast", "zones": zones, "zoneDetails": []}],
        "capabilities": [{"name": key, "value": value} for key, value in said.items() if value is not None],
        "restrictions": restrictions,
    }


def closed(kind: str, **where: Any) -> dict[str, Any]:
    return {"type": kind, "values": [LOCATION], "restrictionInfo": where, "reasonCode": "NotAvailableForSubscription"}


SKUS = [
    sku("Standard_D8_v4", "standardDv4Family", 8, "32", PremiumIO="False", zones=["2", "1"]),
    # As much of a D8s_v5 as no real one has: whatever the name tells, the record is right.
    sku(
        "Standard_D8s_v5",
        "standardOddFamily",
        6,
        "31.5",
        HyperVGenerations="V1",
        PremiumIO="False",
        AcceleratedNetworkingEnabled="False",
        EncryptionAtHostSupported="False",
        LowPriorityCapable="False",
        EphemeralOSDiskSupported="True",
        SupportedEphemeralOSDiskPlacements="ResourceDisk,CacheDisk",
        CachedDiskBytes="214748364800",
        MaxResourceVolumeMB="76800",
        GPUs="0",
    ),
    sku("Standard_D8ps_v5", "standardDPSv5Family", 8, "32", CpuArchitectureType="Arm64", restrictions=[closed("Location")]),
    sku(
        "Standard_E16as_v5",
        "standardEASv5Family",
        16,
        "128",
        TrustedLaunchDisabled="True",
        restrictions=[closed("Zone", zones=["1", "3"])],
    ),
    sku(
        "Standard_D8ds_v6",
        "StandardDdsv6Family",
        8,
        "32",
        SupportedEphemeralOSDiskPlacements="NvmeDisk",
        NvmeDiskSizeInMiB="450560",
        zones=[],
    ),
    sku("Standard_D99_v9", "standardDv9Family", 99, "99", CpuArchitectureType=None),
    {**sku("Standard_LRS", "", 1, "1"), "resourceType": "disks"},
    {**sku("Standard_D2_v4", "", 2, "8"), "locationInfo": [{"location": "westus", "zones": []}]},
]


def usage(name: str, limit: int, used: int) -> dict[str, Any]:
    """Return a quota; the command line of Azure prints its numbers as texts."""
    return {"name": {"value": name, "localizedValue": name}, "unit": "Count", "limit": str(limit), "currentValue": used}


USAGE = [
    usage("availabilitySets", 2500, 0),
    usage("cores", 100, 40),
    usage("lowPriorityCores", 50, 0),
    usage("standardDv4Family", 10, 4),
    usage("standardEASv5Family", 10, 12),
    usage("standardNVFamily", 10, 0),
]


def price(size: str, amount: float, kind: str = "", **more: str) -> dict[str, Any]:
    """Return a row of the price list; `kind` is what its names end in."""
    series = size.removeprefix("Standard_")
    return {
        "currencyCode": "USD",
        "retailPrice": amount,
        "armRegionName": LOCATION,
        "armSkuName": size,
        "skuName": series + (kind if kind != " Windows" else ""),
        "meterName": series + (kind if kind != " Windows" else ""),
        "productName": "Virtual Machines Series" + (kind if kind == " Windows" else ""),
        "serviceName": "Virtual Machines",
        "type": "Consumption",
        **more,
    }


PRICES = [
    price("Standard_D8_v4", 0.52),
    price("Standard_D8_v4", 0.5),
    price("Standard_D8_v4", 0.3, " Windows"),
    price("Standard_D8_v4", 0.05, " Low Priority"),
    price("Standard_D8_v4", 0.09, " Spot"),
    price("Standard_D8_v4", 0.08, " Spot"),
    price("Standard_D8_v4", 0.01, armRegionName="westus"),
    price("Standard_E16as_v5", 0.0),
    price("Standard_M416s_6_v3", 23.296),
    price("Standard_M416s_6_v3", 65.0),
]


def save(folder: Path, **answers: Any) -> Path:
    """Return the answers as files, as a user saves them; None leaves one out."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in {"skus": SKUS, "usage": USAGE, "prices": [{"Items": PRICES}], **answers}.items():
        if rows is not None:
            (folder / f"{name}.json").write_text(rows if isinstance(rows, str) else json.dumps(rows))
    return folder


class Azure:
    """A server of these answers, in pages of three; `refusal` is the status of every answer, where there is one."""

    def __init__(self) -> None:
        self.refusal = 0
        self.asked: list[str] = []
        self.address = ""

    def __call__(self, path: str, headers: Mapping[str, str], body: bytes) -> tuple[int, str, bytes]:
        url = urlsplit(path)
        self.asked.append(path)
        if self.refusal:
            error = {"error": {"code": "Refused", "message": "it will not be"}}
            return self.refusal, "application/json", json.dumps(error).encode()
        rows, key, link = self._rows(url.path)
        start = int(parse_qs(url.query).get("from", ["0"])[0])
        page: dict[str, Any] = {key: rows[start : start + 3]}
        if start + 3 < len(rows):
            page[link] = f"{self.address}{url.path}?from={start + 3}"
        return 200, "application/json", json.dumps(page).encode()

    def _rows(self, path: str) -> tuple[list[dict[str, Any]], str, str]:
        if path.startswith("/api/retail"):
            return PRICES, "Items", "NextPageLink"
        whole = [{**u, "limit": int(u["limit"])} for u in USAGE]
        return (SKUS if path.endswith("/skus") else whole), "value", "nextLink"
