"""The NodeOverlay as a kind: the rules of its CRD, in the copy of each provider, and Karpenter's (spec: api-objects 6.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from cutlist.api.findings import Finding, Hints, Reported, Stage
from cutlist.api.label_domains import AWS_OVERLAY_DOMAINS, AZURE_DOMAINS, AZURE_RESTRICTED, registry_of
from cutlist.api.nodeoverlay_fields import PATTERNS_IN_WORDS, NodeOverlayFields
from cutlist.api.requirement_checks import requirement_findings
from cutlist.api.requirement_rules import not_in_rule, of_provider, operator_rules, operators_by_use
from cutlist.api.rule_table import Breach, Breaches, Row, Rule
from cutlist.api.validation import Manifest, ObjectKind
from cutlist.core.errors import Layer
from cutlist.core.labels import AKS_GROUP, AWS_GROUP, AZURE_GROUP, LabelRegistry, domain

_REQUIREMENTS: Final = "spec.requirements"
_OF_THE_CLOUD: Final = ("cpu", "memory", "ephemeral-storage", "pods")


def _two_prices(self: Mapping[str, Any]) -> Breaches:
    return [Breach()] if "price" in self and "priceAdjustment" in self else []


def _cloud_resources(self: Mapping[str, Any]) -> Breaches:
    return [Breach((resource,), "", "extended resources") for resource in self if resource in _OF_THE_CLOUD]


_OWN_RULES: Final[tuple[Row, ...]] = (
    Rule(
        "spec",
        "cannot set both 'price' and 'priceAdjustment'",
        "!has(self.price) || !has(self.priceAdjustment)",
        _two_prices,
    ),
    Rule(
        "spec.capacity",
        "invalid resource restricted",
        "self.all(x, !(x in ['cpu', 'memory', 'ephemeral-storage', 'pods']))",
        _cloud_resources,
    ),
    not_in_rule(_REQUIREMENTS),
    *operator_rules(_REQUIREMENTS, comma=""),
)


CORE_RULES: Final = of_provider(_OWN_RULES, _REQUIREMENTS)
RULES: Final[Mapping[str, tuple[Row, ...]]] = {
    AWS_GROUP: of_provider(_OWN_RULES, _REQUIREMENTS, AWS_OVERLAY_DOMAINS),
    AZURE_GROUP: of_provider(_OWN_RULES, _REQUIREMENTS, AZURE_DOMAINS, AZURE_RESTRICTED),
}


def _runtime(stored: Manifest, provider: str) -> Iterator[Finding]:
    """Yield the findings for which Karpenter ignores the overlay."""
    registry = registry_of(provider)
    spec = stored["spec"]
    yield from requirement_findings(_REQUIREMENTS, spec["requirements"], registry)
    for resource, text in managed_resources(spec.get("capacity") or {}, registry):
        reported = Reported("", text, Stage.RUNTIME)
        yield Finding(f"spec.capacity.{resource}", text, layer=Layer.RUNTIME, reported=(reported,))


def managed_resources(capacity: Iterable[str], registry: LabelRegistry) -> Iterator[tuple[str, str]]:
    """Yield the resources in an overlay that the cloud manages itself, each with Karpenter's message."""
    for resource in capacity:
        if resource in registry.well_known_resources:
            yield resource, f"invalid capacity: {resource} in resource, restricted"


HINTS: Final = Hints(
    patterns=PATTERNS_IN_WORDS,
    moved={"spec.requirements.minValues": "an overlay only selects; minValues belongs into the NodePool"},
)


def _provider(manifest: Manifest) -> str:
    """Return the provider of an overlay, judged by its label keys, since it names no node class."""
    spec = manifest.get("spec")
    listed = spec.get("requirements") if isinstance(spec, Mapping) else None
    keys = [r.get("key") for r in listed if isinstance(r, Mapping)] if isinstance(listed, list) else []
    domains = {domain(key) for key in keys if isinstance(key, str)}
    return AZURE_GROUP if domains & {AZURE_GROUP, AKS_GROUP} else AWS_GROUP


NODE_OVERLAY: Final = ObjectKind(
    NodeOverlayFields,
    HINTS,
    lambda group: RULES.get(group, CORE_RULES),
    runtime=_runtime,
    provider=_provider,
    since=(operators_by_use("spec.requirements"),),
)
