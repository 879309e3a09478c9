"""The inputs that a call for several components gives to each of them, and the plans of those that every joined cluster has. A
part's inputs are the section of its name in the call, on top of what the parts have in common. What one part passes to another
is not among them: it exists only once the other is made.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import pulumi

from cutlist.core.errors import InputError, Place, Problem, Problems
from cutlist.infrastructure.controller_access import Credentials
from cutlist.infrastructure.inputs import HERE, Places, camel_case
from cutlist.infrastructure.names import ClusterFacts
from cutlist.infrastructure.network import Nat
from cutlist.infrastructure.observability.helm_values import EXTERNAL_DNS, NAMESPACE
from cutlist.infrastructure.versions import BASELINE
from pulumi_cutlist.aws.external_dns_identity import ExternalDnsPlan, plan_external_dns_identity
from pulumi_cutlist.aws.interface_pass import InterfacePassArgs
from pulumi_cutlist.aws.network import VpcPlan, plan_vpc
from pulumi_cutlist.aws.spot_role import SpotRolePlan, plan_spot_role
from pulumi_cutlist.kubernetes.node_configuration import NodeConfigurationPlan, plan_configuration
from pulumi_cutlist.kubernetes.observability import ObservabilityArgs, ObservabilityPlan, plan_observability
from pulumi_cutlist.shapes import JoinedPlaces

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

    args: Mapping[str, Any]

    @property
    def karpenter_version(self) -> str:
        """The version of Karpenter."""
        return str(self.args.get("karpenter_version", BASELINE))

    @property
    def is_isolated(self) -> bool:
        """Whether nodes have no way to the internet."""
        network = self.args.get("network", {})
        if "adopted" in network:
            return any(subnet.get("has_default_route") is False for subnet in network["adopted"]["private_subnets"])
        return bool(network.get("own", {}).get("nat") == Nat.NONE)

    @property
    def uses_irsa(self) -> bool:
        """Whether pods get their roles by an OIDC provider."""
        return bool(self.args.get("identity") == Credentials.IRSA)

    @property
    def credentials(self) -> dict[str, Any]:
        """Return how pods get their roles, as an input of the parts that have roles for pods."""
        return {"credentials": (Credentials.IRSA if self.uses_irsa else Credentials.POD_IDENTITY).value}

    @property
    def is_protected(self) -> bool:
        """Whether a destroy is refused."""
        return bool(self.args.get("production", False))

    def network(self) -> dict[str, Any]:
        """Inputs of Network."""
        network = {**self.args.get("network", {})}
        if "own" not in network and "adopted" not in network:
            network["own"] = {}
        return {**self.named, "region": self.args["region"], **self.tags, **network}

    def last_interfaces(self, vpc: pulumi.Input[str]) -> InterfacePassArgs:
        """Return the inputs of InterfacePass."""
        args = self.args
        return {
            "cluster_name": args["cluster_name"],
            "region": args["region"],
            "account_id": args["account_id"],
            "vpc_id": vpc,
        }

    def control_plane(self, zones: list[str]) -> dict[str, Any]:
        """Return a control plane, as Cluster and AutoMode have it, but for its subnets."""
        service = self.args.get("network", {}).get("service_cidr")
        return {
            **self.where,
            **self.common,
            "karpenter_version": self.karpenter_version,
            "zones": zones,
            **{theirs: self.args[ours] for ours, theirs in _OF_CONTROL_PLANE.items() if ours in self.args},
            **({} if service is None else {"service_ipv4_cidr": service}),
            **self.section("control_plane"),
        }

    def spot_role(self) -> dict[str, Any]:
        """Inputs of SpotServiceLinkedRole."""
        return {"region": self.args["region"], "mode": self.args.get("spot_role", "ensure")}

    def configuration(self) -> dict[str, Any]:
        """Inputs of NodeConfiguration."""
        return {key: self.args.get(key, []) for key in ("node_pools", "node_classes")}

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
        """What the cluster passes on to roles of service accounts."""
        return ("cluster", "oidc_provider_arn", "oidc_issuer") if self.uses_irsa else ("cluster",)

    def section(self, name: str) -> dict[str, Any]:
        """Return the inputs that the call has for one part alone."""
        return dict(self.args.get(name, {}))

    @property
    def named(self) -> dict[str, Any]:
        """The cluster's name, as all parts have it."""
        return {"cluster_name": self.args["cluster_name"]}

    @property
    def where(self) -> dict[str, Any]:
        """The cluster, and where it is."""
        return {**self.named, "region": self.args["region"], "account_id": self.args["account_id"]}

    @property
    def tags(self) -> dict[str, Any]:
        """Tags, when there are any."""
        return {key: self.args[key] for key in ("tags",) if key in self.args}

    @property
    def styled(self) -> dict[str, Any]:
        """Return the inputs of parts with names of their own."""
        return {**self.tags, **{key: self.args[key] for key in ("name_style",) if key in self.args}}

    @property
    def common(self) -> dict[str, Any]:
        """Return the inputs of parts with roles."""
        bounded = {key: self.args[key] for key in ("permissions_boundary",) if key in self.args}
        return {**self.styled, **bounded}


T = TypeVar("T")
_ANY_ZONES: Final = ["", "-"]
DECIDED: Final = ("cluster_name", "region", "account_id", "karpenter_version", "name_style", "tags", "permissions_boundary")


