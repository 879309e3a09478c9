"""Environments of Terraform: root modules that make a cluster each or write the same object, and files of variables of one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations

from cutlist.core.ledger import Environment
from cutlist.documents.account.placeholders import BEARING
from cutlist.documents.document import Document, Identity, identity_of
from cutlist.documents.environments import held, is_under, planned, shared_input
from cutlist.documents.input_files import Paths
from cutlist.settings.planning import RECURSIVE


def of_roots(made: Mapping[str, Sequence[Document]], documents: Iterable[Document]) -> tuple[Environment, ...]:
    """Return the root modules of Terraform that write the same object, each with the files that belong to all; none if no two
    do. `made` is what each one writes, by its folder."""
    folders: dict[Identity, list[str]] = {}
    for folder, of in made.items():
        for identity in {identity_of(document) for document in of if document.kind in BEARING}:
            folders.setdefault(identity, []).append(folder)
    roots = dict.fromkeys(root for rivals in folders.values() if len(rivals) > 1 for root in rivals)
    if not roots:
        return ()
    apart = [os.path.normpath(root or os.curdir) for root in roots]
    everybodys = [d for d in documents if d.origin is None and not any(is_under(d.place.source, root) for root in apart)]
    shared = dict.fromkeys(shared_input(os.path.normpath(d.place.source), apart) for d in everybodys)
    by_root = zip(roots, apart, strict=True)
    return tuple(planned(shown, held(made[root]), [*shared, shown], {RECURSIVE: True}) for root, shown in by_root)


def of_cluster_roots(
    clusters: Mapping[str, Sequence[Document]], made: Mapping[str, Sequence[Document]], documents: Sequence[Document]
) -> tuple[Environment, ...]:
    """Return the root modules of Terraform that make a cluster each, with the files that belong to none of them; none if there
    are fewer than two, or if one lies below another. `made` is what each root module writes, by its folder."""
    apart = {root: os.path.normpath(root or os.curdir) for root in clusters}
    if len(apart) < 2 or any(is_under(one, other) for one, other in permutations(apart.values(), 2)):
        return ()
    everybodys = [d for d in documents if d.kind in BEARING and not any(is_under(d.place.source, of) for of in apart.values())]
    shared = dict.fromkeys(shared_input(os.path.normpath(d.place.source), apart.values()) for d in everybodys)
    own = {root: [d for d in documents if d.origin is None and is_under(d.place.source, at)] for root, at in apart.items()}
    return tuple(
        planned(at, held([*clusters[root], *made.get(root, ()), *own[root]]), [*shared, at], {RECURSIVE: True})
        for root, at in apart.items()
    )


def of_variables(written: Mapping[str, Sequence[Document]], named: Paths, *, recursive: bool) -> tuple[Environment, ...]:
    """Return the files of variables of a configuration with which it writes different objects; `written` has them by file."""
    settings = {RECURSIVE: True} if recursive else {}
    files = [os.fspath(path) for path in named]
    return tuple(planned(path, held(of), [*files, path], settings) for path, of in written.items())
