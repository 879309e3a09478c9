"""Two plans side by side: which nodes are added, removed or changed, what that costs, and whose pods start or stop waiting.

Plans count nodes and do not name them, so nodes are compared by NodePool, instance type and capacity type.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, Literal

from cutlist.catalog.ages import PriceAge
from cutlist.catalog.ranges import PriceRange
from cutlist.core.money import money_of, money_sum
from cutlist.core.notes import Note, notes_in_order
from cutlist.core.records import SPARSE, Key, about, computed, data_of, form_of
from cutlist.planning.model.changes import SAME_PRICE, Bought, ExistingChange, NodeChange, PendingChange, Waiting
from cutlist.planning.model.nodes import CandidateType, PlannedNode, deviations
from cutlist.planning.model.notebook import NotebookValue
from cutlist.planning.model.plan import Plan
from cutlist.planning.model.spelling import ExactPrice
from cutlist.planning.model.totals import Totals

COMPARISON_VERSION: Final = 1
"""Version of the JSON form of a comparison; raised when a key changes its meaning or is removed."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of two plans in its totals."""

    region: str
    totals: Totals

    @staticmethod
    def of(plan: Plan) -> Side:
        """Return the totals of a plan."""
        return Side(plan.region, plan.totals)


@dataclass(frozen=True, slots=True)
class Comparison(NotebookValue):
    """The differences between two plans.

    In an order that depends only on names: `nodes` by NodePool, type and capacity type; `existing` by node and workload;
    `pending` by workload; notes by code and text. `new_notes` are warnings and assumptions that only the second plan has,
    `gone_notes` are those that only the first had.
    """

    before: Annotated[Plan, form_of(Side).through(Side.of)]
    after: Annotated[Plan, form_of(Side).through(Side.of)]
    nodes: tuple[NodeChange, ...]
    existing: tuple[ExistingChange, ...]
    pending: tuple[PendingChange, ...]
    new_notes: tuple[Note, ...]
    gone_notes: tuple[Note, ...]
    is_without_disks: Annotated[
        bool, Key("withoutDisks"), about("Whether prices are without disks, since those of one plan are unknown.")
    ] = False

    @property
    def price_ages(self) -> tuple[PriceAge | None, ...]:
        """Return which prices of the two plans are old; nothing where they are the same, since no price is shown then."""
        return () if self.is_same else (self.before.shown_age, self.after.shown_age)

    @staticmethod
    def of(before: Plan, after: Plan) -> Comparison:
        """Compare two plans."""
        first, second = _notes(before), _notes(after)
        is_without_disks = _one_lacks_disks(before, after)
        if is_without_disks:
            before, after = _without_disks(before), _without_disks(after)
        return Comparison(
            before,
            after,
            nodes=_node_changes(_bought(before), _bought(after)),
            existing=_existing_changes(_taken(before), _taken(after)),
            pending=_pending_changes(_waiting(before), _waiting(after)),
            new_notes=notes_in_order(second - first),
            gone_notes=notes_in_order(first - second),
            is_without_disks=is_without_disks,
        )

    @property
    @computed(after="")
    def version(self) -> Literal[1]:
        """Return the version of the JSON form."""
        return COMPARISON_VERSION

    @property
    @computed(after="version")
    def is_same(self) -> Annotated[bool, Key("same")]:
        """Tell whether all pods get the same nodes at the same price, or wait for the same reasons; notes do not count."""
        return not (self.nodes or self.existing or self.pending)

    @property
    @computed(after="after")
    def price_change(self) -> Annotated[ExactPrice, Key("pricePerHourChange")]:
        """Return how much more the second plan costs in USD per hour, or None if nodes that change have no known price.

        Nodes of unknown price that both plans have are assumed to cost the same in both.
        """
        changes = [change.price_change for change in self.nodes]
        known = [change for change in changes if change is not None]
        if len(known) < len(changes):
            return None
        total = money_sum(known)
        return 0.0 if abs(total) < SAME_PRICE else round(total, 10)

    @property
    @computed(after="price_change")
    def price_range(
        self,
    ) -> Annotated[
        PriceRange | None,
        Key("pricePerHourChangeRange"),
        SPARSE,
        about("What the change lies between in most cases; only where it is partly an estimate."),
    ]:
        """Return the range of the change in price, or None without one. What both plans have of a family is off alike."""
        if not self.price_change:
            return None
        return deviations(self.after.nodes).minus(deviations(self.before.nodes)).around(self.price_change)

    @property
    def sides(self) -> tuple[Plan, Plan]:
        """Return both plans."""
        return self.before, self.after

    @property
    def currency(self) -> str:
        """Return the currency of all prices."""
        return self.after.totals.currency or self.before.totals.currency or "USD"

    def to_dict(self) -> dict[str, Any]:
        """Return plain data in a stable order, without the plans themselves."""
        data: dict[str, Any] = data_of(self)
        return data


