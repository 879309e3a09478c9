"""Suggestions for every environment of a fleet, wherever they are searched for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Annotated, Literal

from cutlist.catalog.ranges import PriceRange
from cutlist.core.errors import InputError, Problem
from cutlist.core.money import money_sum
from cutlist.core.notes import Note
from cutlist.core.records import HIDDEN, SPARSE, After, Count, Key, TextOrNull, about, computed, json_of, read
from cutlist.core.written_problems import WrittenProblem
from cutlist.planning.model.prices import CURRENCY
from cutlist.report.estimates import Money
from cutlist.runners import InProcess, JobOutcome, Runner
from cutlist.verbs.digests import KeptAnswers
from cutlist.verbs.rightsizing import usage_savings
from cutlist.verbs.suggest.answer import suggest
from cutlist.verbs.suggest.fleet_file import Environment
from cutlist.verbs.suggest.fleet_searches import Search, SearchDigests, read_search
from cutlist.verbs.suggest.record import SuggestRecord, suggest_record
from cutlist.verbs.suggest.rule_check import ANY_DAY


class EnvironmentState(StrEnum):
    """Whether an environment has an answer, or why not."""

    ANSWERED = "answered"
    FAILED = "failed"
    NOT_COMPUTED = "not-computed"


@dataclass(frozen=True, slots=True)
class Prices:
    """Money an hour, in `currency`, of which None is USD. The price now has a range where it is an estimate."""

    now: float
    bound: Annotated[float, about("No packing of the pods on nodes that are allowed costs less.")]
    best: Annotated[float, about("With the recommended option.")]
    price_range: Annotated[
        PriceRange | None, SPARSE, about("What the price now lies between; only where it is an estimate.")
    ] = None
    currency: Annotated[str | None, SPARSE, CURRENCY] = None

    @property
    @computed(after="best")
    def saving(self) -> Annotated[float, about("What that costs less than now.")]:
        """Return how much less the recommended option costs than the current NodePools."""
        return money_sum((self.now, -self.best))

    @property
    def part_saved(self) -> float | None:
        """Return that saving as a fraction of the current price, or None if the current price is 0."""
        return self.saving / self.now if self.now else None

    @property
    def money(self) -> Money:
        """Return the price now, with its range: none of the others is known more exactly."""
        return Money(self.now, self.price_range, self.currency or "USD")

    @staticmethod
    def total(prices: Iterable[Prices]) -> Prices | None:
        """Return the sums of prices, or None if they are in several currencies. Estimates may all be off to the same side."""
        added = tuple(prices)
        if len({p.currency for p in added}) > 1:
            return None
        ends = [p.price_range or PriceRange(p.now, p.now) for p in added]
        whole = PriceRange(money_sum(end.low for end in ends), money_sum(end.high for end in ends))
        return Prices(
            money_sum(p.now for p in added),
            money_sum(p.bound for p in added),
            money_sum(p.best for p in added),
            whole if any(p.price_range for p in added) else None,
            next((p.currency for p in added), None),
        )


@dataclass(frozen=True, slots=True)
class EnvironmentSuggestions:
    """The result for an environment: what `suggest` answers, or why there is no answer; neither if it was not computed.

    `notes` say which of its files were not read.
    """

    name: str
    region: TextOrNull
    notes: Annotated[tuple[Note, ...], HIDDEN] = ()
    answer: Annotated[SuggestRecord | None, about("What `suggest -o json` writes for it."), After("edits")] = None
    problems: Annotated[tuple[WrittenProblem, ...], about("Why there is no answer."), After("answer")] = ()

    @property
    @computed(after="region")
    def state(self) -> EnvironmentState:
        """Return whether it has an answer, or why not."""
        if self.answer is not None:
            return EnvironmentState.ANSWERED
        return EnvironmentState.FAILED if self.problems else EnvironmentState.NOT_COMPUTED

    @property
    @computed(after="state")
    def prices(self) -> Annotated[Prices | None, Key("pricePerHour"), about("Null without an answer.")]:
        """Return what its plans cost, or None without an answer."""
        if self.answer is None:
            return None
        current, usage = self.answer.current, self.answer.usage
        bound, best = (part.price_per_hour or 0.0 for part in (self.answer.bound, self.answer.best))
        # With measured use, what is saved begins with the requests.
        now = (current.price_per_hour if usage is None or usage.as_written is None else usage.as_written) or 0.0
        of = current.price_range
        if of is not None and current.price_per_hour:
            of = of.at(now / current.price_per_hour)
        return Prices(now, bound, best, of, self.answer.currency)

    @property
    @computed(after="prices")
    def edits(self) -> Annotated[tuple[str, ...], about("The edits of the recommended option in words.")]:
        """Return a sentence for each edit of the best option; none without an answer."""
        return () if self.answer is None else tuple(edit.words for edit in self.answer.best.edits)


@dataclass(frozen=True, slots=True)
class FleetSuggestions:
    """Suggestions for each environment of a fleet, and the sums over those that have an answer.

    Environments are in the order of their file.
    """

    environments: tuple[EnvironmentSuggestions, ...]
    version: Annotated[Literal[1], After("")] = 1

    @property
    @computed(after="prices")
    def answered(self) -> Count:
        """Return how many environments have an answer."""
        return self._count(EnvironmentState.ANSWERED)

    @property
    @computed(after="answered")
    def failed(self) -> Count:
        """Return how many environments have mistakes in place of an answer."""
        return self._count(EnvironmentState.FAILED)

    @property
    @computed(after="failed")
    def not_computed(self) -> Annotated[Count, about("How many were left when the work had to end.")]:
        """Return how many environments were left when the work had to end."""
        return self._count(EnvironmentState.NOT_COMPUTED)

    @property
    @computed(after="environments")
    def prices(self) -> Annotated[Prices | None, Key("pricePerHour"), about("Null if they are in several currencies.")]:
        """Return the sums of the prices of all environments that have an answer, None if they are in several currencies."""
        return Prices.total(prices for e in self.environments if (prices := e.prices) is not None)

    def _count(self, state: EnvironmentState) -> int:
        return sum(environment.state is state for environment in self.environments)


def suggest_fleet(
    environments: Sequence[Environment],
    *,
    may_go_on: Callable[[], bool] = lambda: True,
    runner: Runner = InProcess(),  # noqa: B008 - it holds nothing
    kept: KeptAnswers | None = None,
    done: Callable[[EnvironmentSuggestions], None] = lambda _: None,
    day: date = ANY_DAY,
) -> FleetSuggestions:
    """Return suggestions for each environment: what `suggest` answers, or why there is no answer.

    `runner` is where they are searched for; files are read here. Work ends early when `may_go_on` says so. Answers that are
    `kept` are not computed again while everything that they depend on is the same. `done` gets each environment as soon
    as it has an answer or has failed. Exemptions of gates are those of a `day`. The answer is the same with every runner.
    """
    work = _Work(environments, kept, done, day)
    with runner.team(_stateless, None) as team:
        for outcome in team.outcomes(_searched, work.searches(), may_go_on):
            work.take(outcome)
    return FleetSuggestions(tuple(work.results))


class _Work:
    """The results of environments so far, and the searches that are under way."""

    def __init__(
        self,
        environments: Sequence[Environment],
        kept: KeptAnswers | None,
        done: Callable[[EnvironmentSuggestions], None],
        day: date,
    ) -> None:
        self.results = [EnvironmentSuggestions(e.name, e.settings.get("region") or "") for e in environments]
        self._environments = environments
        self._kept = kept
        self._done = done
        self._day = day
        self._digests = None if kept is None else SearchDigests()
        self._begun: list[tuple[int, str]] = []

    def searches(self) -> Iterator[Search]:
        """Yield the search of each environment without a kept answer, as soon as its files are read."""
        for number, environment in enumerate(self._environments):
            try:
                search = read_search(environment, self._day)
            except InputError as error:
                self._finish(number, problems=environment.placed(error.problems))
                continue
            self.results[number] = replace(self.results[number], notes=search.inputs.workloads.notes)
            digest = "" if self._digests is None else self._digests.of(environment, search)
            answer = None if self._kept is None else _answer(self._kept.get(digest))
            if answer is None:
                self._begun.append((number, digest))
                yield search
            else:
                self._finish(number, answer)

    def take(self, outcome: JobOutcome[str]) -> None:
        """Record the outcome of a search, and keep its answer."""
        number, digest = self._begun[outcome.job]
        environment, failure = self._environments[number], outcome.failure
        if failure is not None:
            unexpected = (Problem(environment.at("name"), failure.text),)
            self._finish(number, problems=environment.placed(failure.problems) or unexpected)
            return
        if self._kept is not None:
            self._kept.put(digest, outcome.value)
        self._finish(number, _answer(outcome.value))

    def _finish(self, number: int, answer: SuggestRecord | None = None, problems: tuple[Problem, ...] = ()) -> None:
        self.results[number] = replace(self.results[number], answer=answer, problems=problems)
        self._done(self.results[number])


def _stateless(nothing: None) -> None:
    return nothing


def _searched(_: None, search: Search) -> str:
    """Return the suggestions for an environment as `suggest -o json` writes them."""
    inputs, sized = search.inputs, search.sized
    planned = inputs if sized is None else sized.inputs
    answer = suggest(
        planned,
        search.allowances,
        plans=search.plans,
        seed=search.seed,
        bound=search.bound,
        rates=search.rates,
        criteria=search.criteria,
        gates=search.read_gates(),
        day=search.day,
    )
    if sized is not None:
        answer = answer.with_usage(usage_savings(inputs, sized), sized.resized(inputs))
    return json_of(suggest_record(answer))


def _answer(text: str | None) -> SuggestRecord | None:
    """Return the answer that a text holds, or None if it holds none."""
    try:
        return None if text is None else read(SuggestRecord, json.loads(text), "suggestions")
    except (InputError, ValueError):
        return None
