"""Lines of a page: cut to its width, with the ANSI codes that rich would write."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.text import Text

from cutlist.report.columns import Figure, laid_out
from cutlist.report.page import BAD, GOOD, HEADING, QUIET, WARN, Page, wrapped
from cutlist.report.plain import escape

_WORDS = st.text(st.sampled_from("ab -…█字\u0301\x1b\u05d0"), max_size=8)
_PARTS = st.lists(st.tuples(_WORDS, st.sampled_from(["", HEADING, QUIET, BAD, WARN, GOOD])), max_size=5)


def of_rich(lines: list[list[tuple[str, str]]], width: int, colour: bool) -> str:
    """The lines as rich cuts and prints them."""
    texts = []
    for parts in lines:
        text = Text(no_wrap=True, end="")
        for words, style in parts:
            text.append(escape(words), style)
        text.rstrip()
        text.truncate(width, overflow="ellipsis")
        texts.append(text)
    system = "standard" if colour else None
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=colour, color_system=system, legacy_windows=False, _environ={})
    console.print(Text("\n").join(texts), soft_wrap=True)
    return out.getvalue()


@pytest.mark.parametrize("colour", [False, True])
@given(st.lists(_PARTS, max_size=4), st.integers(2, 40))
def test_lines_are_what_rich_makes_of_them(colour, lines, width):
    """Character by character: where they are cut, and where each colour begins and ends."""
    page = Page(width)
    for parts in lines:
        page.line(*parts)
    assert page.text(colour=colour) == of_rich(lines, width, colour)


def test_there_are_never_two_empty_lines_and_none_at_the_top():
    page = Page(20)
    page.blank()
    page.line("a")
    page.blank()
    page.blank()
    page.line("")
    page.blank()
    page.line("b")
    assert page.text(colour=False) == "a\n\n\nb\n"


def test_figures_of_layouts_that_are_not_needed_are_not_asked():
    """The richest layout that fits is taken; with too narrow a page the last, whatever its width."""
    asked: list[str] = []

    def figure(name: str) -> Figure[str]:
        return Figure(name, lambda value: asked.append(name) or f"{name} of {value}")

    wide, narrow = (figure("kind"), figure("name")), (figure("n"),)
    columns, cells = laid_out((wide, narrow), ["x"], 40)
    assert ([c.title for c in columns], cells, asked) == (["kind", "name"], [("kind of x", "name of x")], ["kind", "name"])
    columns, cells = laid_out((wide, narrow), ["x"], 3)
    assert ([c.title for c in columns], cells) == (["n"], [("n of x",)])


@given(st.text("ab -,…é漢字", max_size=40), st.integers(10, 20))
def test_words_are_wrapped_as_rich_wraps_them(words: str, width: int):
    """Without the console that rich wraps with: it takes longer to import than a page takes to make."""
    console = Console(width=80, force_terminal=False, legacy_windows=False, _environ={})
    assert wrapped(words, width) == [line.plain.rstrip() for line in Text(words).wrap(console, width)] if words else [""]
