"""The price per hour of a program's resources, as far as their inputs determine it. No account, no Pulumi, no clock."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from cutlist.infrastructure.costs import aws, azure, pulumi_eks
from cutlist.infrastructure.costs.bill import Bill, Component
from cutlist.infrastructure.costs.charges import Charge, ChargeState, RequestedResource, Rule, not_known

__all__ = ["Bill", "Charge", "ChargeState", "Component", "RequestedResource", "charges_of", "is_priced"]


_RULES: Final[Mapping[str, Rule]] = {**aws.RULES, **azure.RULES, **pulumi_eks.RULES}
_FREE: Final = aws.FREE | azure.FREE | pulumi_eks.FREE
_FREE_MODULES: Final = (*aws.FREE_MODULES, *azure.FREE_MODULES)
_LOOK: Final[Mapping[str, str]] = {
    "aws": aws.PRICES,
    "aws-native": aws.PRICES,
    "azure": azure.PRICES,
    "azure-native": azure.PRICES,
}
_VERSION: Final = re.compile(r"/v\d{8}(?:preview)?(?=:)")


def is_priced(type_: str) -> bool:
    """Tell whether a type, such as that of a component whose resources only an engine sees, has a rule or is free."""
    return type_ in _RULES or type_ in _FREE


def charges_of(resource: RequestedResource) -> tuple[Charge, ...]:
    """Return the charges of a resource; none if it is free itself, or does not belong to a cloud.

    A cloud's resource of a type without a rule has one unknown charge, so that an incomplete sum never looks complete.
    """
    token = _VERSION.sub("", resource.type)
    package, _, kind = token.partition(":")
    if rule := _RULES.get(token):
        return tuple(rule(resource))
    if package not in _LOOK or token in _FREE or token.startswith(_FREE_MODULES):
        return ()
    return (not_known(kind.rpartition(":")[2], f"{token}: see {_LOOK[package]}"),)
