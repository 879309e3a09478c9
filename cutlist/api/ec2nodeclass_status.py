"""The status of an EC2NodeClass: what the controller found with its selectors (spec: api-objects 3.12)."""

from __future__ import annotations

from cutlist.api.model import Condition, Count, Items, Observed


class Subnet(Observed):
    """A subnet that the selectors found. `zone` is a name such as us-west-2a, `zone_id` such as usw2-az1."""

    id: str
    zone: str
    zone_id: str = ""


class SecurityGroup(Observed):
    """A security group that the selectors found."""

    id: str
    name: str = ""


class AmiRequirement(Observed):
    """A requirement of an image on instance types."""

    key: str
    operator: str
    values: Items[str] = ()


class Ami(Observed):
    """A machine image that the selectors found."""

    id: str
    name: str = ""
    deprecated: bool = False
    requirements: Items[AmiRequirement] = ()


class CapacityReservation(Observed):
    """A capacity reservation that the selectors found.

    `available_instance_count` is how many free instances it has. Karpenter's controller does not publish that; `cutlist catalog
    resolve` adds it.
    """

    id: str
    availability_zone: str
    instance_type: str
    owner_id: str = ""
    instance_match_criteria: str = ""
    end_time: str | None = None
    interruptible: bool = False
    reservation_type: str = "default"
    state: str = "active"
    available_instance_count: Count | None = None


class EC2NodeClassStatus(Observed):
    """The state that the controller observed."""

    subnets: Items[Subnet] = ()
    security_groups: Items[SecurityGroup] = ()
    amis: Items[Ami] = ()
    capacity_reservations: Items[CapacityReservation] = ()
    instance_profile: str = ""
    conditions: Items[Condition] = ()
