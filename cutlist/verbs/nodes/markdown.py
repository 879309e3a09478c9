"""The nodes of a cluster as a comment on a pull request: the sums, a row for each NodePool, and the nodes folded."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import Final

from cutlist.core.wording import counted
from cutlist.planning.model.extended import use_in_words
from cutlist.report.columns import cells, for_rows, titles
from cutlist.report.comment_parts import weightiest
from cutlist.report.estimates import disks_text
from cutlist.report.markup import code, folded, table, words
from cutlist.report.plain import currency_sign, instant, percent
from cutlist.report.price_sources import age_lines, price_notes
from cutlist.verbs.nodes.columns import comment_columns, pool_columns
from cutlist.verbs.nodes.roster import READY, NodeRow, Roster
from cutlist.verbs.nodes.words import cost_of, node_price_sources, roster_overlay_text

_POOLS: Final = 8
_NODES: Final = 16
_NAMED: Final = 5  # NodeClaims named among those that are being launched


def nodes_markdown(roster: Roster) -> str:
    """Return the nodes as Markdown of less than 60 lines. Ends in a newline."""
    where = f" in {words(roster.region)}" if roster.region else ""
    lines = [f"### Nodes{where}", "", _in_short(roster), ""]
    if roster.launching:
        more = f" and {len(roster.launching) - _NAMED:,} more" if len(roster.launching) > _NAMED else ""
        lines += [f"Being launched: {', '.join(map(code, roster.launching[:_NAMED]))}{more}.", ""]
    for unready in roster.unready_classes[:_NAMED]:
        lines += [f"EC2NodeClass {code(unready.name)} is **not ready**. {words(unready.reason.message)}.", ""]
    lines += _pools(roster)
    lines += _nodes(roster)
    lines += [words(note) for note in price_notes(*node_price_sources(roster.nodes))]
    lines += age_lines(roster.price_age)
    return "\n".join(lines).rstrip() + "\n"


def _in_short(roster: Roster) -> str:
    parts = [f"**{counted(len(roster.nodes), 'node')}**" + (f" as of {instant(roster.now)}" if roster.now else "")]
    if roster.region:
        parts.append(_price(roster))
    if roster.nodes:
        parts.append(f"cpu {percent(roster.fill('cpu'))} and memory {percent(roster.fill('memory'))} requested")
        parts += [words(use_in_words(roster.extended))] if roster.extended else []
    parts.append(counted(roster.pods, "pod"))
    parts.append(f"**{roster.pending:,} of them pending**" if roster.pending else "none of them pending")
    return ", ".join(parts) + "."


def _price(roster: Roster) -> str:
    if roster.price_per_hour is None:
        return "unknown price"
    cost, sign = replace(cost_of(roster, "\\*"), currency=words(roster.currency)), currency_sign(words(roster.currency))
    unknown = f" and {counted(roster.unpriced, 'node')} of unknown price" if roster.unpriced else ""
    disks = disks_text(roster.disk_price_per_hour, roster.without_disks, sign).replace(";", ",")
    ranked = roster_overlay_text(roster, sign).replace(";", ",")
    span = f" ({cost.month_span()})" if cost.of is not None else ""
    return f"**{cost.hour()}** per hour, {cost.month()} per month{span}{unknown}{disks}{ranked}"


def _pools(roster: Roster) -> list[str]:
    """Return a row for each NodePool, with how many of its nodes are not ready; empty if there is only one NodePool."""
    alike = groupby(roster.nodes, key=lambda n: n.pool)
    pools = [(pool, replace(roster, nodes=tuple(members))) for pool, members in alike]
    if len(pools) < 2:
        return []
    columns = for_rows(pool_columns(pools), pools)
    rows = weightiest(pools, _POOLS, lambda pool: _weight(pool[1]), lambda pool: cells(columns, pool), "more NodePool")
    return [*table(titles(columns), rows), ""]


def _weight(of_pool: Roster) -> float:
    return of_pool.price_per_hour or 0.0


def _nodes(roster: Roster) -> list[str]:
    """Return the nodes that are not ready, and the most expensive ones."""
    if not roster.nodes:
        return []
    columns = for_rows(comment_columns(roster), roster.nodes)
    rows = weightiest(roster.nodes, _NODES, _urgency, lambda node: cells(columns, node), "more node")
    return folded(f"Nodes ({len(roster.nodes):,})", table(titles(columns), rows))


def _urgency(node: NodeRow) -> float:
    return float("inf") if node.states != (READY,) else 0.0 if node.price is None else node.price.usd_per_hour
