"""Objects as Argo CD's cluster has them: kubectl and Argo CD read YAML 1.1, in which an unquoted `on` is a boolean."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from cutlist.core.errors import Problems
from cutlist.documents.document import Document
from cutlist.documents.files import file_text
from cutlist.documents.text.scalars import plain_in_go
from cutlist.documents.text.yaml import parse


def as_go_reads(document: Document) -> Document:
    """Return an object as Go reads its file: of `{n: 3}` the key is `false`. One that is in no file stays as it is."""  # GO-31
    source = document.place.source
    # JSON has no unquoted words.
    if source.endswith(".json") or not os.path.isfile(source):
        return document
    text, own = file_text(source, Problems()), Problems()
    parsed = () if text is None else parse(text, source, own, plain_in_go)
    value: Any = next((p.value for p in parsed if p.number == max(document.place.document, 1)), None)
    for step in document.member:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return document
    # The file may have changed, or the object may have been made from it: then the second reading is about something else.
    is_same = isinstance(value, dict) and (value.get("kind"), value.get("apiVersion")) == (document.kind, document.api_version)
    return replace(document, data=value) if is_same and not own else document  # what a set makes is not in its file
