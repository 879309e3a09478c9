"""The figures of the facts behind an answer, and the columns that each form has of them."""

from __future__ import annotations

from typing import Final

from cutlist.report.columns import Figure, Figures, kinds_csv
from cutlist.report.markup import words
from cutlist.verbs.why.reason import Fact, Why

FACTS: Final[Figures[Fact]] = (
    Figure("about", lambda f: f.title, markdown=lambda f: words(f.title), is_name=True),
    Figure("what decides", lambda f: f.text, markdown=lambda f: words(f.text), page_class="w"),
)
_TITLES: Final = ("kind", "name", "about", "text")


def csv(answer: Why) -> str:
    """Return rows of these kinds: `answer` with the sentence, `remedy` if there is one, and `fact`."""
    rows = [{"kind": "answer", "about": answer.kind.value, "text": answer.sentence}]
    rows += [{"kind": "remedy", "text": answer.remedy}] if answer.remedy else []
    rows += [{"kind": "fact", "about": fact.title, "text": fact.text} for fact in answer.facts]
    return kinds_csv(_TITLES, [{**row, "name": answer.name} for row in rows])
