"""NodeClaims, NodeClasses and launches for the tests of this folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cutlist import EC2NodeClass
from cutlist.catalog.embedded import load
from cutlist.catalog.prices import Price
from cutlist.catalog.regions import RegionCatalog
from cutlist.core.labels import AWS_GROUP
from cutlist.core.quantity import amounts
from cutlist.core.requirement import Expression
from cutlist.providers.aws import AwsSettings, Observed, instance_types
from cutlist.providers.aws.launch.claim import Refusal
from cutlist.providers.aws.launch.fleet import FleetRequest
from cutlist.providers.aws.launch.request import LaunchSettings, launch
from cutlist.providers.instance_types import InstanceType

ZONES = {"us-west-2a": "usw2-az2", "us-west-2b": "usw2-az1"}
SUBNETS = tuple({"id": f"subnet-{name[-1]}", "zone": name, "zoneID": zone_id} for name, zone_id in ZONES.items())
CLUSTER = LaunchSettings(cluster_name="demo", service_cidr="10.100.0.0/16", dns_ip="10.100.0.10")
CAPACITY_TYPE = "karpenter.sh/capacity-type"
ARCH = "kubernetes.io/arch"
GPUS = f"{AWS_GROUP}/instance-gpu-count"
ACCELERATORS = f"{AWS_GROUP}/instance-accelerator-count"


def said(key: str, *values: str, operator: str = "In", at_least: int | None = None) -> Expression:
    """Return a requirement."""
    return Expression(key, operator, values, at_least)


ON_DEMAND = said(CAPACITY_TYPE, "on-demand")
SPOT = said(CAPACITY_TYPE, "spot")
BOTH = said(CAPACITY_TYPE, "spot", "on-demand")
ANY = said(CAPACITY_TYPE, "spot", "on-demand", "reserved")


@dataclass(frozen=True)
class SomeClaim:
    """A NodeClaim."""

    requirements: tuple[Expression, ...] = ()
    requests: Mapping[str, int] = field(default_factory=lambda: amounts({"cpu": "1", "memory": "1Gi"}))
    labels: Mapping[str, str] = field(default_factory=lambda: {"karpenter.sh/nodepool": "web"})
    annotations: Mapping[str, str] = field(default_factory=dict)


def claim(*requirements: Expression, requests: Mapping[str, str] | None = None, **more: Any) -> SomeClaim:
    """Return a NodeClaim with requests as texts."""
    made = SomeClaim(requirements, **more)
    return made if requests is None else replace(made, requests=amounts(requests))


def image(name: str, *needs: tuple[str, str, tuple[str, ...]]) -> dict[str, Any]:
    """Return an image of a NodeClass' status."""
    return {"id": name, "name": name, "requirements": [{"key": k, "operator": o, "values": list(v)} for k, o, v in needs]}


IMAGES = (
    image("ami-amd", (ARCH, "In", ("amd64",)), (GPUS, "DoesNotExist", ()), (ACCELERATORS, "DoesNotExist", ())),
    image("ami-arm", (ARCH, "In", ("arm64",)), (GPUS, "DoesNotExist", ()), (ACCELERATORS, "DoesNotExist", ())),
    image("ami-gpu", (ARCH, "In", ("amd64",)), (GPUS, "Exists", ())),
)


def node_class(
    *, alias: str = "al2023@latest", status: Mapping[str, Any] | None = None, conditions: Sequence[Any] = (), **spec: Any
) -> EC2NodeClass:
    """Return an EC2NodeClass as a cluster has it; `status` replaces parts of what was resolved."""
    tags = [{"tags": {"karpenter.sh/discovery": "demo"}}]
    resolved = {
        "subnets": list(SUBNETS),
        "securityGroups": [{"id": "sg-1"}, {"id": "sg-2"}],
        "amis": list(IMAGES),
        "instanceProfile": "nodes",
        "conditions": list(conditions),
        **(status or {}),
    }
    return EC2NodeClass.from_manifest(
        {
            "apiVersion": "karpenter.k8s.aws/v1",
            "kind": "EC2NodeClass",
            "metadata": {"name": "default", "generation": 3},
            "spec": {
                "role": "node",
                "amiSelectorTerms": [{"alias": alias}],
                "subnetSelectorTerms": tags,
                "securityGroupSelectorTerms": tags,
                **spec,
            },
            "status": resolved,
        }
    )


def region(
    *names: str, on_demand: Mapping[str, float] | None = None, spot: Mapping[str, float | Mapping[str, float]] | None = None
) -> RegionCatalog:
    """us-west-2 with a few of its types in two zones; prices per type, spot also per zone."""
    whole = load("us-west-2")
    chosen = {name: whole.machines[name] for name in names}
    by_zone = {n: p if isinstance(p, Mapping) else dict.fromkeys(ZONES, p) for n, p in (spot or {}).items()}
    priced = {name: price.usd_per_hour for name in names if (price := whole.on_demand_price(name))} | (on_demand or {})
    return RegionCatalog(
        region=whole.region,
        zones=tuple(z for z in whole.zones if z.name in ZONES),
        machines=chosen,
        offered={name: tuple(sorted(ZONES)) for name in names},
        on_demand={name: Price(price, "test") for name, price in priced.items()},
        spot={name: {zone: Price(price, "test") for zone, price in of.items()} for name, of in by_zone.items()},
    )


def types(
    names: str, of: EC2NodeClass | None = None, observed: Observed | None = None, **prices: Any
) -> tuple[InstanceType, ...]:
    """Return the instance types of a NodeClass, of the named machines."""
    found = region(*names.split(), **prices)
    return instance_types(of or node_class(), found, AwsSettings(), observed=observed or Observed())


def sent(
    names: str,
    asked: SomeClaim,
    of: EC2NodeClass | None = None,
    settings: LaunchSettings = CLUSTER,
    observed: Observed | None = None,
    free: Mapping[str, int] | None = None,
    **prices: Any,
) -> FleetRequest:
    """Return the request for a claim on the named machines; the test fails when there is none."""
    found = tried(names, asked, of, settings, observed, free, **prices)
    assert isinstance(found, FleetRequest), found
    return found


def tried(
    names: str,
    asked: SomeClaim,
    of: EC2NodeClass | None = None,
    settings: LaunchSettings = CLUSTER,
    observed: Observed | None = None,
    free: Mapping[str, int] | None = None,
    **prices: Any,
) -> FleetRequest | Refusal:
    """Return the request for a claim on the named machines, or why there is none."""
    chosen = of or node_class()
    pool_types = types(names, chosen, observed, **prices)
    return launch(asked, chosen, pool_types, settings, observed=observed or Observed(), free_addresses=free or {})


def names_of(request: FleetRequest) -> set[str]:
    """Return the types that a request names."""
    return {pool.instance_type for pool in request.overrides}


def reservation(name: str, instance_type: str, zone: str = "us-west-2a", **more: Any) -> dict[str, Any]:
    """Return a capacity reservation of a NodeClass' status."""
    return {
        "id": name,
        "instanceType": instance_type,
        "availabilityZone": zone,
        "reservationType": "default",
        "interruptible": False,
        "state": "active",
        "ownerID": "111122223333",
        "instanceMatchCriteria": "targeted",
        **more,
    }


def reserving(*reservations: Mapping[str, Any], **spec: Any) -> EC2NodeClass:
    """Return a NodeClass with reservations."""
    return node_class(status={"capacityReservations": list(reservations)}, **spec)
