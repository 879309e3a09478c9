"""Settings of Karpenter's AWS provider that change instance types (spec: AWS 0.2, 10)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AwsSettings:
    """The controller's settings, by their defaults in v1.14.

    `vm_memory_overhead_percent` is a fraction in spite of its name: 0.075 keeps 7.5 % of memory for the hypervisor.
    `reserved_enis` are network interfaces that pods may not use. `reserved_capacity` is the feature gate of that name.
    """

    vm_memory_overhead_percent: float = 0.075
    reserved_enis: int = 0
    reserved_capacity: bool = True

    def __post_init__(self) -> None:
        if self.vm_memory_overhead_percent < 0 or self.reserved_enis < 0:
            raise ValueError("vm_memory_overhead_percent and reserved_enis may not be negative")
