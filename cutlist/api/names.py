"""Names, label keys and label values, as the API server accepts them (spec: api-objects 0.3)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from cutlist.api.findings import Finding, shortened
from cutlist.api.patterns import LABEL_VALUE, PATTERNS_IN_WORDS, QUALIFIED_NAME, matches

MAX_LENGTH: Final = 253
MAX_NAME: Final = 63  # the part of a qualified name after the slash, and a label's value

_SUBDOMAIN: Final = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*", re.ASCII)
_NOT_ALLOWED: Final = re.compile(r"[^a-z0-9.]+")


def name_findings(path: str, name: str) -> list[Finding]:
    """Return why a text cannot name an object, or an empty list if it can. A missing name is reported elsewhere."""
    if not name or (len(name) <= MAX_LENGTH and _SUBDOMAIN.fullmatch(name)):
        return []
    allowed = f"at most {MAX_LENGTH} lower-case letters, digits, - and ., starting and ending with a letter or digit"
    near = _NOT_ALLOWED.sub("-", name.lower()).strip("-.")[:MAX_LENGTH]
    return [Finding(path, f"{shortened(name)!r} is not a name", allowed, near if _SUBDOMAIN.fullmatch(near) else "")]


def qualified_findings(path: str, key: str) -> list[Finding]:
    """Return why a text cannot be the key of a label or taint, or an empty list if it can."""
    prefix, _, name = key.rpartition("/")
    if not matches(QUALIFIED_NAME, key):
        return [Finding(path, f"key {shortened(key)} is not a qualified name", PATTERNS_IN_WORDS[QUALIFIED_NAME])]
    if len(prefix) > MAX_LENGTH or len(name) > MAX_NAME:
        allowed = f"at most {MAX_LENGTH} characters before the slash and {MAX_NAME} after it"
        return [Finding(path, f"key {shortened(key)} is not a qualified name", allowed)]
    return []


def label_value_findings(path: str, key: str, value: str) -> list[Finding]:
    """Return why a text cannot be the value of a label, or an empty list if it can."""
    if len(value) <= MAX_NAME and matches(LABEL_VALUE, value):
        return []
    allowed = f"at most {MAX_NAME} characters: {PATTERNS_IN_WORDS[LABEL_VALUE]}"
    return [Finding(path, f"invalid value {shortened(value)} for key {shortened(key)}", allowed)]


def label_findings(path: str, labels: Mapping[str, str]) -> list[Finding]:
    """Return the findings on the keys and values of an object's own labels."""
    findings = []
    for key, value in labels.items():
        findings += qualified_findings(f"{path}.{key}", key) + label_value_findings(f"{path}.{key}", key, value)
    return findings
