"""Karpenter's decisions: nodes to remove, and the NodeClaims to launch in their place (spec: disruption 0, 5.9, 11; D-80)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Final

from cutlist.api.nodepool import NodePool
from cutlist.catalog.prices import Price as PaidPrice
from cutlist.catalog.prices import is_estimate
from cutlist.catalog.ranges import EXACT, Deviations
from cutlist.core.go_sums import sum_in_turn
from cutlist.core.labels import CAPACITY_TYPE, HOSTNAME, INITIALIZED, ON_DEMAND, REGISTERED, RESERVED, SPOT, LabelRegistry
from cutlist.core.records import HIDDEN, After, Count, Counts, Key, More, Price, Usd, about, computed, form_of
from cutlist.core.requirements import Requirements
from cutlist.core.written_requirement import NodeRequirement
from cutlist.disruption.candidates import Candidate
from cutlist.disruption.reasons import Reason
from cutlist.disruption.simulation import SimulatedPass
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.scheduling.instancetypes import InstanceTypeIndex
from cutlist.scheduling.nodeclaimtemplate import fresh_requirements
from cutlist.scheduling.results import PlacedClaim

SHOWN_TYPES: Final = 5
NAMES: Final = form_of(tuple[str, ...]).through(lambda things: tuple(thing.name for thing in things))
"""The form of things of which JSON has the names."""
MovedPods = Annotated[Counts, about("Pods that move to each existing node.")]


class TerminateFirst(StrEnum):
    """Why a node is terminated before its replacement is launched (V15-26 to V15-29)."""

    NO_RESERVED_CAPACITY = "no-reserved-capacity"
    STATIC_AT_LIMIT = "static-at-limit"


@dataclass(frozen=True, slots=True)
class Replacement:
    """A node that is launched in place of others.

    It is a NodeClaim that would be created. `types` are in the order in which the launch sends them; a static pool has none.
    `pods` are numbers of pods by batch of the simulation; `requests` in nano-units include those of daemons.
    """

    node_pool: str
    requirements: Annotated[
        Requirements, form_of(tuple[NodeRequirement, ...]).through(Requirements.expressions), After("moved")
    ]
    types: Annotated[tuple[InstanceType, ...], NAMES, Key("instanceTypes"), After("requirements")] = ()
    prices: Annotated[tuple[Price, ...], Key("pricesPerHour"), After("types")] = ()
    pods: Annotated[Mapping[int, int] | None, HIDDEN] = None
    requests: Annotated[Mapping[str, int] | None, HIDDEN] = None

    @staticmethod
    def of(claim: PlacedClaim) -> Replacement:
        """Return a claim of a simulation unchanged."""
        listed = claim.candidates
        return Replacement(claim.node_pool, claim.requirements, listed.types, listed.prices, claim.pods, claim.requests)

    @staticmethod
    def plain(pool: NodePool, registry: LabelRegistry) -> Replacement:
        """Return a node that follows the template of a static pool."""
        return Replacement(pool.name, fresh_requirements(pool, registry).without(HOSTNAME, REGISTERED, INITIALIZED))

    def narrowed(self, instance_types: InstanceTypeIndex, requirements: Requirements, types: Sequence[int]) -> Replacement:
        """Return the NodeClaim with fewer types, by number in the index, and with the prices under these requirements."""
        prices = instance_types.prices(requirements)
        return Replacement(
            self.node_pool,
            requirements,
            tuple(instance_types.types[i] for i in types),
            tuple(prices.get(i) for i in types),
            self.pods,
            self.requests,
        )

    @property
    def price(self) -> float:
        """Return the lowest price of its first type, or 0 if none of its offerings is available."""
        return (self.prices[0] or 0.0) if self.prices else 0.0

    @property
    def bill(self) -> float:
        """Return this price with fees, such as the licence of Windows, or 0 if it is unknown."""
        cheapest = self._cheapest
        return (cheapest[0].cost or 0.0) if cheapest else self.price

    @property
    def paid(self) -> PaidPrice | None:
        """Return the same with its source and range, or None if it is unknown."""
        cheapest = self._cheapest
        return cheapest[0].paid if cheapest else None

    @property
    @computed(after="prices")
    def is_estimated(
        self,
    ) -> Annotated[bool, Key("priceEstimated"), about("Whether the first of these prices is an estimate.")]:
        """Tell whether the catalogue only estimates what the cheapest of these offerings costs."""
        return any(is_estimate(offering.paid) for offering in self._cheapest)

    @property
    def _cheapest(self) -> list[Offering]:
        offerings = self.types[0].offerings if self.types and self.prices and self.prices[0] is not None else ()
        return [offering for offering in offerings if offering.price == self.price]

    @property
    @computed(after="capacity_type")
    def moved(self) -> Annotated[Count, Key("pods")]:
        """Return how many pods it is launched for."""
        return sum((self.pods or {}).values())

    @property
    @computed(after="node_pool")
    def capacity_type(self) -> str:
        """Return the capacity type of the launch: the first of reserved, spot and on-demand that it allows."""
        # The launch's own order: reserved before spot before on-demand.
        allowed = self.requirements.get_or_any(CAPACITY_TYPE)
        return next((kind for kind in (RESERVED, SPOT) if allowed.has(kind)), ON_DEMAND)

    @property
    def list(self) -> str:
        """Return the types as a log line lists them: five names, and the number of the others."""
        names = [t.name for t in self.types]
        shown = ", ".join(names[:SHOWN_TYPES])
        return f"{shown} and {len(names) - SHOWN_TYPES} other(s)" if len(names) > SHOWN_TYPES else shown


@dataclass(frozen=True, slots=True)
class FollowingNodes:
    """Nodes that follow a command although it does not list them.

    A static NodePool makes its node again, and whoever controls a pod that was evicted without a place recreates it. The price
    is in USD per hour, with disks where it is known.
    """

    nodes: Count
    price: Annotated[Usd, Key("pricePerHour")]
    is_estimated: Annotated[bool, Key("priceEstimated")] = False
    deviations: Annotated[Deviations, HIDDEN] = field(default=EXACT, compare=False)


def _fee(node: Candidate | Replacement) -> float:
    """Return what a node costs beyond its price, or 0 if that is unknown."""
    return node.bill - node.price if node.bill else 0.0


@dataclass(frozen=True, slots=True)
class Command:
    """Candidates to remove, in Karpenter's order, and their replacements. `simulation` says where their pods move.

    `terminate_first` is why the replacement cannot exist before the node is removed. `bounds` are the seconds after which the
    drain of a node ends, by its name, if they differ from those of its NodeClaim. With `reboot` the node stays and starts
    again. `disk_savings` is how much less disks cost afterwards, in USD per hour, None when unknown. `followed_by` are nodes
    that come although the command does not list them. Karpenter looks at neither.
    """

    reason: Reason
    candidates: Annotated[tuple[Candidate, ...], NAMES, Key("nodes")]
    replacements: Annotated[tuple[Replacement, ...], After("disk_savings")] = ()
    simulation: Annotated[SimulatedPass | None, HIDDEN] = None
    disk_savings: Annotated[
        Price, about("What of it is for disks; null where unknown."), Key("diskSavingsPerHour"), After("savings_with_disks")
    ] = None
    followed_by: Annotated[
        FollowingNodes | None,
        After("disk_savings"),
        about("Nodes that come although the command does not list them, which the savings count; null without any."),
    ] = None
    terminate_first: Annotated[TerminateFirst | None, HIDDEN] = None
    reboot: Annotated[bool, HIDDEN] = False
    bounds: Annotated[Mapping[str, float], HIDDEN] = field(default_factory=dict)

    @property
    @computed(after="")
    def decision(self) -> Annotated[str, More(enum=["delete", "replace", "terminate-first", "reboot"])]:
        """Return in one word what happens to the nodes; only a reboot keeps them."""
        if self.reboot:
            return "reboot"
        if self.replacements:
            return "replace"
        return "terminate-first" if self.terminate_first is not None else "delete"

    @property
    def savings(self) -> float:
        """Return how much less machines cost afterwards, in USD per hour, as Karpenter has it (spec 5.9)."""
        if self.reboot:
            return 0.0
        # Added in the order of Karpenter's loop, since sums of floats depend on it and the text shows the result.
        return sum_in_turn(c.price for c in self.candidates) - sum_in_turn(r.price for r in self.replacements)

    @property
    @computed(after="candidates")
    def savings_with_disks(
        self,
    ) -> Annotated[Usd, about("With disks, where their price is known; the message is without."), Key("savingsPerHour")]:
        """Return how much less the cluster costs afterwards, in USD per hour, with fees, disks where their price is known, and
        the nodes that follow."""
        if self.reboot:
            return 0.0
        fees = math.fsum(map(_fee, self.candidates)) - math.fsum(map(_fee, self.replacements))
        saved = self.savings + fees + (self.disk_savings or 0.0)
        # Rounded, so that like for like is nothing and not a rest of a sum.
        return saved if self.followed_by is None else round(saved - self.followed_by.price, 10) + 0.0

    @property
    def deviations(self) -> Deviations:
        """Return how far this may be off, as far as prices of machines are estimates."""
        if self.reboot:
            return EXACT
        ended = Deviations.of((c.node.instance_type, 1, c.paid) for c in self.candidates)
        launched = Deviations.of((r.types[0].name, 1, r.paid) for r in self.replacements if r.types)
        return ended.minus(launched if self.followed_by is None else launched.plus(self.followed_by.deviations))

    @property
    def is_estimated(self) -> bool:
        """Tell whether the price of a replacement, or of a node that follows, is an estimate."""
        follows = self.followed_by is not None and self.followed_by.is_estimated
        return follows or any(replacement.is_estimated for replacement in self.replacements)

    @property
    @computed(after="replacements")
    def moves(self) -> MovedPods:
        """Return how many pods move to each existing node, by name."""
        return self.simulation.moved if self.simulation is not None else {}

    @property
    @computed(after="moves")
    def text(self) -> Annotated[str, Key("message"), about("As Karpenter logs it.")]:
        """Return the command as Karpenter logs it, without its random number."""
        pools = ",".join(dict.fromkeys(c.pool.name for c in self.candidates))
        return f"{self.reason}: {self.decision}: nodepools=[{pools}]: {self.exchange} (savings: {dollars(self.savings)})"

    @property
    def exchange(self) -> str:
        """Return which nodes are removed, and how many replace them."""
        names, count = ", ".join(c.name for c in self.candidates), len(self.replacements)
        return f"[{names}]" + (f" -> [{count} replacement{'' if count == 1 else 's'}]" if count else "")


def dollars(amount: float) -> str:
    """Return an amount as log lines print it."""
    return f"${amount:.2f}"
