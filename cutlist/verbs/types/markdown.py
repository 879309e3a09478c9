"""The instance types that NodePools allow as a comment on a pull request: a row for each NodePool, types folded."""

from __future__ import annotations

from typing import Final

from cutlist.planning.model import PoolTypes
from cutlist.report.columns import cells, for_rows, in_currency, titles
from cutlist.report.comment_parts import listed_notes, weightiest
from cutlist.report.markup import code, folded, table, words
from cutlist.report.price_sources import age_lines, price_notes, type_disk_sources, type_price_sources
from cutlist.verbs.types.answer import AllowedTypes
from cutlist.verbs.types.columns import POOLS, comment_columns, currency_of_types, pool_rows

_POOLS: Final = 6
_LISTED: Final = 2  # NodePools whose types are listed
_TYPES: Final = 14  # types listed for all of these together
_NOTES: Final = 2


def types_markdown(answer: AllowedTypes) -> str:
    """Return the types as Markdown of less than 60 lines, of each NodePool the first ones."""
    pools, region = answer.pools, answer.region
    lines = [f"### Instance types in {words(region)}", ""]
    columns = in_currency(POOLS, currency_of_types(pools))
    rows = weightiest(pools, _POOLS, lambda pool: -pool.total, lambda pool: cells(columns, pool), "more NodePool")
    lines += [*table(titles(columns), rows), ""]
    listed = [pool for pool in pools if pool.types][:_LISTED]
    room = min(answer.limit or _TYPES, _TYPES // max(len(listed), 1))
    for pool in listed:
        lines += _types(pool, region, room)
    lines += listed_notes("Findings", answer.notes, _NOTES)
    shown = [row for pool in listed for row in pool.types[:room]]
    lines += [words(note) for note in price_notes(*type_price_sources(shown), type_disk_sources(shown))]
    lines += age_lines(answer.price_age)
    return "\n".join(lines).rstrip() + "\n"


def _types(pool: PoolTypes, region: str, room: int) -> list[str]:
    shown = pool_rows(pool)[:room]
    columns = for_rows(in_currency(comment_columns(region, shown), currency_of_types([pool])), shown)
    rows = [cells(columns, row) for row in shown]
    if pool.total > len(rows):
        rows.append([f"and {pool.total - len(rows):,} more"])
    title = f"**{code(pool.node_pool)}**, cheapest first"
    return [title, "", *folded(f"Types ({pool.total:,})", table(titles(columns), rows))]
