"""What is refused in selector terms: how node classes find subnets, security groups, reservations (spec: api-objects 3.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cutlist.api._findings import Finding


def terms_findings(
    path: str, terms: Sequence[Any], fields: tuple[str, ...], single: tuple[str, ...], what: str
) -> Iterator[Finding]:
    """What is wrong with a list of terms that have these fields, of which some (`single`) stand alone in theirs."""
    if not terms:
        yield Finding(path, f"{path.removeprefix('spec.')} cannot be empty")
    for index, term in enumerate(terms):
        where = f"{path}[{index}]"
        yield from one_of(where, term, fields)
        yield from selector_tags(f"{where}.tags", term.tags)
        # The CRD looks only at whether every term mixes; a single mixed term is a mistake all the same (spec 3.3).
        for field in single:
            yield from alone(where, term, field, tuple(f for f in fields if f != field), what)


def alone(path: str, term: Any, field: str, others: tuple[str, ...], what: str) -> Iterator[Finding]:
    """A field that says all by itself, next to others."""
    if getattr(term, field) is not None and any(getattr(term, other) is not None for other in others):
        yield Finding(path, f"'{field}' is mutually exclusive, cannot be set with a combination of other fields in {what}")


def one_of(path: str, term: Any, fields: tuple[str, ...]) -> Iterator[Finding]:
    """A term that says nothing."""
    # `tags: {}` counts as absent: Karpenter would look without any filter and match everything (spec 3.3).
    given = term.manifest()
    if not any(given.get(field) not in (None, {}) for field in fields):
        yield Finding(path, f"expected at least one, got none, [{', '.join(repr(f) for f in fields)}]")


def selector_tags(path: str, tags: Mapping[str, str] | None) -> Iterator[Finding]:
    """Tags to select by that are half empty."""
    for key, value in (tags or {}).items():
        if not key or not value:
            yield Finding(f"{path}.{key}" if key else path, "empty tag keys or values aren't supported", "* for any value")
