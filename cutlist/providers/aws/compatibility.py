"""Which machines a NodeClass cannot launch at all, though they stay listed (spec: AWS 4.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutlist.catalog import Machine
from cutlist.providers.aws.families import CUSTOM, FAMILIES
from cutlist.providers.aws.observed import PlacementGroup
from cutlist.providers.aws.profile import EFA_ONLY

if TYPE_CHECKING:
    from cutlist.api import EC2NodeClass


def incompatibility(machine: Machine, node_class: EC2NodeClass, group: PlacementGroup | None) -> str:
    """Why no offering of the machine is available under the NodeClass; empty when it is compatible (A-49, A-50)."""
    family = FAMILIES.get(node_class.resolved_ami_family, CUSTOM)
    if not family.runs_a1 and machine.name.startswith("a1."):
        return f"{family.name} does not run on a1"
    if node_class.network_interfaces and not _takes_interfaces(machine, node_class):
        return "it does not take the NodeClass' network interfaces"
    options = node_class.cpu_options
    if options and options.nested_virtualization == "enabled" and "nested-virtualization" not in machine.cpu_features:
        return "it has no nested virtualization"
    if group is not None and group.strategy not in machine.placement:
        return f"it does not support {group.strategy} placement groups"
    if node_class.connection_tracking is not None and machine.hypervisor != "nitro":
        return "connection tracking can be set on Nitro instances only, metal excluded"
    return ""


def _takes_interfaces(machine: Machine, node_class: EC2NodeClass) -> bool:
    interfaces = node_class.network_interfaces
    if not machine.network_cards or machine.ena == "unsupported":
        return False
    fits = all(
        i.network_card_index < len(machine.network_cards) and i.device_index < machine.network_cards[i.network_card_index]
        for i in interfaces
    )
    efa_only = sum(i.interface_type == EFA_ONLY for i in interfaces)
    return fits and efa_only <= (machine.efa_interfaces or 0)
