"""Requirements in words: `karpenter.k8s.aws/instance-cpu Lt 16` is `karpenter.k8s.aws/instance-cpu below 16`."""

from __future__ import annotations

import re
from typing import Final

_BOUNDS: Final = {"Gt": "above", "Lt": "below", "Gte": "at least", "Lte": "at most"}
_SIGNS: Final = {">=": "at least", "<=": "at most"}
_KEY: Final = r"(?P<key>[A-Za-z0-9][\w.-]*(?:/[\w.-]+)?)"
_WRITTEN: Final = re.compile(rf"{_KEY} (?P<operator>Gte|Lte|Gt|Lt) (?P<bound>-?\d+)\b")
_WITHIN: Final = re.compile(rf"{_KEY} Exists(?P<bounds>(?: [<>]=-?\d+)+)")
_LISTED: Final = re.compile(rf"{_KEY} (?P<operator>In|NotIn) \[(?P<values>[^\]\[]*?)(?: and (?P<more>\d+) others)?\]")

_IN_MEBIBYTES: Final = ("instance-memory", "gpu-memory", "sku-memory")
_MEBIBYTES: Final = 1024
_EDITED: Final = re.compile(
    r"(?P<before>[\w.-]+/[\w.-]+|[a-z]+(?:-[a-z]+)+|(?<=[:;,] )arch|becomes|longer) (?P<operator>In|NotIn) (?=\w)"
)
"""A list as edits of NodePools have it: `instance-family In c7g, m7g becomes In m7g`."""


def in_plain_words(text: str) -> str:
    """Return a text in which each requirement as Karpenter writes it stands in words; its key stays as it is, to be found."""
    for requirement, words in ((_WRITTEN, _written), (_WITHIN, _within), (_LISTED, _listed)):
        text = requirement.sub(words, text)
    return _EDITED.sub(lambda found: f"{found['before']} {_other_than(found['operator'])}", text)


def _other_than(operator: str) -> str:
    return "other than " if operator == "NotIn" else ""


def _written(found: re.Match[str]) -> str:
    return f"{found['key']} {_BOUNDS[found['operator']]} {_amount(found['key'], found['bound'])}"


def _amount(key: str, bound: str) -> str:
    """Return the bound of a label; that of memory, which counts in MiB, with its unit."""
    if not key.endswith(_IN_MEBIBYTES):
        return bound
    gibibytes = int(bound) / _MEBIBYTES
    return f"{gibibytes:g} GiB" if gibibytes * 4 % 1 == 0 else f"{bound} MiB"


def _within(found: re.Match[str]) -> str:
    bounds = (f"{_SIGNS[bound[:2]]} {_amount(found['key'], bound[2:])}" for bound in found["bounds"].split())
    return f"{found['key']} {' and '.join(bounds)}"


def _listed(found: re.Match[str]) -> str:
    values = found["values"].replace(",", " ").split()
    values += [f"{found['more']} others"] if found["more"] else []
    *first, last = values or ["no value"]
    return f"{found['key']} {_other_than(found['operator'])}{' or '.join(filter(None, (', '.join(first), last)))}"
