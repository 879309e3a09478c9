"""NodeClasses and instance types for the tests of this folder."""

from __future__ import annotations

from typing import Any

from cutlist import EC2NodeClass
from cutlist.catalog.embedded import load
from cutlist.core.karpenter.baselines import BASELINES
from cutlist.core.quantity import nanos
from cutlist.providers.aws import AwsSettings, Observed, instance_types
from cutlist.providers.instance_types import InstanceType, Offering

SUBNETS = (
    {"id": "subnet-0a", "zone": "us-west-2a", "zoneID": "usw2-az2"},
    {"id": "subnet-0b", "zone": "us-west-2b", "zoneID": "usw2-az1"},
)


def node_class(alias: str = "al2023@latest", subnets: tuple[dict[str, str], ...] = SUBNETS, **spec: Any) -> EC2NodeClass:
    """Return an EC2NodeClass of Karpenter 1.14 with resolved subnets; `reservations` go to its status, all else to its spec."""
    reservations = list(spec.pop("reservations", ()))
    tags = [{"tags": {"karpenter.sh/discovery": "demo"}}]
    return EC2NodeClass.from_manifest(
        {
            "apiVersion": "karpenter.k8s.aws/v1",
            "kind": "EC2NodeClass",
            "metadata": {"name": "default"},
            "spec": {
                "role": "node",
                "amiSelectorTerms": [{"alias": alias}],
                "subnetSelectorTerms": tags,
                "securityGroupSelectorTerms": tags,
                **spec,
            },
            "status": {"subnets": list(subnets), "capacityReservations": reservations},
        },
        BASELINES[0],
    )


def resolve(
    of: EC2NodeClass | None = None, observed: Observed | None = None, region: str = "us-west-2", **settings: Any
) -> dict[str, InstanceType]:
    """Return the instance types of a NodeClass by name."""
    found = instance_types(of or node_class(), load(region), AwsSettings(**settings), observed=observed or Observed())
    return {each.name: each for each in found}


def values(of: InstanceType | Offering, key: str) -> frozenset[str] | None:
    """Return the values of a label; empty when it does not exist, None when nothing is said of it."""
    requirement = of.requirements.get(key)
    return None if requirement is None else requirement.values


def available(of: InstanceType) -> set[tuple[str, str]]:
    """Zone and capacity type of the open offerings."""
    return {(offering.zone, offering.capacity_type) for offering in of.offerings if offering.available}


def amounts(of: InstanceType, *names: str) -> tuple[int, ...]:
    """Allocatable amounts in nano-units."""
    allocatable = of.allocatable()
    return tuple(allocatable[name] for name in names)


def given(*texts: str) -> tuple[int, ...]:
    """Quantities in nano-units."""
    return tuple(nanos(text) for text in texts)
