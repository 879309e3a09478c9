"""The rules of the NodeOverlay's CRD, in the copy of each provider, and Karpenter's own (spec: api-objects 6.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from cutlist.api._findings import Finding, Reported, Stage
from cutlist.api.label_domains import AWS_OVERLAY_DOMAINS, AZURE_DOMAINS, AZURE_RESTRICTED
from cutlist.api.requirement_checks import requirement_findings
from cutlist.api.requirement_rules import not_in_rule, of_provider, operator_rules
from cutlist.api.rule_table import Breach, Breaches, Row, Rule
from cutlist.core.errors import Layer
from cutlist.core.labels import AWS_GROUP, AZURE_GROUP, LabelRegistry

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


def runtime_findings(stored: Mapping[str, Any], registry: LabelRegistry) -> Iterator[Finding]:
    """What makes Karpenter pass over the overlay."""
    spec = stored["spec"]
    yield from requirement_findings(_REQUIREMENTS, spec["requirements"], registry)
    for resource, text in managed_resources(spec.get("capacity") or {}, registry):
        said = Reported("", text, Stage.RUNTIME)
        yield Finding(f"spec.capacity.{resource}", text, layer=Layer.RUNTIME, reported=(said,))


def managed_resources(capacity: Iterable[str], registry: LabelRegistry) -> Iterator[tuple[str, str]]:
    """The resources that the cloud itself speaks of, and what Karpenter says to an overlay that has one."""
    for resource in capacity:
        if resource in registry.well_known_resources:
            yield resource, f"invalid capacity: {resource} in resource, restricted"
