"""Built-in roles of Azure and of Entra ID that give their holder more than a cluster needs.

From Azure's page on built-in roles and Entra's on built-in roles and permissions of Graph, November 2026.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

GRANTING: Final[Mapping[str, str]] = {
    "8e3af657-a8ff-443c-a75c-2fe8c4bcb635": "Owner",
    "18d7d88d-d35e-4fb5-a5c3-7773c20a72d9": "User Access Administrator",
    "f58310d9-a9f6-439a-9e8d-f62e7b41a168": "Role Based Access Control Administrator",
    "8b54135c-b56d-4d72-a534-26097cfdc8d8": "Key Vault Data Access Administrator",
}
"""Roles that give roles to anybody, wherever they count."""
WIDE: Final[Mapping[str, str]] = {
    "b24988ac-6180-42a0-ab88-20f7382dd24c": "Contributor",
    "9980e02c-c2be-4d73-94e8-173b1dc7cf3c": "Virtual Machine Contributor",
    "1c0163c0-47e6-4577-8991-ea5c82e286e4": "Virtual Machine Administrator Login",
    "f1a07417-d97a-45cb-824c-7a7467783830": "Managed Identity Operator",
    "e40ec5ca-96e0-45a2-b4ff-59039f2c2b59": "Managed Identity Contributor",
    "ed7f3fbd-7b88-4dd4-9017-9adb7ce333f8": "Azure Kubernetes Service Contributor Role",
    "00482a5a-887f-4fb3-b363-3b7fe8e74483": "Key Vault Administrator",
    "b86a8fe4-44ce-4948-aee5-eccb2c155cd7": "Key Vault Secrets Officer",
    "4633458b-17de-408a-b874-0445c86b69e6": "Key Vault Secrets User",
    "f25e0fa2-a7c8-4377-a976-54943a77a395": "Key Vault Contributor",
    "17d1049b-9a84-46fb-8f53-869881c3d3ab": "Storage Account Contributor",
    "b7e6dc6d-f1e8-4753-8033-0f276bb0955b": "Storage Blob Data Owner",
    "f353d9bd-d4a6-484e-a77a-8050b599b867": "Automation Contributor",
    "87a39d53-fc1b-424a-814c-f7e04687dc9e": "Logic App Contributor",
    "36243c78-bf99-498c-9df9-86d9f8d28608": "Resource Policy Contributor",
    "fb1c8493-542b-48eb-b624-b4c8fea62acd": "Security Admin",
}
"""Roles that do everything else, or take over every machine, identity or secret there is: too much for a whole subscription."""
OF_CLUSTERS: Final[Mapping[str, str]] = {
    "0ab0b1a8-8aac-4efd-b8c2-3ee1fb270be8": "Azure Kubernetes Service Cluster Admin Role",
    "b1ff04bb-8a4e-4dc4-8eb5-8693973ce19b": "Azure Kubernetes Service RBAC Cluster Admin",
    "3498e952-d568-435e-9b2c-8d77e338d7f7": "Azure Kubernetes Service RBAC Admin",
}
"""Roles that own every object of a cluster: for people, not for workloads."""
BY_NAME: Final[Mapping[str, str]] = {
    name.casefold(): guid for roles in (GRANTING, WIDE, OF_CLUSTERS) for guid, name in roles.items()
}
OF_DIRECTORY: Final[Mapping[str, str]] = {
    "62e90394-69f5-4237-9190-012177145e10": "Global Administrator",
    "e8611ab8-c189-46e8-94e1-60213ab1f814": "Privileged Role Administrator",
    "7be44c8a-adaf-4e2a-84d6-ab2649e08a13": "Privileged Authentication Administrator",
    "9b895d92-2cd3-44c7-9d02-a6ac2d5ea5c3": "Application Administrator",
    "158c047a-c907-4556-b7ef-446551a6b5f7": "Cloud Application Administrator",
    "fe930be7-5e62-47db-91af-98c3a49a38b1": "User Administrator",
    "8ac3fc64-6eca-42ea-9e69-59f4c7b60eb2": "Hybrid Identity Administrator",
}
"""Roles of a directory that give its roles, or become any of its applications, by the id of their template."""
OF_GRAPH: Final[Mapping[str, str]] = {
    "9e3f62cf-ca93-4989-b6ce-bf83c28f9fe8": "RoleManagement.ReadWrite.Directory",
    "06b708a9-e830-4db3-a914-8e69da51d44f": "AppRoleAssignment.ReadWrite.All",
    "1bfefb4e-e0b5-418b-a88f-73c46d2cc8e9": "Application.ReadWrite.All",
    "19dbc75e-c2e2-444c-a770-ec69d8559fc7": "Directory.ReadWrite.All",
}
"""Permissions of applications that do the same."""
