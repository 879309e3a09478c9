"""Suggested NodePools as JSON: stable keys in a stable order, byte-identical for equal input."""

from __future__ import annotations

from cutlist.core.records import json_of
from cutlist.verbs.suggest.answer import Suggestions
from cutlist.verbs.suggest.record import suggest_record


def suggest_json(suggestions: Suggestions) -> str:
    """Return suggestions as JSON. Ends in a newline."""
    return json_of(suggest_record(suggestions))
