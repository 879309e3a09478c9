"""Suggested NodePools as text for a terminal: the money first, then the options, their edits, and what restrictions cost."""

from __future__ import annotations

from typing import Final

from cutlist.answers.rightsizing import UsageSavings
from cutlist.answers.suggest import Suggestion, Suggestions, WhatIf
from cutlist.optimization.evaluation import Figures
from cutlist.planning.model import HOURS_PER_MONTH
from cutlist.report.page import GOOD, HEADING, QUIET, Column, Group, Page, Row
from cutlist.report.plain import counted, per_hour, per_month, percent

_COLUMNS: Final = (
    Column("", "right"),
    Column("$/hour", "right"),
    Column("$/month", "right"),
    Column("above bound", "right"),
    Column("nodes", "right"),
    Column("lost with a node", "right"),
    Column("with a zone", "right"),
    Column("in one spot pool", "right"),
)


def render_suggestions(suggestions: Suggestions, width: int = 100, colour: bool = False) -> str:
    """Return suggestions as text of at most `width` columns; with colour as ANSI codes. Ends in a newline."""
    page = Page(width)
    page.line((verdict(suggestions), HEADING))
    page.paragraph(bound_sentence(suggestions))
    page.blank()
    rows = [Row(("now", *_cells(suggestions, suggestions.current)))]
    rows += [Row((_mark(suggestions, n), *_cells(suggestions, o.figures))) for n, o in enumerate(suggestions.options)]
    page.table(_COLUMNS, [Group("", tuple(rows))])
    page.paragraph(f"* recommended: {suggestions.why}. Pods that are lost when the fullest node or zone fails.", style=QUIET)
    for number, option in enumerate(suggestions.options):
        _edits(page, suggestions, number, option)
    _restrictions(page, suggestions)
    _what_if(page, suggestions)
    if suggestions.usage is not None:
        page.bullets("Requests by measured use", usage_sentences(suggestions.usage))
    page.blank()
    page.paragraph(search_sentence(suggestions), style=QUIET)
    return page.text(colour=colour)


def verdict(suggestions: Suggestions) -> str:
    """Return in one line what may be saved."""
    best, current = suggestions.options[suggestions.recommended].figures, suggestions.current
    saved = (current.price or 0.0) - (best.price or 0.0)
    if saved <= 0:
        return f"{_monthly(current)} a month, and nothing cheaper was found"
    part = percent(saved / (current.price or 1.0))
    return f"${per_month(saved * HOURS_PER_MONTH)} a month less: {_monthly(best)} instead of {_monthly(current)} ({part})"


def bound_sentence(suggestions: Suggestions) -> str:
    """Return the bound, and how far the prices are above it."""
    best = suggestions.options[suggestions.recommended].figures
    bound = f"No packing on nodes that are allowed costs less than ${per_hour(suggestions.bound)} an hour"
    now, then = (suggestions.above_bound(figures) for figures in (suggestions.current, best))
    return f"{bound}." if now is None else f"{bound}: the plan is {percent(now)} above that now, and {percent(then)} then."


def search_sentence(suggestions: Suggestions) -> str:
    """Return how the options were found."""
    ended = "nothing further was found" if suggestions.is_complete else "more plans may find more (--plans, --seconds)"
    return f"{counted(suggestions.plans, 'plan')} made; {ended}. Each price is that of `cutlist plan` for these NodePools."


def _monthly(figures: Figures) -> str:
    return f"${per_month((figures.price or 0.0) * HOURS_PER_MONTH)}"


def _mark(suggestions: Suggestions, number: int) -> str:
    return f"{'*' if number == suggestions.recommended else ''}{number + 1}"


def _cells(suggestions: Suggestions, figures: Figures) -> tuple[str, ...]:
    price = figures.price or 0.0
    return (
        per_hour(price),
        per_month(price * HOURS_PER_MONTH),
        percent(suggestions.above_bound(figures)),
        f"{figures.nodes:,}",
        f"{figures.lost_with_node:,}",
        f"{figures.lost_with_zone:,}",
        percent(figures.spot_share),
    )


def _edits(page: Page, suggestions: Suggestions, number: int, option: Suggestion) -> None:
    page.blank()
    style = GOOD if number == suggestions.recommended else HEADING
    page.line((f"{number + 1}", style), "" if option.edits else "  nothing changes")
    for edit in option.edits:
        page.paragraph(edit.words, first="  - ", indent=4)


def _restrictions(page: Page, suggestions: Suggestions) -> None:
    if not suggestions.restrictions:
        return
    page.blank()
    page.line(("What restrictions cost a month, each removed alone", HEADING))
    for restriction in suggestions.restrictions:
        page.line(f"  ${per_month(restriction.price * HOURS_PER_MONTH):>10}  ", restriction.what)


def _what_if(page: Page, suggestions: Suggestions) -> None:
    if not suggestions.what_if:
        return
    page.blank()
    page.line(("What if, with the NodePools of now", HEADING))
    columns = (Column("", "left", 20), Column("$/month", "right"), Column("against now", "right"), Column("nodes", "right"))
    rows = [Row((w.what, *what_if_cells(suggestions, w))) for w in suggestions.what_if]
    page.table((*columns, Column("pending", "right")), [Group("", tuple(rows))])


def what_if_cells(suggestions: Suggestions, other: WhatIf) -> tuple[str, ...]:
    """Return price a month, what that is against now, nodes and pending pods, in words."""
    figures, now = other.figures, suggestions.current.price or 0.0
    counts = (f"{figures.nodes:,}", f"{figures.pending_pods:,}")
    if figures.price is None:
        return ("unknown", "-", *counts)
    change = f"{figures.price / now - 1:+.0%}" if now else "-"
    return (per_month(figures.price * HOURS_PER_MONTH), change, *counts)


def usage_sentences(usage: UsageSavings) -> list[str]:
    """Return what requests by use save, which of them matter, and what was measured in vain."""
    before, after = ((f.price or 0.0) * HOURS_PER_MONTH for f in (usage.before, usage.after))
    change = f"${per_month(before)} a month as written, ${per_month(after)} by use"
    sentences = [f"{counted(len(usage.changes), 'request')} of {counted(len(usage.workloads), 'workload')} change: {change}"]
    mattering = [w for w in usage.workloads if w.price]
    for workload in mattering:
        verb = "saves" if workload.price > 0 else "costs"
        nodes = (
            f", {counted(abs(workload.nodes), 'node')} {'fewer' if workload.nodes > 0 else 'more'}" if workload.nodes else ""
        )
        money = f"${per_month(abs(workload.price) * HOURS_PER_MONTH)} a month"
        sentences.append(f"{workload.workload}: changing {counted(workload.requests, 'request')} alone {verb} {money}{nodes}")
    rest = [w for w in usage.workloads if not w.price]
    if rest:
        requests = counted(sum(w.requests for w in rest), "request")
        sentences.append(
            f"{requests} of {counted(len(rest), 'workload')} save nothing when changed alone: no node is cheaper or fewer"
        )
    if usage.unknown:
        sentences.append(f"measured, and not in the input: {', '.join(usage.unknown)}")
    return sentences
