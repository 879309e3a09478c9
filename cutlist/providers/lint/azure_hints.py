"""What was meant by a value that no VM size has under a label: a series as a family, a size as a series, GiB as MiB."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from cutlist.catalog.embedded import all_sizes
from cutlist.catalog.size_names import SizeName, size_name
from cutlist.core.labels import AKS_GROUP, AZURE_GROUP, INSTANCE_TYPE
from cutlist.core.quantity import MEBI, nanos
from cutlist.providers.azure.labels import SKU_FAMILY, SKU_NAME, SKU_SERIES, SKU_VERSION

_NAMES: Final = (INSTANCE_TYPE, SKU_NAME)
_OF_NAMES: Final = (*_NAMES, SKU_FAMILY, SKU_SERIES, SKU_VERSION)
_CPUS: Final = tuple(f"{group}/sku-cpu" for group in (AZURE_GROUP, AKS_GROUP))
_MEMORIES: Final = tuple(f"{group}/sku-memory" for group in (AZURE_GROUP, AKS_GROUP))
_TIER: Final = "standard"
_AROUND: Final = re.compile(r"[\s_-]*(series|family)?$", re.IGNORECASE)
_VERSION: Final = re.compile(r"v(\d+)$", re.IGNORECASE)
_WHOLE: Final = re.compile(r"(\d+)(\.0+)?\s*(vcpus?|cores?|cpus?)?", re.IGNORECASE)
_AMOUNT: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(Ki|Mi|Gi|Ti|GiB|MiB|GB|MB|G|M)", re.IGNORECASE)
_MOST_LETTERS: Final = 4  # of family, subfamily and features, as in NCas
_UNITS: Final = {"k": "Ki", "m": "Mi", "g": "Gi", "t": "Ti"}


def meant_on_azure(key: str, value: str) -> str:
    """Return what was probably meant by a value that no VM size has under a label: another value, or another label with its
    value. Empty if it looks like nothing of the kind.

    >>> meant_on_azure("karpenter.azure.com/sku-family", "Dsv5")
    'D with karpenter.azure.com/sku-version 5, or karpenter.azure.com/sku-series Ds_v5'
    """
    if key in _CPUS:
        return match[1] if (match := _WHOLE.fullmatch(value)) is not None and match[0] != match[1] else ""
    if key in _MEMORIES:
        return _mebibytes(value)
    return _of_a_name(key, value) if key in _OF_NAMES else ""


def _mebibytes(value: str) -> str:
    """Return an amount with a unit in MiB, which the label has: Azure's GB are GiB."""
    match = _AMOUNT.fullmatch(value)
    if match is None:
        return ""
    return str(nanos(f"{match[1]}{_UNITS[match[2][0].lower()]}") // MEBI)


def _of_a_name(key: str, value: str) -> str:
    plain = _AROUND.sub("", value)
    folded = _folded(plain)
    size = _sizes().get(folded)
    if size is not None:
        parts, named = size_name(size), f"{SKU_NAME} {size}"
        if key in _NAMES:
            return size
        return f"{parts.series}, or {named}" if key == SKU_SERIES and parts is not None else named
    series = _series().get(folded, "") if any(map(str.isdigit, folded)) else ""
    if series:
        return _of_series(key, series)
    if key == SKU_VERSION and (version := _VERSION.search(plain)) is not None:
        return version[1]
    letter = plain[:1].upper()
    return letter if key == SKU_FAMILY and len(plain) <= _MOST_LETTERS and letter in _families() else ""


def _of_series(key: str, series: str) -> str:
    """Return a series as the value of a label, or its family with its version."""
    if key == SKU_SERIES:
        return series
    version = match[1] if (match := _VERSION.search(series)) is not None else "1"
    of_label = f"{SKU_SERIES} {series}"
    if key == SKU_FAMILY:
        return f"{series[:1]} with {SKU_VERSION} {version}, or {of_label}"
    return f"{version}, or {of_label}" if key == SKU_VERSION else of_label


def _folded(name: str) -> str:
    """Return a name without its tier, in lower case and without the marks that are left out or put in by mistake."""
    return re.sub(r"[\s_-]", "", name.lower()).removeprefix(_TIER)


@lru_cache(maxsize=1)
def _sizes() -> Mapping[str, str]:
    return {_folded(name): name for name in sorted(all_sizes(), reverse=True)}


@lru_cache(maxsize=1)
def _parts() -> tuple[SizeName, ...]:
    return tuple(parts for name in all_sizes() if (parts := size_name(name)) is not None)


@lru_cache(maxsize=1)
def _series() -> Mapping[str, str]:
    return _first_of(parts.series for parts in _parts())


def _first_of(names: Iterable[str]) -> dict[str, str]:
    return {_folded(name): name for name in sorted(set(names), reverse=True)}


@lru_cache(maxsize=1)
def _families() -> frozenset[str]:
    return frozenset(parts.family for parts in _parts())
