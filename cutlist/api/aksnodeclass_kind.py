"""The AKSNodeClass as a kind: its schema and rules (spec: azure 2)."""

from __future__ import annotations

from typing import Final

from cutlist.api._findings import Hints
from cutlist.api.aksnodeclass_fields import PATTERNS_IN_WORDS, AKSNodeClassFields
from cutlist.api.aksnodeclass_rules import RULES
from cutlist.api.examination import Kind

_ONLY_ON_EC2: Final = "AKS decides this"
HINTS: Final = Hints(
    patterns=PATTERNS_IN_WORDS,
    moved={
        "spec.security.trustedLaunch": "it comes with the release after 1.14",
        **{
            f"spec.kubelet.{name}": _ONLY_ON_EC2
            for name in ("kubeReserved", "systemReserved", "evictionHard", "evictionSoft", "podsPerCore")
        },
        "spec.kubelet.maxPods": "here it is spec.maxPods",
        "spec.userData": _ONLY_ON_EC2,
        "spec.amiFamily": "here it is spec.imageFamily",
    },
)

AKS_NODE_CLASS: Final = Kind(AKSNodeClassFields, HINTS, lambda _: RULES)
