"""Suggested NodePools as a record: what `suggest -o json` writes, and what is kept of an environment of a fleet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from cutlist.catalog.ranges import PriceRange
from cutlist.core.records import SPARSE, Count, Price, about, json_of
from cutlist.optimization.evaluation import CostAndRisk
from cutlist.planning.model import BoundKind
from cutlist.verbs.rightsizing import UsageSavings, WorkloadSaving
from cutlist.verbs.suggest.answer import Suggestion, Suggestions
from cutlist.verbs.suggest.edits import PoolEdit

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class _Figures:
    price_per_hour: Price
    nodes: Count
    pending: Count
    above_bound: Annotated[float | None, about("Which part of the bound the price is above it; null where the bound is 0.")]
    spot_share: Annotated[float, about("Largest part of the price in one spot pool: one type in one zone.")]
    lost_with_node: Annotated[Count, about("Pods that are lost when the node with most pods fails.")]
    lost_with_zone: Annotated[Count, about("Pods that are lost when the zone with most pods fails.")]
    price_range: Annotated[PriceRange | None, SPARSE, about("What the price lies between; only where it is an estimate.")]


@dataclass(frozen=True, slots=True)
class _Bound:
    price_per_hour: Annotated[Price, about("USD: no packing of the pods on nodes that are allowed costs less.")]
    kind: Annotated[BoundKind, about("How it is proven; later ways are at least as high.")]


@dataclass(frozen=True, slots=True)
class _Option(_Figures):
    recommended: bool
    edits: tuple[PoolEdit, ...]
    limits_fit_now: Annotated[
        bool, about("Whether it sets limits, which fit the current replicas: with more of them nodes and price differ.")
    ]
    manifests: Annotated[
        tuple[Mapping[str, Any], ...], about("Whole: NodePools, CapacityBuffers for spare room, workloads with tolerations.")
    ]


@dataclass(frozen=True, slots=True)
class _Restriction:
    what: str
    price_per_hour: Annotated[Price, about("How much more the plan costs because of it.")]


@dataclass(frozen=True, slots=True)
class _WhatIf:
    what: str
    price_per_hour: Annotated[float | None, about("Null where a node has no known price.")]
    nodes: Count
    pending: Count


@dataclass(frozen=True, slots=True)
class _Usage:
    as_written: float | None
    by_use: float | None
    requests: Annotated[Count, about("How many requests change.")]
    workloads: tuple[WorkloadSaving, ...]
    not_apart: Annotated[Count, about("How many workloads were not planned apart: there were too many, or no time.")]
    unknown: Annotated[tuple[str, ...], about("Measured containers that are not in the input.")]


@dataclass(frozen=True, slots=True)
class SuggestRecord:
    """NodePools that cost less, the least that is possible, what restrictions cost, and other circumstances."""

    version: Literal[1]
    region: str
    current: _Figures
    bound: _Bound
    options: tuple[_Option, ...]
    why: Annotated[str, about("Why one of the options is recommended.")]
    restrictions: tuple[_Restriction, ...]
    unpriced_restrictions: Annotated[Count, about("How many were not priced: there were too many, or no time.")]
    what_if: tuple[_WhatIf, ...]
    usage: Annotated[_Usage | None, about("What requests by measured use save; null where use was not given.")]
    plans: Annotated[Count, about("How many candidates were planned.")]
    complete: Annotated[bool, about("Whether the search ended because it found nothing further.")]

    @property
    def best(self) -> _Option:
        """Return the recommended option."""
        return next(option for option in self.options if option.recommended)


def suggest_record(suggestions: Suggestions) -> SuggestRecord:
    """Return what the JSON of suggestions has, money in USD."""
    return SuggestRecord(
        version=VERSION,
        region=suggestions.region,
        current=_Figures(**_figures(suggestions, suggestions.current)),
        bound=_Bound(round(suggestions.bound, 6), suggestions.bound_kind),
        options=tuple(_option(suggestions, n, option) for n, option in enumerate(suggestions.options)),
        why=suggestions.why,
        restrictions=tuple(_Restriction(r.what, r.price) for r in suggestions.restrictions),
        unpriced_restrictions=suggestions.unpriced,
        what_if=tuple(_WhatIf(w.what, w.figures.price, w.figures.nodes, w.figures.pending_pods) for w in suggestions.what_if),
        usage=None if suggestions.usage is None else _usage(suggestions.usage),
        plans=suggestions.plans,
        complete=suggestions.is_complete,
    )


def suggest_json(suggestions: Suggestions) -> str:
    """Return suggestions as JSON. Ends in a newline."""
    return json_of(suggest_record(suggestions))


def _option(suggestions: Suggestions, number: int, option: Suggestion) -> _Option:
    return _Option(
        **_figures(suggestions, option.figures),
        recommended=number == suggestions.recommended,
        edits=option.edits,
        limits_fit_now=option.sets_limits,
        manifests=option.manifests,
    )


def _usage(usage: UsageSavings) -> _Usage:
    return _Usage(
        as_written=usage.before.price,
        by_use=usage.after.price,
        requests=len(usage.changes),
        workloads=usage.workloads,
        not_apart=usage.not_apart,
        unknown=usage.unknown,
    )


def _figures(suggestions: Suggestions, figures: CostAndRisk) -> dict[str, Any]:
    above = suggestions.above_bound(figures)
    return {
        "price_per_hour": figures.price,
        "nodes": figures.nodes,
        "pending": figures.pending_pods,
        "above_bound": None if above is None else round(above, 4),
        "spot_share": round(figures.spot_share, 4),
        "lost_with_node": figures.lost_with_node,
        "lost_with_zone": figures.lost_with_zone,
        "price_range": figures.price_range,
    }
