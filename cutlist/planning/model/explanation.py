"""Why the pods of a workload get the nodes that they get, or none: the data behind `cutlist explain`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple

from cutlist.catalog.ages import PRICE_AGE, PriceAge
from cutlist.core.records import SPARSE, After, Count, Key, TextOrNull, about, computed, form_of
from cutlist.core.services import OF_ANSWER, RunningService
from cutlist.planning.model.gangs import PlannedGang
from cutlist.planning.model.nodes import PlannedNode
from cutlist.planning.model.pending import PendingPods
from cutlist.planning.model.restrictions import RestrictionPrices
from cutlist.planning.model.spelling import ExactPrice


@dataclass(frozen=True, slots=True)
class Narrowing:
    """How many of a NodePool's instance types are left after a step, and what the step requires."""

    step: str
    types: Count


@dataclass(frozen=True, slots=True)
class Answer:
    """A NodePool's answer: how many pods it accepts on new nodes, or why it accepts none.

    `refusal` is the first rule that is broken, with the shortfall in numbers, `karpenter` the same in Karpenter's words and
    `remedy` the smallest change after which it would accept a pod; all are empty for a NodePool that would accept them.
    `narrowing` are the steps that narrow its types down to those that can hold one pod.
    """

    node_pool: str
    weight: Count
    took: Annotated[Count, Key("tookPods")]
    refusal: Annotated[TextOrNull, about("The first rule that is broken, with the shortfall.")] = ""
    karpenter: Annotated[TextOrNull, about("The same in Karpenter's words.")] = ""
    remedy: Annotated[TextOrNull, about("The smallest change that would help.")] = ""
    narrowing: Annotated[tuple[Narrowing, ...], about("How many types are left after each step.")] = ()


@dataclass(frozen=True, slots=True)
class RelaxedPreference:
    """A preference of pods that is not met, and for how many of those that have a node; all waiting pods gave it up without
    success."""

    what: str
    pods: Count


class AcceptingNode(NamedTuple):
    """An existing node, and how many pods it accepts."""

    name: str
    pods: Count


class RefusingNodes(NamedTuple):
    """Existing nodes that accept no pod, and why."""

    reason: str
    nodes: Count


@dataclass(frozen=True, slots=True)
class Explanation:
    """All facts that decide about the pods of a workload under one controller.

    `nodes` are the new nodes with a pod of it, `existing` the pods on each existing node, by name, and `refusing` why other
    existing nodes accept none, with their number. `spot` says where spot capacity is excluded and why, NodePool by NodePool.
    `price` is its share of the nodes' price, in USD per hour, and `least` the lowest possible cost of its requests, on the
    types that fit best and without any waste; None if unknown. `restrictions` is what its restrictions cost, where requested.
    `gangs` are those of its pods.
    """

    workload: str
    controller: str
    pods: Count
    nodes: tuple[PlannedNode, ...]
    existing: Annotated[tuple[tuple[str, int], ...], form_of(tuple[AcceptingNode, ...])]
    pending: tuple[PendingPods, ...]
    answers: Annotated[tuple[Answer, ...], Key("nodePools"), about("In the order in which Karpenter tries them.")]
    given_up: tuple[RelaxedPreference, ...] = ()
    spot: tuple[str, ...] = ()
    price: Annotated[ExactPrice, Key("pricePerHour")] = None
    least: Annotated[ExactPrice, Key("leastPricePerHour")] = None
    refusing: Annotated[tuple[tuple[str, int], ...], form_of(tuple[RefusingNodes, ...]), After("existing")] = ()
    restrictions: Annotated[RestrictionPrices | None, about("What its restrictions cost; null unless requested.")] = None
    gangs: Annotated[tuple[PlannedGang, ...], After("pending"), about("The gangs that its pods belong to.")] = ()

    @property
    def incomplete_gangs(self) -> tuple[PlannedGang, ...]:
        """Return the gangs of its pods of which too few have a place."""
        return tuple(gang for gang in self.gangs if not gang.complete)

    @property
    def has_estimates(self) -> bool:
        """Tell whether the price of a node is an estimate, and with it the workload's share."""
        return any(node.is_estimated for node in self.nodes)

    @property
    def on_existing(self) -> int:
        """Return how many pods are placed on existing nodes."""
        return sum(pods for _, pods in self.existing)

    @property
    def waiting(self) -> int:
        """Return how many pods have no node."""
        return sum(p.count for p in self.pending)

    @property
    def on_new_nodes(self) -> int:
        """Return how many pods get a new node."""
        return self.pods - self.on_existing - self.waiting

    @property
    @computed(after="least")
    def gap(self) -> Annotated[ExactPrice, Key("gapPerHour")]:
        """Return the cost of the imperfect fit between pods and nodes, in USD per hour."""
        return None if self.price is None or self.least is None else max(0.0, self.price - self.least)


@dataclass(frozen=True, slots=True)
class Explanations:
    """Why the pods of a workload get the nodes they get, or none.

    There is an explanation for each controller.
    """

    region: str
    explanations: tuple[Explanation, ...]
    price_age: Annotated[PriceAge | None, SPARSE, PRICE_AGE] = None
    services: Annotated[tuple[RunningService, ...] | None, SPARSE, OF_ANSWER] = None
    version: Annotated[Literal[1], After("")] = 1
