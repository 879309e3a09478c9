"""The NodeOverlay as a kind: its schema, rules and checks (spec: api-objects 6.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from cutlist.api import nodeoverlay_rules
from cutlist.api._findings import Finding, Hints
from cutlist.api.examination import Kind, Manifest
from cutlist.api.nodeoverlay_fields import PATTERNS_IN_WORDS, NodeOverlayFields
from cutlist.api.providers import registry_of
from cutlist.core.labels import AKS_GROUP, AWS_GROUP, AZURE_GROUP, domain

HINTS: Final = Hints(
    patterns=PATTERNS_IN_WORDS,
    moved={"spec.requirements.minValues": "an overlay only selects; minValues belongs into the NodePool"},
)


def _provider(manifest: Manifest) -> str:
    """An overlay names no node class: the keys that it selects by tell whose machines it means."""
    spec = manifest.get("spec")
    listed = spec.get("requirements") if isinstance(spec, Mapping) else None
    keys = [r.get("key") for r in listed if isinstance(r, Mapping)] if isinstance(listed, list) else []
    domains = {domain(key) for key in keys if isinstance(key, str)}
    return AZURE_GROUP if domains & {AZURE_GROUP, AKS_GROUP} else AWS_GROUP


def _runtime(stored: Manifest, provider: str) -> Iterator[Finding]:
    return nodeoverlay_rules.runtime_findings(stored, registry_of(provider))


NODE_OVERLAY: Final = Kind(
    NodeOverlayFields,
    HINTS,
    lambda group: nodeoverlay_rules.RULES.get(group, nodeoverlay_rules.CORE_RULES),
    runtime=_runtime,
    provider=_provider,
)
