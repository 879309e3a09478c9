"""The EC2NodeClass as a kind: its schema, rules and checks (spec: api-objects 3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.api import ec2nodeclass_checks
from cutlist.api._findings import Finding, Hints
from cutlist.api.ec2nodeclass_fields import PATTERNS_IN_WORDS, EC2NodeClassFields
from cutlist.api.ec2nodeclass_rules import RULES
from cutlist.api.examination import Kind, Manifest

_AUTO_MODE: Final = "it belongs to the NodeClass of EKS Auto Mode, not to an EC2NodeClass"
HINTS: Final = Hints(
    patterns=PATTERNS_IN_WORDS,
    moved={
        "spec.amiSelector": "today it is the list spec.amiSelectorTerms",
        "spec.subnetSelector": "today it is the list spec.subnetSelectorTerms",
        "spec.securityGroupSelector": "today it is the list spec.securityGroupSelectorTerms",
        "spec.launchTemplate": "launch templates of your own are gone; use userData, blockDeviceMappings and selectors",
        "spec.kubelet.containerRuntime": "it was removed before v1beta1; containerd is the only runtime",
        "spec.ephemeralStorage": _AUTO_MODE,
        "spec.networkPolicy": _AUTO_MODE,
        "spec.networkPolicyEventLogs": _AUTO_MODE,
        "spec.snatPolicy": _AUTO_MODE,
    },
)


def _runtime(stored: Manifest, _: str) -> Iterator[Finding]:
    return ec2nodeclass_checks.runtime_findings(stored)


def _lint(stored: Manifest, _: str) -> Iterator[Finding]:
    return ec2nodeclass_checks.lint_findings(stored)


EC2_NODE_CLASS: Final = Kind(EC2NodeClassFields, HINTS, lambda _: RULES, runtime=_runtime, lint=_lint)
