"""Repairs of the user's own files: only the lines that a remedy changes are written, comments and layout stay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from cutlist.answers.gate import subjects_of
from cutlist.core.errors import Problems
from cutlist.documents import Document, SourceText, parse_documents, parse_values, rewrite
from cutlist.policy.gates import Gates, Level, Verdict, outcomes_of
from cutlist.policy.rules import ObjectRule, Subject, Subjects
from cutlist.policy.rules.parts import unshared


@dataclass(frozen=True, slots=True)
class FixedText:
    """A text after its repairs; `told` has a line for each object that was repaired, or could not be."""

    source: str
    text: str
    told: tuple[str, ...]


def fix_text(given: SourceText, gates: Gates, today: date) -> FixedText:
    """A text of YAML or JSON in which every violation that has a remedy is repaired.

    Rules that are off and exempt objects are left alone, and so are documents whose comments could not be kept. What cannot be
    read stays as it is.
    """
    problems = Problems()
    documents = parse_documents(given.text, given.source, problems)
    roots = [unshared(root) for root in parse_values(given.text, given.source)]
    changed: dict[int, list[tuple[str, tuple[str, ...]]]] = {}
    for document in documents if not problems else ():
        subject = subjects_of((document,))[0]
        made, rules = _remedied(subject, gates, today)
        if rules:
            number = document.place.document - 1
            roots[number] = _put(roots[number], document, made.data)
            changed.setdefault(number, []).append((subject.label, rules))
    return _written(given, roots, changed)


def _written(given: SourceText, roots: list[Any], changed: Mapping[int, list[tuple[str, tuple[str, ...]]]]) -> FixedText:
    if not changed:
        return FixedText(given.source, given.text, ())
    values = [(root,) if number in changed else None for number, root in enumerate(roots)]
    lost = {number - 1 for number in rewrite(given.text, values).renewed}
    kept = rewrite(given.text, [None if number in lost else value for number, value in enumerate(values)])
    told = tuple(
        f"{given.source}: {label} {_told(number in lost)} ({', '.join(rules)})"
        for number in sorted(changed)
        for label, rules in changed[number]
    )
    return FixedText(given.source, kept.text, told)


def _told(is_lost: bool) -> str:
    return "is left as it is, for anchors or its form are in the way" if is_lost else "is repaired"


def _remedied(subject: Subject, gates: Gates, today: date) -> tuple[Subject, tuple[str, ...]]:
    """A subject after all remedies that it needs, and the rules that they are of."""
    done = []
    for rule in gates.rules:
        if isinstance(rule, ObjectRule) and rule.remedy is not None and gates.levels[rule.id] is not Level.OFF:
            found = outcomes_of(rule, Subjects.of((subject,)), gates, today)
            if any(one.verdict is Verdict.VIOLATED for one in found):
                data = rule.remedy(subject, gates.settings[rule.id])
                if data != subject.data:
                    subject = replace(subject, data=data)
                    done.append(rule.id)
    return subject, tuple(done)


def _put(root: Any, document: Document, data: Mapping[str, Any]) -> Any:
    """What a file's document holds, with one of its objects changed."""
    if not document.member:
        return dict(data)
    *way, last = document.member
    here = root
    for step in way:
        here = here[step]
    # What the reader added to a member of a list of one kind is not written back.
    here[last] = {key: value for key, value in data.items() if key in here[last] or key not in ("apiVersion", "kind")}
    return root


def fix(texts: Iterator[SourceText], gates: Gates, today: date) -> Iterator[FixedText]:
    """The texts that have anything to repair."""
    for one in texts:
        made = fix_text(one, gates, today)
        if made.told:
            yield made
