"""Require what an answer is about: workloads, nodes, types on offer. An answer about nothing would look like a success."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from cutlist.core.errors import Place, Problems
from cutlist.core.ledger import OpenInput, open_sentences
from cutlist.core.notes import LEFT_OUT, Note
from cutlist.documents.account.accounting import CHART
from cutlist.documents.account.forms import TEMPLATE
from cutlist.documents.account.placeholders import BEARING
from cutlist.documents.document import Document
from cutlist.documents.terraform.opentofu import resource_of
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.notes import notes_on_nothing
from cutlist.planning.operator_kinds import are_only_operators, unknown_kinds
from cutlist.settings.catalog import update_of
from cutlist.settings.planning import REGION

WORKLOADS: Final = "Deployments, StatefulSets, Jobs, pods or other workloads"
NODES: Final = "Nodes with their NodeClaims and pods, as `cutlist snapshot` or `kubectl get -o yaml` has them"
_NAMED: Final = 5  # kinds
_OPEN_INPUT: Final = "open-input"
_FOREIGN: Final = "foreign-file"
_IN_NOTES: Final = (CHART, TEMPLATE)  # a note names all of these together


def require_workloads(inputs: PlanInputs, *, allow_empty: bool = False) -> None:
    """Raise InputError if nothing requests nodes, unless that is allowed."""
    problems = Problems(allow_empty=allow_empty)
    if not inputs.has_workloads:
        text = f"no workload is in the input{contents_in_words(inputs.documents)}"
        pools = "; `cutlist types` shows what the NodePools may launch" if inputs.node_pools else ""
        problems.add_absence(Place(inputs.source), text, f"{WORKLOADS}{pools}", _details(inputs))
    elif are_only_operators(inputs.documents) and (nothing := notes_on_nothing(inputs)):
        # Where somebody wrote 0 replicas that is an answer; an operator's objects leave open what it runs.
        text = f"no pod of an operator is planned{contents_in_words(inputs.documents)}"
        problems.add_absence(Place(inputs.source), text, WORKLOADS, (*(note.text for note in nothing), *_details(inputs)))
    problems.raise_if_any()


def require_nodes(inputs: PlanInputs, *, allow_empty: bool = False) -> None:
    """Raise InputError if there is no node, unless that is allowed."""
    problems = Problems(allow_empty=allow_empty)
    if not inputs.cluster.nodes:
        problems.add_absence(Place(inputs.source), f"no node is in the input{contents_in_words(inputs.documents)}", NODES)
    problems.raise_if_any()


def require_nodes_or_workloads(inputs: PlanInputs, *, allow_empty: bool = False) -> None:
    """Raise InputError if there is neither a node nor anything that requests one, unless that is allowed."""
    problems = Problems(allow_empty=allow_empty)
    if not inputs.cluster.nodes and not inputs.has_workloads:
        text = f"neither a workload nor a node is in the input{contents_in_words(inputs.documents)}"
        problems.add_absence(Place(inputs.source), text, f"{WORKLOADS}; {NODES}", _details(inputs))
    problems.raise_if_any()


def require_offerings(inputs: PlanInputs, *, allow_empty: bool = False) -> None:
    """Raise InputError if the catalogue lacks what the region sells, unless that is allowed: no node could be planned there."""
    problems = Problems(allow_empty=allow_empty)
    sold = inputs.catalog
    if not sold.offerings_known:
        of_zones = "which types its zones sell"
        message = f"the catalogue has the prices of {sold.region}, but not {of_zones}"
        if not sold.on_demand:
            message = f"the catalogue has neither prices of {sold.region} nor {of_zones}"
        problems.add_absence(Place.of(REGION), message, f"a catalogue that {update_of(sold.region)} wrote")
    problems.raise_if_any()


def contents_in_words(documents: Iterable[Document]) -> str:
    """Return the kinds of the objects that are there instead, for the end of a sentence: first those that plans depend on, then
    the most frequent ones."""
    shown = kinds_in_words(documents)
    return f", only {shown}" if shown else ""


def kinds_in_words(documents: Iterable[Document]) -> str:
    """Return how many objects of each kind there are, as `1 NodePool, 2 Service`; empty without objects."""
    counts = Counter(d.kind for d in documents if d.kind and resource_of(d) is None)
    kinds = sorted(counts.items(), key=lambda item: (item[0] not in BEARING, -item[1], item[0]))
    more = [f"{len(kinds) - _NAMED:,} other kinds"] if len(kinds) > _NAMED + 1 else []
    shown = [f"{count:,} {kind}" for kind, count in (kinds[:_NAMED] if more else kinds)]
    return ", ".join([*shown, *more])


def not_read(notes: Sequence[Note], opened: Sequence[OpenInput], kind: str = "") -> tuple[str, ...]:
    """Return a sentence for each reason why files that may hold what is missing were not read; those that name its `kind` come
    first. Files that hold no objects, such as values of charts, are named only if there is nothing else.
    """
    left_out = [note for note in notes if note.code in LEFT_OUT and note.code != _OPEN_INPUT]
    bearing = [note.text for note in left_out if note.code != _FOREIGN]
    named = sorted((of for of in opened if of.form not in _IN_NOTES), key=lambda of: not kind or kind not in of.sentence)
    sentences = (*bearing, *(s if s.startswith("and ") else f"not read: {s}" for s in open_sentences(named)))
    return sentences or tuple(note.text for note in left_out)


def _details(inputs: PlanInputs) -> tuple[str, ...]:
    """Return what may hold the missing objects: objects whose pods are not known, and what was not read."""
    account = inputs.whole_account
    custom = unknown_kinds(inputs.workloads.passed_over) if are_only_operators(inputs.documents) else ()
    return (*not_read(inputs.workloads.notes, () if account is None else account.open), *custom)
