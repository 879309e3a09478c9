"""What every page shares: how many rows a table shows at first."""

from __future__ import annotations

from cutlist.report.html.tables import CHUNK
from cutlist.verbs.nodes.html import nodes_html
from cutlist.verbs.nodes.roster import Roster
from tests.unit.report.forecasts import nodes
from tests.unit.report.pages import taken


def test_a_table_shows_its_first_rows_and_a_button_for_the_others():
    """The others are in the page, for a search and for paper."""
    roster = nodes()
    found = taken(nodes_html(Roster(roster.now, roster.nodes * 30, region=roster.region)))
    assert f"Show the other {120 - CHUNK} rows" in found.text
    assert found.text.count("ip-10-0-1-11") == 30
