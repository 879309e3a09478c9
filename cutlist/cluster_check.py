"""Nodes of a snapshot, checked before they are read: what is malformed is told with its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from cutlist.documents import Document
from cutlist.errors import Problems
from cutlist.workloads import check
from cutlist.workloads.schema import Report, Rule, fields, list_of, text

_named: Final = fields({"name": text}, {"labels": check.texts})
_taint: Final = fields({"key": text, "effect": text}, {"value": text})
_taints: Final = fields(optional={"taints": list_of(_taint), "startupTaints": list_of(_taint)})
_amounts: Final = fields(optional={"capacity": check.amounts, "allocatable": check.amounts})
_NODE: Final[Rule] = fields({"metadata": _named}, {"spec": _taints, "status": _amounts})
_CSI_NODE: Final[Rule] = fields({"metadata": _named}, {"spec": fields(optional={"drivers": list_of(fields({"name": text}))})})
_RULES: Final[Mapping[str, Rule]] = {
    "Node": _NODE,
    "NodeClaim": _NODE,
    "CSINode": _CSI_NODE,
}


def check_cluster(documents: Iterable[Document], problems: Problems) -> None:
    """Note what is wrong with these kinds among documents; others are looked at by those who read them."""
    for document in documents:
        rule = _RULES.get(document.kind)
        if rule is not None:
            rule(document.data, "", Report(document, problems))
