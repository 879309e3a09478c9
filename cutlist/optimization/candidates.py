"""Which terms of NodePools are worth planning: sizes by vCPUs and memory, families from the best value down, and copies that
launch nodes first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from random import Random
from typing import Any, Final, TypeVar

from cutlist.api.nodepool import NodePool
from cutlist.core.labels import SPOT
from cutlist.optimization.pool_terms import FirstPool, PoolTerms, labels_of
from cutlist.optimization.supply import Option
from cutlist.optimization.tolerations import KeptFor
from cutlist.providers.instance_types import InstanceType

T = TypeVar("T")
Step = tuple[tuple[str, Any], ...]
"""Fields of `PoolTerms` that change together, with their new values."""

_BELOW: Final = (0.0, 0.01, 0.03, 0.06, 0.1, 0.15, 0.25)
"""How far below the best value per dollar the families of a set may be: one set for each number."""
_NEARLY_BEST: Final = 0.1
"""How far below the best value families may be for their sizes to be varied."""
_SINGLE_FAMILIES: Final = 6
_WINDOWS: Final = 40
"""How many windows of sizes are tried at most."""
_FIRST_WINDOWS: Final = 8
"""The windows to try for a copy that launches first."""
_FIRST_PARTS: Final = (50,)
_WHOLE: Final = (100,)
"""The percentages of a NodePool's limits to try for a copy; of a NodePool without limits all."""
_KEPT: Final = 6
_KEPT_WINDOWS: Final = 4
"""How many groups of pods, and windows, to try for a copy that is kept for some pods."""
_OWN, _ANOTHER, _PART, _TERMS, _PODS = 0.35, 0.2, 0.1, 0.25, 0.3
"""The probabilities of a random step: another term of the NodePool, another copy, another part of the limits or other terms of
the copy; otherwise the copy is dropped. The last is the probability that the copy is kept for other pods."""


@dataclass(frozen=True, slots=True)
class MachineOption:
    """An instance type that a NodePool may launch: `value` is the most that pods on it are worth per dollar of its price,
    `suits` are the demands whose pods fit on it, `memory` is in MiB. `is_spot` tells whether it is sold as spot."""

    family: str
    cpu: int
    memory: int
    value: float
    suits: int
    category: str = ""
    generation: int | None = None
    size: str = ""
    is_spot: bool = False

    def meets(self, terms: PoolTerms) -> bool:
        """Tell whether terms allow the type."""
        return (
            (terms.families is None or self.family in terms.families)
            and (terms.categories is None or self.category in terms.categories)
            and (terms.newer_than is None or (self.generation is not None and self.generation > terms.newer_than))
            and (terms.sizes is None or self.size in terms.sizes)
            and (terms.more_cpu is None or self.cpu > terms.more_cpu)
            and (terms.less_cpu is None or self.cpu < terms.less_cpu)
            and (terms.less_memory is None or self.memory < terms.less_memory)
        )


@dataclass(frozen=True, slots=True)
class FirstChoices:
    """Which percentages of a NodePool's limits a copy may get, none if there can be no copy, and the pods that one may be kept
    for."""

    parts: tuple[int, ...] = ()
    kept_for: tuple[KeptFor, ...] = ()

    @staticmethod
    def of(pool: NodePool, kept_for: tuple[KeptFor, ...] = ()) -> FirstChoices:
        """Return the choices of a copy of a NodePool."""
        return FirstChoices(_FIRST_PARTS if pool.limits else _WHOLE, kept_for)


@dataclass(frozen=True, slots=True)
class Variety:
    """How many instance types a NodePool has to keep at least: one that may buy spot, and one that may not."""

    spot: int = 1
    on_demand: int = 1

    def least(self, machines: Collection[MachineOption], terms: PoolTerms, kinds: Collection[str]) -> int:
        """Return how many types have to meet some terms; no more than there are. `kinds` are the capacity types on sale."""
        buys_spot = SPOT in (terms.capacity_types or kinds)
        among = [machine for machine in machines if machine.is_spot or not buys_spot]
        return min(len(among), self.spot if buys_spot else self.on_demand)


ANY_TYPES: Final = Variety()
"""One type is enough."""


