"""Ids of virtual networks, subnets, key vaults and keys of Azure, as people write them (spec: azure 1.5, 1.6)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.errors import Place, Problems
from cutlist.infrastructure.aks.names import group_id
from cutlist.infrastructure.aks.notes import AksNotes

_NETWORK: Final = (
    r"/subscriptions/(?P<subscription>[^/]+)/resourceGroups/(?P<group>[^/]+)"
    r"/providers/Microsoft\.Network/virtualNetworks/(?P<name>[^/]+)"
)
_NETWORK_ID: Final = re.compile(_NETWORK, re.IGNORECASE)
_SUBNET_ID: Final = re.compile(rf"{_NETWORK}/subnets/(?P<subnet>[^/]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NetworkId:
    """A virtual network by its subscription, resource group and name."""

    subscription: str
    group: str
    name: str

    @property
    def text(self) -> str:
        """Return the id as Azure writes it."""
        return f"{group_id(self.subscription, self.group)}/providers/Microsoft.Network/virtualNetworks/{self.name}"

    def subnet_id(self, name: str) -> str:
        """Return the id of a subnet of the network."""
        return f"{self.text}/subnets/{name}"


@dataclass(frozen=True, slots=True)
class SubnetId:
    """A subnet by its network and name."""

    network: NetworkId
    name: str


def read_network_id(text: str, path: str, problems: Problems) -> NetworkId | None:
    """Return a network from its id; None, with a problem added, if the text is not such an id."""
    match = _NETWORK_ID.fullmatch(text)
    if match:
        return _network(match)
    allowed = "/subscriptions/ID/resourceGroups/GROUP/providers/Microsoft.Network/virtualNetworks/NAME"
    problems.add(Place(path=path), f"{text!r} is not the id of a virtual network", allowed)
    return None


def subnet_of(text: str) -> SubnetId | None:
    """Return a subnet from its id, or None if the text is not such an id."""
    match = _SUBNET_ID.fullmatch(text)
    return SubnetId(_network(match), match["subnet"]) if match else None


def _network(match: re.Match[str]) -> NetworkId:
    return NetworkId(match["subscription"], match["group"], match["name"])


_VAULT_ID: Final = re.compile(
    r"/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\.KeyVault/(vaults|managedHSMs)/[^/]+", re.IGNORECASE
)
_KEY_URL: Final = re.compile(r"https://[^/]+/keys/[^/]+(/[^/]+)?/?")


def check_key(vault_id: Any, key_url: Any, notes: AksNotes) -> None:
    """Report a text that is not the id of a vault or the address of a key. A value that is only known at the update is not
    checked."""
    if isinstance(vault_id, str) and not _VAULT_ID.fullmatch(vault_id):
        allowed = "/subscriptions/ID/resourceGroups/GROUP/providers/Microsoft.KeyVault/vaults/NAME"
        notes.refuse("vaultId", f"{vault_id!r} is not the id of a key vault", allowed)
    if isinstance(key_url, str) and not _KEY_URL.fullmatch(key_url):
        allowed = "https://VAULT.vault.azure.net/keys/NAME, with or without a version"
        notes.refuse("keyUrl", f"{key_url!r} is not the address of a key", allowed)
