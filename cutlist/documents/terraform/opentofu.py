"""Plans and states of OpenTofu and Terraform as documents: their objects of Kubernetes, and one for each other resource."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from cutlist.core.errors import Place, Problems
from cutlist.core.secrecy import leaf_texts
from cutlist.core.unknown import UNKNOWN
from cutlist.documents.document import Document, Origin
from cutlist.documents.members import mapping
from cutlist.documents.terraform.provisioned import left_out, listed_resources, provisioned
from cutlist.documents.terraform.typed import typed_manifest
from cutlist.documents.text import yaml

if TYPE_CHECKING:
    from cutlist.documents.terraform.provisioned import Provisioned

TERRAFORM: Final = "terraform"
"""The API group of documents that stand for a resource, or for the call of a module, of a configuration."""
EKS_MODULE: Final = "terraform-aws-modules/eks/aws"
OPENTOFU: Final = "opentofu"
"""The API group of documents that stand for a resource which is not an object of Kubernetes, or an unknown one."""
SHOW: Final = "what tofu show -json or terraform show -json prints"
MANIFEST_RESOURCES: Final[Mapping[str, str]] = {"kubernetes_manifest": "manifest", "kubectl_manifest": "yaml_body"}
"""The member that has the object, by type of resource."""
_WHOLE: Final = "a plan of everything"
_TYPE: Final = ("apiVersion", "kind")
_OWN_CHARTS: Final = ("karpenter", "karpenter-crd")
_MAJORS: Final = ("0", "1")
_STAND_IN: Final = "known-after-apply"
_STAND_INS: Final[tuple[tuple[str, Any], ...]] = (
    (r"spec\.(role|instanceProfile)|spec\.tags\..*|metadata\.(annotations|uid).*", _STAND_IN),
    (r"spec\.template\.metadata\.annotations\.(?!karpenter\.sh/).*", _STAND_IN),
    (r"spec\.(subnet|securityGroup)SelectorTerms\[\d+\]\.(tags\..*|name)", _STAND_IN),
    (r"spec\.subnetSelectorTerms\[\d+\]\.id", "subnet-0"),
    (r"spec\.securityGroupSelectorTerms\[\d+\]\.id", "sg-0"),
    (r"spec\.(subnet|securityGroup)SelectorTerms(\[\d+\])?\.tags", {_STAND_IN: "*"}),
    (r".*\.(image|serviceAccountName|env\[\d+\]\.value|args\[\d+\]|command\[\d+\])", _STAND_IN),
)
"""What a plan of nodes reads in place of unknown texts that it does not depend on, by path."""


def is_show_json(value: Any) -> bool:
    """Tell whether a value is a plan or state as OpenTofu and Terraform show it."""
    return isinstance(value, dict) and isinstance(value.get("format_version"), str) and "apiVersion" not in value


def is_state_file(value: Any) -> bool:
    """Tell whether a value is a state as OpenTofu and Terraform store it, which is a different form."""
    return isinstance(value, dict) and "terraform_version" in value and "format_version" not in value


def resource_of(document: Document) -> tuple[str, Mapping[str, Any]] | None:
    """Return the type and the values of the resource, or the source and the arguments of the call of a module, that a document
    stands for; None for an object of a cluster."""
    group = document.api_version.partition("/")[0]
    if group == OPENTOFU and document.origin is not None:
        return document.origin.type, document.origin.values
    return (document.kind, mapping(document.data.get("spec"))) if group == TERRAFORM else None


def makes_unread_objects(document: Document, origin: Origin) -> bool:
    """Tell whether the resource of a document makes objects of Kubernetes that its values do not show: typed ones that are not
    read, and charts, except Karpenter's own, whose values the gates read."""
    if origin.type == "helm_release":
        return not is_own_chart(str(origin.values.get("chart")))
    is_unknown = document.api_version.startswith(f"{OPENTOFU}/")
    return is_unknown and origin.type.startswith("kubernetes_") and origin.type not in MANIFEST_RESOURCES


def is_own_chart(name: str) -> bool:
    """Tell whether a chart is one of Karpenter's own, which hold no workload that its values do not show to gates."""
    return name.rpartition("/")[2] in _OWN_CHARTS


def documents_of(value: Mapping[str, Any], source: str, problems: Problems) -> Iterator[Document]:
    """Yield the objects of Kubernetes of a plan or state, and for each other resource a document of the group `opentofu`."""
    place = Place(source)
    if str(value["format_version"]).partition(".")[0] not in _MAJORS:
        problems.add(place, f"has format_version {value['format_version']}, which is not known", "format_version 1")
        return
    _check_whole(value, place, problems)
    resources = list(provisioned(value))
    shown = {text for resource in resources for text in resource.shown}
    documents = [document for resource in resources for document in _documents(resource, shown, place, problems)]
    secrets = sorted({text for document in documents if document.origin for text in document.origin.secrets})
    problems.inputs.append({"secret": secrets})
    if not documents:
        problems.add_absence(place, "no resource is in the plan or state", "resources that an apply makes or keeps")
    yield from documents


def _check_whole(value: Mapping[str, Any], place: Place, problems: Problems) -> None:
    """Report a plan that does not hold everything that an apply does."""
    if value.get("errored") is True:
        problems.add(place, "its planning failed, so it is not the whole plan", "a plan without errors")
    elif value.get("complete") is False:
        problems.add(place, "it is a part of a plan, as -target makes one: the rest is not in it", _WHOLE)
    elif "complete" not in value:
        missing = left_out(value)
        if missing:
            more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
            text = f"its configuration has {missing[0]}{more}, which the plan has not, as with -target"
            problems.add(place, f"{text}, or with enabled = false, which no plan shows", f"{_WHOLE}; count = 0 is shown")
    deferred = value.get("deferred_changes")
    if isinstance(deferred, list) and deferred:
        problems.add(place, f"{len(deferred)} of its changes are deferred to a later plan", _WHOLE)
    if "resource_changes" not in value and listed_resources(value.get("planned_values")):
        problems.add(place, "it has planned_values and no resource_changes, which say what is unknown", SHOW)


