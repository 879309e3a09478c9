"""A figure that is declared once reads in each form as that form needs it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from cutlist.report.columns import (
    Figure,
    count,
    csv_table,
    fill,
    filled_bar,
    in_currency,
    laid_out,
    markdown_table,
    number,
    only_csv,
    short_table,
)
from cutlist.report.html.tables import page_cells


@dataclass(frozen=True, slots=True)
class Thing:
    """A row."""

    pool: str
    nodes: int
    part: float | None
    usd: float
    guessed: bool


THINGS = (Thing("a|b", 1200, 0.5, 1.5, True), Thing("-", 1, None, 0.25, False))
POOL: Figure[Thing] = Figure("NodePool", lambda t: t.pool, name="node_pool", is_name=True, page_class="k")
NODES = count("nodes", lambda t: t.nodes, name="nodes")
CPU = fill("cpu", lambda t: t.part, "CPU")
PRICE: Figure[Thing] = replace(
    number("$/hour", lambda t: f"{t.usd:.2f}", "usd", lambda t: t.usd), estimated=lambda t: t.guessed
)
FIGURES = (POOL, NODES, CPU, PRICE)


def test_a_text_has_room_for_the_mark_of_an_estimate():
    columns, cells = laid_out([FIGURES], THINGS, 80)
    assert [column.title for column in columns] == ["NodePool", "nodes", "cpu", "$/hour "]
    assert [column.align for column in columns] == ["left", "right", "right", "right"]
    assert cells == [("a|b", "1,200", "50%", "1.50*"), ("-", "1", "-", "0.25 ")]


def test_a_figure_is_asked_for_once_for_each_row_however_many_layouts_are_tried():
    """As it is after the currency is written into titles, where none of them changes."""
    asked: list[Thing] = []
    price = replace(PRICE, show=lambda t: asked.append(t) or f"{t.usd:.2f}")
    layouts = [in_currency(layout, "USD") for layout in ((POOL, NODES, price), (POOL, price), (price,))]
    assert laid_out(layouts, THINGS, 7)[1] == [("1.50*",), ("0.25 ",)]
    assert asked == list(THINGS)


def test_a_table_in_markdown_has_names_as_code():
    assert markdown_table(FIGURES, THINGS) == [
        "| NodePool | nodes | cpu | $/hour |",
        "| --- | ---: | ---: | ---: |",
        "| `a\\x7cb` | 1,200 | 50% | 1.50\\* |",
        "| - | 1 | - | 0.25 |",
    ]


def test_csv_has_exact_values_and_other_rows_by_the_same_names():
    figures = (POOL, NODES, PRICE, only_csv("reason", lambda _: None))
    assert csv_table(figures, THINGS, [{"reason": "none", "nodes": 3}]).splitlines() == [
        "node_pool,nodes,usd,reason",
        "a|b,1200,1.5,",
        "'-,1,0.25,",
        ",3,,none",
    ]


def test_the_cells_of_a_page_have_classes_and_the_first_heads_the_row():
    shown = page_cells(FIGURES, THINGS[0])
    assert shown == (
        '<th scope="row" class="k">a|b</th><td class="n">1,200</td><td class="cpu v50">50%</td><td class="n">1.50*</td>'
    )
    assert "<th" not in page_cells(FIGURES, THINGS[0], head=None)


def test_another_cell_may_head_the_row():
    assert page_cells((NODES, POOL), THINGS[1], head=1) == '<td class="n">1</td><th scope="row" class="k">-</th>'


def test_a_cell_of_a_page_may_have_several_lines():
    """None of whose words is markup."""
    figure: Figure[str] = Figure("x", str, lines=lambda text: (text, "<b>"))
    assert page_cells([figure], "a") == '<th scope="row">a<br>&lt;b&gt;</th>'


def test_a_short_table_says_how_many_rows_it_leaves_out():
    """As a count, or with what the rows come to."""
    assert short_table((POOL, NODES), THINGS, 2) == markdown_table((POOL, NODES), THINGS)
    assert short_table((POOL, NODES), THINGS, 1)[-1] == "| 1 more |  |"
    summed = short_table((POOL, NODES), THINGS, 0, lambda hidden: ("all", str(sum(t.nodes for t in hidden))))
    assert summed[2:] == ["| all | 1201 |"]


def test_titles_of_numbers_have_their_class_and_bars_have_none():
    assert [figure.heading for figure in FIGURES] == ["NodePool", ("Nodes", "n"), "CPU", ("$/hour", "n")]


@pytest.mark.parametrize("words", ["<script>", "<b title='x'>", "</td>"])
def test_no_words_become_markup(words):
    """Neither those of a cell nor those below it."""
    figure: Figure[str] = Figure("x", lambda text: text, small=lambda text: (text,), page_class="w")
    shown = page_cells([figure], words)
    assert words not in shown.replace('<th scope="row" class="w">', "")


def test_a_bar_stands_before_its_part():
    assert filled_bar("cpu", lambda t: t.part, 4).in_text(THINGS[0]) == "██░░  50%"
