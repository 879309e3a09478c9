"""Suggested NodePools as JSON: stable keys in a stable order, byte-identical for equal input."""

from __future__ import annotations

from cutlist.answers.suggest import Suggestions
from cutlist.answers.suggest_record import suggest_record
from cutlist.core.records import json_of


def suggest_json(suggestions: Suggestions) -> str:
    """Return suggestions as JSON. Ends in a newline."""
    return json_of(suggest_record(suggestions))