_Key = tuple[str, str, str]
_NONE: Final = Bought()
_NOBODY: Final = Waiting()


def _one_lacks_disks(before: Plan, after: Plan) -> bool:
    """Tell whether both plans have nodes but only one has prices of disks: the other is what runs, or a plan of an older
    version."""
    with_disks = [any(node.disk_price is not None for node in plan.nodes) for plan in (before, after)]
    return bool(before.nodes and after.nodes) and with_disks[0] != with_disks[1]


def _without_disks(plan: Plan) -> Plan:
    return replace(plan, nodes=tuple(replace(node, disk_price=None) for node in plan.nodes))


def _bought(plan: Plan) -> Mapping[_Key, Bought]:
    alike: dict[_Key, list[PlannedNode]] = {}
    for node in plan.nodes:
        if node.count:
            alike.setdefault((node.node_pool, node.instance_type, node.capacity_type), []).append(node)
    return {key: _together(nodes) for key, nodes in alike.items()}


def _together(nodes: Sequence[PlannedNode]) -> Bought:
    prices = [(node.count, price) for node in nodes if (price := node.price_with_disks) is not None]
    return Bought(
        count=sum(node.count for node in nodes),
        price=money_of(prices) if len(prices) == len(nodes) else None,
        zones=tuple(sorted({zone for node in nodes for zone in node.zones})),
        types=_types(nodes),
        is_estimated=any(node.is_estimated for node in nodes),
        deviations=deviations(nodes),
    )


def _types(nodes: Sequence[PlannedNode]) -> tuple[str, ...]:
    names: set[str] = set()
    previous: Sequence[CandidateType] = ()
    for node in nodes:
        if node.candidates is not previous:  # many nodes share theirs
            names.update(candidate.instance_type for candidate in node.candidates)
        previous = node.candidates
    return tuple(sorted(names))


def _node_changes(first: Mapping[_Key, Bought], second: Mapping[_Key, Bought]) -> tuple[NodeChange, ...]:
    changes = (NodeChange(*key, first.get(key, _NONE), second.get(key, _NONE)) for key in sorted({*first, *second}))
    return tuple(change for change in changes if not change.before.is_like(change.after))


def _taken(plan: Plan) -> Counter[tuple[str, str]]:
    taken: Counter[tuple[str, str]] = Counter()
    for node in plan.existing:
        for share in node.pods:
            taken[node.name, share.workload] += share.count
    for group in plan.node_groups:
        for share in group.pods:
            taken[f"node group {group.name}", share.workload] += share.count
    return taken


def _existing_changes(first: Counter[tuple[str, str]], second: Counter[tuple[str, str]]) -> tuple[ExistingChange, ...]:
    return tuple(
        ExistingChange(*key, first[key], second[key]) for key in sorted({*first, *second}) if first[key] != second[key]
    )


def _waiting(plan: Plan) -> Mapping[str, Waiting]:
    reasons: dict[str, Counter[str]] = {}
    for pods in plan.pending:
        if pods.count:
            reasons.setdefault(pods.workload, Counter())[pods.reason] += pods.count
    return {workload: Waiting(counts.total(), _most_first(counts)) for workload, counts in reasons.items()}


def _most_first(counts: Counter[str]) -> tuple[str, ...]:
    return tuple(sorted(counts, key=lambda reason: (-counts[reason], reason)))


def _pending_changes(first: Mapping[str, Waiting], second: Mapping[str, Waiting]) -> tuple[PendingChange, ...]:
    changes = (PendingChange(name, first.get(name, _NOBODY), second.get(name, _NOBODY)) for name in sorted({*first, *second}))
    return tuple(change for change in changes if change.before != change.after)


def _notes(plan: Plan) -> set[Note]:
    return {*plan.warnings, *plan.assumptions}
