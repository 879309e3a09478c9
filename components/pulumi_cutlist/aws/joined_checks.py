"""Mistakes that the parts of a joined cluster find in their inputs, told at the inputs of the call that joins them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from cutlist.core.errors import InputError, Place, Problem, Problems
from cutlist.infrastructure.inputs import HERE, Places, camel_case
from cutlist.infrastructure.names import ClusterFacts
from cutlist.infrastructure.observability.helm_values import EXTERNAL_DNS, NAMESPACE
from pulumi_cutlist.aws.external_dns_identity import ExternalDnsPlan, plan_external_dns_identity
from pulumi_cutlist.aws.joined_parts import JoinedParts
from pulumi_cutlist.aws.network import VpcPlan, plan_vpc
from pulumi_cutlist.aws.spot_role import SpotRolePlan, plan_spot_role
from pulumi_cutlist.kubernetes.node_configuration import NodeConfigurationPlan, plan_configuration
from pulumi_cutlist.kubernetes.observability import ObservabilityArgs, ObservabilityPlan, plan_observability
from pulumi_cutlist.shapes import JoinedPlaces

T = TypeVar("T")
_ANY_ZONES: Final = ["", "-"]
DECIDED: Final = ("cluster_name", "region", "account_id", "karpenter_version", "name_style", "tags", "permissions_boundary")


SAME: Final = {name: name for name in map(camel_case, DECIDED)}
_OF_CONTROL_PLANE: Final = JoinedPlaces(
    Place(path="controlPlane"),
    {
        "version": "kubernetesVersion",
        "zones": "network",
        "subnetIds": "network",
        "serviceIpv4Cidr": "network.serviceCidr",
        **{name: name for name in (*SAME, "admins", "production", "publicAccessCidrs", "zonalShift")},
    },
)
OF_CLUSTER: Final = JoinedPlaces(Place(), {}, {"controlPlane": _OF_CONTROL_PLANE})
"""Where the inputs of Cluster are."""
OF_AUTO_MODE: Final = JoinedPlaces(
    Place(path="autoMode"), {name: name for name in ("addOns", "builtInPools")}, {"controlPlane": _OF_CONTROL_PLANE}
)
"""Where the inputs of AutoMode are."""
CLUSTER_LINKS: Final = ("subnet_ids",)
"""What the network hands on to a cluster."""


@dataclass(frozen=True, slots=True)
class CommonPlans:
    """The plans of what every joined cluster has beside its network and itself; None for what is not wanted."""

    spot_role: SpotRolePlan
    configuration: NodeConfigurationPlan
    observability: ObservabilityPlan | None
    external_dns: ExternalDnsPlan | None


@dataclass(frozen=True, slots=True)
class Checks:
    """Plans parts one after the other and keeps the mistakes that they find."""

    problems: Problems

    def plan(self, make: Callable[..., T], args: Mapping[str, Any], at: Places, links: Collection[str] = ()) -> T | None:
        """Return the plan of a part whose inputs are written at these places; None when it refuses them, which is noted. Other
        parts hand on those that are `links`, later."""
        try:
            return make(args, at, links) if links else make(args, at)
        except InputError as error:
            self.problems.extend(error.problems)
            return None

    def planned(self, plan: T | None) -> T:
        """Return a plan that was made. Raises InputError with everything found when it was not."""
        if plan is None:
            self.raise_if_any()
            raise AssertionError("a part without a plan tells why")
        return plan

    def sections(self, given: Mapping[str, Any], names: Iterable[str]) -> None:
        """Note what a section says that the call itself says: the parts of one cluster have to agree."""
        for name in names:
            for key in DECIDED:
                if key in given.get(name, {}):
                    at = Place(path=f"{camel_case(name)}.{camel_case(key)}")
                    self.problems.add(at, "is one for all parts of the cluster", f"{camel_case(key)} beside the sections")

    def network(self, parts: JoinedParts) -> VpcPlan | None:
        """Plan the network."""
        return self.plan(plan_vpc, parts.network(), in_section("network"))

    def common(self, parts: JoinedParts) -> CommonPlans | None:
        """Plan what every joined cluster has beside its network and itself; None with mistakes, which are noted."""
        spot = self.plan(plan_spot_role, parts.spot_role(), JoinedPlaces(Place(), {"mode": "spotRole"}))
        configuration = self.plan(plan_configuration, parts.configuration(), HERE)
        observability = dns = None
        if "observability" in parts.given:
            if parts.is_isolated:
                told = "its images come from public registries, and nodes have no way to the internet"
                self.problems.add(
                    Place(path="observability"), told, "leave it out, and install what watches from a registry of yours"
                )
            observability = self.plan(plan_observability, parts.observability(), in_section("observability"))
        if "external_dns_identity" in parts.given:
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
    """Return the zones of the subnets; any, where the network is mistaken and nothing can be said of them."""
    return _ANY_ZONES if network is None else network.zones


def in_section(section: str, **elsewhere: str) -> JoinedPlaces:
    """Return where the inputs of a part are: in its section, but for what is one for all parts or has a name of its own."""
    return JoinedPlaces(Place(path=section), {**SAME, **elsewhere})


def _parted(watching: ObservabilityArgs, dns: ClusterFacts) -> Iterator[Problem]:
    """What would keep the ExternalDNS that is installed from the role that is made for it."""
    if "external_dns" not in watching:
        return
    installed = {"namespace": watching.get("namespace", NAMESPACE), "service_account": EXTERNAL_DNS.name}
    for key, there in installed.items():
        if getattr(dns, key) != there:
            told = f"the role is for {getattr(dns, key)!r}, and observability installs ExternalDNS with {there!r}"
            yield Problem(Place(path=f"externalDnsIdentity.{camel_case(key)}"), told, "leave it out")
    if "role_arn" in watching["external_dns"]:
        told = "ExternalDNS would have two roles: this one, and that of externalDnsIdentity"
        yield Problem(Place(path="observability.externalDns.roleArn"), told, "one of both")
