"""Files of variables that a configuration of Terraform or OpenTofu takes only when they are named, as for its environments."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from typing import Any

from cutlist.core.errors import Problems
from cutlist.core.notes import Notes
from cutlist.documents.document import Document
from cutlist.documents.folders import CONFIGURATIONS, VARIABLES
from cutlist.documents.terraform.hcl.configuration import Configuration
from cutlist.documents.terraform.hcl.parsing import is_installed
from cutlist.documents.terraform.hcl.variable_files import chooser


def by_variables(files: Sequence[str], named: Sequence[str]) -> dict[str, tuple[Document, ...]]:
    """Return the objects that configurations write with each of the files of variables that lie in their folder or below it;
    nothing if these are fewer than two, if one is `named`, or if the objects are the same with each."""
    folders = {os.path.dirname(path) for path in files if path.endswith(CONFIGURATIONS)}
    choices = {path: of for path in files if path.endswith(VARIABLES) and (of := chooser(path, folders)) is not None}
    is_open = any(count > 1 for count in Counter(choices.values()).values())
    if not is_open or any(path.endswith(VARIABLES) for path in named) or not is_installed():
        return {}
    written = {path: _documents(files, path) for path in choices}
    forms: list[list[Any]] = [[document.data for document in documents] for documents in written.values()]
    return written if any(form != forms[0] for form in forms) else {}


def _documents(files: Sequence[str], chosen: str) -> tuple[Document, ...]:
    configuration = Configuration(Problems(), Notes(), frozenset((os.path.realpath(chosen),)))
    return configuration.documents(files)
