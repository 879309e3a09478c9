"""Node classes: a v1beta1 EC2NodeClass converted to v1, an AKSNodeClass of v1alpha2 to v1beta1 (spec: api-objects 7.3, azure
2.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.api.aksnodeclass_fields import KIND, OLD_VERSION
from cutlist.api.ami_alias import ALIAS_FAMILIES
from cutlist.api.convert.changes import ConversionChange, version_change
from cutlist.api.convert.edits import Remove, Rename, Set
from cutlist.api.convert.notes import ALIAS_VERSION, annotations_of
from cutlist.api.v1beta1.fields import HOP_LIMIT_OF_ABSENT_FIELD

UBUNTU: Final = "Ubuntu"
UBUNTU_ROOT: Final = {
    "deviceName": "/dev/sda1",
    "rootVolume": True,
    "ebs": {"encrypted": True, "volumeType": "gp3", "volumeSize": "20Gi"},
}
_ALIASES: Final = {family: alias for alias, family in ALIAS_FAMILIES.items()}
_TERMS, _FAMILY, _OPTIONS = "spec.amiSelectorTerms", "spec.amiFamily", "spec.metadataOptions"
_HOP_LIMIT: Final = "httpPutResponseHopLimit"


def class_changes(node_class: Mapping[str, Any]) -> Iterator[ConversionChange]:
    """Yield the changes to a valid class, written or stored. An Ubuntu class is assumed to have terms."""
    spec = node_class["spec"]
    yield version_change("EC2NodeClass")
    yield from _images(spec, annotations_of(node_class).get(ALIAS_VERSION, "latest"))
    yield from _metadata_options(spec)
    if "associatePublicIPAddress" not in spec:
        text = "Karpenter switched public addresses off where all subnets were private; now the subnets decide"
        advice = "write associatePublicIPAddress: false if nodes must not get any"
        yield ConversionChange("changes meaning", text, "", "spec.associatePublicIPAddress", advice)


def alias_of(family: str, version: str = "latest") -> str:
    """Return the alias of a family's images, such as `al2023@latest`, or an empty string for a family without one."""
    return f"{_ALIASES[family]}@{version}" if family in _ALIASES else ""


def _images(spec: Mapping[str, Any], version: str) -> Iterator[ConversionChange]:
    family, terms = spec["amiFamily"], spec.get("amiSelectorTerms")
    if family == UBUNTU:
        yield from _ubuntu(spec)
    elif terms:
        yield ConversionChange("carried over", f"amiFamily {family} with its terms is kept", _FAMILY, _FAMILY)
    else:
        alias = alias_of(family, version)
        rename = Rename(("spec", "amiFamily"), "amiSelectorTerms", [{"alias": alias}])
        text = f"amiFamily {family} without terms is the alias {alias}"
        yield ConversionChange(
            "carried over", text, _FAMILY, f"{_TERMS}[0].alias", _image_advice(family, version), edits=(rename,)
        )


def _image_advice(family: str, version: str) -> str:
    if family == "AL2":
        return "there are no AL2 images from Kubernetes 1.33 on: move to al2023"
    return f"pin a version such as {_ALIASES[family]}@v..., or new images drift the nodes" if version == "latest" else ""


def _ubuntu(spec: Mapping[str, Any]) -> Iterator[ConversionChange]:
    text = "amiFamily Ubuntu was removed: AL2 writes the same user data, and the terms find the same images"
    advice = "amiFamily: Custom with user data of your own is the way to stay on Ubuntu"
    yield ConversionChange("changes meaning", text, _FAMILY, _FAMILY, advice, edits=(Set(("spec", "amiFamily"), "AL2"),))
    if "blockDeviceMappings" not in spec:
        path = "spec.blockDeviceMappings"
        text = "the volume that Ubuntu had by default, /dev/sda1 of 20Gi, is written out: AL2's default is another device"
        yield ConversionChange("changed default", text, "", path, edits=(Set(("spec", "blockDeviceMappings"), [UBUNTU_ROOT]),))


def _metadata_options(spec: Mapping[str, Any]) -> Iterator[ConversionChange]:
    path, advice = f"{_OPTIONS}.{_HOP_LIMIT}", "set it to 2 if pods use the node's metadata service: with 1 they lose it"
    if "metadataOptions" not in spec:
        text = f"{_HOP_LIMIT} was 2 before Karpenter 1.0 where metadataOptions is not written, and is 1 now"
        yield ConversionChange("changed default", text, "", path, advice)
    elif _HOP_LIMIT not in spec["metadataOptions"]:
        edit = Set(("spec", "metadataOptions", _HOP_LIMIT), HOP_LIMIT_OF_ABSENT_FIELD)
        text = f"the default of {_HOP_LIMIT} is 1 now; the old one, {HOP_LIMIT_OF_ABSENT_FIELD}, is written out"
        yield ConversionChange("changed default", text, "", path, edits=(edit,))
    else:
        text = f"{_HOP_LIMIT} {spec['metadataOptions'][_HOP_LIMIT]} is written and kept; its default is another one now"
        yield ConversionChange("carried over", text, path, path)


def is_old_aks_class(api_version: str, kind: str) -> bool:
    """Tell whether an object is an AKSNodeClass of v1alpha2."""
    return (api_version, kind) == (OLD_VERSION, KIND)


def aks_class_changes(node_class: Mapping[str, Any]) -> Iterator[ConversionChange]:
    """Yield the changes to a class. Its fields are the same in both versions."""
    yield version_change(KIND)
    spec = node_class.get("spec") or {}
    if "imageVersion" in spec:
        text = "imageVersion was removed: nodes take the newest image of their family"
        yield ConversionChange("lost", text, "spec.imageVersion", edits=(Remove(("spec", "imageVersion")),))
    if "imageFamily" not in spec:
        text, advice = "imageFamily was Ubuntu2204 in 2024 where it is not written, and is Ubuntu now", "write the one you want"
        yield ConversionChange("changed default", text, "", "spec.imageFamily", advice)
