"""Reserved capacity: pessimistic holding, giving back, deferring (spec 6.9)."""

from __future__ import annotations

from collections.abc import Sequence

from cutlist import NodePool
from cutlist.core.labels import CAPACITY_TYPE, INSTANCE_TYPE, ZONE
from cutlist.core.requirements import Requirements
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.scheduling.inputs import SchedulerInputs, SchedulerOptions
from cutlist.scheduling.instancetypes import InstanceTypeIndex
from cutlist.scheduling.provisioner import prepare
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.refusals import NoReservation, ReservationShortage
from cutlist.scheduling.requirement_space import RequirementSpace
from cutlist.scheduling.reservationmanager import ReservationManager, ReservedOfferingMode
from cutlist.scheduling.results import PlacedClaim, Results
from cutlist.workloads.pods import Pod, Preference
from tests.one_pass import schedule
from tests.unit.scheduling.builders import REGISTRY, TWO, counts, label, machine, names, pending, pod, pool, term

RESERVATION = "example.com/reservation-id"
KNOWN = REGISTRY.extended(well_known=(RESERVATION,), reservation_id=RESERVATION)


def reserved(name: str, cpu: int, reservation: str, units: int = 1, *, available: bool = True) -> InstanceType:
    """A machine sold on demand everywhere, and in zone-a from a reservation with that many units."""
    plain = machine(name, cpu)
    offer = Offering(
        Requirements([label(ZONE, "zone-a"), label(CAPACITY_TYPE, "reserved"), label(RESERVATION, reservation)]),
        cpu / 1000,
        available,
        units,
    )
    labels = plain.requirements.without(CAPACITY_TYPE) & Requirements([label(CAPACITY_TYPE, "on-demand", "reserved")])
    return InstanceType(name, labels, plain.capacity, plain.overhead, (*plain.offerings, offer))


SMALL, LARGE = reserved("small", 4, "res-small"), reserved("large", 8, "res-large")


def run(
    *pods: Pod | tuple[Pod, int],
    types: Sequence[InstanceType] = (SMALL, LARGE),
    pools: Sequence[NodePool] | None = None,
    own_types: dict[str, Sequence[InstanceType]] | None = None,
    options: SchedulerOptions | None = None,
) -> Results:
    counted = [p if isinstance(p, tuple) else (p, 1) for p in pods]
    node_pools = pools or [pool()]
    return schedule(
        SchedulerInputs(
            pools=node_pools,
            types={p.name: types for p in node_pools} | (own_types or {}),
            batches=[PodBatch(f"b{n}", each, count, uid=f"{n:04d}") for n, (each, count) in enumerate(counted)],
            registry=KNOWN,
            options=options or SchedulerOptions(),
        )
    )


def held(claim: PlacedClaim) -> set[str]:
    """The reservations that a closed claim is bound to."""
    return set(claim.requirements[RESERVATION].values) if RESERVATION in claim.requirements else set()


def test_a_claim_holds_every_reservation_that_it_may_use():
    """The first pod's claim may become both machines and holds both reservations, so the others wait for a later pass."""
    # S-80
    result = run((pod("3"), 1), (pod("3", node_selector={INSTANCE_TYPE: "small"}), 2))
    assert [held(claim) for claim in result.claims] == [{"res-small", "res-large"}]
    assert [sum(c.pods.values()) for c in result.claims] == [1]
    assert pending(result) == 2


def test_a_pod_that_waits_for_a_reservation_keeps_its_preferences():
    """Giving up a preference would take the pod past the reservation: that is not done."""
    # S-80
    likes_two = (Preference(1, term(INSTANCE_TYPE, "In", "small")),)
    result = run((pod("3", preferred=likes_two), 2), types=(SMALL, LARGE, TWO, machine("spare", 8)))
    assert [held(claim) for claim in result.claims] == [{"res-small"}]
    ((_, refusal),) = result.unplaced[0].refusals
    assert refusal == NoReservation(ReservationShortage.TAKEN)


def test_a_taken_reservation_keeps_pods_from_lower_pools():
    """The pool of less weight would have room, but the pod waits for the reservation of the heavier one."""
    # S-81
    pools = [pool("heavy", weight=10), pool("light")]
    result = run((pod("3"), 2), pools=pools, own_types={"heavy": (SMALL,), "light": (machine("spare", 8),)})
    assert [claim.node_pool for claim in result.claims] == ["heavy"]
    assert [name for name, _ in result.unplaced[0].refusals] == ["heavy"]


