"""Turn claims into the nodes of a plan: the request for each, the cloud's likely choice, and its price (spec: AWS 5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from cutlist.catalog.prices import Price
from cutlist.core.identity import SameObject
from cutlist.core.labels import ON_DEMAND, RESERVED, SPOT, LabelRegistry
from cutlist.core.quantity import NANO
from cutlist.core.requirement import Expression
from cutlist.core.requirements import Requirements
from cutlist.core.runs import different
from cutlist.planning.allowed import open_offerings
from cutlist.planning.cloud import Predicted, Predictions, machines_of
from cutlist.planning.model import (
    DETERMINED,
    LOWEST_PRICE,
    UNKNOWN_PRICE,
    CandidateType,
    FilledNode,
    PlannedNode,
    PodShare,
    PodSize,
)
from cutlist.planning.model.os_disk import OsDisk
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.scheduling.instancetype_options import InstanceTypeOptions
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.results import PlacedClaim, Results


def planned_nodes(
    result: Results,
    batches: Sequence[PodBatch],
    registry: LabelRegistry,
    predictions: Predictions,
    idle: Sequence[tuple[PlacedClaim, int]] = (),
    *,
    with_candidates: bool = True,
) -> tuple[PlannedNode, ...]:
    """Return the nodes of a result, and those that stay `idle`, each with their number; equal ones share one entry with a
    count. What a node may become instead takes most of the time; without it, only the types and capacity types of nodes of
    unknown price are listed."""
    alike: dict[tuple[object, ...], tuple[PlacedClaim, int]] = {}
    for claim, number in (*different(result.claims), *idle):
        key = (
            claim.node_pool,
            claim.requirements,
            SameObject(claim.candidates),
            frozenset(claim.requests.items()),
            frozenset(claim.pods.items()),
            tuple((name, len(given)) for allocation in claim.devices for name, given in sorted(allocation.devices.items())),
        )
        first, count = alike.get(key, (claim, 0))
        alike[key] = (first, count + number)
    views = _Views(registry, predictions, with_candidates=with_candidates)
    nodes = [(_node(claim, count, batches, views), views.written(claim)[1]) for claim, count in alike.values()]
    return tuple(node for node, _ in sorted(nodes, key=lambda of: (*_order(of[0]), of[1])))


def filled_nodes(result: Results, batches: Sequence[PodBatch]) -> tuple[FilledNode, ...]:
    """Return the existing nodes that accept pods."""
    return tuple(FilledNode(name, _shares(pods, batches)) for name, pods in sorted(result.existing.items()))


def pod_sizes(nodes: Sequence[PlannedNode], batches: Sequence[PodBatch]) -> tuple[PodSize, ...]:
    """Return the requests of a pod of each workload on the nodes, by name of the workload."""
    placed = {share.workload for node in nodes for share in node.pods}
    by_workload: dict[str, list[PodBatch]] = {}
    for batch in batches:
        if batch.name in placed:
            by_workload.setdefault(batch.name, []).append(batch)
    return tuple(PodSize(name, _mean_requests(by_workload[name])) for name in sorted(by_workload))


def _mean_requests(batches: Sequence[PodBatch]) -> dict[str, int]:
    names = sorted({name for batch in batches for name in batch.pod.requests})
    pods = sum(batch.count for batch in batches) or 1
    return {name: sum(batch.count * batch.pod.requests.get(name, 0) for batch in batches) // pods for name in names}


def _order(node: PlannedNode) -> tuple[object, ...]:
    pods = tuple((s.workload, s.count) for s in node.pods)
    return node.node_pool, node.instance_type, -node.count, pods, sorted(node.requests.items())


def _node(claim: PlacedClaim, count: int, batches: Sequence[PodBatch], views: _Views) -> PlannedNode:
    view = views.of(claim)
    claimed, offered = _devices(claim, view.type)
    return PlannedNode(
        node_pool=claim.node_pool,
        count=count,
        instance_type=view.type.name,
        certainty=view.certainty,
        capacity_type=view.capacity_type,
        capacity_types=view.capacity_types,
        zones=view.zones,
        price=view.offering.paid if view.offering else None,
        overlay_price=view.offering.overlay_price if view.offering else None,
        requests=dict(sorted({**claim.requests, **claimed}.items())),
        allocatable=dict(sorted({**view.type.allocatable(view.offering), **offered}.items())),
        pods=_shares(claim.pods, batches),
        candidates=view.candidates,
        requirements=views.written(claim)[0],
        disk_price=views.predictions.disk_price(claim.node_pool, view.type.name),
        os_disk=views.predictions.os_disk(claim.node_pool, view.type.name),
        zone=views.zone_of(claim),
    )


def _devices(claim: PlacedClaim, bought: InstanceType) -> tuple[dict[str, int], dict[str, int]]:
    """Return how many of the type's own devices the claims of pods take, by driver, and how many there are, in nano-units."""
    given = (d.offered for allocation in claim.devices for d in allocation.devices.get(bought.name, ()))
    taken = {offered.id for offered in given if offered.of_type}
    used = Counter(device.driver for device in taken)
    there = bought.dynamic_resources.counts()
    return {driver: n * NANO for driver, n in used.items()}, {driver: there[driver] * NANO for driver in used}


_NO_DISK: Final = (None, None)


