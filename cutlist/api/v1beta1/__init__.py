"""Karpenter's objects of version v1beta1, as the API server of Karpenter 1.0 took them (spec: api-objects 7).

That release served v1beta1 last, beside v1. Here are its fields, its rules and its defaults; what an object becomes in v1 is in
`cutlist.api.convert`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cutlist.api._findings import Finding
from cutlist.api.v1beta1 import fields, rules
from cutlist.api.validation import Kind, validate
from cutlist.core.errors import Layer

API_VERSIONS: Final = {
    "NodePool": "karpenter.sh/v1beta1",
    "NodeClaim": "karpenter.sh/v1beta1",
    "EC2NodeClass": "karpenter.k8s.aws/v1beta1",
}
"""The kinds of this version, and the apiVersion of each."""

KINDS: Final[Mapping[str, Kind]] = {
    "NodePool": Kind(fields.NodePoolFields, rules.NODE_POOL, lambda _: rules.POOL_RULES),
    "NodeClaim": Kind(fields.NodeClaimFields, rules.NODE_CLAIM, lambda _: rules.CLAIM_RULES),
    "EC2NodeClass": Kind(fields.EC2NodeClassFields, rules.EC2_NODE_CLASS, lambda _: rules.CLASS_RULES),
}

__all__ = ["API_VERSIONS", "KINDS", "findings", "is_old"]


def is_old(api_version: str, kind: str) -> bool:
    """Tell whether an object is one of this version."""
    return API_VERSIONS.get(kind) == api_version


def findings(manifest: Mapping[str, Any]) -> list[Finding]:
    """Tell why Karpenter 1.0 refused an object of this version, its controllers included; empty when it did not.

    What we would refuse besides is not among it: an object that was taken once must be read.
    """
    every = validate(KINDS[str(manifest.get("kind"))], manifest).findings
    return [finding for finding in every if finding.layer != Layer.LINT and finding.message]
