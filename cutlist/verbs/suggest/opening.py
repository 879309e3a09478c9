"""The sentences below the headline of suggestions, and the bound among them."""

from __future__ import annotations

from cutlist.core.wording import counted
from cutlist.settings.suggest import BOUND
from cutlist.verbs.suggest.amounts import EQUAL, part_in_words
from cutlist.verbs.suggest.risk_words import gives_up
from cutlist.verbs.suggest.saving_words import mean_sentence
from cutlist.verbs.suggest.suggestions import Suggestions
from cutlist.verbs.suggest.usage_words import usage_lead


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


def bound_sentence(suggestions: Suggestions) -> str:
    """Return the bound, and how far the prices are above it."""
    kind = "" if suggestions.bound_kind == "linear" else f" ({BOUND.flag} {suggestions.bound_kind})"
    quick = suggestions.outlook.quick
    short = f" Time was short: the least of {counted(quick, 'scenario')} is known less exactly." if quick else ""
    least = suggestions.money.part(suggestions.bound).month()
    # The least of all choices knows more than what a packing costs: the order in which Karpenter fills nodes, and limits.
    nothing = "No choice of instance types" if 0 in suggestions.outlook.counted else "No choice of nodes that are allowed"
    bound = f"{nothing} costs less than {least} a month{kind}"
    return f"{bound}{_far_above(suggestions)}.{_more_placed(suggestions)}{short}"


def _far_above(suggestions: Suggestions) -> str:
    """Return how far today's plan and the recommended option are above the bound, with a colon before it."""
    best = suggestions.best
    now, then = suggestions.above_bound(suggestions.current), suggestions.above_bound(best.figures, best)
    mean = suggestions.above_expected_bound(best.expected, best)
    if now is None or then is None:
        return ""
    average = "" if mean is None else f", on average over the scenarios {part_in_words(mean)}"
    of_now = "at that price" if now < EQUAL else f"{part_in_words(now)} above that"
    if not best.pools:
        return f": today's plan is {of_now}{average}"
    if part_in_words(now) == part_in_words(then):
        return f": today's plan is {of_now}, and so is the suggestion{average}"
    of_then = "at that price" if then < EQUAL else part_in_words(then) + ("" if now >= EQUAL else " above that")
    return f": today's plan is {of_now}, the suggestion {of_then}{average}"


def _more_placed(suggestions: Suggestions) -> str:
    """Return how many of today's pending pods the recommended option places, and their bound, after a space; empty without
    any."""
    best, current = suggestions.best, suggestions.current
    more = current.pending_pods - best.figures.pending_pods
    if more <= 0 or not best.bounds:
        return ""
    least = suggestions.money.part(best.bounds[0]).month()
    those = "it" if more == 1 else "them"
    return f" It places {counted(more, 'more pod')} than today; with {those} nothing costs less than {least}."
