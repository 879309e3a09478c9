"""What a call that joins components asks of each of them: their inputs, out of the one set of inputs that it is given.

A part's inputs are what the call's section of its name says, over what the parts have in common. What one part hands to another
is not among them: it is there only once the other is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import pulumi

from cutlist.infrastructure.controller_access import Credentials
from cutlist.infrastructure.network import Nat
from cutlist.infrastructure.versions import BASELINE
from pulumi_cutlist.aws.interface_pass import InterfacePassArgs

_OF_CONTROL_PLANE: Final = {
    "kubernetes_version": "version",
    "admins": "admins",
    "production": "production",
    "public_access_cidrs": "public_access_cidrs",
    "zonal_shift": "zonal_shift",
}


@dataclass(frozen=True, slots=True)
class JoinedParts:
    """The inputs of the parts that every joined cluster has."""

    given: Mapping[str, Any]

    @property
    def karpenter_version(self) -> str:
        """The version of Karpenter."""
        return str(self.given.get("karpenter_version", BASELINE))

    @property
    def is_isolated(self) -> bool:
        """Whether nodes have no way to the internet."""
        network = self.given.get("network", {})
        if "adopted" in network:
            return any(subnet.get("has_default_route") is False for subnet in network["adopted"]["private_subnets"])
        return bool(network.get("own", {}).get("nat") == Nat.NONE)

    @property
    def uses_irsa(self) -> bool:
        """Whether pods get their roles by an OIDC provider."""
        return bool(self.given.get("identity") == Credentials.IRSA)

    @property
    def credentials(self) -> dict[str, Any]:
        """How pods get their roles, as what has a role for them is told it."""
        return {"credentials": (Credentials.IRSA if self.uses_irsa else Credentials.POD_IDENTITY).value}

    @property
    def is_protected(self) -> bool:
        """Whether a destroy is refused."""
        return bool(self.given.get("production", False))

    def network(self) -> dict[str, Any]:
        """Inputs of Network."""
        asked = {**self.given.get("network", {})}
        if "own" not in asked and "adopted" not in asked:
            asked["own"] = {}
        return {**self.named, "region": self.given["region"], **self.tags, **asked}

    def last_interfaces(self, vpc: pulumi.Input[str]) -> InterfacePassArgs:
        """Return the inputs of InterfacePass."""
        given = self.given
        return {
            "cluster_name": given["cluster_name"],
            "region": given["region"],
            "account_id": given["account_id"],
            "vpc_id": vpc,
        }

    def control_plane(self, zones: list[str]) -> dict[str, Any]:
        """Return a control plane, as Cluster and AutoMode have it, but for its subnets."""
        service = self.given.get("network", {}).get("service_cidr")
        return {
            **self.where,
            **self.common,
            "karpenter_version": self.karpenter_version,
            "zones": zones,
            **{theirs: self.given[ours] for ours, theirs in _OF_CONTROL_PLANE.items() if ours in self.given},
            **({} if service is None else {"service_ipv4_cidr": service}),
            **self.section("control_plane"),
        }

    def spot_role(self) -> dict[str, Any]:
        """Inputs of SpotServiceLinkedRole."""
        return {"region": self.given["region"], "mode": self.given.get("spot_role", "ensure")}

    def configuration(self) -> dict[str, Any]:
        """Inputs of NodeConfiguration."""
        return {key: self.given.get(key, []) for key in ("node_pools", "node_classes")}

    def external_dns_identity(self) -> dict[str, Any]:
        """Return the inputs of ExternalDnsIdentity, but for the links to the cluster."""
        home = {key: value for key, value in self.section("observability").items() if key == "namespace"}
        own = self.section("external_dns_identity")
        return {**self.where, **self.common, **home, **self.credentials, **own}

    def observability(self) -> dict[str, Any]:
        """Return the inputs of Observability, but for the role of ExternalDNS."""
        return {**self.named, "karpenter_version": self.karpenter_version, **self.section("observability")}

    @property
    def role_links(self) -> tuple[str, ...]:
        """What the cluster hands on to roles of service accounts."""
        return ("cluster", "oidc_provider_arn", "oidc_issuer") if self.uses_irsa else ("cluster",)

    def section(self, name: str) -> dict[str, Any]:
        """What the call says for one part alone."""
        return dict(self.given.get(name, {}))

    @property
    def named(self) -> dict[str, Any]:
        """The cluster's name, as all parts have it."""
        return {"cluster_name": self.given["cluster_name"]}

    @property
    def where(self) -> dict[str, Any]:
        """The cluster, and where it is."""
        return {**self.named, "region": self.given["region"], "account_id": self.given["account_id"]}

    @property
    def tags(self) -> dict[str, Any]:
        """Tags, when there are any."""
        return {key: self.given[key] for key in ("tags",) if key in self.given}

    @property
    def styled(self) -> dict[str, Any]:
        """What parts with names of their own have."""
        return {**self.tags, **{key: self.given[key] for key in ("name_style",) if key in self.given}}

    @property
    def common(self) -> dict[str, Any]:
        """What parts with roles have."""
        bounded = {key: self.given[key] for key in ("permissions_boundary",) if key in self.given}
        return {**self.styled, **bounded}
