"""What a NodePool offers of a type: the cheapest way to buy it with a room, and which offers are no better than others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import NamedTuple

from cutlist.optimization.rooms_by_suits import RoomsBySuits
from cutlist.optimization.supply import Amounts


class Offer(NamedTuple):
    """The cheapest way to buy a type with a room, on the labels that a set of requirements or several allow.

    `held` are these sets, `place` is the number of the offer among all of the type.
    """

    place: int
    held: int
    room: Amounts
    price: float
    instance_type: str
    capacity_type: str
    zone: str
    most: int | None


def without_worse(listed: Iterable[Sequence[Offer]]) -> list[list[Offer]]:
    """Return offers, by type, without those that are as dear as another for the same pods or more and have no more room. What
    there is only a number of stays."""
    offers = [offer for of_type in listed for offer in of_type]
    rooms, kept = RoomsBySuits(), list[Offer]()
    # In this order, whatever is as good as an offer comes before it.
    for offer in sorted(sorted(offers, key=attrgetter("room"), reverse=True), key=attrgetter("price")):
        if offer.most is not None:
            kept.append(offer)
        elif not rooms.have_as_much(offer.room, offer.held):
            rooms.add(offer.room, offer.held)
            kept.append(offer)
    stays = set(map(id, kept))
    by_type: dict[str, list[Offer]] = {}
    for offer in offers:
        if id(offer) in stays:
            by_type.setdefault(offer.instance_type, []).append(offer)
    return list(by_type.values())
