"""What the user says about node classes that are elsewhere: their images, disks and kubelets, as far as a plan depends on them.

    NAME[:WORD[,WORD...]]     default:AL2023,disk=200Gi,maxPods=40

NAME is `shared`, or `EC2NodeClass/shared` for a class of only that kind. A WORD is a family of images, `disk=SIZE`,
`maxPods=N`, or `kubeReserved.cpu=AMOUNT` and `kubeReserved.memory=AMOUNT`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from cutlist.api.aksnodeclass import AKSNodeClass
from cutlist.api.autonodeclass import AutoNodeClass
from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.api.read import NodeClass
from cutlist.core.errors import InputError, Place, Problems, QuantityError, nearest
from cutlist.core.quantity import NANO, nanos
from cutlist.settings.planning import EXTERNAL_CLASSES

ELSEWHERE: Final = "external"
_DEFAULT_FAMILY: Final = "AL2023"
_IMAGES: Final = {
    "AL2": "al2@v20251112",
    "AL2023": "al2023@v20260625",
    "Bottlerocket": "bottlerocket@v1.62.1",
    "Windows2019": "windows2019@latest",
    "Windows2022": "windows2022@latest",
    "Windows2025": "windows2025@latest",
}
"""Families of EC2NodeClasses with an alias, pinned where it can be, so that no finding is about unpinned images."""
_OF_AZURE: Final = ("Ubuntu", "Ubuntu2204", "Ubuntu2404", "AzureLinux")
_SHORT: Final = {"windows": "Windows2022"}
_DISKS: Final = {"Bottlerocket": "/dev/xvdb", **dict.fromkeys(("Windows2019", "Windows2022", "Windows2025"), "/dev/sda1")}
_ROOT: Final = "/dev/xvda"
_DISK, _MAX_PODS, _RESERVED = "disk", "maxPods", "kubeReserved."
_KEYS: Final = (_DISK, _MAX_PODS, f"{_RESERVED}cpu", f"{_RESERVED}memory")
_FAMILIES: Final = {family.lower(): family for family in (*_IMAGES, *_OF_AZURE)} | _SHORT
_SUCH_AS: Final = ("disk=200Gi", "maxPods=40", "kubeReserved.cpu=200m", "kubeReserved.memory=1Gi")
_WORDS: Final = ", ".join((*_IMAGES, *_OF_AZURE, *_SHORT, *_SUCH_AS))
_SIZE: Final = re.compile(r"[1-9][0-9]{0,4}(Gi|G|Ti|T)")
_DEFAULT_DISKS: Final = {EC2NodeClass.KIND: "20Gi", AutoNodeClass.KIND: "80Gi", AKSNodeClass.KIND: "128G"}
_WINDOWS_DISK: Final = "50Gi"


@dataclass(frozen=True, slots=True)
class AssumedClass:
    """What is said about a node class that is elsewhere; empty where nothing is."""

    name: str
    family: str = ""
    disk: str = ""
    max_pods: int | None = None
    reserved: tuple[tuple[str, str], ...] = ()

    def is_of(self, kind: str, name: str) -> bool:
        """Tell whether it is about the class of a kind and name."""
        return self.name in (name, f"{kind}/{name}")

    def default_disk(self, kind: str) -> str:
        """Return the size of the disk that is assumed because none is said; empty if one is."""
        if self.disk:
            return ""
        is_windows = kind == EC2NodeClass.KIND and self.family.startswith("Windows")
        return _WINDOWS_DISK if is_windows else _DEFAULT_DISKS[kind]

    def node_class(self, kind: str, name: str) -> NodeClass:
        """Return the class that is assumed. Raises InputError for words that do not apply to its kind."""
        if kind == EC2NodeClass.KIND:
            return self._ec2(name)
        if kind == AutoNodeClass.KIND:
            self._refuse(kind, self.family or self.max_pods is not None or self.reserved, "disk=SIZE alone")
            storage: dict[str, Any] = {"ephemeral_storage": {"size": self.disk}} if self.disk else {}
            return AutoNodeClass(name=name, discovery=ELSEWHERE, **storage)
        self._refuse(kind, self.reserved or self.family in _IMAGES, f"{', '.join(_OF_AZURE)}, disk=SIZE, maxPods=N")
        fields: dict[str, Any] = {
            "image_family": self.family or None,
            "max_pods": self.max_pods,
            "os_disk_size_gb": _gigabytes(self.disk),
        }
        return AKSNodeClass(name=name, **{field: value for field, value in fields.items() if value is not None})

    def in_words(self, kind: str) -> str:
        """Return what is assumed about the class, for a note."""
        if kind == AKSNodeClass.KIND:
            said = [f"images of {self.family}"] * bool(self.family) + [f"disks of {self.disk}"] * bool(self.disk) + self._pods()
            return " and ".join([", ".join(said), "otherwise Azure's defaults"] if said else ["Azure's defaults"])
        disks = f"disks of {self.disk}" if self.disk else "default disks" if kind == EC2NodeClass.KIND else "default storage"
        images = [f"images of {self.family or _DEFAULT_FAMILY}"] if kind == EC2NodeClass.KIND else []
        reserved = [f"{amount} of {resource} reserved" for resource, amount in self.reserved]
        return f"{', '.join([*images, disks, *self._pods(), *reserved])} and subnets in every zone"

    def _pods(self) -> list[str]:
        return [] if self.max_pods is None else [f"at most {self.max_pods} pods on a node"]

    def _ec2(self, name: str) -> EC2NodeClass:
        family = self.family or _DEFAULT_FAMILY
        self._refuse(EC2NodeClass.KIND, family not in _IMAGES, ", ".join(_IMAGES))
        said: dict[str, Any] = {}
        if self.max_pods is not None or self.reserved:
            reserved = {"kubeReserved": dict(self.reserved)} if self.reserved else {}
            said["kubelet"] = {**reserved, **({} if self.max_pods is None else {"maxPods": self.max_pods})}
        if self.disk:
            ebs = {"volumeSize": self.disk, "volumeType": "gp3"}
            said["block_device_mappings"] = [{"deviceName": _DISKS.get(family, _ROOT), "ebs": ebs}]
        return EC2NodeClass(name=name, role=ELSEWHERE, ami=_IMAGES[family], discovery=ELSEWHERE, **said)

    def _refuse(self, kind: str, wrong: object, allowed: str) -> None:
        if wrong:
            text = f"{self.name!r} is an {kind}, and not all that is said about it applies to that kind"
            raise InputError.one(Place.of(EXTERNAL_CLASSES), text, allowed)


def class_name(text: str) -> str:
    """Return the name in a text about a class that is elsewhere."""
    return text.partition(":")[0].strip()


def assumed_classes(texts: Iterable[str], problems: Problems) -> tuple[AssumedClass, ...]:
    """Return what texts say about classes; words that have no meaning are added to `problems`."""
    return tuple(_read(text, problems) for text in texts)


def _read(text: str, problems: Problems) -> AssumedClass:
    assumed, place = AssumedClass(class_name(text)), Place.of(EXTERNAL_CLASSES)
    for word in filter(None, (part.strip() for part in text.partition(":")[2].split(","))):
        key, sign, value = (part.strip() for part in word.partition("="))
        family = _FAMILIES.get(word.lower())
        if family is not None and not assumed.family:
            assumed = replace(assumed, family=family)
        elif sign and key == _DISK and _SIZE.fullmatch(value) and not assumed.disk:
            assumed = replace(assumed, disk=value)
        elif sign and key == _MAX_PODS and value.isdecimal() and assumed.max_pods is None:
            assumed = replace(assumed, max_pods=int(value))
        elif sign and key.startswith(_RESERVED) and key in _KEYS and _is_amount(value):
            assumed = replace(assumed, reserved=(*assumed.reserved, (key.removeprefix(_RESERVED), value)))
        else:
            near = nearest(key, _KEYS) if sign else _FAMILIES.get(nearest(word.lower(), tuple(_FAMILIES)), "")
            problems.add(place, f"{word!r} says nothing about the class {assumed.name}", _WORDS, "" if near == key else near)
    return assumed


def _is_amount(text: str) -> bool:
    try:
        return nanos(text) >= 0
    except QuantityError:
        return False


def _gigabytes(size: str) -> int | None:
    """Return a size in decimal gigabytes, as AKS counts it, rounded up; None for an empty one."""
    return -(-nanos(size) // (NANO * 10**9)) if size else None
