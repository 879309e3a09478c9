"""Checks of a snapshot's nodes before they are read: malformed values are reported with their places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from cutlist.api.durations import seconds
from cutlist.core.errors import Problems
from cutlist.core.shapes import Report, Rule, Ruled, fields, integer, list_of, shown, text, timestamp
from cutlist.documents.document import Document
from cutlist.workloads import check

_times: Final = dict.fromkeys(("creationTimestamp", "deletionTimestamp"), timestamp)
_named: Final = fields({"name": text}, {"labels": check.texts, "annotations": check.texts, **_times})
_condition: Final = fields({"type": text}, {"status": text, "reason": text, "lastTransitionTime": timestamp})
_taint: Final = fields({"key": text, "effect": text}, {"value": text})
_parts: Final[Mapping[str, Rule]] = {"taints": list_of(_taint), "startupTaints": list_of(_taint), "providerID": text}
_status: Final = fields(
    optional={
        **dict.fromkeys(("capacity", "allocatable"), check.amounts),
        "conditions": list_of(_condition),
        "lastPodEventTime": timestamp,
        "providerID": text,
    }
)
_reported: Final = fields(
    optional={
        "conditions": list_of(fields({"type": text}, {"status": text, "reason": text})),
        "nodeInfo": fields(optional={"kubeletVersion": text}),
        "providerID": text,
    }
)


def _is_duration(value: Any) -> bool:
    try:
        seconds(value)
    except ValueError:
        return False
    return True


def _duration(value: Any, path: str, report: Report) -> None:
    text(value, path, report)
    if isinstance(value, str) and not _is_duration(value):
        report.add(path, f"{shown(value)} is not a duration", "whole numbers with s, m or h, such as 30s or 1h30m; or Never")


_lifetime: Final = Ruled(_duration, test=lambda value: isinstance(value, str) and _is_duration(value))
_NODE: Final[Rule] = fields({"metadata": _named}, {"spec": fields(optional=_parts), "status": _status})
_lives: Final = fields(optional={**_parts, **dict.fromkeys(("expireAfter", "terminationGracePeriod"), _lifetime)})
_NODE_CLAIM: Final[Rule] = fields({"metadata": _named}, {"spec": _lives, "status": _status})
_driver: Final = fields({"name": text}, {"allocatable": fields(optional={"count": integer(-(2**31))})})
_CSI_NODE: Final[Rule] = fields({"metadata": _named}, {"spec": fields(optional={"drivers": list_of(_driver)})})
STORED_STATUS: Final[Mapping[str, Rule]] = dict.fromkeys(("Node", "NodeClaim"), _reported)
"""The members of the status of Nodes and NodeClaims besides amounts and times, on which plans and forecasts rest."""
_RULES: Final[Mapping[str, Rule]] = {
    "Node": _NODE,
    "NodeClaim": _NODE_CLAIM,
    "CSINode": _CSI_NODE,
}


def check_cluster(documents: Iterable[Document], problems: Problems) -> None:
    """Add the mistakes in documents of these kinds to `problems`, each with the object's kind and name.

    Other kinds are checked where they are read. Known problems are not added again, since reading the workloads checks Nodes,
    too.
    """
    known = set(problems.found)
    for document in documents:
        rule = _RULES.get(document.kind)
        if rule is None:
            continue
        own = Problems()
        rule(document.data, "", Report(document, own))
        # A snapshot is one long file, in which a line says little.
        who = f"{document.kind} {document.name}".rstrip() if own else ""
        problems.extend(replace(p, message=f"{who}: {p.message}") for p in own.found if p not in known)
