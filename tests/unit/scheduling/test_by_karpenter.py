"""What a pass decides by its Karpenter: each behaviour beside what was before it (spec: karpenter-1.15, 1.1 to 1.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from cutlist import NodePool
from cutlist.core.karpenter.baselines import Baseline, baseline_of
from cutlist.core.labels import CAPACITY_TYPE, INSTANCE_TYPE, ZONE
from cutlist.core.quantity import amounts
from cutlist.core.requirement import Expression
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.scheduling.inputs import SchedulerInputs, SchedulerOptions
from cutlist.scheduling.instancetypes import InstanceTypeIndex
from cutlist.scheduling.nodeoverlays import NodeOverlay, overlay
from cutlist.scheduling.provisioner import prepare
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.refusals import NoReservation, OnlyFullReservations, ReservationShortage, TooManyVolumes
from cutlist.scheduling.requirement_space import RequirementSpace
from cutlist.scheduling.reservationmanager import ReservationManager, ReservedOfferingMode
from cutlist.scheduling.results import Results
from cutlist.state.scheduling_node import SchedulingNode
from cutlist.state.volumes import PodVolumes
from cutlist.workloads.pods import Pod
from tests.one_pass import schedule
from tests.unit.scheduling.builders import FOUR, TWO, counts, machine, names, pod, pool, term
from tests.unit.scheduling.test_reservationmanager import KNOWN, reserved

EBS = "ebs.csi.aws.com"


def karpenter(minor: int) -> Baseline:
    """The baseline of a minor of Karpenter 1."""
    baseline = baseline_of(f"1.{minor}")
    assert baseline is not None
    return baseline


OLD, NEW = karpenter(14), karpenter(15)
FULL = reserved("full", 4, "res-full", 0)
FULL_ONLY = replace(FULL, offerings=FULL.offerings[-1:])
STRICT_ZONES = pool("default", requirements=[Expression(ZONE, "Exists", (), 2)])


def run(
    baseline: Baseline,
    *pods: Pod,
    types: Sequence[InstanceType] = (TWO, FOUR),
    pools: Sequence[NodePool] = (),
    volumes: Mapping[int, PodVolumes] | None = None,
    nodes: Sequence[SchedulingNode] = (),
    own_types: Mapping[str, Sequence[InstanceType]] | None = None,
    moving: frozenset[int] = frozenset(),
    mode: ReservedOfferingMode = ReservedOfferingMode.STRICT,
    strict: bool = True,
) -> Results:
    """A pass under a Karpenter."""
    node_pools = pools or [pool()]
    options = SchedulerOptions(karpenter=baseline, reserved_mode=mode, strict_min_values=strict)
    return schedule(
        SchedulerInputs(
            pools=node_pools,
            types={p.name: types for p in node_pools} | dict(own_types or {}),
            batches=[PodBatch(f"b{n}", each, uid=f"{n:04d}") for n, each in enumerate(pods)],
            registry=KNOWN,
            volumes=volumes or {},
            nodes=nodes,
            moving=moving,
            options=options,
        )
    )


def refusals(result: Results) -> list[object]:
    """All refusals of pods that stay pending."""
    return [refusal for unplaced in result.unplaced for _, refusal in unplaced.refusals]


# --- minValues


def test_min_values_count_only_what_the_claim_allows() -> None:
    """A pod for one zone leaves a claim with one zone, however many its types know."""
    # V15-1
    asks = pod(node_selector={ZONE: "zone-a"})
    assert counts(run(OLD, asks, pools=[STRICT_ZONES])) == [1]
    assert counts(run(NEW, asks, pools=[STRICT_ZONES])) == []
    patch = baseline_of("1.14.3")
    assert patch is not None
    assert counts(run(patch, asks, pools=[STRICT_ZONES])) == []


def test_relaxed_min_values_fall_to_what_the_claim_allows() -> None:
    """Under BestEffort the claim asks for the one zone that is left."""
    # V15-1
    (claim,) = run(NEW, pod(node_selector={ZONE: "zone-a"}), pools=[STRICT_ZONES], strict=False).claims
    assert claim.requirements[ZONE].min_values == 1
    assert claim.min_values_relaxed


# --- overrides of offerings


def with_override(capacity: Mapping[str, str], overhead: Mapping[str, str]) -> InstanceType:
    """A machine of 4 cores whose offerings have overrides."""
    plain = machine("four", 4, overhead={"cpu": "1"})
    overrides = {"capacity_override": amounts(capacity), "overhead_override": amounts(overhead)}
    return replace(plain, offerings=tuple(o._replace(**overrides) for o in plain.offerings))


def test_overrides_of_an_offering_replace_amounts() -> None:
    """Before they were added: 4 and 2 cores were 6, less an overhead of 1 and 3."""
    # V15-2
    four = with_override({"cpu": "2"}, {"cpu": "500m"})
    (offering, *_) = four.offerings
    assert four.allocatable(offering)["cpu"] == 4_500_000_000
    assert four.allocatable(offering, overrides_replace=True)["cpu"] == 1_500_000_000
    assert [counts(run(baseline, pod("2"), types=[four])) for baseline in (OLD, NEW)] == [[1], []]


# --- full reservations


def test_a_full_reservation_is_not_launchable() -> None:
    """Other offerings are as long as they are available."""
    # V15-3
    taken, free = FULL.offerings[-1], FULL.offerings[0]
    assert (taken.available, taken.launchable, free.launchable) == (True, False, True)
    assert not Offering(free.requirements, 1.0, available=False).launchable


def test_a_full_reservation_has_no_price() -> None:
    """Before, it made its type the cheapest."""
    # V15-4
    space = RequirementSpace(KNOWN.well_known)
    for baseline, price in ((OLD, 0.004), (NEW, 4.0)):
        index = InstanceTypeIndex((FULL,), KNOWN.well_known, baseline)
        assert index.prices(space.sets[0]) == {0: price}
        assert index.worst_prices(space.sets[0]) == {0: price}


def test_a_type_whose_only_offering_is_full_stays_without_a_price() -> None:
    """It comes last; what a claim lists asks for available offerings, not for launchable ones."""
    # V15-5, V15-6
    (claim,) = run(NEW, pod(), types=[FULL_ONLY, TWO, FOUR]).claims
    assert names(claim) == ["two", "four", "full"]
    assert claim.candidates.prices[-1] is None


def test_a_pod_goes_on_without_a_full_reservation() -> None:
    """Where something else can be bought; before, it waited."""
    # V15-7
    assert refusals(run(OLD, pod("3"), types=[FULL])) == [NoReservation(ReservationShortage.TAKEN)]
    assert counts(run(NEW, pod("3"), types=[FULL])) == [1]


def test_a_pod_waits_where_all_is_full() -> None:
    """Also for NodePools of less weight."""
    # V15-8
    pools = [pool("heavy", weight=10), pool("light")]
    result = run(NEW, pod("3"), pools=pools, own_types={"heavy": [FULL_ONLY], "light": [FOUR]})
    assert refusals(result) == [NoReservation(ReservationShortage.FULL)]
    assert str(ReservationShortage.FULL).startswith("all compatible reserved offerings are full")


def test_a_simulation_goes_on_to_the_next_pool_where_all_is_full() -> None:
    """With a plain error, which does not keep the pod from anything."""
    # V15-9
    pools = [pool("heavy", weight=10), pool("light")]
    only = partial(run, NEW, pod("3"), mode=ReservedOfferingMode.FALLBACK)
    assert [c.node_pool for c in only(pools=pools, own_types={"heavy": [FULL_ONLY], "light": [FOUR]}).claims] == ["light"]
    assert refusals(only(types=[FULL_ONLY])) == [OnlyFullReservations()]


def test_a_claim_that_would_lose_all_its_reservations_takes_no_such_pod() -> None:
    """As before; that is tested after what is full."""
    # V15-10
    held = reserved("small", 4, "res-small", 1)
    asks = pod("1", "2Gi"), pod("1", node_selector={CAPACITY_TYPE: "on-demand"})
    assert counts(run(NEW, *asks, types=[held])) == [1, 1]


def test_a_credit_opens_a_full_reservation() -> None:
    """And adds to its count; one for a reservation that no type has adds nothing."""
    # V15-27
    index = InstanceTypeIndex((FULL_ONLY,), KNOWN.well_known, NEW)
    manager = ReservationManager([index], KNOWN, RequirementSpace(KNOWN.well_known), ReservedOfferingMode.STRICT, NEW)
    assert manager.copy({"res-full": 1, "res-other": 1}).remaining == {"res-full": 1}
    options = SchedulerOptions(karpenter=NEW, reservation_credits={"res-full": 1})
    batches = [PodBatch(f"b{n}", pod("3"), uid=str(n)) for n in range(2)]
    scheduler = prepare(SchedulerInputs([pool()], {"default": [FULL_ONLY]}, batches, registry=KNOWN, options=options))
    scheduler.solve()
    assert [len(scheduler.claims), scheduler.reservations.remaining] == [1, {"res-full": 0}]
    assert refusals_of(scheduler.failures.refusals(1)) == [NoReservation(ReservationShortage.TAKEN)]


def refusals_of(answers: Sequence[tuple[str, object]]) -> list[object]:
    """Refusals without their NodePools."""
    return [refusal for _, refusal in answers]


# --- attach limits


def attaching(*claims: str, driver: str = EBS) -> PodVolumes:
    """Volumes of a pod."""
    return PodVolumes(attached=frozenset((driver, claim) for claim in claims))


LIMITED = replace(machine("limited", 8), attach_limits={EBS: 2})
UNLIMITED = machine("unlimited", 8, price=100)


def test_a_new_claim_obeys_the_attach_limits_of_its_types() -> None:
    """The third volume needs a second node; before, nobody minded."""
    # V15-11, V15-12
    asks, volumes = [pod()] * 3, {n: attaching(f"default/v{n}") for n in range(3)}
    assert counts(run(OLD, *asks, types=[LIMITED], volumes=volumes)) == [3]
    assert counts(run(NEW, *asks, types=[LIMITED], volumes=volumes)) == [2, 1]


def test_shared_volumes_count_once_and_pods_without_volumes_are_not_tested() -> None:
    """Three pods with the same two volumes, and one with none, are on one node."""
    # V15-12
    volumes = {n: attaching("default/a", "default/b") for n in range(3)}
    assert counts(run(NEW, *[pod()] * 4, types=[LIMITED], volumes=volumes)) == [4]


def test_types_without_a_limit_for_a_driver_hold_any_number() -> None:
    """The limited type leaves the claim; a limit of another driver does not matter."""
    # V15-12
    volumes = {0: attaching("default/a", "default/b", "default/c")}
    (claim,) = run(NEW, pod(), types=[LIMITED, UNLIMITED], volumes=volumes).claims
    assert names(claim) == ["unlimited"]
    other = {0: attaching("default/a", "default/b", "default/c", driver="efs.csi.aws.com")}
    assert names(run(NEW, pod(), types=[LIMITED, UNLIMITED], volumes=other).claims[0]) == ["limited", "unlimited"]


def test_the_driver_that_rules_out_every_type_is_named() -> None:
    """With the number of volumes and the highest limit; where two drivers share the blame, none is."""
    # V15-13
    most = replace(LIMITED, name="most", attach_limits={EBS: 1})
    three = {0: attaching("default/a", "default/b", "default/c")}
    (refusal,) = refusals(run(NEW, pod(), types=[LIMITED, most], volumes=three))
    assert refusal == TooManyVolumes(EBS, 3, 2)
    text = "would exceed volume limit for all instance type options"
    assert str(refusal) == f"{text} (provisioner={EBS}, volume-count=3, volume-limit=2)"
    other = replace(LIMITED, attach_limits={"efs.csi.aws.com": 0})
    both = {0: PodVolumes(attached=three[0].attached | attaching("default/d", driver="efs.csi.aws.com").attached)}
    assert [str(r) for r in refusals(run(NEW, pod(), types=[LIMITED, other], volumes=both))] == [text]


NODE = SchedulingNode(
    "n1",
    "n1",
    labels={"karpenter.sh/nodepool": "default", INSTANCE_TYPE: "limited"},
    available=amounts({"cpu": "8", "memory": "32Gi", "pods": "100"}),
)


def on_node(baseline: Baseline, node: SchedulingNode) -> int:
    """How many of three pods, with a volume each, go on a node."""
    volumes = {n: attaching(f"default/v{n}") for n in range(3)}
    result = run(baseline, *[pod()] * 3, types=[LIMITED], volumes=volumes, nodes=[node])
    return sum(sum(pods.values()) for pods in result.existing.values())


def test_a_node_has_the_limits_of_its_type_until_its_csi_node_says_otherwise() -> None:
    """For the drivers that the CSINode does not list."""
    # V15-14
    assert on_node(OLD, NODE) == 3
    assert on_node(NEW, NODE) == 2
    assert on_node(NEW, replace(NODE, attach_limits={EBS: 1})) == 1
    assert on_node(NEW, replace(NODE, attach_limits={"efs.csi.aws.com": 1})) == 2
    assert on_node(NEW, replace(NODE, labels={INSTANCE_TYPE: "limited"})) == 3


def test_a_driver_without_a_number_has_no_limit() -> None:
    """Before, `allocatable` without `count` was a limit of 0."""
    # V15-15
    listed = replace(NODE, attach_limits={EBS: None})
    uncounted = replace(listed, uncounted_drivers=frozenset({EBS}))
    assert [on_node(baseline, listed) for baseline in (OLD, NEW)] == [3, 3]
    assert [on_node(baseline, uncounted) for baseline in (OLD, NEW)] == [0, 3]


def test_a_volume_that_cannot_be_looked_up_ends_the_attempt() -> None:
    """Before, only nodes that exist were passed over. Pods that are moved come this far; others are ignored at once."""
    # V15-16
    lost = {0: PodVolumes(attachable=False, resolved=False)}
    assert counts(run(OLD, pod(), volumes=lost, moving=frozenset({0}))) == [1]
    assert counts(run(NEW, pod(), volumes=lost, moving=frozenset({0}))) == []


def test_overlaid_types_keep_their_attach_limits() -> None:
    """An overlay changes prices and capacity only."""
    # V15-17
    costly = NodeOverlay("costly", requirements=term(INSTANCE_TYPE, "Exists"), price="+10%")
    (types,) = overlay([costly], [pool()], {"default": [LIMITED]}, KNOWN).types.values()
    assert [t.attach_limits for t in types] == [{EBS: 2}]
