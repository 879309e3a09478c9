"""How the components of AKS read their inputs and report mistakes in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import pulumi

from cutlist.infrastructure.aks.notes import AksNotes
from pulumi_cutlist.inputs.shapes import shaped

T = TypeVar("T")


def checked(args: Mapping[str, object], declared: type[T]) -> tuple[T, AksNotes]:
    """Return a component's inputs, and notes for further mistakes in them. Raises InputError where something is missing or of
    another type, since nothing else can be checked then.
    """
    notes = AksNotes()
    return shaped(args, declared, notes.problems), notes


def log_warnings(notes: AksNotes, component: pulumi.Resource) -> None:
    """Log the warnings where a preview shows them."""
    for text in notes.texts:
        pulumi.log.warn(text, component)
