"""Which instance types EKS Auto Mode offers, under which labels and at which price."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import pytest

from cutlist import AutoNodeClass
from cutlist.catalog.embedded import load
from cutlist.catalog.prices import Price
from cutlist.core import labels
from cutlist.core.errors import InputError
from cutlist.core.labels import AUTO
from cutlist.core.requirements import Requirements
from cutlist.providers.eks_auto import ALLOWED, AutoSettings, built_in_pools, fee, instance_types, managed_class, refusal

CATALOG = load("us-west-2")
TYPES = {t.name: t for t in instance_types(managed_class(), CATALOG)}


@pytest.mark.parametrize("name", ["t3.micro", "t3.small", "t4g.nano", "m7a.medium", "m6g.medium"])
def test_small_types_are_not_offered(name: str) -> None:
    """Sizes nano, micro and small, and types with one vCPU, are not launched though the region sells them."""
    # V-114
    assert name in CATALOG.machines
    assert name not in TYPES


def test_types_are_of_the_listed_families() -> None:
    """c5.large is offered, nothing of a family outside the list is, and no type has a single vCPU."""
    # V-114
    assert "c5.large" in TYPES
    assert {name.partition(".")[0] for name in TYPES} <= ALLOWED.names
    assert "a1.large" in CATALOG.machines
    assert all(t.capacity["cpu"] >= 2 * 10**9 for t in TYPES.values())


@pytest.mark.parametrize(("name", "why"), [("t3.micro", "nano, micro and small"), ("a1.large", "family a1"), ("c5.large", "")])
def test_the_reason_is_reported(name: str, why: str) -> None:
    """A refusal names the size rule or the family, and is empty for what is offered."""
    assert why in refusal(name)
    assert bool(refusal(name)) is bool(why)


def test_labels_are_those_of_auto_mode() -> None:
    """Every key is Auto Mode's or shared; none belongs to self-managed Karpenter, and the tenancy has no key."""
    keys = {r.key for r in TYPES["c5a.large"].requirements.values()}
    assert not [key for key in keys if key.startswith("karpenter.k8s.aws")]
    assert f"{labels.AUTO_GROUP}/instance-tenancy" not in keys
    assert keys <= AUTO.well_known


def test_labels_of_the_observed_claim() -> None:
    """A c5a.large has the values that the published NodeClaim shows."""
    # K-151
    expected = {
        "eks.amazonaws.com/compute-type": "auto",
        "app.kubernetes.io/managed-by": "eks",
        "eks.amazonaws.com/instance-category": "c",
        "eks.amazonaws.com/instance-cpu": "2",
        "eks.amazonaws.com/instance-cpu-manufacturer": "amd",
        "eks.amazonaws.com/instance-cpu-sustained-clock-speed-mhz": "3300",
        "eks.amazonaws.com/instance-ebs-bandwidth": "3170",
        "eks.amazonaws.com/instance-encryption-in-transit-supported": "true",
        "eks.amazonaws.com/instance-family": "c5a",
        "eks.amazonaws.com/instance-generation": "5",
        "eks.amazonaws.com/instance-hypervisor": "nitro",
        "eks.amazonaws.com/instance-memory": "4096",
        "eks.amazonaws.com/instance-network-bandwidth": "750",
        "eks.amazonaws.com/instance-size": "large",
        "kubernetes.io/arch": "amd64",
        "kubernetes.io/os": "linux",
        "node.kubernetes.io/instance-type": "c5a.large",
    }
    found = TYPES["c5a.large"].requirements
    assert {key: found.get_or_any(key).values for key in expected} == {key: {value} for key, value in expected.items()}


def test_who_does_not_want_auto_mode_nodes() -> None:
    """An affinity that excludes compute-type auto matches no type, one that asks for it matches."""
    of_type = TYPES["c5a.large"].requirements
    assert of_type.compatible(Requirements.of_labels({labels.COMPUTE_TYPE: "auto"}, AUTO), AUTO.well_known)
    assert not of_type.compatible(Requirements.of_labels({labels.COMPUTE_TYPE: "hybrid"}, AUTO), AUTO.well_known)


def test_offerings_rank_by_the_price_of_ec2_and_cost_with_the_fee() -> None:
    """12% of the on-demand price on top, the same amount on spot, and called an estimate."""
    base = CATALOG.on_demand_price("c5a.large")
    assert base is not None
    for offering in TYPES["c5a.large"].offerings:
        assert offering.fee == pytest.approx(base.usd_per_hour * 0.12)
        assert offering.price is not None
        assert offering.cost == offering.price + offering.fee
        assert "estimate, 12%" in offering.basis.provenance
    on_demand = [o for o in TYPES["c5a.large"].offerings if o.capacity_type == "on-demand"]
    assert {o.price for o in on_demand} == {base.usd_per_hour}


