"""The fleet requests for the nodes of a plan: one for all nodes that lead to the same request (spec: AWS 5)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.api.read import NodeClass
from cutlist.core.annotations import PRICE_OVERLAID
from cutlist.core.labels import CAPACITY_TYPE, NODEPOOL
from cutlist.core.requirement import Expression
from cutlist.core.secrecy import masked
from cutlist.planning.aws.region import AwsRegion
from cutlist.planning.model import Launch, LaunchTemplate, LeftOut, Override, PlannedNode
from cutlist.providers.aws.expressions import reserved_by_type
from cutlist.providers.aws.launch.claim import Refusal
from cutlist.providers.aws.launch.fleet import FleetRequest
from cutlist.providers.aws.launch.images import unseen_images
from cutlist.providers.aws.launch.request import LaunchSettings, launch
from cutlist.providers.aws.launch.templates import LaunchTemplate as Sent
from cutlist.providers.instance_types import InstanceType
from cutlist.scheduling.inputs import SchedulerOptions

CLUSTER: Final = "<cluster>"  # a stand-in for the cluster's name, which a plan does not know
_NETWORK: Final = "<service network>"  # known to the controller, and not part of the request

_REASONS: Final[Mapping[str, str]] = {
    "compatible": "not on offer for this node",
    "reservation kind": "in another kind of reservation",
    "capacity block": "in a more expensive capacity block",
    "reserved": "without a reservation",
    "exotic": "bare metal or with accelerators",
    "expensive spot": "more expensive on spot than the cheapest on demand",
    "cap": "beyond the 60 cheapest",
    "image": "without an image of the node class",
}


@dataclass(frozen=True, slots=True)
class _Claim:
    """The parts of a NodeClaim that its request depends on. All candidates can hold the requests, so only the names of the
    resources matter."""

    node_pool: str
    requirements: tuple[Expression, ...]
    candidates: tuple[InstanceType, ...]
    requested: frozenset[str]

    @property
    def requests(self) -> Mapping[str, int]:
        """Return the requested resources."""
        return dict.fromkeys(self.requested, 0)

    @property
    def labels(self) -> Mapping[str, str]:
        """Return the label of the NodePool."""
        return {NODEPOOL: self.node_pool}

    @property
    def annotations(self) -> Mapping[str, str]:
        """Return the annotations of node overlays."""
        overlaid = any(o.price_overlaid for t in self.candidates for o in t.offerings)
        return {PRICE_OVERLAID: "true"} if overlaid else {}


class FleetLaunches:
    """The launches of a plan's nodes. `types` and `classes` are by NodePool.

    Nodes of EKS Auto Mode are launched by EKS, whose requests are not published; they have none.
    """

    def __init__(
        self,
        types: Mapping[str, Sequence[InstanceType]],
        classes: Mapping[str, NodeClass],
        region: AwsRegion,
        options: SchedulerOptions,
    ) -> None:
        self._types = {pool: {t.name: t for t in listed} for pool, listed in types.items()}
        self._classes = classes
        self._region = region
        self._settings = LaunchSettings(
            cluster_name=CLUSTER,
            service_cidr=_NETWORK,
            strict_min_values=options.strict_min_values,
            reserved_capacity=region.figures.settings.reserved_capacity,
        )
        self._numbers: dict[tuple[object, ...], int] = {}
        self._made: list[Launch] = []

    @property
    def all(self) -> tuple[Launch, ...]:
        """Return every launch numbered so far, each once, in order."""
        return tuple(self._made)

    def number(self, node: PlannedNode) -> int | None:
        """Return the number of the node's launch, or None for a node that Karpenter's AWS provider does not launch."""
        node_class = self._classes.get(node.node_pool)
        if not isinstance(node_class, EC2NodeClass):
            return None
        names = tuple(c.instance_type for c in node.candidates)
        key = (node.node_pool, _narrowed_requirements(node), names, frozenset(node.requests))
        if key not in self._numbers:
            self._numbers[key] = len(self._made)
            self._made.append(self._launch(node, names, node_class))
        return self._numbers[key]

    def _launch(self, node: PlannedNode, names: Iterable[str], node_class: EC2NodeClass) -> Launch:
        known = self._types[node.node_pool]
        types = tuple(known[name] for name in names)
        claim = _Claim(node.node_pool, _narrowed_requirements(node), types, frozenset(node.requests))
        zones = self._region.usable_zones(node_class).names
        reserved = reserved_by_type(node_class, self._region.catalog.machines, types, self._region.figures.settings)
        answer = launch(
            claim, node_class, types, self._settings, zones=zones, expected=unseen_images(node_class), reserved=reserved
        )
        if isinstance(answer, Refusal):
            return Launch(node.node_pool, node_class.name, refusal=answer.message)
        return _launch_of(answer, node.node_pool, node_class)


def _narrowed_requirements(node: PlannedNode) -> tuple[Expression, ...]:
    """Return the node's requirements with the available capacity types, as a NodeClaim lists them.

    A reservation that an earlier node has used up is excluded, although the types are those before any launch.
    """
    if not node.capacity_types:
        return node.requirements
    others = [e for e in node.requirements if e.key != CAPACITY_TYPE]
    least = next((e.min_values for e in node.requirements if e.key == CAPACITY_TYPE), None)
    return (*others, Expression(CAPACITY_TYPE, "In", node.capacity_types, least))


def _launch_of(request: FleetRequest, node_pool: str, node_class: EC2NodeClass) -> Launch:
    subnets = {s.id for s in node_class.status.subnets}
    return Launch(
        node_pool=node_pool,
        node_class=node_class.name,
        capacity_type=request.capacity_type,
        target=request.default_target,
        allocation_strategy=request.spot_allocation or request.on_demand_allocation,
        tenancy=request.tenancy,
        context=request.context,
        tags=masked(dict(sorted(request.tags.items()))),
        templates=tuple(_template(t, subnets) for t in request.templates),
        left_out=tuple(_left_out(what, names, request) for what, names in request.dropped.items()),
    )


def _template(template: Sent, subnets: Collection[str]) -> LaunchTemplate:
    pools = (
        Override(o.instance_type, o.zone, o.subnet_id if o.subnet_id in subnets else "", o.price) for o in template.overrides
    )
    reservation = template.reservation.id if template.reservation else ""
    return LaunchTemplate(template.image_id, template.pods, template.efa_interfaces, reservation, tuple(pools))


def _left_out(what: str, names: tuple[str, ...], request: FleetRequest) -> LeftOut:
    reason = _REASONS.get(what) or f"not sold as {request.capacity_type} there"
    return LeftOut(what.replace(" ", "-"), reason, names)
