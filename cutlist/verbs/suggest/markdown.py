"""Suggested NodePools as a comment on a pull request."""

from __future__ import annotations

from typing import Final

from cutlist.planning.model.restrictions import RestrictionPrices
from cutlist.report.markup import at_most, folded, table, words
from cutlist.report.restrictions import restriction_lines
from cutlist.verbs.suggest.answer import Suggestions
from cutlist.verbs.suggest.words import (
    LIMITS,
    bound_sentence,
    figure_cells,
    search_sentence,
    usage_sentences,
    verdict,
    what_if_cells,
)

_TITLES: Final = (
    ">",
    ">$ per hour",
    ">$ per month",
    ">above bound",
    ">nodes",
    ">lost with a node",
    ">with a zone",
    ">in one spot pool",
)
_EDITS: Final = 12
_SENTENCES: Final = 8


def suggest_markdown(suggestions: Suggestions) -> str:
    """Return suggestions as Markdown. Ends in a newline."""
    best = suggestions.options[suggestions.recommended]
    rows = [["now", *figure_cells(suggestions, suggestions.current)]]
    rows += [[_number(suggestions, n), *figure_cells(suggestions, o.figures)] for n, o in enumerate(suggestions.options)]
    lines = [f"### {words(verdict(suggestions))}", "", words(bound_sentence(suggestions)), ""]
    lines += at_most(_EDITS, [words(edit.words) for edit in best.edits]) or ["Nothing changes."]
    lines += ["", words(LIMITS)] if best.sets_limits else []
    lines += ["", *folded("Options", table(_TITLES, rows))]
    if suggestions.restrictions:
        lines += restriction_lines(RestrictionPrices(suggestions.restrictions, suggestions.unpriced))
    if suggestions.usage is not None:
        sentences = [words(sentence) for sentence in usage_sentences(suggestions.usage)]
        lines += folded("Requests by measured use", at_most(_SENTENCES, sentences))
    if suggestions.what_if:
        rows = [[words(w.what), *what_if_cells(suggestions, w)] for w in suggestions.what_if]
        lines += folded(
            "What if, with the current NodePools", table(("", ">$ per month", ">against now", ">nodes", ">pending"), rows)
        )
    return "\n".join([*lines, words(f"Recommended: {suggestions.why}. {search_sentence(suggestions)}")]) + "\n"


def _number(suggestions: Suggestions, number: int) -> str:
    return f"**{number + 1}**" if number == suggestions.recommended else f"{number + 1}"
