"""The fleet requests of a plan: one for all nodes that would send the same, with what EC2 makes of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from cutlist.catalog.prices import usd
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Launch, Plan
from cutlist.planning.read_inputs import read_inputs
from cutlist.providers.eks_auto import built_in_pools
from cutlist.verbs.plan.answer import plan, with_launches
from tests.unit.planning.manifests import ON_DEMAND, TYPES, deployment, inputs_of, pool

ZONES = ("us-west-2a", "us-west-2b")
ONLY_M5 = f"[{ON_DEMAND}, {TYPES.format('m5.large, m5.xlarge, m5.2xlarge')}]"
SPOT = "{key: karpenter.sh/capacity-type, operator: In, values: [spot]}"


def launched(*documents: str) -> Plan:
    inputs = inputs_of(*documents, zones=ZONES)
    return with_launches(plan(inputs), inputs)


def only_launch(*documents: str) -> Launch:
    (launch,) = launched(*documents).launches
    return launch


def left_out(launch: Launch) -> dict[str, tuple[str, ...]]:
    return {found.code: found.instance_types for found in launch.left_out}


def test_an_on_demand_node_is_asked_for_with_every_type_that_holds_it() -> None:
    """Types that hold the pods, in each zone with a subnet, the price as priority; EC2 takes the cheapest."""
    # A-57 A-61 K-64
    launch = only_launch(pool(requirements=ONLY_M5), deployment(cpu="3"))
    assert (launch.capacity_type, launch.allocation_strategy, launch.tenancy) == ("on-demand", "lowest-price", "default")
    pools = [(o.instance_type, o.zone, o.priority) for o in launch.overrides]
    assert pools == [(name, zone, price) for name, price in (("m5.xlarge", 0.192), ("m5.2xlarge", 0.384)) for zone in ZONES]
    assert (launch.outcome, launch.is_determined) == (("m5.xlarge",), True)


def test_templates_part_types_by_their_number_of_pods() -> None:
    """m5.xlarge and m5.2xlarge take 58 pods, m5.large 29: two launch templates of the one image."""
    #
    launch = only_launch(pool(requirements=ONLY_M5), deployment(cpu="1"))
    assert [t.pods for t in launch.templates] == [29, 58]
    assert {t.image for t in launch.templates} == {"al2023@v20260625 (standard, amd64)"}


def test_a_spot_node_says_what_may_come_and_what_stays_out() -> None:
    """At most 60 types are sent; types with accelerators and those beyond the cap are named with the reason."""
    # A-52 A-53 A-57 A-61 K-153 K-158
    made = launched(pool(requirements=f"[{SPOT}]"), deployment())
    (launch,), (node,) = made.launches, made.nodes
    assert (launch.allocation_strategy, len(launch.instance_types)) == ("price-capacity-optimized", 60)
    assert launch.outcome == launch.instance_types
    assert not launch.is_determined
    lowest, highest = launch.price_range
    assert lowest == node.price.usd_per_hour < highest
    assert "g4dn.xlarge" in left_out(launch)["exotic"]
    everything = {name for names in left_out(launch).values() for name in names} | set(launch.instance_types)
    assert everything == {c.instance_type for c in node.candidates}


def test_spot_more_expensive_than_on_demand_stays_out() -> None:
    """A pool that allows both asks for no spot that costs more than the cheapest on-demand type."""
    # A-54 A-55
    launch = only_launch(pool(), deployment())
    assert launch.capacity_type == "spot"
    inputs = inputs_of(pool(requirements=f"[{ON_DEMAND}]"), deployment(), zones=ZONES)
    assert launch.price_range[1] <= usd(plan(inputs).nodes[0].price)


def test_types_without_an_image_stay_out() -> None:
    """The images of alias al2 for GPUs are amd64 alone, so a request names no g5g."""
    #
    wanted = "{key: karpenter.k8s.aws/instance-family, operator: In, values: [g5g, g4dn]}"
    documents = (pool(requirements=f"[{ON_DEMAND}, {wanted}]"), deployment(cpu="3"))
    inputs = inputs_of(*documents, zones=ZONES)
    (given,) = inputs.node_classes
    spec = {**given.manifest()["spec"], "amiSelectorTerms": [{"alias": "al2@latest"}]}
    al2 = replace(inputs, node_classes=(type(given).from_manifest({**given.manifest(), "spec": spec}),))
    planned = with_launches(plan(al2), al2)
    (launch,), (node,) = planned.launches, planned.nodes
    assert all(name.startswith("g5g.") for name in left_out(launch)["image"])
    assert {name.partition(".")[0] for name in launch.instance_types} == {"g4dn"}
    assert node.instance_type == "g4dn.xlarge"


def test_a_node_class_that_a_cluster_resolved_gives_subnets_and_images() -> None:
    """With a status the request has the ids that will be in it."""
    inputs = inputs_of(pool(requirements=ONLY_M5), deployment(cpu="3"))
    (given,) = inputs.node_classes
    status = {
        "subnets": [{"id": "subnet-1", "zone": "us-west-2a", "zoneID": "usw2-az2"}],
        "securityGroups": [{"id": "sg-1"}],
        "amis": [{"id": "ami-1", "requirements": [{"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]}]}],
        "instanceProfile": "nodes",
    }
    resolved = replace(inputs, node_classes=(type(given).from_manifest({**given.manifest(), "status": status}),))
    (launch,) = with_launches(plan(resolved), resolved).launches
    assert {(o.zone, o.subnet_id) for o in launch.overrides} == {("us-west-2a", "subnet-1")}
    assert [t.image for t in launch.templates] == ["ami-1"]


def with_status(**status: object) -> PlanInputs:
    inputs = inputs_of(pool(requirements=ONLY_M5), deployment())
    (given,) = inputs.node_classes
    full = {"subnets": [{"id": "subnet-1", "zone": "us-west-2a", "zoneID": "usw2-az2"}], **status}
    return replace(inputs, node_classes=(type(given).from_manifest({**given.manifest(), "status": full}),))


def test_a_launch_that_fails_says_why() -> None:
    """A NodeClass for which a controller found no image launches nothing, and the launch has Karpenter's words."""
    ready = {"type": "Ready", "status": "True", "reason": "Ready", "lastTransitionTime": "2026-01-01T00:00:00Z"}
    inputs = with_status(securityGroups=[{"id": "sg-1"}], conditions=[ready])
    (launch,) = with_launches(plan(inputs), inputs).launches
    assert (launch.refusal, launch.overrides) == ("no amis exist given constraints", ())
    assert (launch.outcome, launch.price_range) == ((), None)


