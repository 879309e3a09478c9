"""The objects that declare gangs: PodGroups of Kubernetes, Volcano and the coscheduling plugin, Workloads of Kubernetes 1.35
(spec: gangs 1; GA-1, GA-9, GA-11, GA-13)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.core.shapes import Report, anything, fields, integer, list_of, text
from cutlist.documents.document import Document
from cutlist.workloads.gangs.gang import (
    COSCHEDULING,
    KUBE_SCHEDULER,
    POD_GROUP,
    VOLCANO,
    WORKLOAD,
    GangId,
    GangNeed,
    GangScheduler,
)
from cutlist.workloads.groups import workload_name
from cutlist.workloads.kinds import Kind, kind_of
from cutlist.workloads.owners import key_of

_KUBERNETES: Final = "scheduling.k8s.io"
_SCHEDULERS: Final[Mapping[str, GangScheduler]] = {
    _KUBERNETES: KUBE_SCHEDULER,
    "scheduling.volcano.sh": VOLCANO,
    "scheduling.x-k8s.io": COSCHEDULING,
}
GANG_KINDS: Final[frozenset[Kind]] = frozenset([*((group, POD_GROUP) for group in _SCHEDULERS), (_KUBERNETES, WORKLOAD)])
"""The kinds that declare gangs."""

_COUNT: Final = integer(1)
_POLICY: Final = fields({}, {"basic": anything, "gang": fields({"minCount": _COUNT})})
_POD_GROUP: Final = fields({"spec": fields({"schedulingPolicy": _POLICY})})
_OLD_WORKLOAD: Final = fields({"spec": fields({"podGroups": list_of(fields({"name": text, "policy": _POLICY}))})})
_MEMBERS: Final[Mapping[GangScheduler, Any]] = {
    VOLCANO: fields({"spec": fields({}, {"minMember": integer(0)})}),
    COSCHEDULING: fields({"spec": fields({}, {"minMember": _COUNT})}),
}


@dataclass(frozen=True, slots=True)
class DeclaredGangs:
    """The gangs that objects declare. `independent` are PodGroups whose pods are bound one by one."""

    needs: Mapping[GangId, GangNeed] = field(default_factory=dict)
    independent: frozenset[GangId] = frozenset()

    @staticmethod
    def read(documents: Iterable[Document], problems: Problems) -> DeclaredGangs:
        """Return what objects of the kinds of `GANG_KINDS` declare; mistakes are added to `problems`."""
        needs: dict[GangId, GangNeed] = {}
        independent = set[GangId]()
        for document in documents:
            for gang, minimum, path in _declared(document, problems):
                if minimum is None:
                    independent.add(gang)
                else:
                    needs[gang] = GangNeed(gang, minimum, document.at(path))
        return DeclaredGangs(needs, frozenset(independent))

    def of(self, gang: GangId) -> GangNeed | None:
        """Return what declares a gang, None if nothing does. In Kubernetes 1.35, all replicas of a group of a Workload have the
        minimum of that group (GA-9)."""
        declared = self.needs.get(gang._replace(replica=""))
        return None if declared is None else GangNeed(gang, declared.minimum, declared.place)

    def is_independent(self, gang: GangId) -> bool:
        """Tell whether an object says that the pods are bound one by one."""
        return gang._replace(replica="") in self.independent


_Declared = Iterator[tuple[GangId, int | None, str]]


def _declared(document: Document, problems: Problems) -> _Declared:
    """Yield each gang of an object with its minimum, None if its pods are bound one by one, and where that is written."""
    group, kind = kind_of(document.data)
    scheduler, report, before = _SCHEDULERS[group], Report(document, problems), len(problems.found)
    whole = GangId(scheduler, workload_name(kind, *_names(document)))
    if scheduler is not KUBE_SCHEDULER:
        _MEMBERS[scheduler](document.data, "", report)
        if len(problems.found) == before:
            yield whole, document.data["spec"].get("minMember") or 1, "spec.minMember"
    elif kind == POD_GROUP:
        _POD_GROUP(document.data, "", report)
        if len(problems.found) == before:
            policy = document.data["spec"]["schedulingPolicy"]
            yield from _by_policy(whole, policy, "spec.schedulingPolicy", report)
    elif "podGroups" in (document.data.get("spec") or {}):
        _OLD_WORKLOAD(document.data, "", report)
        for index, entry in enumerate(document.data["spec"]["podGroups"] if len(problems.found) == before else ()):
            gang, path = whole._replace(group=entry["name"]), f"spec.podGroups[{index}].policy"
            yield from _by_policy(gang, entry["policy"], path, report)


def _names(document: Document) -> tuple[str, str]:
    namespace, _, name = key_of(document.data)
    return namespace, name


def _by_policy(gang: GangId, policy: Mapping[str, Any], path: str, report: Report) -> _Declared:
    named = [member for member in ("basic", "gang") if policy.get(member) is not None]
    if len(named) != 1:
        found = "both basic and gang are written" if named else "neither basic nor gang is written"
        report.add(path, found, "exactly one of basic, gang")
    elif named == ["basic"]:
        yield gang, None, path
    else:
        yield gang, policy["gang"]["minCount"], f"{path}.gang.minCount"
