"""The fleet request: capacity type, subnets, images, templates, strategy, tags (spec: AWS 5.4 to 5.6, 6)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist.core.labels import AWS_GROUP
from cutlist.providers.aws import Observed, PlacementGroup
from cutlist.providers.aws.launch.claim import Refusal, RefusalKind
from cutlist.providers.aws.launch.request import launch
from tests.unit.providers.aws.launches import (
    ANY,
    BOTH,
    CLUSTER,
    IMAGES,
    ON_DEMAND,
    SPOT,
    SUBNETS,
    claim,
    names_of,
    node_class,
    reservation,
    reserving,
    said,
    sent,
    tried,
    types,
)

SPOT_PRICES = {"spot": {"c5.large": 0.03, "m5.large": 0.04, "c6g.large": 0.03, "c5.xlarge": 0.06}}


def refused(found: object) -> tuple[RefusalKind, str]:
    assert isinstance(found, Refusal)
    return found.kind, found.reason


def test_without_a_capacity_type_all_are_allowed():
    """A claim that says nothing gets spot."""
    assert sent("c5.large", claim(), **SPOT_PRICES).capacity_type == "spot"


@pytest.mark.parametrize(
    ("wanted", "on_demand", "spot"),
    [(ON_DEMAND, "lowest-price", ""), (SPOT, "", "price-capacity-optimized")],
)
def test_allocation_strategy(wanted, on_demand, spot):
    """On demand the lowest price counts, for spot price and capacity."""
    request = sent("c5.large", claim(wanted), **SPOT_PRICES)
    assert (request.on_demand_allocation, request.spot_allocation) == (on_demand, spot)


@pytest.mark.parametrize(
    ("wanted", "on_demand", "spot"),
    [(ON_DEMAND, "prioritized", ""), (SPOT, "", "capacity-optimized-prioritized")],
)
def test_prices_of_overlays_become_priorities(wanted, on_demand, spot):
    """Where a node overlay set a price, EC2 has to follow it."""
    overlaid = claim(wanted, annotations={"karpenter.sh/price-overlay-applied": "true"})
    request = sent("c5.large", overlaid, **SPOT_PRICES)
    assert (request.on_demand_allocation, request.spot_allocation) == (on_demand, spot)


def test_one_subnet_a_zone_with_most_free_addresses():
    """Equal counts go by the order of the status, and an empty subnet is used anyway."""
    more = ({"id": "subnet-a2", "zone": "us-west-2a", "zoneID": "usw2-az2"}, *SUBNETS)
    chosen = node_class(status={"subnets": list(more)})

    def subnet_in_a(free: dict[str, int]) -> str:
        request = sent("m5.large", claim(ON_DEMAND), chosen, free=free)
        return next(o.subnet_id for o in request.overrides if o.zone == "us-west-2a")

    assert subnet_in_a({"subnet-a": 100, "subnet-a2": 10}) == "subnet-a"
    assert subnet_in_a({"subnet-a": 10, "subnet-a2": 10}) == "subnet-a2"
    assert subnet_in_a({}) == "subnet-a2"


@pytest.mark.parametrize(
    ("requirement", "expected"),
    [
        (None, "default"),
        (said(f"{AWS_GROUP}/instance-tenancy", "default", "dedicated"), "default"),
        (said(f"{AWS_GROUP}/instance-tenancy", "dedicated"), "dedicated"),
        (said(f"{AWS_GROUP}/instance-tenancy", "default", operator="NotIn"), "dedicated"),
    ],
)
def test_tenancy(requirement, expected):
    """Default unless the claim excludes it."""
    node_claim = claim(ON_DEMAND, *([requirement] if requirement else []))
    assert sent("m5.large", node_claim).tenancy == expected


def test_types_without_an_image_are_left_out():
    """An arm64 type does not start from amd64 images, and the others go on without it."""
    amd_only = node_class(status={"amis": [IMAGES[0]]})
    assert names_of(sent("c5.large c6g.large", claim(ON_DEMAND), amd_only)) == {"c5.large"}
    assert refused(tried("c6g.large", claim(ON_DEMAND), amd_only)) == (RefusalKind.CREATE, "LaunchFailed")


def test_the_first_image_that_fits_is_used():
    """The order of the status decides."""
    fits_too = {"id": "ami-newer", "requirements": [{"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]}]}
    request = sent("c5.large", claim(ON_DEMAND), node_class(status={"amis": [fits_too, *IMAGES]}))
    assert {o.image_id for o in request.overrides} == {"ami-newer"}


def test_no_images_at_all():
    """A resolved NodeClass without images launches nothing."""
    assert refused(tried("c5.large", claim(ON_DEMAND), node_class(status={"amis": []}))) == (
        RefusalKind.CREATE,
        "LaunchFailed",
    )


def test_types_with_different_pod_counts_use_different_templates():
    """The number of pods is given to the kubelet in user data; a fixed number needs one template an image."""
    names = "c5.large m5.large c5.xlarge c6g.large"
    by_pods = {(t.image_id, t.pods) for t in sent(names, claim(ON_DEMAND)).templates}
    assert by_pods == {("ami-amd", 29), ("ami-amd", 58), ("ami-arm", 29)}
    fixed = sent(names, claim(ON_DEMAND), node_class(kubelet={"maxPods": 50}))
    assert {(t.image_id, t.pods) for t in fixed.templates} == {("ami-amd", 50), ("ami-arm", 50)}


def test_each_reservation_has_its_template_with_its_pool_only():
    """The reservation is named in the template."""
    two = reserving(reservation("cr-a", "m5.large"), reservation("cr-b", "m5.large", "us-west-2b"))
    request = sent("m5.large", claim(ANY), two, observed=Observed(reservations_remaining={"cr-a": 1, "cr-b": 1}))
    pools = {t.reservation.id: [o.zone for o in t.overrides] for t in request.templates if t.reservation}
    assert pools == {"cr-a": ["us-west-2a"], "cr-b": ["us-west-2b"]}


def test_partitions_of_a_group_are_one_pool():
    """The partition is set in the template, so overrides name type and zone once."""
    group = PlacementGroup("pg-1", "team", "partition", 3)
    chosen = node_class(placementGroupSelector={"name": "team"})
    request = sent("m5.large", claim(ON_DEMAND), chosen, observed=Observed(placement_groups=(group,)))
    assert len(request.overrides) == 2
    assert request.partition == 0
    named = claim(ON_DEMAND, said(f"{AWS_GROUP}/placement-group-partition", "2", "3"))
    assert sent("m5.large", named, chosen, observed=Observed(placement_groups=(group,))).partition == 2


def test_tags_of_karpenter_lie_over_those_of_the_node_class():
    """Instances, volumes and the fleet are known by them."""
    request = sent("m5.large", claim(ON_DEMAND), node_class(tags={"team": "a", "Name": "x"}))
    assert request.tags == {
        "team": "a",
        "Name": "x",
        "kubernetes.io/cluster/demo": "owned",
        "karpenter.sh/nodepool": "web",
        "eks:eks-cluster-name": "demo",
        "karpenter.k8s.aws/ec2nodeclass": "default",
    }


def test_context_is_dropped_with_relaxed_min_values():
    """It comes from the NodeClass otherwise."""
    with_context = node_class(context="ctx-1")
    assert sent("m5.large", claim(ON_DEMAND), with_context).context == "ctx-1"
    relaxed = claim(ON_DEMAND, annotations={"karpenter.sh/nodeclaim-min-values-relaxed": "true"})
    assert sent("m5.large", relaxed, with_context).context == ""


@pytest.mark.parametrize(
    ("status", "generation", "expected"),
    [
        ("False", 3, (RefusalKind.NODE_CLASS_NOT_READY, "")),
        ("Unknown", 3, (RefusalKind.CREATE, "NodeClassReadinessUnknown")),
        ("True", 2, (RefusalKind.NODE_CLASS_NOT_READY, "")),
    ],
)
def test_an_unready_node_class_launches_nothing(status, generation, expected):
    """Ready must be true and of the present generation."""
    condition = {"type": "Ready", "status": status, "message": "m", "observedGeneration": generation}
    assert refused(tried("m5.large", claim(ON_DEMAND), node_class(conditions=[condition]))) == expected


def test_a_ready_node_class_launches():
    """Ready of the present generation is no hindrance."""
    condition = {"type": "Ready", "status": "True", "observedGeneration": 3}
    assert names_of(sent("m5.large", claim(ON_DEMAND), node_class(conditions=[condition]))) == {"m5.large"}


def test_al2023_needs_the_service_network():
    """Its nodes are reported; those of Bottlerocket are not."""
    unknown = replace(CLUSTER, service_cidr="")
    assert refused(tried("m5.large", claim(ON_DEMAND), settings=unknown)) == (RefusalKind.NODE_CLASS_NOT_READY, "")
    assert sent("m5.large", claim(ON_DEMAND), node_class(alias="bottlerocket@latest"), unknown)


def test_a_node_class_that_no_cluster_has_seen():
    """Subnets, images and security groups are assumed to exist; images go by the name of the alias."""
    unseen = node_class(status={"subnets": [], "amis": [], "securityGroups": []})
    found = launch(claim(BOTH), unseen, types("m5.large c6g.large"), CLUSTER, zones=("us-west-2a", "us-west-2b"))
    assert not isinstance(found, Refusal)
    assert {(o.zone, o.subnet_id) for o in found.overrides} == {
        ("us-west-2a", "subnet in us-west-2a"),
        ("us-west-2b", "subnet in us-west-2b"),
    }
    assert {t.image_id for t in found.templates} == {"al2023@latest (standard, amd64)", "al2023@latest (standard, arm64)"}


def test_without_subnets_there_is_no_request():
    """A NodeClass that selects no subnet launches nothing."""
    none = node_class(status={"subnets": []})
    assert refused(tried("m5.large", claim(ON_DEMAND), none)) == (RefusalKind.CREATE, "InstanceTypeResolutionFailed")


def test_the_request_as_data():
    """What does not apply is left out."""
    shown = sent("c5.large m5.large", claim(SPOT), **SPOT_PRICES).to_dict()
    assert shown["spotAllocationStrategy"] == "price-capacity-optimized"
    assert shown["totalTargetCapacity"] == 1
    assert "onDemandAllocationStrategy" not in shown
    assert "context" not in shown
    (template,) = shown["launchTemplateConfigs"]
    assert template["imageID"] == "ami-amd"
    assert template["pods"] == 29
    assert template["overrides"][0] == {
        "instanceType": "c5.large",
        "zone": "us-west-2a",
        "subnetID": "subnet-a",
        "priority": 0.03,
    }
