"""Environments that lie in one folder: overlays, clusters of Flux, folders next to each other. Each is a cluster by itself.

Those of Terraform are in `root_modules`, and those that other programs render in `rendered_environments`.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, Final

from cutlist.core.ledger import Environment
from cutlist.core.notes import Notes
from cutlist.core.setting import Setting
from cutlist.documents.account.placeholders import BEARING
from cutlist.documents.commands import option_words, plan_command, words_of
from cutlist.documents.delivery.releases import DELIVERED, applied_path, is_of_flux
from cutlist.documents.document import Document, Identity, identity_of
from cutlist.documents.files import YAML_SUFFIXES
from cutlist.documents.folders import VARIABLES
from cutlist.documents.input_files import Paths
from cutlist.documents.rendered_sources import folder_of
from cutlist.documents.terraform.opentofu import EKS_MODULE
from cutlist.settings.environments import ENVIRONMENT
from cutlist.settings.planning import HELM, KUSTOMIZE, RECURSIVE

_KINDS_NAMED: Final = 4
_MOST: Final = 8
"""Files and folders that a command of an environment names."""
_SHOWN: Final = {
    EKS_MODULE: "cluster of EKS",
    "aws_eks_cluster": "cluster of EKS",
    "aws_eks_node_group": "node group of EKS",
    "aws_eks_addon": "add-on of EKS",
    "azurerm_kubernetes_cluster": "cluster of AKS",
    "azurerm_kubernetes_cluster_node_pool": "node pool of AKS",
}
"""What objects of Terraform are called beside those of Kubernetes."""
DEPLOYED: Final = frozenset(("NodePool", "Deployment", "StatefulSet", "DaemonSet", "Rollout"))
"""Kinds of which one object is not in several namespaces of a cluster as a rule, but in several clusters."""
VALUES: Final = ("values-", "values.", "values_")
"""How the names of files of values begin; what follows names the environment."""


def planned(name: str, holds: str, files: Sequence[str], settings: Mapping[Setting, Any]) -> Environment:
    """Return an environment of files, with the command that reads them."""
    values = {setting.name: value for setting, value in settings.items()}
    words = option_words(settings)
    return Environment(name, holds, plan_command(files, words), tuple(files), values, words=words_of(files, words))


def of_overlays(
    made: Mapping[str, Sequence[Document]],
    left_to_program: Container[str],
    beside: Iterable[Document] = (),
    *,
    side_by_side: bool = True,
) -> tuple[Environment, ...]:
    """Return the kustomizations that make the same objects in different forms, by folder; none if no two do.

    `made` is what each one makes, by its folder, and `left_to_program` are the folders of those that kustomize itself renders.
    Objects `beside` them, which no kustomization makes, belong to each, unless they lie on the side of one. With
    `side_by_side`, those of folders next to each other that are made from the same workload or NodePool are so too, whatever
    names and namespaces they give it.
    """
    by_identity: dict[Identity, dict[str, dict[str, Any]]] = {}
    for folder, documents in made.items():
        for document in documents:
            by_identity.setdefault(identity_of(document), {})[folder] = document.data
    rivals: set[str] = set()
    for forms in by_identity.values():
        if _differ(list(forms.values())):
            rivals |= forms.keys()
    if side_by_side:
        rivals |= _from_the_same(made)
    shown = {folder: os.path.normpath(folder) for folder in made if folder in rivals and any(map(_is_run, made[folder]))}
    if len(shown) < 2:
        return ()
    sides = {side for pair in combinations(shown.values(), 2) for side in _apart(*pair)}
    sources = {os.path.normpath(d.place.source): None for d in beside if d.kind in BEARING and os.path.isfile(d.place.source)}
    everybodys = [source for source in sources if not any(is_under(source, side) for side in sides)]
    shared = list(dict.fromkeys(shared_input(source, shown.values()) for source in everybodys))
    return tuple(
        planned(
            name,
            held(document for folder in folders for document in made[folder]),
            [*shared, *(shown[folder] for folder in folders)],
            {KUSTOMIZE: True} if any(folder in left_to_program for folder in folders) else {},
        )
        for name, folders in _clusters(shown, made, by_identity.values()).items()
    )


def _is_run(document: Document) -> bool:
    """Tell whether an object runs something in a cluster, or has a controller do so."""
    return document.kind in BEARING or document.kind in DELIVERED


def _clusters(
    shown: Mapping[str, str],
    made: Mapping[str, Sequence[Document]],
    forms_by_folder: Iterable[Mapping[str, Mapping[str, Any]]],
) -> Mapping[str, Sequence[str]]:
    """Return the folders of overlays that are one cluster, by its name: those of several parts of it that have the name of an
    environment in common (`web/overlays/prod`, `api/overlays/prod`), unless they make an object in different forms. Else each
    folder is one."""
    forms = list(forms_by_folder)
    names = {folder: _name_among(path, _rivals_of(folder, shown, made, forms)) for folder, path in shown.items()}
    clusters: dict[str, list[str]] = {}
    for folder, name in names.items():
        clusters.setdefault(name, []).append(folder)
    together = ([of[folder] for folder in folders if folder in of] for of in forms for folders in clusters.values())
    is_clear = len(clusters) > 1 and all(clusters) and not any(_differ(alike) for alike in together)
    apart = {path: [folder] for folder, path in shown.items()}
    return clusters if is_clear and len(clusters) < len(apart) else apart


def _rivals_of(
    folder: str,
    shown: Mapping[str, str],
    made: Mapping[str, Sequence[Document]],
    forms_by_folder: Iterable[Mapping[str, Mapping[str, Any]]],
) -> list[str]:
    """Return the paths of the other overlays that make something of the same file as one does, or an object in another form."""
    sources = {document.place.source for document in made[folder]}
    rivals = {other for other in shown if not sources.isdisjoint(document.place.source for document in made[other])}
    for forms in forms_by_folder:
        if folder in forms:
            rivals |= {other for other, form in forms.items() if other in shown and form != forms[folder]}
    return [shown[other] for other in shown if other in rivals and other != folder]


def _differ(forms: Sequence[Mapping[str, Any]]) -> bool:
    return any(other != forms[0] for other in forms[1:])


def _name_among(path: str, rivals: Iterable[str]) -> str:
    """Return the part of an overlay's path at which it parts from its rivals last; empty if it has none."""
    parted = [apart[0] for rival in rivals if (apart := _apart(path, rival))]
    return os.path.basename(max(parted, key=len)) if parted else ""


