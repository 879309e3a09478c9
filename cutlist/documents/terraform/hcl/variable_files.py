"""Files of variables: to which configuration each belongs, whether it counts without being named, and the values in it."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.documents.beginnings import beginning_of
from cutlist.documents.folders import CONFIGURATIONS, VARIABLES
from cutlist.documents.terraform.hcl.expressions import Scope
from cutlist.documents.terraform.hcl.json_syntax import is_json, values_in_json
from cutlist.documents.terraform.hcl.parsing import Block, Tree, parse

_AUTOMATIC: Final = ("terraform.tfvars", "terraform.tfvars.json", ".auto.tfvars", ".auto.tfvars.json")


def given_in(folder: str, chosen: Collection[str], problems: Problems) -> dict[str, Any]:
    """Return the values of the files of variables that the configuration of a folder takes without their being named; and those
    of the others that are `chosen` by their real paths, or of the only other one in the folder."""
    try:
        names = sorted(name for name in os.listdir(folder or os.curdir) if name.endswith(VARIABLES))
    except OSError:
        return {}
    automatic = [name for name in names if name.endswith(_AUTOMATIC)]
    others = [name for name in names if name not in automatic]
    named = [os.path.join(folder, name) for name in others if os.path.realpath(os.path.join(folder, name)) in chosen]
    named += _from_elsewhere(os.path.realpath(folder), chosen)
    only = [os.path.join(folder, name) for name in others] if len(others) == 1 else []
    values: dict[str, Any] = {}
    for path in (*(os.path.join(folder, name) for name in automatic), *(named or only)):
        values |= {key: Scope({}).evaluate(node) for key, node in _written(path, problems).items()}
    return values


def _written(path: str, problems: Problems) -> dict[str, Tree]:
    if is_json(path):
        return values_in_json(path, problems)
    body = parse(beginning_of(path), path, problems)
    return Block(("",), 0, body).attributes if body is not None else {}


def chooser(path: str, folders: Collection[str]) -> str | None:
    """Return the nearest of the folders with configurations around a file of variables that counts only where it is named; None
    for one that needs no name, and where there is no such folder."""
    own = os.path.dirname(path)
    if own in folders and path.endswith(_AUTOMATIC):
        return None
    while own not in folders and os.path.dirname(own) != own:
        own = os.path.dirname(own)
    return own if own in folders else None


def _from_elsewhere(folder: str, chosen: Collection[str]) -> Iterator[str]:
    """Yield the chosen files that lie beside no configuration, and around which that of a folder is the nearest, or none is: a
    command names them for the configuration that it is about."""
    for path in sorted(chosen):
        around = os.path.dirname(path)
        if _has_configuration(around):
            continue
        while not _has_configuration(around) and os.path.dirname(around) != around:
            around = os.path.dirname(around)
        if around == folder or not _has_configuration(around):
            yield os.path.relpath(path)


def _has_configuration(folder: str) -> bool:
    try:
        return any(name.endswith(CONFIGURATIONS) for name in os.listdir(folder))
    except OSError:
        return False
