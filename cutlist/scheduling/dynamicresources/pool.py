"""Pools of published devices, as far as a node reaches them (spec: R-80 to R-94)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from cutlist.core.requirements import Requirements
from cutlist.devices.device import Counters, Device, DeviceID
from cutlist.devices.slices import ResourceSlice

PoolKey = tuple[str, str]
"""The driver and the name of a pool."""


class OfferedDevice(NamedTuple):
    """A device with its place. `of_type` ones do not exist yet: each node of an instance type will have them.

    `requirements` are those of the nodes that reach it, None if all do.
    """

    id: DeviceID
    device: Device
    of_type: bool = False
    requirements: Requirements | None = None

    @property
    def pool(self) -> PoolKey:
        """Return the key of its pool."""
        return self.id.driver, self.id.pool


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """The devices of a pool that a node reaches. An `incomplete` pool lacks slices; an `invalid` one has no devices.

    `elsewhere` are its devices out of reach that draw on counters; they are never allocated from here.
    """

    key: PoolKey
    slices: tuple[ResourceSlice, ...] = ()
    devices: tuple[OfferedDevice, ...] = ()
    elsewhere: tuple[OfferedDevice, ...] = ()
    counters: Counters | None = None
    incomplete: bool = False
    invalid: bool = False

    @property
    def is_empty(self) -> bool:
        """Tell whether there is nothing to know about it."""
        return not (self.invalid or self.slices or self.devices or self.elsewhere)


@dataclass(frozen=True, slots=True)
class Reach:
    """What a node reaches: its name (empty if it has none yet), its requirements, and the labels that it may lack."""

    node: str
    requirements: Requirements
    well_known: frozenset[str]

    def reaches(self, published: ResourceSlice) -> bool:
        """Tell whether devices of a slice can be used from the node; shared counters can be from everywhere."""
        if published.all_nodes or published.counter_sets is not None:
            return True
        if published.node:
            return published.node == self.node
        return any(self.requirements.compatible(term, self.well_known) for term in published.terms or ())


def gather_pools(slices: Iterable[ResourceSlice], reach: Reach) -> list[Pool]:
    """Return the pools of all slices as a node reaches them, in the order of their first slices.

    Karpenter looks at pools in an order that changes from run to run (R-85).
    """
    by_pool: dict[PoolKey, list[ResourceSlice]] = {}
    for published in slices:
        by_pool.setdefault((published.driver, published.pool), []).append(published)
    pools = (_gathered(key, _newest(listed), reach) for key, listed in by_pool.items())
    return [pool for pool in pools if not pool.is_empty]


def filter_pools(pools: Iterable[Pool], reach: Reach) -> list[Pool]:
    """Return pools without what a node no longer reaches under narrower requirements."""
    return [left for left in (_filtered(pool, reach) for pool in pools) if not left.is_empty]


def _newest(slices: Sequence[ResourceSlice]) -> list[ResourceSlice]:
    """Return the slices of the highest generation (R-83)."""
    generation = max(s.generation for s in slices)
    return [s for s in slices if s.generation == generation]


def _gathered(key: PoolKey, slices: Sequence[ResourceSlice], reach: Reach) -> Pool:
    with_counters = [s for s in slices if s.counter_sets is not None]
    others = [s for s in slices if s.counter_sets is None]
    near = [s for s in others if reach.reaches(s)]
    far = [s for s in others if not reach.reaches(s)]
    sets = [name for s in with_counters for name in s.counter_sets or ()]
    counters = {counter: amount for s in with_counters for counter, amount in s.counters.items()}
    names = [device.name for s in near for device in s.devices]
    draws = (counter for s in others for device in s.devices for counter in device.consumes)
    valid = len(names) == len(set(names)) and len(sets) == len(set(sets)) and all(c in counters for c in draws)
    devices = tuple(offered for s in near for offered in _offered(key, s))
    elsewhere = tuple(offered for s in far for offered in _drawing(key, s))
    return Pool(
        key=key,
        slices=tuple(near) if valid else (),
        devices=devices if valid else (),
        elsewhere=elsewhere if valid else (*elsewhere, *(d for d in devices if d.device.consumes)),
        counters=counters or None,
        # The number is that of the first slice of the generation.
        incomplete=len(slices) != slices[0].slices,
        invalid=not valid,
    )


def _filtered(pool: Pool, reach: Reach) -> Pool:
    kept = tuple(s for s in pool.slices if reach.reaches(s))
    if len(kept) == len(pool.slices):
        return pool
    gone = (s for s in pool.slices if not reach.reaches(s))
    return replace(
        pool,
        slices=kept,
        devices=tuple(offered for s in kept for offered in _offered(pool.key, s)),
        elsewhere=(*pool.elsewhere, *(offered for s in gone for offered in _drawing(pool.key, s))),
    )


def _offered(key: PoolKey, published: ResourceSlice) -> Iterator[OfferedDevice]:
    requirements = topology_of(published)
    for device in published.devices:
        yield OfferedDevice(DeviceID(*key, device.name), device, requirements=requirements)


def _drawing(key: PoolKey, published: ResourceSlice) -> Iterator[OfferedDevice]:
    for device in published.devices:
        if device.consumes:
            yield OfferedDevice(DeviceID(*key, device.name), device)


def topology_of(published: ResourceSlice) -> Requirements | None:
    """Return the requirements that a slice's selector adds to a node that uses its devices: of all terms together (R-91)."""
    return None if published.all_nodes or published.terms is None else joined(published.terms)


def joined(terms: Iterable[Requirements]) -> Requirements:
    """Return the requirements of all terms together."""
    together = Requirements()
    for term in terms:
        together &= term
    return together
