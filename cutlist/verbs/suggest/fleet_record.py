"""Suggestions for a fleet as JSON: for each environment what `suggest -o json` writes, or why there is no answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from cutlist.core.records import Count, TextOrNull, about, json_of
from cutlist.verbs.suggest.fleet import EnvironmentState, EnvironmentSuggestions, FleetSuggestions, Prices
from cutlist.verbs.suggest.record import SuggestRecord
from cutlist.verbs.validate.record import ProblemRecord, problem_record

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class _Prices:
    """USD/hour."""

    now: float
    bound: Annotated[float, about("No packing of the pods on nodes that are allowed costs less.")]
    best: Annotated[float, about("With the recommended option.")]
    saving: Annotated[float, about("What that costs less than now.")]


@dataclass(frozen=True, slots=True)
class _Environment:
    name: str
    region: TextOrNull
    state: EnvironmentState
    price_per_hour: Annotated[_Prices | None, about("Null without an answer.")]
    edits: Annotated[tuple[str, ...], about("The edits of the recommended option in words.")]
    answer: Annotated[SuggestRecord | None, about("What `suggest -o json` writes for it.")]
    problems: Annotated[tuple[ProblemRecord, ...], about("Why there is no answer.")]


@dataclass(frozen=True, slots=True)
class FleetRecord:
    """Suggestions for each environment of a fleet, and the sums over those that have an answer."""

    version: Literal[1]
    environments: tuple[_Environment, ...]
    price_per_hour: _Prices
    answered: Count
    failed: Count
    not_computed: Annotated[Count, about("How many were left when the work had to end.")]


def fleet_json(fleet: FleetSuggestions) -> str:
    """Return suggestions for a fleet as JSON. Ends in a newline."""
    record = FleetRecord(
        version=VERSION,
        environments=tuple(map(_environment, fleet.environments)),
        price_per_hour=_prices(fleet.prices),
        answered=fleet.count(EnvironmentState.ANSWERED),
        failed=fleet.count(EnvironmentState.FAILED),
        not_computed=fleet.count(EnvironmentState.NOT_COMPUTED),
    )
    return json_of(record)


def _environment(environment: EnvironmentSuggestions) -> _Environment:
    return _Environment(
        name=environment.name,
        region=environment.region,
        state=environment.state,
        price_per_hour=None if environment.prices is None else _prices(environment.prices),
        edits=environment.edits,
        answer=environment.answer,
        problems=tuple(map(problem_record, environment.problems)),
    )


def _prices(prices: Prices) -> _Prices:
    return _Prices(prices.now, prices.bound, prices.best, prices.saving)