def _from_the_same(made: Mapping[str, Sequence[Document]]) -> set[str]:
    """Return the folders next to each other whose kustomizations make something of the same workload or NodePool."""
    folders: dict[tuple[str, str, int, tuple[str | int, ...]], set[str]] = {}
    for folder, documents in made.items():
        above = os.path.dirname(os.path.realpath(folder))
        for document in (d for d in documents if d.kind in DEPLOYED):
            origin = os.path.realpath(document.place.source), document.place.document, document.member
            folders.setdefault((above, *origin), set()).add(folder)
    return {folder for alike in folders.values() if len(alike) > 1 for folder in alike}


def of_folders(documents: Sequence[Document], named: Paths) -> tuple[Environment, ...]:
    """Return the folders next to each other in which the same object is written; none if no object is written twice. What no
    plan depends on, such as the namespace of several parts of a cluster, is no sign of another one.

    A command has the folders that are nobody's own as well: what is in them belongs to each environment. Of a folder above an
    environment it has the files.
    """
    folders: dict[Identity, list[str]] = {}
    roots: dict[str, None] = {}
    tops = [os.path.normpath(os.fspath(path)) for path in named if os.path.isdir(path)]
    if not tops:
        return ()
    below = [d for d in documents if d.name and any(is_under(d.place.source, top) for top in tops)]
    for document in (d for d in below if d.kind in BEARING):
        earlier = folders.setdefault(identity_of(document), [])
        folder = os.path.dirname(os.path.normpath(document.place.source))
        roots |= dict.fromkeys(root for other in earlier for root in _apart(other, folder))
        earlier.append(folder)
    if len(roots) < 2 or any(is_under(root, other) for root in roots for other in roots if root != other):
        return ()
    held_by = {root: [d for d in below if is_under(d.place.source, root)] for root in roots}
    everybodys = [d for d in below if not any(d in of for of in held_by.values())]
    shared = dict.fromkeys(shared_input(os.path.normpath(d.place.source), roots) for d in everybodys)
    return tuple(planned(root, held(of), [*shared, root], {RECURSIVE: True}) for root, of in held_by.items())


def shared_input(source: str, roots: Iterable[str]) -> str:
    """Return the folder of a file that belongs to every environment, or the file if an environment is below that folder."""
    folder = os.path.dirname(source) or os.curdir
    return source if any(is_under(root, folder) for root in roots) else folder