@pytest.mark.parametrize(
    ("name", "share"),
    [
        *(("g6.xlarge", 0.078), ("gr6.4xlarge", 0.078), ("p4d.24xlarge", 0.048), ("trn1.2xlarge", 0.048)),
        *(("m7i.large", 0.12), ("c6g.large", 0.12), ("inf2.xlarge", 0.12)),
    ],
)
def test_the_fee_of_accelerated_families_is_a_smaller_share(name: str, share: float) -> None:
    """G and Gr families pay 7.8%, P and Trainium 4.8%, others with Inferentia 12%."""  # V-145
    base = CATALOG.on_demand_price(name)
    assert base is not None
    assert fee(name, CATALOG).per_hour == pytest.approx(base.usd_per_hour * share)


def test_the_observed_fees() -> None:
    """The shares give the fees of the price list: 0.01562 for m7i.large in Tokyo and 0.09104 for g6.xlarge there, and in Seoul
    0.09649 for g5.xlarge."""
    seoul = replace(load("ap-northeast-2"), on_demand={"g5.xlarge": Price(1.237, "x")})
    assert fee("g5.xlarge", seoul).per_hour == pytest.approx(0.09649, abs=1e-5)
    tokyo = replace(load("ap-northeast-1"), on_demand={"m7i.large": Price(0.1302, "x"), "g6.xlarge": Price(1.1672, "x")})
    assert fee("m7i.large", tokyo).per_hour == pytest.approx(0.01562, abs=1e-5)
    assert fee("g6.xlarge", tokyo).per_hour == pytest.approx(0.09104, abs=1e-5)


def test_a_fee_of_the_price_list_wins() -> None:
    """A figure that is given is used as it is, with its own source."""
    listed = MappingProxyType({"c5a.large": Price(0.009, "price list of EKS", "2026-10")})
    settings = AutoSettings(fees=listed)
    types = {t.name: t for t in instance_types(managed_class(), CATALOG, settings)}
    offering = types["c5a.large"].offerings[0]
    assert offering.fee == 0.009
    assert offering.basis.provenance.endswith("Auto Mode fee: price list of EKS, 2026-10")
    assert "estimate" not in offering.basis.provenance


def test_without_an_on_demand_price_the_fee_is_unknown() -> None:
    """Nothing is made up; the source says that the fee is missing."""
    nothing = replace(CATALOG, on_demand={})
    found = fee("c5a.large", nothing)
    assert (found.per_hour, "unknown" in found.source) == (0.0, True)


def test_zones_of_the_status_count() -> None:
    """Only zones with a subnet are open, under the names that the status gives."""
    manifest = managed_class().manifest()
    manifest["status"] = {"subnets": [{"id": "subnet-1", "zone": "us-west-2b", "zoneID": "usw2-az1"}]}
    (types,) = (instance_types(AutoNodeClass.from_manifest(manifest), CATALOG),)
    c5a = next(t for t in types if t.name == "c5a.large")
    assert {o.zone for o in c5a.offerings if o.available} == {"us-west-2b"}
    assert c5a.requirements.get_or_any(labels.ZONE_ID).values == {"usw2-az1"}


def test_an_unknown_zone() -> None:
    """A zone that the region does not have is refused."""
    with pytest.raises(InputError, match="us-west-2z"):
        instance_types(managed_class(), CATALOG, zones=["us-west-2z"])


def test_built_in_pools() -> None:
    """Both pools are as EKS makes them; `system` has one more architecture and a taint."""
    general, system = built_in_pools()
    assert (general.name, system.name) == ("general-purpose", "system")
    assert general.pool_labels == system.pool_labels == {"app.kubernetes.io/managed-by": "eks"}
    assert [str(t) for t in system.taints] == ["CriticalAddonsOnly:NoSchedule"]
    assert general.taints == ()
    differs = [(a, b) for a, b in zip(general.requirements, system.requirements, strict=True) if a != b]
    ((one, both),) = differs
    assert (one.key, one.values, both.values) == ("kubernetes.io/arch", ("amd64",), ("amd64", "arm64"))


def test_built_in_pools_can_be_switched() -> None:
    """Only those named are made, and a name that is none is refused with the nearest."""
    assert [p.name for p in built_in_pools(["system"])] == ["system"]
    assert built_in_pools([]) == ()
    with pytest.raises(InputError, match=r"'sytem' .* did you mean system\?"):
        built_in_pools(["sytem"])
