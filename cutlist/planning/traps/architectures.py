"""Architectures that nobody chose, and lists of machines that have only the other one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from cutlist.api.label_domains import mapped_key
from cutlist.core.identity import OncePerObject
from cutlist.core.labels import ARCH, AWS_GROUP, INSTANCE_TYPE, LabelRegistry
from cutlist.core.notes import Note
from cutlist.core.requirement import Operator
from cutlist.core.requirement_index import RequirementIndex
from cutlist.core.requirements import Requirements
from cutlist.core.wording import first_of
from cutlist.planning.traps.setup import PoolSetup, Setup
from cutlist.providers.azure.labels import SKU_FAMILY, SKU_NAME, SKU_SERIES
from cutlist.providers.type_list import ChosenTypes
from cutlist.workloads.groups import PodGroup
from cutlist.workloads.pod_requirements import strict_requirements

NOT_CHOSEN: Final = "architecture-not-chosen"
"""The code of the note on a NodePool that launches either architecture for pods that choose none."""
OTHER_LIST: Final = "machines-of-other-architecture"
"""The code of the note on listed machines that have only an architecture that the NodePool excludes."""
NOWHERE: Final = "architecture-nowhere"
"""The code of the note on pods that want an architecture that no NodePool has for them."""
_FAMILY: Final = f"{AWS_GROUP}/instance-family"
_LISTS: Final = (INSTANCE_TYPE, _FAMILY, mapped_key(_FAMILY), SKU_NAME, SKU_FAMILY, SKU_SERIES)
_BOTH: Final = {"amd64", "arm64"}
_NAMED: Final = 3


def architectures_not_chosen(setup: Setup) -> Iterator[Note]:
    """Yield a note for each NodePool that launches either architecture, with the pods that do not say which one they need."""
    of_types, taken = _once_per_labels(), _TakenPods(setup)
    for pool in setup.pools:
        if ARCH in pool.wanted or not of_types(pool.types) >= _BOTH:
            continue
        open_pods = [g for g in taken.by(pool) if ARCH not in pool.asked(g.pod)]
        if not open_pods and setup.workloads.groups:
            continue
        whose = f", and {_workloads(open_pods)} {_verb(open_pods)} not say which one" if open_pods else ""
        text = f"NodePool {pool.name} has no requirement on {ARCH}, so it launches arm64 as well as amd64{whose}"
        why = "a pod whose image lacks the node's architecture fails with an exec format error"
        fix = f"add {{key: {ARCH}, operator: In, values: [amd64]}}, or list both if every image has both"
        yield Note(NOT_CHOSEN, f"{text}: {why}; {fix}")


class _TakenPods:
    """The pods that NodePools would take, found by what each asks of its node."""

    def __init__(self, setup: Setup) -> None:
        self._groups = tuple(setup.groups)
        self._indexes = OncePerObject(self._index)

    def by(self, pool: PoolSetup) -> list[PodGroup]:
        """Return the groups of pods that a NodePool takes, in order."""
        asking = self._indexes(pool.registry).compatible_with(pool.wanted)
        return [group for group in (self._groups[number] for number in asking) if pool.takes(group.pod)]

    def _index(self, registry: LabelRegistry) -> RequirementIndex:
        return RequirementIndex([strict_requirements(g.pod, registry) for g in self._groups], registry.well_known)


def machines_of_other_architecture(setup: Setup) -> Iterator[Note]:
    """Yield a note for each list of machines in a NodePool of which some have only an architecture that it excludes."""
    for pool in setup.pools:
        wanted = pool.wanted.get(ARCH)
        if wanted is None:
            continue
        for expression in pool.pool.requirements:
            key = pool.registry.normalize(expression.key)
            if key not in _LISTS or expression.operator != Operator.IN:
                continue
            found = {value: _of_value(pool, key, value) for value in expression.values}
            other = {v: names for v, names in found.items() if names and not any(map(wanted.has, names))}
            if other:
                yield Note(OTHER_LIST, _other_list(pool, key, sorted(other), sorted(set().union(*other.values())), len(found)))


def _other_list(pool: PoolSetup, key: str, values: list[str], names: list[str], listed: int) -> str:
    those = f"{key} {first_of(values, _NAMED)}"
    has = "has" if len(values) == 1 else "have"
    effect = "so it launches nothing" if len(values) == listed else "so it never launches these"
    text = f"NodePool {pool.name}: {those} {has} {', '.join(names)} alone, and {pool.wanted[ARCH]} excludes that, {effect}"
    return f"{text}; list machines with {_wanted_names(pool)}, or allow {', '.join(names)} if the images have it"


def _wanted_names(pool: PoolSetup) -> str:
    wanted = pool.wanted[ARCH]
    return " or ".join(sorted(name for name in _BOTH if wanted.has(name))) or "another architecture"


def _of_value(pool: PoolSetup, key: str, value: str) -> set[str]:
    """Return the architectures of the machines of a class that have a value."""
    listed = pool.class_types.sold.labels
    return architectures(labels for labels in listed if (r := labels.get(key)) is not None and value in r.values)


def pods_of_other_architecture(setup: Setup) -> Iterator[Note]:
    """Yield a note on pods that want an architecture which no NodePool that would take them has."""
    missing: dict[tuple[str, str, str], list[PodGroup]] = {}
    of_types = _once_per_labels()
    of_pool = {pool.name: of_types(pool.types) for pool in setup.pools}
    for group in setup.groups:
        pools = [pool for pool in setup.pools if pool.types and pool.takes(group.pod, ARCH)]
        if not pools:
            continue
        asked = strict_requirements(group.pod, pools[0].registry).get(ARCH)
        offered = set[str]().union(*(of_pool[pool.name] for pool in pools))
        if asked is not None and not any(map(asked.has, offered)):
            names = first_of([pool.name for pool in pools], _NAMED)
            missing.setdefault((str(asked), names, ", ".join(sorted(offered))), []).append(group)
    for (selected, names, has), groups in sorted(missing.items()):
        text = f"{_workloads(groups)}: {selected}, and what NodePool {names} allows has {has} alone"
        yield Note(NOWHERE, f"{text}; allow a family with that architecture, or drop the selector if the images have {has}")


def _once_per_labels() -> Callable[[ChosenTypes], set[str]]:
    """Return what gives the architectures of types, from the labels that many lists of types share."""
    of_labels = OncePerObject(architectures)
    return lambda types: of_labels(types.labels)


def architectures(of_types: Iterable[Requirements]) -> set[str]:
    """Return the architectures that the labels of types name."""
    return {value for labels in of_types if (r := labels.get(ARCH)) is not None for value in r.values}


def _workloads(groups: Iterable[PodGroup]) -> str:
    return first_of(sorted({group.workload for group in groups}), _NAMED)


def _verb(groups: Iterable[PodGroup]) -> str:
    return "does" if len({group.workload for group in groups}) == 1 else "do"
