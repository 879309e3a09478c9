"""Kustomizations of Flux: the folder of a checkout that they build, and what Flux does with its objects.

Flux reads an object of Kubernetes and writes it again, in which an amount of `0.5` is `500m`.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.core.quantity import Quantity, is_quantity
from cutlist.documents.delivery.checkout import Checkout
from cutlist.documents.delivery.fetched import NotFetched
from cutlist.documents.delivery.flux.overlay import SETTINGS, over
from cutlist.documents.delivery.flux.sources import (
    OWN,
    Missing,
    is_partly_known,
    keep_secret,
    namespace_of,
    source_of,
    texts_of,
)
from cutlist.documents.delivery.flux.substitution import Variables, substituted
from cutlist.documents.delivery.parts import Build, Delivery, Step, Undelivered, folder_at, root_below
from cutlist.documents.delivery.releases import FLUX_KUSTOMIZATION, WAITS, kind_of
from cutlist.documents.document import Document
from cutlist.documents.folders import Reading
from cutlist.documents.kustomize.kustomization import UNRESTRICTED
from cutlist.documents.members import Manifest, containers_of_template, entries, mapping, text
from cutlist.settings.planning import KUSTOMIZE

_GROUPS: Final = ("", "apps", "batch")
_TEMPLATE: Final = ("spec", "template", "spec")
_PODS: Final = {
    **dict.fromkeys(("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController", "Job"), _TEMPLATE),
    "CronJob": ("spec", "jobTemplate", *_TEMPLATE),
    "Pod": ("spec",),
}
"""Where the kinds of Kubernetes have the spec of their pods."""
_ALWAYS: Final = "Always"
_GATE: Final = "StrictPostBuildSubstitutions=true"
_CONTROLLER: Final = "kustomize-controller"
_RECONCILE: Final = f"{FLUX_KUSTOMIZATION[0]}/reconcile"
_APPLY: Final = f"{FLUX_KUSTOMIZATION[0]}/ssa"
_TEXTS: Final = ("path", "targetNamespace", "namePrefix", "nameSuffix", "interval", "serviceAccountName")
_SWITCHES: Final = ("suspend", "prune", "wait", "force", "ignoreMissingComponents")


@dataclass(frozen=True, slots=True)
class FluxOverlay:
    """The changes that a Kustomization of Flux makes in the kustomization of its folder."""

    spec: Manifest

    def over(self, data: Manifest, folder: str) -> dict[str, Any]:
        """Return the changed members. Raises ValueError for what Flux refuses."""
        return over(self.spec, data, folder)


def kustomization(
    document: Document,
    checkout: Checkout,
    others: Iterable[Document],
    reading: Reading,
    applied: frozenset[tuple[str, str]],
    problems: Problems,
) -> Delivery | Undelivered:
    """Return the folder that a Kustomization of Flux applies from a checkout, or why it is not rendered.

    `applied` are namespace and name of the Kustomizations that are ready.
    """
    spec, listed, around = mapping(document.data.get("spec")), tuple(others), checkout
    if _is_refused(document, spec, problems):
        return Undelivered()
    try:
        source = source_of(document, mapping(spec.get("sourceRef")), checkout, listed, reading.fetcher)
    except Missing as error:
        folder = checkout.folder(text(spec.get("path")) or ".")
        return Undelivered(str(error), named=() if folder is None else (os.path.realpath(folder),))
    except NotFetched as error:
        return Undelivered.of(error)
    # Kept apart until it is certain that the object applies anything: a suspended one may name a folder that is not there.
    own, checkout = Problems(), source.checkout
    path, root = text(spec.get("path")) or ".", ""
    folder = folder_at(path, checkout, document.at("spec.path"), own)
    if folder is None and checkout is around:
        root = root_below(path, checkout, document)
        folder = os.path.join(root, os.path.normpath(path).lstrip("/")) if root else None
    covered = () if folder is None else (os.path.realpath(folder),)
    reason = _not_now(document, spec, applied, listed)
    if reason:
        return Undelivered(reason, covered)
    if folder is None:
        problems.extend(own.found)
        return Undelivered()
    if spec.get("patches") and not reading.kustomize:
        return Undelivered(f"only kustomize applies spec.patches, and {KUSTOMIZE.flag} runs it", covered)
    try:
        variables = _variables(document, mapping(spec.get("postBuild")), listed, problems)
    except Missing as error:
        return Undelivered(str(error), covered)
    overlay = FluxOverlay(spec) if any(spec.get(member) for member in SETTINGS) else None
    build = Build(checkout, folder, overlay, source.ignore, generates=True, options=UNRESTRICTED)
    steps: list[Step] = [] if variables is None else [partial(_substituted, variables)]
    # The order is Flux's: variables first, since they may be in amounts and marks; common metadata last (GO-19), so that a mark
    # in it counts.
    steps += [rewritten, partial(_with_metadata, mapping(spec.get("commonMetadata"))), _managed]
    unset = None if variables is None else variables.unset
    return Delivery(document, (build,), tuple(steps), source.revision, root, unset)


def _not_now(document: Document, spec: Manifest, applied: frozenset[tuple[str, str]], others: Sequence[Document]) -> str:
    """Return why Flux does not apply an object of the checkout to this cluster now; empty if it does."""  # GO-3, GO-4
    if spec.get("suspend") is True:
        return "it is suspended"
    if spec.get("kubeConfig"):
        return "it is for another cluster, which spec.kubeConfig names"
    for need in map(mapping, entries(spec.get("dependsOn"))):
        wanted = text(need.get("namespace")) or namespace_of(document), text(need.get("name"))
        # It may be applied later: the caller tries again until nothing changes (GO-3).
        if wanted not in applied and not _is_bootstrapped(wanted[1], others):
            return f"{WAITS} Kustomization {wanted[1]}, which is not applied here"
    return ""


def _is_bootstrapped(name: str, others: Iterable[Document]) -> bool:
    """Tell whether a Kustomization is the one that bootstrapping makes, and that the input need not hold."""  # GO-1
    return name == OWN and not any(kind_of(other) == FLUX_KUSTOMIZATION and other.name == OWN for other in others)


def _is_refused(document: Document, spec: Manifest, problems: Problems) -> bool:
    """Tell whether the API server refuses an object for the type of a member, which is reported."""  # GO-2
    before = len(problems.found)
    for member, kind, allowed in (*((m, str, "a text") for m in _TEXTS), *((m, bool, "true or false") for m in _SWITCHES)):
        if spec.get(member) is not None and not isinstance(spec[member], kind):
            problems.add(document.at(f"spec.{member}"), f"is {spec[member]!r}, which the API server refuses", allowed)
    for name, value in mapping(mapping(spec.get("postBuild")).get("substitute")).items():
        if not isinstance(value, str):
            place = document.at(f"spec.postBuild.substitute.{name}")
            problems.add(place, f"is {value!r}, and the API server refuses all but texts", "a text in quotes")
    return len(problems.found) > before


def _variables(document: Document, post_build: Manifest, others: Sequence[Document], problems: Problems) -> Variables | None:
    """Return the variables that Flux substitutes, or None if it substitutes nothing. Raises Missing."""  # GO-13
    if not post_build:
        return None
    variables: dict[str, str] = {}
    is_incomplete = False
    for index, reference in enumerate(map(mapping, entries(post_build.get("substituteFrom")))):
        data = texts_of(document, reference, f"spec.postBuild.substituteFrom[{index}]", others) or {}
        keep_secret(reference, data.values(), problems)
        is_incomplete |= is_partly_known(document, reference, others)
        variables |= data
    variables |= {str(name): str(value) for name, value in mapping(post_build.get("substitute")).items()}
    # A line end in a value would break the YAML that it is put into (GO-13).
    values = {name: value.replace("\n", "") for name, value in variables.items()}
    is_always, controllers = post_build.get("substituteStrategy") == _ALWAYS, _controllers(others)
    unset: list[str] | None = None if controllers else []
    return Variables(values, always=is_always, strict=_is_strict(controllers), partial=is_incomplete, unset=unset)


def _controllers(others: Iterable[Document]) -> tuple[Manifest, ...]:
    """Return the controller of Kustomizations, if it is among the objects, as bootstrapping writes it."""
    return tuple(d.data for d in others if (d.kind, d.name) == ("Deployment", _CONTROLLER))


def _is_strict(controllers: Iterable[Manifest]) -> bool:
    """Tell whether a controller refuses variables without a value."""  # GO-17
    containers = (container for controller in controllers for container in containers_of_template(controller))
    arguments = (str(argument) for container in containers for argument in entries(container.get("args")))
    return any(argument.startswith("--feature-gates=") and _GATE in argument for argument in arguments)


def _substituted(variables: Variables, documents: Sequence[Document], problems: Problems) -> Sequence[Document]:
    return substituted(documents, variables, problems)


def _with_metadata(common: Manifest, documents: Sequence[Document], _problems: Problems) -> Sequence[Document]:
    """Return objects with common labels and annotations."""
    added = {member: mapping(common.get(member)) for member in ("labels", "annotations") if mapping(common.get(member))}
    return [_laid_over(document, added) for document in documents] if added else documents


def _laid_over(document: Document, added: Mapping[str, Manifest]) -> Document:
    metadata = mapping(document.data.get("metadata"))
    members = {member: {**mapping(metadata.get(member)), **texts} for member, texts in added.items()}
    return replace(document, data={**document.data, "metadata": {**metadata, **members}})


def _managed(documents: Sequence[Document], _problems: Problems) -> Sequence[Document]:
    """Return the objects that Flux applies: a mark at others says that it leaves them alone."""  # GO-20
    return [document for document in documents if not _is_left_alone(document)]


def _is_left_alone(document: Document) -> bool:
    metadata = mapping(document.data.get("metadata"))
    marks = {**mapping(metadata.get("labels")), **mapping(metadata.get("annotations"))}
    # Flux compares these words without regard to case.
    return str(marks.get(_RECONCILE)).lower() == "disabled" or str(marks.get(_APPLY)).lower() == "ignore"


def is_only_if_absent(document: Document) -> bool:
    """Tell whether Flux applies an object only where the cluster has none of its name."""  # GO-20
    metadata = mapping(document.data.get("metadata"))
    marks = {**mapping(metadata.get("labels")), **mapping(metadata.get("annotations"))}
    return str(marks.get(_APPLY)).lower() == "ifnotpresent"


def keys_of(documents: Iterable[Document]) -> frozenset[tuple[str, str]]:
    """Return namespace and name of the Kustomizations of Flux among objects."""
    return frozenset((namespace_of(d), d.name) for d in documents if kind_of(d) == FLUX_KUSTOMIZATION)


def rewritten(documents: Sequence[Document], _problems: Problems) -> Sequence[Document]:
    """Return objects with their amounts as Kubernetes prints them; one with an amount that cannot be read stays as it is."""
    # GO-49
    return [_rewritten(document) for document in documents]


def _rewritten(document: Document) -> Document:
    path = _PODS.get(document.kind)
    if path is None or document.api_version.rpartition("/")[0] not in _GROUPS:
        return document
    # The loop below writes into the mappings.
    data = copy.deepcopy(document.data)
    amounts = [amount for pod in [_at(data, path)] for amount in _amounts(pod)]
    # One unreadable amount makes Flux's own decoding fail, and the object is sent as it is.
    if not all(is_quantity(str(held[resource]).strip()) for held, resource in amounts):
        return document
    for held, resource in amounts:
        held[resource] = Quantity.parse(held[resource]).canonical()
    return replace(document, data=data)


def _at(data: Any, path: Sequence[str]) -> Any:
    for name in path:
        data = mapping(data).get(name)
    return data


def _amounts(pod: Any) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield the mappings of a pod that hold amounts, with the name of each resource."""
    for member in ("initContainers", "containers"):
        for container in entries(mapping(pod).get(member)):
            resources = mapping(mapping(container).get("resources"))
            for kind in ("requests", "limits"):
                held = resources.get(kind)
                if isinstance(held, dict):
                    yield from ((held, name) for name in held)
