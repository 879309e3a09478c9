"""Rows of the table of tricks as a program registers them: what is run for an engine, and without one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import pulumi

from cutlist.policy.rules import UNKNOWN, Resource
from tests.gates.trick import Trick
from tests.gates.tricks import CLASSES

EVERY: Final = 12
"""One row of so many of each class is registered, the first among them."""
PACKAGES: Final = (
    *("argocd", "aws", "aws-native", "azapi", "azure", "azure-native", "azuread", "azurerm", "command", "flux"),
    *("kubernetes", "kubernetes-cert-manager", "random"),
)
"""The packages of providers whose resources are registered."""
_COMPONENTS: Final = re.compile(r"(cutlist|eks|awsx):")
_TOKEN: Final = re.compile(rf"({'|'.join(map(re.escape, PACKAGES))}):[^:]+:\w+")
_OWN: Final = frozenset(("id", "urn"))
"""Members that the SDK keeps for itself."""


class Custom(pulumi.CustomResource):
    """A resource of any type."""

    def __init__(self, type_: str, name: str, inputs: Mapping[str, Any], options: pulumi.ResourceOptions) -> None:
        super().__init__(type_, name, dict(inputs), options)


class Component(pulumi.ComponentResource):
    """A component of any type."""

    def __init__(self, type_: str, name: str, inputs: Mapping[str, Any], options: pulumi.ResourceOptions) -> None:
        super().__init__(type_, name, dict(inputs), options)


def rows() -> Iterator[tuple[str, Trick]]:
    """Yield the rows that are registered, by the names of their classes."""
    for name, tricks in CLASSES.items():
        fit = [trick for trick in tricks if not trick.files and all(map(_may_be_registered, trick.registered))]
        for trick in fit[::EVERY]:
            yield name, trick


def _may_be_registered(resource: Resource) -> bool:
    is_token = _TOKEN.fullmatch(resource.type) or _COMPONENTS.match(resource.type)
    options = resource.options
    is_plain = not (resource.references or options.deleted_with or options.replace_on_changes or options.retain_on_delete)
    return bool(is_token) and is_plain and isinstance(resource.data, Mapping) and not _OWN & resource.data.keys()


def register() -> None:
    """Register all rows, in the program that runs. What a row leaves unknown is an output that only an update knows."""
    later = Custom("random:index/randomPet:RandomPet", "later", {}, pulumi.ResourceOptions())
    for number, (_, trick) in enumerate(rows()):
        for inner, resource in enumerate(trick.registered):
            options = pulumi.ResourceOptions(
                ignore_changes=list(resource.options.ignore_changes) or None, protect=resource.options.protect or None
            )
            made = Component if _COMPONENTS.match(resource.type) else Custom
            made(resource.type, f"{resource.name}-{number}-{inner}", _inputs(resource.data, later.id), options)


def _inputs(data: Any, later: pulumi.Output[str]) -> Any:
    if data is UNKNOWN:
        return later
    if isinstance(data, Mapping):
        return {str(key): _inputs(value, later) for key, value in data.items()}
    return [_inputs(value, later) for value in data] if isinstance(data, list | tuple) else data
