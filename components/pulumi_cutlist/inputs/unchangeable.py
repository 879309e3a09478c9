"""Hooks that compare inputs with those that a stack has, and refuse in a preview what cannot change.

An engine would replace what cannot change, with all that is in it, and much of that keeps names that the account has once: an
old cluster would lose roles, queue and the tags of its subnets before its nodes are drained. Hooks run in previews too, and
before those of everything that their component makes. A value that is not known yet counts as unchanged.

A component whose first update did not complete is not compared: of one that ran in the wrong account there is nothing, and the
corrected inputs must not look like another cluster's. What was made by then is compared by the part that was completed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

import pulumi
from pulumi.runtime import rpc

from cutlist.core.errors import InputError, Problem
from pulumi_cutlist.inputs.program_words import ProgramComponent

Comparison: TypeAlias = Callable[[Mapping[str, Any], Mapping[str, Any]], Iterable[Problem]]
"""What finds the mistakes in a change, from the recorded inputs and the new ones."""
Notes: TypeAlias = Callable[[Mapping[str, Any], Mapping[str, Any]], Iterable[str]]
"""What finds what is to be known of a change, from the same."""


def compared(
    component: ProgramComponent,
    name: str,
    what: str,
    comparison: Comparison,
    opts: pulumi.ResourceOptions | None,
    notes: Notes | None = None,
) -> pulumi.ResourceOptions:
    """Return the options of a component, by its name and what is compared, with a hook that refuses what a comparison finds. If
    that is nothing, it warns of what `notes` finds."""

    words = component.words

    def refuse(change: pulumi.ResourceHookArgs) -> None:
        try:
            refuse_changes(comparison, change)
        except InputError as error:
            raise words.error(error) from None
        for note in notes(change.old_inputs or {}, change.new_inputs or {}) if notes and change.old_outputs else ():
            pulumi.log.warn(note)

    hook = pulumi.ResourceHook(f"{name}-{what}-stays", refuse, pulumi.ResourceHookOptions(on_dry_run=True))
    own = pulumi.ResourceOptions(hooks=pulumi.ResourceHookBinding(before_update=[hook]))
    return pulumi.ResourceOptions.merge(opts, own)


def refuse_changes(comparison: Comparison, change: pulumi.ResourceHookArgs) -> None:
    """Raise InputError with what a comparison finds in the change of a component that was completed."""
    if not change.old_outputs:
        return
    olds = change.old_inputs or {}
    problems = list(comparison(olds, _known(change.new_inputs or {}, olds)))
    if problems:
        raise InputError(problems)


def _known(news: Any, olds: Any) -> Any:
    """Return new inputs with what was recorded in place of what is known only after the update."""
    if isinstance(news, Mapping):
        return {key: _known(value, olds.get(key) if isinstance(olds, Mapping) else None) for key, value in news.items()}
    return olds if isinstance(news, str) and news == rpc.UNKNOWN else news
