"""The assumptions of a plan on AWS: zones with subnets, memory, prices, reservations, and what EC2 alone decides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from cutlist.api.aksnodeclass import AKSNodeClass
from cutlist.api.autonodeclass import AutoNodeClass
from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.api.nodepool import NodePool
from cutlist.api.read import NodeClass, kind_of
from cutlist.catalog.windows import PER_VCPU, SOURCE
from cutlist.core.labels import AUTO, COMPUTE_TYPE
from cutlist.core.notes import Note
from cutlist.core.requirements import Requirements
from cutlist.core.wording import first_of
from cutlist.planning.aws.region import AwsRegion
from cutlist.planning.figures import price_notes
from cutlist.planning.model import PlannedNode
from cutlist.providers import aws, eks_auto
from cutlist.providers.aws.families import CUSTOM, FAMILIES
from cutlist.scheduling.nodeclaimtemplate import tolerated
from cutlist.workloads.groups import DaemonSet
from cutlist.workloads.pod_requirements import strict_requirements

_TYPES_NAMED: Final = 3


def zone_notes(region: AwsRegion, classes: Mapping[str, NodeClass]) -> list[Note]:
    """Return notes on the node classes whose subnets are unknown."""
    assumed: dict[str, set[str]] = {}
    for node_class in classes.values():
        if isinstance(node_class, AKSNodeClass):
            continue
        if region.usable_zones(node_class).source is aws.ZoneSource.REGION:
            assumed.setdefault(kind_of(node_class), set()).add(node_class.name)
    zones = ", ".join(z.name for z in region.catalog.zones)
    return [
        Note("zones", f"{kind} {', '.join(sorted(names))}: subnets in every zone of {region.catalog.region} ({zones})")
        for kind, names in sorted(assumed.items())
    ]


def estimate_notes(region: AwsRegion, pools: Sequence[NodePool], classes: Mapping[str, NodeClass]) -> list[Note]:
    """Return notes on how the amounts of nodes are estimated, and which prices are not EC2's."""
    notes = [
        *_reservation_notes(classes.values(), region),
        *price_notes(region.figures),
        *_licence_notes(region, classes.values()),
    ]
    if any(p.registry is not AUTO for p in pools) or not pools:
        percent = f"{region.figures.settings.vm_memory_overhead_percent * 100:g}"
        text = f"memory of a node is estimated as Karpenter does, {percent}% below what EC2 lists"
        notes.append(Note("memory-estimate", text + _measured_types(classes.values(), region)))
    if any(p.registry is AUTO for p in pools):
        notes += _auto_mode_notes(region.auto, classes)
    return notes


def tie_notes(nodes: Iterable[PlannedNode]) -> list[Note]:
    """Return a note on types of the same price, between which EC2 decides."""
    priced = (n for n in nodes if len(n.candidates) > 1 and n.candidates[0].ranked_price is not None)
    tied = sorted({n.instance_type for n in priced if n.candidates[0].ranked_price == n.candidates[1].ranked_price})
    if not tied:
        return []
    return [Note("price-ties", f"other types cost as little as {', '.join(tied)}; which one EC2 chooses is not known")]


def order_notes(nodes: Iterable[PlannedNode]) -> list[Note]:
    """Return a note, one for the whole plan, on nodes whose cheapest type may be another: the next price is within the range of
    the estimate."""
    unsure = {n.instance_type: n for n in nodes if _next_is_within(n)}
    if not unsure:
        return []
    names = first_of(sorted(unsure), _TYPES_NAMED)
    text = f"which type is the cheapest is within the error of estimated prices for {names}"
    return [Note("price-order", f"{text}: Karpenter and EC2, which know today's prices, may choose another")]


def _next_is_within(node: PlannedNode) -> bool:
    """Tell whether another type may cost less than the first, by the range of the first one's price."""
    if node.price is None or node.price.high is None:
        return False
    following = next((c.price for c in node.candidates if c.instance_type != node.instance_type), None)
    return following is not None and following.usd_per_hour < node.price.high


def _measured_types(classes: Iterable[NodeClass], region: AwsRegion) -> str:
    """Return in words how many types have a known memory and need no estimate."""
    known = {name for c in classes if isinstance(c, EC2NodeClass) for name in region.measured(c)}
    return f"; of {len(known)} instance type{'s' * (len(known) > 1)} it is known" if known else ""


def runs_windows(node_class: NodeClass) -> bool:
    """Tell whether the nodes of a class run Windows, by its image family."""
    return isinstance(node_class, EC2NodeClass) and FAMILIES.get(node_class.resolved_ami_family, CUSTOM).is_windows


