"""Permissions around an AKS cluster: built-in roles, their ids, and stable names of assignments (spec: azure 1.5)."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Final

PRINCIPAL_TYPE: Final = "ServicePrincipal"
"""The type of every identity in a role assignment. Without it a new identity is sometimes not found."""

SUBNET_ACTIONS: Final = (
    "Microsoft.Network/virtualNetworks/subnets/read",
    "Microsoft.Network/virtualNetworks/subnets/join/action",
)
"""All actions that a cluster needs on a subnet with another owner."""

_NAMESPACE: Final = uuid.UUID("6f0b2f0e-2c68-5d0f-9d2f-0d6b0a4c8b11")


@dataclass(frozen=True, slots=True)
class Role:
    """A built-in role of Azure: `key` is used in names of resources, `guid` is the id of its definition."""

    key: str
    name: str
    guid: str


NETWORK_CONTRIBUTOR: Final = Role("network", "Network Contributor", "4d97b98b-1d4f-4787-a291-c67834d212e7")
READER: Final = Role("reader", "Reader", "acdd72a7-3385-48ef-bd42-f606fba81ae7")
KEY_USER: Final = Role("key-user", "Key Vault Crypto Service Encryption User", "e147488a-f6f5-4113-8e2d-b22465e65bf6")
IDENTITY_OPERATOR: Final = Role("identity", "Managed Identity Operator", "f1a07417-d97a-45cb-824c-7a7467783830")
MACHINE_CONTRIBUTOR: Final = Role("machines", "Virtual Machine Contributor", "9980e02c-c2be-4d73-94e8-173b1dc7cf3c")
DNS_CONTRIBUTOR: Final = Role("dns", "Private DNS Zone Contributor", "b12aa53e-6015-4669-85d0-8515ebb3ae7f")

CONTROLLER_ROLES: Final = (MACHINE_CONTRIBUTOR, NETWORK_CONTRIBUTOR, IDENTITY_OPERATOR)
"""What a self-hosted controller needs on the group of nodes."""


def assignment_name(scope: str, principal: str, definition: str) -> str:
    """Return the name of an assignment, a GUID: the same for the same scope, principal and role, so that none is made twice.

    Azure ignores case in ids.
    """
    return str(uuid.uuid5(_NAMESPACE, "|".join((scope, principal, definition)).lower()))


def definition_name(scope: str, role_name: str) -> str:
    """Return the id of a custom role's definition, a GUID, by the same rule."""
    return str(uuid.uuid5(_NAMESPACE, f"{scope}|{role_name}".lower()))
