"""Suggested NodePools in words: sentences that several forms share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.core.wording import counted
from cutlist.optimization.evaluation import CostAndRisk
from cutlist.report.estimates import Money
from cutlist.report.plain import per_month, percent
from cutlist.settings.suggest import PLANS, SECONDS, SHOW_REFUSED
from cutlist.verbs.rightsizing import UsageSavings
from cutlist.verbs.suggest.edits import PoolEdit
from cutlist.verbs.suggest.suggestions import Refusal, Suggestion, Suggestions
from cutlist.workloads.usage.measured import MEMORY

_DAYS: Final = 30
_EVERY: Final = "one interruption "
_SHOWN: Final = 3
"""How many edits of a refused option are named."""
_NOTHING: Final = 1e-6
"""USD/hour below which nothing is saved."""
_HARDLY: Final = 0.01
"""The part of the price below which a saving is not worth a headline."""


def verdict(suggestions: Suggestions) -> str:
    """Return in one line what may be saved."""
    best, current = suggestions.best.figures, suggestions.before
    saved = (current.lasting or 0.0) - (best.lasting or 0.0)
    if suggestions.best.written and saved <= _HARDLY * (current.price or 0.0):
        return _verdict_on_average(suggestions)
    if not suggestions.best.written:
        now = month_of(suggestions, current)
        return f"{now[:1].upper()}{now[1:]} a month, and nothing cheaper was found"
    part = percent(saved / (current.price or 1.0))
    instead = f"{month_of(suggestions, best)} instead of {month_of(suggestions, current)}"
    of = current.deviations.minus(best.deviations).around(saved)
    money = Money(saved, of, suggestions.currency)
    span = f" ({money.month_span()})" if of is not None else ""
    doubt = ", which is within the error of estimated prices" if of is not None and of.low <= 0 else ""
    less = f"{money.month(per_month)} a month less{span}{doubt}: {instead} ({part})"
    return f"{less[:1].upper()}{less[1:]}"


def _verdict_on_average(suggestions: Suggestions) -> str:
    """Return what is saved on average over the scenarios by an option that saves hardly anything now."""
    best, before = suggestions.best.expected, suggestions.outlook.expected
    if best >= before:
        now = month_of(suggestions, suggestions.best.figures)
        return f"{now[:1].upper()}{now[1:]} a month, about as much as now"
    current, then = suggestions.current, suggestions.best.figures
    of = current.deviations.minus(then.deviations).around(before - best)
    doubt = ", which is within the error of estimated prices" if of is not None and of.low <= 0 else ""
    less = f"{mean_of(suggestions, before - best)} a month less on average{doubt}, and about as much as now with today's pods"
    return f"{less[:1].upper()}{less[1:]}: {percent(1 - best / before)} over the scenarios"


def opening(suggestions: Suggestions) -> list[str]:
    """Return the sentences below the verdict: parts of the saving, the mean, what is given up, and the bound."""
    sentences = (running_sentence, usage_lead, mean_sentence, gives_up, bound_sentence)
    return [said for sentence in sentences if (said := sentence(suggestions))]


def running_sentence(suggestions: Suggestions) -> str:
    """Return which pods of a cluster are planned for; empty without a cluster."""
    running = suggestions.running
    if running is None:
        return ""
    pods, nodes = counted(running.pods, "pod"), counted(running.nodes, "node")
    launched = counted(suggestions.current.nodes, "node")
    runs = "runs" if running.pods == 1 else "run"
    return (
        f"The workload is {pods} that {runs} on {nodes} of the NodePools, placed again from scratch: today's NodePools would "
        f"launch {launched} for what needs one."
    )


def mean_sentence(suggestions: Suggestions) -> str:
    """Return what the recommended option costs on average over the scenarios, and in the most expensive of them."""
    best, outlook = suggestions.best, suggestions.outlook
    mean, before = (mean_of(suggestions, amount) for amount in (best.expected, outlook.expected))
    saved = percent(1 - best.expected / outlook.expected) if outlook.expected else ""
    each = (best.figures, *best.elsewhere)
    settled = "" if best.figures.settled is None else ", once Karpenter has settled"
    judged = [number for number, scenario in enumerate(outlook.scenarios) if scenario.weight]
    if len(each) < len(outlook.scenarios) or not judged:
        return ""
    number = max(judged, key=lambda n: each[n].lasting or 0.0)
    worst, then = month_of(suggestions, each[number]), month_of(suggestions, outlook.today[number])
    over = f"On average over {counted(len(judged), 'scenario')}{settled}"
    what = outlook.scenarios[number].what
    if not best.written:
        return f"{over} {before} a month; most in {what}: {then}."
    return f"{over} {mean} a month instead of {before} ({saved}); most in {what}: {worst} instead of {then}."


def gives_up(suggestions: Suggestions) -> str:
    """Return what the recommended option gives up, and how often its spot nodes are interrupted."""
    best, now = suggestions.best.figures, suggestions.current
    if not suggestions.best.written:
        return ""
    lost = [
        f"{kept.after:,} instead of {counted(kept.before, 'instance type')} in NodePool {kept.node_pool}"
        for kept in suggestions.best.types
        if kept.after < kept.before
    ]
    for what, after, before in (
        ("node", best.lost_with_node, now.lost_with_node),
        ("zone", best.lost_with_zone, now.lost_with_zone),
    ):
        if after > before:
            lost.append(f"{after:,} instead of {counted(before, 'pod')} lost with the fullest {what}")
    sentence = f"It gives up: {'; '.join(lost)}." if lost else "It gives up nothing that is measured here."
    spot = spot_sentence(best, now)
    return f"{sentence} {spot}" if spot else sentence


def spot_sentence(figures: CostAndRisk, before: CostAndRisk) -> str:
    """Return how often spot nodes are interrupted, and how many pods at once, each beside what that is before; empty without
    spot."""
    if not figures.at_once:
        return "No node is on spot any longer." if before.at_once else ""
    at_once = f"at most {percent(figures.at_once)} of pods at once"
    if percent(before.at_once) != percent(figures.at_once) and before.at_once:
        at_once += f" instead of {percent(before.at_once)}"
    often, was = (_interrupted(of) for of in (figures, before))
    if often and was and was != often and None not in (figures.interruptions, before.interruptions):
        often += f" instead of {was.removeprefix(_EVERY)}"
    return f"Spot: {often}; {at_once}." if often else f"Spot: {at_once}."


def _interrupted(figures: CostAndRisk) -> str:
    """Return how often spot nodes are interrupted; empty without spot, or if none ever is."""
    if not figures.at_once or figures.interruptions == 0:
        return ""
    if figures.interruptions is None:
        return "how often it is interrupted is not known"
    days = round(_DAYS / figures.interruptions)
    return f"{_EVERY}every {days:,} days" if days > 1 else f"{figures.interruptions:.0f} interruptions a month"


def bound_sentence(suggestions: Suggestions) -> str:
    """Return the bound, and how far the prices are above it."""
    best = suggestions.best
    kind = "" if suggestions.bound_kind == "linear" else f" ({suggestions.bound_kind} bound)"
    quick = suggestions.outlook.quick
    short = f" Time was short: {counted(quick, 'scenario')} {'has' if quick == 1 else 'have'} the quick bound." if quick else ""
    current = suggestions.current
    least = suggestions.money.part(suggestions.bound).month()
    bound = f"No packing on nodes that are allowed costs less than {least} a month{kind}"
    now, then = suggestions.above_bound(current), suggestions.above_bound(best.figures, best)
    mean = suggestions.above_expected_bound(best.expected, best)
    average = "" if mean is None else f" (on average {percent(mean)})"
    far = "" if now is None else f": the plan is {percent(now)} above that now, and {percent(then)} then{average}"
    return f"{bound}{far}.{_more_placed(suggestions)}{short}"


def _more_placed(suggestions: Suggestions) -> str:
    """Return how many of today's pending pods the recommended option places, and their bound, after a space; empty without
    any."""
    best, current = suggestions.best, suggestions.current
    more = current.pending_pods - best.figures.pending_pods
    if more <= 0 or not best.bounds:
        return ""
    least = suggestions.money.part(best.bounds[0]).month()
    those = "it" if more == 1 else "them"
    return f" It places {counted(more, 'more pod')} than today; with {those} no packing costs less than {least}."


def search_sentence(suggestions: Suggestions) -> str:
    """Return how the options were found."""
    made = _how_far(suggestions)
    refused = len(suggestions.refused)
    stopped = f"; {counted(refused, 'cheaper option')} would break a rule ({SHOW_REFUSED.flag})" if refused else ""
    sentence = f"{made}{stopped}. Each price is that of `cutlist plan` for these NodePools"
    buffers, dropped = suggestions.options[0].buffers, left_pending_sentence(suggestions)
    if not buffers:
        return f"{sentence}.{dropped}"
    spare = f"room for {buffers[0].percentage}% more pods of each workload"
    return f"{sentence} and CapacityBuffers: each plan, including the current one, keeps {spare}.{dropped}"


def left_pending_sentence(suggestions: Suggestions) -> str:
    """Return which cheaper choices were dropped for pods that stay pending in a scenario, after a space; empty without any."""
    left = suggestions.left_pending
    if left is None:
        return ""
    choices, price = counted(left.choices, "choice"), mean_of(suggestions, left.price)
    cost = f"that costs less now ({price} a month)" if left.choices == 1 else f"that cost less now (from {price} a month)"
    where = f"in {left.scenario}" if left.choices == 1 else f"most of them in {left.scenario}"
    return f" Not offered: {choices} {cost} and {'leaves' if left.choices == 1 else 'leave'} more pods pending, {where}."


def _how_far(suggestions: Suggestions) -> str:
    """Return how many candidates were planned, and why no more."""
    planned, outlook = counted(suggestions.plans, "candidate"), suggestions.outlook
    if outlook.unplanned:
        scenarios = f"{len(outlook.scenarios):,} of {counted(len(outlook.scenarios) + outlook.unplanned, 'scenario')}"
        return f"Stopped after {scenarios} and before the search; more time may find something ({SECONDS.flag})"
    if suggestions.is_complete:
        return f"{planned} planned; nothing further was found"
    if suggestions.plans < suggestions.most_plans - suggestions.most_plans // 4:
        return f"The search was stopped after {planned} of {suggestions.most_plans:,}; more time may find more ({SECONDS.flag})"
    return f"{planned} planned; more may find more ({PLANS.flag})"


def part_sentences(suggestions: Suggestions) -> list[str]:
    """Return a line for measured requests, then one for each edit of the recommended option with its part of what is saved
    now."""
    best, usage = suggestions.best, suggestions.usage
    sentences = [] if usage is None or not best.requests else [_requests_part(suggestions, usage)]
    if not best.parts:
        return [*sentences, *(edit.words for edit in best.edits)]
    for part in best.parts:
        what = _unit_words(best, part.unit.node_pool, part.unit.key)
        sentences.append(f"{what}: {_saves(suggestions, part.saves)}")
    return sentences


def _requests_part(suggestions: Suggestions, usage: UsageSavings) -> str:
    of = f"{counted(len(usage.changes), 'request')} of {counted(len(suggestions.best.requests), 'workload')}, by measured use"
    if usage.before.price is None or usage.after.price is None:
        return of
    return f"{of}: {_saves(suggestions, usage.before.price - usage.after.price)}"


def _saves(suggestions: Suggestions, per_hour: float) -> str:
    """Return what an edit does to the price now."""
    if abs(per_hour) < _NOTHING:
        return "saves nothing with today's pods"
    return f"{'saves' if per_hour > 0 else 'costs'} {_rounded(suggestions, abs(per_hour)).month(per_month)} a month"


def short_edit(edit: PoolEdit) -> str:
    """Return an edit in few words: its label without the domain."""
    return f"NodePool {edit.node_pool}: {edit.change_in_words}"


def refusal_words(suggestions: Suggestions, refused: Refusal) -> str:
    """Return what a refused option would cost, what it changes and what it breaks."""
    shown = [short_edit(edit) for edit in refused.edits[:_SHOWN]]
    more = len(refused.edits) - len(shown)
    changes = "; ".join([*shown, *([f"{counted(more, 'more edit')}"] if more else [])])
    return f"{mean_of(suggestions, refused.expected)} a month on average: {', '.join(refused.breaks)} ({changes})"


def month_of(suggestions: Suggestions, figures: CostAndRisk) -> str:
    """Return what a plan costs a month, with its currency."""
    whole = Money(figures.price or 0.0, figures.price_range, suggestions.currency)
    return whole.month(per_month) if figures.settled is None else whole.part(figures.settled).month(per_month)


def mean_of(suggestions: Suggestions, per_hour: float) -> str:
    """Return a mean price a month, with its currency: known no more exactly than today's price."""
    return _rounded(suggestions, per_hour).month(per_month)


