"""The plans of the parts that every whole cluster has, with every mistake reported where the call has the input."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from cutlist.core.errors import InputError, Place, Problem, Problems
from cutlist.core.wording import camel_case
from cutlist.infrastructure.inputs import HERE, Places
from cutlist.infrastructure.names import ClusterFacts
from cutlist.infrastructure.observability.helm_values import EXTERNAL_DNS, NAMESPACE
from pulumi_cutlist.aws.identity.external_dns_identity import ExternalDnsPlan, plan_external_dns_identity
from pulumi_cutlist.aws.identity.spot_role import SpotRolePlan, plan_spot_role
from pulumi_cutlist.aws.network.network import VpcPlan, plan_vpc
from pulumi_cutlist.aws.whole_cluster.args import AutoModeClusterArgs, KarpenterClusterArgs
from pulumi_cutlist.aws.whole_cluster.part_args import CommonParts
from pulumi_cutlist.inputs.shapes import JoinedPlaces, shaped
from pulumi_cutlist.inputs.spelling import in_snake_case
from pulumi_cutlist.kubernetes.node_configuration import NodeConfigurationPlan, plain_objects, plan_configuration
from pulumi_cutlist.kubernetes.observability import ObservabilityArgs, ObservabilityPlan, plan_observability
from pulumi_cutlist.node_plans.of_cluster import ClusterNodePlan, ClusterOfPlan, read_node_plan

A = TypeVar("A")
T = TypeVar("T")
Call = TypeVar("Call", KarpenterClusterArgs, AutoModeClusterArgs)
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


@dataclass(frozen=True, slots=True)
class CommonPlans:
    """The plans of the parts that every whole cluster has besides its network and itself; None for those not wanted."""

    spot_role: SpotRolePlan
    configuration: NodeConfigurationPlan
    observability: ObservabilityPlan | None
    external_dns: ExternalDnsPlan | None


@dataclass(frozen=True, slots=True)
class PartPlanner:
    """Plans one part after the other and keeps the mistakes found."""

    problems: Problems

    def plan(self, make: Callable[[A, Places], T], args: A, at: Places) -> T | None:
        """Return the plan of a part whose inputs are written at these places, or None, with problems added, if it refuses
        them."""
        try:
            return make(args, at)
        except InputError as error:
            self.problems.extend(error.problems)
            return None

    def planned(self, plan: T | None) -> T:
        """Return a plan that was made. Raises InputError with everything found if it was not."""
        if plan is None:
            self.raise_if_any()
            raise AssertionError("a part without a plan reports why")
        return plan

    def read(self, args: Mapping[str, object], declared: type[Call], sections: Mapping[str, type]) -> Call:
        """Return the inputs of a call in the spelling of Python. Noted are unknown ones, and those in a section that the call
        itself sets: the parts of one cluster have to agree."""
        call = shaped(in_snake_case(plain_objects(args), declared, sections), declared, self.problems)
        inputs: Mapping[str, object] = call
        for name in sections:
            section = inputs.get(name)
            for key in DECIDED:
                if isinstance(section, Mapping) and key in section:
                    at = Place(path=f"{camel_case(name)}.{camel_case(key)}")
                    self.problems.add(at, "is one for all parts of the cluster", f"{camel_case(key)} beside the sections")
        return call

    def network(self, parts: CommonParts) -> VpcPlan | None:
        """Plan the network; None if there are mistakes, which are noted below the input `network`."""
        return self.plan(plan_vpc, parts.network(), in_section("network"))

    def common(self, parts: CommonParts) -> CommonPlans | None:
        """Plan what every whole cluster has besides its network and itself; None if there are mistakes, which are noted."""
        spot = self.plan(plan_spot_role, parts.spot_role(), JoinedPlaces(Place(), {"mode": "spotRole"}))
        configuration = self.plan(plan_configuration, parts.configuration(), HERE)
        observability = dns = None
        if "observability" in parts.args:
            if parts.is_isolated:
                message = "its images come from public registries, and nodes have no internet access"
                self.problems.add(
                    Place(path="observability"), message, "leave it out, and install your monitoring from your own registry"
                )
            observability = self.plan(plan_observability, parts.observability(), in_section("observability"))
        if "external_dns_identity" in parts.args:
            dns = self.plan(plan_external_dns_identity, parts.external_dns_identity(), in_section("externalDnsIdentity"))
        if observability and dns:
            self.problems.extend(_parted(observability.args, dns.facts))
        return CommonPlans(spot, configuration, observability, dns) if spot and configuration else None

    def node_plan(self, parts: CommonParts, cluster: ClusterOfPlan) -> ClusterNodePlan | None:
        """Plan the nodes that the workloads get; None if there are mistakes. With those of other parts nothing is read, since a
        plan would find them again."""
        if self.problems:
            return None
        try:
            return read_node_plan(cluster, parts.args.get("workloads"), parts.args.get("node_plan"))
        except InputError as error:
            self.problems.extend(error.problems)
            return None

    def raise_if_any(self) -> None:
        """Raise InputError with everything found, each mistake once even if several parts found it."""
        unique = Problems()
        unique.extend(dict.fromkeys(self.problems.found))
        unique.raise_if_any()


def zones_of(network: VpcPlan | None) -> list[str]:
    """Return the zones of the subnets; stand-ins if a mistake in the network leaves them unknown."""
    return _ANY_ZONES if network is None else network.zones


def in_section(section: str, **elsewhere: str) -> JoinedPlaces:
    """Return where the inputs of a part are: in its section, except those that all parts share or that have a name of their
    own."""
    return JoinedPlaces(Place(path=section), {**SAME, **elsewhere})


def misdirected(role: ClusterFacts, home: Mapping[str, str], section: str, installed: str) -> Iterator[Problem]:
    """Yield the inputs of a section by which a role would be for other pods than those that get their namespace and service
    account from `home`, as the text `installed` says."""
    for key, name in home.items():
        if getattr(role, key) != name:
            message = f"the role is for {getattr(role, key)!r}, and {installed} with {name!r}"
            yield Problem(Place(path=f"{section}.{camel_case(key)}"), message, "leave it out")


def _parted(watching: ObservabilityArgs, dns: ClusterFacts) -> Iterator[Problem]:
    """Yield the mistakes that would keep the installed ExternalDNS from the role that is made for it."""
    if "external_dns" not in watching:
        return
    home = {"namespace": watching.get("namespace", NAMESPACE), "service_account": EXTERNAL_DNS.name}
    yield from misdirected(dns, home, "externalDnsIdentity", "observability installs ExternalDNS")
    if "role_arn" in watching["external_dns"]:
        message = "ExternalDNS would have two roles: this one, and that of externalDnsIdentity"
        yield Problem(Place(path="observability.externalDns.roleArn"), message, "one of the two")
