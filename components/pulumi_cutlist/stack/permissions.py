"""What whoever updates a stack must be allowed to do, by the resources that its program registers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from cutlist.infrastructure.aks.deployer import OF_AZURE
from cutlist.infrastructure.aks.names import AksFacts
from cutlist.infrastructure.iam.deployer import is_named_after
from cutlist.infrastructure.iam.deployer_calls import CALLS
from cutlist.infrastructure.names import ClusterFacts, NameStyle
from cutlist.verbs.permissions.answer import AksPermissions, Permissions, aks_permissions_of, permissions_of
from pulumi_cutlist.recorded.recording import Recording, Registration

_FACTS: Final = ("cluster_name", "region", "account_id")
_AKS_FACTS: Final = ("name", "resource_group", "location", "subscription")
_ROLE_ARNS: Final = ("nodeRoleArn", "podExecutionRoleArn", "roleArn", "serviceAccountRoleArn")
"""Inputs of resources of EKS with the ARN of a role, which whoever updates passes on."""
_PROFILE: Final = "aws:iam/instanceProfile:InstanceProfile"
_STYLE: Final = "name_style"
_PROVIDERS: Final = "pulumi:providers:"
_DYNAMIC: Final = "pulumi-python:dynamic/"
_INDEX: Final = "cutlist:index:"


def permissions_of_stack(recording: Recording) -> tuple[Permissions, ...]:
    """Return a policy document for each cluster of AWS that a program registers components for, by name."""
    types = _types(recording)
    clusters: dict[tuple[str, str, str], ClusterFacts] = {}
    for facts in (facts for resource in recording.resources.values() for facts in _facts(resource)):
        key = (facts.cluster, facts.region, facts.account)
        if facts.name_style is NameStyle.AUTO or key not in clusters:
            clusters[key] = facts
    passed = _passed_roles(recording, clusters.values())
    return tuple(permissions_of(clusters[key], types, passed) for key in sorted(clusters))


def _passed_roles(recording: Recording, clusters: Collection[ClusterFacts]) -> list[str]:
    """Return the ARNs of roles that resources get and that are named after none of the clusters: they exist already."""
    given = {arn for resource in recording.resources.values() for arn in _given_roles(resource, clusters)}
    return sorted(arn for arn in given if not any(is_named_after(facts, arn) for facts in clusters))


def _given_roles(resource: Registration, clusters: Collection[ClusterFacts]) -> Iterator[str]:
    """Yield the ARNs of the roles that a resource gets, as far as they are known before an update."""
    inputs = resource.inputs
    arns = (inputs.get(key) for key in _ROLE_ARNS) if resource.type in CALLS else ()
    yield from (arn for arn in arns if isinstance(arn, str) and arn.startswith("arn:"))
    role, path = inputs.get("role"), inputs.get("path") or "/"
    if resource.type == _PROFILE and isinstance(role, str) and isinstance(path, str):
        yield from {facts.role_arn(role, path) for facts in clusters}


def aks_permissions_of_stack(recording: Recording) -> tuple[AksPermissions, ...]:
    """Return a custom role of Azure for each cluster of AKS that a program registers components for, by name."""
    registered = [resource for resource in recording.resources.values() if resource.type.startswith(OF_AZURE)]
    named = sorted({text for resource in registered for text in _texts(resource.inputs)})
    clusters = {facts.cluster_id: facts for resource in recording.resources.values() for facts in _aks_facts(resource)}
    return tuple(aks_permissions_of(clusters[key], _types(recording), named) for key in sorted(clusters))


def _types(recording: Recording) -> set[str]:
    types = {_own_type(resource.type) for resource in recording.resources.values() if resource.request.custom}
    return {type_ for type_ in types if not type_.startswith(_PROVIDERS)}


def _texts(value: Any) -> Iterator[str]:
    """Yield every text in the inputs of a resource."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from (key, *_texts(inner))
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def _aks_facts(component: Registration) -> Iterator[AksFacts]:
    """Yield the cluster of AKS that a component is part of."""
    names = component.inputs.get("cluster")
    known = {key: text for key in _AKS_FACTS if isinstance(text := names.get(key), str)} if isinstance(names, Mapping) else {}
    if component.type.startswith(_INDEX) and len(known) == len(_AKS_FACTS):
        yield AksFacts(*(known[key] for key in _AKS_FACTS))


def _facts(component: Registration) -> Iterator[ClusterFacts]:
    """Yield the cluster that a component is part of, unless only an update knows it."""
    inputs = component.inputs
    name, region, account = (inputs.get(key) for key in _FACTS)
    style = NameStyle.AUTO if inputs.get(_STYLE) == NameStyle.AUTO else NameStyle.KARPENTER
    if isinstance(name, str) and isinstance(region, str) and isinstance(account, str):
        yield ClusterFacts(name, region, account, name_style=style)


def _own_type(token: str) -> str:
    """Return the type under which the table of calls has it."""
    return token.removeprefix(_DYNAMIC).replace(_INDEX, "cutlist:")
