"""The plan of a KarpenterCluster: the plans of its parts, with every mistake reported where this call has the input."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeGuard, cast

from cutlist.core.errors import InputError, Place, Problem, Problems, nearest
from cutlist.core.wording import camel_case
from cutlist.infrastructure.add_on_pods import template_of, unmet_labels
from cutlist.infrastructure.charts.settings import ControllerSettings
from cutlist.infrastructure.fitting import ClusterNodes, fit_problems
from cutlist.infrastructure.iam.choices import Feature
from cutlist.infrastructure.inputs import HERE
from cutlist.infrastructure.names import ClusterFacts, NameStyle
from cutlist.infrastructure.reservations import unselected, unusable
from cutlist.infrastructure.versions import known_kubernetes
from pulumi_cutlist.aws.cluster.adopted_cluster import AdoptedClusterArgs, AdoptedClusterPlan, plan_adopted_cluster
from pulumi_cutlist.aws.cluster.cluster import ClusterPlan, plan_cluster, plan_cluster_with_pools
from pulumi_cutlist.aws.cluster.control_plane import ControlPlane
from pulumi_cutlist.aws.identity.controller_identity_plan import (
    ControllerIdentityArgs,
    ControllerIdentityPlan,
    plan_controller_identity,
)
from pulumi_cutlist.aws.identity.external_dns_identity import ExternalDnsIdentityArgs
from pulumi_cutlist.aws.identity.node_identity import NodeIdentityArgs, NodeIdentityPlan, plan_node_identity
from pulumi_cutlist.aws.karpenter.discovery import DiscoveryArgs, DiscoveryPlan, plan_discovery
from pulumi_cutlist.aws.karpenter.interruption import InterruptionArgs, InterruptionPlan, plan_interruption
from pulumi_cutlist.aws.karpenter.reservations import ReservationsPlan, check_reservations
from pulumi_cutlist.aws.network.network import VpcPlan
from pulumi_cutlist.aws.teardown.drain_gate import DrainGatePlan, plan_drain_gate
from pulumi_cutlist.aws.whole_cluster.args import KarpenterClusterArgs
from pulumi_cutlist.aws.whole_cluster.karpenter_part_args import KarpenterParts
from pulumi_cutlist.aws.whole_cluster.part_plans import (
    OF_CLUSTER,
    CommonPlans,
    PartPlanner,
    in_section,
    misdirected,
    zones_of,
)
from pulumi_cutlist.aws.whole_cluster.planned_cluster import of_karpenter_cluster
from pulumi_cutlist.inputs.late import as_planned
from pulumi_cutlist.inputs.shapes import JoinedPlaces
from pulumi_cutlist.kubernetes.charts_plan import ChartsPlan, KarpenterChartsArgs, plan_charts
from pulumi_cutlist.kubernetes.observability import ObservabilityArgs
from pulumi_cutlist.node_plans.of_cluster import ClusterNodePlan

_OF_NEW: Final = (
    *("admins", "production", "public_access_cidrs", "reachable_from", "system_nodes", "fargate", "node_groups", "add_ons"),
    "control_plane",
)
_NEEDED_WITHOUT_INTERNET: Final = {"mirror": "the controller's image comes", "registry": "the charts come"}
_HOME: Final = ("namespace", "service_account")
SECTIONS: Final = {
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
    reservations: ReservationsPlan


@dataclass(frozen=True, slots=True)
class KarpenterClusterPlan:
    """A cluster that can be made, with the plans of its parts."""

    parts: KarpenterParts
    plans: KarpenterPlans
    common: CommonPlans
    node_plan: ClusterNodePlan


def plan_karpenter_cluster(args: Mapping[str, object]) -> KarpenterClusterPlan:
    """Return what the inputs ask for. Raises InputError with every mistake that any part finds in them."""
    planner = PartPlanner(Problems())
    parts = KarpenterParts(planner.read(args, KarpenterClusterArgs, SECTIONS))
    _check_kind(parts, planner.problems)
    network = planner.network(parts)
    cluster = _plan_cluster(parts, zones_of(network), planner)
    if network is not None:
        _check_zones(parts, network.zones, planner.problems)
    nodes = planner.plan(plan_node_identity, parts.node_identity(), in_section("nodeIdentity"))
    queue = planner.plan(plan_interruption, parts.interruption(), in_section("interruption"))
    controller = planner.plan(plan_controller_identity, parts.controller_identity(), _places_of_controller(parts))
    discovery = planner.plan(plan_discovery, parts.discovery(), in_section("discovery", style="network.discovery"))
    charts = planner.plan(plan_charts, parts.charts(), in_section("charts", zonalShift="zonalShift"))
    if controller and charts:
        planner.problems.extend(_apart(parts, controller.facts, charts.settings))
    gate = planner.plan(plan_drain_gate, parts.drain_gate(_names_of(parts)), in_section("", mode="foreignNodePools"))
    reserved = _plan_reservations(parts, network, discovery, planner.problems)
    common = planner.common(parts)
    _check_classes(parts, _version_of(parts, cluster), planner.problems)
    if isinstance(cluster, ClusterPlan):
        planner.problems.extend(_homeless_add_ons(parts, cluster))
    node_plan = None if network is None else planner.node_plan(parts, of_karpenter_cluster(parts.args, network, reserved.facts))
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
        reserved,
    )
    return KarpenterClusterPlan(parts, plans, planner.planned(common), planner.planned(node_plan))


def _places_of_controller(parts: KarpenterParts) -> JoinedPlaces:
    """Return where the inputs of ControllerIdentity are; those of its home and its reboots are the charts', unless its section
    has them."""
    own: Mapping[str, object] = parts.args.get("controller_identity", {})
    home = {camel_case(key): f"charts.{camel_case(key)}" for key in _HOME if key not in own}
    if "reboot_for_repair" not in own:
        home["rebootForRepair"] = "charts.awsFeatureGates.rebootForRepair"
    same = {"zonalShift": "zonalShift", "trustSourceArn": "trustSourceArn"}
    return in_section("controllerIdentity", credentials="identity", **same, **home)


def _apart(parts: KarpenterParts, role: ClusterFacts, settings: ControllerSettings) -> Iterator[Problem]:
    """Yield the mistakes that would keep the controller from its role, or from the Fargate profile that is made for it."""
    home = {key: getattr(settings, key) for key in _HOME}
    yield from misdirected(role, home, "controllerIdentity", "charts install the controller")
    space = parts.args.get("fargate", {}).get("namespace", settings.namespace)
    if space != settings.namespace:
        message = f"the profile is for pods in {space!r}, and charts install the controller in {settings.namespace!r}"
        yield Problem(Place(path="fargate.namespace"), message, "leave it out")


def _homeless_add_ons(parts: KarpenterParts, cluster: ClusterPlan) -> Iterator[Problem]:
    """Yield the add-ons that wait for NodePools none of which has nodes for their pods."""
    pools = list(filter(_is_manifest, parts.args.get("node_pools", [])))
    for add_on in cluster.add_ons:
        labels = unmet_labels(add_on.name, add_on.configuration, pools) if add_on.for_node_pools else {}
        if labels:
            place = Place(path="addOns").member(add_on.name).member("configuration")
            for step in (*template_of(add_on.name), "nodeSelector"):
                place = place.member(step)
            written = ", ".join(f"{label}={value}" for label, value in labels.items())
            yield Problem(
                place, f"no NodePool has nodes with {written}, and EKS waits for the pods", "labels of a NodePool, or none"
            )


def _names_of(parts: KarpenterParts) -> list[str]:
    """Return the names of the NodePools; those without a name are reported with their other mistakes."""
    metadata = [pool.get("metadata") or {} for pool in filter(_is_manifest, parts.args.get("node_pools", []))]
    return [str(data.get("name", "")) for data in metadata if isinstance(data, Mapping)]


def _is_manifest(definition: object) -> TypeGuard[Mapping[str, Any]]:
    """Tell whether an object is a manifest, as all are in inputs that were read."""
    return isinstance(definition, Mapping)


def _check_kind(parts: KarpenterParts, problems: Problems) -> None:
    """Note inputs that an adopted cluster cannot have; what a new one lacks, its own plan reports."""
    if parts.is_adopted:
        for key in _OF_NEW:
            if key in parts.args:
                message = "applies to a new cluster, and this one is adopted"
                problems.add(Place(path=camel_case(key)), message, "leave it out")
        if "adopted" not in parts.args.get("network", {}):
            problems.add(Place(path="network.adopted"), "is missing", "the VPC that the adopted cluster has")
    else:
        problems.extend(parts.api_access.problems(HERE))
    if parts.is_isolated:
        _check_isolated(parts, problems)


def _check_isolated(parts: KarpenterParts, problems: Problems) -> None:
    """Note what a cluster without internet access lacks (spec: aws-infrastructure 1.9, I-14)."""
    if not parts.has_static_profile:
        message = "without internet access the controller cannot reach IAM to make instance profiles"
        problems.add(Place(path="staticProfile"), message, "true, or leave it out")
    for key, what in _NEEDED_WITHOUT_INTERNET.items():
        if key not in parts.args.get("charts", {}):
            problems.add(Place(path=f"charts.{key}"), f"nothing says where {what} from without the internet", key)


def _plan_cluster(parts: KarpenterParts, zones: list[str], planner: PartPlanner) -> ClusterPlan | AdoptedClusterPlan | None:
    if parts.is_adopted:
        place = in_section("adoptedCluster", version="kubernetesVersion")
        return planner.plan(plan_adopted_cluster, parts.adopted_cluster(), place)
    plan = plan_cluster_with_pools if parts.args.get("node_pools") else plan_cluster
    return planner.plan(plan, parts.cluster(zones), OF_CLUSTER)


def _plan_reservations(
    parts: KarpenterParts, network: VpcPlan | None, discovery: DiscoveryPlan | None, problems: Problems
) -> ReservationsPlan:
    """Return the plan of the capacity reservations. Mistakes are noted, and a controller that may not use them."""
    tags = parts.reservation_tags({} if discovery is None else discovery.selection.tags)
    given, at = parts.args.get("capacity_reservations", {}), Place(path="capacityReservations")
    without = parts.args.get("controller_identity", {}).get("without", [])
    if given and Feature.CAPACITY_RESERVATIONS in without:
        message = f"the controller has no permissions for them: controllerIdentity is without {Feature.CAPACITY_RESERVATIONS}"
        problems.add(at, message, f"leave {Feature.CAPACITY_RESERVATIONS} out there")
    facts = check_reservations(given, [] if network is None else network.zones, tags, at, problems)
    classes = list(filter(_is_manifest, parts.args.get("node_classes", [])))
    pools = list(filter(_is_manifest, parts.args.get("node_pools", [])))
    account = as_planned(parts.args["account_id"])
    return ReservationsPlan(given, facts, tags, unselected(facts, classes, account), unusable(facts, classes, pools, account))


def _check_zones(parts: KarpenterParts, zones: list[str], problems: Problems) -> None:
    """Note zones in which the network has no subnet for nodes."""
    for place, chosen in parts.chosen_zones():
        for index, zone in enumerate(chosen):
            if zone not in zones:
                message = f"the network has no subnet for nodes in {zone!r}"
                problems.add(place.item(index), message, ", ".join(zones), nearest(zone, zones))


def _version_of(parts: KarpenterParts, cluster: ClusterPlan | AdoptedClusterPlan | None) -> str:
    """Return the cluster's version of Kubernetes, given or looked up; empty when it is missing or mistaken."""
    if isinstance(cluster, AdoptedClusterPlan):
        return cluster.known["version"]
    version = parts.args.get("kubernetes_version", "")
    return version if version in known_kubernetes() else ""


def _check_classes(parts: KarpenterParts, kubernetes: str, problems: Problems) -> None:
    """Note node classes whose nodes could not join, or that have no images."""
    args = parts.args
    try:
        style = NameStyle(args.get("name_style", NameStyle.KARPENTER))
        facts = ClusterFacts(args["cluster_name"], args["region"], as_planned(args["account_id"]), name_style=style)
    except (InputError, ValueError):
        return  # reported already
    role = args.get("node_identity", {}).get("role_name") or facts.node_role
    nodes = ClusterNodes(facts.cluster, role, parts.has_static_profile, facts.node_profile, kubernetes)
    for manifest in filter(_is_manifest, args.get("node_classes", [])):
        name = (manifest.get("metadata") or {}).get("name", "")
        problems.extend(fit_problems(manifest, nodes, Place(source=f"EC2NodeClass/{name}")))
