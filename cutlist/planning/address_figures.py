"""The subnets of a cluster, and how pods get addresses: the part `addresses` of a document of kind `Figures`.

addresses:
  cni: secondary                  # or prefix, custom, overlay; node-subnet or overlay on AKS
  growth: 10%                     # of the addresses in use, each month
  asOf: 2026-11-29                # the day from which growth counts
  subnets:
    - {name: private-a, zone: us-west-2a, cidr: 10.0.0.0/24, used: 120}
  podSubnets: []                  # with custom networking
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from cutlist.catalog.regions import AnyRegion, is_azure
from cutlist.core.errors import Problems, nearest
from cutlist.core.shapes import closed, day, integer, list_of, matching, one_of, text
from cutlist.documents.document import Document
from cutlist.infrastructure.addresses import RESERVED, Block, read_block, usable
from cutlist.providers.node_addresses import AWS_MODES, AZURE_MODES, Warm

_PART: Final = matching(r"[0-9]{1,3}(?:\.[0-9]+)?%", "a growth", "0% to 999%, such as 10%")
_MODES: Final = tuple(dict.fromkeys((*AWS_MODES, *AZURE_MODES)))
_SUBNET: Final = closed({"cidr": text}, {"name": text, "zone": text, "used": integer(0)})
ADDRESSES: Final = closed(
    optional={
        "cni": one_of(*_MODES),
        "growth": _PART,
        "asOf": day,
        "subnets": list_of(_SUBNET),
        "podSubnets": list_of(_SUBNET),
    }
)


@dataclass(frozen=True, slots=True)
class KnownSubnet:
    """A subnet with the addresses of it that are in use; `zone` is empty if it is in all of them."""

    name: str
    zone: str
    cidr: str
    used: int = 0
    is_for_pods: bool = False


@dataclass(frozen=True, slots=True)
class AddressFigures:
    """What is known of a cluster's addresses. `cni` is empty where the usual one is assumed, `growth` a fraction a month,
    `warm` what the CNI keeps ready. `sign` is what of the input shows the way of the CNI; empty for that of Figures."""

    cni: str = ""
    subnets: tuple[KnownSubnet, ...] = ()
    growth: float = 0.0
    as_of: date | None = None
    warm: Warm = field(default_factory=Warm)
    sign: str = ""

    @staticmethod
    def of(data: Mapping[str, Any]) -> AddressFigures:
        """Return the figures of a checked document."""
        own = [_subnet(raw, is_for_pods=False) for raw in data.get("subnets") or ()]
        pods = [_subnet(raw, is_for_pods=True) for raw in data.get("podSubnets") or ()]
        as_of = date.fromisoformat(data["asOf"]) if data.get("asOf") else None
        return AddressFigures(
            data.get("cni") or "", (*own, *pods), float(str(data.get("growth", "0%")).rstrip("%")) / 100, as_of
        )


def _subnet(raw: Mapping[str, Any], *, is_for_pods: bool) -> KnownSubnet:
    return KnownSubnet(raw.get("name") or raw["cidr"], raw.get("zone") or "", raw["cidr"], raw.get("used") or 0, is_for_pods)


def check_addresses(document: Document, catalog: AnyRegion | None, problems: Problems) -> None:
    """Add a problem for each block, zone and mode of the part `addresses` that cannot be."""
    written = document.data.get("addresses")
    if not isinstance(written, Mapping):
        return
    for part in ("subnets", "podSubnets"):
        listed = written.get(part)
        for index, raw in enumerate(listed if isinstance(listed, list) else ()):
            if isinstance(raw, Mapping):
                _check_subnet(document, f"addresses.{part}[{index}]", raw, catalog, problems)
    cni = written.get("cni")
    modes = AZURE_MODES if catalog is not None and is_azure(catalog) else AWS_MODES
    if catalog is not None and cni in _MODES and cni not in modes:
        problems.add(document.at("addresses.cni"), f"{cni!r} is not available in {catalog.region}", ", ".join(modes))


def _check_subnet(document: Document, path: str, raw: Mapping[str, Any], catalog: AnyRegion | None, problems: Problems) -> None:
    cidr, zone, used = raw.get("cidr"), raw.get("zone"), raw.get("used")
    if isinstance(cidr, str):
        block = block_of_subnet(document, path, cidr, problems)
        most = 0 if block is None else usable(block.network.prefixlen)
        if block is not None and isinstance(used, int) and used > most:
            text_ = f"{used:,} addresses are in use, and {cidr} has {most:,} for interfaces: the cloud reserves {RESERVED}"
            problems.add(document.at(f"{path}.used"), text_, "the addresses in use of this subnet alone")
    zones = [z.name for z in catalog.zones] if catalog is not None else []
    if isinstance(zone, str) and zones and zone not in zones:
        text_ = f"{catalog.region if catalog else ''} has no zone {zone!r}"
        problems.add(document.at(f"{path}.zone"), text_, ", ".join(zones), nearest(zone, zones))


def block_of_subnet(document: Document, path: str, cidr: str, problems: Problems) -> Block | None:
    """Return the block of a subnet at a path of a document; None, with a problem added there, if the text is not one."""
    found = Problems()
    block = read_block(cidr, f"{path}.cidr", "the subnet", found)
    for problem in found.found:
        problems.add(document.at(f"{path}.cidr"), problem.message, problem.allowed, problem.nearest)
    return block
