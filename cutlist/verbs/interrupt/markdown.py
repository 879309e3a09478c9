"""The consequences of a loss of spot capacity, as a comment on a pull request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.core.wording import counted
from cutlist.disruption.spot_loss import SpotLoss
from cutlist.report.columns import in_currency, short_table
from cutlist.report.estimates import currency_of
from cutlist.report.markup import MARKED, at_most, code, folded, words
from cutlist.report.plain import instant
from cutlist.report.price_sources import age_lines
from cutlist.verbs.interrupt.columns import COMMENT, ChangedNode, launched_nodes, lost_nodes
from cutlist.verbs.interrupt.words import change_of, costs_of

_NODES: Final = 10
_PENDING: Final = 6


def interrupt_markdown(loss: SpotLoss) -> str:
    """Return the loss as Markdown of less than 60 lines. Ends in a newline."""
    new = counted(len(loss.launched), "new node")
    verdict = f"**{counted(loss.waiting, 'pod')} pending**" if loss.waiting else "every pod finds room"
    lines = [
        f"### Without spot in {code(loss.zone or loss.region)}",
        "",
        f"{counted(len(loss.lost), 'node')} with {counted(loss.displaced, 'pod')} lost as of {instant(loss.before.now)}: "
        f"{counted(loss.moved, 'pod')} to existing nodes, {new}, {verdict}. {_price(loss)}",
        "",
    ]
    lines += [f"**Nothing can be placed**: {words(loss.error)}", ""] if loss.error else []
    pending = [f"{counted(pods.count, 'pod')} of {code(pods.pod)}: {words(pods.why)}" for pods in loss.pending]
    lines += [*at_most(_PENDING, pending), ""] if pending else []
    lines += _nodes("Lost", lost_nodes(loss))
    lines += _nodes("Launched", launched_nodes(loss))
    lines += age_lines(loss.price_age)
    return "\n".join(lines).rstrip() + "\n"


def _price(loss: SpotLoss) -> str:
    before, after = (cost.month() for cost in costs_of(loss, "\\*"))
    change = change_of(loss)
    span = f" ({change.change_span()})" if change.of is not None else ""
    return f"{before[:1].upper()}{before[1:]} -> {after} a month{span}.{MARKED if loss.prices.estimated else ''}"


def _nodes(title: str, nodes: Sequence[ChangedNode]) -> list[str]:
    if not nodes:
        return []
    columns = in_currency(COMMENT, currency_of(one.price for one in nodes))
    rows = short_table(columns, nodes, _NODES, lambda hidden: (f"and {len(hidden):,} more",))
    return folded(f"{title} ({len(nodes):,})", rows)
