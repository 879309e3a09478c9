"""A plan and a table of instance types put together by hand, with everything in them that a view has to show."""

from __future__ import annotations

from dataclasses import replace

from cutlist.catalog.prices import Price
from cutlist.core.notes import Note
from cutlist.core.quantity import amounts, nanos
from cutlist.core.requirement import Expression
from cutlist.planning.model import (
    DETERMINED,
    LOWEST_PRICE,
    UNKNOWN_PRICE,
    CandidateType,
    Launch,
    LaunchTemplate,
    LeftOut,
    Override,
    PendingPods,
    Plan,
    PlannedNode,
    PodShare,
    PoolTypes,
    TypeRow,
)

ZONES = ("us-west-2a", "us-west-2b", "us-west-2c")
PRICE_LIST = "AWS price list 2026-02-17"
DISK_LIST = "EBS price page, 2024-07-18"
SPOT_ESTIMATE = "spot estimate June 2025"


def _candidates(*prices: tuple[str, float | None], capacity_type: str, zones: tuple[str, ...]) -> tuple[CandidateType, ...]:
    estimated = capacity_type == "spot"
    return tuple(
        CandidateType(name, None if price is None else Price(price, "", estimated=estimated), capacity_type, zones)
        for name, price in prices
    )


SPOT = PlannedNode(
    node_pool="general",
    count=2,
    instance_type="m7g.large",
    certainty=LOWEST_PRICE,
    capacity_type="spot",
    capacity_types=("spot", "on-demand"),
    zones=ZONES,
    price=Price(0.0312, SPOT_ESTIMATE, estimated=True, low=0.0156, high=0.0624),
    requests=amounts({"cpu": "1580m", "memory": "4400Mi", "pods": "9"}),
    allocatable=amounts({"cpu": "1930m", "memory": "6903Mi", "pods": "29"}),
    pods=(PodShare("deployment/web", 4), PodShare("shop/deployment/api", 2)),
    candidates=_candidates(
        ("m7g.large", 0.0312), ("m6g.large", 0.0313), ("m7g.xlarge", 0.0641), capacity_type="spot", zones=ZONES
    ),
    requirements=(Expression("karpenter.sh/capacity-type", "In", ("on-demand", "spot")),),
    disk_price=Price.of_provenance(0.0, DISK_LIST),
)
ON_DEMAND = PlannedNode(
    node_pool="general",
    count=1,
    instance_type="c7g.xlarge",
    certainty=DETERMINED,
    capacity_type="on-demand",
    capacity_types=("on-demand",),
    zones=("us-west-2b",),
    price=Price(0.145, PRICE_LIST),
    requests=amounts({"cpu": "3900m", "memory": "2400Mi", "pods": "4"}),
    allocatable=amounts({"cpu": "3920m", "memory": "6603Mi", "pods": "58"}),
    pods=(PodShare("statefulset/database", 1),),
    candidates=_candidates(("c7g.xlarge", 0.145), capacity_type="on-demand", zones=("us-west-2b",)),
    requirements=(Expression("node.kubernetes.io/instance-type", "In", ("c7g.xlarge",), 1),),
    disk_price=Price.of_provenance(0.0, DISK_LIST),
)
UNPRICED = PlannedNode(
    node_pool="training",
    count=1,
    instance_type="p5.48xlarge",
    certainty=UNKNOWN_PRICE,
    capacity_type="on-demand",
    capacity_types=("on-demand",),
    zones=("us-west-2b",),
    price=None,
    requests=amounts({"cpu": "90", "memory": "1200Gi", "nvidia.com/gpu": "8"}),
    allocatable=amounts({"cpu": "191450m", "memory": "1990Gi", "nvidia.com/gpu": "8"}),
    pods=(PodShare("ml/job/train", 8),),
    candidates=_candidates(("p5.48xlarge", None), capacity_type="on-demand", zones=("us-west-2b",)),
    requirements=(),
)
PLAN = Plan(
    region="us-west-2",
    nodes=(SPOT, ON_DEMAND, UNPRICED),
    pending=(
        PendingPods(
            "deployment/trainer",
            2,
            "No NodePool offers nvidia.com/mig-1g.5gb; the nearest resource that one offers is nvidia.com/gpu.",
            (
                ("general", "no instance type has nvidia.com/mig-1g.5gb"),
                ("training", "does not tolerate taint nvidia.com/gpu=true:NoSchedule"),
            ),
        ),
    ),
    assumptions=(
        Note("spot-price-estimated", "Spot prices change by the hour; those of June 2025 stand for them."),
        Note("no-existing-nodes", "No nodes were given, so every pod goes to a new node. Add those of the cluster with -f."),
    ),
    warnings=(
        Note("not-understood", "Rollout shop/checkout (app.yaml:12) places pods by other means; it is not in this plan."),
    ),
)


def _template(pods: int, *pools: tuple[str, str, float], image: str = "ami-1", reservation: str = "") -> LaunchTemplate:
    found = tuple(Override(name, f"us-west-2{zone}", f"subnet-{zone}", price) for name, zone, price in pools)
    return LaunchTemplate(image, pods, 0, reservation, found)


LAUNCHES = (
    Launch(
        "general",
        "default",
        "spot",
        "spot",
        "price-capacity-optimized",
        "default",
        tags={"eks:eks-cluster-name": "<cluster>"},
        templates=(
            _template(29, ("m7g.large", "a", 0.0312), ("m6g.large", "b", 0.0313), ("m6a.large", "b", 0.0333)),
            _template(58, ("m7g.xlarge", "a", 0.0641)),
        ),
        left_out=(
            LeftOut("exotic", "bare metal or with accelerators", ("g5g.xlarge", "m7g.metal")),
            LeftOut("cap", "beyond the 60 cheapest", ("m7g.16xlarge",)),
        ),
    ),
    Launch(
        "general",
        "default",
        "on-demand",
        "on-demand",
        "lowest-price",
        "default",
        templates=(_template(58, ("c7g.xlarge", "b", 0.145), ("c7gd.xlarge", "b", 0.18)),),
    ),
    Launch("training", "gpu", refusal="no security groups are present in the status of the NodeClass"),
)
LAUNCHED = replace(
    PLAN, nodes=tuple(replace(n, launch=i) for i, n in enumerate((SPOT, ON_DEMAND, UNPRICED))), launches=LAUNCHES
)


def _type(
    name: str, cpu: str, memory: str, usable: tuple[str, str, str], on_demand: float | None, spot: float | None
) -> TypeRow:
    return TypeRow(
        name=name,
        cpu=nanos(cpu),
        memory=nanos(memory),
        allocatable=amounts(dict(zip(("cpu", "memory", "pods"), usable, strict=True))),
        zones=ZONES,
        on_demand=None if on_demand is None else Price(on_demand, PRICE_LIST),
        spot=None if spot is None else Price(spot, SPOT_ESTIMATE, estimated=True),
    )


TYPES = (
    PoolTypes(
        "general",
        (
            _type("c7g.medium", "1", "2Gi", ("940m", "1323Mi", "8"), 0.0363, 0.0148),
            _type("m7g.large", "2", "8Gi", ("1930m", "6903Mi", "29"), 0.0816, 0.0312),
            _type("m7g.metal", "64", "256Gi", ("63770m", "233962Mi", "737"), 2.6112, None),
            _type("u7in-32tb.224xlarge", "896", "32Ti", ("895770m", "31064Gi", "737"), None, None),
        ),
        642,
    ),
    PoolTypes("nothing", (), 0),
)
