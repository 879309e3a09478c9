"""Objects of old versions in the version of today, with a report of what changes on the way (spec: api-objects 7).

`convert` takes documents and gives objects; `convert_texts` takes files and gives the same files with only those lines changed
that have to.
"""

from __future__ import annotations

from cutlist.api.convert.changes import Change, Kind, Reported
from cutlist.api.convert.objects import Conversion, Converted, convert
from cutlist.api.convert.texts import ConvertedTexts, convert_texts, stream, values_text

__all__ = [
    "Change",
    "Conversion",
    "Converted",
    "ConvertedTexts",
    "Kind",
    "Reported",
    "convert",
    "convert_texts",
    "stream",
    "values_text",
]
