"""Reasons of pending pods where files are open: what no NodePool offers may be in what was not read."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from cutlist.core.ledger import Inputs
from cutlist.planning.model import PendingPods

OBJECT: Final = "object"
"""The form of open inputs that are objects with pods, not files that may hold NodePools."""
_GUESS: Final = re.compile(r"; did you mean [^;?]*\?")
_NAMED: Final = 2


def with_open_inputs(pending: tuple[PendingPods, ...], inputs: Inputs | None) -> tuple[PendingPods, ...]:
    """Return pending pods whose reasons say which files were not read, in place of guesses at other names."""
    names = [of.what for of in inputs.open if of.form != OBJECT] if inputs is not None else []
    if not names:
        return pending
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    unread = f"; {', '.join(names[:_NAMED])}{more} not read, which may hold a NodePool for it"
    return tuple(replace(pods, reason=f"{_GUESS.sub('', pods.reason)}{unread}") for pods in pending)
