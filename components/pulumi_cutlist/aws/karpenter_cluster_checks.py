"""Whether a KarpenterCluster can be made: what each of its parts finds wrong, told together and under this call's inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from cutlist.core.errors import InputError, Place, Problems
from cutlist.infrastructure.fitting import ClusterNodes, fit_problems
from cutlist.infrastructure.inputs import camel_case
from cutlist.infrastructure.names import ClusterFacts, NameStyle
from pulumi_cutlist.aws.adopted_cluster import AdoptedClusterArgs, AdoptedClusterPlan, plan_adopted_cluster
from pulumi_cutlist.aws.cluster import ClusterPlan, plan_cluster
from pulumi_cutlist.aws.control_plane import ControlPlane
from pulumi_cutlist.aws.controller_identity import ControllerIdentityArgs, ControllerIdentityPlan, plan_controller_identity
from pulumi_cutlist.aws.discovery import DiscoveryArgs, DiscoveryPlan, plan_discovery
from pulumi_cutlist.aws.drain_gate import DrainGatePlan, plan_drain_gate
from pulumi_cutlist.aws.external_dns_identity import ExternalDnsIdentityArgs
from pulumi_cutlist.aws.interruption import InterruptionArgs, InterruptionPlan, plan_interruption
from pulumi_cutlist.aws.joined_checks import CLUSTER_LINKS, OF_CLUSTER, Checks, CommonPlans, in_section, zones_of
from pulumi_cutlist.aws.karpenter_cluster_args import KarpenterClusterArgs
from pulumi_cutlist.aws.karpenter_cluster_parts import KarpenterParts
from pulumi_cutlist.aws.network import VpcPlan
from pulumi_cutlist.aws.node_identity import NodeIdentityArgs, NodeIdentityPlan, plan_node_identity
from pulumi_cutlist.kubernetes.karpenter_charts import ChartsPlan, KarpenterChartsArgs, plan_charts
from pulumi_cutlist.kubernetes.node_configuration import plain_objects
from pulumi_cutlist.kubernetes.observability import ObservabilityArgs
from pulumi_cutlist.shapes import shaped
from pulumi_cutlist.spelling import in_snake_case

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
class Checked:
    """A cluster that can be made, with the plans of its parts."""

    given: KarpenterClusterArgs
    parts: KarpenterParts
    plans: KarpenterPlans
    common: CommonPlans


def check(args: Mapping[str, Any]) -> Checked:
    """What the inputs ask for. Raises InputError with every mistake that any part finds in them."""
    checks = Checks(Problems())
    given = shaped(in_snake_case(plain_objects(args), KarpenterClusterArgs, _SECTIONS), KarpenterClusterArgs, checks.problems)
    parts = KarpenterParts(given)
    checks.sections(given, _SECTIONS)
    _check_kind(parts, checks.problems)
    network = checks.network(parts)
    cluster = _plan_cluster(parts, zones_of(network), checks)
    nodes = checks.plan(plan_node_identity, parts.node_identity(), in_section("nodeIdentity"))
    queue = checks.plan(plan_interruption, parts.interruption(), in_section("interruption"))
    of_controller = in_section("controllerIdentity", credentials="identity", zonalShift="zonalShift")
    controller = checks.plan(plan_controller_identity, parts.controller_identity(), of_controller, parts.controller_links)
    of_discovery = in_section("discovery", style="network.discovery")
    discovery = checks.plan(plan_discovery, parts.discovery(), of_discovery, _DISCOVERY_LINKS)
    charts = checks.plan(plan_charts, parts.charts(), in_section("charts", zonalShift="zonalShift"))
    gate = checks.plan(plan_drain_gate, parts.drain_gate(_names_of(parts)), in_section("", mode="foreignNodePools"))
    common = checks.common(parts)
    _check_classes(parts, checks.problems)
    checks.raise_if_any()
    planned_cluster = cast("ClusterPlan | AdoptedClusterPlan", checks.planned(cluster))
    plans = KarpenterPlans(
        checks.planned(network),
        planned_cluster,
        checks.planned(nodes),
        checks.planned(queue),
        checks.planned(controller),
        checks.planned(discovery),
        checks.planned(charts),
        checks.planned(gate),
    )
    return Checked(given, parts, plans, checks.planned(common))


def _names_of(parts: KarpenterParts) -> list[str]:
    """Return the names of the NodePools; those without a name are reported with their other mistakes."""
    metadata = [pool.get("metadata") or {} for pool in parts.given.get("node_pools", [])]
    return [str(data.get("name", "")) for data in metadata if isinstance(data, Mapping)]


def _check_kind(parts: KarpenterParts, problems: Problems) -> None:
    """Note what belongs to a cluster that is made, of one that is adopted, and what is missing of one that is made."""
    if parts.is_adopted:
        for key in _OF_NEW:
            if key in parts.given:
                told = "is for a cluster that is made, and this one is adopted"
                problems.add(Place(path=camel_case(key)), told, "leave it out")
        if "adopted" not in parts.given.get("network", {}):
            problems.add(Place(path="network.adopted"), "is missing", "the VPC that the adopted cluster has")
    else:
        for key in _NEEDED_OF_NEW:
            if key not in parts.given:
                problems.add(Place(path=camel_case(key)), "is missing", "what a cluster that is made needs")
    if parts.is_isolated:
        _check_isolated(parts, problems)


def _check_isolated(parts: KarpenterParts, problems: Problems) -> None:
    """Note what a cluster without a way to the internet lacks (spec: aws-infrastructure 1.9, I-14)."""
    if not parts.has_static_profile:
        told = "without a way to the internet the controller cannot reach IAM to make instance profiles"
        problems.add(Place(path="staticProfile"), told, "true, or leave it out")
    for key, what in _NEEDED_WITHOUT_INTERNET.items():
        if key not in parts.section("charts"):
            problems.add(Place(path=f"charts.{key}"), f"nothing tells where {what} from without the internet", key)


def _plan_cluster(parts: KarpenterParts, zones: list[str], checks: Checks) -> ClusterPlan | AdoptedClusterPlan | None:
    if parts.is_adopted:
        place = in_section("adoptedCluster", version="kubernetesVersion")
        return checks.plan(plan_adopted_cluster, parts.adopted_cluster(), place)
    return checks.plan(plan_cluster, parts.cluster(zones), OF_CLUSTER, CLUSTER_LINKS)


def _check_classes(parts: KarpenterParts, problems: Problems) -> None:
    """Note node classes whose nodes could not join."""
    given = parts.given
    try:
        style = NameStyle(given.get("name_style", NameStyle.KARPENTER))
        facts = ClusterFacts(given["cluster_name"], given["region"], given["account_id"], name_style=style)
    except (InputError, ValueError):
        return  # told already
    nodes = ClusterNodes(facts.cluster, facts.node_role, parts.has_static_profile, facts.node_profile)
    for manifest in given.get("node_classes", []):
        name = (manifest.get("metadata") or {}).get("name", "")
        problems.extend(fit_problems(manifest, nodes, Place(source=f"EC2NodeClass/{name}")))
