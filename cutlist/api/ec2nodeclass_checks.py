"""What the API server takes in an EC2NodeClass and we do not: what crashes the controller or finds too much (spec: 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.api._findings import Finding, Reported, Stage
from cutlist.api.ec2nodeclass_rules import AMI_FIELDS, AMI_TERMS, RESERVATION_FIELDS, RESERVATION_TERMS
from cutlist.api.node_class_rules import network_term_lint, role_lint
from cutlist.api.selector_rules import wildcards
from cutlist.core.errors import Layer

Spec = Mapping[str, Any]

_ALONE: Final = "'alias' is mutually exclusive, cannot be set with a combination of other fields in amiSelectorTerms"
_MIXED: Final = "'id' is mutually exclusive, cannot be set along with other fields in a capacity reservation selector term"


def runtime_findings(stored: Mapping[str, Any]) -> Iterator[Finding]:
    """An alias on which the controller ends its own process (V-76)."""
    for index, term in enumerate(_spec(stored).get("amiSelectorTerms") or ()):
        alias = term.get("alias")
        if alias is not None and alias.count("@") != 1:
            said = Reported("", f'failed to parse AMI alias "{alias}", invalid format', Stage.RUNTIME)
            text = f"'alias' is improperly formatted, must match the format 'family@version', found {alias!r}"
            yield Finding(f"{AMI_TERMS}[{index}].alias", text, layer=Layer.RUNTIME, reported=(said,))


def lint_findings(stored: Mapping[str, Any]) -> Iterator[Finding]:
    """What only we refuse."""
    spec = _spec(stored)
    yield from role_lint(spec)
    yield from wildcards(AMI_TERMS, spec.get("amiSelectorTerms") or (), AMI_FIELDS)
    for index, term in enumerate(spec.get("amiSelectorTerms") or ()):
        if "alias" in term and "ssmParameter" in term:
            yield Finding(f"{AMI_TERMS}[{index}]", _ALONE)
    yield from network_term_lint(spec)
    reservations = spec.get("capacityReservationSelectorTerms") or ()
    yield from wildcards(RESERVATION_TERMS, reservations, RESERVATION_FIELDS)
    crowded = [i for i, t in enumerate(reservations) if "id" in t and {"tags", "ownerID", "instanceMatchCriteria"} & set(t)]
    if len(crowded) < len(reservations):
        yield from (Finding(f"{RESERVATION_TERMS}[{i}]", _MIXED) for i in crowded)


def _spec(stored: Mapping[str, Any]) -> Spec:
    found: Spec = stored.get("spec") or {}
    return found
