"""What a launch takes from the controller's settings and from the cluster (spec: AWS 5.6, 6.1)."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LaunchSettings:
    """The cluster's name and network, and the controller's switches by their defaults in v1.14.

    `service_cidr` and `dns_ip` are the cluster's service network and the address of its DNS, empty when unknown.
    `strict_min_values` is the MinValuesPolicy; `reserved_capacity` the feature gate of that name.
    """

    cluster_name: str = ""
    service_cidr: str = ""
    dns_ip: str = ""
    strict_min_values: bool = True
    reserved_capacity: bool = True

    @property
    def is_ipv6(self) -> bool:
        """Whether pods of the cluster have IPv6 addresses, which Karpenter tells by the address of the DNS."""
        try:
            return ipaddress.ip_address(self.dns_ip).version == 6
        except ValueError:
            return False