@dataclass(frozen=True, slots=True)
class PoolChoices:
    """What a search may vary on one NodePool. `axes` are lists of steps that are tried one at a time, `windows` the sizes to
    try for a copy that launches first. `machines` are the types that may be part of a cheapest packing, `others` all further
    ones that the NodePool may launch. `variety` is what has to stay of both together, `kinds` are the capacity types on sale.
    """

    pool: str
    axes: tuple[tuple[Step, ...], ...]
    machines: tuple[MachineOption, ...] = ()
    windows: tuple[Step, ...] = ()
    firsts: FirstChoices = FirstChoices()
    variety: Variety = ANY_TYPES
    kinds: frozenset[str] = frozenset()
    others: tuple[MachineOption, ...] = ()

    def repaired(self, terms: PoolTerms) -> PoolTerms | None:
        """Return terms that leave enough types, by families that are nearly as good, or None if there is no such family."""
        if not self.machines:
            return terms
        own = self._varied(terms)
        if own is None or terms.first is None:
            return own
        copied = self._varied(terms.first.terms)
        return None if copied is None else replace(own, first=replace(terms.first, terms=copied))

    def _varied(self, terms: PoolTerms) -> PoolTerms | None:
        if self._has_variety(terms):
            return terms
        listed = terms.families
        if listed is not None:
            best: dict[str, float] = {}
            for machine in self._every:
                best[machine.family] = max(best.get(machine.family, 0.0), machine.value)
            by_family = Counter(machine.family for machine in self._meeting(replace(terms, families=None)))
            least = self.variety.least(self._every, terms, self.kinds)
            # A further type in the same window never makes a packing worse: the cheapest that holds the pods is launched.
            for family in sorted(best.keys() - listed, key=lambda name: (-best[name], name)):
                listed = listed | {family}
                families = listed if len(listed) < len(best) else None
                if sum(by_family[name] for name in families or best) >= least:
                    return replace(terms, families=families)
        wider = replace(terms, families=None, more_cpu=None)
        return wider if self._has_variety(wider) else None

    def _has_variety(self, terms: PoolTerms) -> bool:
        return len(self._meeting(terms)) >= self.variety.least(self._every, terms, self.kinds)

    def _meeting(self, terms: PoolTerms) -> list[MachineOption]:
        """Return the types that terms allow, of those that count for them."""
        buys_spot = SPOT in (terms.capacity_types or self.kinds)
        return [machine for machine in self._every if (machine.is_spot or not buys_spot) and machine.meets(terms)]

    @property
    def _every(self) -> tuple[MachineOption, ...]:
        return (*self.machines, *self.others)

    def identity(self, terms: PoolTerms) -> object:
        """Return a value that is equal for terms that allow the same nodes."""
        if not self.machines:
            return terms
        first = terms.first
        # Terms that leave the same machines are the same choice, however they are written: each is planned once.
        own = sum(machine.meets(terms) << number for number, machine in enumerate(self.machines))
        return own, terms.capacity_types, first and (first.percent, first.kept_for, self.identity(first.terms))

    def with_first(self, terms: PoolTerms) -> list[PoolTerms]:
        """Return terms with copies that launch first: some windows of sizes, each for parts of the limits or for some pods."""
        parts = self.firsts.parts
        firsts = [self._first(part, step) for part, step in product(parts, evenly_spaced(self.windows, _FIRST_WINDOWS))]
        firsts += [
            self._first(part, step, kept)
            for part, kept, step in product(
                parts[-1:], evenly_spaced(self.firsts.kept_for, _KEPT), evenly_spaced(self.windows, _KEPT_WINDOWS)
            )
        ]
        return [replace(terms, first=first) for first in firsts]

    def nearby(self, terms: PoolTerms, random: Random) -> PoolTerms:
        """Return terms that differ by one random step: in a field, or in the copy that launches first."""
        number = random.random() - _OWN
        if not self.firsts.parts or not self.windows or number < 0:
            return stepped(terms, random.choice(random.choice(self.axes))) if self.axes else terms
        first = terms.first
        if first is None or number < _ANOTHER:
            first = self._first(random.choice(self.firsts.parts), random.choice(self.windows))
        elif number < _ANOTHER + _PART:
            first = replace(first, percent=random.choice(self.firsts.parts))
        elif number < _ANOTHER + _PART + _TERMS:
            first = replace(first, terms=stepped(first.terms, random.choice(random.choice((self.windows, *self.axes)))))
        else:
            return replace(terms, first=None)
        if self.firsts.kept_for and random.random() < _PODS:
            first = replace(first, kept_for=random.choice((None, *self.firsts.kept_for)))
        return replace(terms, first=first)

    def _first(self, part: int, step: Step, kept: KeptFor | None = None) -> FirstPool:
        return FirstPool(part, stepped(PoolTerms(), step), kept)


def stepped(terms: PoolTerms, step: Step) -> PoolTerms:
    """Return the terms after a step."""
    return replace(terms, **dict(step))


def evenly_spaced(values: Sequence[T], most: int) -> Sequence[T]:
    """Return at most this many of the values, evenly spaced."""
    if len(values) <= most:
        return values
    return [values[round(n * (len(values) - 1) / (most - 1))] for n in range(most)]


