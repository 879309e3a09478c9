"""DaemonSets of AKS itself in a plan that was not told of any."""

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
    """The workloads with what AKS runs on each node besides, and a note that says so.

    Input that has any of these DaemonSets is taken at its word, and so are figures that say that all are given.
    """
    found = own_daemons(figures.settings)
    known = {daemon.workload for daemon in found}
    if figures.daemons_given or any(daemon.workload in known for daemon in workloads.daemons):
        return workloads
    notes = (*workloads.notes, _note(found))
    return replace(workloads, daemons=(*workloads.daemons, *found), notes=notes_in_order(notes))


def _note(daemons: tuple[DaemonSet, ...]) -> Note:
    asked = merge(*(daemon.pod.requests for daemon in daemons))
    names = ", ".join(daemon.name for daemon in daemons)
    amounts = " and ".join(amount_text(resource, asked[resource]) for resource in (CPU, MEMORY))
    text = (
        f"no DaemonSet of AKS itself is in the input, so those seen on {SEEN_ON} are taken to run: {names}, together at most "
        f"{amounts} of a node; with `aks.daemonSets: given` in Figures those of the input alone count"
    )
    return Note(_CODE, text)
