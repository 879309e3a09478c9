"""User data of a node, which an instance runs at its first boot: by AMI family, merged with the user's own."""

from __future__ import annotations

from cutlist.providers.aws.userdata.bootstrap import BootstrapCluster, NodeFacts
from cutlist.providers.aws.userdata.user_data import FAMILIES, SIZE_LIMIT, node_group_user_data, size, user_data

__all__ = [
    "FAMILIES",
    "SIZE_LIMIT",
    "BootstrapCluster",
    "NodeFacts",
    "node_group_user_data",
    "size",
    "user_data",
]
