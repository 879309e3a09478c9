"""Suggested NodePools as a comment on a pull request."""

from __future__ import annotations

from typing import Final

from cutlist.planning.model.restrictions import RestrictionPrices
from cutlist.report.columns import cells, markdown_table, titles
from cutlist.report.markup import at_most, folded, table, words
from cutlist.report.restrictions import restriction_lines
from cutlist.verbs.suggest.answer import Suggestions
from cutlist.verbs.suggest.columns import FLEET_COMMENT, MONEY, TOTAL, fleet_rows, option_comment, option_rows, what_if_comment
from cutlist.verbs.suggest.fleet import FleetSuggestions
from cutlist.verbs.suggest.fleet_words import fleet_verdict, state_sentence
from cutlist.verbs.suggest.words import (
    LIMITS,
    bound_sentence,
    search_sentence,
    usage_sentences,
    verdict,
)

_EDITS: Final = 12
_SENTENCES: Final = 8


def suggest_markdown(suggestions: Suggestions) -> str:
    """Return suggestions as Markdown. Ends in a newline."""
    best = suggestions.options[suggestions.recommended]
    rows = option_rows(suggestions)
    lines = [f"### {words(verdict(suggestions))}", "", words(bound_sentence(suggestions)), ""]
    lines += at_most(_EDITS, [words(edit.words) for edit in best.edits]) or ["Nothing changes."]
    lines += ["", words(LIMITS)] if best.sets_limits else []
    lines += ["", *folded("Options", markdown_table(option_comment(rows), rows))]
    if suggestions.restrictions:
        lines += restriction_lines(RestrictionPrices(suggestions.restrictions, suggestions.unpriced))
    if suggestions.usage is not None:
        sentences = [words(sentence) for sentence in usage_sentences(suggestions.usage)]
        lines += folded("Requests by measured use", at_most(_SENTENCES, sentences))
    if suggestions.what_if:
        others = markdown_table(what_if_comment(suggestions.current.price), suggestions.what_if)
        lines += folded("What if, with the current NodePools", others)
    return "\n".join([*lines, words(f"Recommended: {suggestions.why}. {search_sentence(suggestions)}")]) + "\n"


def fleet_markdown(fleet: FleetSuggestions) -> str:
    """Return suggestions for a fleet as Markdown. Ends in a newline."""
    *environments, total = fleet_rows(fleet)
    lines = [f"### {words(fleet_verdict(fleet))}", ""]
    lines += [f"**{words(state)}.**", ""] if (state := state_sentence(fleet)) else []
    rows = [cells(FLEET_COMMENT, row) for row in environments]
    return "\n".join([*lines, *table(titles(FLEET_COMMENT), [*rows, [TOTAL, "", *cells(MONEY, total)]])]) + "\n"
