"""Capacity reservations in which Karpenter starts nodes, new ones and existing ones (spec: aws-infrastructure 5.1)."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NotRequired, TypedDict

import pulumi
import pulumi_aws as aws

from cutlist.core.errors import Place, Problems
from cutlist.infrastructure import reservations
from cutlist.infrastructure.reservations import ReservationFacts
from pulumi_cutlist.inputs.lists import MapOf


class CapacityReservationArgs(TypedDict):
    """Machines that are reserved in a zone, and paid for whether they run or not."""

    instance_type: str
    """Type of the machines."""
    zone: str
    """Zone of the machines, in which the network has a subnet for nodes."""
    instances: int
    """How many machines are reserved."""
    match_criteria: NotRequired[str]
    """targeted, for nodes that select it alone, or open, for any matching instance of the account. Defaults to targeted."""
    end_date: NotRequired[str]
    """When it ends, such as 2027-01-31T12:00:00Z. Defaults to never."""
    id: NotRequired[pulumi.Input[str]]
    """Id of an existing reservation, instead of a new one: of the account, shared with it, or a capacity block. Cutlist does
    not change it."""
    reservation_type: NotRequired[str]
    """default, or capacity-block for an existing one. Defaults to default."""
    tags: NotRequired[MapOf[str, pulumi.Input[str]]]
    """Tags by which EC2NodeClasses select it, besides `karpenter.sh/discovery` of the cluster. Of an existing one, those that
    it has."""


@dataclass(frozen=True, slots=True)
class ReservationTags:
    """Tags of every new reservation: of all that the cluster makes, and those by which Karpenter finds its subnets too."""

    common: Mapping[str, pulumi.Input[str]]
    discovery: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ReservationsPlan:
    """Capacity reservations that can be made or used, and the names of those that no node class of the program selects, and of
    those that no NodePool of these classes allows."""

    given: Mapping[str, CapacityReservationArgs]
    facts: tuple[ReservationFacts, ...]
    tags: ReservationTags
    unselected: tuple[str, ...] = ()
    unusable: tuple[str, ...] = ()


def check_reservations(
    given: Mapping[str, CapacityReservationArgs], zones: list[str], tags: ReservationTags, at: Place, problems: Problems
) -> tuple[ReservationFacts, ...]:
    """Return the facts of reservations; mistakes in them are noted. `zones` are those with subnets for nodes, none if they
    are not known."""
    facts = tuple(_facts(name, args, tags) for name, args in given.items())
    for one in facts:
        problems.extend(reservations.problems(one, zones, at.member(one.name)))
    return facts


def make_reservations(parent: pulumi.Resource, name: str, plan: ReservationsPlan, region: str) -> tuple[pulumi.Resource, ...]:
    """Register the new ones under a component whose name is `name`, and warn of those that nodes never use."""
    if plan.unselected:
        names = ", ".join(plan.unselected)
        text = f"capacity reservations that no EC2NodeClass of the program selects, and that are paid for anyway: {names}"
        pulumi.log.warn(text, parent)
    if plan.unusable:
        text = "capacity reservations that no NodePool of their EC2NodeClass allows, and that are paid for anyway"
        pulumi.log.warn(
            f"{text}: {', '.join(plan.unusable)}; allow reserved among its capacity types, and their types and zones", parent
        )
    new = {key: args for key, args in plan.given.items() if "id" not in args}
    return tuple(_reservation(parent, f"{name}-reservation-{key}", args, region, plan.tags) for key, args in new.items())


def _facts(name: str, args: CapacityReservationArgs, tags: ReservationTags) -> ReservationFacts:
    id_: Any = args.get("id")
    known = {key: value for key, value in args.get("tags", {}).items() if isinstance(value, str)}
    made = {} if id_ is not None else {**_plain(tags.common), **tags.discovery}
    return ReservationFacts(
        name,
        args["instance_type"],
        args["zone"],
        args["instances"],
        args.get("match_criteria", "targeted"),
        args.get("reservation_type", "default"),
        None if id_ is None else id_ if isinstance(id_, str) else "",
        args.get("end_date"),
        {**made, **known},
    )


def _plain(tags: Mapping[str, pulumi.Input[str]]) -> dict[str, str]:
    return {key: value for key, value in tags.items() if isinstance(value, str)}


def _reservation(
    parent: pulumi.Resource, name: str, args: CapacityReservationArgs, region: str, tags: ReservationTags
) -> pulumi.Resource:
    ends = args.get("end_date")
    return aws.ec2.CapacityReservation(
        name,
        region=region,
        availability_zone=args["zone"],
        instance_type=args["instance_type"],
        instance_count=args["instances"],
        instance_platform="Linux/UNIX",
        instance_match_criteria=args.get("match_criteria", "targeted"),
        end_date_type="limited" if ends else "unlimited",
        end_date=ends,
        tags={"Name": name, **tags.common, **tags.discovery, **args.get("tags", {})},
        opts=pulumi.ResourceOptions(parent=parent),
    )
