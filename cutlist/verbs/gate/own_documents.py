"""Documents that configure the judge: a change that brings its own does not choose what it costs.

A document of kind `Figures` has discounts, settings of the controller and sizes of machines, one of kind `PodKinds` says how
many pods an operator's object runs. Both are files like others, so a change can have them. They count from the folder of the
gates, or as they were at the base; elsewhere they are named, with the money that they would hide.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.secrecy import masked
from cutlist.core.wording import first_of, hourly
from cutlist.documents.document import Document
from cutlist.documents.rendered_sources import file_of
from cutlist.planning.figures import KIND as FIGURES
from cutlist.policy.gates import Judgement
from cutlist.policy.gates.own import SUBJECT, own_outcome
from cutlist.settings.planning import (
    CATALOG,
    EXTERNAL_CLASSES,
    FEATURE_GATES,
    OVERHEAD_PROFILE,
    PAID,
    PAID_AS,
    REPLICAS,
    SCHEDULER_CONFIG,
    ZONES,
)
from cutlist.workloads.kinds import kind_of
from cutlist.workloads.pod_kind_table import POD_KINDS

_OWN: Final = ((POD_KINDS[0], FIGURES), POD_KINDS)
OF_JUDGE: Final = tuple(
    setting.name
    for setting in (
        *(CATALOG, EXTERNAL_CLASSES, FEATURE_GATES, OVERHEAD_PROFILE, PAID, PAID_AS, REPLICAS, SCHEDULER_CONFIG),
        ZONES,
    )
)
"""The settings that say what a plan costs, and not which cluster it is of."""
_SHOWN: Final = 3
NEVER: Final = lambda _path: False  # noqa: E731
_HEADER: Final = ("apiVersion", "kind", "metadata")

Price = Callable[[Sequence[Document]], float | None]
"""Gives the hourly price of the plan of objects, in USD, or None if they have none."""


@dataclass(frozen=True, slots=True)
class EditedSetting:
    """A setting of a plan that a change edits: the value that counts, that of the change, and what is said of it. One whose
    file is not at the base counts as it is."""

    name: str
    counted: Any
    edited: Any
    text: str
    counts_as_is: bool = False


@dataclass(frozen=True, slots=True)
class JudgedBy:
    """What a judge goes by, besides its gates.

    `folder` is the one whose documents count: that of the gates. Without one all count, and are named, with `why`. `base` are
    the objects of an earlier revision, of which the documents count instead of all present ones. `said` is what a change does
    to the gates by which it is judged, and `edited` are the settings that it edits. `is_edited` tells of a file whether it
    comes with the change, as far as that is known.
    """

    folder: str | None = None
    base: tuple[Document, ...] | None = None
    said: tuple[Judgement, ...] = ()
    edited: tuple[EditedSetting, ...] = ()
    is_edited: Callable[[str], bool] = NEVER
    why: Why | None = None

    def counted(self, documents: Sequence[Document]) -> CountedDocuments:
        """Return the objects that count, and the documents that configure the judge and are to be named."""
        own = [document for document in documents if is_own(document)]
        others = tuple(document for document in documents if not is_own(document))
        if self.base is not None:
            earlier = [document for document in self.base if is_own(document)]
            then, now = ([document.data for document in listed] for listed in (earlier, own))
            brought = [document for document in own if document.data not in then]
            removed = [document for document in earlier if document.data not in now]
            return CountedDocuments((*others, *earlier), (*others, *own), tuple(brought), tuple(removed), _AT_BASE)
        if self.folder is None:
            return CountedDocuments(tuple(documents), others, tuple(own), (), self.why or _COUNTS)
        kept = [document for document in own if self._is_beside(document)]
        aside = tuple(document for document in own if document not in kept)
        return CountedDocuments((*others, *kept), tuple(documents), aside, (), _NOT_BESIDE)

    def _is_beside(self, document: Document) -> bool:
        """Tell whether a document is in a file of the folder itself, and not one that leads elsewhere."""
        file = os.path.realpath(file_of(document.place.source))
        return os.path.isfile(file) and os.path.dirname(file) == os.path.realpath(self.folder or os.curdir)


@dataclass(frozen=True, slots=True)
class Why:
    """What is said of documents: whether they count, what is allowed, and what to do."""

    counts: str
    allowed: str
    advice: str
    is_counted: bool = False


_NOT_BESIDE: Final = Why(
    "it does not count, since it is not in the folder of the gates",
    "such documents in the folder of the gates, which has owners",
    "move it there, in a change of its own",
)
_AT_BASE: Final = Why(
    "the plan is judged by what the base has",
    "such documents as the base has them",
    "change them first, in a change of their own",
)
_COUNTS: Final = Why(
    "it counts, because no gates say where such documents may be",
    "such documents in the folder of the gates, which has owners",
    "write a file of gates, and move it to that folder",
    is_counted=True,
)


IN_STACK: Final = Why(
    "it counts, because nothing says how it was before the change",
    "such documents as a base has them",
    "name the base, so that the change is judged by what that has",
    is_counted=True,
)
"""What is said of the documents of a stack that is judged without a base: the policy pack cannot tell where they are."""


@dataclass(frozen=True, slots=True)
class CountedDocuments:
    """The objects that count, the `others` that would count otherwise, and the documents that make the difference."""

    documents: tuple[Document, ...]
    others: tuple[Document, ...]
    brought: tuple[Document, ...]
    removed: tuple[Document, ...]
    why: Why

    def outcomes(self, price: Price) -> Iterator[Judgement]:
        """Yield a finding for each of these documents, the first with the money that they hide together."""
        named = [(document, "") for document in self.brought] + [(document, "no longer has ") for document in self.removed]
        money = _money(self, price) if named else ""
        for document, word in named:
            said = f"{word}{_contents(document.data)}"
            found = f"{document.kind}: {said}{money}; {self.why.counts}"
            about = f"{document.kind}/{document.name}" if document.name else document.kind
            yield own_outcome(SUBJECT, about, document.place, found, self.why.allowed, self.why.advice)
            money = ""


def is_own(document: Document) -> bool:
    """Tell whether a document configures the judge."""
    return kind_of(document.data) in _OWN


def _money(counted: CountedDocuments, price: Price) -> str:
    """Return in words what the documents do to the price of the plan; empty if nothing."""
    one, other = price(counted.documents), price(counted.others)
    return money_between(*((other, one) if counted.why.is_counted else (one, other)))


def money_between(without: float | None, with_them: float | None) -> str:
    """Return in words how a price differs by what a change brings; empty if it does not, or is not known."""
    if without is None or with_them is None or f"{without:.4f}" == f"{with_them:.4f}":
        return ""
    verb = "lowers" if with_them < without else "raises"
    return f", which {verb} this plan from ${hourly(without)} to ${hourly(with_them)} an hour"


def _contents(data: Mapping[str, Any]) -> str:
    """Return the first members of a document in words: `onDemandDiscount 99%`."""
    return first_of(
        [text for key, value in masked(data).items() if key not in _HEADER for text in _leaves(str(key), value)], _SHOWN
    )


def _leaves(name: str, value: Any) -> Iterable[str]:
    if isinstance(value, Mapping):
        return [text for key, inner in value.items() for text in _leaves(str(key), inner)]
    if isinstance(value, list):
        return [text for inner in value for text in _leaves(name, inner)]
    return [f"{name} {value}"]
