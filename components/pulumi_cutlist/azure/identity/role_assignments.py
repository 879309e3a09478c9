"""Roles that identities are given, as resources (spec: azure 1.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pulumi
import pulumi_azure_native as azure

from cutlist.infrastructure.aks.names import AksFacts
from cutlist.infrastructure.aks.roles import PRINCIPAL_TYPE, SUBNET_ACTIONS, Role, assignment_name, definition_name


def assign(
    name: str,
    facts: AksFacts,
    role: Role,
    scope: pulumi.Input[str],
    principal_id: pulumi.Input[str],
    parent: pulumi.Resource,
) -> pulumi.Resource:
    """Give an identity one of Azure's own roles on a resource or group, under a name that stays the same."""
    return _assignment(name, facts.role_definition_id(role.guid), scope, principal_id, parent)


def assign_subnets(
    name: str,
    facts: AksFacts,
    subnet_ids: Mapping[str, pulumi.Input[str]],
    principal_id: pulumi.Input[str],
    parent: pulumi.Resource,
) -> list[pulumi.Resource]:
    """Give an identity no more than the use of some subnets, by a role that is made for it."""
    title = f"Use of subnets by {facts.cluster}"
    groups = pulumi.Output.all(*subnet_ids.values()).apply(_groups)
    definition = azure.authorization.RoleDefinition(
        f"{name}-subnets",
        role_definition_id=definition_name(facts.group_id, title),
        role_name=title,
        role_type="CustomRole",
        scope=groups.apply(lambda known: known[0]),
        assignable_scopes=groups,
        permissions=[{"actions": list(SUBNET_ACTIONS)}],
        opts=pulumi.ResourceOptions(parent=parent),
    )
    return [
        _assignment(f"{name}-subnet-{subnet}", definition.id, scope, principal_id, parent)
        for subnet, scope in subnet_ids.items()
    ]


def _groups(subnet_ids: list[str]) -> list[str]:
    """Return the resource groups that subnets are in: a custom role is known in groups, and in nothing smaller."""
    return sorted({subnet.split("/providers/")[0] for subnet in subnet_ids})


def _assignment(
    name: str,
    definition_id: pulumi.Input[str],
    scope: pulumi.Input[str],
    principal_id: pulumi.Input[str],
    parent: pulumi.Resource,
) -> pulumi.Resource:
    def stable(values: list[Any]) -> str:
        return assignment_name(*map(str, values))

    assignment: pulumi.Resource = azure.authorization.RoleAssignment(
        name,
        principal_id=principal_id,
        principal_type=PRINCIPAL_TYPE,
        role_definition_id=definition_id,
        scope=scope,
        role_assignment_name=pulumi.Output.all(scope, principal_id, definition_id).apply(stable),
        opts=pulumi.ResourceOptions(parent=parent),
    )
    return assignment
