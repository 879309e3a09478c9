"""The cells of a table on a page, by the figures of its columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from markupsafe import Markup, escape

from cutlist.report.columns import Figure

Name = Callable[[str], Markup]
_NUMBERS: Final = ("n", "n top")
"""The classes of cells with numbers, which are our own words."""


def page_cells(name: Name) -> Callable[..., Markup]:
    """Return the function that writes the cells of a row; `name` makes words safe. The cell at `head` heads the row."""

    def cells(figures: Sequence[Figure[Any]], row: Any, *, head: int | None = 0) -> Markup:
        return Markup("").join(_cell(figure, row, name, at == head) for at, figure in enumerate(figures))

    return cells


def _cell(figure: Figure[Any], row: Any, name: Name, is_head: bool) -> Markup:
    kind = figure.class_on_page(row)
    tag, scope = ("th", ' scope="row"') if is_head else ("td", "")
    small = Markup("").join(Markup("<small>{}</small>").format(name(words)) for words in (figure.small or _nothing)(row))
    opened = Markup(f'<{tag}{scope} class="{kind}">' if kind else f"<{tag}{scope}>")  # noqa: S704 - our own names
    shown = [figure.on_page(row)] if figure.lines is None else figure.lines(row)
    words = Markup("<br>").join(escape(line) if kind in _NUMBERS else name(line) for line in shown)
    if figure.words_class is not None and (of_words := figure.words_class(row)):
        words = Markup('<span class="{}">{}</span>').format(of_words, words)
    return opened + words + small + Markup(f"</{tag}>")  # noqa: S704


def _nothing(row: Any) -> tuple[str, ...]:  # noqa: ARG001 - as any function of small words
    return ()
