"""The amounts of all machines of a region under a node class, as columns that node classes share (spec: AWS 2, 3).

What a class changes for all machines alike, such as their disk, is taken off a column that all classes share.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Final

from cutlist.catalog.machines import Machine
from cutlist.core.quantity import NANO
from cutlist.providers.aws.capacity import (
    EFA,
    PRIVATE_IPV4,
    capacity,
    ephemeral_storage,
    estimated_memory,
    hardware,
    pods,
)
from cutlist.providers.aws.overhead import DISK, kube_memory, kube_reserved_cpu, pods_of_kube_memory
from cutlist.providers.aws.profile import NodeProfile
from cutlist.providers.instance_types import CPU, EPHEMERAL_STORAGE, MEMORY, PODS
from cutlist.providers.type_list import Amounts, Column

_OfMachine = Callable[[Machine], int]
_NOTHING: Final = "nothing"


class MachineColumns:
    """Figures of the machines of a region, each computed once for all node classes that share it. `node_memory` is what nodes
    report, by instance type."""

    def __init__(self, machines: tuple[Machine, ...], node_memory: Mapping[str, int]) -> None:
        self._machines = machines
        self._columns: dict[Hashable, Column] = {}
        self._node_memory = node_memory
        self.hardware = tuple(hardware(machines[0])) if machines else ()

    def of(self, key: Hashable, amount: _OfMachine) -> Column:
        """Return a figure of each machine; `key` is all that it depends on besides the machine."""
        if key not in self._columns:
            self._columns[key] = Column(tuple(map(amount, self._machines)))
        return self._columns[key]

    def same(self, amount: int) -> Amounts:
        """Return the same amount for all machines."""
        return Amounts(self.of(_NOTHING, lambda _: 0), -amount)

    def memory(self, machine: Machine, profile: NodeProfile) -> int:
        """Return the memory of a machine as nodes report it, or else as Karpenter estimates it."""
        reported = self._node_memory.get(machine.name)
        return estimated_memory(machine, profile) if reported is None else reported


class ClassAmounts:
    """The amounts of all machines under a node class of a profile."""

    __slots__ = ("_columns", "_profile")

    def __init__(self, columns: MachineColumns, profile: NodeProfile) -> None:
        self._columns = columns
        self._profile = profile

    def resources(self, _mask: int) -> tuple[str, ...]:
        """Return all resources that machines have."""
        return self._resources

    @property
    def _resources(self) -> tuple[str, ...]:
        of_windows = (PRIVATE_IPV4,) if self._profile.family.is_windows else ()
        return (*self._columns.hardware, MEMORY, EPHEMERAL_STORAGE, PODS, *of_windows)

    def capacity(self, resource: str) -> Amounts:
        """Return what the machines have of a resource."""
        profile, columns = self._profile, self._columns
        if resource == MEMORY:
            key = resource, profile.memory_overhead
            return Amounts(columns.of(key, lambda machine: columns.memory(machine, profile)))
        if resource == EPHEMERAL_STORAGE:
            if not profile.raid0:
                return columns.same(profile.disk)
            return Amounts(columns.of((resource, profile.disk), lambda machine: ephemeral_storage(machine, profile)))
        if resource == PODS:
            return self._pods()
        if resource == EFA and profile.efa_only is not None:
            return columns.same(profile.efa_only * NANO)
        if resource == PRIVATE_IPV4 and profile.family.is_windows:
            return Amounts(columns.of(resource, lambda machine: capacity(machine, profile).get(PRIVATE_IPV4, 0)))
        if resource in columns.hardware:
            return Amounts(columns.of(resource, lambda machine: hardware(machine)[resource]))
        return columns.same(0)

    def allocatable(self, resource: str) -> Amounts:
        """Return what pods may use of a resource."""
        if resource == MEMORY:
            return self._allocatable_memory()
        if resource == EPHEMERAL_STORAGE:
            return self._allocatable_storage()
        if resource == CPU and CPU not in self._profile.kube_reserved:
            left = self._columns.of("allocatable cpu", lambda machine: machine.vcpus * NANO - kube_reserved_cpu(machine.vcpus))
            return Amounts(left, self._reserved(resource))
        column, less = self.capacity(resource)
        return Amounts(column, less + self._reserved(resource)) if resource in self._resources else self._columns.same(0)

    def _reserved(self, resource: str) -> int:
        """Return what the class itself reserves of a resource."""
        return self._profile.kube_reserved.get(resource, 0) + self._profile.system_reserved.get(resource, 0)

    def _allocatable_memory(self) -> Amounts:
        profile, columns = self._profile, self._columns
        eviction, pods_key = profile.eviction_memory, self._kube_pods_key()
        is_relative = eviction.percent is not None

        def left(machine: Machine) -> int:
            evicted = eviction.of(estimated_memory(machine, profile)) if is_relative else 0
            kube = 0 if pods_key is None else kube_memory(pods_of_kube_memory(machine, profile))
            return columns.memory(machine, profile) - evicted - kube

        column = columns.of(("allocatable memory", profile.memory_overhead, eviction.percent, pods_key), left)
        less = (0 if is_relative else eviction.amount) + self._reserved(MEMORY)
        if pods_key is None and MEMORY not in profile.kube_reserved:
            less += kube_memory(self._same_pods() or 0)
        return Amounts(column, less)

    def _allocatable_storage(self) -> Amounts:
        profile, eviction = self._profile, self._profile.eviction_disk
        less = self._reserved(EPHEMERAL_STORAGE) + (0 if EPHEMERAL_STORAGE in profile.kube_reserved else DISK)
        if not profile.raid0:
            return self._columns.same(profile.disk - eviction.of(profile.disk) - less)

        def left(machine: Machine) -> int:
            disk = ephemeral_storage(machine, profile)
            return disk - eviction.of(disk)

        return Amounts(self._columns.of(("allocatable storage", profile.disk, eviction), left), less)

    def _pods(self) -> Amounts:
        profile, same = self._profile, self._same_pods()
        is_dense = profile.pods_per_core > 0 and profile.family.obeys_pods_per_core
        if same is not None and not is_dense:
            return self._columns.same(same * NANO)
        key = PODS, same, self._interfaces(), profile.pods_per_core if is_dense else 0
        return Amounts(self._columns.of(key, lambda machine: pods(machine, profile) * NANO))

    def _same_pods(self) -> int | None:
        """Return the number of pods that all nodes have, before their density lowers it; None if interfaces decide."""
        profile = self._profile
        return profile.family.default_pods if profile.max_pods is None else profile.max_pods

    def _interfaces(self) -> Hashable:
        """Return what the number of pods depends on where interfaces decide."""
        return None if self._same_pods() is not None else (self._profile.reserved_enis, self._profile.efa_only_card0)

    def _kube_pods_key(self) -> Hashable | None:
        """Return what the number of pods depends on that memory is reserved for; None if that is the same for all machines."""
        profile = self._profile
        if MEMORY in profile.kube_reserved:
            return None
        if not profile.family.kube_memory_by_pods:
            return "interfaces", profile.efa_only_card0
        if profile.family.is_windows and profile.pods_per_core > 0 and profile.family.obeys_pods_per_core:
            return "pods", self._same_pods(), self._interfaces(), profile.pods_per_core
        return None if self._same_pods() is not None else ("pods", self._interfaces())
