"""A key of one's own for disks: how Azure writes the vault and the address of the key (spec: azure 1.5)."""

from __future__ import annotations

import re
from typing import Any, Final

from cutlist.infrastructure.aks.notes import Notes

_VAULT_ID: Final = re.compile(
    r"/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\.KeyVault/(vaults|managedHSMs)/[^/]+", re.IGNORECASE
)
_KEY_URL: Final = re.compile(r"https://[^/]+/keys/[^/]+(/[^/]+)?/?")


def check_key(vault_id: Any, key_url: Any, notes: Notes) -> None:
    """Note what is no vault and no address of a key. What only an update knows is no text, and not looked at."""
    if isinstance(vault_id, str) and not _VAULT_ID.fullmatch(vault_id):
        allowed = "/subscriptions/ID/resourceGroups/GROUP/providers/Microsoft.KeyVault/vaults/NAME"
        notes.refuse("vaultId", f"{vault_id!r} is not the id of a key vault", allowed)
    if isinstance(key_url, str) and not _KEY_URL.fullmatch(key_url):
        allowed = "https://VAULT.vault.azure.net/keys/NAME, with or without a version"
        notes.refuse("keyUrl", f"{key_url!r} is not the address of a key", allowed)
