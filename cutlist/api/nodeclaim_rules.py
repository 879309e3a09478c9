"""The NodeClaim as a kind: the rules of its CRD, in the copy of each provider (spec: api-objects 2.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.api.findings import Hints
from cutlist.api.label_domains import AUTO_DOMAINS, AWS_DOMAINS, AZURE_DOMAINS, AZURE_RESTRICTED
from cutlist.api.nodeclaim_fields import NodeClaimFields
from cutlist.api.requirement_rules import min_values_rule, of_provider, operator_rules, operators_by_use, reference_rules
from cutlist.api.rule_table import Breach, Row, Transition
from cutlist.api.validation import Manifest, ObjectKind
from cutlist.core.labels import AUTO_GROUP, AWS_GROUP, AZURE_GROUP

_REQUIREMENTS: Final = "spec.requirements"


def _changed(self: Any, old: Any) -> Iterator[Breach]:
    if self != old:
        yield Breach()


_OWN_RULES: Final[tuple[Row, ...]] = (
    Transition("spec", "spec is immutable", "self == oldSelf", _changed),
    *reference_rules("spec.nodeClassRef"),
    *operator_rules(_REQUIREMENTS),
    min_values_rule(_REQUIREMENTS),
)


CORE_RULES: Final = of_provider(_OWN_RULES, _REQUIREMENTS)
RULES: Final[Mapping[str, tuple[Row, ...]]] = {
    AWS_GROUP: of_provider(_OWN_RULES, _REQUIREMENTS, AWS_DOMAINS),
    AZURE_GROUP: of_provider(_OWN_RULES, _REQUIREMENTS, AZURE_DOMAINS, AZURE_RESTRICTED),
    AUTO_GROUP: of_provider(_OWN_RULES, _REQUIREMENTS, AUTO_DOMAINS),
}
"""The rules by the group of the node class, which identifies the provider."""


HINTS: Final = Hints(moved={"spec.kubelet": "since v1 the kubelet is set in the node class"})


def _provider(manifest: Manifest) -> str:
    here: Any = manifest
    for member in ("spec", "nodeClassRef", "group"):
        here = here.get(member) if isinstance(here, Mapping) else None
    return here if isinstance(here, str) else ""


NODE_CLAIM: Final = ObjectKind(
    NodeClaimFields,
    HINTS,
    lambda group: RULES.get(group, CORE_RULES),
    provider=_provider,
    since=(operators_by_use("spec.requirements"),),
)
