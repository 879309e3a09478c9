"""The notation in which fields are described: each line of a table is a type and its fields, each with its own type.

    "Toleration": "only, key? text, operator? Exists|Equal|, tolerationSeconds? int64"
    "PodSpec": "containers! [Container]+, nodeSelector? {text}, priority? int32, hostnameOverride text 1.34+"

`[text]` is a list, `[text]+` one with at least one entry, `{text}` a mapping from texts. `A|B` is one of some words, and
`int32:1..100` a number within bounds. `1.34+` is the first minor version of Kubernetes that has the field, `-1.30` the last.

Plans read the fields with `?`, and need those with `!`; the others they pass over. A type that begins with `only` may have no
other fields in a plan. The API server decodes all fields as their plain types; words and bounds are up to its later rules. It
does not decode what begins with `~`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from cutlist.workloads.fields.devices import DEVICE_TYPES
from cutlist.workloads.fields.kinds import AUTOSCALER_TYPES, OPERATOR_TYPES, SHAPING_TYPES, WORKLOAD_TYPES
from cutlist.workloads.fields.pod_groups import POD_GROUP_TYPES
from cutlist.workloads.fields.pods import CONTAINER_TYPES, META_TYPES, POD_TYPES
from cutlist.workloads.fields.volumes import CLAIM_TYPES, VOLUME_TYPES

OLDEST: Final = 29
NEWEST: Final = 37
"""The minor versions of Kubernetes 1 whose fields are known."""
ONLY: Final = "only"

_TYPES: Final[Mapping[str, str]] = {
    **META_TYPES,
    **POD_TYPES,
    **CONTAINER_TYPES,
    **VOLUME_TYPES,
    **CLAIM_TYPES,
    **WORKLOAD_TYPES,
    **SHAPING_TYPES,
    **AUTOSCALER_TYPES,
    **OPERATOR_TYPES,
    **DEVICE_TYPES,
    **POD_GROUP_TYPES,
}


class Field(NamedTuple):
    """A field of a type: its name and type, the first and last minor versions that have it, and whether plans read or need
    it."""

    name: str
    type: str
    first: int
    last: int
    is_read: bool
    is_required: bool


@lru_cache(maxsize=1024)
def fields_of(type_name: str) -> tuple[Field, ...]:
    """Return the fields that the table has for a type, in its order."""
    return tuple(_field(written) for written in _TYPES[type_name].split(", ") if written not in ("", ONLY))


def is_closed(type_name: str) -> bool:
    """Tell whether a type may have no other fields in a plan."""
    return _TYPES[type_name].startswith(f"{ONLY}, ")


def words_of(type_name: str, field: str) -> tuple[str, ...]:
    """Return the words that a field of a type may have; an empty text among them counts as none."""
    (words,) = (known.type.split("|") for known in fields_of(type_name) if known.name == field)
    return tuple(filter(None, words))


def plain(type_name: str) -> str:
    """Return a type as the API server decodes it: without words, bounds and lengths."""
    if type_name.startswith("~"):
        return "any"
    return "text" if "|" in type_name else type_name.partition(":")[0].removesuffix("+")


def _field(written: str) -> Field:
    name, type_name, *versions = written.split(" ")
    first, last = OLDEST, NEWEST
    for version in versions:
        if version.startswith("-"):
            last = int(version.removeprefix("-1."))
        else:
            first = int(version.removeprefix("1.").removesuffix("+"))
    return Field(name.rstrip("?!"), type_name, first, last, name[-1] in "?!", name[-1] == "!")
