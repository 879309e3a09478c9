"""EC2NodeClasses checked against the types that their NodePools allow: images, disks, pods (spec: AWS 2.3, 2.4, 5.5, 7.4,
7.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, cast

from cutlist.api.account_limits import account_findings
from cutlist.api.ami_alias import AL2, AL2_UNTIL, LATEST, AmiAlias
from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.catalog.images import image_releases
from cutlist.core.identity import SameObject
from cutlist.core.labels import ZONE, ZONE_ID
from cutlist.core.notes import Note
from cutlist.core.quantity import NANO
from cutlist.core.requirements import Requirements
from cutlist.planning.allowed import AllowedTypes
from cutlist.planning.pool_findings import named
from cutlist.providers.aws import UsableZones, ZoneSource
from cutlist.providers.aws.families import CUSTOM, FAMILIES
from cutlist.providers.aws.launch.filters import has_accelerator
from cutlist.providers.aws.launch.images import Image, images_of, starts, unseen_images

_WINDOWS_2025_FROM: Final = "1.35"


def class_findings(node_class: EC2NodeClass) -> Iterator[Note]:
    """Yield findings about a node class that do not depend on its NodePools."""
    where = f"EC2NodeClass {node_class.name}"
    for refused in account_findings(node_class.KIND, node_class.manifest().get("spec") or {}):
        text = f"{where}: {refused.path}: {refused.message}; allowed: {refused.allowed}; its nodes do not launch"
        yield Note("ec2-refuses", text)
    kubelet = node_class.kubelet
    if kubelet is not None and kubelet.max_pods == 0:
        yield Note("no-pods", f"{where}: spec.kubelet.maxPods is 0, so its nodes take no pod; leave it out or give a number")
    if _has_no_root(node_class):
        family = FAMILIES.get(node_class.resolved_ami_family, CUSTOM)
        text = f"{where}: none of its block devices is the root volume of {family.name} ({family.ephemeral_device})"
        yield Note(
            "no-root-volume",
            f"{text}; its size is the image's, which is assumed to be {family.default_disk // NANO // 2**30}Gi",
        )
    alias = AmiAlias.read(node_class.alias or "")
    if alias.family == AL2:
        yield Note(
            "al2-ends", f"{where}: images of AL2 exist up to Kubernetes {AL2_UNTIL}; with later versions the class is not ready"
        )
    if alias.family == "windows2025":
        yield Note("windows-version", f"{where}: images of Windows 2025 exist from Kubernetes {_WINDOWS_2025_FROM} on")
    if alias.version not in ("", LATEST) and not any(c.isdigit() for c in alias.version):
        example = image_releases().example(alias.family) or "a version"
        text = f"{where}: {node_class.alias} names no version; write {alias.family}@{LATEST}, or {example}"
        yield Note("image-version", text)
    if alias.is_unpinned:
        text = f"{where}: {node_class.alias} is the newest image; nodes drift and are replaced whenever a newer one is released"
        yield Note("images-move", text)


def zones_without_subnet(allowed: AllowedTypes, usable: UsableZones) -> Iterator[Note]:
    """Yield the zones that a NodePool names but in which its class has no subnet, where its subnets are known."""
    node_class = allowed.node_class
    if node_class is None or usable.source is ZoneSource.REGION:
        return
    for key, known in ((ZONE, set(usable.names)), (ZONE_ID, set(usable.ids.values()))):
        wanted = allowed.wanted.get(key)
        missing = sorted(wanted.values - known) if wanted is not None and not wanted.complement else []
        if missing:
            text = f"NodePool {allowed.pool.name} wants {key} {', '.join(missing)}, where {node_class.KIND} {node_class.name}"
            yield Note("zone-without-subnet", f"{text} has no subnet ({', '.join(sorted(known))})")


def image_findings(allowed: AllowedTypes) -> Iterator[Note]:
    """Yield the types of a NodePool that no image of its class starts, and GPUs under images about which nothing is known."""
    node_class = allowed.node_class
    if not isinstance(node_class, EC2NodeClass) or not allowed.mask:
        return
    pool, types = allowed.pool.name, allowed.types
    if not (node_class.status.amis or node_class.status.conditions) and node_class.alias is None:
        if all(map(has_accelerator, types)):
            text = f"NodePool {pool}: whether the images of EC2NodeClass {node_class.name} have drivers for its machines"
            yield Note("image-drivers", f"{text} is not known; Karpenter takes them for all machines of their architecture")
        return
    images = unseen_images(node_class) or images_of(node_class)
    left = [types.names[place] for place in _without_image(SameObject(types.labels), tuple(images))]
    if left and len(left) == len(types):
        text = f"NodePool {pool}: no image of EC2NodeClass {node_class.name} starts any of its instance types"
        yield Note("no-image", f"{text} ({named(left)}); pods would get claims that never launch")
    elif left:
        text = f"NodePool {pool}: {len(left):,} of its instance types have no image in EC2NodeClass {node_class.name}"
        yield Note("some-without-image", f"{text} and are left out at launch: {named(left)}")


@lru_cache(maxsize=256)
def _without_image(labels: SameObject, images: tuple[Image, ...]) -> tuple[int, ...]:
    """Return the places of machines that no image starts, by their labels: thousands of NodePools allow the same hundreds."""
    of_types = cast("Sequence[Requirements]", labels.of)
    return tuple(place for place, of_type in enumerate(of_types) if not any(starts(image, of_type) for image in images))


def _has_no_root(node_class: EC2NodeClass) -> bool:
    """Tell whether there are mappings but none sets the size of the root volume (rules 2 to 4 of the page miss)."""
    mappings = node_class.block_device_mappings
    family = FAMILIES.get(node_class.resolved_ami_family, CUSTOM)
    if not mappings or family is CUSTOM:
        return False
    return not any(m.root_volume or m.device_name == family.ephemeral_device for m in mappings)
