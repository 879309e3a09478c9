"""The GPU sizes that Karpenter's Azure provider knows; it drops all others that have GPUs (spec: azure 5.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

NVIDIA: Final = "nvidia"
AMD: Final = "amd"
_PREFIX: Final = "standard_"
_PROMO: Final = "_promo"

# Letters, numbers with features, and the rest of the name.
_NVIDIA_EVERYWHERE: Final = (
    ("NC", "6s 12s 24s 24rs", "_v3"),
    ("NC", "4as 8as 16as 64as", "_T4_v3"),
    ("NC", "8ads 16ads 32ads", "_A10_v4"),
    ("NC", "24ads 48ads 96ads", "_A100_v4"),
    ("NC", "40ads 80adis", "_H100_v5"),
    ("ND", "40rs", "_v2"),
    ("ND", "40s", "_v3"),
    ("ND", "96asr 96ams", "_v4"),
    ("ND", "96ams 96amsf 96amsr 96amsrf 112asr 112amsr 120asr 120amsr", "_A100_v4"),
    ("ND", "96ams", "_A100_flex_v4"),
    ("ND", "96is 96isf 96isr 96isrf", "_H100_v5"),
    ("ND", "96is 96isf 96isr 96isrf", "_H200_v5"),
    ("ND", "96is", "_flex_H100_v5"),
    ("ND", "96is", "_noib_H100_v5"),
    ("NV", "6ads 12ads 18ads 36ads 36adms 72ads", "_A10_v5"),
)
_NVIDIA_ON_UBUNTU: Final = (
    ("NC", "6 12 24 24r", ""),
    ("NC", "6s 12s 24s 24rs", "_v2"),
    ("ND", "6s 12s 24s 24rs", ""),
    ("NV", "6 12 24 24r", ""),
    ("NV", "12s 24s 48s", "_v3"),
    ("ND", "128isr", "_NDR_GB200_v6"),
    ("ND", "128isr", "_GB300_v6"),
    ("NC", "24lds 36lds 36ds 72lds 72ds 144lds 144ds 288lds 288ds", "_xl_RTXPRO6000BSE_v6"),
)
_AMD_ON_UBUNTU: Final = (
    ("NV", "4ads 8ads 12ads 24ads 28adms", "_V710_v5"),
    ("ND", "96is 96isr", "_MI300X_v5"),
)


@dataclass(frozen=True, slots=True)
class Registered:
    """A GPU size of the registry: the maker of its GPUs, and whether images for AzureLinux exist as well."""

    manufacturer: str
    on_azure_linux: bool


def registered(size: str) -> Registered | None:
    """Return the registry's entry for a size, or None for a size that is not in it. A promotional size counts as the size
    itself."""
    return _registry().get(size.lower().removesuffix(_PROMO))


@lru_cache(maxsize=1)
def _registry() -> dict[str, Registered]:
    return {
        **dict.fromkeys(_names(_NVIDIA_EVERYWHERE), Registered(NVIDIA, on_azure_linux=True)),
        **dict.fromkeys(_names(_NVIDIA_ON_UBUNTU), Registered(NVIDIA, on_azure_linux=False)),
        **dict.fromkeys(_names(_AMD_ON_UBUNTU), Registered(AMD, on_azure_linux=False)),
    }


def _names(rows: tuple[tuple[str, str, str], ...]) -> Iterator[str]:
    for letters, sizes, rest in rows:
        for size in sizes.split():
            yield f"{_PREFIX}{letters}{size}{rest}".lower()
