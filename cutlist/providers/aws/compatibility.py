"""Which machines a NodeClass cannot launch at all, although they stay listed (spec: AWS 4.6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cutlist.catalog.machines import Machine
from cutlist.providers.aws.families import CUSTOM, FAMILIES, AmiFamily
from cutlist.providers.aws.observed import PlacementGroup
from cutlist.providers.aws.profile import EFA_ONLY

if TYPE_CHECKING:
    from cutlist.api.ec2nodeclass import EC2NodeClass
    from cutlist.api.ec2nodeclass_fields import NetworkInterface


@dataclass(frozen=True, slots=True)
class Compatibility:
    """The parts of a NodeClass that rule machines out."""

    family: AmiFamily
    interfaces: tuple[NetworkInterface, ...]
    nested_virtualization: bool
    connection_tracking: bool
    enclaves: bool
    group: PlacementGroup | None

    @staticmethod
    def of(node_class: EC2NodeClass, group: PlacementGroup | None) -> Compatibility:
        """Return the compatibility of a NodeClass; `group` is the placement group that it selects."""
        options = node_class.cpu_options
        return Compatibility(
            family=FAMILIES.get(node_class.resolved_ami_family, CUSTOM),
            interfaces=tuple(node_class.network_interfaces or ()),
            nested_virtualization=options is not None and options.nested_virtualization == "enabled",
            connection_tracking=node_class.connection_tracking is not None,
            enclaves=node_class.enclave_options is not None and node_class.enclave_options.enabled,
            group=group,
        )

    def refusal(self, machine: Machine) -> str:
        """Return why the NodeClass leaves no offering of the machine, or an empty string if it leaves one (A-49, A-50)."""
        if not self.family.runs_a1 and machine.name.startswith("a1."):
            return f"{self.family.name} does not run on a1"
        if self.interfaces and not _takes(machine, self.interfaces):
            return "it does not take the NodeClass' network interfaces"
        if self.nested_virtualization and "nested-virtualization" not in machine.cpu_features:
            return "it has no nested virtualization"
        if self.enclaves and not machine.nitro_enclaves:
            return "it has no Nitro Enclaves"
        if self.group is not None and self.group.strategy not in machine.placement:
            return f"it does not support {self.group.strategy} placement groups"
        if self.connection_tracking and machine.hypervisor != "nitro":
            return "connection tracking can be set on Nitro instances only, metal excluded"
        return ""


def _takes(machine: Machine, interfaces: Sequence[NetworkInterface]) -> bool:
    if not machine.network_cards or machine.ena == "unsupported":
        return False
    fits = all(
        i.network_card_index < len(machine.network_cards) and i.device_index < machine.network_cards[i.network_card_index]
        for i in interfaces
    )
    efa_only = sum(i.interface_type == EFA_ONLY for i in interfaces)
    return fits and efa_only <= (machine.efa_interfaces or 0)
