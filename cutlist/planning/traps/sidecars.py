"""Containers that a webhook adds to pods after they are created: what of the input says so, and how much room they take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from cutlist.core.errors import QuantityError
from cutlist.core.notes import Note
from cutlist.core.quantity import Quantity, amount_text
from cutlist.core.wording import counted, first_of
from cutlist.documents.document import Document
from cutlist.planning.traps.injectors import INJECTORS, Injector
from cutlist.planning.traps.setup import Setup
from cutlist.planning.traps.templates import PodTemplate
from cutlist.workloads.kinds import kind_of

INJECTED: Final = "sidecars-not-counted"
"""The code of the note on pods that get a container which is not in the input."""
_ISTIO_TEMPLATES: Final = "inject.istio.io/templates"
_NAMESPACE: Final = ("", "Namespace")
_NAMED: Final = 3
_RESOURCES: Final = ("cpu", "memory")


@dataclass(frozen=True, slots=True)
class _Injected:
    """Pods of a workload that get a container: why, and its requests in nano-units."""

    workload: str
    pods: int
    switch: str
    requests: Mapping[str, int]
    of_pod: Mapping[str, int]


def uncounted_sidecars(setup: Setup) -> Iterator[Note]:
    """Yield a note for each webhook that adds a container to pods of the input, with what these request together."""
    counts: Counter[str] = Counter()
    requests: dict[str, Mapping[str, int]] = {}
    for group in setup.groups:
        counts[group.workload] += group.count
        requests.setdefault(group.workload, group.pod.requests)
    namespaces, nothing = _namespaces(setup.documents), dict[str, str]()
    found = (t for t in PodTemplate.of_documents(setup.documents) if counts[t.workload])
    marked = [(t, {**t.annotations, **t.labels}, namespaces.get(t.namespace, nothing)) for t in found]
    marked = [(t, own, namespace) for t, own, namespace in marked if own or namespace]
    for injector in INJECTORS:
        injected = [
            _Injected(t.workload, counts[t.workload], switch, _amounts(injector, t), requests[t.workload])
            for t, own, namespace in marked
            if (switch := injector.switch(own, namespace)) and not _is_spared(injector, t)
        ]
        if injected:
            yield Note(INJECTED, _text(injector, injected))


def _namespaces(documents: Iterable[Document]) -> dict[str, Mapping[str, str]]:
    """Return the labels and annotations of each namespace of the input."""
    metadata = [(d.name, d.data.get("metadata") or {}) for d in documents if kind_of(d.data) == _NAMESPACE]
    return {name: {**(of.get("annotations") or {}), **(of.get("labels") or {})} for name, of in metadata}


def _is_spared(injector: Injector, template: PodTemplate) -> bool:
    """Tell whether a pod has the container in its manifest already, or gets none on the host's network."""
    has_it = any(c.get("name") == injector.container for c in template.containers if injector.container)
    is_gateway = _ISTIO_TEMPLATES in template.annotations  # its own container is completed, and none is added
    is_on_host = injector.own_network and bool(template.spec.get("hostNetwork"))
    return has_it or is_gateway or is_on_host or any(mark in template.annotations for mark in injector.marks)


def _amounts(injector: Injector, template: PodTemplate) -> dict[str, int]:
    """Return the requests of the container in nano-units; an amount that is not one counts as nothing."""
    amounts: dict[str, int] = {}
    for resource, text in injector.amounts(template.annotations).items():
        try:
            amounts[resource] = Quantity.parse(text).nanos
        except QuantityError:
            continue
    return amounts


def _text(injector: Injector, injected: list[_Injected]) -> str:
    pods = sum(of.pods for of in injected)
    names = first_of(sorted({of.workload for of in injected}), _NAMED)
    whose = f"{counted(pods, 'pod')} ({names}; {injected[0].switch})"
    text = f"{injector.name} adds {injector.what} to {whose} at creation, which is not in the input and not counted"
    text += f": {injector.amounts_elsewhere or _added(injected)}"
    fix = f"render it with `{injector.renders}` first" if injector.renders else "add it to the manifests that you plan with"
    return f"{text}; {fix}"


def _added(injected: list[_Injected]) -> str:
    """Return in words what the containers request, and what a pod then requests if they are of one workload."""
    each = {tuple(sorted(of.requests.items())) for of in injected}
    total = {r: sum(of.pods * of.requests.get(r, 0) for of in injected) for r in _RESOURCES}
    if not any(total.values()):
        return "it requests nothing by default, and no annotation says otherwise"
    if len(injected) == 1:
        (one,) = injected
        with_it = {r: one.of_pod.get(r, 0) + one.requests.get(r, 0) for r in _RESOURCES}
        return f"{_listed(one.requests)} a pod, which then requests {_listed(with_it)}"
    if len(each) == 1:
        return f"{_listed(injected[0].requests)} a pod, {_listed(total)} together"
    return f"{_listed(total)} together"


def _listed(amounts: Mapping[str, int]) -> str:
    return " and ".join(f"{amount_text(r, amounts[r])} {r}" for r in _RESOURCES if amounts.get(r))
