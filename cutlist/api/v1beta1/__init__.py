"""Karpenter's objects of version v1beta1, as the API server of Karpenter 1.0 took them (spec: api-objects 7).

That release served v1beta1 last, beside v1. Here are its fields, its rules and its defaults; what an object becomes in v1 is in
`cutlist.api.convert`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cutlist.api._findings import Finding
from cutlist.api._model import as_received
from cutlist.api.structure import violations
from cutlist.api.v1beta1 import fields, rules
from cutlist.api.validation import Kind, validate, without_members
from cutlist.core.errors import Layer

VERSION: Final = "v1beta1"
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

__all__ = ["API_VERSIONS", "KINDS", "VERSION", "findings", "is_old", "known", "stored"]


def is_old(api_version: str, kind: str) -> bool:
    """Tell whether an object is one of this version."""
    return API_VERSIONS.get(kind) == api_version


def findings(manifest: Mapping[str, Any]) -> list[Finding]:
    """Tell why Karpenter 1.0 refused an object of this version, its controllers included; empty when it did not.

    What we would refuse besides is not among it: an object that was taken once must be read.
    """
    every = validate(KINDS[str(manifest.get("kind"))], manifest).findings
    return [finding for finding in every if finding.layer != Layer.LINT and finding.message]


def known(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return the object without nulls and fields that this version does not have, as a lenient API server keeps it."""
    written = as_received(manifest)
    breaches = violations(KINDS[str(manifest.get("kind"))].schema, written)
    return without_members(written, [breach.loc for breach in breaches if breach.kind == "extra_forbidden"])


def stored(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return the object as the API server of Karpenter 1.0 stored it on creation: with defaults, without nulls and status."""
    kept = KINDS[str(manifest.get("kind"))].stored(manifest)
    return {**kept, "metadata": {key: value for key, value in kept["metadata"].items() if value not in ({}, [])}}
