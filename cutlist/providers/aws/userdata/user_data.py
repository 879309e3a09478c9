"""The format of each family's user data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from cutlist.api.account_limits import USER_DATA_BYTES
from cutlist.providers.aws.userdata.al2 import al2
from cutlist.providers.aws.userdata.al2023 import al2023
from cutlist.providers.aws.userdata.bootstrap import Bootstrap, BootstrapCluster, NodeFacts, bootstrap
from cutlist.providers.aws.userdata.bottlerocket import bottlerocket
from cutlist.providers.aws.userdata.go_text import whole
from cutlist.providers.aws.userdata.windows import windows

if TYPE_CHECKING:
    from cutlist.api.ec2nodeclass import EC2NodeClass

SIZE_LIMIT: Final = USER_DATA_BYTES
"""Largest size in bytes of user data that EC2 accepts (spec 6.2)."""


def custom(node: Bootstrap) -> str:
    """Return the user's text unchanged."""
    return node.own


FAMILIES: Final[Mapping[str, Callable[[Bootstrap], str]]] = MappingProxyType(
    {
        "AL2": al2,
        "AL2023": al2023,
        "Bottlerocket": bottlerocket,
        "Windows2019": windows,
        "Windows2022": windows,
        "Windows2025": windows,
        "Custom": custom,
    }
)
"""The writer of each AMI family."""


def user_data(node_class: EC2NodeClass, node: NodeFacts, cluster: BootstrapCluster) -> str:
    """Return the user data of a node of the NodeClass, as text.

    Raises UserDataError if the user's own part cannot be merged, and ClusterNotReadyError if the family needs more facts about
    the cluster.
    """
    return _written(node_class, bootstrap(node_class, node, cluster))


def node_group_user_data(node_class: EC2NodeClass, node: NodeFacts, cluster: BootstrapCluster) -> str:
    """Return the user data of a node that Karpenter does not manage, such as one of a managed node group. It has only the
    labels and taints of `node`: the taint that Karpenter removes from its own nodes would stay. Raises as `user_data` does.
    """
    node_bootstrap = bootstrap(node_class, node, cluster)
    labels = {key: value for key, value in node_bootstrap.labels.items() if key in node.labels}
    return _written(node_class, replace(node_bootstrap, labels=labels, taints=(*node.taints, *node.startup_taints)))


def _written(node_class: EC2NodeClass, node_bootstrap: Bootstrap) -> str:
    write = FAMILIES.get(node_class.resolved_ami_family, al2)
    return whole(write(node_bootstrap))


def size(text: str) -> int:
    """Return the size of user data in bytes, as EC2 counts it for its limit."""
    return len(text.encode())
