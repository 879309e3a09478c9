"""User data of a node, which an instance runs at its first boot: by AMI family, merged with the user's own."""

from __future__ import annotations

from cutlist.core.errors import ClusterNotReadyError, UserDataError
from cutlist.providers.aws.userdata.bootstrap import Bootstrap, BootstrapCluster, NodeFacts, bootstrap
from cutlist.providers.aws.userdata.user_data import FAMILIES, SIZE_LIMIT, node_group_user_data, size, user_data

__all__ = [
    "FAMILIES",
    "SIZE_LIMIT",
    "Bootstrap",
    "BootstrapCluster",
    "ClusterNotReadyError",
    "NodeFacts",
    "UserDataError",
    "bootstrap",
    "node_group_user_data",
    "size",
    "user_data",
]
