"""The assumptions of a plan on Azure: memory, quotas, spot, and what follows from the names of sizes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from cutlist.api.aksnodeclass import AKSNodeClass
from cutlist.api.read import NodeClass
from cutlist.catalog.regions import LocationCatalog
from cutlist.core.labels import SPOT
from cutlist.core.notes import Note
from cutlist.planning.azure.os_disks import os_disk
from cutlist.planning.figures import Figures, price_notes
from cutlist.planning.model import PlannedNode
from cutlist.providers.azure.images import image_line, minor
from cutlist.providers.azure.offerings import NO_ZONE
from cutlist.providers.azure.os_disk import ephemeral_room

_AKS_KEEPS_LESS_FROM: Final = (1, 29)


def azure_notes(
    catalog: LocationCatalog, figures: Figures, classes: Mapping[str, NodeClass], nodes: Sequence[PlannedNode]
) -> list[Note]:
    """Return all notes. `classes` are by NodePool."""
    notes = [_memory(figures), *price_notes(figures), *_images(figures, classes), *_derived(catalog, nodes)]
    notes += _os_disks(catalog, classes, nodes)
    if not figures.aks.observed.quota_left:
        text = "no quota is given, so the plan assumes none for any family; `aks.quotas` of Figures has them"
        notes.append(Note("quotas-unknown", text))
    if not figures.aks.restricted:
        text = (
            f"no restriction is given, so every size with a price in {catalog.region} is assumed to be open to the subscription"
        )
        notes.append(Note("restrictions-unknown", text))
    if any(n.capacity_type == SPOT for n in nodes):
        text = "spot capacity cannot be known before launch: where Azure has none, the next size is tried after the failure"
        notes.append(Note("spot-capacity", text))
    if any(len(n.zones) > 1 for n in nodes):
        notes.append(Note("zone-by-chance", "the zone of a node is chosen at random among those shown: all cost the same"))
    if any(n.zones == (NO_ZONE,) for n in nodes):
        notes.append(Note("no-zone", f"zone {NO_ZONE} stands for machines that Azure places in no zone"))
    return notes


def _memory(figures: Figures) -> Note:
    """Return the note on how Karpenter estimates memory, which is less than nodes have."""
    settings = figures.aks.settings
    percent = f"{settings.vm_memory_overhead_percent * 100:g}"
    text = f"memory of a node is estimated as Karpenter does, {percent}% below whole GiB, which is less than nodes report"
    version = settings.kubernetes_version
    if not version or minor(version) >= _AKS_KEEPS_LESS_FROM:
        text += "; from Kubernetes 1.29 on AKS reserves less of it, too, than Karpenter takes off"
    return Note("memory-estimate", text)


def _images(figures: Figures, classes: Mapping[str, NodeClass]) -> list[Note]:
    """Return notes on the release of the operating system that nodes start from, where the version of Kubernetes determines
    it."""
    version = figures.aks.settings.kubernetes_version
    own_classes = {c.name: c for c in classes.values() if isinstance(c, AKSNodeClass)} if version else {}
    notes = []
    for name, node_class in sorted(own_classes.items()):
        line = image_line(node_class.image_family, version, fips=node_class.fips_mode == "FIPS")
        system = node_class.image_family.rstrip("0123456789")
        notes.append(Note("image-line", f"AKSNodeClass {name}: nodes start from {system} {line} under Kubernetes {version}"))
    return notes


def _os_disks(catalog: LocationCatalog, classes: Mapping[str, NodeClass], nodes: Iterable[PlannedNode]) -> list[Note]:
    """Return notes on the OS disks of the nodes' sizes: which are managed ones, which cost money, and how large an ephemeral
    one may be, and where the ephemeral ones are (VL-14)."""
    managed: dict[str, set[str]] = {}
    ephemeral: dict[str, set[str]] = {}
    for pool, name in {(n.node_pool, n.instance_type) for n in nodes}:
        node_class, size = classes.get(pool), catalog.machines[name]
        disk = os_disk(node_class, size) if isinstance(node_class, AKSNodeClass) else None
        if disk is None:
            continue
        text, largest = f"the OS disk of {disk.size_gb} GB is {disk.in_words}", ephemeral_room(size).gb
        if disk.placement:
            ephemeral.setdefault(f"{text}, and costs nothing", set()).add(name)
        else:
            room = (
                f"an ephemeral one has {largest} GB at most there" if largest else "the size has no room for an ephemeral one"
            )
            managed.setdefault(f"{text}: {room}", set()).add(name)
    return [
        Note(code, f"{', '.join(sorted(names))}: {text}")
        for code, texts in (("managed-os-disk", managed), ("ephemeral-os-disk", ephemeral))
        for text, names in sorted(texts.items())
    ]


def _derived(catalog: LocationCatalog, nodes: Iterable[PlannedNode]) -> list[Note]:
    """Return a note on facts about the nodes' sizes that follow from their names for lack of a record (Z-63)."""
    by_facts: dict[tuple[str, ...], set[str]] = {}
    for name in {n.instance_type for n in nodes}:
        facts = tuple(sorted(fact.replace("_", " ") for fact in catalog.machines[name].derived))
        if facts:
            by_facts.setdefault(facts, set()).add(name)
    return [
        Note(
            "derived-facts",
            f"{', '.join(sorted(names))}: {', '.join(facts)} are inferred from the name, because no record has them",
        )
        for facts, names in sorted(by_facts.items())
    ]