def test_a_status_of_subnets_alone_is_no_failure() -> None:
    """`catalog resolve` looks subnets up and no images: these are expected by their alias."""
    inputs = with_status()
    (launch,) = with_launches(plan(inputs), inputs).launches
    assert not launch.refusal
    assert {o.subnet_id for o in launch.overrides} == {"subnet-1"}
    assert {t.image for t in launch.templates} == {"al2023@v20260625 (standard, amd64)"}


def test_nodes_that_ask_for_the_same_share_a_launch() -> None:
    """Nodes with other pods and the same claim point at one launch; those of another NodePool at another."""
    other = pool("other", f"[{ON_DEMAND}, {TYPES.format('c5.large')}]", "taints: [{key: other, effect: NoSchedule}]")
    tolerant = "tolerations: [{key: other, operator: Exists}]\n      nodeSelector: {karpenter.sh/nodepool: other}"
    web, job = deployment(replicas=7), deployment("job", cpu="1500m", extra=tolerant)
    made = launched(pool(requirements=f"[{ON_DEMAND}, {TYPES.format('m5.xlarge')}]"), other, web, job)
    assert [(n.node_pool, n.launch) for n in made.nodes] == [("general", 0), ("general", 0), ("other", 1)]
    assert [launch.node_pool for launch in made.launches] == ["general", "other"]


def test_tags_of_a_launch_are_those_of_today() -> None:
    """The tags by which Karpenter knows its own; keys of old versions are removed."""
    # A-65 K-27
    tags = only_launch(pool(requirements=ONLY_M5), deployment()).tags
    assert tags == {
        "eks:eks-cluster-name": "<cluster>",
        "karpenter.k8s.aws/ec2nodeclass": "default",
        "karpenter.sh/nodepool": "general",
        "kubernetes.io/cluster/<cluster>": "owned",
    }


def test_what_auto_mode_asks_for_is_not_published() -> None:
    """Nodes of EKS Auto Mode have no launch, and the plan says why."""
    inputs = replace(inputs_of(pool(), deployment()), node_pools=built_in_pools(["general-purpose"]), node_classes=())
    planned = with_launches(plan(inputs), inputs)
    assert planned.launches == ()
    assert [n.launch for n in planned.nodes] == [None]
    assert "launch-not-published" in {note.code for note in planned.assumptions}


def test_a_plan_that_nobody_asked_launches_of_has_none() -> None:
    """Launches are worked out on demand and change nothing else of the plan."""
    inputs = inputs_of(pool(requirements=ONLY_M5), deployment(replicas=3), zones=ZONES)
    planned = plan(inputs)
    assert planned.launches == ()
    assert [n.launch for n in planned.nodes] == [None]
    launched_nodes = with_launches(planned, inputs)
    assert replace(launched_nodes, nodes=tuple(replace(n, launch=None) for n in launched_nodes.nodes), launches=()) == planned


def test_nodes_and_launches_say_the_same() -> None:
    """Of the dev stack's nodes each is of the type, capacity type, price and zones that its launch leads with."""
    folder = Path(__file__).resolve().parents[3] / "stacks/dev"
    inputs = read_inputs([folder, folder / "workloads"], region="us-west-2")
    planned = with_launches(plan(inputs), inputs)
    assert len(planned.nodes) > 4
    for node in planned.nodes:
        launch = planned.launches[node.launch]
        first = launch.overrides[0]
        assert (first.instance_type, launch.capacity_type, first.priority) == (
            node.instance_type,
            node.capacity_type,
            usd(node.price),
        )
        assert {o.zone for o in launch.overrides if o.instance_type == node.instance_type} == set(node.zones)
