"""Find the cheapest NodePools for some workloads that still keep their rules, and how far they are from the best possible."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from cutlist.core.errors import InputError, Place
from cutlist.optimization.allowances import Allowances
from cutlist.optimization.evaluation import CostAndRisk
from cutlist.optimization.front import pareto_front, recommended, spread_out
from cutlist.optimization.judging import PoolChoice
from cutlist.optimization.plain_terms import plainer, simplicity
from cutlist.optimization.savings_plans import Rates
from cutlist.optimization.search import SearchBudget, keeps, search
from cutlist.optimization.spare import with_spare
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import BoundKind
from cutlist.policy.gates import Gates
from cutlist.policy.rules.nodepools.choice import MULTI_ARCH, architecture
from cutlist.runners import InProcess, Runner
from cutlist.settings.suggest import BOUND, KEEP, MAX_NODES, MIN_NODES, PLANS, SEED, SPARE
from cutlist.verbs.gate.answer import default_gates
from cutlist.verbs.suggest.criteria import DEFAULT_CRITERIA, Criteria
from cutlist.verbs.suggest.progress import SearchWatch, Watch, unwatched
from cutlist.verbs.suggest.rule_check import ANY_DAY
from cutlist.verbs.suggest.running import placed_again
from cutlist.verbs.suggest.space import Space
from cutlist.verbs.suggest.suggestions import Suggestions
from cutlist.verbs.suggest.variants import variants_of

_JUDGED_LATE: Final = 6
"""How many candidates are judged after the search because they risk less than the best, though they may cost more."""
_KEPT: Final = 40
"""How many plans are kept for simpler terms at most."""
_ROUNDS: Final = 3
"""How often simpler terms are looked for beside the simplest so far."""
_SIMPLER: Final = 1.01
_UNCHANGED: Final = "today's NodePools"
"""Why an option that changes nothing is recommended."""
_ROUNDING: Final = 1e-9


def suggest(
    inputs: PlanInputs,
    allowances: Allowances,
    *,
    plans: int = PLANS.default,
    seed: int = SEED.default,
    may_go_on: Callable[[], bool] = lambda: True,
    may_prove: Callable[[], bool] = lambda: True,
    may_search: Callable[[], bool] = lambda: True,
    runner: Runner = InProcess(),  # noqa: B008 - it holds nothing
    bound: BoundKind = BOUND.default,
    rates: Rates = Rates(),  # noqa: B008 - it is frozen
    criteria: Criteria = DEFAULT_CRITERIA,
    gates: Gates | None = None,
    day: date = ANY_DAY,
    watch: Watch = unwatched,
) -> Suggestions:
    """Return NodePools whose plan costs less, each with the price that `plan` gives for them.

    They are judged in scenarios, which `criteria` weigh and add to: the mean price decides, and none leaves a pod pending that
    is not today. None newly breaks a mandatory rule of `gates`, by default those that apply where none are configured, on a
    `day`. Of a cluster that runs, the pods on nodes of the NodePools are placed again, from scratch.

    `plans` is how many candidates are planned at most; the work ends early when `may_go_on` says so. Once `may_prove` says so,
    bounds are the quick ones, which leaves the time to the search, and `may_search` ends that, which leaves the rest to simpler
    options and to what restrictions cost; `watch` is given how far it has come. `runner` is where candidates are planned, and
    `bound` is how the least possible price is proven; `rates` are those of savings plans, for what all nodes would cost on
    demand under them. The same inputs, seed and number of plans give the same answer with every runner. Raises
    InputError where there is nothing to place, or no price.

    >>> from cutlist import Allowances, read_inputs, suggest
    >>> inputs = read_inputs(["examples/shop/pools.yaml", "examples/shop/workloads.yaml"], region="us-west-2")
    >>> cheaper = suggest(inputs, Allowances(arm64=True), plans=1)
    >>> cheaper.current.price > cheaper.options[0].figures.price >= cheaper.bound
    True
    >>> cheaper.options[0].edits[0].words
    'NodePool general: kubernetes.io/arch In amd64 becomes In amd64, arm64'
    """
    if allowances.spare and allowances.workloads:
        text = "the pods that keep spare room are copies of the workloads, which then may not change"
        raise InputError.one(Place.of(SPARE), text, "one of the two: spare room, or changed workloads")
    if gates is not None and gates.mistakes:
        raise InputError(gates.mistakes)
    inputs, running = placed_again(inputs)
    inputs, buffers = with_spare(inputs, allowances.spare)
    with runner.team(variants_of, (inputs, allowances, criteria.settled)) as team:
        rules = _gates_without_file(allowances) if gates is None else gates
        space = Space(inputs, buffers, team, bound, may_go_on, may_prove, criteria, rules, day, SearchWatch(plans, watch))
        suggestions = _suggestions(space, allowances, SearchBudget(plans, may_go_on), may_search, seed)
        what_if = (*suggestions.what_if, *space.what_if_committed(rates, may_go_on))
        return replace(suggestions, what_if=what_if, running=running)


def _suggestions(
    space: Space, allowances: Allowances, budget: SearchBudget, may_search: Callable[[], bool], seed: int
) -> Suggestions:
    current = space.current
    candidates, is_complete = _searched(space, allowances, budget, may_search, seed)
    accepted = _worth_having(space, candidates, allowances)
    if not accepted:
        raise _nothing_keeps(allowances, current)
    best, why = recommended(accepted, space.outlook.expected, space.complexity, current)
    shown = spread_out(pareto_front(accepted), best)
    restrictions = space.priced_restrictions(budget.may_go_on)
    number = shown.index(best)
    options = [space.explained(c) if place == number else space.suggestion(c) for place, c in enumerate(shown)]
    options = [space.with_bounds(option, budget.may_go_on) for option in options]
    return Suggestions(
        region=space.now.region,
        current=current,
        bound=space.outlook.bounds[0],
        bound_kind=space.bound_kind,
        options=tuple(options),
        recommended=number,
        why=why if options[number].written else _UNCHANGED,
        restrictions=restrictions.priced,
        unpriced=restrictions.unpriced,
        what_if=space.what_if(budget.may_go_on),
        plans=len(candidates),
        is_complete=is_complete,
        outlook=space.outlook,
        most_plans=budget.plans,
        currency=space.now.totals.currency or "USD",
        refused=space.refused(candidates),
        price_age=space.now.shown_age,
        services=space.now.services or None,
        left_pending=space.left_pending(candidates, best),
    )


def _searched(
    space: Space, allowances: Allowances, budget: SearchBudget, may_search: Callable[[], bool], seed: int
) -> tuple[list[PoolChoice], bool]:
    """Return the candidates that were planned, and whether nothing was left to try."""
    if space.outlook.unplanned:
        return [], False  # what was not judged in every scenario is not offered
    # Some plans are kept for simpler terms, which are looked for beside the best.
    plans = budget.plans - min(_KEPT, budget.plans // 4)
    searched = SearchBudget(plans, lambda: may_search() and budget.may_go_on())
    candidates = search(space.choices, space.evaluate, allowances, space.current, searched, seed, space.judge)
    is_complete = len(candidates) < searched.plans and searched.may_go_on()
    candidates = _judged_late(space, candidates, allowances, budget)
    return [*candidates, *_simpler(space, candidates, allowances, budget)], is_complete


def _judged_late(
    space: Space, candidates: Sequence[PoolChoice], allowances: Allowances, budget: SearchBudget
) -> list[PoolChoice]:
    """Return the candidates, of which some that risk less than those that were judged are judged now: for the table of
    alternatives."""
    kept = [c for c in candidates if keeps(c.figures, allowances, space.current)]
    front = [c for c in pareto_front(kept) if c.expected is None and (c.figures.price or 0.0) <= (space.current.price or 0.0)]
    judged = {
        c.choice: space.judge.judged(c, space.outlook.expected, budget.may_go_on)
        for c in front[:_JUDGED_LATE]
        if budget.may_go_on()
    }
    return [judged.get(c.choice, c) for c in candidates]


def _simpler(space: Space, candidates: Sequence[PoolChoice], allowances: Allowances, budget: SearchBudget) -> list[PoolChoice]:
    """Return simpler candidates than the cheapest that cost hardly more: as people write them, without what does not pay."""
    best = min(_worth_having(space, candidates, allowances), key=lambda c: c.mean, default=None)
    if best is None or not best.choice:
        return []
    limit, simplest = best.mean * _SIMPLER, best
    found: list[PoolChoice] = []
    pools = {choices.pool: choices for choices in space.choices}
    tried = {best.choice}
    for _ in range(_ROUNDS):
        before = simplest
        options = [c for c in plainer(simplest.choice, pools) if simplicity(c) < simplicity(simplest.choice) and c not in tried]
        for choice in sorted(dict.fromkeys(options), key=simplicity):
            if len(candidates) + len(found) >= budget.plans:
                return found
            tried.add(choice)
            for figures in space.evaluate([choice], budget.may_go_on):
                candidate = PoolChoice(choice, figures)
                if keeps(figures, allowances, space.current):
                    candidate = space.judge.judged(candidate, min(limit, space.outlook.expected), budget.may_go_on)
                found.append(candidate)
                if candidate.expected is not None and not candidate.breaks:
                    simplest = min(simplest, candidate, key=lambda c: simplicity(c.choice))
            if simplest is not before or not budget.may_go_on():
                break
        if simplest is before:
            break
    return found


def _gates_without_file(allowances: Allowances) -> Gates:
    """Return the gates that apply where none are configured. Who allows arm64 declares what its rule asks for."""
    gates = default_gates()
    if not allowances.arm64:
        return gates
    declared = {**gates.settings[architecture.id], MULTI_ARCH.name: True}
    return replace(gates, settings={**gates.settings, architecture.id: declared})


def _worth_having(space: Space, candidates: Sequence[PoolChoice], allowances: Allowances) -> list[PoolChoice]:
    """Return the candidates that keep what has to be kept, break no rule, and cost no more than the current NodePools, now and
    on average, if these keep it as well. Candidates that change nothing are left out, unless there is nothing else.
    """
    current = space.current
    kept = [c for c in candidates if c.expected is not None and not c.breaks and keeps(c.figures, allowances, current)]
    if not keeps(current, allowances, current):
        return kept
    most, mean = (current.price or 0.0) + _ROUNDING, space.outlook.expected + _ROUNDING
    better = [c for c in kept if (c.figures.price or 0.0) <= most and c.mean <= mean]
    different = [c for c in better if c.mean < mean - 2 * _ROUNDING or c.figures != current]
    return different or better[:1] or [space.unchanged]


def _nothing_keeps(allowances: Allowances, current: CostAndRisk) -> InputError:
    """Return the error that no candidate keeps what has to be kept."""
    if allowances.keep:
        text = f"no plan of those that were made keeps {', '.join(sorted(allowances.keep))}, and the bounds on nodes"
        return InputError.one(Place.of(KEEP), text, "fewer of them, or more plans")
    text = "none of the plans has that many nodes"
    return InputError.one(Place.of(MIN_NODES, MAX_NODES), text, f"such as today's {current.nodes:,}")
