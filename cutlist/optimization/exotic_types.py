"""Bare metal that no node of a NodePool becomes: Karpenter requests it only where no plain type is left for a claim (A-53).

A plain type of the same family, vCPUs and memory stays in a claim wherever the bare metal does, however narrow its NodePool
becomes, since no suggestion names sizes of bare metal. Its price then says nothing about what a packing costs: it is often a
bargain on the spot market that nobody gets.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from cutlist.api.nodepool import NodePool
from cutlist.core.bits import bits
from cutlist.core.identity import SameObject
from cutlist.core.labels import AWS_GROUP, RESERVED
from cutlist.core.quantity import fits
from cutlist.optimization.pool_terms import TypeLabels, labels_of
from cutlist.providers.aws.launch.filters import is_exotic
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.scheduling.nodeclaimtemplate import NodeClaimTemplate

_Key = tuple[str, ...]
_ALWAYS: Final = ("cpu", "memory", "ephemeral-storage")


class NeverLaunched:
    """The exotic types of NodePools that are never launched, unless they are reserved. `asked` are the labels that pods and
    daemons ask for."""

    def __init__(self, asked: Collection[str]) -> None:
        self._asked = asked
        self._alike: dict[tuple[SameObject, int, tuple[int, ...]], Mapping[int, Sequence[int]]] = {}
        self._known: dict[tuple[SameObject, int, frozenset[str]], frozenset[int]] = {}

    def of(self, template: NodeClaimTemplate) -> frozenset[int]:
        """Return the numbers of such types of a NodePool."""
        pool = template.pool
        if pool.node_class_ref.group != AWS_GROUP or any(entry.min_values is not None for entry in pool.requirements):
            return frozenset()
        key = SameObject(template.instance_types.types), template.mask, frozenset(pool.limits)
        if key not in self._known:
            self._known[key] = self._of(template)
        return self._known[key]

    def _of(self, template: NodeClaimTemplate) -> frozenset[int]:
        pool, types = template.pool, template.instance_types.types
        exotic = tuple(number for number in bits(template.mask) if is_exotic(types[number]))
        alike = self._plain_alike(template, exotic) if exotic else {}
        return frozenset(
            number
            for number, others in alike.items()
            if any(_stays(types[other], types[number], pool, self._asked) for other in others)
        )

    def _plain_alike(self, template: NodeClaimTemplate, exotic: tuple[int, ...]) -> Mapping[int, Sequence[int]]:
        """Return for each exotic type the plain ones of the same machine; once for all node classes that change no label."""
        key = SameObject(template.instance_types.labels), template.mask, exotic
        if key not in self._alike:
            types, labels = template.instance_types.types, labels_of(template.pool)
            by_machine: dict[_Key, list[int]] = {_machine(types[number], labels): [] for number in exotic}
            others = set(exotic)
            for number in bits(template.mask):
                plain = None if number in others else by_machine.get(_machine(types[number], labels))
                if plain is not None:
                    plain.append(number)
            self._alike[key] = {number: by_machine[_machine(types[number], labels)] for number in exotic}
        return self._alike[key]


def asked_labels(inputs: SchedulerInputs) -> frozenset[str]:
    """Return the labels of nodes that a pod or daemon asks for, prefers, or is spread or kept apart by."""
    keys: set[str] = set()
    for pod in (*(batch.pod for batch in inputs.batches), *inputs.daemons):
        keys.update(pod.node_selector)
        keys.update(e.key for term in pod.required or () for e in term)
        keys.update(e.key for preference in pod.preferred for e in preference.expressions)
        keys.update(constraint.topology_key for constraint in pod.spread)
        terms = (*pod.affinity, *pod.anti_affinity, *pod.preferred_affinity, *pod.preferred_anti_affinity)
        keys.update(term.topology_key for term in terms)
    keys.update(constraint.topology_key for constraint in inputs.options.default_spread)
    keys.update(term.topology_key for running in inputs.bound for term in running.pod.anti_affinity)
    return frozenset(keys)


def _machine(of: InstanceType, labels: TypeLabels) -> _Key:
    """Return what the requirements of suggestions tell types apart by, besides their size."""
    values = of.requirements.single_values()
    return tuple(values.get(key, "") for key in (labels.family, labels.category, labels.generation, labels.cpu, labels.memory))


def _stays(plain: InstanceType, exotic: InstanceType, pool: NodePool, asked: Collection[str]) -> bool:
    """Tell whether a plain type is in every claim that an exotic type is in: no pod asks for a label in which they differ, it
    has as much room, is sold wherever the other is, and takes no more of the limits."""
    own, others = plain.requirements.single_values(), exotic.requirements.single_values()
    if any(own.get(key) != others.get(key) for key in asked):
        return False
    limited = (*_ALWAYS, *pool.limits)
    return (
        not any(offering.capacity_override or offering.overhead_override for offering in (*plain.offerings, *exotic.offerings))
        and fits(exotic.allocatable(), plain.allocatable())
        and all(plain.capacity.get(name, 0) <= exotic.capacity.get(name, 0) for name in limited)
        and _sold(exotic.offerings) <= _sold(plain.offerings)
    )


def _sold(offerings: Iterable[Offering]) -> set[tuple[str, str]]:
    return {(o.zone, o.capacity_type) for o in offerings if o.available and o.capacity_type != RESERVED}
