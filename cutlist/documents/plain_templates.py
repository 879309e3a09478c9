"""Objects in templates that are whole without being rendered: no plan depends on the values that are filled in.

Such is an EC2NodeClass in a `.tpl` of which only the role and the discovery tags are variables.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Final

from cutlist.core.errors import Problems
from cutlist.core.notes import Notes
from cutlist.documents.account.forms import is_template
from cutlist.documents.account.placeholders import BEARING, without_placeholders
from cutlist.documents.beginnings import beginning_of
from cutlist.documents.document import Document
from cutlist.documents.files import SourceText
from cutlist.documents.folders import foreign
from cutlist.documents.parsing import parse_documents

_STATEMENT: Final = re.compile(
    r"%\{|\{%|<%[^=]|\{\{[-~]?\s*(?:/\*|[#/]|if\b|else\b|end\b|range\b|with\b|define\b|template\b|block\b|include\b|tpl\b)"
)
"""What decides which parts of a text are there, and how often."""
_PLACE: Final = re.compile(r"\{\{[-~]?\s*([^{}]*?)\s*[-~]?\}\}|<%=\s*([^%]*?)\s*-?%>|\$\{([^{}]*)\}")
_NOT_A_NAME: Final = re.compile(r"[^A-Za-z0-9_.]+")
_READ: Final = "read, although they are templates: no plan depends on what is filled in: {who}"


def objects_of_templates(files: Iterable[str], notes: Notes) -> tuple[Document, ...]:
    """Return the objects of the templates among files that nobody renders, of those of which all are whole."""
    found: list[Document] = []
    for path in files:
        if is_template(os.path.basename(path)):
            documents = _objects(path)
            if documents:
                notes.add("template-read", _READ, path)
                notes.ledger.is_read(os.path.realpath(path))
            found += documents
    return tuple(found)


def _objects(path: str) -> tuple[Document, ...]:
    text = beginning_of(path)
    if _STATEMENT.search(text) or not any(f"{kind}" in text for kind in BEARING):
        return ()
    own = Problems()
    # In a form that YAML takes in quotes, without them and between braces.
    filled = _PLACE.sub(lambda match: f"<%{_NOT_A_NAME.sub('_', match[1] or match[2] or match[3] or 'value')}%>", text)
    documents = parse_documents(filled, path, own) if not foreign(SourceText(path, filled)) else ()
    bearing = [document for document in documents if document.kind in BEARING]
    is_whole = bearing and not own and len(without_placeholders(tuple(bearing), Notes())) == len(bearing)
    return documents if is_whole and not any(_is_called_by_value(document) for document in bearing) else ()


def _is_called_by_value(document: Document) -> bool:
    """Tell whether an object's name or namespace stands for a value: such a template is rendered any number of times."""
    metadata = document.data.get("metadata")
    named = {key: metadata.get(key) for key in ("name", "namespace")} if isinstance(metadata, dict) else {}
    return not document.name or any("<%" in str(value) for value in named.values())
