"""Inputs of components as plain facts: every mistake noted, none raised half way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NotRequired, get_args, get_origin, is_typeddict

import pulumi

from cutlist.errors import InputError, Place, Problems, nearest
from cutlist.infrastructure.control_plane import one_of
from cutlist.infrastructure.names import ClusterFacts, NameStyle

_WORDS: Final = {str: "a text in quotes", int: "a whole number", bool: "true or false"}


def is_readable(given: Any, kind: Any, at: Place, problems: Problems) -> bool:
    """Whether a mapping of inputs has the types that a TypedDict names; keys that it does not have are noted as well.

    A misspelt key would be a setting that silently does nothing. A value that only an update finds out cannot decide names or
    counts. What is missing is left to the checks that know what it is for.
    """
    if not isinstance(given, Mapping):
        problems.add(at, _found(given), "a mapping")
        return False
    hints = {key: _plain(hint) for key, hint in kind.__annotations__.items()}
    for key in sorted(set(given) - set(hints)):
        problems.add(_under(at, key), f"unknown input {key!r}", ", ".join(sorted(hints)), nearest(key, hints))
    wrong = [key for key, hint in hints.items() if given.get(key) is not None and not _fits(given[key], hint)]
    for key in wrong:
        problems.add(_under(at, camel_case(key)), _found(given[key]), _wanted(hints[key]))
    return not wrong


def camel_case(key: str) -> str:
    """An input as messages name it, and as programs in other languages write it."""
    first, *rest = key.split("_")
    return first + "".join(word.capitalize() for word in rest)


def cluster_facts(given: Mapping[str, Any], at: Place, problems: Problems) -> ClusterFacts | None:
    """The facts that all names and ARNs of a cluster come from; None, with the reasons noted, when there can be none."""
    style = given.get("name_style") or NameStyle.KARPENTER.value
    wrong = list(one_of(style, tuple(NameStyle), _under(at, "nameStyle")))
    problems.extend(wrong)
    region = given.get("region") or ""
    if not region:
        problems.add(_under(at, "region"), "no region", "a region such as eu-west-1")
    try:
        name, account = str(given.get("cluster_name") or ""), str(given.get("account") or "")
        facts = ClusterFacts(name, region, account, name_style=NameStyle.KARPENTER if wrong else NameStyle(style))
    except InputError as error:
        for problem in error.problems:
            problems.add(_under(at, "clusterName"), problem.message, problem.allowed, problem.nearest)
        return None
    return facts


def count_of(values: Any) -> int | None:
    """How many values a list has; None while that is not known."""
    return len(values) if isinstance(values, list | tuple) else None


def _plain(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is NotRequired else hint


def _fits(value: Any, hint: Any) -> bool:
    kind, inner = get_origin(hint), get_args(hint)
    if kind is list:
        return isinstance(value, list | tuple) and all(_fits(member, inner[0]) for member in value)
    if kind is dict:
        return isinstance(value, Mapping) and all(_fits(member, inner[1]) for member in value.values())
    if is_typeddict(hint):
        return isinstance(value, Mapping)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    passed_on = hint is Any or not isinstance(hint, type)
    return passed_on or isinstance(value, hint)


def _found(value: Any) -> str:
    return "known only during an update" if isinstance(value, pulumi.Output) else f"{value!r} of type {type(value).__name__}"


def _wanted(hint: Any) -> str:
    if get_origin(hint) is list:
        return f"a list, each of it {_wanted(get_args(hint)[0])}"
    return _WORDS.get(hint, "a mapping")


def _under(at: Place, name: str) -> Place:
    return at.at(f"{at.path}.{name}" if at.path else name)
