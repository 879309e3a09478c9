"""What the tests about AKS have in common: one cluster's facts, and notes as texts."""

from __future__ import annotations

from cutlist.infrastructure.aks.names import AksFacts
from cutlist.infrastructure.aks.notes import AksNotes

SUBSCRIPTION = "11111111-2222-3333-4444-555555555555"


def facts(cluster: str = "shop", resource_group: str = "rg-shop", location: str = "japaneast", **more: str) -> AksFacts:
    return AksFacts(cluster, resource_group, location, SUBSCRIPTION, **more)


def mistakes(notes: AksNotes) -> list[str]:
    return [str(problem) for problem in notes.problems.found]
