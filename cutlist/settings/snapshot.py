"""The settings of `snapshot`."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Kind, Setting

LAUNCH_CONTEXT: Final = Setting(
    "launch_context", "Also write `context` of EC2NodeClasses: an id of your account for its fleets.", Kind.FLAG
)
SUBNETS: Final = Setting(
    "subnets",
    "Also write the blocks and free addresses of the subnets of node classes and ENIConfigs, from the AWS account.",
    Kind.FLAG,
)
RBAC: Final = Setting("rbac", "Print the ClusterRole and binding that it needs, and do not read the cluster.", Kind.FLAG)
