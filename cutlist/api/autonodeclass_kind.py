"""The NodeClass of EKS Auto Mode as a kind: its schema, and the rules that are known of it (spec: api-objects 4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.api import autonodeclass_rules
from cutlist.api._findings import Finding, Hints
from cutlist.api.autonodeclass_fields import AutoNodeClassFields
from cutlist.api.ec2nodeclass_fields import PATTERNS_IN_WORDS
from cutlist.api.examination import Kind, Manifest

_MANAGED: Final = "Auto Mode manages this"
HINTS: Final = Hints(
    patterns=PATTERNS_IN_WORDS,
    moved={
        **{
            f"spec.{name}": _MANAGED
            for name in (
                "amiFamily",
                "amiSelectorTerms",
                "userData",
                "metadataOptions",
                "kubelet",
                "instanceStorePolicy",
                "detailedMonitoring",
                "context",
            )
        },
        "spec.blockDeviceMappings": f"{_MANAGED}; set the size of the data volume in spec.ephemeralStorage",
        "spec.ipPrefixCount": f"{_MANAGED}; count prefixes in spec.advancedNetworking.networkInterfaces",
        "spec.associatePublicIPAddress": "here it is spec.advancedNetworking.associatePublicIPAddress",
        "spec.networkInterfaces": "here it is spec.advancedNetworking.networkInterfaces",
        "spec.capacityReservationSelectorTerms.ownerID": "here it is owner",
    },
)


def _lint(stored: Manifest, _: str) -> Iterator[Finding]:
    return autonodeclass_rules.lint_findings(stored)


AUTO_NODE_CLASS: Final = Kind(AutoNodeClassFields, HINTS, lambda _: autonodeclass_rules.RULES, lint=_lint)
