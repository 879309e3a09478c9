"""What a difference amounts to, in its first sentences."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from cutlist.core.wording import counted
from cutlist.disruption.rollout import Turn
from cutlist.planning.model import Plan
from cutlist.report.estimates import Money
from cutlist.report.plain import instant, span
from cutlist.verbs.diff.answer import Difference
from cutlist.verbs.diff.nodes import BlastRadius, ReplacementBudget
from cutlist.verbs.diff.shown_prices import ShownPrices
from cutlist.verbs.diff.words import change_sentence, more_or_fewer, otherwise, price_words


def scope_sentence(difference: Difference) -> str:
    """Return what keeps the sides from being compared completely; empty if nothing does."""
    before, after = difference.scopes
    if difference.objects is None and not (before.workloads or after.workloads):
        return "Neither side has a pod: there is nothing to compare."
    return " ".join(
        text
        for what, first, second in (
            ("NodePool", before.node_pools, after.node_pools),
            ("workload", before.workloads, after.workloads),
        )
        if (text := _scope(what, (first, difference.before), (second, difference.after)))
    )


def _scope(what: str, first: tuple[bool, str], second: tuple[bool, str]) -> str:
    if first[0] and second[0]:
        return ""
    if not first[0] and not second[0]:
        return f"No {what} is on either side: only objects are compared."
    side = first[1] if first[0] else second[1]
    consequence = "nodes, price and pending pods say nothing about the change"
    return f"The sides differ in scope: only {side} has a {what}, so {consequence}."


def has_plan(difference: Difference) -> bool:
    """Tell whether a side has pods, so that there are plans to compare."""
    return difference.objects is None or any(scope.workloads for scope in difference.scopes)


def difference_sentence(difference: Difference) -> str:
    """Return what happens to running nodes, then the change in price, nodes and waiting pods. `No change` stands alone."""
    replaced = "" if difference.blast is None else replacement_sentence(difference.blast)
    if not difference.comparison.is_same:
        return " ".join(filter(None, (replaced, month_sentence(difference))))
    if not (difference.objects or difference.reaches_nodes):
        return change_sentence(difference.comparison) if has_plan(difference) else "No change: the objects are as before."
    changed = f"{counted(len(difference.objects or ()), 'object')} changed"
    plan = f"The plan is the same (nodes, {price_words(difference.comparison)}, pending pods)"
    same = plan if has_plan(difference) else f"{changed}: there is no plan to compare"
    if replaced:
        return f"{replaced} {same}."
    if difference.reaches_nodes:
        return f"{same}, but running nodes are replaced, or may be: see the changed fields."
    return f"{same}; {changed}, and no node is replaced." if has_plan(difference) else f"{changed}, and no node is replaced."


def month_sentence(difference: Difference) -> str:
    """Return what the new nodes cost a month before and after, with the difference, then the change in nodes and waiting
    pods."""
    comparison, month = difference.comparison, difference.month
    before, after = comparison.before.totals, comparison.after.totals
    counts = [more_or_fewer(after.nodes - before.nodes, "node"), more_or_fewer(after.pending - before.pending, "pending pod")]
    shown = ShownPrices.of(month)
    prices = [f"{text}{mark_of(plan)}" for text, plan in zip((shown.before, shown.after), comparison.sides, strict=True)]
    both = f"{prices[0]} before, {prices[1]} now"
    if month.difference is None:
        parts = [f"The change in price is unknown, as some nodes that change have none: {both}"]
    elif month.difference:
        parts = [f"{month_change(difference)} a month: {both}"]
    else:
        but = "" if any(counts) else f", but {otherwise(comparison)}"
        parts = [f"The same price, {prices[1]} a month{but}"]
    disks = ["without disks, whose prices one side lacks"] if comparison.is_without_disks else []
    return ", ".join([*parts, *filter(None, counts), *disks]) + "."


def month_change(difference: Difference) -> str:
    """Return how much more all new nodes cost a month: to the cent, or rounded to what its range supports, with the range."""
    month = difference.month
    change = ShownPrices.of(month).difference
    span = Money(0.0, month.ranges.difference, month.currency).change_span() if month.difference is not None else ""
    return f"{change[:1].upper()}{change[1:]}" + (f" ({span})" if span else "")


def mark_of(plan: Plan) -> str:
    """Return the mark of an estimate without a range."""
    return "*" if plan.has_estimates and plan.totals.price_range is None else ""


def replacement_sentence(blast: BlastRadius) -> str:
    """Return which nodes are replaced, when, and under which budgets; empty if none is."""
    if blast.changes_nothing:
        return ""
    starts = [turn.starts for turn in blast.rollout.turns if turn.starts is not None]
    return _replacement(blast, "node", f", from {instant(min(starts))} on" if starts else "", aged_words(blast))


def planned_replacement_sentence(blast: BlastRadius) -> str:
    """Return the same of nodes that are only planned, without an instant; empty if none is replaced."""
    return (
        "" if blast.changes_nothing else _replacement(blast, "planned node", "", _aged(sum(t.expires for t in _turns(blast))))
    )


def _replacement(blast: BlastRadius, what: str, start: str, aged: str) -> str:
    last, budgets = blast.rollout.last_turn, budget_words(blast.budgets)
    lasting = f" for at least {span(last - blast.now)}" if last is not None else ""
    late = " and ".join(filter(None, (aged, _never(blast))))
    but = f", but {late}" if late else ""
    return f"{happens_to_nodes(blast, what)}{start}{lasting}{but}{f': {budgets}' if budgets else ''}."


def aged_words(blast: BlastRadius) -> str:
    """Return how many of the replaced nodes go only when they expire, and from when on; empty if none does."""
    expiries = [turn.starts for turn in _turns(blast) if turn.expires and turn.starts is not None]
    return f"{_aged(len(expiries))}, from {instant(min(expiries))} on" if expiries else ""


def _aged(count: int) -> str:
    return f"{count:,} {'goes only when it expires' if count == 1 else 'go only when they expire'}" if count else ""


def _never(blast: BlastRadius) -> str:
    """Return how many of the nodes that drift nothing replaces; empty for none."""
    stuck = sum(turn.starts is None for turn in _turns(blast))
    return f"{stuck:,} never {'goes' if stuck == 1 else 'go'}, as things are" if stuck else ""


def _turns(blast: BlastRadius) -> list[Turn]:
    """Return the turns of the nodes that drift because of the edit."""
    replaced = {node.claim for node in blast.replaced}
    return [turn for turn in blast.rollout.turns if turn.claim in replaced]


def budget_words(budgets: Sequence[ReplacementBudget]) -> str:
    """Return what the budgets of NodePools allow, which are given by NodePool; empty without any."""
    return "; ".join(_budget_words(pool, list(of)) for pool, of in groupby(budgets, key=lambda b: b.node_pool))


def _budget_words(pool: str, budgets: Sequence[ReplacementBudget]) -> str:
    limits = [
        budget.nodes + (f" for {budget.duration} from {budget.schedule} UTC" if budget.schedule else " at a time")
        for budget in budgets
    ]
    return f"the budget of NodePool {pool} allows {', and '.join(limits)}"


def happens_to_nodes(blast: BlastRadius, what: str = "node") -> str:
    """Return how many nodes are replaced, deleted, and spared by a change; empty for none."""
    deleted, are = sum(map(len, blast.deleted.values())), "is" if blast.managed == 1 else "are"
    parts = [
        f"{len(blast.replaced):,} of {counted(blast.managed, what)} {are} replaced" if blast.replaced else "",
        f"{counted(deleted, 'node')} deleted at once" if deleted else "",
        f"{counted(len(blast.possible), 'node')} may be replaced" if blast.possible else "",
        f"{counted(len(blast.spared), 'node')} that drifted {'stays' if len(blast.spared) == 1 else 'stay'}"
        if blast.spared
        else "",
    ]
    return ", ".join(filter(None, parts))
