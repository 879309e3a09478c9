"""The plan of a KarpenterCluster: the plans of its parts, with every mistake reported where this call has the input."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

import pulumi

from cutlist.core.errors import InputError, Place, Problems
from cutlist.infrastructure.control_plane import AuthenticationMode
from cutlist.infrastructure.fitting import ClusterNodes, fit_problems
from cutlist.infrastructure.inputs import camel_case
from cutlist.infrastructure.names import ClusterFacts, NameStyle
from cutlist.infrastructure.teardown.drain import DrainMode
from pulumi_cutlist.aws.adopted_cluster import AdoptedClusterArgs, AdoptedClusterPlan, plan_adopted_cluster
from pulumi_cutlist.aws.cluster import ClusterPlan, plan_cluster
from pulumi_cutlist.aws.control_plane import ControlPlane
from pulumi_cutlist.aws.controller_identity import ControllerIdentityArgs, ControllerIdentityPlan, plan_controller_identity
from pulumi_cutlist.aws.discovery import DiscoveryArgs, DiscoveryPlan, plan_discovery
from pulumi_cutlist.aws.drain_gate import DrainGatePlan, plan_drain_gate
from pulumi_cutlist.aws.external_dns_identity import ExternalDnsIdentityArgs
from pulumi_cutlist.aws.interruption import InterruptionArgs, InterruptionPlan, plan_interruption
from pulumi_cutlist.aws.joined_plan import (
    CLUSTER_LINKS,
    OF_CLUSTER,
    CommonPlans,
    JoinedParts,
    PartPlanner,
    in_section,
    zones_of,
)
from pulumi_cutlist.aws.karpenter_cluster_args import KarpenterClusterArgs
from pulumi_cutlist.aws.network import VpcPlan
from pulumi_cutlist.aws.node_identity import NodeIdentityArgs, NodeIdentityPlan, plan_node_identity
from pulumi_cutlist.aws.teardown import TeardownArgs
from pulumi_cutlist.kubernetes.karpenter_charts import ChartsPlan, KarpenterChartsArgs, plan_charts
from pulumi_cutlist.kubernetes.node_configuration import plain_objects
from pulumi_cutlist.kubernetes.observability import ObservabilityArgs
from pulumi_cutlist.shapes import shaped
from pulumi_cutlist.spelling import in_snake_case

_PROFILES: Final = "instance-profiles"
_ISOLATED: Final = (_PROFILES, "price-list")  # no VPC endpoint reaches what these are for


@dataclass(frozen=True, slots=True)
class KarpenterParts(JoinedParts):
    """The inputs of every part of one KarpenterCluster."""

    @property
    def is_adopted(self) -> bool:
        """Whether the cluster exists already."""
        return "adopted_cluster" in self.args

    @property
    def has_static_profile(self) -> bool:
        """Whether the instance profile of nodes is made here."""
        return bool(self.args.get("static_profile", self.is_isolated))

    @property
    def has_queue_key(self) -> bool:
        """Whether the queue is encrypted by a key that the controller has to use."""
        return bool(self.section("interruption").get("encryption", "managed") != "managed")

    def cluster(self, zones: list[str]) -> dict[str, Any]:
        """Return the inputs of Cluster, but for subnets."""
        own = {key: self.args[key] for key in ("identity", "add_ons") if key in self.args}
        if "fargate" in self.args:
            home = {**self._controller("namespace"), **self.args["fargate"]}
            return {"control_plane": self.control_plane(zones), "fargate": home, **own}
        home = {"zones": zones, **self.section("system_nodes")}
        return {"control_plane": self.control_plane(zones), "system_nodes": home, **own}

    def adopted_cluster(self) -> dict[str, Any]:
        """Inputs of AdoptedCluster."""
        version = {"version": self.args["kubernetes_version"]} if "kubernetes_version" in self.args else {}
        own = {**self.where, **self.tags, "karpenter_version": self.karpenter_version}
        return {**own, **version, **self.section("adopted_cluster")}

    def node_identity(self) -> dict[str, Any]:
        """Inputs of NodeIdentity, but for the link to the cluster."""
        section = self.section("adopted_cluster" if self.is_adopted else "control_plane")
        return {
            **self.where,
            **self.common,
            "authentication_mode": section.get("authentication_mode", AuthenticationMode.API.value),
            "ip_family": section.get("ip_family", "ipv4"),
            "cni_has_identity": not self.is_adopted,  # nothing is known of an adopted cluster's
            "static_profile": self.has_static_profile,
            **self.section("node_identity"),
        }

    def interruption(self) -> dict[str, Any]:
        """Inputs of Interruption."""
        return {**self.where, **self.styled, "karpenter_version": self.karpenter_version, **self.section("interruption")}

    @property
    def controller_links(self) -> tuple[str, ...]:
        """What other parts pass on to the role of the controller."""
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
            "zonal_shift": self.args.get("zonal_shift", False),
            **self.section("controller_identity"),
        }

    def discovery(self) -> dict[str, Any]:
        """Return the inputs of Discovery, but for links."""
        return {
            **self.named,
            **self.tags,
            "style": self.args.get("network", {}).get("discovery", "tag"),
            **self.section("discovery"),
        }

    def teardown(self, vpc: pulumi.Input[str]) -> TeardownArgs:
        """Return the inputs of Teardown."""
        args = self.args
        return {
            "cluster_name": args["cluster_name"],
            "region": args["region"],
            "account_id": args["account_id"],
            "vpc_id": vpc,
        }

    def charts(self) -> dict[str, Any]:
        """Return the inputs of KarpenterCharts, but for links."""
        return {
            **self.named,
            "karpenter_version": self.karpenter_version,
            "isolated_vpc": self.is_isolated,
            "zonal_shift": self.args.get("zonal_shift", False),
            "adopt": self.is_adopted,
            **self.section("charts"),
        }

    def drain_gate(self, node_pools: list[str]) -> dict[str, Any]:
        """Inputs of DrainGate, with the names of the NodePools that are the stack's own."""
        usual = DrainMode.FAIL if self.is_adopted else DrainMode.DELETE
        return {**self.where, "mode": self.args.get("foreign_node_pools", usual.value), "node_pools": node_pools}

    def observability(self) -> dict[str, Any]:
        """Return the inputs of Observability, but for the role of ExternalDNS."""
        home = {f"karpenter_{key}": value for key, value in self._controller("namespace").items()}
        return {**home, **JoinedParts.observability(self)}

    def _controller(self, *keys: str) -> dict[str, Any]:
        """Return where the controller runs, as far as the call says: trust, release and Fargate's selectors depend on it."""
        charts = self.section("charts")
        return {key: charts[key] for key in keys if key in charts}


