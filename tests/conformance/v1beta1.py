"""Objects of v1beta1 as the API server of Karpenter 1.0 kept and stored them, which its conversion webhook started from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cutlist.api.model import as_received
from cutlist.api.structure import violations
from cutlist.api.v1beta1 import KINDS
from cutlist.api.validation import without_members


def known(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return the object without nulls and fields that this version does not have, as a lenient API server keeps it."""
    written = as_received(manifest)
    breaches = violations(KINDS[str(manifest.get("kind"))].schema, written)
    return without_members(written, [breach.loc for breach in breaches if breach.kind == "extra_forbidden"])


def stored(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return the object as the API server of Karpenter 1.0 stored it on creation: with defaults, without nulls and status."""
    kept = KINDS[str(manifest.get("kind"))].stored(manifest)
    return {**kept, "metadata": {key: value for key, value in kept["metadata"].items() if value not in ({}, [])}}
