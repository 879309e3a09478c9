"""The rules on selector terms: how node classes find images, subnets, groups, reservations (spec: api-objects 3.2 to 3.5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cutlist.api.findings import Finding
from cutlist.api.rule_table import Breach, Breaches, Rule

Term = Mapping[str, Any]


def not_empty(path: str) -> Rule:
    """Return the rule that a list is not empty, for a CRD that has a rule for that instead of a bound in its schema."""
    text = f"{path.removeprefix('spec.')} cannot be empty"
    return Rule(path, text, "self.size() != 0", lambda self: [] if self else [Breach()])


def any_of(path: str, fields: Sequence[str]) -> Rule:
    """Return the rule that every term has at least one of the fields."""
    cel = f"self.all(x, {' || '.join(f'has(x.{field})' for field in fields)})"
    return Rule(
        path, empty_term_text(fields), cel, lambda self: [Breach((i,)) for i, t in enumerate(self) if not _has(t, fields)]
    )


def mixed_everywhere(path: str, message: str, field: str, others: Sequence[str], when_empty: str = "") -> Rule:
    """Return the rule on a field that excludes others. The CRD only checks whether every term mixes them, which is also true
    for an empty list. `when_empty` is Cutlist's message about an empty list; empty if another rule reports it.
    """
    combined = " || ".join(f"has(x.{other})" for other in others)
    combined = f"({combined})" if len(others) > 1 else combined
    cel = f"!self.all(x, has(x.{field}) && {combined})"
    return Rule(path, message, cel, lambda self: _all_mixed(self, field, others) if self else [Breach(instead=when_empty)])


def mixed_anywhere(path: str, message: str, field: str, others: Sequence[str]) -> Rule:
    """Return the rule on a field that excludes others within each term."""
    cel = f"!self.exists(x, has(x.{field}) && ({' || '.join(f'has(x.{other})' for other in others)}))"
    return Rule(path, message, cel, lambda self: mixed(self, field, others))


def selector_tags(path: str) -> Rule:
    """Return the rule on selector tags whose key or value is missing."""
    text = "empty tag keys or values aren't supported"
    return Rule(path, text, "self.all(k, k != '' && self[k] != '')", _half_empty)


def empty_term_text(fields: Sequence[str]) -> str:
    """Return the message about a term without any field."""
    return f"expected at least one, got none, [{', '.join(repr(f) for f in fields)}]"


def mixed(terms: Sequence[Term], field: str, others: Sequence[str]) -> list[Breach]:
    """Return the terms that have a field together with others."""
    return [Breach((i,)) for i, term in enumerate(terms) if field in term and _has(term, others)]


def wildcards(path: str, terms: Sequence[Term], fields: Sequence[str]) -> Iterator[Finding]:
    """Yield findings on terms with only `tags: {}`, which would match everything that the controller can see (spec 3.3)."""
    for index, term in enumerate(terms):
        if term.get("tags") == {} and not any(term.get(field) for field in fields if field != "tags"):
            yield Finding(f"{path}[{index}]", empty_term_text(fields))


def mixed_somewhere(
    path: str, rows: Sequence[Rule], terms: Sequence[Term], field: str, others: Sequence[str]
) -> Iterator[Finding]:
    """Yield findings on terms that mix fields next to terms that do not. The CRD accepts them, but then half of their fields
    have no effect."""
    breaches = mixed(terms, field, others)
    if len(breaches) < len(terms):
        message = next(row.message for row in rows if row.path == path and row.message.startswith(f"'{field}' is mutually"))
        yield from (Finding(f"{path}[{at[0]}]", message) for at, *_ in breaches)


def _all_mixed(terms: Sequence[Term], field: str, others: Sequence[str]) -> Breaches:
    breaches = mixed(terms, field, others)
    return breaches if len(breaches) == len(terms) else []


def _half_empty(tags: Mapping[str, str]) -> Breaches:
    return [Breach((key,) if key else (), "", "* for any value") for key, value in tags.items() if not key or not value]


def _has(term: Term, fields: Sequence[str]) -> bool:
    return any(field in term for field in fields)
