"""Kubelet expressions of an EC2NodeClass, resolved for one machine (spec: VA15-30 to VA15-38, VA15-40)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from cutlist.api.kubelet_checks import unreadable_setting
from cutlist.api.kubelet_expressions import (
    GATE,
    ExpressionError,
    Variables,
    resolved_max_pods,
    resolved_reservations,
)
from cutlist.catalog.machines import Machine
from cutlist.core.errors import InputError
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.quantity import NANO, amounts, is_quantity
from cutlist.providers.aws.capacity import pods
from cutlist.providers.aws.profile import AwsSettings, NodeProfile
from cutlist.providers.instance_types import PODS, InstanceType

if TYPE_CHECKING:
    from cutlist.api.ec2nodeclass import EC2NodeClass


@dataclass(frozen=True, slots=True)
class Reserved:
    """A node's reserved amounts as its user data has them: maps of texts, empty if the class's own text is kept."""

    kube: tuple[tuple[str, str], ...] = ()
    system: tuple[tuple[str, str], ...] = ()


NOTHING_RESERVED: Final = Reserved()


@dataclass(frozen=True, slots=True)
class KubeletExpressions:
    """The settings of a class that may differ by machine. `max_pods` is an expression, empty without one."""

    max_pods: str
    kube_reserved: tuple[tuple[str, str], ...]
    system_reserved: tuple[tuple[str, str], ...]
    enabled: bool

    @staticmethod
    def of(node_class: EC2NodeClass, settings: AwsSettings) -> KubeletExpressions | None:
        """Return the expressions of a class, or None if its Karpenter does not support them. Raises InputError for settings
        that Karpenter cannot read: it then lists no types at all (VA15-38).
        """
        if not node_class.karpenter.does(Behaviour.KUBELET_EXPRESSIONS):
            return None
        kubelet = node_class.kubelet_as_written
        fault = unreadable_setting(kubelet)
        if fault is not None:
            raise InputError.one(node_class.at(f"spec.kubelet.{fault.path}"), f"parsing spec.kubelet, {fault.message}")
        max_pods = kubelet.get("maxPods")
        return KubeletExpressions(
            max_pods=max_pods if isinstance(max_pods, str) else "",
            kube_reserved=_entries(kubelet, "kubeReserved"),
            system_reserved=_entries(kubelet, "systemReserved"),
            enabled=GATE in settings.feature_gates,
        )

    @property
    def differ_by_machine(self) -> bool:
        """Tell whether any expression affects the result for a machine."""
        entries = (*self.kube_reserved, *self.system_reserved)
        return self.enabled and (bool(self.max_pods) or any(not is_quantity(text) for _, text in entries))

    def profile_of(self, machine: Machine, profile: NodeProfile) -> NodeProfile:
        """Return the profile of a class with the results for a machine. Raises ExpressionError if maxPods has no result."""
        if not self.differ_by_machine:
            return profile
        if self.max_pods:
            variables = _variables(machine, pods(machine, profile))
            try:
                profile = replace(profile, max_pods=resolved_max_pods(self.max_pods, variables))
            except ExpressionError as error:
                text = f"resolving instance type {machine.name}, resolving maxPods, {error} (instance-type={machine.name})"
                raise ExpressionError(text) from None
        variables = _variables(machine, pods(machine, profile))
        return replace(
            profile,
            kube_reserved=amounts(resolved_reservations(dict(self.kube_reserved), variables)),
            system_reserved=amounts(resolved_reservations(dict(self.system_reserved), variables)),
        )

    def reserved(self, machine: Machine, pod_count: int) -> Reserved:
        """Return the reserved amounts in the user data of a machine with this number of pods (VA15-43, VA15-44)."""
        variables = _variables(machine, pod_count)

        def resolved(entries: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
            written = {key: text for key, text in entries if self.enabled or is_quantity(text)}
            return tuple(sorted(resolved_reservations(written, variables).items()))

        return Reserved(resolved(self.kube_reserved), resolved(self.system_reserved))


def reserved_by_type(
    node_class: EC2NodeClass, machines: Mapping[str, Machine], types: Iterable[InstanceType], settings: AwsSettings
) -> dict[str, Reserved]:
    """Return the reserved amounts of nodes by type, given each type's number of pods; nothing for a Karpenter without
    expressions."""
    expressions = KubeletExpressions.of(node_class, settings)
    if expressions is None:
        return {}
    known = ((each.name, each.capacity.get(PODS, 0) // NANO) for each in types if each.name in machines)
    return {name: expressions.reserved(machines[name], count) for name, count in known}


def _entries(kubelet: Mapping[str, Any], field: str) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((kubelet.get(field) or {}).items()))


def _variables(machine: Machine, max_pods: int) -> Variables:
    return Variables(
        vcpus=machine.vcpus,
        memory_mib=machine.memory_mib,
        default_enis=machine.network_cards[machine.default_card] if machine.network_cards else 0,
        ips_per_eni=machine.ipv4_per_interface or 0,
        max_pods=max_pods,
        instance_type=machine.name,
    )