def _rounded(suggestions: Suggestions, per_hour: float) -> Money:
    return suggestions.money.part(per_hour)


def _unit_words(option: Suggestion, pool: str, key: str) -> str:
    edits = [edit for edit in option.edits if edit.node_pool == pool and key in ("", edit.key)]
    if key:
        return "; ".join(map(short_edit, edits))
    copied = next(iter(edits))
    changes = "; ".join(edit.change_in_words for edit in edits[1:])
    return f"NodePool {pool}, a copy of {copied.after}: {changes}"


def usage_lead(suggestions: Suggestions) -> str:
    """Return what requests by measured use save and what the NodePools save beyond that; empty without use."""
    usage = suggestions.usage
    if usage is None or usage.before.price is None or usage.after.price is None:
        return ""
    requests = usage.before.price - usage.after.price
    pools = usage.after.price - (suggestions.best.figures.price or 0.0)
    first, second = (
        f"{'save' if saved > 0 else 'cost'} {_rounded(suggestions, abs(saved)).month(per_month)} a month"
        if abs(saved) >= _NOTHING
        else "save nothing with today's pods"
        for saved in (requests, pools)
    )
    sentence = f"Requests by measured use {first}, and the NodePools {second} beyond that."
    return " ".join(filter(None, (sentence, risk_sentence(usage))))


