"""The inputs of the parts of a whole cluster, each made from those of the call.

A part's section of the call goes on top of what the parts have in common. Inputs that another part supplies are LATER: they
exist only once that part is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NotRequired, TypedDict, TypeVar, cast

import pulumi

from cutlist.infrastructure.api_access import ApiAccess
from cutlist.infrastructure.controller_access import Credentials
from cutlist.infrastructure.network import Nat
from cutlist.infrastructure.versions import BASELINE
from pulumi_cutlist.aws.cluster.control_plane import ControlPlane
from pulumi_cutlist.aws.identity.external_dns_identity import ExternalDnsIdentityArgs
from pulumi_cutlist.aws.identity.spot_role import SpotServiceLinkedRoleArgs
from pulumi_cutlist.aws.network.args import NetworkArgs
from pulumi_cutlist.aws.teardown.interface_pass import InterfacePassArgs
from pulumi_cutlist.aws.teardown.teardown import TeardownArgs
from pulumi_cutlist.aws.whole_cluster.args import ClusterNetwork, WholeClusterArgs
from pulumi_cutlist.inputs.late import all_as_planned
from pulumi_cutlist.inputs.lists import MapOf
from pulumi_cutlist.inputs.shapes import ABSENT, LATER
from pulumi_cutlist.kubernetes.node_configuration import NodeConfigurationArgs
from pulumi_cutlist.kubernetes.observability import ObservabilityArgs


class Tagged(TypedDict):
    """A view of the inputs of every part that has tags."""

    tags: NotRequired[MapOf[str, pulumi.Input[str]]]


class Styled(TypedDict):
    """A view of the inputs of every part with names of its own."""

    name_style: NotRequired[str]


class Bounded(Styled):
    """A view of the inputs of every part with roles."""

    permissions_boundary: NotRequired[pulumi.Input[str]]


class Trusted(TypedDict):
    """A view of the inputs of every part with roles of pods."""

    trust_source_arn: NotRequired[bool]


A = TypeVar("A", bound=Mapping[str, object])
SweepArgs = TypeVar("SweepArgs", InterfacePassArgs, TeardownArgs)


def with_section(args: A, section: Mapping[str, object] | None) -> A:
    """Return a part's inputs with those of its section of the call, which take precedence. The part's own plan checks these."""
    own = {key: value for key, value in (section or {}).items() if value is not None}
    return cast("A", {**args, **own})


@dataclass(frozen=True, slots=True)
class CommonParts:
    """The inputs of the parts that every whole cluster has."""

    args: WholeClusterArgs

    @property
    def karpenter_version(self) -> str:
        """Return the version of Karpenter that the cluster is for."""
        return BASELINE

    @property
    def karpenter_namespace(self) -> str | None:
        """Return the namespace of the controller, as far as the call names one."""
        return None

    @property
    def trust_source_arn(self) -> bool | None:
        """Tell whether roles of pods also trust the source of a request; None if the call does not say."""
        return None

    @property
    def credentials(self) -> Credentials:
        """Return how pods get their roles."""
        return Credentials.POD_IDENTITY

    @property
    def zonal_shift(self) -> bool | None:
        """Tell whether zones that traffic was shifted away from are avoided; None if the call does not say."""
        return None

    @property
    def is_isolated(self) -> bool:
        """Tell whether nodes have no internet access."""
        network = self._network
        if "adopted" in network:
            return any(subnet.get("has_default_route") is False for subnet in network["adopted"]["private_subnets"])
        return "own" in network and network["own"].get("nat") == Nat.NONE

    @property
    def is_protected(self) -> bool:
        """Tell whether a destroy is refused."""
        return self.args.get("production", False)

    @property
    def api_access(self) -> ApiAccess:
        """Return how the identity that updates reaches the API of a new cluster."""
        plane = self.control_plane([])
        public = all_as_planned(plane.get("public_access_cidrs", []))
        makes_network = "adopted" not in self._network
        return ApiAccess(bool(plane.get("production")), public, self.args.get("reachable_from"), makes_network)

    def network(self) -> NetworkArgs:
        """Return the inputs of Network."""
        args: NetworkArgs = {
            "cluster_name": self.args["cluster_name"],
            "region": self.args["region"],
            **self._tags,
            **self._network,
        }
        if "adopted" not in args:
            args.setdefault("own", {})
        return args

    def sweep(self, declared: type[SweepArgs], vpc: pulumi.Input[str]) -> SweepArgs:
        """Return the inputs of a part that removes what is left in the VPC."""
        call = self.args
        return declared(cluster_name=call["cluster_name"], region=call["region"], account_id=call["account_id"], vpc_id=vpc)

    def control_plane(self, zones: list[str]) -> ControlPlane:
        """Return the inputs of a control plane, as Cluster and AutoMode have it, except its subnets."""
        call = self.args
        args: ControlPlane = {
            "cluster_name": call["cluster_name"],
            "region": call["region"],
            "account_id": call["account_id"],
            "karpenter_version": self.karpenter_version,
            "version": call.get("kubernetes_version", ABSENT),
            "admins": call.get("admins", ABSENT),
            "subnet_ids": LATER,
            "zones": zones,
        }
        self._bound(args)
        if "tags" in call:
            args["tags"] = {**call["tags"]}
        if "production" in call:
            args["production"] = call["production"]
        if "public_access_cidrs" in call:
            args["public_access_cidrs"] = call["public_access_cidrs"]
        if self.zonal_shift is not None:
            args["zonal_shift"] = self.zonal_shift
        if "service_cidr" in self._network:
            args["service_ipv4_cidr"] = self._network["service_cidr"]
        return with_section(args, call.get("control_plane"))

    def spot_role(self) -> SpotServiceLinkedRoleArgs:
        """Return the inputs of SpotServiceLinkedRole."""
        call = self.args
        return {"region": call["region"], "account_id": call["account_id"], "mode": call.get("spot_role", "ensure")}

    def configuration(self) -> NodeConfigurationArgs:
        """Return the inputs of NodeConfiguration."""
        return {"node_pools": self.args.get("node_pools", []), "node_classes": [*self.args.get("node_classes", [])]}

    def external_dns_identity(self) -> ExternalDnsIdentityArgs:
        """Return the inputs of ExternalDnsIdentity, except those of the cluster."""
        call, observability = self.args, self.args.get("observability", {})
        args: ExternalDnsIdentityArgs = {
            "cluster_name": call["cluster_name"],
            "region": call["region"],
            "account_id": call["account_id"],
            "credentials": self.credentials.value,
        }
        self._tag(args)
        self._bound(args)
        self._trust(args)
        if "namespace" in observability:
            args["namespace"] = observability["namespace"]
        if self.credentials is Credentials.IRSA:
            args["oidc_provider_arn"] = args["oidc_issuer"] = LATER
        return with_section(args, call.get("external_dns_identity"))

    def observability(self) -> ObservabilityArgs:
        """Return the inputs of Observability, except the role of ExternalDNS."""
        args: ObservabilityArgs = {
            "cluster_name": self.args["cluster_name"],
            "karpenter_version": self.karpenter_version,
            "grafana_password": ABSENT,
        }
        if self.karpenter_namespace is not None:
            args["karpenter_namespace"] = self.karpenter_namespace
        return with_section(args, self.args.get("observability"))

    @property
    def _network(self) -> ClusterNetwork:
        return self.args.get("network", {})

    @property
    def _tags(self) -> Tagged:
        return {"tags": {**self.args["tags"]}} if "tags" in self.args else {}

    def _tag(self, args: Tagged) -> None:
        """Add the tags of the call."""
        args.update(self._tags)

    def _trust(self, args: Trusted) -> None:
        """Add whether roles of pods trust the source of a request too, where the call says so."""
        if self.trust_source_arn is not None:
            args["trust_source_arn"] = self.trust_source_arn

    def _style(self, args: Styled) -> None:
        """Add how names are made."""
        if "name_style" in self.args:
            args["name_style"] = self.args["name_style"]

    def _bound(self, args: Bounded) -> None:
        """Add the style of names, and the permissions boundary of roles."""
        self._style(args)
        if "permissions_boundary" in self.args:
            args["permissions_boundary"] = self.args["permissions_boundary"]
