"""Passes with any choice of the types that NodePools may launch, and what the outcome of each rests on.

A pass of plain pods asks of types only whether one is left: for a pod on an open claim, and for a pod on a new one within the
limits. So the outcome for some types is that for every choice among them that has at least one of a few sets: of what each
claim may become in the end and, where limits kept types from a claim, of the largest that earlier claims might have become, by
which these limits were spent. What refuses a pod with all types refuses it with fewer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from cutlist.core.bits import bits
from cutlist.core.identity import OncePerObject
from cutlist.planning.pass_inputs import PassInputs
from cutlist.providers.type_list import TypeList
from cutlist.scheduling.nodeclaimtemplate import NodeClaimTemplate
from cutlist.scheduling.provisioner import SchedulingContext
from cutlist.scheduling.queue import PodBatch, Queue
from cutlist.scheduling.scheduler import Scheduler
from cutlist.state.scheduling_node import NODES

TypeSets = tuple[int, ...]
"""A set of types of each NodePool, as bits, in the order in which the NodePools are tried."""
SetOfTypes = tuple[int, int]
"""A set of types of one NodePool: its place in that order, and the types as bits."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a pass makes of some types: what its claims may become, with how many of them may, and the pods left, by batch.

    Every choice among the types that has one of each set it `rests_on` comes to the same claims and leaves the same pods. The
    pods of `unfit` batches fit on none of the types, limits aside.
    """

    claims: Mapping[SetOfTypes, int]
    left: Mapping[int, int]
    rests_on: frozenset[SetOfTypes]
    unfit: frozenset[int]


class PassRuns:
    """First passes of the same plain pods over the same NodePools, which may launch some of their types.

    `every` are all types of each, `types` those that it may launch at all within its whole limits.
    """

    def __init__(self, part: PassInputs) -> None:
        self.part = part
        self._context = SchedulingContext(part.passes, part.tables)
        scheduler = self._context.new_scheduler(part.passes)
        self.templates: tuple[NodeClaimTemplate, ...] = tuple(scheduler.templates)
        self._admission = scheduler.admission
        self.every: TypeSets = tuple(template.mask for template in self.templates)
        self._order = _turns(part.passes.batches)
        self.limits = tuple({r: left for r, left in t.remaining.items() if r != NODES} for t in self.templates)
        self.types: TypeSets = tuple(template.within_limits() for template in self.templates)
        by_amounts = OncePerObject(_by_amounts)  # NodePools of a class list the same types
        self.amounts = tuple(
            by_amounts(template.instance_types.types, template.mask, tuple(limits))
            for template, limits in zip(self.templates, self.limits, strict=True)
        )

    @property
    def beyond_limits(self) -> TypeSets:
        """Return the types that are larger than the whole limits of their NodePool: whether one has them changes nothing."""
        return tuple(every & ~types for every, types in zip(self.every, self.types, strict=True))

    def run(self, choice: TypeSets) -> Outcome:
        """Return the outcome of a pass with some types."""
        for template, types in zip(self.templates, choice, strict=True):
            template.mask = types
        scheduler = self._context.new_scheduler(self.part.passes)
        scheduler.solve()
        for template, types in zip(self.templates, self.every, strict=True):
            template.mask = types
        ends, left = _ends(scheduler, self.templates), scheduler.queue.left()
        limits, unfit = _Limits(self, choice), set()
        opened: dict[int, list[tuple[int, int]]] = {}
        claims: Counter[SetOfTypes] = Counter()
        for place, batch, types, count in ends:
            opened.setdefault(batch, []).append((place, count))
            claims[place, types] += count
        for batch in self._order:
            for place, count in opened.get(batch, ()):
                limits.open(place, batch, count)
            # Limits are never given back, so what is refused at its first turn is refused for good.
            asked = [limits.asked(place, batch) for place in range(len(choice))] if batch in left else [1]
            if not any(asked):
                unfit.add(batch)
        return Outcome(claims, left, frozenset((*claims, *limits.rests_on())), frozenset(unfit))

    def fitting(self, place: int, types: int, batch: int) -> int:
        """Return those of some types on which a pod of a batch fits alone."""
        if not types:
            return 0
        pod = self._context.data_of(self.part.passes.batches[batch].pod)
        claim = self._admission.new_claim(self.templates[place], types)
        opened = (self._admission.add(claim, pod, narrowed) for narrowed in self._admission.narrow(claim, pod))
        return next((after.mask for after in opened if after is not None), 0)


def _by_amounts(types: TypeList, mask: int, limited: Sequence[str]) -> list[tuple[Mapping[str, int], int]]:
    """Return the different amounts that some types have of what is limited, each with the types that have them."""
    columns = {resource: types.amounts.capacity(resource) for resource in limited}
    known: dict[tuple[int, ...], int] = {}
    for number in bits(mask):
        amounts = tuple(column.amounts[number] - less for column, less in columns.values())
        known[amounts] = known.get(amounts, 0) | 1 << number
    return [(dict(zip(columns, amounts, strict=True)), alike) for amounts, alike in known.items()]


def _turns(batches: Sequence[PodBatch]) -> list[int]:
    """Return batches by number in the order in which their pods are tried first."""
    queue, turns = Queue(dict(enumerate(batches))), []
    while (run := queue.pop()) is not None:
        turns.append(run.batch)
    return turns


def _ends(scheduler: Scheduler, templates: tuple[NodeClaimTemplate, ...]) -> list[tuple[int, int, int, int]]:
    """Return the NodePool of claims, the batch of their first pod, what they may become in the end, and how many they are."""
    places = {template.index: place for place, template in enumerate(templates)}
    alike = scheduler.claims.alike()
    return [(places[claim.template.index], next(iter(pods)), claim.mask, len(numbers)) for numbers, claim, pods, _ in alike]


@dataclass(frozen=True, slots=True)
class _Spent:
    """What claims took of a limit when they opened: each as much as the largest of the types that it might have become."""

    resource: str
    amount: int
    types: int


@dataclass(frozen=True, slots=True)
class _Opened:
    """Claims that were opened one after the other and took the same of each limit: how many had opened before, and what each
    took."""

    before: int
    taken: tuple[_Spent, ...]


@dataclass(slots=True)
class _Limits:
    """The limits of NodePools over a pass with some types, and where they kept types from a pod."""

    runs: PassRuns
    choice: TypeSets
    left: list[dict[str, int]] = field(init=False)
    spent: list[list[_Opened]] = field(init=False)
    claims: list[int] = field(init=False)
    kept_out: list[dict[str, tuple[int, int]]] = field(init=False)
    """By NodePool and resource: how many claims had opened when a type was last kept out by that limit, and by how much the
    type exceeded what was left at least, of all that were kept out."""

    def __post_init__(self) -> None:
        self.left = [dict(limits) for limits in self.runs.limits]
        self.spent = [[] for _ in self.choice]
        self.claims = [0 for _ in self.choice]
        self.kept_out = [{} for _ in self.choice]

    def open(self, place: int, batch: int, count: int) -> None:
        """Count claims that pods of a batch opened one after the other: NodePools before their own have refused these pods."""
        for before in range(place):
            self.asked(before, batch)
        index, limits = self.runs.templates[place].instance_types, self.left[place]
        while count:
            fitting = self.asked(place, batch)
            types = fitting & self._within(place)
            taken = tuple(_Spent(r, index.largest_capacity(r, types), types) for r in limits)
            # So many find all types within the limits; where limits keep some out, each claim may change which.
            alike = min((limits[of.resource] // of.amount for of in taken if of.amount), default=count)
            together = min(count, alike) if types == fitting else 1
            self.spent[place].append(_Opened(self.claims[place], taken))
            for of in taken:
                limits[of.resource] -= together * of.amount
            self.claims[place] += together
            count -= together

    def asked(self, place: int, batch: int) -> int:
        """Return the types on which a pod of a batch fits alone, limits aside, and note those that the limits keep out."""
        fitting = self.runs.fitting(place, self.choice[place], batch)
        beyond, left = fitting & ~self._within(place), self.left[place]
        for amounts, types in self.runs.amounts[place] if beyond else ():
            if not types & beyond:
                continue
            # Any limit that the type exceeds keeps it out; the one that it exceeds most does so for longest.
            over = {r: amount - left[r] for r, amount in amounts.items()}
            resource = max(over, key=lambda r: over[r] / max(1, self.runs.limits[place][r]))
            known = self.kept_out[place].get(resource)
            least = over[resource] if known is None else min(known[1], over[resource])
            self.kept_out[place][resource] = (self.claims[place], least)
        return fitting

    def rests_on(self) -> list[SetOfTypes]:
        """Return the sets of types of which a choice has to have one each, so that limits keep out the same types.

        With fewer types claims spend less. All claims before together may spend less by what the types that were kept out
        exceed the rest by, less one unit: each by an equal part of that.
        """
        found = []
        for place, kept_out in enumerate(self.kept_out):
            index = self.runs.templates[place].instance_types
            for resource, (claims, over) in kept_out.items():
                for opened in self.spent[place]:
                    if opened.before >= claims:
                        break
                    of = next(of for of in opened.taken if of.resource == resource)
                    found.append((place, of.types & ~index.within_capacity(resource, of.amount - -(-over // claims))))
        return found

    def _within(self, place: int) -> int:
        index, types = self.runs.templates[place].instance_types, self.choice[place]
        for resource, left in self.left[place].items():
            types &= index.within_capacity(resource, left)
        return types
