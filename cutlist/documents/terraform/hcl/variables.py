"""Files of variables that a configuration of Terraform or OpenTofu takes only when they are named, as for its environments."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.core.notes import Notes
from cutlist.documents.document import Document
from cutlist.documents.folders import CONFIGURATIONS, VARIABLES
from cutlist.documents.terraform.hcl.configuration import Configuration
from cutlist.documents.terraform.hcl.parsing import is_installed

_AUTOMATIC: Final = ("terraform.tfvars", ".auto.tfvars")


def by_variables(files: Sequence[str], named: Sequence[str]) -> dict[str, tuple[Document, ...]]:
    """Return the objects that configurations write with each of the files of variables that their folder has; nothing if these
    are fewer than two, if one is `named`, or if the objects are the same with each."""
    folders = {os.path.dirname(path) for path in files if path.endswith(CONFIGURATIONS)}
    choices = [path for path in files if os.path.dirname(path) in folders and is_chosen_by_name(path)]
    folders_with_choices = {os.path.dirname(path) for path in choices}
    is_open = any(sum(os.path.dirname(path) == folder for path in choices) > 1 for folder in folders_with_choices)
    if not is_open or any(path.endswith(VARIABLES) for path in named) or not is_installed():
        return {}
    written = {path: _documents(files, path) for path in choices}
    forms: list[list[Any]] = [[document.data for document in documents] for documents in written.values()]
    return written if any(form != forms[0] for form in forms) else {}


def is_chosen_by_name(path: str) -> bool:
    """Tell whether a file of variables counts only where it is named."""
    return path.endswith(VARIABLES) and not path.endswith(_AUTOMATIC)


def _documents(files: Sequence[str], chosen: str) -> tuple[Document, ...]:
    configuration = Configuration(Problems(), Notes(), frozenset((os.path.realpath(chosen),)))
    return configuration.documents(files)
