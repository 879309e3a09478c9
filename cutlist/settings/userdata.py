"""The settings of `userdata`, and of the component NodeUserData."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Setting
from cutlist.settings.planning import region_for

CLUSTER: Final = Setting(
    "cluster", "Name of the cluster.", metavar="NAME", option="cluster-name", former=("cluster",), input="cluster_name"
)
ENDPOINT: Final = Setting("endpoint", "Address of the cluster's API server.", metavar="URL")
CA: Final = Setting(
    "ca", "Certificate authority of the cluster.", otherwise="left out", metavar="BASE64", input="certificate_authority"
)
SERVICE_CIDR: Final = Setting("service_cidr", "Address range of the cluster's services; AL2023 needs it.", metavar="CIDR")
DNS_IP: Final = Setting("dns_ip", "Address of the cluster's DNS service.", otherwise="left out", metavar="ADDRESS")
INSTANCE_TYPE: Final = Setting("instance_type", "Instance type of the node; not needed if maxPods is set.", metavar="TYPE")
NODE_POOL: Final = Setting("node_pool", "Show only this NodePool.", metavar="NAME")
CAPACITY_TYPE: Final = Setting(
    "capacity_type",
    "Capacity type of the node.",
    otherwise="spot where the NodePool allows it",
    choices=("spot", "on-demand", "reserved"),
)
REGION: Final = region_for("Region of the instance type.")
