"""IAM statements from elsewhere, read from IAM's JSON form."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from cutlist.core.errors import Place, Problems, nearest
from cutlist.infrastructure.iam.documents import Condition, Document, Effect, Operator, Statement
from cutlist.infrastructure.inputs import one_of

_ELEMENTS: Final = ("Sid", "Effect", "Action", "Resource", "Condition")
_SID: Final = re.compile(r"[0-9A-Za-z]*", re.ASCII)


def read_document(statements: Sequence[Mapping[str, Any]], place: Place, problems: Problems) -> Document:
    """Return statements as a document.

    Parts that cannot be judged here are reported: other elements, such as NotAction, and other operators.
    """
    read = []
    for index, data in enumerate(statements):
        at = place.item(index)
        before = len(problems.found)
        statement = _statement(data, at, problems)
        if len(problems.found) == before:
            read.append(statement)
    return Document(tuple(read))


def _statement(data: Mapping[str, Any], at: Place, problems: Problems) -> Statement:
    for key in data:
        if key not in _ELEMENTS:
            problems.add(at.member(key), f"unknown element {key!r}", ", ".join(_ELEMENTS), nearest(key, _ELEMENTS))
    sid, effect = str(data.get("Sid", "")), data.get("Effect")
    if not _SID.fullmatch(sid):
        problems.add(at.member("Sid"), f"Sid {sid!r}", "letters and digits")
    problems.extend(one_of(effect, Effect, at.member("Effect")))
    actions = _texts(data.get("Action"), at.member("Action"), problems)
    resources = _texts(data.get("Resource"), at.member("Resource"), problems)
    conditions = _conditions(data.get("Condition") or {}, at.member("Condition"), problems)
    return Statement(sid, actions, resources, conditions, effect=Effect.DENY if effect == Effect.DENY else Effect.ALLOW)


def _conditions(data: Any, at: Place, problems: Problems) -> tuple[Condition, ...]:
    if not isinstance(data, Mapping) or not all(isinstance(tests, Mapping) for tests in data.values()):
        problems.add(at, "a condition is not an object of operators with keys and values")
        return ()
    conditions = []
    for operator, tests in data.items():
        if operator not in tuple(Operator):
            place, known = at.member(str(operator)), ", ".join(Operator)
            problems.add(place, f"unknown operator {operator!r}", known, nearest(str(operator), Operator))
            continue
        for key, values in tests.items():
            texts = _texts(values, at.at(f"{at.path}.{operator}.{key}"), problems)
            conditions.append(Condition(Operator(operator), str(key), texts))
    return tuple(conditions)


def _texts(value: Any, at: Place, problems: Problems) -> tuple[str, ...]:
    texts = value if isinstance(value, list) else [value]
    if not texts or not all(isinstance(text, str | bool) and text != "" for text in texts):
        problems.add(at, f"found {value!r}", "a text, or a list of texts")
        return ()
    return tuple(str(text).lower() if isinstance(text, bool) else text for text in texts)
