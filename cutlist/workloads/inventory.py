"""The documents of a run, checked and sorted by kind; those that have mistakes, are misspelt or not understood are set
apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.core.errors import Place, Problems
from cutlist.documents import Document
from cutlist.workloads import autoscalers, check, controllers
from cutlist.workloads.groups import NotUnderstood
from cutlist.workloads.kinds import READ, kind_of, misspelt, places_pods_by_other_means
from cutlist.workloads.owners import Key, key_of
from cutlist.workloads.schema import Report, Rule, anything, boolean, closed, fields, integer, list_of, one_of, text


def _object(required: Mapping[str, Rule] | None = None, optional: Mapping[str, Rule] | None = None) -> Rule:
    return fields({"metadata": check.named, **(required or {})}, optional or {})


_AMOUNTS: Final[Mapping[str, Rule]] = dict.fromkeys(
    ("default", "defaultRequest", "min", "max", "maxLimitRequestRatio"), check.amounts
)
_topology: Final = closed({"matchLabelExpressions": list_of(closed({"key": text, "values": list_of(text)}))})
_vertical: Final = fields(
    {"targetRef": fields({"kind": text, "name": text})}, {"updatePolicy": fields(optional={"updateMode": text})}
)
_volume: Final = fields(
    optional={"csi": fields(optional={"driver": text}), "nodeAffinity": closed(optional={"required": check.node_selector})}
)
_SHAPING: Final[Mapping[str, Rule]] = {
    "Pod": check.pod,
    "HorizontalPodAutoscaler": autoscalers.horizontal,
    "ScaledObject": autoscalers.scaled_object,
    "VerticalPodAutoscaler": _object({"spec": _vertical}),
    "Namespace": _object(),
    "LimitRange": _object({"spec": fields({"limits": list_of(closed({"type": text}, _AMOUNTS))})}),
    "ResourceQuota": _object(
        optional={"spec": fields(optional={"hard": check.amounts, "scopes": anything, "scopeSelector": anything})}
    ),
    "PriorityClass": _object({"value": integer(-(2**31))}, {"globalDefault": boolean}),
    "RuntimeClass": _object(
        optional={
            "handler": text,
            "overhead": closed(optional={"podFixed": check.amounts}),
            "scheduling": closed(optional={"nodeSelector": check.texts, "tolerations": check.tolerations}),
        }
    ),
    "PodDisruptionBudget": _object(optional={"spec": fields(optional={"selector": check.selector})}),
    "StorageClass": _object(
        optional={"volumeBindingMode": one_of("Immediate", "WaitForFirstConsumer"), "allowedTopologies": list_of(_topology)}
    ),
    "PersistentVolumeClaim": _object(optional={"spec": check.claim_spec, "status": fields(optional={"phase": text})}),
    "PersistentVolume": _object(optional={"spec": _volume}),
    "Node": _object(),
}
RULES: Final[Mapping[str, Rule]] = {**controllers.RULES, **_SHAPING}


@dataclass(frozen=True, slots=True)
class Inventory:
    """Documents by kind, each valid for its kind and with a unique combination of kind, namespace and name."""

    by_kind: Mapping[str, list[Document]] = field(default_factory=dict)
    not_understood: tuple[NotUnderstood, ...] = ()

    @staticmethod
    def take(documents: Iterable[Document], problems: Problems) -> Inventory:
        """Sort documents; mistakes are added to `problems`, and the documents that have them are left out."""
        by_kind: dict[str, list[Document]] = {kind: [] for _, kind in READ}
        not_understood: list[NotUnderstood] = []
        places: dict[Key, Place] = {}
        for document in documents:
            kind = kind_of(document.data)
            if kind in READ:
                if _valid(document, problems) and _first(document, places, problems):
                    by_kind[kind[1]].append(document)
            elif (meant := misspelt(kind)) is not None:
                problems.add(document.at("kind"), f"{document.api_version} has no kind {document.kind}", nearest=meant)
            elif places_pods_by_other_means(document.data):
                not_understood.append(NotUnderstood(document.kind, document.name, document.place))
        return Inventory(by_kind, tuple(not_understood))

    def manifests(self, *kinds: str) -> list[Mapping[str, Any]]:
        """Return the manifests of some kinds, in the order given."""
        return [document.data for kind in kinds for document in self.by_kind.get(kind, ())]


def _valid(document: Document, problems: Problems) -> bool:
    if document.kind in ("Kustomization", "Component"):
        folder = document.place.source.rpartition("/")[0] or "."
        problems.add(document.place, "a kustomization must be rendered first", f"kustomize build {folder} | cutlist plan -f -")
        return False
    before, report = len(problems.found), Report(document, problems)
    RULES[document.kind](document.data, "", report)
    if len(problems.found) == before and document.kind in autoscalers.BOUNDS:
        autoscalers.check_bounds(document.data, report)
    if len(problems.found) == before and not key_of(document.data)[2]:
        report.add("metadata.name", "is missing")
    return len(problems.found) == before


def _first(document: Document, places: dict[Key, Place], problems: Problems) -> bool:
    if "name" not in document.data["metadata"]:
        return True  # generateName: each of them is a different object
    key = key_of(document.data)
    earlier = places.setdefault(key, document.place)
    if earlier is document.place:
        return True
    namespace, kind, name = key
    where = "" if namespace == "default" else f" of namespace {namespace}"
    problems.add(document.at("metadata.name"), f"{kind} {name}{where} is given twice, first in {earlier}")
    return False