def test_a_claim_that_narrows_gives_back_what_it_cannot_use():
    """With a second pod on it the first claim can only be large; a pod for the small reservation then gets that one."""
    # S-82
    result = run((pod("3"), 2), (pod("2500m", "1Gi", node_selector={INSTANCE_TYPE: "small"}), 1))
    assert sorted((names(c), held(c)) for c in result.claims) == [(["large"], {"res-large"}), (["small"], {"res-small"})]
    assert counts(result) == [2, 1]


def test_a_claim_does_not_drop_its_last_reservation():
    """A pod that leaves only machines without reservation does not join a claim that holds one."""
    # S-82
    result = run(pod("3"), pod("2", node_selector={INSTANCE_TYPE: "spare"}), types=(SMALL, machine("spare", 8)))
    assert [(names(c), held(c)) for c in result.claims] == [(["small", "spare"], {"res-small"}), (["spare"], set())]


def test_a_claim_with_reservations_is_bought_as_reserved():
    """Once closed, the claim allows reserved capacity only, and of the reservations the ones it holds."""
    # S-83
    (claim,) = run(pod("3")).claims
    assert claim.requirements[CAPACITY_TYPE] == label(CAPACITY_TYPE, "reserved")
    assert claim.requirements[RESERVATION] == label(RESERVATION, "res-small", "res-large")
    assert claim.candidates.prices == (0.004, 0.008)


def test_a_claim_without_reservations_stays_open_to_every_capacity_type():
    """A pod that has to be on demand holds no reservation and its claim says nothing of one."""
    # S-83
    (claim,) = run(pod("3", node_selector={CAPACITY_TYPE: "on-demand"})).claims
    assert held(claim) == set()
    assert claim.requirements[CAPACITY_TYPE] == label(CAPACITY_TYPE, "on-demand")


def test_a_reservation_of_two_pools_is_counted_once_at_its_least():
    """Two pools see the same reservation, one with three units and one with two: there are two in all."""
    # S-84
    pools = [pool("a"), pool("b")]
    lists = {"a": (reserved("small", 4, "shared", 3),), "b": (reserved("small", 4, "shared", 2),)}
    result = run((pod("3"), 4), pools=pools, own_types=lists)
    assert [held(c) for c in result.claims] == [{"shared"}, {"shared"}]
    assert pending(result) == 2


def test_a_reservation_that_is_used_up_leaves_on_demand():
    """An offering that the cloud reports as unavailable makes nobody wait."""
    # S-84
    result = run((pod("3"), 2), types=(reserved("small", 4, "gone", 0, available=False),))
    assert [held(c) for c in result.claims] == [set(), set()]
    assert pending(result) == 0


def test_simulations_go_on_without_reservation():
    """Where falling back is allowed, later claims get ordinary capacity instead of waiting."""
    result = run((pod("3"), 2), types=(SMALL,), options=SchedulerOptions(reserved_mode=ReservedOfferingMode.FALLBACK))
    assert [held(c) for c in result.claims] == [{"res-small"}, set()]
    assert pending(result) == 0


def test_without_the_gate_reserved_offerings_are_like_others():
    """With the feature gate off nothing is held and nobody waits."""
    result = run((pod("3"), 3), types=(SMALL,), options=SchedulerOptions(reserved_capacity=False))
    assert [held(c) for c in result.claims] == [set(), set(), set()]
    assert pending(result) == 0


def test_units_are_neither_lost_nor_made():
    """What claims hold and what is left add up to what there was, also after claims were narrowed."""
    types = (reserved("small", 4, "s", 2), reserved("large", 8, "l", 2))
    pods = [(pod("3"), 3), (pod("1"), 4), (pod("2", node_selector={INSTANCE_TYPE: "small"}), 2)]
    scheduler = prepare(
        SchedulerInputs(
            pools=[pool()],
            types={"default": types},
            batches=[PodBatch(f"b{n}", each, count, uid=f"{n:04d}") for n, (each, count) in enumerate(pods)],
            registry=KNOWN,
        )
    )
    scheduler.solve()
    taken = [r for reserved in scheduler.claims.reserved for r in reserved]
    assert taken
    assert {r: scheduler.reservations.remaining[r] + taken.count(r) for r in "sl"} == {"s": 2, "l": 2}
    assert min(scheduler.reservations.remaining.values()) >= 0


def test_types_without_reservations_make_nothing_special():
    """Pods are looked at one by one only where some type can be had from a reservation."""
    indexes = [InstanceTypeIndex((TWO,), KNOWN.well_known), InstanceTypeIndex((SMALL,), KNOWN.well_known)]
    active = [
        ReservationManager((t,), KNOWN, RequirementSpace(KNOWN.well_known), ReservedOfferingMode.STRICT).active for t in indexes
    ]
    assert active == [False, True]
