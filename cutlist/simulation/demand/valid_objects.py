"""Objects of one kind that the API server accepts: controllers never see others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cutlist.core.errors import Problems
from cutlist.documents.document import Document
from cutlist.workloads.validation.kinds import check_object


def valid_objects(documents: Iterable[Document], kind: str, problems: Problems) -> Iterator[Document]:
    """Yield the valid objects of a kind; what the API server refuses of the others is added to `problems`."""
    for document in documents:
        if document.kind == kind:
            before = len(problems.found)
            check_object(document, None, problems)
            if len(problems.found) == before:
                yield document
