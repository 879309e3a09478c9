"""Capacity reservations of a cluster: what EC2 accepts, and which node classes select them (spec: aws-infrastructure 5.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from cutlist.core.errors import Place, Problem, Problems, nearest
from cutlist.core.labels import AWS_GROUP, CAPACITY_TYPE, INSTANCE_TYPE, RESERVED, ZONE
from cutlist.core.requirement import Expression, Operator
from cutlist.core.requirements import Requirements
from cutlist.infrastructure.inputs import one_of
from cutlist.infrastructure.node_images import type_problems

CRITERIA: Final = ("open", "targeted")
"""Whether any matching instance of the account runs in a reservation, or only those that name it."""
BLOCK: Final = "capacity-block"
TYPES: Final = ("default", BLOCK)
"""A reservation on demand, or a capacity block, which is bought in advance for some days."""
MOST_INSTANCES: Final = 1000
_ID: Final = re.compile(r"cr-[0-9a-f]{8,17}", re.ASCII)
_NAME: Final = re.compile(r"[a-z]([a-z0-9-]{0,28}[a-z0-9])?", re.ASCII)
_ANY: Final = "*"


@dataclass(frozen=True, slots=True)
class ReservationFacts:
    """A reservation of machines. `id` is that of an existing one, None for a new one, and empty while only an update knows it.
    `tags` are those that are known before an update."""

    name: str
    instance_type: str
    zone: str
    instances: int
    match_criteria: str = "targeted"
    reservation_type: str = "default"
    id: str | None = None
    end_date: str | None = None
    tags: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_new(self) -> bool:
        """Tell whether a stack makes it."""
        return self.id is None

    def observed(self, account: str) -> dict[str, Any]:
        """Return it as the status of an EC2NodeClass has it, with all its instances free."""
        ends = {"endTime": self.end_date} if self.end_date else {}
        return {
            "id": self.id or f"cr-{self.name}",
            "availabilityZone": self.zone,
            "instanceType": self.instance_type,
            "instanceMatchCriteria": self.match_criteria,
            "ownerID": account,
            "reservationType": self.reservation_type,
            "state": "active",
            "availableInstanceCount": self.instances,
            **ends,
        }

    def is_selected(self, term: Mapping[str, Any], account: str) -> bool:
        """Tell whether a term of a node class selects it. A value of a tag is any for `*`, and for an empty text (Karpenter's
        selectors)."""
        tags = term.get("tags") or {}
        wanted = {"id": self.id, "ownerID": account, "instanceMatchCriteria": self.match_criteria}
        if not any(term.get(key) for key in ("id", "tags", "ownerID", "instanceMatchCriteria")):
            return False
        by_tag = all(key in self.tags and value in (_ANY, "", self.tags[key]) for key, value in tags.items())
        return by_tag and all(term[key] == value for key, value in wanted.items() if term.get(key))


def problems(reservation: ReservationFacts, zones: Sequence[str], at: Place) -> list[Problem]:
    """Return why EC2 would refuse a reservation, or why no node of the cluster could start in it. `zones` are those with
    subnets for nodes; none if they are not known."""
    mistakes = Problems()
    if not _NAME.fullmatch(reservation.name):
        mistakes.add(at, f"{reservation.name!r} cannot name a reservation", "lower-case letters, digits and -, at most 30")
    mistakes.extend(type_problems(reservation.instance_type, "an instance type of EC2", at.member("instanceType")))
    if zones and reservation.zone not in zones:
        message = f"the network has no subnet for nodes in {reservation.zone!r}"
        mistakes.add(at.member("zone"), message, ", ".join(zones), nearest(reservation.zone, zones))
    if not 1 <= reservation.instances <= MOST_INSTANCES:
        mistakes.add(at.member("instances"), f"{reservation.instances} instances", f"1 to {MOST_INSTANCES}")
    mistakes.extend(one_of(reservation.match_criteria, CRITERIA, at.member("matchCriteria")))
    mistakes.extend(one_of(reservation.reservation_type, TYPES, at.member("reservationType")))
    mistakes.extend(_kind(reservation, at))
    return mistakes.found


def _kind(reservation: ReservationFacts, at: Place) -> Iterator[Problem]:
    yield from id_problems(reservation.id, at.member("id"))
    if reservation.is_new and reservation.reservation_type == BLOCK:
        message = "a capacity block is paid for when it is bought, and no update undoes that"
        yield Problem(at.member("reservationType"), message, "buy it first, then give its id")
    if reservation.end_date is not None and not _is_time(reservation.end_date):
        example = "such as 2027-01-31T12:00:00Z"
        yield Problem(at.member("endDate"), f"{reservation.end_date!r} is not a time in UTC", example)


def id_problems(id_: object, at: Place) -> Iterator[Problem]:
    """Yield a problem for a text that is not the id of a reservation; what only an update knows passes."""
    if isinstance(id_, str) and id_ and not _ID.fullmatch(id_):
        yield Problem(at, f"{id_!r} is not the id of a reservation", "such as cr-0123456789abcdef0")


def _is_time(text: str) -> bool:
    try:
        return text.endswith("Z") and datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def with_reservations(
    node_class: Mapping[str, Any], reservations: Iterable[ReservationFacts], account: str
) -> Mapping[str, Any]:
    """Return the manifest of a node class with those of the reservations in its status that its terms select, as the controller
    will find them; the same manifest if it selects none."""
    found = [one.observed(account) for one in reservations if selects(node_class, one, account)]
    status = node_class.get("status") or {}
    return {**node_class, "status": {**status, "capacityReservations": found}} if found else node_class


def unselected(
    reservations: Iterable[ReservationFacts], node_classes: Sequence[Mapping[str, Any]], account: str
) -> tuple[str, ...]:
    """Return the names of the reservations that none of some node classes selects; none without node classes."""
    if not node_classes:
        return ()
    return tuple(one.name for one in reservations if not any(selects(of, one, account) for of in node_classes))


def unusable(
    reservations: Iterable[ReservationFacts],
    node_classes: Sequence[Mapping[str, Any]],
    node_pools: Sequence[Mapping[str, Any]],
    account: str,
) -> tuple[str, ...]:
    """Return the names of the reservations that some node class selects, and whose capacity type, zone or machine every
    NodePool of these classes excludes; none of classes without NodePools.

    A plan knows more: of the machine, these requirements see only its type, family and size.
    """
    found: list[str] = []
    for one in reservations:
        classes = {_name(of) for of in node_classes if selects(of, one, account)}
        pools = [pool for pool in node_pools if _class_of(pool) in classes]
        if pools and not any(_allows(pool, one) for pool in pools):
            found.append(one.name)
    return tuple(found)


def _name(manifest: Mapping[str, Any]) -> Any:
    return (manifest.get("metadata") or {}).get("name")


def _node_spec(pool: Mapping[str, Any]) -> Mapping[str, Any]:
    spec = ((pool.get("spec") or {}).get("template") or {}).get("spec")
    return spec if isinstance(spec, Mapping) else {}


def _class_of(pool: Mapping[str, Any]) -> Any:
    return (_node_spec(pool).get("nodeClassRef") or {}).get("name")


def _allows(pool: Mapping[str, Any], reservation: ReservationFacts) -> bool:
    family, _, size = reservation.instance_type.partition(".")
    labels = {
        CAPACITY_TYPE: RESERVED,
        ZONE: reservation.zone,
        INSTANCE_TYPE: reservation.instance_type,
        f"{AWS_GROUP}/instance-family": family,
        f"{AWS_GROUP}/instance-size": size,
    }
    written = [raw for raw in _node_spec(pool).get("requirements") or () if _is_about(raw, labels)]
    wanted = Requirements.of_expressions(map(Expression.read, written))
    return all(key not in wanted or wanted[key].has(value) for key, value in labels.items())


def _is_about(raw: Any, labels: Mapping[str, str]) -> bool:
    """Tell whether a requirement is one by some labels, whose values are all known."""
    if not isinstance(raw, Mapping) or raw.get("key") not in labels or raw.get("operator") not in tuple(Operator):
        return False
    return all(isinstance(value, str) for value in raw.get("values") or ())


def selects(node_class: Mapping[str, Any], reservation: ReservationFacts, account: str) -> bool:
    """Tell whether a node class, a manifest, selects a reservation."""
    terms = (node_class.get("spec") or {}).get("capacityReservationSelectorTerms") or ()
    return any(isinstance(term, Mapping) and reservation.is_selected(term, account) for term in terms)
