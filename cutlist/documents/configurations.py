"""Configurations of Terraform and OpenTofu among the files that are read.

Most inputs have none, so what reads HCL is imported here, where one is met.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from cutlist.core.errors import Problems
from cutlist.core.ledger import Environment
from cutlist.core.notes import Notes
from cutlist.documents.accounting import files_of_folders
from cutlist.documents.document import Document
from cutlist.documents.environments import of_variables
from cutlist.documents.folders import CONFIGURATIONS, FILES_OF_CONFIGURATIONS, VARIABLES, Reading
from cutlist.documents.input_files import Paths
from cutlist.documents.regions import NamedRegion


def configured_objects(
    paths: Paths, reading: Reading, problems: Problems, notes: Notes
) -> tuple[tuple[Document, ...], AbstractSet[str]]:
    """Return the objects that configurations write, and the files that these consist of."""
    named = [path for path in map(str, paths) if path.endswith(CONFIGURATIONS)]
    files = [*files_of_folders(paths, reading), *named]
    if not _has(files, FILES_OF_CONFIGURATIONS):
        return (), frozenset()
    from cutlist.documents.hcl.configuration import Configuration

    configuration = Configuration(problems, notes, _chosen_variables(paths))
    return configuration.documents(files), configuration.read


def environments_by_variables(files: Sequence[str], paths: Paths, reading: Reading) -> tuple[Environment, ...]:
    """Return the files of variables with which configurations among files write different objects."""
    if not _has(files, CONFIGURATIONS):
        return ()
    from cutlist.documents.hcl.variables import by_variables

    written = by_variables(files, [os.fspath(path) for path in paths])
    return of_variables(written, paths, recursive=reading.recursive)


def configured_regions(paths: Paths, reading: Reading) -> tuple[NamedRegion, ...]:
    """Return the regions that configurations in the folders name, each once."""
    files = files_of_folders(paths, reading)
    if not _has(files, CONFIGURATIONS):
        return ()
    from cutlist.documents.hcl.regions import named_regions

    return named_regions(files, _chosen_variables(paths))


def _has(files: Sequence[str], ends: tuple[str, ...]) -> bool:
    return any(path.endswith(ends) for path in files)


def _chosen_variables(paths: Paths) -> frozenset[str]:
    """Return the real paths of the files of variables that were named."""
    return frozenset(os.path.realpath(path) for path in map(str, paths) if path.endswith(VARIABLES))
