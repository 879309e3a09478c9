"""Why the price differs: each edit with its own part of the difference, to the cent.

An edit alone may do what only another one makes possible, and two may do together what neither does alone. So each subset of
the edits is planned, once, while they are few; see `attribution`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Annotated, Final

from cutlist.core.errors import InputError
from cutlist.core.money import whole_cents
from cutlist.core.records import FLAT, HIDDEN, Count, Key, about
from cutlist.disruption.edits import Reach
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.planning.model.comparison import Comparison
from cutlist.verbs.diff.attribution import Subset, parts
from cutlist.verbs.diff.edits import Edits
from cutlist.verbs.diff.money import Cents, cent_parts, month_of
from cutlist.verbs.diff.objects import TYPED, ObjectChange
from cutlist.verbs.diff.running import is_of_pods

_PLANS: Final = 32
"""How many plans are made at most for the parts of edits: all subsets of five edits."""
_LEAST_PLANS: Final = 4
_GROUPS: Final = 64
"""Workloads of an input up to which a plan takes so little time that so many are made; of larger ones fewer."""
_PODS_LIKE_A_GROUP: Final = 10
"""So many pods of nodes that run take as long to place as a workload."""
_READINGS: Final = 96
"""How often inputs are made at most to find the edits on which no plan depends; of larger ones less often."""
_LEAST_READINGS: Final = 16

Planner = Callable[[PlanInputs], Plan]


@dataclass(frozen=True, slots=True)
class EditPart:
    """An edit, and its part of the difference."""

    edit: Annotated[ObjectChange, FLAT]
    part: Annotated[
        Cents, Key("pricePerMonthChange"), about("Its part of the difference; null where it was not looked at alone.")
    ]

    is_averaged: Annotated[
        bool, Key("averaged"), about("Whether its part is an average over orders, where those of other edits are not.")
    ] = False

    @property
    def is_silent(self) -> bool:
        """Tell whether it changes neither the price nor any node."""
        return self.part == 0 and self.edit.reach is Reach.NONE


@dataclass(frozen=True, slots=True)
class Because:
    """The edits between two sides, those with the largest part first. With `together` the parts add up to the difference.

    If the parts are exact, each is the average over all orders in which the edits may be made. Else each is what the edit does
    alone, or an average once the others are made, and `together` what they do beyond that; it is None where the parts are
    exact. All are None if the difference is unknown. With nodes that run on the first side, `repacked` is what changes without
    any edit, if their pods are placed again; with nodes that run on both (`is_of_clusters`), by how much those of the later
    side exceed what their pods would get, more than those of the earlier.
    """

    is_exact: Annotated[bool, Key("exact"), about("Whether each part is the average over all orders of the edits.")]
    edits: tuple[EditPart, ...]
    together: Annotated[
        Cents, Key("togetherPerMonth"), about("What edits do beyond their parts; null where the parts are exact.")
    ] = None
    repacked: Annotated[
        Cents,
        Key("repackedPerMonth"),
        about(
            "What placing the pods of running nodes again changes without any edit; for two clusters, how much more than for "
            "the first the nodes of the second cost above those that its pods would get. Null where no nodes run."
        ),
    ] = None
    planned: Annotated[Count, Key("plans"), about("Plans that were made for the parts, besides those of the two sides.")] = 0
    is_of_clusters: Annotated[bool, HIDDEN] = False


class _UnknownPriceError(Exception):
    """A plan on the way has only nodes without a price, so that no part of the difference is known."""


def because(edits: Edits, comparison: Comparison, planner: Planner) -> Because | None:
    """Return the parts that edits have in the difference between two plans; None without an edit."""
    return _because(edits, comparison, planner, ()) if edits.all else None


def because_of_proposal(edits: Edits, comparison: Comparison, planner: Planner) -> Because:
    """Return the parts in the difference between nodes that run and the plan of a proposal for all their pods.

    One part needs no edit: a plan of the same pods with the objects of the cluster differs from what runs as well. Clusters
    have only some fields of workloads, so edits of these are left out unless they have a part.
    """
    reasons = _because(edits, comparison, planner, (planner(edits.before),))
    return replace(reasons, edits=tuple(row for row in reasons.edits if not row.is_silent or row.edit.kind in TYPED))


def because_of_clusters(edits: Edits, comparison: Comparison, planner: Planner) -> Because:
    """Return the parts in the difference between the nodes that run in two clusters.

    What runs depends on what happened before, which no edit explains. So the parts of edits are those in the difference between
    two plans, in each of which all pods of a cluster are placed again, and one part is what the nodes that run cost beyond.
    """
    reasons = _because(edits, comparison, planner, (planner(edits.before), planner(edits.after)))
    shown = (row for row in reasons.edits if not row.is_silent or row.edit.kind in TYPED or is_of_pods(row.edit))
    return replace(reasons, edits=tuple(shown), is_of_clusters=True)


def _because(edits: Edits, comparison: Comparison, planner: Planner, repacked: Sequence[Plan]) -> Because:
    if comparison.price_change is None:
        return Because(False, tuple(EditPart(edit, None) for edit in edits.all))
    edits, bearing = _counting(_valid_alone(edits))
    return _Attribution(edits, bearing, comparison, planner, repacked, planned=len(repacked)).answer()


# --- which edits count


def _valid_alone(edits: Edits) -> Edits:
    """Return the edits with the fields of an object as one edit where one of them is not valid without the others."""
    if len(edits.all) > _PLANS:
        return edits
    fields_of = [edit for edit in edits.all if edit.fields]
    several = [n for n, edit in enumerate(edits.all) if sum(_is_of_same_object(edit, other) for other in fields_of) > 1]
    return edits.together(n for n in several if _inputs(edits, frozenset((n,))) is None)


def _is_of_same_object(first: ObjectChange, second: ObjectChange) -> bool:
    return bool(first.fields) and replace(first, fields=()) == replace(second, fields=())


def _counting(edits: Edits) -> tuple[Edits, Sequence[int]]:
    """Return the edits and the numbers of those on which a plan depends.

    Fields of an object that have an effect only with each other, such as the parallelism and the completions of a Job, are one
    edit.
    """
    everything = frozenset(range(len(edits.all)))
    inert = _inert(edits, everything)
    if not inert or _inputs(edits, everything) == _inputs(edits, everything - inert):
        return edits, tuple(sorted(everything - inert))
    fields_of = [edits.all[number] for number in inert]
    several = [n for n in inert if sum(_is_of_same_object(edits.all[n], other) for other in fields_of) > 1]
    if not several:
        return edits, tuple(sorted(everything))  # what has no effect of its own has one on others
    return _counting(edits.together(several))


def _inert(edits: Edits, everything: Subset) -> Subset:
    """Return the numbers of the edits by which the inputs of a plan do not differ. Halves of groups are looked at only where
    the group makes a difference; what is not looked at counts."""
    if len(everything) < 2:
        return frozenset()
    nothing, inert = _inputs(edits, frozenset()), set[int]()
    left = max(_LEAST_READINGS, min(_READINGS, _READINGS * _GROUPS // _size(edits)))
    waiting = [tuple(sorted(everything))]
    while waiting and left:
        group = waiting.pop()
        left -= 1
        if _inputs(edits, frozenset(group)) == nothing:
            inert.update(group)
        elif len(group) > 1:
            half = len(group) // 2
            waiting += [group[half:], group[:half]]
    return frozenset(inert)


def _inputs(edits: Edits, chosen: Subset) -> PlanInputs | None:
    """Return what a plan of some edits depends on; None where they are not valid without others."""
    try:
        inputs = edits.inputs(chosen)
    except InputError:
        return None
    workloads = replace(inputs.workloads, notes=(), passed_over={})
    return replace(inputs, workloads=workloads, warnings=())


def _size(edits: Edits, *, with_running: bool = True) -> int:
    """Return how large the inputs are: their workloads, and the pods that run, as many as take as long as a workload."""
    sides = (edits.before, edits.after)
    groups = max(1, *(len(side.workloads.groups) for side in sides))
    return groups + (max(len(side.cluster.pods) for side in sides) // _PODS_LIKE_A_GROUP if with_running else 0)


# --- their parts


@dataclass(slots=True)
class _Attribution:
    """Plans subsets of the edits that count, each once. `repacked` has the plan without any edit, where the first side of the
    comparison is what runs, and that of all edits, where the second is too."""

    edits: Edits
    bearing: Sequence[int]
    comparison: Comparison
    planner: Planner
    repacked: Sequence[Plan] = ()
    values: dict[Subset, Fraction | None] = field(default_factory=dict)
    planned: int = 0

    def answer(self) -> Because:
        """Return the parts of all edits."""
        ends = [month_of(plan) or Fraction(0) for plan in (self.comparison.before, self.comparison.after)]
        total = whole_cents(ends[1]) - whole_cents(ends[0])
        try:
            planned = [*map(self._price_of, self.repacked), *ends[len(self.repacked) :]]
            if not self.bearing:
                planned[0] = planned[1]
            self.values = {frozenset(): planned[0], frozenset(range(len(self.bearing))): planned[1]}
            shares = parts(len(self.bearing), self.value, self.most)
        except _UnknownPriceError:
            return Because(False, tuple(EditPart(edit, None) for edit in self.edits.all), planned=self.planned)
        known = [part for part in shares.of_edits if part is not None]
        rest = [] if shares.together is None else [shares.together]
        first = [ends[1] - ends[0] - (planned[1] - planned[0])] if self.repacked else []
        whole = cent_parts((*first, *known, *rest), total)
        amounts = iter(whole[len(first) :])
        by_number: dict[int, int | None] = dict.fromkeys(range(len(self.edits.all)), 0)
        by_number |= {n: None if p is None else next(amounts) for n, p in zip(self.bearing, shares.of_edits, strict=True)}
        averaged = {self.bearing[number] for number in shares.averaged}
        rows = _largest_first(EditPart(edit, by_number[n], n in averaged) for n, edit in enumerate(self.edits.all))
        return Because(shares.together is None, rows, whole[-1] if rest else None, whole[0] if first else None, self.planned)

    @property
    def most(self) -> int:
        """Return how many subsets are planned at most."""
        return max(_LEAST_PLANS, min(_PLANS, _PLANS * _GROUPS // _size(self.edits, with_running=bool(self.repacked))))

    def value(self, subset: Subset) -> Fraction:
        """Return what the nodes cost a month with some edits. One that is not valid without others does nothing."""
        known = self._value(subset)
        if known is not None:
            return known
        fewer = [subset - {number} for number in sorted(subset)]
        valid = next((one for one in fewer if self._value(one) is not None), fewer[0])
        return self.value(valid)

    def _value(self, subset: Subset) -> Fraction | None:
        if subset not in self.values:
            self.values[subset] = self._planned(frozenset(self.bearing[number] for number in subset))
        return self.values[subset]

    def _planned(self, chosen: Subset) -> Fraction | None:
        try:
            inputs = self.edits.inputs(chosen)
        except InputError:
            return None
        self.planned += 1
        return self._price_of(self.planner(inputs))

    def _price_of(self, plan: Plan) -> Fraction:
        amount = month_of(plan, without_disks=self.comparison.is_without_disks)
        if amount is None:
            raise _UnknownPriceError
        return amount


def _largest_first(rows: Iterable[EditPart]) -> tuple[EditPart, ...]:
    """Return edits with the largest part first; of equal ones those that replace nodes, in the order of their objects."""
    return tuple(sorted(rows, key=lambda row: (-abs(row.part or 0), list(Reach).index(row.edit.reach))))
