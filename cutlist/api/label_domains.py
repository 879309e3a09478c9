"""Which label keys each copy of the CRDs lets through in its provider's domains (spec: api-objects 1.8, azure 2.7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cutlist.core.labels import AKS_GROUP, AUTO, AUTO_GROUP, AWS, AWS_GROUP, AZURE, AZURE_GROUP, LabelRegistry, domain


@dataclass(frozen=True, slots=True)
class LabelDomain:
    """A domain of label keys of which only some may be used, and those of the domains inside it that are open."""

    name: str
    allowed: frozenset[str]
    open_inside: tuple[str, ...] = ()

    @property
    def message(self) -> str:
        """What the API server says of another key of the domain."""
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
