"""Inputs of components as plain facts: every mistake noted, none raised half way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cutlist.errors import InputError, Place, Problems, nearest
from cutlist.infrastructure.control_plane import one_of
from cutlist.infrastructure.names import ClusterFacts, NameStyle


def check_keys(given: Mapping[str, Any], known: Iterable[str], at: Place, problems: Problems) -> None:
    """Note keys that the component does not have: a misspelt one would be a setting that silently does nothing."""
    names = sorted(known)
    for key in sorted(set(given) - set(names)):
        place = at.at(f"{at.path}.{key}" if at.path else key)
        problems.add(place, f"unknown input {key!r}", ", ".join(names), nearest(key, names))


def cluster_facts(given: Mapping[str, Any], at: Place, problems: Problems) -> ClusterFacts | None:
    """The facts that all names and ARNs of a cluster come from; None, with the reasons noted, when there can be none."""
    style = given.get("name_style") or NameStyle.KARPENTER.value
    wrong = list(one_of(style, tuple(NameStyle), at.at(f"{at.path}.nameStyle" if at.path else "nameStyle")))
    problems.extend(wrong)
    region = given.get("region") or ""
    if not region:
        problems.add(at.at(f"{at.path}.region" if at.path else "region"), "no region", "a region such as eu-west-1")
    try:
        name, account = str(given.get("cluster_name") or ""), str(given.get("account") or "")
        facts = ClusterFacts(name, region, account, name_style=NameStyle.KARPENTER if wrong else NameStyle(style))
    except InputError as error:
        for problem in error.problems:
            place = at.at(f"{at.path}.clusterName" if at.path else "clusterName")
            problems.add(place, problem.message, problem.allowed, problem.nearest)
        return None
    return facts


def count_of(values: Any) -> int | None:
    """How many values a list has; None while that is not known."""
    return len(values) if isinstance(values, list | tuple) else None
