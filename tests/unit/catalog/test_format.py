"""The catalogue's file format: what is written comes back, what was changed is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.catalog.format import Source, read_table, write_table
from cutlist.core.errors import InputError, Place

PLACE = Place("catalog/x.tsv")
HEADER = {"vendor": "aws", "content": "region"}
SOURCES = {"P": Source("2026-02-17", "AWS public price list")}


def text() -> str:
    return write_table(HEADER, SOURCES, ("type", "price"), [("b", "2"), ("a", "")])


def problem(content: str) -> str:
    with pytest.raises(InputError) as caught:
        read_table(content, PLACE)
    return str(caught.value)


def test_a_written_table_reads_back():
    """Header, sources with their dates, columns and rows come back; rows are sorted by their first cell."""
    table = read_table(text(), PLACE)
    assert dict(table.header) == HEADER
    assert dict(table.sources) == SOURCES
    assert table.columns == ("type", "price")
    assert table.rows == (("a", ""), ("b", "2"))


CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\t\n\r"), max_size=8)


@given(st.lists(st.tuples(CELLS.filter(bool), CELLS), max_size=8, unique_by=lambda row: row[0]))
def test_any_cells_survive(rows: list[tuple[str, str]]):
    """Whatever stands in cells, tabs and line ends apart, is the same after writing and reading."""
    assert read_table(write_table(HEADER, SOURCES, ("a", "b"), rows), PLACE).rows == tuple(sorted(rows))


def test_the_order_of_rows_given_does_not_matter():
    """Equal content gives equal text, so a diff shows only what changed."""
    rows = [("a", "1"), ("b", "2"), ("c", "3")]
    assert write_table(HEADER, SOURCES, ("x", "y"), rows) == write_table(HEADER, SOURCES, ("x", "y"), rows[::-1])


@pytest.mark.parametrize("cell", ["a\tb", "a\nb", "a\rb"])
def test_a_cell_may_not_break_the_table(cell: str):
    """A tab or a line end inside a cell is refused when writing."""
    with pytest.raises(ValueError, match="without tabs and line ends"):
        write_table(HEADER, SOURCES, ("x", "y"), [("a", cell)])


def test_a_changed_figure_is_noticed():
    """A file whose body was edited by hand does not match its checksum."""
    message = problem(text().replace("b\t2", "b\t3"))
    assert "catalog/x.tsv" in message
    assert "damaged" in message
    assert "checksum" in message


def test_a_truncated_file_is_noticed():
    """A file cut off anywhere below its header is refused."""
    whole = text()
    for end in range(whole.index("type\t"), len(whole)):
        assert "damaged" in problem(whole[:end])


def test_a_wrong_row_count_is_noticed():
    """The number of rows in the header is checked too."""
    assert "it has 2 rows, its header says 3" in problem(text().replace("# rows: 2", "# rows: 3"))


def test_a_foreign_file_is_named_as_such():
    """Something that is not a catalogue file is not called damaged."""
    assert "this is not a catalogue file" in problem("kind: NodePool\n")


def test_an_empty_file_is_no_catalogue():
    """An empty file gives the same clear message."""
    assert "this is not a catalogue file" in problem("")


def test_a_later_format_is_refused():
    """A file of a format that this version does not know is refused, saying which it knows."""
    assert "catalogue format 2 is not known; allowed: 1" in problem(text().replace("catalogue 1", "catalogue 2"))


def test_a_repeated_header_line_is_refused():
    """Two header lines of one key leave open which holds."""
    assert "line 3 of its header" in problem(text().replace("# content: region", "# vendor: azure"))