def _licence_notes(region: AwsRegion, classes: Iterable[NodeClass]) -> list[Note]:
    """Return a note on the classes whose nodes are paid for with a licence, and on how its price is estimated."""
    names = sorted({c.name for c in classes if runs_windows(c)})
    if not names:
        return []
    ranked = "Karpenter ranks instance types by their prices for Linux"
    per_vcpu = f"{PER_VCPU:g} USD per vCPU and hour for most families, on spot as on demand ({SOURCE})"
    text = f"its licence is estimated at {per_vcpu}; where no rule is known for a family, what its nodes cost is unknown"
    if region.catalog.windows:
        text = f"list prices with its licence are used where the catalogue has them; elsewhere, and on spot, {text}"
    elif region.catalog.currency != "USD":
        text = f"no price of its licence in {region.catalog.currency} is known, nor what nodes cost"
    return [Note("windows-prices", f"EC2NodeClass {', '.join(names)}: nodes run Windows; {text}. {ranked}")]


def _reservation_notes(classes: Iterable[NodeClass], region: AwsRegion) -> list[Note]:
    """Return notes on the reservations that nodes may use but that are assumed to be full, because their free instances are
    unknown."""
    ec2_classes = {c.name: c for c in classes if isinstance(c, EC2NodeClass) and region.figures.settings.reserved_capacity}
    notes = []
    for name, node_class in sorted(ec2_classes.items()):
        untold = sorted({r.id for r in node_class.capacity_reservations if r.available_instance_count is None})
        if untold:
            text = f"its status does not say how many instances are free in {', '.join(untold)}; nodes are planned without"
            notes.append(Note("reservations-unknown", f"EC2NodeClass {name}: {text}"))
        elif node_class.capacity_reservation_selector_terms and not (node_class.capacity_reservations or node_class.subnets):
            text = f"EC2NodeClass {name}: capacity reservations are not looked up; nodes are planned without them"
            notes.append(Note("reservations-unknown", text))
    return notes


def _auto_mode_notes(settings: eks_auto.AutoSettings, classes: Mapping[str, NodeClass]) -> list[Note]:
    profile = eks_auto.overhead_profile(settings.overhead_profile)
    text = "what EKS Auto Mode reserves on a node is not published; it is taken from the overhead profile"
    notes = [
        Note("overhead-profile", f"{text} {profile.name}: {profile.source}"),
        Note(
            "management-fee",
            "prices hold the management fee of EKS Auto Mode; instance types are ranked without it, as Karpenter ranks them",
        ),
    ]
    own = {c.name: c for c in classes.values() if isinstance(c, AutoNodeClass)}
    for name, node_class in sorted(own.items()):
        if node_class.capacity_reservation_selector_terms:
            text = f"NodeClass {name}: capacity reservations are not looked up; nodes are planned without them"
            notes.append(Note("reservations-unknown", text))
        if node_class.advanced_security.kernel_lockdown is not None:
            text = f"NodeClass {name}: the values of kernelLockdown are not published, so yours is not checked"
            notes.append(Note("kernel-lockdown", text))
        if node_class.has_open_settings:
            text = f"NodeClass {name}: of advancedCompute only kubelet.maxPods counts; how much memory eviction thresholds and"
            notes.append(Note("advanced-compute", f"{text} huge pages take from pods is not published"))
    return notes


AGENTS: Final = frozenset(
    (
        *("aws-node", "ebs-csi-node", "eks-node-monitoring-agent", "eks-pod-identity-agent", "kube-proxy", "node-local-dns"),
        *("neuron-device-plugin", "neuron-device-plugin-daemonset", "nvidia-device-plugin", "nvidia-device-plugin-daemonset"),
    )
)
"""DaemonSets, by the names in their own manifests and charts, whose work the nodes do themselves (V-146)."""


_AUTO_NODE: Final = Requirements.of_labels({COMPUTE_TYPE: "auto"}, AUTO)


def agent_notes(pools: Sequence[NodePool], daemons: Iterable[DaemonSet]) -> list[Note]:
    """Return notes on the DaemonSets of agents that would run on Auto Mode nodes twice; recent manifests exclude those
    nodes."""
    auto = [pool for pool in pools if pool.registry is AUTO]
    notes = []
    for daemon in daemons:
        runs = daemon.name in AGENTS and _AUTO_NODE.compatible(strict_requirements(daemon.pod, AUTO), AUTO.well_known)
        if runs and any(tolerated(daemon.pod, pool.taints) for pool in auto):
            text = f"{daemon.workload}: nodes of EKS Auto Mode have this agent built in; exclude them by affinity on"
            notes.append(Note("agent-built-in", f"{text} {COMPUTE_TYPE} NotIn [auto]"))
    return notes
