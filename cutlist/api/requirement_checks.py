"""Karpenter's checks of requirements, labels and taints that the API server has accepted (spec: api-objects 1.3, 1.5, 1.8).

The reported words are those of `cutlist.api.terms`; Cutlist's own name the exact value and what is allowed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from cutlist.api.findings import Finding, Reported, Stage
from cutlist.api.label_domains import LEGACY_KEYS, mapped_key
from cutlist.api.names import label_value_findings, qualified_findings
from cutlist.api.terms import label_key_problems, label_value_problems, restriction_problems, term_problems
from cutlist.core.errors import Layer, nearest
from cutlist.core.labels import AUTO, NODEPOOL, LabelRegistry, domain
from cutlist.core.requirement import Expression

_CLASS_LABELS: Final = ("karpenter.k8s.aws/ec2nodeclass", "karpenter.azure.com/aksnodeclass")

Part = Mapping[str, Any]


def requirement_findings(path: str, requirements: Sequence[Part], registry: LabelRegistry) -> Iterator[Finding]:
    """Yield the findings for which Karpenter refuses requirements; `path` is that of the list."""
    for index, requirement in enumerate(requirements):
        where, e = f"{path}[{index}]", Expression.read(requirement)
        problems = term_problems(e, registry)
        if problems:
            message = f"invalid value: {'; '.join(problems)} in requirements, restricted"
            own = [*_key(f"{where}.key", e.key, registry), *_values(f"{where}.values", e, registry)]
            yield from _as_reported(where, own or [Finding(where, "; ".join(problems))], message)


def label_findings(path: str, labels: Mapping[str, str], registry: LabelRegistry) -> Iterator[Finding]:
    """Yield the findings for which Karpenter refuses the labels of a template."""
    for key, value in labels.items():
        where = f"{path}.{key}"
        shape, restriction = label_key_problems(key), restriction_problems(key, registry)
        values = label_value_problems(value)
        messages = [f'invalid key name "{key}" in labels, restricted'] if key == NODEPOOL else []
        messages += [f'invalid key name "{key}" in labels, {_quoted(problem)}' for problem in shape]
        messages += [f"invalid value: {value} for label[{key}], {problem}" for problem in values]
        messages += [f'invalid key name "{key}" in labels, {problem}' for problem in restriction]
        if messages:
            own = _key(where, key, registry, restriction[0] if restriction else "")
            own += label_value_findings(where, key, value) if values else []
            yield from _as_reported(where, own or [Finding(where, (*shape, f'label "{key}" is restricted')[0])], *messages)


def taint_findings(template: str, spec: Part) -> Iterator[Finding]:
    """Yield the findings for which Karpenter refuses taints: keys and values that are too long, pairs of key and effect that
    repeat."""
    taints: set[tuple[str, str]] = set()
    for field in ("taints", "startupTaints"):
        for index, taint in enumerate(spec.get(field) or ()):
            where, pair = f"{template}.{field}[{index}]", (taint["key"], taint["effect"])
            for member in ("key", "value"):
                text = taint.get(member) or ""
                problems = label_key_problems(text) if text else []
                if problems:
                    findings = qualified_findings(f"{where}.{member}", text) or [Finding(f"{where}.{member}", problems[0])]
                    yield from _as_reported(where, findings, *(f"invalid value: {problem} in {field}" for problem in problems))
            if pair in taints:
                text = f"duplicate taint Key/Effect pair {pair[0]}={pair[1]}"
                yield from _as_reported(where, [Finding(where, text)], text)
            taints.add(pair)


def _key(path: str, key: str, registry: LabelRegistry, text: str = "") -> list[Finding]:
    """Return the findings on a key that is restricted, or that no label can have."""
    if not registry.is_restricted(registry.normalize(key)):
        return qualified_findings(path, key)
    if registry is AUTO:
        near = mapped_key(key) or LEGACY_KEYS.get(key) or nearest(key, sorted(AUTO.well_known))
        wrapped = f'invalid key name "{key}" in labels, {text}' if text else ""
        return [Finding(path, wrapped or _wrapped(restriction_problems(key, registry)), nearest=near)]
    if key in _CLASS_LABELS:
        return [Finding(path, f'label "{key}" is restricted: name the class in spec.template.spec.nodeClassRef instead')]
    known = sorted(k for k in registry.well_known if domain(k) == domain(key))
    near = LEGACY_KEYS.get(key) or nearest(key, known)
    return [Finding(path, f'label "{key}" is restricted', "your own domain", near)]


def _wrapped(problems: Sequence[str]) -> str:
    return f"invalid value: {'; '.join(problems)} in requirements, restricted"


def _values(path: str, e: Expression, registry: LabelRegistry) -> Iterator[Finding]:
    yield from known_value_findings(path, e, registry)
    for at, value in enumerate(e.values):
        yield from label_value_findings(f"{path}[{at}]", e.key, value)


def known_value_findings(path: str, e: Expression, registry: LabelRegistry) -> list[Finding]:
    """Return why `In` on a key with a closed set of values can never hold, or an empty list if it can (V-30 to V-34)."""
    key = registry.normalize(e.key)
    known = sorted(registry.well_known_values.get(key, ()))
    valid = [v for v in e.values if v in known]
    written, allowed = f"[{' '.join(e.values)}] for {key}", ", ".join(known)
    if e.operator != "In" or not known or not e.values:
        return []
    if not valid:
        return [Finding(path, f"no valid values found in {written}", allowed, nearest(e.values[0].lower(), known))]
    if e.min_values is not None and len(valid) < e.min_values:
        text = f"not enough valid values found in {written}, expected at least {e.min_values} valid values, got {len(valid)}"
        return [Finding(path, text, allowed)]
    return []


def _as_reported(path: str, findings: Sequence[Finding], *messages: str) -> Iterator[Finding]:
    """Yield the findings as Karpenter's, which reports these messages about a place."""
    lines = tuple(Reported(path, message, Stage.RUNTIME) for message in messages)
    for finding in findings:
        yield finding._replace(layer=Layer.RUNTIME, reported=lines)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
