"""The DaemonSets that AKS itself runs on each node, in plans whose files do not contain them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cutlist.core.notes import Note, notes_in_order
from cutlist.core.quantity import amount_text, merge
from cutlist.planning.azure.figures import AksFigures
from cutlist.providers.azure.own_daemons import SEEN_ON, own_daemons
from cutlist.providers.instance_types import CPU, MEMORY
from cutlist.workloads import DaemonSet, Workloads

_CODE: Final = "aks-daemonsets"


def with_own_daemons(workloads: Workloads, figures: AksFigures) -> Workloads:
    """Return the workloads with the DaemonSets that AKS itself runs on each node, and a note about them.

    Nothing is added if the input has any of these DaemonSets, or if the figures say that all are given.
    """
    daemons = own_daemons(figures.settings)
    known = {daemon.workload for daemon in daemons}
    if figures.daemons_given or any(daemon.workload in known for daemon in workloads.daemons):
        return workloads
    notes = (*workloads.notes, _note(daemons))
    return replace(workloads, daemons=(*workloads.daemons, *daemons), notes=notes_in_order(notes))


def _note(daemons: tuple[DaemonSet, ...]) -> Note:
    requests = merge(*(daemon.pod.requests for daemon in daemons))
    names = ", ".join(daemon.name for daemon in daemons)
    amounts = " and ".join(amount_text(resource, requests[resource]) for resource in (CPU, MEMORY))
    text = (
        f"no DaemonSet of AKS itself is in the input, so those seen on {SEEN_ON} are assumed to run: {names}, together at most "
        f"{amounts} of a node; with `aks.daemonSets: given` in Figures those of the input alone count"
    )
    return Note(_CODE, text)
