"""The table: every type of resource that programs of the project make, and what is refused of one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from tests.account import add_ons, azure, cluster, identity, messages, network, nodes, objects
from tests.account.rows import Row

AWS: Final = (*identity.ROWS, *cluster.ROWS, *nodes.ROWS, *add_ons.ROWS, *network.ROWS, *messages.ROWS)
ROWS: Final[Mapping[str, Row]] = {row.type: row for row in (*AWS, *azure.ROWS, *objects.ROWS)}
OF_NO_PROVIDER: Final = ("cutlist:", "pulumi:pulumi:", "pulumi-python:dynamic/cutlist:")
"""What has no row: components, the stack, and resources that our own code provides."""
_NOTHING: Final = re.compile(r"(?<![A-Za-z])None(?![A-Za-z])")
_MAY_BE_NONE: Final = ("kubernetes:", "azure-native:")
"""Whose enumerations have the value None."""


def row_of(type_: str) -> Row | None:
    """Return the row of a type; None for one that nobody has looked up."""
    return ROWS.get(type_) or (objects.OBJECT if type_.startswith("kubernetes:") else None)


def refusals(type_: str, name: str, inputs: Mapping[str, Any]) -> list[str]:
    """Return what an account would refuse of a resource: a line each, with the name in the program, the path and the reason.

    Inputs are plain data, with UNKNOWN for what an update knows.
    """
    if type_.startswith(OF_NO_PROVIDER):
        return []
    row = row_of(type_)
    if row is None:
        return [f"{name}: no row of the table is about {type_}: look up what it accepts (tests/account)"]
    lines = [*row.refusals(name, inputs), *_without_value(type_, inputs)]
    return [f"{name}: {line}" for line in lines]


def _without_value(type_: str, value: Any, at: str = "inputs") -> Iterator[str]:
    """Yield texts in which Python's None stands, where a value was to be."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _without_value(type_, inner, f"{at}.{key}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _without_value(type_, inner, f"{at}[{index}]")
    elif isinstance(value, str) and _NOTHING.search(value) and not (type_.startswith(_MAY_BE_NONE) and value == "None"):
        yield f"{at}: {value[:80]!r} has None in place of a value"