_OF_NEW: Final = ("production", "public_access_cidrs", "system_nodes", "fargate", "add_ons", "control_plane")
_NEEDED_OF_NEW: Final = ("kubernetes_version", "admins")
_NEEDED_WITHOUT_INTERNET: Final = {"mirror": "the controller's image comes", "registry": "the charts come"}
_DISCOVERY_LINKS: Final = ("cluster_security_group_id", "subnet_ids")
_SECTIONS: Final = {
    "control_plane": ControlPlane,
    "adopted_cluster": AdoptedClusterArgs,
    "node_identity": NodeIdentityArgs,
    "controller_identity": ControllerIdentityArgs,
    "interruption": InterruptionArgs,
    "discovery": DiscoveryArgs,
    "charts": KarpenterChartsArgs,
    "external_dns_identity": ExternalDnsIdentityArgs,
    "observability": ObservabilityArgs,
}


@dataclass(frozen=True, slots=True)
class KarpenterPlans:
    """The plans of the parts of a cluster with a Karpenter of its own."""

    network: VpcPlan
    cluster: ClusterPlan | AdoptedClusterPlan
    node_identity: NodeIdentityPlan
    interruption: InterruptionPlan
    controller_identity: ControllerIdentityPlan
    discovery: DiscoveryPlan
    charts: ChartsPlan
    drain_gate: DrainGatePlan


@dataclass(frozen=True, slots=True)
class KarpenterClusterPlan:
    """A cluster that can be made, with the plans of its parts."""

    args: KarpenterClusterArgs
    parts: KarpenterParts
    plans: KarpenterPlans
    common: CommonPlans


