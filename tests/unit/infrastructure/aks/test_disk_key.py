"""The key for disks: a vault by its id and a key by its address, and nothing that Azure would refuse later."""

from __future__ import annotations

import pytest

from cutlist.infrastructure.aks.notes import AksNotes
from cutlist.infrastructure.aks.resource_ids import check_key
from tests.unit.infrastructure.aks.facts import mistakes

VAULT = "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/shop"
KEY = "https://shop.vault.azure.net/keys/disks"


def reported(vault_id: object = VAULT, key_url: object = KEY) -> list[str]:
    notes = AksNotes()
    check_key(vault_id, key_url, notes)
    return mistakes(notes)


@pytest.mark.parametrize("key_url", [KEY, f"{KEY}/", f"{KEY}/0123456789abcdef"])
@pytest.mark.parametrize("vault_id", [VAULT, VAULT.lower(), VAULT.replace("vaults", "managedHSMs")])
def test_a_key_may_have_a_version_and_an_id_any_case_of_letters(vault_id, key_url):
    assert reported(vault_id, key_url) == []


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"vault_id": "shop"}, "vaultId: 'shop' is not the id of a key vault; allowed: /subscriptions/ID/"),
        ({"vault_id": f"{VAULT}/keys/disks"}, "vaultId: "),
        ({"key_url": "disks"}, "keyUrl: 'disks' is not the address of a key; allowed: https://VAULT.vault.azure.net/keys/NAME"),
        ({"key_url": "https://shop.vault.azure.net/secrets/disks"}, "keyUrl: "),
    ],
)
def test_what_is_no_vault_or_no_key_is_reported_at_its_place(given, message):
    [text] = reported(**given)
    assert text.startswith(message)


def test_what_only_an_update_knows_is_not_looked_at():
    assert reported(object(), object()) == []
