"""Require NodePools, and node classes of known kinds: say what was found in their place, and which files may hold them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from cutlist.api.built_in import AKS_POOLS, AUTO_POOLS
from cutlist.api.external_classes import check_references, unknown_class_problems
from cutlist.api.read import Objects
from cutlist.catalog.regions import AnyRegion, is_azure
from cutlist.core.errors import Place, Problems
from cutlist.core.notes import OPEN, Notes
from cutlist.core.setting import Advice
from cutlist.documents.delivery.releases import NOT_RENDERED, WAITS, rendered_by
from cutlist.documents.document import Document
from cutlist.planning.absences import contents_in_words, not_read
from cutlist.planning.built_in_signs import built_in_pools_of
from cutlist.planning.operator_kinds import why_unplanned
from cutlist.settings.planning import BUILT_IN_POOLS

_REASONS: Final = 3  # why objects are not rendered


def add_missing_pool(
    source: str, documents: Sequence[Document], catalog: AnyRegion | None, notes: Notes, problems: Problems
) -> None:
    """Add the absence of every NodePool: where one was expected, what was found instead, and what is needed."""
    text, needed = f"no NodePool is in the input{contents_in_words(documents)}", "at least one NodePool with its node class"
    advice: str | Advice = needed
    cloud = None if catalog is None else AKS_POOLS if is_azure(catalog) else AUTO_POOLS
    signs = built_in_pools_of(documents, cloud)
    if signs is not None:
        ways = [part for name in signs.names for part in (" and ", BUILT_IN_POOLS, f" {name}")][1:]
        text += f"; the cluster may have built-in ones: {signs.sign} ({signs.place})"
        advice = Advice.of(needed, (*ways, " for those that are switched on"))
    problems.add_absence(Place(source), text, advice, (*_not_read(documents, notes), *why_unplanned(documents)))


def require_known_class(objects: Objects, problems: Problems) -> None:
    """Add an absence if every NodePool has a kind of node class that is not known, so that nothing can be planned. Running
    nodes can be shown without one.
    """
    unknown = list(unknown_class_problems(objects))
    if unknown and len(unknown) == len(objects.written_pools) and not any(d.kind == "Node" for d in objects.rest):
        for problem in unknown:
            problems.add_absence(problem.place, problem.message, problem.allowed)


def check_classes(objects: Objects, problems: Problems, notes: Notes) -> None:
    """Add a problem for each node class that a NodePool refers to and that is missing, with the files that may hold it."""
    check_references(objects, problems, may_be_named=True, not_read=partial(_that_may_hold, notes))


def _not_read(documents: Sequence[Document], notes: Notes) -> tuple[str, ...]:
    """Return in sentences what may hold a NodePool and is not read."""
    reasons = [note.text for note in notes.all() if note.code == NOT_RENDERED]
    first = [text for text in reasons if f"because {WAITS}" not in text] or reasons  # the others follow from these
    shown = first[:_REASONS]
    more = (f"and {len(reasons) - len(shown):,} more that are not rendered",) if len(reasons) > len(shown) else ()
    commands = () if reasons else (rendered_by(documents),)
    return (*not_read(notes.all(), notes.ledger.open, "NodePool"), *shown, *more, *filter(None, commands))


def _that_may_hold(notes: Notes, kind: str) -> tuple[str, ...]:
    """Return in sentences what may hold an object of a kind and is not read."""
    return not_read([note for note in notes.all() if note.code in OPEN], notes.ledger.open, kind)
