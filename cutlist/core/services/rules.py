"""The Karpenter whose rules apply: the one that a user names, else the one that a service runs."""

from __future__ import annotations

from cutlist.core.errors import Place, Problems
from cutlist.core.karpenter.baselines import DEFAULT, Baseline, baseline_of, chosen_baseline
from cutlist.core.notes import Note
from cutlist.core.services.facts import Service


def rules_of(service: Service | None) -> Baseline:
    """Return the rules of a service's Karpenter; the default ones without a service, and if it publishes no version (Z-73)."""
    known = None if service is None or service.core is None else baseline_of(str(service.core))
    return known or DEFAULT


def chosen_rules(
    text: str | None, service: Service | None, place: Place, problems: Problems
) -> tuple[Baseline, tuple[Note, ...]]:
    """Return the rules that a user's text names, with a note if they are those of another release; without a text, the rules
    of the service. A text that names none, or an unsupported version, is a problem."""
    return (rules_of(service), ()) if text is None else chosen_baseline(text, place, problems)
