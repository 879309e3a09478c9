"""What happens to nodes whose instances the cloud reclaims (spec: disruption 10; D-35, D-78, D-79)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final

from cutlist.core.annotations import TERMINATION_TIMESTAMP
from cutlist.core.karpenter.baselines import DEFAULT, Baseline
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.labels import CAPACITY_TYPE, INSTANCE_TYPE, SPOT, ZONE
from cutlist.disruption.termination import deleted, with_claim, with_deadline
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.state.statenode import NodeClaimState, StateNode

SOLD_OUT_FOR: Final = 180  # seconds
TERMINATING_ON_INTERRUPTION: Final = "TerminatingOnInterruption"


class Action(Enum):
    """What happens to a NodeClaim: nothing, an ordinary drain, or an immediate end."""

    NOTHING = auto()
    DRAIN = auto()
    END_NOW = auto()


class Loss(Enum):
    """What counts as sold out for a while: nothing, the offering of the node, or its reservation."""

    NOTHING = auto()
    OFFERING = auto()
    RESERVATION = auto()


@dataclass(frozen=True, slots=True)
class Interruption:
    """Something that happened to instances. `instances` are the cloud's ids, `event` is the reason of their event."""

    kind: str
    instances: tuple[str, ...] = ()
    action: Action = Action.NOTHING
    event: str = ""
    loss: Loss = Loss.NOTHING


@dataclass(frozen=True, slots=True)
class SoldOut:
    """Offerings that are unavailable: those that agree in every member that is not empty. `reservation` is an id.

    `until` is in seconds since 1970, None while unknown.
    """

    instance_type: str = ""
    zone: str = ""
    capacity_type: str = ""
    reservation: str = ""
    until: float | None = None

    def covers(self, instance_type: InstanceType, offering: Offering, reservation_key: str | None = None) -> bool:
        """Tell whether an offering of a type is one of these; `reservation_key` is the label that has a reservation's id."""
        return (
            self.instance_type in ("", instance_type.name)
            and self.zone in ("", offering.zone)
            and self.capacity_type in ("", offering.capacity_type)
            and (not self.reservation or _is_of(self.reservation, offering, reservation_key))
        )


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The consequences of an interruption: the nodes afterwards, events by claim, and what is sold out."""

    nodes: tuple[StateNode, ...]
    events: tuple[tuple[str, str], ...] = ()
    sold_out: tuple[SoldOut, ...] = ()


def interrupted(
    nodes: Iterable[StateNode],
    interruption: Interruption,
    now: float,
    *,
    reservation_key: str | None = None,
    karpenter: Baseline = DEFAULT,
) -> Interrupted:
    """Return the nodes after Karpenter was notified of an interruption. Nodes without a claim stay as they are.

    Claims are deleted regardless of budgets and annotations; their drain is an ordinary one, except for `Action.END_NOW`. A
    reservation that is reclaimed is sold out until its count is read again, since 1.15 for as long as any offering (VA15-67).
    """
    one_by_one = karpenter.does(Behaviour.RESERVATIONS_FAIL_ONE_BY_ONE)
    hit = frozenset(interruption.instances) - {""}
    after: list[StateNode] = []
    events: list[tuple[str, str]] = []
    sold_out: list[SoldOut] = []
    for node in nodes:
        claim = node.claim
        if claim is None or instance_id(claim) not in hit:
            after.append(node)
            continue
        then = _acted_on(claim, interruption.action, now)
        after.append(with_claim(node, then))
        sold_out.extend(_sold_out(claim, interruption.loss, now, reservation_key, one_by_one=one_by_one))
        reasons = [interruption.event, *([TERMINATING_ON_INTERRUPTION] if then.deleted != claim.deleted else [])]
        events.extend((claim.name, event) for event in reasons)
    return Interrupted(tuple(after), tuple(events), tuple(sold_out))


def without_spot(nodes: Sequence[StateNode], now: float, zone: str = "") -> Interrupted:
    """Return the consequences when all spot capacity of a zone (without one: anywhere) ends: nodes are removed, no more is
    sold."""
    claims = [n.claim for n in nodes if n.claim is not None and n.claim.labels.get(CAPACITY_TYPE) == SPOT]
    hit = tuple(instance_id(c) for c in claims if zone in ("", c.labels.get(ZONE)))
    after = interrupted(nodes, Interruption("spot_interrupted", hit, Action.DRAIN, "SpotInterrupted"), now)
    return replace(after, sold_out=(SoldOut(zone=zone, capacity_type=SPOT),))


def while_sold_out(
    types: Sequence[InstanceType], sold_out: Sequence[SoldOut], now: float, *, reservation_key: str | None = None
) -> tuple[InstanceType, ...]:
    """Return the types with the offerings that are sold out at this instant marked as unavailable."""
    missing = [s for s in sold_out if s.until is None or now < s.until]

    def marked(instance_type: InstanceType, offering: Offering) -> Offering:
        is_lost = offering.available and any(s.covers(instance_type, offering, reservation_key) for s in missing)
        return offering._replace(available=False) if is_lost else offering

    return tuple(replace(t, offerings=tuple(marked(t, o) for o in t.offerings)) for t in types) if missing else tuple(types)


def instance_id(claim: NodeClaimState) -> str:
    """Return the cloud's id of the instance, the last part of its provider id, or an empty string if it has none yet."""
    return claim.provider_id.rpartition("/")[2]


def _acted_on(claim: NodeClaimState, action: Action, now: float) -> NodeClaimState:
    if action is Action.NOTHING:
        return claim
    # A deadline that is set already is never moved.
    if action is Action.END_NOW and TERMINATION_TIMESTAMP not in claim.annotations:
        claim = with_deadline(claim, now)
    return deleted(claim, now)


def _sold_out(claim: NodeClaimState, loss: Loss, now: float, reservation_key: str | None, *, one_by_one: bool) -> list[SoldOut]:
    if loss is Loss.OFFERING:
        instance_type, zone = claim.labels.get(INSTANCE_TYPE, ""), claim.labels.get(ZONE, "")
        return [SoldOut(instance_type, zone, SPOT, until=now + SOLD_OUT_FOR)] if instance_type and zone else []
    reservation = claim.labels.get(reservation_key, "") if reservation_key else ""
    until = now + SOLD_OUT_FOR if one_by_one else None
    return [SoldOut(reservation=reservation, until=until)] if loss is Loss.RESERVATION and reservation else []


def _is_of(reservation: str, offering: Offering, reservation_key: str | None) -> bool:
    ids = offering.requirements.get(reservation_key) if reservation_key else None
    return ids is not None and ids.has(reservation)
