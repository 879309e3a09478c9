"""The whole table: which kind a type is of, whatever source names it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from cutlist.policy.rules.types.aws_kinds import AWS
from cutlist.policy.rules.types.azure_kinds import AZURE
from cutlist.policy.rules.types.kinds import Fact, Kind, snake
from cutlist.policy.rules.types.other_kinds import OTHERS

_BRIDGED: Final = re.compile(r"(?P<provider>awscc|azapi|azurerm):index/(?P<kind>\w+):\w+")
KINDS: Final = (*AWS, *AZURE, *OTHERS)
"""Every kind that rules are about, outside of Kubernetes' own."""
_BY_TOKEN: Final[Mapping[str, Kind]] = {token: kind for kind in KINDS for token in kind.tokens}
_BY_TERRAFORM: Final[Mapping[str, str]] = {name: token for kind in KINDS for name, token in kind.terraform_names()}
_BY_CLOUD: Final[Mapping[str, Kind]] = {kind.cloud.casefold(): kind for kind in KINDS if kind.cloud}
_BY_OPERATOR: Final[Mapping[str, str]] = {name: kind.classic for kind in KINDS for name in kind.operators}


def kind_of(token: str) -> Kind | None:
    """Return the kind of a type of Pulumi, or None if the table has none."""
    return _BY_TOKEN.get(token)


def types_of(*facts: Fact) -> tuple[str, ...]:
    """Return the types of Pulumi that are some facts."""
    return tuple(token for kind in KINDS if kind.fact in facts for token in kind.tokens)


def token_of_terraform(type_: str) -> str | None:
    """Return the type in Pulumi of a type of Terraform's providers, or None if the table has none."""
    return _BY_TERRAFORM.get(type_)


def token_of_bridged(token: str) -> str | None:
    """Return the type that the rules know of one of Terraform's providers that a program of Pulumi uses as it is, or None for
    any other type. Its name is made of Terraform's: `awscc:index/iamRole:IamRole`."""
    match = _BRIDGED.fullmatch(token)
    if match is None:
        return None
    name = f"{match['provider']}_{snake(match['kind'])}"
    return token_of_terraform(name) or f"opentofu:index:{name}"


def native_of(cloud: str) -> str | None:
    """Return the type in Pulumi's native provider of a type of CloudFormation or of Azure's Resource Manager."""
    kind = _BY_CLOUD.get(cloud.casefold())
    return kind.native if kind is not None and kind.native else None


def token_of_operator(service: str, kind: str) -> str | None:
    """Return the type in Pulumi of a kind of Crossplane's providers that another name has there."""
    return _BY_OPERATOR.get(f"{service}:{kind}")
