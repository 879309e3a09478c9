"""The rules that NodePools, NodeClaims and NodeOverlays share: requirements, labels, references (spec: api-objects 1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from cutlist.api.label_domains import LEGACY_KEYS, LabelDomain, labels_of_machines
from cutlist.api.rule_table import Breach, Breaches, Row, Rule
from cutlist.api.schema import allowed_words, member_edit
from cutlist.api.validation import Since, with_edit
from cutlist.core.errors import nearest
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.labels import CAPACITY_TYPE, HOSTNAME, NODEPOOL
from cutlist.core.requirement import integer

_BOUNDS: Final = ("Gt", "Lt", "Gte", "Lte")
_OWN: Final = LabelDomain("karpenter.sh", frozenset({CAPACITY_TYPE, NODEPOOL}))


def operator_rules(path: str, comma: str = ",") -> tuple[Rule, ...]:
    """Return the rules on how many values an operator takes; the text for NodeOverlays has no comma before its `or`."""
    return in_rule(path), bound_rule(path, _BOUNDS, comma)


def in_rule(path: str) -> Rule:
    """Return the rule that `In` has values."""
    return Rule(
        path,
        "requirements with operator 'In' must have a value defined",
        "self.all(x, x.operator == 'In' ? x.values.size() != 0 : true)",
        lambda self: _without_values(self, "In"),
    )


def bound_rule(path: str, operators: Sequence[str], comma: str = "") -> Rule:
    """Return the rule that a bound is one whole number."""
    *first, last = (f"'{operator}'" for operator in operators)
    is_bound = " || ".join(f"x.operator == '{operator}'" for operator in operators)
    return Rule(
        path,
        f"requirements operator {', '.join(first)}{comma} or {last} must have a single positive integer value",
        f"self.all(x, ({is_bound}) ? (x.values.size() == 1 && int(x.values[0]) >= 0) : true)",
        _no_bound,
    )


def min_values_rule(path: str) -> Rule:
    """Return the rule that `In` has at least `minValues` values."""
    return Rule(
        path,
        "requirements with 'minValues' must have at least that many values specified in the 'values' field",
        "self.all(x, (x.operator == 'In' && has(x.minValues)) ? x.values.size() >= x.minValues : true)",
        _too_few,
    )


def not_in_rule(path: str) -> Rule:
    """Return a rule that only NodeOverlays have: elsewhere, NotIn without values means that the key exists."""
    return Rule(
        path,
        "requirements with operator 'NotIn' must have a value defined",
        "self.all(x, x.operator == 'NotIn' ? x.values.size() != 0 : true)",
        lambda self: _without_values(self, "NotIn"),
    )


def key_rules(path: str, domains: Sequence[LabelDomain], restricted: Sequence[str]) -> tuple[Rule, ...]:
    """Return the rules on the keys at a path: in these domains only the listed keys are allowed, and restricted ones never."""
    return (
        *(_key_domain(path, domain) for domain in (_OWN, *domains)),
        *(_restricted_key(path, key) for key in restricted),
    )


def of_provider(
    own: Sequence[Row], path: str, domains: Sequence[LabelDomain] = (), restricted: Sequence[str] = ()
) -> tuple[Row, ...]:
    """Return a CRD's own rules and those on the keys of its requirements, in one provider's copy: no node may be requested by
    name.

    `path` is that of the requirements.
    """
    return (*own, *key_rules(f"{path}[].key", domains, (HOSTNAME, *restricted)))


def label_rules(path: str, domains: Sequence[LabelDomain], restricted: Sequence[str]) -> tuple[Rule, ...]:
    """Return the rules of `key_rules` for a mapping of labels."""
    return (
        *(_label_domain(path, domain) for domain in (_OWN, *domains)),
        *(_restricted_label(path, key) for key in restricted),
    )


def in_domain(key: str, domain: LabelDomain) -> bool:
    """Tell whether the API server counts a key as part of a domain. It compares the end of the text, so `mykarpenter.sh/x`
    counts, too (V-37)."""
    where = key.partition("/")[0]
    return key not in domain.allowed and where.endswith(domain.name) and not where.endswith(domain.open_inside)


def _restricted_key(path: str, restricted: str) -> Rule:
    return Rule(
        path,
        f'label "{restricted}" is restricted',
        f'self != "{restricted}"',
        lambda self: [_replaced(restricted)] if self == restricted else [],
    )


def _restricted_label(path: str, restricted: str) -> Rule:
    return Rule(
        path,
        f'label "{restricted}" is restricted',
        f'self.all(x, x != "{restricted}")',
        lambda self: [_replaced(restricted)._replace(at=(restricted,))] if restricted in self else [],
    )


def _key_domain(path: str, domain: LabelDomain) -> Rule:
    cel = _outside(domain, "self")
    return Rule(path, domain.message, cel, lambda self: [_near(self, domain)] if in_domain(self, domain) else [])


def _outside(domain: LabelDomain, key: str) -> str:
    where = f'{key}.find("^([^/]+)").endsWith'
    inside = "".join(f'{where}("{name}") || ' for name in domain.open_inside)
    return f'{f"{key} in [...] || " if domain.allowed else ""}{inside}!{where}("{domain.name}")'


def _label_domain(path: str, domain: LabelDomain) -> Rule:
    cel = f"self.all(x, {_outside(domain, 'x')})"
    return Rule(
        path,
        domain.message,
        cel,
        lambda self: [_near(key, domain)._replace(at=(key,)) for key in self if in_domain(key, domain)],
    )


def _near(key: str, domain: LabelDomain) -> Breach:
    known = sorted(domain.allowed - {NODEPOOL})
    listed = f", or {', '.join(known)}" if known and len(known) <= 4 else ""
    machines = [] if LEGACY_KEYS.get(key) else labels_of_machines(key)
    listed += f"; machines have {' or '.join(machines)}, by the cloud" if machines else ""
    return Breach((), "", f"your own domain{listed}", LEGACY_KEYS.get(key) or nearest(key, known))


def _replaced(key: str) -> Breach:
    return Breach(nearest=LEGACY_KEYS.get(key, ""))


def _without_values(requirements: Sequence[Mapping[str, Any]], operator: str) -> Breaches:
    of_operator = [(i, r) for i, r in enumerate(requirements) if r["operator"] == operator and not r.get("values")]
    return [Breach((i,), is_failure="values" not in r) for i, r in of_operator]


def _no_bound(requirements: Sequence[Mapping[str, Any]]) -> Iterator[Breach]:
    for index, r in enumerate(requirements):
        values: Sequence[str] = r.get("values") or ()
        if r["operator"] in _BOUNDS and not _is_bound(values):
            fails = "values" not in r or (len(values) == 1 and integer(values[0]) is None)
            yield Breach((index, "values"), f", found [{', '.join(values)}]", 'one value such as ["4"]', is_failure=fails)


def _is_bound(values: Sequence[str]) -> bool:
    number = integer(values[0]) if len(values) == 1 else None
    return number is not None and number >= 0


def _too_few(requirements: Sequence[Mapping[str, Any]]) -> Iterator[Breach]:
    for index, r in enumerate(requirements):
        values, wanted = r.get("values") or (), r.get("minValues")
        if r["operator"] == "In" and wanted is not None and len(values) < wanted and values:
            yield Breach((index, "minValues"), "", f"at most {len(values)}, or more values")
        elif r["operator"] == "In" and wanted is not None and not values:
            yield Breach((index,), is_failure="values" not in r)


def reference_rules(path: str) -> tuple[Rule, ...]:
    """Return the rules that no member of a reference is empty."""
    return tuple(
        Rule(f"{path}.{member}", f"{member} may not be empty", "self != ''", lambda self: [Breach()] if self == "" else [])
        for member in ("group", "kind", "name")
    )


def operators_by_use(path: str) -> Since:
    """Return the change for the requirements at a path: refusals list the operators in another order (VA15-116)."""
    operators = allowed_words("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Gte", "Lte")
    return Since(Behaviour.OPERATORS_ARE_LISTED_BY_USE, with_edit(member_edit(f"{path}[].operator", operators)))
