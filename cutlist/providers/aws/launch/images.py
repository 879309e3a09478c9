"""Which image an instance type starts from (spec: AWS 5.5, 7.4)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from cutlist.api.ami_alias import AmiAlias
from cutlist.catalog.images import image_releases
from cutlist.core.labels import ARCH, AWS, AWS_ACCELERATOR_COUNT, AWS_GPU_COUNT, OS, WINDOWS_BUILD
from cutlist.core.requirement import Expression, Requirement
from cutlist.core.requirements import Requirements
from cutlist.providers.aws.families import FAMILIES
from cutlist.providers.aws.launch.filters import RemainingType

if TYPE_CHECKING:
    from cutlist.api.ec2nodeclass import EC2NodeClass
    from cutlist.api.ec2nodeclass_status import AmiRequirement

_STANDARD: Final = (Requirement(AWS_ACCELERATOR_COUNT, False), Requirement(AWS_GPU_COUNT, False))
_NVIDIA: Final = (Requirement.exists(AWS_GPU_COUNT),)
_NEURON: Final = (Requirement.exists(AWS_ACCELERATOR_COUNT),)


@dataclass(frozen=True, slots=True)
class Image:
    """A machine image, by its id or a name in its place, and the labels that a type must have to start from it."""

    id: str
    requirements: Requirements


def images_of(node_class: EC2NodeClass) -> tuple[Image, ...]:
    """Return the images in the NodeClass' status, in order; if no cluster has resolved it, those of its alias, by name."""
    if is_resolved(node_class):
        return tuple(Image(ami.id, _read(ami.requirements)) for ami in node_class.status.amis)
    return expected_images(node_class)


def unseen_images(node_class: EC2NodeClass) -> tuple[Image, ...]:
    """Return the expected images of a NodeClass whose images no controller has resolved; none for any other."""
    status = node_class.status
    return () if status.amis or status.conditions else expected_images(node_class)


def expected_images(node_class: EC2NodeClass) -> tuple[Image, ...]:
    """Return the result that Karpenter's look-up would have, by name: the images of the alias, or one unknown image."""
    if node_class.alias is None:  # only the owner of the images knows their architecture
        return (Image("image of the selector terms", Requirements()),)
    return _of_alias(node_class.alias)


def is_resolved(node_class: EC2NodeClass) -> bool:
    """Tell whether a cluster has resolved the NodeClass' selectors."""
    return bool(node_class.status.subnets or node_class.status.amis)


def by_image(types: Iterable[RemainingType], images: Iterable[Image]) -> dict[str, list[RemainingType]]:
    """Return the types by the id of the first image whose requirements they meet; those without one are left out (A-60)."""
    types_by_image: dict[str, list[RemainingType]] = {}
    tried = tuple(images)
    for r in types:
        image = next((i for i in tried if starts(i, r.type.requirements)), None)
        if image is not None:
            types_by_image.setdefault(image.id, []).append(r)
    return types_by_image


def starts(image: Image, machine: Requirements) -> bool:
    """Tell whether an image starts a machine with these labels."""
    return _starts(image.requirements, machine)


@lru_cache(maxsize=32768)
def _starts(image: Requirements, machine: Requirements) -> bool:
    """Tell whether an image starts a machine: thousands of NodePools ask it of the same hundreds."""
    return machine.compatible(image)


def _read(needs: Iterable[AmiRequirement]) -> Requirements:
    return Requirements.of_expressions((Expression(n.key, n.operator, tuple(n.values)) for n in needs), AWS)


@lru_cache(maxsize=64)
def _of_alias(alias: str) -> tuple[Image, ...]:
    """Return the images of an alias, as the family publishes them; early releases have fewer kinds."""
    family = AmiAlias.read(alias).family
    match family:
        case "al2023":
            kinds = _kinds(standard=("amd64", "arm64"), nvidia=("amd64", "arm64"), neuron=("amd64",))
        case "al2":
            kinds = _kinds(standard=("amd64", "arm64"), neuron=("amd64",), nvidia=("amd64",))
        case "bottlerocket":
            kinds = _kinds(standard=("amd64", "arm64"), neuron=("amd64",), nvidia=("amd64", "arm64"))
        case _:
            build = next((f.windows_build for f in FAMILIES.values() if f.name.lower() == family), "")
            windows = (Requirement(OS, False, frozenset(("windows",))), Requirement(WINDOWS_BUILD, False, frozenset((build,))))
            return (Image(alias, Requirements(windows)),)
    releases = image_releases()
    return tuple(Image(f"{alias} ({name})", Requirements(needs)) for name, needs in kinds if releases.has_image(alias, name))


def _kinds(**architectures: tuple[str, ...]) -> list[tuple[str, tuple[Requirement, ...]]]:
    needs = {"standard": _STANDARD, "nvidia": _NVIDIA, "neuron": _NEURON}
    return [
        (f"{kind}, {arch}", (Requirement(ARCH, False, frozenset((arch,))), *needs[kind]))
        for kind, names in architectures.items()
        for arch in names
    ]
