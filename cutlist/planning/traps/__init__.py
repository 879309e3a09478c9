"""Traps: what an API server and Karpenter accept, and what still does not do what its author expects.

Each is declared once, for every verb that reads the same input. A trap has a code, a text with the objects that it concerns,
and the fix.
"""

from __future__ import annotations

from typing import Final

from cutlist.core.notes import Note, notes_in_order
from cutlist.planning.traps.architectures import (
    architectures_not_chosen,
    machines_of_other_architecture,
    pods_of_other_architecture,
)
from cutlist.planning.traps.budgets import odd_budgets
from cutlist.planning.traps.devices import claims_for_devices
from cutlist.planning.traps.labels import labels_of_wrong_domain
from cutlist.planning.traps.limits import odd_limits
from cutlist.planning.traps.pod_limits import nodes_full_of_pods, pod_limits_below_daemons, resources_not_offered
from cutlist.planning.traps.requests import requests_without_meaning
from cutlist.planning.traps.reservations import unused_reservations
from cutlist.planning.traps.setup import ClaimPlanning, PoolSetup, Setup, overlaid_resources
from cutlist.planning.traps.shared_gpus import shared_gpus
from cutlist.planning.traps.sidecars import uncounted_sidecars
from cutlist.planning.traps.volume_zones import volumes_out_of_reach

__all__ = ["ClaimPlanning", "PoolSetup", "Setup", "overlaid_resources", "traps", "traps_without_plan"]
_ALWAYS: Final = (
    labels_of_wrong_domain,
    odd_limits,
    uncounted_sidecars,
    architectures_not_chosen,
    machines_of_other_architecture,
    nodes_full_of_pods,
    pod_limits_below_daemons,
    volumes_out_of_reach,
    requests_without_meaning,
    odd_budgets,
    shared_gpus,
    unused_reservations,
    claims_for_devices,
)
# A plan gives these as the reasons of its pending pods.
_OF_PENDING_PODS: Final = (pods_of_other_architecture, resources_not_offered)


def traps(setup: Setup) -> tuple[Note, ...]:
    """Return the traps of an input of which there is a plan."""
    return notes_in_order(note for trap in _ALWAYS for note in trap(setup))


def traps_without_plan(setup: Setup) -> tuple[Note, ...]:
    """Return the traps of an input without a plan, which would say why some pods stay pending."""
    return notes_in_order(note for trap in (*_ALWAYS, *_OF_PENDING_PODS) for note in trap(setup))
