"""A kind of resource: what it is to the rules, and its name in each source.

A kind is declared by its names in Pulumi's providers and in its cloud. Names of Terraform's providers, of Cloud Control and of
operators follow from these; only those that do not are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

_CAPITAL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NATIVE: Final = {"EC2Fleet": "Ec2Fleet", "OIDCProvider": "OidcProvider", "SAMLProvider": "SamlProvider"}
"""Kinds of CloudFormation that Pulumi's native provider writes otherwise."""
_EC2: Final = "ec2/"


class Fact(StrEnum):
    """What a resource is to the rules."""

    ROLE = "role"
    POLICY = "policy"
    IDENTITY = "identity"
    CREDENTIAL = "credential"
    ACCESS = "access to the cluster"
    QUEUE = "queue"
    CLUSTER = "cluster"
    NODE_GROUP = "node group"
    FARGATE = "pods on Fargate"
    MACHINE = "machine"
    TEMPLATE = "template of machines"
    NETWORK = "network"
    STORE = "store"
    LOG = "log"
    CHART = "chart"
    MANIFEST = "manifest"
    COMMAND = "command"
    DEPLOYMENT = "deployment"


@dataclass(frozen=True, slots=True)
class Kind:
    """What several sources call by different names.

    `classic` and `native` are types of Pulumi, of its providers made from Terraform's and from the cloud's API; `cloud` is the
    type of CloudFormation or of Azure's Resource Manager; `terraform` and `operators` are further names, those of Crossplane as
    service and kind. Each is empty where there is none.
    """

    fact: Fact
    classic: str = ""
    native: str = ""
    cloud: str = ""
    terraform: tuple[str, ...] = ()
    operators: tuple[str, ...] = ()

    @property
    def tokens(self) -> tuple[str, ...]:
        """Return its types in Pulumi."""
        return tuple(filter(None, (self.classic, self.native)))

    def terraform_names(self) -> Iterator[tuple[str, str]]:
        """Yield its names in Terraform's providers, each with the type in Pulumi that has the same members."""
        yield from ((name, self.classic or self.native) for name in self.terraform)
        if self.cloud.startswith("AWS::"):
            _, service, kind = self.cloud.split("::")
            yield f"awscc_{service.lower()}_{snake(kind)}", self.native


def aws(fact: Fact, classic: str = "", cloud: str = "", terraform: str = "", operators: str = "") -> Kind:
    """Return a kind of AWS: `iam/role` and `IAM::Role` as its names in Pulumi's classic provider and in CloudFormation."""
    service, _, kind = cloud.partition("::")
    native = f"aws-native:{service.lower()}:{_NATIVE.get(kind, kind)}" if cloud else ""
    names = terraform.split() or ([_terraform_of(classic)] if classic else [])
    return Kind(fact, _token("aws", classic), native, cloud and f"AWS::{cloud}", tuple(names), tuple(operators.split()))


def azure(fact: Fact, classic: str = "", native: str = "", cloud: str = "", terraform: str = "", operators: str = "") -> Kind:
    """Return a kind of Azure, of whose names none follows from another."""
    names = tuple(f"azurerm_{name}" for name in terraform.split())
    own = native and f"azure-native:{native}"
    return Kind(fact, _token("azure", classic), own, cloud and f"Microsoft.{cloud}", names, tuple(operators.split()))


def other(fact: Fact, classic: str, terraform: str = "") -> Kind:
    """Return a kind of any other provider."""
    return Kind(fact, classic, terraform=tuple(terraform.split()))


def snake(name: str) -> str:
    """Return a name in words with underscores: `launch_template` of `LaunchTemplate`."""
    return _CAPITAL.sub("_", name).lower()


def _token(provider: str, classic: str) -> str:
    module, _, kind = classic.rpartition("/")
    return f"{provider}:{module}/{kind}:{kind[:1].upper()}{kind[1:]}" if classic else ""


def _terraform_of(classic: str) -> str:
    """Return the name from which Pulumi made one of its own; its module `ec2` has many types whose names lack it."""
    module, _, kind = classic.rpartition("/")
    return f"aws_{snake(kind)}" if classic.startswith(_EC2) else f"aws_{module}_{snake(kind)}"
