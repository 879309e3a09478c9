"""The OS disk of a node on Azure as a plan has it."""

from __future__ import annotations

from cutlist.api.aksnodeclass import AKSNodeClass
from cutlist.catalog.sizes import Size
from cutlist.planning.model.os_disk import OsDisk
from cutlist.providers.azure.os_disk import ephemeral_room, managed_os_disk


def os_disk(node_class: AKSNodeClass, size: Size) -> OsDisk:
    """Return where the OS disk of a node of this size is, and what it is billed as if it is a managed disk."""
    room, gb = ephemeral_room(size), node_class.os_disk_size_gb
    return OsDisk(gb, room.placement if gb <= room.gb else "", managed_os_disk(node_class, size))
