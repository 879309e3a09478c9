"""What a change does to a stack, in sentences, as text and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cutlist.core.money import money_sum
from cutlist.core.wording import counted
from cutlist.infrastructure.costs import Bill
from cutlist.report.estimates import Money
from cutlist.report.markup import words
from cutlist.report.page import GOOD, HEADING, QUIET, WARN, Page
from cutlist.report.plain import escape
from cutlist.verbs.diff.words import more_or_fewer
from cutlist.verbs.preview.since import PlanSince, ResourceSince, StackSince
from cutlist.verbs.preview.text import total_of

_NAMED: Final = 12  # resources of one kind of change that are named
_INPUTS: Final = 4  # changed inputs of one resource that are named


def since_sentence(since: StackSince, bill: Bill) -> tuple[str, str]:
    """Return what changes in money, and the rest of the sentence: before and now, nodes, pending pods and resources. `bill` is
    what the stack costs now."""
    if since.costs is None:
        return f"New since {since.base}", ": the stack is not there, so nothing is compared."
    if since.is_same and since.costs.usd_per_hour == bill.usd_per_hour:
        return f"No change since {since.base}", ": money, nodes, pending pods and resources are as before."
    before, after = (at_least(of) for of in (since.costs, bill))
    counts = [_count(since, change) for change in ("added", "removed", "changed")]
    listed = "; ".join(filter(None, (", ".join(_counts(since.plans)), ", ".join(filter(None, counts)))))
    money = _money(since.costs, bill)
    both = f"{before} before, {after} now" if before != after else f"{after} a month"
    return f"Since {since.base}: {money}", f" ({both}){f'; {listed}' if listed else ''}."


def render_since(since: StackSince, bill: Bill, width: int = 100, colour: bool = False) -> str:
    """Return what changes as text of at most `width` columns."""
    page = Page(width)
    money, rest = since_sentence(since, bill)
    page.opening(money, escape(rest), GOOD if since.is_same else HEADING)
    for text in replaced_sentences(since):
        page.paragraph(escape(text), first="  ", indent=2, style=WARN)
    for text in resource_sentences(since):
        page.paragraph(escape(text), first="  ", indent=2, style=QUIET)
    return page.text(colour=colour)


def since_markdown(since: StackSince, bill: Bill) -> list[str]:
    """Return what changes as lines of Markdown."""
    money, rest = since_sentence(since, bill)
    items = [f"- {words(text)}" for text in (*replaced_sentences(since), *resource_sentences(since))]
    return [f"**{words(money)}**{words(rest)}", "", *items, *([""] if items else [])]


def replaced_sentences(since: StackSince) -> Iterator[str]:
    """Yield which nodes are replaced, and by what; with the name of the plan where there are several."""
    for of in since.plans:
        name = f" of {of.plan}" if len(since.plans) > 1 else ""
        for index, text in enumerate(of.replaced):
            yield text if index else f"{'Nodes' if text.startswith('no ') else 'This replaces nodes'}{name}: {text}"


def resource_sentences(since: StackSince) -> Iterator[str]:
    """Yield the resources of each kind of change in a sentence."""
    for change in ("added", "removed", "changed"):
        found = [of for of in since.resources if of.change == change]
        if found:
            named = ", ".join(map(_named, found[:_NAMED]))
            more = f" and {len(found) - _NAMED:,} more" if len(found) > _NAMED else ""
            yield f"{counted(len(found), 'resource')} {change}: {named}{more}"


def at_least(bill: Bill) -> str:
    """Return what a stack costs a month, and whether that is all."""
    return f"{'' if bill.is_complete else 'at least '}{total_of(bill)}"


def _money(before: Bill, after: Bill) -> str:
    """Return how much more a stack costs a month. Estimates with a range are not subtracted from each other."""
    change = money_sum((after.usd_per_hour, -before.usd_per_hour))
    if before.price_range is not None or after.price_range is not None or before.currency != after.currency:
        return "the same price" if not change else f"{'a higher' if change > 0 else 'a lower'} price"
    amount = Money(abs(change), None, after.currency).month()
    return f"{amount} {'more' if change > 0 else 'less'} a month" if change else "the same price"


def _counts(plans: Sequence[PlanSince]) -> Iterator[str]:
    """Yield how many more or fewer nodes and pending pods there are than before."""
    nodes = sum((of.after.nodes if of.after else 0) - (of.before.nodes if of.before else 0) for of in plans)
    pending = sum((of.after.pending if of.after else 0) - (of.before.pending if of.before else 0) for of in plans)
    yield from filter(None, (more_or_fewer(nodes, "node"), more_or_fewer(pending, "pending pod")))


def _count(since: StackSince, change: str) -> str:
    count = sum(of.change == change for of in since.resources)
    return f"{counted(count, 'resource')} {change}" if count else ""


def _named(resource: ResourceSince) -> str:
    """Return the last part of a type with the name, and which inputs differ."""
    name = f"{resource.type.rpartition(':')[2]}/{resource.name}"
    more = ", ..." if len(resource.inputs) > _INPUTS else ""
    return f"{name} ({', '.join(resource.inputs[:_INPUTS])}{more})" if resource.inputs else name
