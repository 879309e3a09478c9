"""What a KarpenterCluster asks of the parts that only clusters with a Karpenter of their own have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import pulumi

from cutlist.infrastructure.control_plane import AuthenticationMode
from cutlist.infrastructure.teardown.drain import DrainMode
from pulumi_cutlist.aws.joined_parts import JoinedParts
from pulumi_cutlist.aws.teardown import TeardownArgs

_PROFILES: Final = "instance-profiles"
_ISOLATED: Final = (_PROFILES, "price-list")  # no VPC endpoint reaches what these are for


@dataclass(frozen=True, slots=True)
class KarpenterParts(JoinedParts):
    """The inputs of every part of one KarpenterCluster."""

    @property
    def is_adopted(self) -> bool:
        """Whether the cluster is there already."""
        return "adopted_cluster" in self.given

    @property
    def has_static_profile(self) -> bool:
        """Whether the instance profile of nodes is made here."""
        return bool(self.given.get("static_profile", self.is_isolated))

    @property
    def has_queue_key(self) -> bool:
        """Whether the queue is encrypted by a key that the controller has to use."""
        return bool(self.section("interruption").get("encryption", "managed") != "managed")

    def cluster(self, zones: list[str]) -> dict[str, Any]:
        """Return the inputs of Cluster, but for subnets."""
        own = {key: self.given[key] for key in ("identity", "add_ons") if key in self.given}
        if "fargate" in self.given:
            home = {**self._controller("namespace"), **self.given["fargate"]}
            return {"control_plane": self.control_plane(zones), "fargate": home, **own}
        home = {"zones": zones, **self.section("system_nodes")}
        return {"control_plane": self.control_plane(zones), "system_nodes": home, **own}

    def adopted_cluster(self) -> dict[str, Any]:
        """Inputs of AdoptedCluster."""
        told = {"version": self.given["kubernetes_version"]} if "kubernetes_version" in self.given else {}
        own = {**self.where, **self.tags, "karpenter_version": self.karpenter_version}
        return {**own, **told, **self.section("adopted_cluster")}

    def node_identity(self) -> dict[str, Any]:
        """Inputs of NodeIdentity, but for the link to the cluster."""
        told = self.section("adopted_cluster" if self.is_adopted else "control_plane")
        return {
            **self.where,
            **self.common,
            "authentication_mode": told.get("authentication_mode", AuthenticationMode.API.value),
            "ip_family": told.get("ip_family", "ipv4"),
            "cni_has_identity": not self.is_adopted,  # nothing is known of an adopted cluster's
            "static_profile": self.has_static_profile,
            **self.section("node_identity"),
        }

    def interruption(self) -> dict[str, Any]:
        """Inputs of Interruption."""
        return {**self.where, **self.styled, "karpenter_version": self.karpenter_version, **self.section("interruption")}

    @property
    def controller_links(self) -> tuple[str, ...]:
        """What other parts hand on to the role of the controller."""
        key = ("queue_key_arn",) if self.has_queue_key else ()
        return (*self.role_links, "node_role_arns", "queue_arn", *key)

    def controller_identity(self) -> dict[str, Any]:
        """Return the inputs of ControllerIdentity, but for links."""
        profiles = (_PROFILES,) if self.has_static_profile else ()
        return {
            **self.where,
            **self.common,
            **self._controller("namespace", "service_account"),
            "karpenter_version": self.karpenter_version,
            **self.credentials,
            "without": list(_ISOLATED if self.is_isolated else profiles),
            "zonal_shift": self.given.get("zonal_shift", False),
            **self.section("controller_identity"),
        }

    def discovery(self) -> dict[str, Any]:
        """Return the inputs of Discovery, but for links."""
        return {
            **self.named,
            **self.tags,
            "style": self.given.get("network", {}).get("discovery", "tag"),
            **self.section("discovery"),
        }

    def teardown(self, vpc: pulumi.Input[str]) -> TeardownArgs:
        """Return the inputs of Teardown."""
        given = self.given
        return {
            "cluster_name": given["cluster_name"],
            "region": given["region"],
            "account_id": given["account_id"],
            "vpc_id": vpc,
        }

    def charts(self) -> dict[str, Any]:
        """Return the inputs of KarpenterCharts, but for links."""
        return {
            **self.named,
            "karpenter_version": self.karpenter_version,
            "isolated_vpc": self.is_isolated,
            "zonal_shift": self.given.get("zonal_shift", False),
            "adopt": self.is_adopted,
            **self.section("charts"),
        }

    def drain_gate(self, node_pools: list[str]) -> dict[str, Any]:
        """Inputs of DrainGate, with the names of the NodePools that are the stack's own."""
        usual = DrainMode.FAIL if self.is_adopted else DrainMode.DELETE
        return {**self.where, "mode": self.given.get("foreign_node_pools", usual.value), "node_pools": node_pools}

    def observability(self) -> dict[str, Any]:
        """Return the inputs of Observability, but for the role of ExternalDNS."""
        home = {f"karpenter_{key}": value for key, value in self._controller("namespace").items()}
        return {**home, **JoinedParts.observability(self)}

    def _controller(self, *keys: str) -> dict[str, Any]:
        """Where the controller runs, as far as it is told: it decides trust, release and what Fargate selects."""
        charts = self.section("charts")
        return {key: charts[key] for key in keys if key in charts}