def risk_sentence(usage: UsageSavings) -> str:
    """Return how much of the measured use exceeds the new requests, and how far memory is from the most that was measured."""
    if not usage.risks:
        return ""
    below = [risk for risk in usage.risks if risk.request < risk.p99]
    high = f"{counted(len(below), 'request')} of {len(usage.risks):,} below the 99th percentile of its use"
    named = f" ({', '.join(f'{risk.container} {risk.resource}' for risk in below[:_SHOWN])})" if below else ""
    margins = [risk.request / risk.most - 1 for risk in usage.risks if risk.resource == MEMORY and risk.most]
    if not margins:
        return f"Risk: {high}{named}."
    margin = min(margins)
    memory = f"{percent(abs(margin))} {'above' if margin >= 0 else 'below'} the most that was measured"
    return f"Risk: {high}{named}; requests of memory are {'at least' if margin >= 0 else 'up to'} {memory}."


def usage_sentences(suggestions: Suggestions) -> list[str]:
    """Return what requests by use save, which of them matter, and which measurements have no object; nothing without use."""
    usage = suggestions.usage
    return [] if usage is None else list(_usage_sentences(usage, suggestions.money))


def _usage_sentences(usage: UsageSavings, whole: Money) -> Iterator[str]:
    before, after = (whole.part(figures.price or 0.0).month(per_month) for figures in (usage.before, usage.after))
    change = f"{before} a month as written, {after} by use"
    yield f"{counted(len(usage.changes), 'request')} of {counted(len(usage.workloads), 'workload')} change: {change}"
    for workload in (w for w in usage.workloads if w.price):
        verb = "saves" if workload.price > 0 else "costs"
        nodes = (
            f", {counted(abs(workload.nodes), 'node')} {'fewer' if workload.nodes > 0 else 'more'}" if workload.nodes else ""
        )
        money = f"{whole.part(abs(workload.price)).month(per_month)} a month"
        yield f"{workload.workload}: changing {counted(workload.requests, 'request')} alone {verb} {money}{nodes}"
    rest = [w for w in usage.workloads if not w.price]
    if rest:
        requests = counted(sum(w.requests for w in rest), "request")
        yield f"{requests} of {counted(len(rest), 'workload')} save nothing when changed alone: no node is cheaper or fewer"
    if usage.not_apart:
        yield f"{counted(usage.not_apart, 'more workload')} not planned apart"
    if usage.unknown:
        yield f"measured, and not in the input: {', '.join(usage.unknown)}"
