"""The requirement terms that Karpenter refuses, and its messages about them (spec: scheduling 4.3).

A pod with such a term in its node selector or required node affinity is not scheduled at all; a NodePool with one is not ready.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Final

from cutlist.api.label_domains import restriction_text
from cutlist.core.labels import AUTO, LabelRegistry
from cutlist.core.requirement import Expression, Operator, integer

_NAME: Final = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_VALUE: Final = f"({_NAME})?"
_DNS_LABEL: Final = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_DNS_SUBDOMAIN: Final = rf"{_DNS_LABEL}(\.{_DNS_LABEL})*"
_MAX_NAME: Final = 63
_MAX_SUBDOMAIN: Final = 253

_MADE_OF: Final = "consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
_DNS_MADE_OF: Final = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', "
    "and must start and end with an alphanumeric character"
)
_OPERATORS: Final = tuple(Operator)
_BOUNDS: Final = (Operator.GT, Operator.LT, Operator.GTE, Operator.LTE)


def term_problems(expression: Expression, registry: LabelRegistry) -> list[str]:
    """Return Karpenter's messages about one expression of a required term, in its order and words: none if it is valid. Sets
    that Karpenter lists in random order are in the order of the specification (operators) or sorted (values).
    """
    key = registry.normalize(expression.key)
    e = expression if key == expression.key else replace(expression, key=key)
    return [
        *_operator_problems(e),
        *restriction_problems(e.key, registry),
        *_known_value_problems(e, registry),
        *(f"key {e.key} is not a qualified name, {problem}" for problem in label_key_problems(e.key)),
        *(f"invalid value {v} for key {e.key}, {problem}" for v in e.values for problem in label_value_problems(v)),
        *_number_problems(e),
    ]


def label_key_problems(key: str) -> list[str]:
    """Return the messages about a label key that breaks the rules of Kubernetes."""
    *prefixes, name = key.split("/")
    if len(prefixes) > 1:
        shape = _shape(f"a valid label key must {_MADE_OF}", _NAME, "MyName", "my.name", "123-abc")
        return [f"{shape} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"]
    problems = [f"prefix part {problem}" for prefix in prefixes for problem in _prefix_problems(prefix)]
    if not name:
        problems.append("name part must be non-empty")
    problems += [f"name part {problem}" for problem in _too_long(name, _MAX_NAME)]
    if not re.fullmatch(_NAME, name):
        problems.append(f"name part {_shape(f'must {_MADE_OF}', _NAME, 'MyName', 'my.name', '123-abc')}")
    return problems


def label_value_problems(value: str) -> list[str]:
    """Return the messages about a label value that breaks the rules of Kubernetes."""
    problems = _too_long(value, _MAX_NAME)
    if not re.fullmatch(_VALUE, value):
        problems.append(_shape(f"a valid label must be an empty string or {_MADE_OF}", _VALUE, "MyValue", "my_value", "12345"))
    return problems


def _prefix_problems(prefix: str) -> list[str]:
    if not prefix:
        return ["must be non-empty"]
    problems = _too_long(prefix, _MAX_SUBDOMAIN)
    if not re.fullmatch(_DNS_SUBDOMAIN, prefix):
        problems.append(_shape(_DNS_MADE_OF, _DNS_SUBDOMAIN, "example.com"))
    return problems


def _too_long(text: str, most: int) -> list[str]:
    return [f"must be no more than {most} bytes"] if len(text.encode()) > most else []


def _shape(rule: str, pattern: str, *examples: str) -> str:
    shown = " or ".join(f"'{example}', " for example in examples)
    return f"{rule} (e.g. {shown}regex used for validation is '{pattern}')"


def _operator_problems(e: Expression) -> list[str]:
    if e.operator in _OPERATORS:
        return []
    return [f"key {e.key} has an unsupported operator {e.operator} not in {_listed(Operator)}"]


def restriction_problems(key: str, registry: LabelRegistry) -> list[str]:
    """Return why a key may not be put on nodes, in Karpenter's words, or an empty list if it may."""
    if not registry.is_restricted(key):
        return []
    if registry is AUTO:
        return [restriction_text(key)]
    return [
        f"using label {key} is not allowed as it might interfere with the internal provisioning logic; specify a well known "
        f"label: {_listed(sorted(registry.well_known))}, or a custom label that does not use a restricted domain: "
        f"{_listed(sorted(registry.restricted_domains))}"
    ]


def _known_value_problems(e: Expression, registry: LabelRegistry) -> list[str]:
    """Return the problems with values of a closed set: `In` must name at least one of them, and as many as minValues."""
    known: Collection[str] = registry.well_known_values.get(e.key, ())
    if e.operator != Operator.IN or not known or e.key not in registry.well_known:
        return []
    valid = [value for value in e.values if value in known]
    if not valid:
        written, wanted = _listed(e.values), _listed(f"{value}:{{}}" for value in sorted(known))
        return [f"no valid values found in {written} for {e.key}, expected one of: map{wanted}, got: {written}"]
    if e.min_values is not None and len(valid) < e.min_values:
        return [
            f"not enough valid values found in {_listed(e.values)} for {e.key}, expected at least {e.min_values} valid values "
            f"from: {_listed(sorted(known))}, got: {len(valid)}"
        ]
    return []


def _number_problems(e: Expression) -> list[str]:
    """Return the problems with too few values, and with bounds that are not a single non-negative integer."""
    problems = []
    if e.operator == Operator.IN and not e.values:
        problems.append(f"key {e.key} with operator In must have a value defined")
    if e.operator == Operator.IN and e.min_values is not None and len(e.values) < e.min_values:
        problems.append(f"key {e.key} with operator In must have at least minimum number of values defined in 'values' field")
    if e.operator in _BOUNDS:
        bound = integer(e.values[0]) if len(e.values) == 1 else None
        if bound is None or bound < 0:
            problems.append(f"key {e.key} with operator {e.operator} must have a single positive integer value")
    return problems


def _listed(words: Iterable[str]) -> str:
    return f"[{' '.join(words)}]"
