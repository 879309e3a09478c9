"""What a service adds to a cluster by itself, as facts with source and date."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from cutlist.core.records import Key, about
from cutlist.core.services.facts import Service
from cutlist.core.source import Source

What = Literal["version", "gate", "nodepool", "class"]


@dataclass(frozen=True, slots=True)
class Addition:
    """One thing that a service decides or creates, in words."""

    what: What
    name: Annotated[str, about("A feature gate, NodePool or node class; empty for the version.")]
    text: str
    source: str
    date: str

    @staticmethod
    def of(what: What, name: str, text: str, source: Source) -> Addition:
        """Return an addition with where it is said."""
        return Addition(what, name, text, source.text, source.date)


@dataclass(frozen=True, slots=True)
class AddedByService:
    """What a service adds to the cluster of a resource."""

    service: str
    cluster: Annotated[str, Key("resource"), about("Name of the cluster's resource.")]
    additions: tuple[Addition, ...]


def added_by(service: Service, cluster: str, pools: Collection[str], sku: str = "") -> AddedByService:
    """Return what a service adds to a cluster in which these NodePools are switched on: version, gates, NodePools, and the
    classes that come with them. `sku` is the kind of the cluster, where classes depend on it."""
    return AddedByService(service.name, cluster, tuple(_additions(service, pools, sku)))


def _additions(service: Service, pools: Collection[str], sku: str) -> Iterator[Addition]:
    version = "not published" if service.core is None else f"core {service.core}, provider {service.provider}"
    yield Addition.of("version", "", version, service.version_from)
    for state in service.gates:
        yield Addition.of("gate", state.gate, f"{state.state}{', inferred' if state.is_inferred else ''}", state.source)
    made = [pool for pool in service.pools if pool.name in pools]
    for pool in made:
        yield Addition.of("nodepool", pool.name, f"{pool.text}; class {pool.class_name}", service.pools_from)
    form = next((form for form in service.class_forms if form.sku == (sku or service.class_forms[0].sku)), None)
    for name in service.classes if made else ():
        text = "as the service sets it" if form is None else form.image_family
        text += f", LocalDNS {form.local_dns}" if form is not None and form.local_dns else ""
        yield Addition.of("class", name, text, service.pools_from if form is None else form.source)
