"""The differences between two sides as a page: the change, the nodes that it replaces, and when each of them is replaced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from markupsafe import Markup

from cutlist.disruption.drifted_nodes import in_words
from cutlist.disruption.rollout import Turn
from cutlist.planning.model.comparison import Comparison
from cutlist.report.html.deltas import deltas
from cutlist.report.html.rendering import render
from cutlist.verbs.budgets.timeline import Lane, time_strip
from cutlist.verbs.diff import headline, price_words, words
from cutlist.verbs.diff.answer import Difference
from cutlist.verbs.diff.because import Because
from cutlist.verbs.diff.columns import FIELDS, PAGE_WORDS, edit_columns, largest_first, page_pools, page_turns, pool_rows
from cutlist.verbs.diff.first_screen import DiffFirst
from cutlist.verbs.diff.nodes import BlastRadius
from cutlist.verbs.diff.shown_prices import signed
from cutlist.verbs.diff.volumes import volume_sentence


def diff_html(difference: Difference) -> str:
    """Return the difference as one page; if nodes are given, with those that are replaced, in which order and when at the
    earliest."""
    return render("diff/page.html.j2", **page_values(difference))


def page_values(difference: Difference) -> dict[str, Any]:
    """Return what the page of a difference shows, by the names of its template."""
    blast = difference.blast
    turns = () if blast is None else blast.rollout.turns
    first = DiffFirst.of(difference, deltas(difference.comparison))
    listed = words.without_drift(difference.comparison)
    pools = () if difference.comparison.is_same else largest_first(pool_rows(difference))
    return {
        "words": PAGE_WORDS,
        "difference": difference,
        "listed": listed,
        "blast": blast,
        "scope": headline.scope_sentence(difference),
        "first": first,
        "ages": difference.comparison.price_ages,
        "details": _has_details(listed),
        "objects": difference.objects or (),
        "fields": FIELDS,
        "pool_rows": pools,
        "pool_columns": page_pools(difference, pools),
        "edits": () if difference.because is None or first.more_drivers <= 0 else difference.because.edits,
        "edit_columns": edit_columns(difference.month.currency),
        "volumes": volume_sentence(difference.volumes, difference.month.currency),
        "trap_sentence": price_words.trap_sentence,
        "other_parts": []
        if difference.because is None or first.more_drivers <= 0
        else _other_parts(difference, difference.because),
        "how_parts_are_made": price_words.how_parts_are_made(difference),
        "object_name": words.object_name,
        "object_effect": words.object_effect,
        "sentences": [] if blast is None else list(_sentences(blast)),
        "turns": turns,
        "turn_columns": () if blast is None else page_turns(blast.now),
        "strip": None if blast is None else _strip(turns, blast.now),
        "pools": [*(change.node_pool for change in difference.comparison.nodes), *(turn.pool for turn in turns)],
    }


def _other_parts(difference: Difference, reasons: Because) -> list[tuple[str, str]]:
    """Return the parts that are not those of single edits as amounts, with what each is for."""
    return [(signed(part, difference.month.currency), what) for part, what in price_words.other_parts(reasons)]


def _has_details(comparison: Comparison) -> bool:
    """Tell whether there is more to say of the change than the headline does."""
    return any((comparison.nodes, comparison.pending, comparison.existing, comparison.new_notes, comparison.gone_notes))


def _sentences(blast: BlastRadius) -> Iterator[str]:
    """Yield for each NodePool which nodes drift or may drift, and what causes it."""
    for nodes in (blast.replaced, blast.possible):
        for pool in sorted({node.node_pool for node in nodes}):
            yield in_words(pool, [node for node in nodes if node.node_pool == pool])


def _strip(turns: Sequence[Turn], now: float) -> Markup:
    """Return a lane for each NodePool; nodes that are never replaced have no mark."""
    spans: dict[str, list[tuple[float, float]]] = {turn.pool: [] for turn in turns}
    for turn in turns:
        if turn.starts is not None:
            spans[turn.pool].append((turn.starts, turn.starts if turn.ends is None else turn.ends))
    lanes = [Lane(pool, tuple(pool_spans)) for pool, pool_spans in sorted(spans.items())]
    return time_strip(lanes, now, "Nodes that are replaced")
