"""Read the inputs of a plan from files: the only place where that happens, with all mistakes shown together."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Unpack

from cutlist.core.errors import Problems
from cutlist.core.notes import Notes
from cutlist.documents.collecting import collect_documents
from cutlist.documents.delivery.counting import Rendering, unwatched
from cutlist.documents.delivery.fetching import Fetcher
from cutlist.documents.document import laid_over
from cutlist.documents.files import sources
from cutlist.documents.folders import Reading
from cutlist.documents.parsing import given_documents
from cutlist.documents.terraform.configurations import configured_regions
from cutlist.planning.document_inputs import inputs_of
from cutlist.planning.figures import NOTHING_KNOWN
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.own_objects import of_cluster, replaced_by
from cutlist.settings.planning import PlanSettings


def read_inputs(
    paths: Sequence[str | os.PathLike[str]],
    *,
    stdin: str | bytes | None = None,
    manifests: Sequence[Mapping[str, Any]] = (),
    objects: Sequence[Mapping[str, Any]] | None = None,
    cluster: Sequence[str | os.PathLike[str]] = (),
    removed_pools: Collection[str] = (),
    figures: Mapping[str, Any] = NOTHING_KNOWN,
    fetcher: Fetcher | None = None,
    ignored: frozenset[str] = frozenset(),
    rendering: Rendering = unwatched,
    **settings: Unpack[PlanSettings],
) -> PlanInputs:
    """Return the inputs of a plan from files, folders and `-` for standard input, and from `manifests`: objects as data.

    `cluster` are files and folders with the existing objects: an object that the others have as well is taken from the others,
    and the NodePools in `removed_pools` are left out. `objects` are the NodePools and node classes of a cluster, which replace
    those in the files, such as a snapshot's; NodePools that it does not have are left out. `figures` are parts of a document of
    kind Figures that the caller knows, such as settings of the cluster that it makes; what the files say takes precedence.
    `settings` are those of a plan, which `cutlist.settings.planning` describes. `fetcher` fetches charts and sources that are
    elsewhere. `ignored` are the real paths of files and folders that are passed over. `rendering` is given how much
    of what helm renders is done.

    Raises InputError with every mistake of every file, of the region and of the zones, and, unless `allow_empty` is set, where
    a file or folder holds no object or there is no NodePool. Without a region that of the input counts: of a ClusterConfig of
    eksctl, of the zones that objects select, or else of a configuration of Terraform. If these name none or several, the files
    are still checked, and the missing region is one of the mistakes.

    >>> from cutlist import read_inputs
    >>> inputs = read_inputs(["examples/shop/pools.yaml", "examples/shop/workloads.yaml"], region="us-west-2")
    >>> [pool.name for pool in inputs.node_pools], len(inputs.workloads.groups)
    (['general'], 2)
    """
    problems, notes = Problems(allow_empty=settings.get("allow_empty", False)), Notes()
    reading = Reading.of(settings, fetcher, ignored, rendering)
    written = (*collect_documents(paths, problems, stdin, reading, notes), *given_documents(manifests, "manifests", problems))
    stored = collect_documents(cluster, problems, None, reading, notes)
    replaced = replaced_by(objects or (), written)
    if objects is not None:
        written = of_cluster(objects, written, settings.get("built_in_pools") or (), problems, notes)
    existing = [d for d in stored if d.kind != "NodePool" or d.name not in removed_pools]
    source = sources([*paths, *(["manifests"] if manifests or not paths else [])])
    regions = partial(configured_regions, paths, reading)
    inputs = inputs_of(laid_over(written, existing), settings, problems, notes, source, figures, regions)
    return replace(inputs, source=sources([*paths, *(["manifests"] if manifests else []), *cluster]), replaced=replaced)
