"""The settings of charts and of EKS' add-ons that an input installs without rendering them, wherever it does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.errors import Place, Problems
from cutlist.documents.document import Document
from cutlist.documents.members import entries, mapping, text
from cutlist.documents.terraform.opentofu import EKS_MODULE, resource_of
from cutlist.documents.text.yaml import parse
from cutlist.planning.built_in_signs import is_cluster_config

_ADD_ON: Final = "aws_eks_addon"
_RELEASE: Final = "helm_release"
_OF_MODULE: Final = ("addons", "cluster_addons")  # since version 21 of the module, and before
_ACK: Final = "eks.services.k8s.aws"
_CROSSPLANE: Final = "eks.aws."


@dataclass(frozen=True, slots=True)
class InstalledChart:
    """A chart or an add-on by its name, such as `aws-ebs-csi-driver`, with the values that are written for it."""

    name: str
    values: Mapping[str, Any]
    place: Place


def installed_charts(documents: Iterable[Document]) -> Iterator[InstalledChart]:
    """Yield the charts and add-ons that documents install; values that are no mapping, or not known, are left out."""
    for document in documents:
        for name, written in _in_document(document):
            values = _values(written)
            if name and values:
                yield InstalledChart(name.rpartition("/")[2], values, document.place)


def _in_document(document: Document) -> Iterator[tuple[str, Any]]:
    group, spec = document.api_version.rpartition("/")[0], mapping(document.data.get("spec"))
    resource = resource_of(document)
    if resource is not None:
        yield from _of_resource(*resource)
    elif is_cluster_config(document):
        for add_on in map(mapping, entries(document.data.get("addons"))):
            yield text(add_on.get("name")), add_on.get("configurationValues")
    elif document.kind == "Addon" and group == _ACK:
        yield text(spec.get("name")), spec.get("configurationValues")
    elif document.kind == "Addon" and group.startswith(_CROSSPLANE):
        wanted = mapping(spec.get("forProvider"))
        yield text(wanted.get("addonName")), wanted.get("configurationValues")
    elif document.kind == "HelmRelease":
        chart = mapping(mapping(spec.get("chart")).get("spec"))
        yield text(chart.get("chart")) or text(mapping(spec.get("chartRef")).get("name")), spec.get("values")
    elif document.kind == "Application":
        for source in map(mapping, [spec.get("source"), *entries(spec.get("sources"))]):
            helm = mapping(source.get("helm"))
            yield text(source.get("chart")), helm.get("valuesObject") or helm.get("values")


def _of_resource(type_: str, values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    if type_ == _ADD_ON:
        yield text(values.get("addon_name")), values.get("configuration_values")
    elif type_ == EKS_MODULE:
        for member in _OF_MODULE:
            for name, add_on in mapping(values.get(member)).items():
                yield str(name), mapping(add_on).get("configuration_values")
    elif type_ == _RELEASE:
        for written in entries(values.get("values")):
            yield text(values.get("chart")), written
        for setting in map(mapping, entries(values.get("set"))):
            yield text(values.get("chart")), _nested(text(setting.get("name")), setting.get("value"))


def _nested(path: str, value: Any) -> Any:
    for name in reversed(path.split(".")):
        value = {name: value}
    return value


def _values(written: Any) -> Mapping[str, Any]:
    """Return values that are written as a mapping, or as JSON or YAML in a text."""
    if isinstance(written, str):
        parsed = [of.value for of in parse(written, "", Problems()) if of.value is not None]
        return mapping(parsed[0]) if len(parsed) == 1 else {}
    return mapping(written)
