"""Repairs of the user's own files: only the lines that a remedy changes are written, comments and layout stay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from cutlist.answers.gate import resources_of
from cutlist.core.errors import Problems
from cutlist.documents import Document, SourceText, parse_documents, parse_values, rewrite
from cutlist.policy.gates import Gates, Level, Verdict, outcomes_of
from cutlist.policy.rules import ObjectRule, Resource, Resources
from cutlist.policy.rules.parts import unshared


@dataclass(frozen=True, slots=True)
class FixedText:
    """A text after its repairs; `report` has a line for each object that was, or could not be, repaired."""

    source: str
    text: str
    report: tuple[str, ...]


def fix_text(file: SourceText, gates: Gates, today: date) -> FixedText:
    """Return a text of YAML or JSON in which every violation that has a remedy is repaired.

    Rules that are off and exempt objects are left alone, and so are documents whose comments could not be kept. Documents that
    cannot be read stay as they are.
    """
    problems = Problems()
    documents = parse_documents(file.text, file.source, problems)
    roots = [unshared(root) for root in parse_values(file.text, file.source)]
    changed: dict[int, list[tuple[str, tuple[str, ...]]]] = {}
    for document in documents if not problems else ():
        resource = resources_of((document,))[0]
        remedied, rules = _remedied(resource, gates, today)
        if rules:
            number = document.place.document - 1
            roots[number] = _put(roots[number], document, remedied.data)
            changed.setdefault(number, []).append((resource.label, rules))
    return _written(file, roots, changed)


def _written(file: SourceText, roots: list[Any], changed: Mapping[int, list[tuple[str, tuple[str, ...]]]]) -> FixedText:
    if not changed:
        return FixedText(file.source, file.text, ())
    values = [(root,) if number in changed else None for number, root in enumerate(roots)]
    lost = {number - 1 for number in rewrite(file.text, values).renewed}
    kept = rewrite(file.text, [None if number in lost else value for number, value in enumerate(values)])
    report = tuple(
        f"{file.source}: {label} {_result(number in lost)} ({', '.join(rules)})"
        for number in sorted(changed)
        for label, rules in changed[number]
    )
    return FixedText(file.source, kept.text, report)


def _result(is_lost: bool) -> str:
    return "is left as it is, for anchors or its form are in the way" if is_lost else "is repaired"


def _remedied(resource: Resource, gates: Gates, today: date) -> tuple[Resource, tuple[str, ...]]:
    """Return a resource after all remedies that it needs, and the rules of these remedies."""
    applied = []
    for rule in gates.rules:
        if isinstance(rule, ObjectRule) and rule.remedy is not None and gates.levels[rule.id] is not Level.OFF:
            outcomes = outcomes_of(rule, Resources.of((resource,)), gates, today)
            if any(outcome.verdict is Verdict.VIOLATED for outcome in outcomes):
                data = rule.remedy(resource, gates.settings[rule.id])
                if data != resource.data:
                    resource = replace(resource, data=data)
                    applied.append(rule.id)
    return resource, tuple(applied)


def _put(root: Any, document: Document, data: Mapping[str, Any]) -> Any:
    """Return the contents of a file's document with one of its objects changed."""
    if not document.member:
        return dict(data)
    *path, last = document.member
    parent = root
    for step in path:
        parent = parent[step]
    # What the reader added to an item of a list of one kind is not written back.
    parent[last] = {key: value for key, value in data.items() if key in parent[last] or key not in ("apiVersion", "kind")}
    return root


def fix(texts: Iterable[SourceText], gates: Gates, today: date) -> Iterator[FixedText]:
    """Yield the texts that need a repair, with every violation repaired that has a remedy.

    >>> from datetime import date
    >>> from cutlist import SourceText, default_gates, fix
    >>> default = SourceText("default.yaml", '''
    ... apiVersion: karpenter.k8s.aws/v1
    ... kind: EC2NodeClass
    ... metadata: {name: default}
    ... spec:
    ...   amiSelectorTerms: [{alias: al2023@v20260625}]
    ...   metadataOptions: {httpTokens: optional}
    ... ''')
    >>> (fixed,) = fix([default], default_gates(), date(2026, 1, 5))
    >>> fixed.report
    ('default.yaml: EC2NodeClass/default is repaired (NC-01)',)
    """
    for text in texts:
        fixed = fix_text(text, gates, today)
        if fixed.report:
            yield fixed
