"""The table asked about a recorded program."""

from __future__ import annotations

from pulumi_cutlist.recorded.recording import Recording

from tests.account import stack
from tests.account.table import refusals
from tests.account.values import plain


def refused(recording: Recording) -> list[str]:
    """Return what an account would refuse of everything that components of a program register, each alone and all together."""
    parts = (one for one in recording.resources.values() if "$" in one.urn.split("::")[2])
    resources = [(one.type, one.name, plain(one.inputs)) for one in parts]
    return [line for resource in resources for line in refusals(*resource)] + stack.refusals(resources)
