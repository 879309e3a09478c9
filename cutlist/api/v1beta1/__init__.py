"""Karpenter's objects of version v1beta1, as the API server of Karpenter 1.0 accepted them (spec: api-objects 7).

That release was the last to serve v1beta1, along with v1. Its fields, rules and defaults are here; the conversion to v1 is in
`cutlist.api.convert`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cutlist.api.findings import Finding
from cutlist.api.v1beta1 import fields, rules
from cutlist.api.validation import ObjectKind, validate
from cutlist.core.errors import Layer

API_VERSIONS: Final = {
    "NodePool": "karpenter.sh/v1beta1",
    "NodeClaim": "karpenter.sh/v1beta1",
    "EC2NodeClass": "karpenter.k8s.aws/v1beta1",
}
"""The kinds of this version, and the apiVersion of each."""

KINDS: Final[Mapping[str, ObjectKind]] = {
    "NodePool": ObjectKind(fields.NodePoolFields, rules.NODE_POOL, lambda _: rules.POOL_RULES),
    "NodeClaim": ObjectKind(fields.NodeClaimFields, rules.NODE_CLAIM, lambda _: rules.CLAIM_RULES),
    "EC2NodeClass": ObjectKind(fields.EC2NodeClassFields, rules.EC2_NODE_CLASS, lambda _: rules.CLASS_RULES),
}

__all__ = ["API_VERSIONS", "KINDS", "findings", "is_old"]


def is_old(api_version: str, kind: str) -> bool:
    """Tell whether an object is one of this version."""
    return API_VERSIONS.get(kind) == api_version


def findings(manifest: Mapping[str, Any]) -> list[Finding]:
    """Return why Karpenter 1.0 or its controllers would have refused an object of this version, empty if they accepted it.

    Findings that only Cutlist reports are not included: an object that was accepted once must be readable.
    """
    every = validate(KINDS[str(manifest.get("kind"))], manifest).findings
    return [finding for finding in every if finding.layer != Layer.LINT and finding.message]
