"""The services that run Karpenter for the clusters of a program, and what each of them adds by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cutlist.core.services import AKS, EKS_AUTO, AddedByService, added_by
from cutlist.infrastructure.aks.cluster import DefaultPools, Provisioning
from cutlist.policy.rules.tokens import AKS_CLUSTER, EKS_CLUSTER, NATIVE_EKS_CLUSTER, without_version
from pulumi_cutlist.recorded.recording import Recording


def services_of(recording: Recording) -> tuple[AddedByService, ...]:
    """Return what services add to the clusters that a program registered, by their names."""
    resources = recording.resources.values()
    found = (added for resource in resources for added in _added(resource.type, resource.name, resource.inputs))
    return tuple(sorted(found, key=lambda added: (added.service, added.cluster)))


def _added(type_: str, name: str, inputs: Mapping[str, Any]) -> Iterator[AddedByService]:
    if without_version(type_) == AKS_CLUSTER:
        provisioning, sku = _member(inputs, "nodeProvisioningProfile"), _member(inputs, "sku").get("name")
        if provisioning.get("mode") == Provisioning.AUTO:
            none = provisioning.get("defaultNodePools") == DefaultPools.NONE
            yield added_by(AKS, name, [] if none else [pool.name for pool in AKS.pools], sku if isinstance(sku, str) else "")
    elif type_ in (EKS_CLUSTER, NATIVE_EKS_CLUSTER):
        compute = _member(inputs, "computeConfig")
        listed = compute.get("nodePools")
        if compute.get("enabled") is True:
            yield added_by(EKS_AUTO, name, listed if isinstance(listed, list) else [])


def _member(inputs: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = inputs.get(name)
    return value if isinstance(value, Mapping) else {}
