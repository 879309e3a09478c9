"""Folders of files that Argo CD applies as they are."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final

from cutlist.core.errors import Problems
from cutlist.core.notes import Notes
from cutlist.documents.delivery.parts import PlainFiles
from cutlist.documents.document import Document
from cutlist.documents.file_reading import REASONS
from cutlist.documents.files import file_text
from cutlist.documents.parsing import parse_documents
from cutlist.documents.patterns import matches_glob

_SUFFIXES: Final = (".yaml", ".yml", ".json")
JSONNET: Final = ".jsonnet"
_SKIPPED: Final = "+argocd:skip-file-rendering"
_MEMBERS: Final = ("apiVersion:", "kind:", "metadata:")


def objects_in(part: PlainFiles, problems: Problems, notes: Notes) -> list[Document]:
    """Return the objects of a folder's files. A file that is no manifest is passed over with a note; one that looks like a
    manifest, but cannot be read, is added to `problems`."""  # GO-38
    documents: list[Document] = []
    for path in files_of(part, _SUFFIXES):
        content = file_text(path, problems)
        if content is None or _SKIPPED in content:
            continue
        # Its own collector, since the mistakes count only if the file looks like a manifest.
        own = Problems(allow_empty=True)
        found = parse_documents(content, path, own)
        # What looks like a manifest is decided by these words (GO-38).
        if own and not found and not path.endswith(".json") and not all(member in content for member in _MEMBERS):
            notes.add(*REASONS["foreign"], path)
            continue
        problems.extend(own.found)
        problems.inputs += own.inputs
        documents += found
    return documents


def files_of(part: PlainFiles, suffixes: str | tuple[str, ...]) -> Iterator[str]:
    """Yield the files of a folder with one of some suffixes, as what is included and excluded says."""
    for folder, subfolders, names in os.walk(part.folder):
        # os.walk goes into them in the order of this list.
        subfolders.sort()
        if not part.recursive:
            subfolders.clear()
        for name in sorted(names):
            below = os.path.relpath(os.path.join(folder, name), part.folder)
            is_wanted = not part.include or matches_glob(below, part.include)
            if name.endswith(suffixes) and is_wanted and not (part.exclude and matches_glob(below, part.exclude)):
                yield os.path.join(folder, name)
