"""What a change of a living cluster destroys, told before it is made, in a preview already."""

from __future__ import annotations

from typing import Any

import pulumi

from cutlist.infrastructure.aks.changes import check_change
from cutlist.infrastructure.aks.notes import Notes


def told_before_update(name: str) -> pulumi.ResourceHookBinding:
    """The hook of a cluster that warns of what a change destroys and refuses what AKS does not do. Names are the stack's."""
    told = pulumi.ResourceHookOptions(on_dry_run=True)
    return pulumi.ResourceHookBinding(before_update=[pulumi.ResourceHook(f"{name}-changes", tell_of_change, told)])


def tell_of_change(change: pulumi.ResourceHookArgs) -> None:
    """Log what a change destroys. Raises InputError for one that AKS does not do."""
    notes = Notes()
    check_change(_plain(change.old_inputs), _plain(change.new_inputs), notes)
    for text in notes.texts:
        pulumi.log.warn(text)
    notes.problems.raise_if_any()


def _plain(inputs: Any) -> dict[str, Any]:
    return dict(inputs or {})
