"""A stack's preview as a comment on a pull request: the money, the plans of its nodes, then bill and components, folded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.core.services import AddedByService
from cutlist.core.wording import counted
from cutlist.infrastructure.costs import Bill
from cutlist.planning.model import Plan
from cutlist.report.columns import cells, in_currency, short_table, titles
from cutlist.report.markup import MARKED, folded, table, words
from cutlist.verbs.plan.markdown import plan_markdown
from cutlist.verbs.preview.amounts import BillAmounts
from cutlist.verbs.preview.columns import COMMENT, COMPONENTS, LOOK_UPS
from cutlist.verbs.preview.look_ups import HINT, ShownLookUp
from cutlist.verbs.preview.record import ShownComponent
from cutlist.verbs.preview.services import services_markdown
from cutlist.verbs.preview.since import StackSince, comparable
from cutlist.verbs.preview.since_words import since_markdown
from cutlist.verbs.preview.text import LEFT_OUT, headline_of_preview

_CHARGES: Final = 20  # rows of the bill
_COMPONENTS: Final = 20
_LOOK_UPS: Final = 20


def preview_markdown(
    stack: str,
    resources: int,
    bill: Bill,
    plans: Sequence[Plan],
    components: Sequence[ShownComponent],
    earlier: Sequence[Plan | None] = (),
    services: Sequence[AddedByService] = (),
    look_ups: Sequence[ShownLookUp] = (),
    since: StackSince | None = None,
) -> str:
    """Return the preview as Markdown. It begins with what changes since a base; a plan of which there is an `earlier` one, of
    the same region, with what changes since that. Ends in a newline."""
    money, what = headline_of_preview(stack, resources, bill)
    lines = [] if since is None else since_markdown(since, bill)
    lines += [f"**{words(money)}**{words(what)}", ""]
    for plan, before in zip(plans, earlier or (None,) * len(plans), strict=True):
        lines += [*plan_markdown(plan, comparable(before, plan)).rstrip().split("\n"), ""]
    lines += _bill(bill)
    lines += services_markdown(services)
    lines += _components(components)
    lines += _look_ups([look_up for look_up in look_ups if look_up.is_open])
    return "\n".join(lines).rstrip() + "\n"


def _bill(bill: Bill) -> list[str]:
    if not bill.charges:
        return []
    amounts = BillAmounts.of(bill)
    columns = in_currency(COMMENT, bill.currency)
    rows = [cells(columns, charge) for charge in amounts.charges[:_CHARGES]]
    if more := amounts.charges[_CHARGES:]:
        rows.append([f"and {counted(len(more), 'more charge')}"])
    rows.append(["resources whose price is known", "", "", _marked(amounts.resources, bill.has_estimated_charges)])
    if amounts.nodes is not None:
        rows.append(["nodes of the plan", "", "", _marked(amounts.nodes, bill.nodes_estimated)])
    total = "total" if bill.is_complete else "total, at least"
    rows.append([f"**{total}**", "", "", f"**{_marked(amounts.total, bill.has_estimates)}**"])
    marked = MARKED if bill.has_estimates else ""
    notes = ["", f"{LEFT_OUT}{marked}"]
    return folded("What it costs", [*table(titles(columns), rows), *notes])


def _marked(month: str, estimated: bool) -> str:
    return f"{month}\\*" if estimated else month


def _components(components: Sequence[ShownComponent]) -> list[str]:
    if not components:
        return []
    rows = short_table(COMPONENTS, components, _COMPONENTS, lambda hidden: (f"and {counted(len(hidden), 'more component')}",))
    return folded("Components", rows)


def _look_ups(look_ups: Sequence[ShownLookUp]) -> list[str]:
    if not look_ups:
        return []
    rows = short_table(LOOK_UPS, look_ups, _LOOK_UPS, lambda hidden: (f"and {counted(len(hidden), 'more look-up')}",))
    return folded("Look-ups without an answer", [*rows, "", words(HINT)])
