"""Repairs of the user's own files: only the lines that a remedy changes are written, comments and layout stay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from cutlist.core.errors import Place
from cutlist.documents.document import Document
from cutlist.documents.files import SourceText
from cutlist.policy.gates import Gates, Level, Verdict, outcomes_of
from cutlist.policy.rules import ObjectRule, Resource, Resources
from cutlist.verbs.edited_texts import edit_text
from cutlist.verbs.gate.answer import resources_of


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
    repairs: dict[Place, tuple[str, tuple[str, ...]]] = {}

    def repaired(document: Document) -> Mapping[str, Any] | None:
        resource = resources_of((document,))[0]
        remedied, rules = _remedied(resource, gates, today)
        if not rules:
            return None
        repairs[document.place] = (resource.label, rules)
        return remedied.data

    edited = edit_text(file, repaired)
    left = {document.place for document in edited.left}
    report = tuple(
        f"{file.source}: {label} {_result(place in left)} ({', '.join(rules)})" for place, (label, rules) in repairs.items()
    )
    return FixedText(file.source, edited.text, report)


def _result(is_lost: bool) -> str:
    return "is left unchanged, because anchors or its form are in the way" if is_lost else "is repaired"


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
