"""Label keys: those that each provider's copy of the CRDs accepts, and former keys (spec: api-objects 1.8, 4.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cutlist.core.labels import (
    AKS_GROUP,
    AUTO,
    AUTO_GROUP,
    AUTO_LABELS,
    AWS,
    AWS_GROUP,
    AZURE,
    AZURE_GROUP,
    CAPACITY_TYPE,
    CORE,
    NODEPOOL,
    LabelRegistry,
    domain,
)


@dataclass(frozen=True, slots=True)
class LabelDomain:
    """A domain of label keys of which only some may be used, and the open ones of the domains inside it."""

    name: str
    allowed: frozenset[str]
    open_inside: tuple[str, ...] = ()

    @property
    def message(self) -> str:
        """Return the API server's message about another key of the domain."""
        return f'label domain "{self.name}" is restricted'


def _of(registry: LabelRegistry, group: str, *more: str) -> frozenset[str]:
    return frozenset(k for k in registry.well_known if domain(k) == group) | {f"{group}/{name}" for name in more}


_AWS_KEYS: Final = _of(AWS, AWS_GROUP, "ec2nodeclass")
_NOT_IN_OVERLAYS: Final = ("instance-tenancy", "capacity-reservation-", "placement-group-")

AWS_DOMAINS: Final = (LabelDomain(AWS_GROUP, _AWS_KEYS),)
AWS_OVERLAY_DOMAINS: Final = (
    LabelDomain(AWS_GROUP, frozenset(k for k in _AWS_KEYS if not k.partition("/")[2].startswith(_NOT_IN_OVERLAYS))),
)
AUTO_DOMAINS: Final = (LabelDomain(AUTO_GROUP, _of(AUTO, AUTO_GROUP)),)
AZURE_DOMAINS: Final = (
    LabelDomain(AZURE_GROUP, _of(AZURE, AZURE_GROUP, "aksnodeclass")),
    LabelDomain(AKS_GROUP, _of(AZURE, AKS_GROUP, "ebpf-dataplane", "ebpf-host-routing", "hostedvm", "network-policy")),
)
AZURE_RESTRICTED: Final = ("agentpool", "storageprofile", "storagetier", "accelerator")
"""Keys of older agent pools."""


_REGISTRIES: Final = {AWS_GROUP: AWS, AUTO_GROUP: AUTO, AZURE_GROUP: AZURE}


def registry_of(group: str) -> LabelRegistry:
    """Return the label keys of the provider of a group of node classes; the core's for an unknown group."""
    return _REGISTRIES.get(group, CORE)


def labels_of_machines(key: str) -> list[str]:
    """Return the labels that the clouds' machines have under the name of a key in another domain: one for each provider."""
    name = key.partition("/")[2]
    meant = ((registry, f"{group}/{name}") for group, registry in _REGISTRIES.items())
    return [label for registry, label in meant if label in registry.well_known and label != key]


LEGACY_KEYS: Final = {
    "karpenter.sh/provisioner-name": NODEPOOL,
    "node.kubernetes.io/capacity-type": CAPACITY_TYPE,
    "eks.amazonaws.com/capacityType": CAPACITY_TYPE,
}


_LISTED: Final = " ".join(sorted(CORE.well_known | AUTO_LABELS))
_DOMAINS: Final = " ".join(sorted(AUTO.restricted_domains))


def restriction_text(key: str) -> str:
    """Return Auto Mode's message about a key in a restricted domain, in pools and in pods."""
    return (
        f"label {key} is restricted; specify a well known label: [{_LISTED}], "
        f"or a custom label that does not use a restricted domain: [{_DOMAINS}]"
    )


def mapped_key(key: str) -> str:
    """Return Auto Mode's equivalent of a key of self-managed Karpenter, or an empty string without one."""
    group, _, name = key.partition("/")
    if group != AWS_GROUP:
        return ""
    own = f"{AUTO_GROUP}/{'nodeclass' if name == 'ec2nodeclass' else name}"
    return own if own in AUTO.well_known else ""


def self_managed_key(key: str) -> str:
    """Return self-managed Karpenter's equivalent of a key of Auto Mode, or an empty string without one."""
    group, _, name = key.partition("/")
    own = f"{AWS_GROUP}/{name}"
    return own if group == AUTO_GROUP and own in AWS.well_known else ""
