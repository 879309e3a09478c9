"""Whether nodes of an AKSNodeClass run LocalDNS, as the provider's controller writes it into the class' status (spec: azure
2.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cutlist.providers.azure.images import minor
from cutlist.providers.azure.settings import AzureSettings

if TYPE_CHECKING:
    from cutlist.api.aksnodeclass import AKSNodeClass

REQUIRED: Final = "Required"
PREFERRED: Final = "Preferred"
ENABLED: Final = "Enabled"
PREFERRED_FROM: Final = (1, 99)
"""The Kubernetes since which `Preferred` turns LocalDNS on: pkg/controllers/nodeclass/status/localdns.go of provider v1.14.0
to v1.14.2, that is never so far. Its comments speak of 1.36."""
_NO_PLUGIN: Final = "none"


def has_local_dns(node_class: AKSNodeClass, settings: AzureSettings) -> bool:
    """Tell whether the controller turns LocalDNS on for a class (Z-47, Z-70).

    The mode decides, not the status of a file: without a mode and with `Disabled` it is off even if the status still says
    Enabled. `Preferred` keeps what the status says once it is Enabled.
    """
    mode = node_class.local_dns.mode if node_class.local_dns is not None else ""
    if mode != PREFERRED:
        return mode == REQUIRED
    return node_class.status.local_dns_state == ENABLED or _is_turned_on(node_class, settings)


def _is_turned_on(node_class: AKSNodeClass, settings: AzureSettings) -> bool:
    """Tell whether the cluster is one in which `Preferred` turns LocalDNS on. Objects of the cluster that would keep it off,
    such as policies of Cilium or the DaemonSet node-local-dns, need not be looked at as long as no version is new enough."""
    if settings.network_plugin == _NO_PLUGIN or _is_ubuntu_2004(node_class):
        return False
    try:
        return minor(node_class.status.kubernetes_version or settings.kubernetes_version) >= PREFERRED_FROM
    except ValueError:
        return False  # an unknown version turns nothing on


def _is_ubuntu_2004(node_class: AKSNodeClass) -> bool:
    """Tell whether nodes start from Ubuntu 20.04, which has no LocalDNS."""
    return node_class.image_family == "Ubuntu" and node_class.fips_mode == "FIPS"
