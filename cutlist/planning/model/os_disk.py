"""The OS disk of a node where it depends on the size, as on Azure: on the machine's own disks, or a managed disk (VL-14)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Final

from cutlist.core.records import Count, Key, TextOrNull, about

UNKNOWN: Final = "unknown"
_PLACES: Final[Mapping[str, str]] = MappingProxyType({"NvmeDisk": "NVMe", "CacheDisk": "cache", "ResourceDisk": "temp disk"})
"""How tables say where an ephemeral OS disk is, by Azure's word for it."""
_WHERE: Final[Mapping[str, str]] = MappingProxyType(
    {"NvmeDisk": "NVMe", "CacheDisk": "the cache", "ResourceDisk": "the temporary disk"}
)
"""The same in sentences."""


@dataclass(frozen=True, slots=True)
class OsDisk:
    """Where the OS disk of a node is: an ephemeral one on the machine's own disks, or a managed disk of its own.

    A disk of which neither `placement` nor `billed_as` is known is a managed one beyond the known steps.
    """

    size_gb: Annotated[Count, Key("sizeGB")]
    placement: Annotated[TextOrNull, about("NvmeDisk, CacheDisk or ResourceDisk if it is ephemeral; null for a managed disk.")]
    billed_as: Annotated[
        TextOrNull, about("The step that a managed disk is billed by, such as P10; null for an ephemeral one.")
    ]

    @property
    def in_short(self) -> str:
        """Return the cell of a table: where an ephemeral disk is, or the step of a managed one."""
        return _PLACES.get(self.placement, self.placement) or self.billed_as or UNKNOWN

    @property
    def in_words(self) -> str:
        """Return the same as part of a sentence."""
        if self.placement:
            return f"ephemeral, on {_WHERE.get(self.placement, self.placement)}"
        return f"a managed disk, billed as {self.billed_as}" if self.billed_as else "a managed disk beyond the known steps"