def _apart(first: str, second: str) -> tuple[str, ...]:
    """Return the two folders at which paths part; nothing for a folder and one below it."""
    one, other = first.split(os.sep), second.split(os.sep)
    at = next((index for index, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    return () if at is None else (os.sep.join(one[: at + 1]), os.sep.join(other[: at + 1]))


def is_under(path: str, folder: str) -> bool:
    """Tell whether a path lies in a folder, as both are written; everything lies in the empty one."""
    return folder in ("", os.curdir) or os.path.normpath(path).startswith(folder + os.sep)


def of_flux(documents: Iterable[Document], named: Paths) -> tuple[Environment, ...]:
    """Return the folders with Kustomizations of Flux that nothing else applies, each with the objects that it holds.

    The only one that was named itself is the cluster that was asked for.
    """
    synced: dict[str, list[Document]] = {}
    taken: list[str] = []
    for document in documents:
        if is_of_flux(document) and (folder := folder_of(document.place.source)):
            synced.setdefault(_top(folder), []).append(document)
            taken.append(applied_path(document))
    called = {os.path.realpath(path) for path in named}
    asked_for = {folder for folder in synced if os.path.realpath(folder) in called}
    asked_for = {folder for folder in asked_for if not _is_applied(folder, taken, asked_for)}
    roots = {folder: objects for folder, objects in synced.items() if len(asked_for) > 1 or folder not in asked_for}
    return tuple(
        planned(folder, held(of), [folder], {RECURSIVE: True, HELM: True, KUSTOMIZE: True})
        for folder, of in roots.items()
        if not _is_applied(folder, taken, roots)
    )


def _top(folder: str) -> str:
    """Return the folder of a cluster: that of objects of Flux, without the folders that Flux itself makes."""
    while os.path.basename(folder) in ("flux-system", "flux"):
        folder = os.path.dirname(folder)
    return os.path.normpath(folder)


def _is_applied(folder: str, taken: Iterable[str], roots: Iterable[str]) -> bool:
    """Tell whether a Kustomization of another folder applies the files of a folder, or one above it is a cluster."""
    real = os.path.realpath(folder)
    above = any(other != folder and real.startswith(os.path.realpath(other) + os.sep) for other in roots)
    # Where the repository begins is not known, so a path of Flux may lie anywhere in that of a folder, but only whole.
    return above or any(path and f"{os.sep}{path}{os.sep}" in real for path in taken)


def held(documents: Iterable[Document]) -> str:
    """Return how many objects of each kind there are, those of which there are most first."""
    counts = Counter(_SHOWN.get(document.kind, document.kind) for document in documents if document.kind).most_common()
    shown = [f"{count:,} {kind}" for kind, count in sorted(counts, key=lambda c: (-c[1], c[0]))[:_KINDS_NAMED]]
    return ", ".join(shown) + (" and others" if len(counts) > _KINDS_NAMED else "")


def short_names(environments: Sequence[Environment]) -> tuple[str, ...]:
    """Return a name for each environment: the last part of its own, or the whole where another one has the same last part.

    Those that have the whole in common too, such as a stack and an environment of a helmfile, get numbers.
    """
    parts = [last_part(environment.name) for environment in environments]
    wholes = [os.path.normpath(os.path.join(of.project, of.name)) if of.stack else of.name for of in environments]
    taken: Counter[str] = Counter()
    names: list[str] = []
    for part, whole in zip(parts, wholes, strict=True):
        name = part if parts.count(part) == 1 else whole
        taken[name] += 1
        names.append(f"{name}-{taken[name]}" if taken[name] > 1 else name)
    return tuple(names)


def last_part(name: str) -> str:
    """Return the last part of a path: of a file of values, what distinguishes it."""
    last = os.path.basename(name)
    for end in (*YAML_SUFFIXES, *VARIABLES):
        last = last.removesuffix(end)
    begin = next((begin for begin in VALUES if last.startswith(begin)), "")
    return last.removeprefix(begin) or last


def note_environments(environments: Sequence[Environment], named: Sequence[str], options: Sequence[str], notes: Notes) -> None:
    """Note that there are several environments, which a plan reports as a mistake. `named` is what the call reads, with its
    options: where an environment has many files, its command is that of the call with its name."""
    for environment, name in zip(environments, short_names(environments), strict=True):
        words = words_of(named, (*options, *option_words({ENVIRONMENT: name})))
        short = replace(environment, words=words, command=f"cutlist plan {words}")
        notes.ledger.environments += (short if len(environment.files) > _MOST else environment,)
        notes.add("environments", "an environment by itself, to be planned alone: {who}", environment.name)