class _Candidates:
    """The candidates from a list of types, with the offerings that are open to a claim."""

    def __init__(
        self,
        types: InstanceTypeOptions,
        opened: Iterable[tuple[InstanceType, Sequence[Offering]]],
        disks: Callable[[str], tuple[OsDisk | None, Price | None]],
    ) -> None:
        candidates: list[CandidateType] = []
        capacity_types: set[str] = set()
        for (t, offerings), price in zip(opened, types.prices, strict=False):
            kinds = [o.capacity_type for o in offerings]
            capacity_types.update(kinds)
            cheapest = next((o for o in offerings if o.price == price), None)
            kind = cheapest.capacity_type if cheapest else ""
            zones = sorted({o.zone for o, of_kind in zip(offerings, kinds, strict=True) if of_kind == kind})
            ranked_at = cheapest.overlay_price if cheapest else None
            disk, of_disk = disks(t.name)
            candidates.append(CandidateType(t.name, _plain(cheapest, price), kind, tuple(zones), ranked_at, disk, of_disk))
        self.listed = tuple(candidates)
        self.capacity_types = tuple(c for c in (RESERVED, SPOT, ON_DEMAND) if c in capacity_types)


class _View:
    """The candidates of a claim, and the expected result of a launch."""

    def __init__(self, types: InstanceTypeOptions, candidates: _Candidates, predicted: Predicted | None) -> None:
        self.candidates = candidates.listed
        self.capacity_types = candidates.capacity_types
        self.type: InstanceType = predicted.type if predicted else types.types[0]
        self.offering: Offering | None = predicted.offering if predicted else None
        self.zones = predicted.zones if predicted else self.candidates[0].zones
        self.capacity_type = predicted.capacity_type if predicted else self.candidates[0].capacity_type
        self.certainty = _certainty(predicted)


def _plain(cheapest: Offering | None, price: float | None) -> Price | None:
    """Return what the cheapest offering costs, or the price by which no open offering was found; without its source."""
    if cheapest is None:
        return None if price is None else Price(price, "")
    paid = cheapest.paid
    return None if paid is None else replace(paid, source="", date="")


def _certainty(predicted: Predicted | None) -> str:
    if predicted is None or predicted.offering.cost is None:
        return UNKNOWN_PRICE
    return DETERMINED if predicted.is_certain else LOWEST_PRICE


class _Views:
    """Views of claims; claims that share a list of types and requirements share the view, and those of other NodePools with the
    same types, node class and requirements on machines the candidates."""

    def __init__(self, registry: LabelRegistry, predictions: Predictions, *, with_candidates: bool) -> None:
        self._registry = registry
        self._with_candidates = with_candidates
        self.predictions = predictions
        self._views: dict[tuple[str, SameObject, Requirements], _View] = {}
        self._written: dict[Requirements, tuple[tuple[Expression, ...], str]] = {}
        self._candidates: dict[Hashable, _Candidates] = {}

    def of(self, claim: PlacedClaim) -> _View:
        key = (claim.node_pool, SameObject(claim.candidates), claim.requirements)
        if key not in self._views:
            predicted = self.predictions.of(claim)
            is_enough = predicted is not None and not self._with_candidates
            candidates = _Candidates(claim.candidates, (), self._no_disk) if is_enough else self._candidates_of(claim)
            self._views[key] = _View(claim.candidates, candidates, predicted)
        return self._views[key]

    def written(self, claim: PlacedClaim) -> tuple[tuple[Expression, ...], str]:
        """Return the requirements of a claim as objects have them, and as one text; many claims have the same."""
        if claim.requirements not in self._written:
            expressions = tuple(claim.requirements.expressions())
            self._written[claim.requirements] = expressions, str(expressions)
        return self._written[claim.requirements]

    def _candidates_of(self, claim: PlacedClaim) -> _Candidates:
        types, wanted = claim.candidates.types, self.predictions.of_machines(claim.requirements)
        disks = tuple(dict.fromkeys(self._disk(claim.node_pool, t.name) for t in types))
        # Disks that differ by type do so by class.
        of_class = None if disks == (_NO_DISK,) else SameObject(self.predictions.node_class(claim.node_pool))
        key = (machines_of(types), tuple(claim.candidates.prices), wanted, of_class)
        if key not in self._candidates:
            opened = open_offerings(types, wanted, self._registry)
            self._candidates[key] = _Candidates(claim.candidates, opened, partial(self._disk, claim.node_pool))
        return self._candidates[key]

    def _no_disk(self, _instance_type: str) -> tuple[None, None]:
        return _NO_DISK

    def _disk(self, node_pool: str, instance_type: str) -> tuple[OsDisk | None, Price | None]:
        """Return the OS disk of a type and its price, without the source; both None where it does not depend on the type."""
        disk = self.predictions.os_disk(node_pool, instance_type)
        price = None if disk is None else self.predictions.disk_price(node_pool, instance_type)
        return disk, None if price is None else replace(price, source="", date="")

    def zone_of(self, claim: PlacedClaim) -> str:
        """Return the zone that a claim's node is assumed to be in."""
        return self.predictions.purchase(claim).offering.zone


def _shares(pods: Mapping[int, int], batches: Sequence[PodBatch]) -> tuple[PodShare, ...]:
    shares: dict[str, int] = {}
    for batch, count in pods.items():
        shares[batches[batch].name] = shares.get(batches[batch].name, 0) + count
    return tuple(PodShare(name, count) for name, count in sorted(shares.items()))
