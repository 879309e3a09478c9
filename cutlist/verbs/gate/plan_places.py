"""Where the objects are written that a plan's figures are about: its NodePools, workloads and disruption budgets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.errors import Place
from cutlist.documents.document import Document
from cutlist.policy.rules.parts import Resource, nowhere
from cutlist.policy.rules.tokens import NODE_PLAN
from cutlist.workloads.groups import workload_parts
from cutlist.workloads.written import namespace_of

_DEFAULT: Final = "default"
_POOL: Final = "nodepool"
_BUDGET: Final = "poddisruptionbudget"
_POOLS: Final = "measures.pools."
_CLOSED: Final = "measures.workloads.closedBudgets."
_BY_WORKLOAD: Final = ("measures.pending.", "measures.unsettled.")
_LISTED: Final = re.compile(r"measures\.(held|workloads\.withoutRequests|workloads\.spotOnly)\[([0-9]+)\]")


@dataclass(frozen=True, slots=True)
class PlanPlaces:
    """The objects of a plan by kind in lower case, namespace and name; its figures have their files and lines."""

    objects: Mapping[tuple[str, str, str], Document]
    figures: Mapping[str, Any]

    def place(self, path: str) -> Place:
        """Return where the object of a figure is written; for a figure of the whole plan, and of an object in no file, only the
        path of the figure."""
        document = self._document(path)
        return nowhere(path) if document is None else document.at("")

    def _document(self, path: str) -> Document | None:
        if path.startswith(_POOLS):
            return self._pool(path.removeprefix(_POOLS))
        if path.startswith(_CLOSED):
            namespace, _, name = path.removeprefix(_CLOSED).partition("/")
            return self.objects.get((_BUDGET, namespace, name))
        for before in _BY_WORKLOAD:
            if path.startswith(before):
                return self._workload(path.removeprefix(before))
        listed = _LISTED.fullmatch(path)
        return None if listed is None else self._workload(self._text(listed[1], int(listed[2])))

    def _pool(self, named: str) -> Document | None:
        """Return the NodePool of a figure, which may be below it: names have dots as well."""
        while named:
            if (document := self.objects.get((_POOL, _DEFAULT, named))) is not None:
                return document
            named = named.rpartition(".")[0]
        return None

    def _workload(self, workload: str) -> Document | None:
        namespace, kind, name = workload_parts(workload)
        return self.objects.get((kind, namespace, name))

    def _text(self, member: str, number: int) -> str:
        """Return a text of a list of the figures."""
        here: Any = self.figures["measures"]
        for key in member.split("."):
            here = here[key]
        return str(here[number])


def plan_resource(figures: Mapping[str, Any], documents: Iterable[Document]) -> Resource:
    """Return the figures of a plan as rules read them, with the places of the objects that it was made from."""
    objects: dict[tuple[str, str, str], Document] = {}
    for document in documents:
        objects.setdefault((document.kind.lower(), namespace_of(document), document.name), document)
    return Resource(NODE_PLAN, "nodes", figures, PlanPlaces(objects, figures).place)
