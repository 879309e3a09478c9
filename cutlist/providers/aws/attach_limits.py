"""How many volumes of pods a node of an EC2 instance type attaches, as the CSI driver reports it in the CSINode (VL-1 to
VL-4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cutlist.api.autonodeclass import AutoNodeClass
from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.catalog.machines import Machine
from cutlist.core.csi import EBS, EBS_OF_AUTO_MODE
from cutlist.providers.aws.volumes import volumes

_XEN: Final = "xen"
_MOST_ON_XEN: Final = 39  # EC2 says 40 of some types
_LEAST: Final = 1  # what the driver reports where nothing is left


def attach_limits(
    node_class: EC2NodeClass | AutoNodeClass, machine: Machine | None, reserved: int | None = None
) -> Mapping[str, int]:
    """Return the limit by CSI driver; empty if EC2 does not say how many volumes the type attaches.

    The node's own volumes count (VL-2), or the places `reserved` instead of them, which Auto Mode's driver has no setting for
    (VL-15). Of its interfaces only the first counts, which EC2's number leaves out already (VL-3).
    """
    if machine is None or machine.ebs_attachments is None:
        return {}
    attachments = min(machine.ebs_attachments, _MOST_ON_XEN) if machine.hypervisor == _XEN else machine.ebs_attachments
    is_auto = isinstance(node_class, AutoNodeClass)
    taken = _own_volumes(node_class) if reserved is None or is_auto else reserved
    return {EBS_OF_AUTO_MODE if is_auto else EBS: max(_LEAST, attachments - taken)}


def _own_volumes(node_class: EC2NodeClass | AutoNodeClass) -> int:
    """Return how many volumes a node starts with: at least the one that its system is on."""
    of_class = len(volumes(node_class) or ())
    # A node of EKS Auto Mode has a volume for its system besides the one for data, which its class is about.
    return of_class + 1 if isinstance(node_class, AutoNodeClass) else max(1, of_class)
