"""The table of operators' kinds that run pods: the well-known ones, and the user's own. A document of kind `PodKinds` among the
files adds the user's rows, which take precedence:

    apiVersion: cutlist/v1
    kind: PodKinds
    kinds:
    - group: example.com
      kind: Cache
      pods: [{template: spec.template, count: {spec.replicas: 1}}]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.core.shapes import Report, Rule, closed, integer, list_of, map_of, text
from cutlist.documents.document import Document
from cutlist.workloads.kinds import Kind, kind_of
from cutlist.workloads.operators import OPERATORS
from cutlist.workloads.pod_kinds import PodKind, PodSet

POD_KINDS: Final[Kind] = ("cutlist", "PodKinds")


_kinds: Final[Rule] = list_of(
    closed(
        {
            "group": text,
            "kind": text,
            "pods": list_of(
                closed(
                    optional={
                        "template": text,
                        "pod": text,
                        "count": map_of(integer(0)),
                        "each": text,
                        "name": text,
                        "role": text,
                        "suspended": text,
                    }
                ),
                at_least=1,
            ),
        }
    ),
    at_least=1,
)
_DOCUMENT: Final[Rule] = closed({"kinds": _kinds}, {"apiVersion": text, "kind": text})


def pod_kinds(documents: Iterable[Document], problems: Problems) -> Mapping[Kind, PodKind]:
    """Return the rows of the table by group and kind, those in documents of kind PodKinds first; mistakes go to `problems`."""
    rows = {(row.group, row.kind): row for row in OPERATORS}
    for document in documents:
        if kind_of(document.data) != POD_KINDS:
            continue
        before = len(problems.found)
        _DOCUMENT(document.data, "", Report(document, problems))
        for row in document.data["kinds"] if len(problems.found) == before else ():
            rows[row["group"], row["kind"]] = PodKind(row["group"], row["kind"], tuple(map(_own_set, row["pods"])))
    return rows


def _own_set(row: Mapping[str, Any]) -> PodSet:
    return PodSet(
        (row["template"],) if row.get("template") else (),
        dict(row.get("count") or {}),
        each=row.get("each") or "",
        name=row.get("name") or "name",
        role=row.get("role") or "",
        pod=row.get("pod") or "",
        suspended=(row["suspended"],) if row.get("suspended") else (),
    )
