"""The nodes of a cluster as CSV: a row for each node."""

from __future__ import annotations

from cutlist.report.columns import csv_table
from cutlist.verbs.nodes.columns import CSV
from cutlist.verbs.nodes.roster import Roster


def nodes_csv(roster: Roster) -> str:
    """Return a row for each node."""
    return csv_table(CSV, roster.nodes)