def plan_karpenter_cluster(args: Mapping[str, Any]) -> KarpenterClusterPlan:
    """What the inputs ask for. Raises InputError with every mistake that any part finds in them."""
    planner = PartPlanner(Problems())
    inputs = shaped(in_snake_case(plain_objects(args), KarpenterClusterArgs, _SECTIONS), KarpenterClusterArgs, planner.problems)
    parts = KarpenterParts(inputs)
    planner.sections(inputs, _SECTIONS)
    _check_kind(parts, planner.problems)
    network = planner.network(parts)
    cluster = _plan_cluster(parts, zones_of(network), planner)
    nodes = planner.plan(plan_node_identity, parts.node_identity(), in_section("nodeIdentity"))
    queue = planner.plan(plan_interruption, parts.interruption(), in_section("interruption"))
    of_controller = in_section("controllerIdentity", credentials="identity", zonalShift="zonalShift")
    controller = planner.plan(plan_controller_identity, parts.controller_identity(), of_controller, parts.controller_links)
    of_discovery = in_section("discovery", style="network.discovery")
    discovery = planner.plan(plan_discovery, parts.discovery(), of_discovery, _DISCOVERY_LINKS)
    charts = planner.plan(plan_charts, parts.charts(), in_section("charts", zonalShift="zonalShift"))
    gate = planner.plan(plan_drain_gate, parts.drain_gate(_names_of(parts)), in_section("", mode="foreignNodePools"))
    common = planner.common(parts)
    _check_classes(parts, planner.problems)
    planner.raise_if_any()
    planned_cluster = cast("ClusterPlan | AdoptedClusterPlan", planner.planned(cluster))
    plans = KarpenterPlans(
        planner.planned(network),
        planned_cluster,
        planner.planned(nodes),
        planner.planned(queue),
        planner.planned(controller),
        planner.planned(discovery),
        planner.planned(charts),
        planner.planned(gate),
    )
    return KarpenterClusterPlan(inputs, parts, plans, planner.planned(common))


def _names_of(parts: KarpenterParts) -> list[str]:
    """Return the names of the NodePools; those without a name are reported with their other mistakes."""
    metadata = [pool.get("metadata") or {} for pool in parts.args.get("node_pools", [])]
    return [str(data.get("name", "")) for data in metadata if isinstance(data, Mapping)]


def _check_kind(parts: KarpenterParts, problems: Problems) -> None:
    """Note inputs that an adopted cluster cannot have, and those that a new one lacks."""
    if parts.is_adopted:
        for key in _OF_NEW:
            if key in parts.args:
                message = "is for a cluster that is made, and this one is adopted"
                problems.add(Place(path=camel_case(key)), message, "leave it out")
        if "adopted" not in parts.args.get("network", {}):
            problems.add(Place(path="network.adopted"), "is missing", "the VPC that the adopted cluster has")
    else:
        for key in _NEEDED_OF_NEW:
            if key not in parts.args:
                problems.add(Place(path=camel_case(key)), "is missing", "what a cluster that is made needs")
    if parts.is_isolated:
        _check_isolated(parts, problems)


def _check_isolated(parts: KarpenterParts, problems: Problems) -> None:
    """Note what a cluster without a way to the internet lacks (spec: aws-infrastructure 1.9, I-14)."""
    if not parts.has_static_profile:
        message = "without a way to the internet the controller cannot reach IAM to make instance profiles"
        problems.add(Place(path="staticProfile"), message, "true, or leave it out")
    for key, what in _NEEDED_WITHOUT_INTERNET.items():
        if key not in parts.section("charts"):
            problems.add(Place(path=f"charts.{key}"), f"nothing tells where {what} from without the internet", key)


def _plan_cluster(parts: KarpenterParts, zones: list[str], planner: PartPlanner) -> ClusterPlan | AdoptedClusterPlan | None:
    if parts.is_adopted:
        place = in_section("adoptedCluster", version="kubernetesVersion")
        return planner.plan(plan_adopted_cluster, parts.adopted_cluster(), place)
    return planner.plan(plan_cluster, parts.cluster(zones), OF_CLUSTER, CLUSTER_LINKS)


def _check_classes(parts: KarpenterParts, problems: Problems) -> None:
    """Note node classes whose nodes could not join."""
    args = parts.args
    try:
        style = NameStyle(args.get("name_style", NameStyle.KARPENTER))
        facts = ClusterFacts(args["cluster_name"], args["region"], args["account_id"], name_style=style)
    except (InputError, ValueError):
        return  # reported already
    nodes = ClusterNodes(facts.cluster, facts.node_role, parts.has_static_profile, facts.node_profile)
    for manifest in args.get("node_classes", []):
        name = (manifest.get("metadata") or {}).get("name", "")
        problems.extend(fit_problems(manifest, nodes, Place(source=f"EC2NodeClass/{name}")))
