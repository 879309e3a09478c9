"""The NodePool as a kind: which schema, rules, checks and defaults it has under each provider (spec: api-objects 1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from cutlist.api import nodepool_checks
from cutlist.api._findings import Finding, Hints
from cutlist.api._model import plain_copy, without_nulls
from cutlist.api.examination import Kind, Manifest
from cutlist.api.nodepool_fields import NodePoolFields
from cutlist.api.nodepool_rules import AUTO_DEFAULTS, CORE_RULES, RULES
from cutlist.api.providers import registry_of
from cutlist.api.rule_table import Row
from cutlist.core.labels import AUTO_GROUP

HINTS: Final = Hints(
    moved={
        "spec.disruption.expireAfter": "since v1 it is spec.template.spec.expireAfter",
        "spec.template.metadata.name": "a template has only labels and annotations",
        "spec.template.spec.kubelet": "since v1 the kubelet is set in the node class: spec.kubelet of the EC2NodeClass",
        "spec.template.spec.resources": "it never had an effect; leave it out",
        "spec.template.spec.nodeClassRef.apiVersion": "v1 takes the group alone, without a version: group: karpenter.k8s.aws",
        "spec.ttlSecondsAfterEmpty": "today it is spec.disruption with consolidationPolicy: WhenEmpty and consolidateAfter",
        "spec.ttlSecondsUntilExpired": "today it is spec.template.spec.expireAfter",
        "spec.consolidation": "today it is spec.disruption.consolidationPolicy",
        "spec.provider": "today it is an EC2NodeClass of its own, named in spec.template.spec.nodeClassRef",
        "spec.providerRef": "today it is spec.template.spec.nodeClassRef",
    },
    missing={
        "spec.disruption.consolidateAfter": (
            "is missing and required as soon as spec.disruption is written",
            "a duration such as 0s, 30s or 1m; or Never",
        )
    },
)


def provider_of(manifest: Manifest) -> str:
    """The group of the node class; empty where the manifest does not say."""
    here: Any = manifest
    for member in ("spec", "template", "spec", "nodeClassRef", "group"):
        here = here.get(member) if isinstance(here, Mapping) else None
    return here if isinstance(here, str) else ""


def _rows(provider: str) -> Sequence[Row]:
    return RULES.get(provider, CORE_RULES)


def _runtime(stored: Manifest, provider: str) -> Iterator[Finding]:
    return nodepool_checks.runtime_findings(stored, registry_of(provider))


def _lint(stored: Manifest, _: str) -> Iterator[Finding]:
    return nodepool_checks.lint_findings(stored)


def _filled(manifest: Manifest, provider: str) -> Manifest:
    """With the defaults of EKS Auto Mode, which differ from Karpenter's."""
    if provider != AUTO_GROUP or provider_of(manifest) != AUTO_GROUP:
        return manifest
    filled = plain_copy(manifest)
    spec = filled["spec"]["template"]["spec"]  # there is one, since it says the provider
    filled["spec"]["template"]["spec"] = {**AUTO_DEFAULTS, **without_nulls(spec)}
    return filled


NODE_POOL: Final = Kind(
    NodePoolFields,
    HINTS,
    _rows,
    runtime=_runtime,
    lint=_lint,
    provider=provider_of,
    filled=_filled,
    scale=("spec", "replicas"),
)
