"""Suggested NodePools as a record: what `suggest -o json` writes, and what is kept of an environment of a fleet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from cutlist.catalog.ages import PRICE_AGE, PriceAge
from cutlist.catalog.ranges import PriceRange
from cutlist.core.quantity import NANO
from cutlist.core.records import SPARSE, Count, Price, about, json_of
from cutlist.core.services import OF_ANSWER, RunningService
from cutlist.optimization.evaluation import CostAndRisk
from cutlist.planning.model import BoundKind
from cutlist.planning.model.prices import CURRENCY
from cutlist.verbs.rightsizing import UsageSavings, WorkloadSaving
from cutlist.verbs.suggest.edits import PoolEdit
from cutlist.verbs.suggest.suggestions import Suggestion, Suggestions
from cutlist.verbs.suggest.yaml_diff import FileDiff

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class _Figures:
    price_per_hour: Price
    settled_per_hour: Annotated[
        float | None, SPARSE, about("The price once Karpenter has consolidated the nodes; only if that is asked for.")
    ]
    nodes: Count
    pending: Count
    above_bound: Annotated[
        float | None, about("Which part of the bound of the pods that it places the price is above it; null without one.")
    ]
    spot_share: Annotated[float, about("Largest part of the price in one spot pool: one type in one zone.")]
    lost_with_node: Annotated[Count, about("Pods that are lost when the node with most pods fails.")]
    lost_with_zone: Annotated[Count, about("Pods that are lost when the zone with most pods fails.")]
    price_range: Annotated[PriceRange | None, SPARSE, about("What the price lies between; only where it is an estimate.")]
    expected_per_hour: Annotated[float, about("The mean of the price over the scenarios, by their weights.")]
    worst_per_hour: Annotated[float, about("The highest price of all scenarios.")]
    expected_above_bound: Annotated[float | None, about("Which part of the mean bound the mean price is above it.")]
    interruptions_per_month: Annotated[float | None, about("Spot nodes that are interrupted; null where a rate is not known.")]
    pods_interrupted: Annotated[
        float | None,
        about("Part of the pods whose node is interrupted within a month; null where a rate is not known."),
    ]
    spot_pods_at_once: Annotated[float, about("Largest part of the pods in one spot pool.")]
    scenarios: Annotated[tuple[_InScenario, ...], about("What the plan is in each scenario, in their order.")]


@dataclass(frozen=True, slots=True)
class _InScenario:
    price_per_hour: Annotated[float | None, about("Null where a node has no known price.")]
    nodes: Count
    pending: Count


@dataclass(frozen=True, slots=True)
class _Scenario:
    name: str
    what: str
    weight: Annotated[float, about("How much it counts; 0 where only pending pods are compared.")]
    bound_per_hour: Annotated[float, about("No option costs less in it; 0 where only pending pods are compared.")]


@dataclass(frozen=True, slots=True)
class _Bound:
    price_per_hour: Annotated[Price, about("USD: no option of NodePools costs less.")]
    expected_per_hour: Annotated[float, about("The mean of the bounds of all scenarios, by their weights.")]
    kind: Annotated[BoundKind, about("How it is proven; later ways are at least as high.")]
    quick_scenarios: Annotated[Count, about("In how many scenarios the bound is the quick one, since time was short.")] = 0
    counted_scenarios: Annotated[
        Count, about("In how many scenarios it is the least of all choices of types; in others the least of all packings.")
    ] = 0


@dataclass(frozen=True, slots=True)
class _Option(_Figures):
    recommended: bool
    edits: tuple[PoolEdit, ...]
    parts: Annotated[tuple[_Part, ...], about("What each edit saves now; only of the recommended option.")]
    manifests: Annotated[
        tuple[Mapping[str, Any], ...],
        about("Whole: NodePools, CapacityBuffers, workloads with tolerations or new requests."),
    ]


@dataclass(frozen=True, slots=True)
class _Part:
    node_pool: str
    key: Annotated[str, about("The label whose requirements change; empty for a new NodePool.")]
    saves_per_hour: Annotated[float, about("Its part of what the option saves now; below 0 where it costs more.")]


@dataclass(frozen=True, slots=True)
class _Refused:
    price_per_hour: Price
    expected_per_hour: float
    edits: tuple[PoolEdit, ...]
    breaks: Annotated[tuple[str, ...], about("The mandatory rules that it newly breaks, with the objects.")]


@dataclass(frozen=True, slots=True)
class _LeftPending:
    choices: Count
    scenario: Annotated[str, about("The scenario in which most of them leave more pods of some workload pending.")]
    workload: Annotated[str, about("The workload of which most of them do so in this scenario.")]
    price_per_hour: Annotated[float, about("The lowest of their prices now.")]


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
class _Risk:
    container: str
    resource: str
    request: Annotated[float, about("In cores or bytes.")]
    p99: Annotated[float, about("The 99th percentile of the samples.")]
    most: Annotated[float, about("The highest sample.")]


@dataclass(frozen=True, slots=True)
class _Change:
    workload: str
    container: str
    resource: str
    before: Annotated[float | None, about("In cores or bytes; null where nothing was requested.")]
    after: float


@dataclass(frozen=True, slots=True)
class _Usage:
    as_written: float | None
    by_use: float | None
    requests: Annotated[Count, about("How many requests change.")]
    workloads: tuple[WorkloadSaving, ...]
    risks: Annotated[tuple[_Risk, ...], about("Each request by samples beside the use that it has to stand.")]
    not_apart: Annotated[Count, about("How many workloads were not planned apart: there were too many, or no time.")]
    unknown: Annotated[tuple[str, ...], about("Measured containers that are not in the input.")]
    changes: Annotated[tuple[_Change, ...], about("The requests that change; the manifests of options have them.")] = ()


@dataclass(frozen=True, slots=True)
class _Running:
    pods: Count
    nodes: Annotated[Count, about("Nodes of the NodePools, which are planned again.")]


@dataclass(frozen=True, slots=True)
class SuggestRecord:
    """NodePools that cost less, the least that is possible, what restrictions cost, and other circumstances."""

    version: Literal[1]
    region: str
    current: _Figures
    bound: _Bound
    scenarios: Annotated[tuple[_Scenario, ...], about("What options are judged in, the present first.")]
    options: tuple[_Option, ...]
    why: Annotated[str, about("Why one of the options is recommended.")]
    refused: Annotated[tuple[_Refused, ...], about("Cheaper options that are not offered, the cheapest first.")]
    left_pending: Annotated[
        _LeftPending | None,
        about(
            "Choices that cost less now than the recommended option and leave more pods of a workload pending in a scenario "
            "than today's NodePools."
        ),
    ]
    diffs: Annotated[tuple[FileDiff, ...], about("What the recommended option changes in the files, where these are known.")]
    restrictions: tuple[_Restriction, ...]
    unpriced_restrictions: Annotated[Count, about("How many were not priced: there were too many, or no time.")]
    what_if: tuple[_WhatIf, ...]
    usage: Annotated[_Usage | None, about("What requests by measured use save; null where use was not given.")]
    plans: Annotated[Count, about("How many candidates were planned.")]
    complete: Annotated[bool, about("Whether the search ended because it found nothing further.")]
    unplanned_scenarios: Annotated[Count, about("Scenarios that there was no time for; no option is offered then.")] = 0
    price_age: Annotated[PriceAge | None, SPARSE, PRICE_AGE] = None
    services: Annotated[tuple[RunningService, ...] | None, SPARSE, OF_ANSWER] = None
    currency: Annotated[str | None, SPARSE, CURRENCY] = None
    running: Annotated[_Running | None, about("Pods of a cluster that are placed again; null without a cluster.")] = None

    @property
    def best(self) -> _Option:
        """Return the recommended option."""
        return next(option for option in self.options if option.recommended)


def suggest_record(suggestions: Suggestions) -> SuggestRecord:
    """Return what the JSON of suggestions has, money in USD."""
    outlook, left = suggestions.outlook, suggestions.left_pending
    return SuggestRecord(
        version=VERSION,
        region=suggestions.region,
        current=_Figures(
            **_figures(
                suggestions, suggestions.current, outlook.expected, outlook.worst(outlook.today), outlook.today[1:], None
            )
        ),
        bound=_Bound(
            round(suggestions.bound, 6), round(outlook.bound, 6), suggestions.bound_kind, outlook.quick, len(outlook.counted)
        ),
        scenarios=tuple(
            _Scenario(scenario.name, scenario.what, scenario.weight, round(bound, 6))
            for scenario, bound in zip(outlook.scenarios, outlook.bounds, strict=True)
        ),
        options=tuple(_option(suggestions, n, option) for n, option in enumerate(suggestions.options)),
        why=suggestions.why,
        refused=tuple(_Refused(r.figures.price or 0.0, round(r.expected, 6), r.edits, r.breaks) for r in suggestions.refused),
        left_pending=None if left is None else _LeftPending(left.choices, left.scenario, left.workload, round(left.price, 6)),
        diffs=suggestions.diffs,
        restrictions=tuple(_Restriction(r.what, r.price) for r in suggestions.restrictions),
        unpriced_restrictions=suggestions.unpriced,
        what_if=tuple(_WhatIf(w.what, w.figures.price, w.figures.nodes, w.figures.pending_pods) for w in suggestions.what_if),
        usage=None if suggestions.usage is None else _usage(suggestions.usage),
        plans=suggestions.plans,
        complete=suggestions.is_complete,
        unplanned_scenarios=outlook.unplanned,
        price_age=suggestions.price_age,
        services=suggestions.services,
        currency=None if suggestions.currency == "USD" else suggestions.currency,
        running=None if suggestions.running is None else _Running(suggestions.running.pods, suggestions.running.nodes),
    )


def suggest_json(suggestions: Suggestions) -> str:
    """Return suggestions as JSON. Ends in a newline."""
    return json_of(suggest_record(suggestions))


def _option(suggestions: Suggestions, number: int, option: Suggestion) -> _Option:
    return _Option(
        **_figures(suggestions, option.figures, option.expected, option.worst, option.elsewhere, option),
        recommended=number == suggestions.recommended,
        edits=option.edits,
        parts=tuple(_Part(part.unit.node_pool, part.unit.key, round(part.saves, 6)) for part in option.parts),
        manifests=option.manifests,
    )


def _usage(usage: UsageSavings) -> _Usage:
    return _Usage(
        as_written=usage.before.price,
        by_use=usage.after.price,
        requests=len(usage.changes),
        workloads=usage.workloads,
        risks=tuple(
            _Risk(risk.container, risk.resource, risk.request / NANO, risk.p99 / NANO, risk.most / NANO) for risk in usage.risks
        ),
        not_apart=usage.not_apart,
        unknown=usage.unknown,
        changes=tuple(
            _Change(c.workload, c.container, c.resource, None if c.before is None else c.before / NANO, c.after / NANO)
            for c in usage.changes
        ),
    )


def _figures(
    suggestions: Suggestions,
    figures: CostAndRisk,
    expected: float,
    worst: float,
    elsewhere: Sequence[CostAndRisk],
    option: Suggestion | None,
) -> dict[str, Any]:
    above = suggestions.above_bound(figures, option)
    mean_above = suggestions.above_expected_bound(expected, option)
    each = (figures, *elsewhere)
    return {
        "price_per_hour": figures.price,
        "settled_per_hour": figures.settled,
        "nodes": figures.nodes,
        "pending": figures.pending_pods,
        "above_bound": None if above is None else round(above, 4),
        "spot_share": round(figures.spot_share, 4),
        "lost_with_node": figures.lost_with_node,
        "lost_with_zone": figures.lost_with_zone,
        "price_range": figures.price_range,
        "expected_per_hour": round(expected, 6),
        "worst_per_hour": worst,
        "expected_above_bound": None if mean_above is None else round(mean_above, 4),
        "interruptions_per_month": None if figures.interruptions is None else round(figures.interruptions, 3),
        "pods_interrupted": None if figures.evictions is None else round(figures.evictions, 4),
        "spot_pods_at_once": round(figures.at_once, 4),
        "scenarios": tuple(_InScenario(of.price, of.nodes, of.pending_pods) for of in each),
    }