def pool_choices(
    pool: NodePool,
    types: Sequence[InstanceType],
    options: Sequence[Option],
    values: Sequence[float],
    firsts: FirstChoices,
    variety: Variety = ANY_TYPES,
) -> PoolChoices:
    """Return what a search may vary on a NodePool that may launch these types, given the options of all pools and their
    values."""
    machines, others = _machines(pool, types, options, values)
    best: dict[str, float] = {}
    for machine in machines:
        best[machine.family] = max(best.get(machine.family, 0.0), machine.value)
    kinds = {option.capacity_type for option in options if option.node_pool == pool.name}
    elsewhere = _joined_suits(option.suits for option in options if option.node_pool != pool.name)
    sizes, memories = (sorted({getattr(machine, size) for machine in machines}) for size in ("cpu", "memory"))
    capacity = [frozenset({kind}) for kind in sorted(kinds)] if len(kinds) > 1 and SPOT in kinds else []
    # For a copy every window will do, since the NodePool itself takes the pods that it leaves.
    windows = list(_windows(machines, best))
    # A window in which some pod fits on no machine would leave it pending, unless another NodePool takes it.
    whole = [w for w in windows if _suited(machines, w) | elsewhere == _suited(machines, ()) | elsewhere]
    axes = (
        evenly_spaced(whole, _WINDOWS),
        [(("families", families),) for families in (None, *_family_sets(best))],
        [(("capacity_types", kinds),) for kinds in (None, *capacity)],
        [(("more_cpu", size),) for size in (None, *sizes[:-1])],
        [(("less_cpu", size),) for size in (None, *sizes[1:])],
        [(("less_memory", size),) for size in (None, *memories[1:])],
    )
    varied = tuple(tuple(axis) for axis in axes if len(axis) > 1)
    return PoolChoices(pool.name, varied, machines, tuple(windows), firsts, variety, frozenset(kinds), others)


def _machines(
    pool: NodePool, types: Sequence[InstanceType], options: Sequence[Option], values: Sequence[float]
) -> tuple[tuple[MachineOption, ...], tuple[MachineOption, ...]]:
    """Return the types of a NodePool that have an option, each with its best value, and the others, without value."""
    labels = labels_of(pool)
    best: dict[str, float] = {}
    suits: dict[str, int] = {}
    for option, value in zip(options, values, strict=True):
        if option.node_pool == pool.name:
            best[option.instance_type] = max(best.get(option.instance_type, 0.0), value)
            suits[option.instance_type] = suits.get(option.instance_type, 0) | option.suits
    machines: list[MachineOption] = []
    others: list[MachineOption] = []
    for t in types:
        label = t.requirements.single_values()
        family, cpu, memory = (label.get(key, "") for key in (labels.family, labels.cpu, labels.memory))
        if family and cpu.isdigit() and memory.isdigit():
            category, generation, size = (label.get(key, "") for key in (labels.category, labels.generation, labels.size))
            is_spot = any(offering.available and offering.capacity_type == SPOT for offering in t.offerings)
            number = int(generation) if generation.isdigit() else None
            worth = best.get(t.name, 0.0), suits.get(t.name, 0)
            machine = MachineOption(family, int(cpu), int(memory), *worth, category, number, size, is_spot)
            (machines if t.name in best else others).append(machine)
    return tuple(machines), tuple(others)


def _windows(machines: Collection[MachineOption], best: dict[str, float]) -> Iterator[Step]:
    """Yield sizes up to this many vCPUs and this much memory, of the nearly best families: each set of machines once."""
    top = max(best.values(), default=0.0)
    families = frozenset(family for family, value in best.items() if value >= top * (1 - _NEARLY_BEST))
    among = [machine for machine in machines if machine.family in families]
    cpus, memories = (sorted({getattr(m, size) for m in among}) for size in ("cpu", "memory"))
    # An empty window is known from the start, so that it is never tried.
    known = {frozenset[MachineOption]()}
    for cpu, memory in product((*cpus[1:], None), (*memories[1:], None)):
        step = (("families", families if len(families) < len(best) else None), ("less_cpu", cpu), ("less_memory", memory))
        left = frozenset(m for m in among if m.meets(stepped(PoolTerms(), step)))
        if left not in known:
            known.add(left)
            yield step


def _suited(machines: Iterable[MachineOption], step: Step) -> int:
    terms = stepped(PoolTerms(), step)
    return _joined_suits(machine.suits for machine in machines if machine.meets(terms))


def _joined_suits(suits: Iterable[int]) -> int:
    joined = 0
    for some in suits:
        joined |= some
    return joined


def _family_sets(values: dict[str, float]) -> Iterator[frozenset[str]]:
    """Yield sets of families by how far their best value is below the best of all; each set once."""
    if len(values) < 2:
        return
    top = max(values.values())
    last = frozenset[str]()
    for part in _BELOW:
        families = frozenset(family for family, value in values.items() if value >= top * (1 - part))
        if families != last and len(families) < len(values):
            yield families
        last = families
    # The best few, one by one: the best on paper may pack badly.
    for family in sorted(values, key=lambda f: (-values[f], f))[:_SINGLE_FAMILIES]:
        yield frozenset({family})