def _documents(resource: Provisioned, shown: set[str], place: Place, problems: Problems) -> Iterator[Document]:
    where = replace(place, address=resource.address)
    secrets = resource.secrets - shown
    origin = Origin(
        resource.address,
        resource.type,
        resource.values,
        urn=resource.configured_address,
        references=resource.references,
        secrets=frozenset(secrets),
    )
    member = MANIFEST_RESOURCES.get(resource.type)
    typed = typed_manifest(resource.type, resource.values)
    if typed is not None:
        yield object_of(typed, where, origin)
        return
    if member is None or resource.values.get(member) is UNKNOWN:
        data = {"apiVersion": f"{OPENTOFU}/v1", "kind": resource.type, "metadata": {"name": resource.address}}
        yield Document(where, data, {}, origin=replace(origin, unknown=() if member is None else (member,)))
        return
    references = dict.fromkeys(("spec", "metadata"), resource.references.get(member, ()))
    manifests, hidden = _manifests(resource, member, where, problems)
    for manifest in manifests:
        yield object_of(manifest, where, replace(origin, references=references, secrets=frozenset(hidden - shown)))


def standing_for(type_: str, path: str, values: Mapping[str, Any], address: str = "", line: int = 0) -> Document:
    """Return a document for the resource of a cloud that a file deploys, under its type in Terraform."""
    data = {"apiVersion": f"{OPENTOFU}/v1", "kind": type_, "metadata": {"name": address or path}}
    origin = Origin(address or path, type_, values, urn=f"{path}#{address}")
    return Document(Place(path, line=line, address=address), data, {}, origin=origin)


def object_of(manifest: dict[str, Any], where: Place, origin: Origin) -> Document:
    """Return an object as a plan of nodes reads it, with the manifest as its origin's values."""
    unknown: list[str] = []
    data = planned(manifest, "", unknown)
    return Document(where, data, {}, origin=replace(origin, values=manifest, unknown=tuple(unknown)))


def _manifests(
    resource: Provisioned, member: str, where: Place, problems: Problems
) -> tuple[list[dict[str, Any]], frozenset[str]]:
    """Return the objects that a resource has, and the texts in it that are sensitive."""
    manifests = manifests_in(resource.values, member, where, problems)
    is_text = isinstance(resource.values.get(member), str)
    return manifests, _hidden_in(manifests, resource) if is_text else resource.secrets


def manifests_in(values: Mapping[str, Any], member: str, where: Place, problems: Problems) -> list[dict[str, Any]]:
    """Return the objects that a member of a resource has, as a mapping or as YAML; mistakes are added to `problems`."""
    written = values.get(member)
    if not isinstance(written, str):
        if isinstance(written, dict) and isinstance(written.get("kind"), str) and isinstance(written.get("apiVersion"), str):
            return [written]
        problems.add(where.at(member), "is not an object of Kubernetes", "a mapping with apiVersion and kind")
        return []
    manifests = _parsed(written, where.at(member), problems)
    namespace = values.get("override_namespace")
    if isinstance(namespace, str) and namespace:
        manifests = [{**data, "metadata": {**(data.get("metadata") or {}), "namespace": namespace}} for data in manifests]
    return manifests


def _parsed(text: str, where: Place, problems: Problems) -> list[dict[str, Any]]:
    own = Problems()
    values = [parsed.value for parsed in yaml.parse(text, "", own) if parsed.value is not None]
    for problem in own.found:
        problems.add(where, problem.text, problem.allowed, problem.nearest)
    objects = [value for value in values if isinstance(value, dict) and isinstance(value.get("kind"), str)]
    if not own and (len(objects) < len(values) or not values):
        problems.add(where, "is not an object of Kubernetes", "YAML with apiVersion and kind")
    return objects


def _hidden_in(manifests: list[dict[str, Any]], resource: Provisioned) -> frozenset[str]:
    """Return the sensitive texts of a `kubectl_manifest`.

    Its provider marks the whole text as sensitive, always, and repeats it without what is sensitive in `yaml_body_parsed`.
    """
    if not resource.secrets:
        return frozenset()
    texts = {text for data in manifests for text in leaf_texts({k: v for k, v in data.items() if k not in _TYPE})}
    repeated = resource.values.get("yaml_body_parsed")
    shown = yaml.parse(repeated, "", Problems()) if isinstance(repeated, str) else ()
    return frozenset(texts - {text for parsed in shown for text in leaf_texts(parsed.value)})


def planned(value: Any, path: str, unknown: list[str]) -> Any:
    """Return data as a plan of nodes reads it: without unknown values, whose paths are noted, or with a stand-in for those on
    which no plan depends."""
    if isinstance(value, Mapping):
        pairs = ((key, planned(below, f"{path}.{key}" if path else str(key), unknown)) for key, below in value.items())
        return {key: below for key, below in pairs if below is not UNKNOWN}
    if isinstance(value, list):
        items = (planned(item, f"{path}[{index}]", unknown) for index, item in enumerate(value))
        return [item for item in items if item is not UNKNOWN]
    if value is not UNKNOWN:
        return value
    for pattern, stand_in in _STAND_INS:
        if re.fullmatch(pattern, path):
            return stand_in
    unknown.append(path)
    return UNKNOWN
