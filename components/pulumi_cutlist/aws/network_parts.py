"""What the rest of a stack needs of a VPC, and what has to be there before it is used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pulumi


@dataclass(frozen=True, slots=True)
class NetworkParts:
    """What the rest of a stack needs of a VPC, made or adopted.

    Whatever uses the private subnets waits for their ways out as well, and is deleted before those.
    """

    vpc_id: pulumi.Output[str]
    private_subnet_ids: pulumi.Output[list[str]]
    control_plane_subnet_ids: pulumi.Output[list[str]]
    public_subnet_ids: pulumi.Output[list[str]]
    private_route_table_ids: pulumi.Output[list[str]]
    endpoint_security_group_id: pulumi.Output[str | None]


def ids_after(resources: Sequence[Any], others: Sequence[pulumi.Resource]) -> pulumi.Output[list[str]]:
    """The ids of some resources, for what must also wait for others.

    Of those the URN is enough, which even a preview knows: one more of them does not make the ids unknown again.
    """
    count = len(resources)
    everything = pulumi.Output.all(*(resource.id for resource in resources), *(other.urn for other in others))
    ids: pulumi.Output[list[str]] = everything.apply(lambda known: list(known[:count]))
    return ids
