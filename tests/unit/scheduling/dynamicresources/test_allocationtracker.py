"""What is set aside while a pass goes on: committing and releasing are opposites."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cutlist.devices.device import Capacity, Device, DeviceID
from cutlist.scheduling.dynamicresources.allocation import Taken
from cutlist.scheduling.dynamicresources.allocationtracker import AllocationTracker, HeldDevices
from cutlist.scheduling.dynamicresources.pool import OfferedDevice, Pool

POOL = ("d", "p")
IDS = [DeviceID("d", "p", f"gpu-{n}") for n in range(3)]
SHARED = Device("gpu-0", capacity={"memory": Capacity(100)}, shared=True)
COUNTER = ("set", "memory")
TYPES = ("small", "large")
NODES = (1, 2, "node-a")
AMOUNTS = st.integers(1, 50)


@st.composite
def taken(draw: st.DrawFn) -> Taken:
    devices = draw(st.lists(st.sampled_from(IDS), unique=True, max_size=2))
    return Taken(
        published=devices,
        of_type=draw(st.lists(st.sampled_from(IDS), unique=True, max_size=2)),
        capacity={(IDS[0], "memory"): draw(AMOUNTS)} if draw(st.booleans()) else {},
        type_capacity={(IDS[0], "memory"): draw(AMOUNTS)} if draw(st.booleans()) else {},
        counters={(POOL, *COUNTER): draw(AMOUNTS)} if draw(st.booleans()) else {},
        type_counters={(POOL, *COUNTER): draw(AMOUNTS)} if draw(st.booleans()) else {},
    )


BY_TYPE = st.dictionaries(st.sampled_from(TYPES), taken(), max_size=2)


def tracker() -> AllocationTracker:
    return AllocationTracker(HeldDevices(), [Pool(POOL, counters={COUNTER: 1000})])


def seen(tracked: AllocationTracker) -> list[object]:
    """All that searches of these nodes would find."""
    found: list[object] = [tracked.counters_of_pool(POOL)]
    offered = [OfferedDevice(device, Device(device.device), of_type=own) for device in IDS for own in (False, True)]
    shared = [OfferedDevice(IDS[0], SHARED, of_type=own) for own in (False, True)]
    for node in NODES:
        for name in TYPES:
            found += [tracked.is_taken(device, node, name) for device in offered]
            found += [tracked.used_of(device, "memory", node, name) for device in shared]
            found.append(tracked.counters_of_type(node, name, {POOL: {COUNTER: 1000}}))
    return found


@given(BY_TYPE, BY_TYPE)
def test_releasing_all_types_gives_everything_back(first, second):
    """Of this node; what another holds stays (R-97)."""
    tracked = tracker()
    tracked.commit(1, first)
    before = seen(tracked)
    free = {name: Taken(**{**_parts(t), "published": []}) for name, t in second.items()}
    tracked.commit(2, free)
    tracked.release(2, TYPES)
    assert seen(tracked) == before
    tracked.release(1, TYPES)
    assert seen(tracked) == seen(tracker())


@given(BY_TYPE)
def test_releasing_one_type_leaves_the_other(by_type):
    """As if only that had been committed."""
    tracked, other = tracker(), tracker()
    tracked.commit(1, by_type)
    tracked.release(1, ["small"])
    other.commit(1, {name: t for name, t in by_type.items() if name != "small"})
    assert seen(tracked) == seen(other)


@given(taken(), taken())
def test_the_largest_amount_over_the_types_counts_for_others(small, large):
    """Since a node becomes only one of them (R-106, R-117)."""
    tracked = tracker()
    tracked.commit(1, {"small": small, "large": large})
    used = [t.capacity.get((IDS[0], "memory"), 0) for t in (small, large)]
    assert tracked.used_of(OfferedDevice(IDS[0], SHARED), "memory", 2, "small") == max(used)
    drawn = [t.counters.get((POOL, *COUNTER), 0) for t in (small, large)]
    assert tracked.counters_of_pool(POOL) == {COUNTER: 1000 - max(drawn)}


def test_a_published_device_is_taken_for_others_whatever_the_type():
    """And for its own node only as the types that hold it (R-89)."""
    tracked = tracker()
    tracked.commit(1, {"small": Taken(published=[IDS[0]])})
    device = OfferedDevice(IDS[0], Device("gpu-0"))
    assert tracked.is_taken(device, 1, "small")
    assert not tracked.is_taken(device, 1, "large")
    assert tracked.is_taken(device, 2, "large")


def _parts(one: Taken) -> dict[str, object]:
    return {name: getattr(one, name) for name in ("of_type", "capacity", "type_capacity", "counters", "type_counters")}
