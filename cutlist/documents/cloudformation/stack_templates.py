"""Templates of CloudFormation, as CDK synthesizes them: the objects of Kubernetes in their resources."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from cutlist.core.errors import Place, Problems
from cutlist.core.ledger import Ledger, OpenInput
from cutlist.core.notes import Notes
from cutlist.core.unknown import UNKNOWN
from cutlist.documents.account.placeholders import needed_and_unknown, with_known
from cutlist.documents.document import Document, Origin
from cutlist.documents.members import mapping
from cutlist.documents.parsing import parse_values
from cutlist.documents.terraform.opentofu import TERRAFORM, is_own_chart, object_of, standing_for
from cutlist.documents.terraform.partly_known import MARK, joined, with_unknown_texts
from cutlist.settings.planning import KARPENTER

if TYPE_CHECKING:
    from cutlist.documents.terraform.installed import Installed

FORM: Final = "CloudFormation"
_IS_STACK: Final = re.compile(r"""^Resources\s*:|[{,]\s*"Resources"\s*:\s*\{""", re.MULTILINE)
_TYPE: Final = re.compile(r"""["']?Type["']?\s*:\s*["']?(AWS|Custom|AWSQS|Alexa)::""")
_MANIFESTS: Final = frozenset(("Custom::AWSCDK-EKS-KubernetesResource", "AWSQS::Kubernetes::Resource"))
_PATCHES: Final = frozenset(("Custom::AWSCDK-EKS-KubernetesPatch",))
_OF_CDK: Final = "Custom::AWSCDK-EKS-HelmChart"
_CHARTS: Final = frozenset((_OF_CDK, "AWSQS::Kubernetes::Helm"))
_ADD_ON: Final = "AWS::EKS::Addon"
_OF_ADD_ONS: Final = {"AddonName": "addon_name", "ConfigurationValues": "configuration_values"}
_SUBSTITUTED: Final = re.compile(r"\$\{(!?)([^}]+)\}")
_BARE: Final = re.compile(rf"(?<=[:\[,])\s*{MARK}\s*(?=[,\]}}])")
_NAMED: Final = "a template of CloudFormation"
_OWN_CHART: Final = "chart-of-karpenter"
_NOT_READ: Final = (
    f"Karpenter's own chart, whose values are not read; {KARPENTER.flag} says which version a plan follows: {{who}}"
)


def is_stack_template(text: str) -> bool:
    """Tell whether a text is a template of CloudFormation, in JSON or YAML."""
    is_likely = "Resources" in text and "::" in text  # which large files without either can be searched for quickly
    return is_likely and _IS_STACK.search(text) is not None and _TYPE.search(text) is not None


def of_account(template: Mapping[str, Any], path: str) -> Iterator[Document]:
    """Yield a document for the stack of a template, with its resources of AWS, which rules judge; none without any.

    What it has of Kubernetes is in documents of its own.
    """
    resources = {
        name: resource
        for name, resource in mapping(template.get("Resources")).items()
        if str(mapping(resource).get("Type")).startswith("AWS::")
    }
    if resources:
        values = {"template_body": {**template, "Resources": resources}}
        yield standing_for("aws_cloudformation_stack", path, values)


@dataclass(slots=True)
class StackTemplates:
    """Reads templates; what only a deployment knows of them is open in the account of the notes. `releases` are those that CDK
    installs."""

    problems: Problems
    notes: Notes
    releases: list[Installed] = field(default_factory=list)

    @property
    def charts(self) -> frozenset[str]:
        """Return the real paths of the charts of releases that are here."""
        return frozenset(os.path.realpath(of.release.chart) for of in self.releases if of.release.chart)

    @property
    def ledger(self) -> Ledger:
        """Return the account of the notes."""
        return self.notes.ledger

    def documents(self, templates: Sequence[tuple[str, str]]) -> Iterator[Document]:
        """Yield the objects in templates, each given by its path and text."""
        from cutlist.documents.cloudformation.short_forms import parse_large_template

        for path, text in templates:
            data = parse_large_template(text)
            if data is None:
                self.problems.add(Place(path), f"is {_NAMED} that cannot be read", "JSON or YAML with Resources")
                continue
            self.ledger.is_passed_over(os.path.realpath(path), FORM)
            yield from self._objects(data, path)
            yield from of_account(data, path)

    def _objects(self, data: Mapping[str, Any], path: str) -> Iterator[Document]:
        known = {
            name: of["Default"]
            for name, of in mapping(data.get("Parameters")).items()
            if isinstance(of, Mapping) and isinstance(of.get("Default"), str | int) and "SSM" not in str(of.get("Type"))
        }
        for name, resource in mapping(data.get("Resources")).items():
            type_, properties = str(mapping(resource).get("Type")), mapping(mapping(resource).get("Properties"))
            values = {key: _resolved(value, known) for key, value in properties.items()}
            where = Place(path, address=str(name))
            if type_ in _MANIFESTS:
                yield from self._manifests(values.get("Manifest"), where, type_)
            elif type_ == _ADD_ON:
                yield self._add_on(values, where)
            elif type_ in _PATCHES:
                name = str(values.get("ResourceName"))
                what = "an object" if MARK in name else name
                self._open(where, f"a patch of {what}, which only a deployment applies")
            elif type_ in _CHARTS and (own := _own_chart(values)):
                self.notes.add(_OWN_CHART, _NOT_READ, f"{own} ({where})")
            elif type_ == _OF_CDK:
                from cutlist.documents.cloudformation.charts import installed_by  # brings what renders charts

                self.releases.append(installed_by(values, where, FORM))
            elif type_ in _CHARTS:
                self._open(where, f"a release of the chart {values.get('Chart')}, which is not rendered", _helm(values))

    def _add_on(self, values: Mapping[str, Any], where: Place) -> Document:
        """Return an add-on of EKS under the names that Terraform has for it."""
        known = {name: values[key] for key, name in _OF_ADD_ONS.items() if isinstance(values.get(key), str)}
        spec = {name: value for name, value in known.items() if MARK not in value}
        data = {"apiVersion": f"{TERRAFORM}/v1", "kind": "aws_eks_addon", "metadata": {"name": str(where)}, "spec": spec}
        return Document(where, data, {})

    def _manifests(self, written: Any, where: Place, type_: str) -> Iterator[Document]:
        manifests = _parsed(written)
        if manifests is None:
            self._open(where, "not known before a deployment")
            return
        for manifest in manifests:
            if not isinstance(manifest, dict) or not all(isinstance(manifest.get(key), str) for key in ("apiVersion", "kind")):
                self.problems.add(where, "is not an object of Kubernetes", "a mapping with apiVersion and kind")
                continue
            manifest = with_unknown_texts(manifest)
            document = object_of(manifest, where, Origin(where.address, type_, manifest, urn=where.address))
            unknown = needed_and_unknown(document)
            if unknown:
                what = f"{document.kind} {document.name}".strip()
                self._open(where, f"not planned: {unknown[0]} of {what} is known only after a deployment")
            else:
                self.ledger.is_read(os.path.realpath(where.source))
                yield with_known(document)

    def _open(self, where: Place, why: str, command: str = "") -> None:
        self.ledger.is_open(os.path.realpath(where.source), FORM)
        self.ledger.leave_open(OpenInput(f"{where.address} ({where.source})", FORM, why, command))


def _own_chart(values: Mapping[str, Any]) -> str:
    """Return the name and the version of Karpenter's chart, which may be named by its repository alone; empty for another."""
    named = values.get("Chart") or values.get("Repository")
    chart = named.rpartition("/")[2] if isinstance(named, str) and is_own_chart(named) else ""
    version = values.get("Version")
    return f"{chart} {version}" if chart and isinstance(version, str) and MARK not in version else chart


def _resolved(value: Any, known: Mapping[str, Any]) -> Any:
    """Return a value with its functions applied, and UNKNOWN for what only a deployment knows."""
    if isinstance(value, list):
        return [_resolved(item, known) for item in value]
    if not isinstance(value, Mapping):
        return value
    if len(value) == 1:
        (name, argument), *_ = value.items()
        if name == "Ref":
            return known.get(argument, UNKNOWN)
        if name == "Fn::Join" and isinstance(argument, list) and len(argument) == 2 and isinstance(argument[1], list):
            return _joined(str(argument[0]), [_resolved(item, known) for item in argument[1]])
        if name == "Fn::Sub":
            return _substituted(argument, known)
        if str(name).startswith("Fn::") or name == "Condition":
            return UNKNOWN
    return {key: _resolved(below, known) for key, below in value.items()}


def _joined(separator: str, items: list[Any]) -> Any:
    parts: list[Any] = []
    for item in items:
        parts += [separator, item] if parts and separator else [item]
    return joined(["", *parts])


def _substituted(argument: Any, known: Mapping[str, Any]) -> Any:
    text, own = (argument, {}) if isinstance(argument, str) else (argument[0], argument[1])
    values = {**known, **{key: _resolved(below, known) for key, below in mapping(own).items()}}
    parts: list[Any] = [""]
    at = 0
    for match in _SUBSTITUTED.finditer(str(text)):
        parts += [str(text)[at : match.start()], f"${{{match[2]}}}" if match[1] else values.get(match[2], UNKNOWN)]
        at = match.end()
    return joined([*parts, str(text)[at:]])


def _parsed(written: Any) -> list[Any] | None:
    """Return the objects of a manifest, which is JSON in a text, or data; None for one that is not known."""
    if isinstance(written, str):
        try:
            written = json.loads(_BARE.sub(f'"{MARK}"', written))
        except ValueError:
            values = [value for value in parse_values(written, "") if value is not None]
            written = values if all(isinstance(value, dict) for value in values) and values else None
    if isinstance(written, Mapping):
        return [dict(written)]
    return written if isinstance(written, list) else None


def _helm(values: Mapping[str, Any]) -> str:
    words = [str(values.get(key)) for key in ("Release", "Chart") if isinstance(values.get(key), str)]
    for option, key in (("repo", "Repository"), ("version", "Version"), ("namespace", "Namespace")):
        words += [f"--{option} {values[key]}"] if isinstance(values.get(key), str) and MARK not in values[key] else []
    return f"helm template {' '.join(words)} -f <its values> | cutlist plan -f -"
