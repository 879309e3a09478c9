"""Tables of pages have no column in which every row is empty."""

from __future__ import annotations

from markupsafe import Markup

from cutlist.report.html.tables import filled_table

_TITLES = ("Node", ["Pods", "n"], "Remarks")


def _row(cells: tuple[str, ...]) -> Markup:
    return Markup("<tr>{}</tr>").format(Markup("").join(Markup('<td class="n">{}</td>').format(cell) for cell in cells))


def test_a_column_in_which_no_row_has_anything_is_left_out():
    """A dash or an element without words is nothing; the first column stays whatever it has."""
    rows = [("", "-", "x"), ("", "", "-")]
    table = filled_table(_TITLES, rows, _row)
    assert table.titles == ("Node", "Remarks")
    assert table.rows[0] == '<tr><td class="n"></td><td class="n">x</td></tr>'
    nested = filled_table(_TITLES, [0], lambda _: Markup("<tr><td>a</td><td><b></b> </td><td><b>-</b></td></tr>"))
    assert (nested.titles, nested.rows) == (("Node",), ("<tr><td>a</td></tr>",))


def test_a_table_that_has_something_everywhere_stays_as_it_is():
    table = filled_table(_TITLES, [("a", "-", "x"), ("b", "1", "")], _row)
    assert (table.titles, table.rows[1]) == (_TITLES, _row(("b", "1", "")))
    assert filled_table(_TITLES, [], _row).titles == _TITLES


def test_rows_with_cells_of_several_columns_keep_all_columns():
    wide = Markup('<tr><td colspan="2">a</td><td></td></tr>')
    assert filled_table(_TITLES, [0], lambda _: wide).rows == (wide,)
