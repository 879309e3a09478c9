"""The bill of a recorded program: each resource's charges under the component that made it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final

from cutlist.catalog.prices import Price
from cutlist.catalog.regions import AnyRegion
from cutlist.core.money import money_sum
from cutlist.infrastructure.costs import Bill, Charge, ChargeState, Component, RequestedResource, charges_of, is_priced
from cutlist.planning.figures import OWN_FIGURES, Figures
from cutlist.planning.model import Plan
from cutlist.planning.model.nodes import deviations
from pulumi_cutlist.recorded.recording import STACK, Recording, Registration

_OF_SAME_CLOUD: Final = {"eks": "aws"}
"""The package with the settings of a cloud, by the name of another one for it."""
_UNSEEN: Final = Charge(
    "what it is made of",
    ChargeState.NOT_KNOWN,
    note="its package creates that during an update, and a preview does not show it",
)


def bill_of(
    recording: Recording,
    plans: Sequence[Plan],
    config: Mapping[str, str],
    figures: Sequence[Figures],
    live: Mapping[str, AnyRegion],
    day: date,
) -> Bill:
    """Return what the resources of a program and the nodes of its plans cost by the hour.

    `config` has the program's settings by qualified key; `figures` are the user's own, with prices of resources and
    of machines; `live` are regions of a catalogue's folder, whose prices replace the embedded ones. Calendars count from `day`.
    """
    planned = next((plan.region for plan in plans), "")
    prices = {item: Price(usd, OWN_FIGURES) for of in figures for item, usd in of.resources.items()}
    paid = next((of.paid_prices for of in figures if of.paid_prices is not None), None)
    charges: dict[str, list[Charge]] = {}
    elsewhere = planned or _only_region(recording)
    for resource in recording.resources.values():
        if resource.request.custom or is_priced(resource.type):
            region = _region(recording, resource, config) or elsewhere
            referred = _referred(recording, resource)
            requested = RequestedResource(resource.type, resource.inputs, region, prices, live, referred, day, paid)
            own_charges = charges_of(requested)
            maker = _maker(recording, resource) if resource.request.custom else resource.urn
            charges.setdefault(maker, []).extend(own_charges)
        elif resource.request.remote:
            charges.setdefault(resource.urn, []).append(_UNSEEN)
    components = (Component.of(recording.resources[urn].name, recording.resources[urn].type, of) for urn, of in charges.items())
    totals = [plan.totals for plan in plans]
    of_disks = [t.disk_price_per_hour for t in totals if t.disk_price_per_hour is not None]
    overlaid = any(t.overlay_price_per_hour is not None for t in totals)
    ranked = (t.price_per_hour if t.overlay_price_per_hour is None else t.overlay_price_per_hour for t in totals)
    of_nodes = [t.price_per_hour for t in totals if t.price_per_hour is not None]
    return Bill(
        tuple(sorted((c for c in components if c.charges), key=lambda component: (component.name, component.type))),
        money_sum(of_nodes) if of_nodes else None,
        nodes_complete=len(of_nodes) == len(totals) and not any(t.unpriced_nodes or t.nodes_without_disks for t in totals),
        nodes_estimated=any(node.is_estimated for plan in plans for node in plan.nodes),
        disks_per_hour=money_sum(of_disks) if of_disks else None,
        nodes_estimated_per_hour=money_sum((t.price_per_hour or 0) * (t.estimated_part or 0) for t in totals),
        currency=next((t.currency for t in totals if t.currency), "USD"),
        nodes_range=deviations(node for plan in plans for node in plan.nodes).around(money_sum(of_nodes)),
        overlay_nodes_per_hour=money_sum(price or 0 for price in ranked) if overlaid else None,
    )


def _referred(recording: Recording, resource: Registration) -> dict[str, dict[str, Any]]:
    """Return the inputs of the resource that each input of a resource refers to, where it is one of the program."""
    resources = recording.resources
    return {
        name: resources[of_input.urns[0]].inputs
        for name, of_input in resource.request.propertyDependencies.items()
        if len(of_input.urns) == 1 and of_input.urns[0] in resources
    }


def _maker(recording: Recording, resource: Registration) -> str:
    """Return the URN of the nearest component above a resource; or that of the stack."""
    parents = (above.urn for above in _above(recording, resource) if not above.request.custom)
    return next(parents, None) or next(r.urn for r in recording.resources.values() if r.type == STACK)


def _region(recording: Recording, resource: Registration, config: Mapping[str, str]) -> str:
    """Return the region of a resource: what it says itself, else its provider, what made it, or the settings; else empty."""
    written = resource.type.partition(":")[0]
    package = _OF_SAME_CLOUD.get(written, written)
    key = "location" if package.startswith("azure") else "region"
    named = (resource.request.provider, *resource.request.providers.values())
    providers = [own for name in named if (own := recording.resources.get(name.rpartition("::")[0])) is not None]
    for registration in (resource, *providers, *_above(recording, resource)):
        if value := _named(registration.inputs, key):
            return value
    return config.get(f"{package}:{key}", "")


def _only_region(recording: Recording) -> str:
    """Return the region that the program's components of clusters name, where it is the same for all; else empty."""
    named = {_named(resource.inputs, "region") for resource in recording.resources.values() if not resource.request.custom}
    named.discard("")
    return named.pop() if len(named) == 1 else ""


def _above(recording: Recording, resource: Registration) -> Iterator[Registration]:
    """Yield parent, grandparent and so on."""
    above = recording.resources.get(resource.parent)
    while above is not None:
        yield above
        above = recording.resources.get(above.parent)


def _named(inputs: Mapping[str, Any], key: str) -> str:
    """Return the text under a key, also that of a control plane, or an empty text."""
    groups = (inputs, *(inputs.get(group) for group in ("control_plane", "controlPlane")))
    texts = (group.get(key) for group in groups if isinstance(group, Mapping))
    return next((text for text in texts if isinstance(text, str)), "")