SAME: Final = {name: name for name in map(camel_case, DECIDED)}
_CONTROL_PLANE_PLACES: Final = JoinedPlaces(
    Place(path="controlPlane"),
    {
        "version": "kubernetesVersion",
        "zones": "network",
        "subnetIds": "network",
        "serviceIpv4Cidr": "network.serviceCidr",
        **{name: name for name in (*SAME, "admins", "production", "publicAccessCidrs", "zonalShift")},
    },
)
OF_CLUSTER: Final = JoinedPlaces(Place(), {}, {"controlPlane": _CONTROL_PLANE_PLACES})
"""Where the inputs of Cluster are."""
OF_AUTO_MODE: Final = JoinedPlaces(
    Place(path="autoMode"), {name: name for name in ("addOns", "builtInPools")}, {"controlPlane": _CONTROL_PLANE_PLACES}
)
"""Where the inputs of AutoMode are."""
CLUSTER_LINKS: Final = ("subnet_ids",)
"""What the network passes on to a cluster."""


@dataclass(frozen=True, slots=True)
class CommonPlans:
    """The plans of the parts that every joined cluster has besides its network and itself; None for those not wanted."""

    spot_role: SpotRolePlan
    configuration: NodeConfigurationPlan
    observability: ObservabilityPlan | None
    external_dns: ExternalDnsPlan | None


@dataclass(frozen=True, slots=True)
class PartPlanner:
    """Plans one part after the other and keeps the mistakes found."""

    problems: Problems

    def plan(self, make: Callable[..., T], args: Mapping[str, Any], at: Places, links: Collection[str] = ()) -> T | None:
        """Return the plan of a part whose inputs are written at these places; None when it refuses them, which is noted. Other
        parts supply the `links` later."""
        try:
            return make(args, at, links) if links else make(args, at)
        except InputError as error:
            self.problems.extend(error.problems)
            return None

    def planned(self, plan: T | None) -> T:
        """Return a plan that was made. Raises InputError with everything found if it was not."""
        if plan is None:
            self.raise_if_any()
            raise AssertionError("a part without a plan tells why")
        return plan

    def sections(self, args: Mapping[str, Any], names: Iterable[str]) -> None:
        """Note inputs in a section that the call itself sets: the parts of one cluster have to agree."""
        for name in names:
            for key in DECIDED:
                if key in args.get(name, {}):
                    at = Place(path=f"{camel_case(name)}.{camel_case(key)}")
                    self.problems.add(at, "is one for all parts of the cluster", f"{camel_case(key)} beside the sections")

    def network(self, parts: JoinedParts) -> VpcPlan | None:
        """Plan the network."""
        return self.plan(plan_vpc, parts.network(), in_section("network"))

    def common(self, parts: JoinedParts) -> CommonPlans | None:
        """Plan what every joined cluster has besides its network and itself; None if there are mistakes, which are noted."""
        spot = self.plan(plan_spot_role, parts.spot_role(), JoinedPlaces(Place(), {"mode": "spotRole"}))
        configuration = self.plan(plan_configuration, parts.configuration(), HERE)
        observability = dns = None
        if "observability" in parts.args:
            if parts.is_isolated:
                message = "its images come from public registries, and nodes have no way to the internet"
                self.problems.add(
                    Place(path="observability"), message, "leave it out, and install what watches from a registry of yours"
                )
            observability = self.plan(plan_observability, parts.observability(), in_section("observability"))
        if "external_dns_identity" in parts.args:
            place, links = in_section("externalDnsIdentity"), parts.role_links
            dns = self.plan(plan_external_dns_identity, parts.external_dns_identity(), place, links)
        if observability and dns:
            self.problems.extend(_parted(observability.args, dns.facts))
        return CommonPlans(spot, configuration, observability, dns) if spot and configuration else None

    def raise_if_any(self) -> None:
        """Raise InputError with everything found, each mistake once however many parts found it."""
        unique = Problems()
        unique.extend(dict.fromkeys(self.problems.found))
        unique.raise_if_any()


def zones_of(network: VpcPlan | None) -> list[str]:
    """Return the zones of the subnets; stand-ins where the network is mistaken and they are unknown."""
    return _ANY_ZONES if network is None else network.zones


def in_section(section: str, **elsewhere: str) -> JoinedPlaces:
    """Return where the inputs of a part are: in its section, except those that all parts share or that have a name of their
    own."""
    return JoinedPlaces(Place(path=section), {**SAME, **elsewhere})


def _parted(watching: ObservabilityArgs, dns: ClusterFacts) -> Iterator[Problem]:
    """Yield the mistakes that would keep the installed ExternalDNS from the role that is made for it."""
    if "external_dns" not in watching:
        return
    installed = {"namespace": watching.get("namespace", NAMESPACE), "service_account": EXTERNAL_DNS.name}
    for key, installed_name in installed.items():
        if getattr(dns, key) != installed_name:
            message = f"the role is for {getattr(dns, key)!r}, and observability installs ExternalDNS with {installed_name!r}"
            yield Problem(Place(path=f"externalDnsIdentity.{camel_case(key)}"), message, "leave it out")
    if "role_arn" in watching["external_dns"]:
        message = "ExternalDNS would have two roles: this one, and that of externalDnsIdentity"
        yield Problem(Place(path="observability.externalDns.roleArn"), message, "one of both")
