"""A stack's resources, their costs and its plans as JSON: stable keys in a stable order, byte-identical for equal input."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from cutlist.core.records import SPARSE, After, about, json_of
from cutlist.core.services import AddedByService
from cutlist.infrastructure.costs import Bill
from cutlist.planning.model import Plan
from cutlist.verbs.preview.look_ups import ShownLookUp
from cutlist.verbs.preview.since import StackSince


@dataclass(frozen=True, slots=True, order=True)
class ShownResource:
    """A resource by its URN, with its type token, its name and the URN of its parent; that is empty for the stack alone."""

    urn: str
    type: str
    name: str
    parent: str


@dataclass(frozen=True, slots=True)
class ShownComponent:
    """A component of the program by its path from the stack, with the number of resources below it."""

    path: str
    type: str
    resources: int


@dataclass(frozen=True, slots=True)
class PreviewRecord:
    """The resources of a stack, what they cost, and its node plans."""

    resources: Annotated[tuple[ShownResource, ...], about("By URN.")]
    exports: Annotated[Mapping[str, Any], about("What the program exports, by name.")]
    costs: Bill
    plans: tuple[Plan, ...]
    services: Annotated[tuple[AddedByService, ...], about("What services that run Karpenter add by themselves.")] = ()
    look_ups: Annotated[
        tuple[ShownLookUp, ...], about("What the program looks up, in the order of its lines, and what it got.")
    ] = ()
    since: Annotated[
        StackSince | None, SPARSE, about("What changes since a base; only where the stack is compared with one.")
    ] = None
    version: Annotated[Literal[1], After("")] = 1


def preview_json(
    resources: Iterable[ShownResource],
    exports: Mapping[str, Any],
    bill: Bill,
    plans: Iterable[Plan],
    services: Iterable[AddedByService] = (),
    look_ups: Iterable[ShownLookUp] = (),
    since: StackSince | None = None,
) -> str:
    """Return all of it as indented JSON that ends in a newline; `exports` are the values that JSON can express, by name."""
    record = PreviewRecord(tuple(sorted(resources)), exports, bill, tuple(plans), tuple(services), tuple(look_ups), since)
    return json_of(record, allow_nan=True)
