"""Which recorded resources wait for others."""

from __future__ import annotations

from pulumi.runtime import rpc
from pulumi_cutlist.recorded.recording import Registration


def has_unknowns(registration: Registration) -> bool:
    """Tell whether any input is known only after an update."""
    return bool(rpc.struct_contains_unknowns(registration.request.object))
