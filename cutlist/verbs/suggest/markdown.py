"""Suggested NodePools as a comment on a pull request, and as the title and text of one."""

from __future__ import annotations

from typing import Final

from cutlist.core.wording import counted
from cutlist.planning.model.restrictions import RestrictionPrices
from cutlist.report.columns import cells, markdown_table, titles
from cutlist.report.markup import at_most, folded, table, words
from cutlist.report.price_sources import age_lines
from cutlist.report.restrictions import restriction_lines
from cutlist.verbs.suggest.columns import (
    MONEY,
    TOTAL,
    fleet_comment,
    fleet_rows,
    option_comment,
    option_rows,
    scenario_columns,
    scenario_rows,
    what_if_comment,
)
from cutlist.verbs.suggest.edit_words import part_sentences
from cutlist.verbs.suggest.fleet import FleetSuggestions
from cutlist.verbs.suggest.fleet_words import fleet_verdict, state_sentence
from cutlist.verbs.suggest.opening import opening
from cutlist.verbs.suggest.saving_words import verdict
from cutlist.verbs.suggest.search_words import refusal_words, search_sentence
from cutlist.verbs.suggest.suggestions import Suggestions
from cutlist.verbs.suggest.usage_words import usage_sentences

_EDITS: Final = 12
_SENTENCES: Final = 8
_FENCE: Final = "~~~~"
"""Longer than any line of a file that could end the block."""


def suggest_markdown(suggestions: Suggestions) -> str:
    """Return suggestions as Markdown. Ends in a newline."""
    lines = [f"### {words(verdict(suggestions))}", "", *_body(suggestions)]
    rows = option_rows(suggestions)
    lines += ["", *folded("Options", markdown_table(option_comment(rows), rows))]
    if suggestions.restrictions:
        prices = RestrictionPrices(suggestions.restrictions, suggestions.unpriced)
        lines += restriction_lines(prices, suggestions.money)
    if suggestions.usage is not None:
        sentences = [words(sentence) for sentence in usage_sentences(suggestions)]
        lines += folded("Requests by measured use", at_most(_SENTENCES, sentences))
    if suggestions.what_if:
        columns = what_if_comment(suggestions.current, suggestions.currency)
        lines += folded("What if, with the current NodePools", markdown_table(columns, suggestions.what_if))
    if suggestions.refused:
        refused = [words(refusal_words(suggestions, of)) for of in suggestions.refused]
        lines += folded("Not offered, since they newly break a mandatory rule", at_most(_SENTENCES, refused))
    lines += age_lines(suggestions.price_age)
    return "\n".join([*lines, words(f"Recommended: {suggestions.why}. {search_sentence(suggestions)}")]) + "\n"


def pull_request(suggestions: Suggestions) -> str:
    """Return the title of a pull request with the recommended option, an empty line, and its text. Ends in a newline."""
    names = sorted({edit.node_pool for edit in suggestions.best.edits})
    saved = verdict(suggestions).partition(":")[0]
    changed = [f"NodePool {', '.join(names)}"] if names else []
    if suggestions.best.requests:
        changed.append(f"requests of {counted(len(suggestions.best.requests), 'workload')}")
    title = f"{' and '.join(changed)}: {saved[:1].lower()}{saved[1:]}" if changed else saved
    why = f" Why this option: {words(suggestions.why)}." if suggestions.best.written else ""
    closing = f"{words(search_sentence(suggestions))}{why}"
    return "\n".join([title, "", *_body(suggestions), "", closing]) + "\n"


def _body(suggestions: Suggestions) -> list[str]:
    """Return the money, what it gives up, the diff, the edits and the scenarios."""
    lines: list[str] = []
    for sentence in opening(suggestions):
        lines += [words(sentence), ""] if sentence else []
    for diff in suggestions.diffs:
        lines += [f"{_FENCE}diff", f"# {diff.source}", *diff.lines, _FENCE, ""]
    lines += at_most(_EDITS, [words(sentence) for sentence in part_sentences(suggestions)]) or ["Nothing changes."]
    if rows := scenario_rows(suggestions):
        lines += ["", *folded("Scenarios", markdown_table(scenario_columns(suggestions.currency), rows))]
    return lines


def fleet_markdown(fleet: FleetSuggestions) -> str:
    """Return suggestions for a fleet as Markdown. Ends in a newline."""
    every = fleet_rows(fleet)
    *environments, total = every
    columns = fleet_comment(every)
    lines = [f"### {words(fleet_verdict(fleet))}", ""]
    lines += [f"**{words(state)}.**", ""] if (state := state_sentence(fleet)) else []
    rows = [cells(columns, row) for row in environments]
    return "\n".join([*lines, *table(titles(columns), [*rows, [TOTAL, "", *cells(MONEY, total)]])]) + "\n"
