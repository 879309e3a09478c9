"""Objects of old versions converted to today's, with a report of what changes (spec: api-objects 7).

`convert` takes documents and returns objects; `convert_texts` takes files and returns the same files with only the necessary
lines changed.
"""

from __future__ import annotations

from cutlist.api.convert.changes import Reported
from cutlist.api.convert.objects import Conversion, convert
from cutlist.api.convert.texts import ConvertedTexts, convert_texts, stream, values_text

__all__ = [
    "Conversion",
    "ConvertedTexts",
    "Reported",
    "convert",
    "convert_texts",
    "stream",
    "values_text",
]
