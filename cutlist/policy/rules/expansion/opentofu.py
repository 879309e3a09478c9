"""Resources of OpenTofu and Terraform as the rules know them.

Pulumi's classic providers are made from Terraform's, so that types and members have the same names in another spelling:
`aws_iam_role_policy` is `aws:iam/rolePolicy:RolePolicy`, and its `inline_policy` blocks are `inlinePolicies`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.core.errors import Place
from cutlist.core.unknown import UNKNOWN
from cutlist.documents.document import Document, Origin, merged
from cutlist.documents.parsing import parse_values
from cutlist.documents.terraform.opentofu import MANIFEST_RESOURCES, OPENTOFU
from cutlist.policy.rules.expansion.operators import SINGLE
from cutlist.policy.rules.parts import Resource
from cutlist.policy.rules.tokens import RELEASE
from cutlist.policy.rules.types.table import token_of_terraform

_ONE: Final = SINGLE | {
    *("cpuOptions", "iamInstanceProfile", "kubernetesNetworkConfig", "monitoring", "placement", "remoteAccess"),
    *("rootBlockDevice", "zonalShiftConfig", "updateConfig", "deadLetterConfig", "capacityReservationSpecification"),
    *("defaultNodePool", "nodeProvisioningProfile", "apiServerAccessProfile", "networkProfile", "networkAcls", "target"),
    *("servicePrincipal", "maintenanceWindowNodeOs", "flexibleTimeWindow", "computeResources", "resourceCreationLimitPolicy"),
    *("masterInstanceGroup", "coreInstanceGroup", "fixedScale", "autoScale", "scaleSettings"),
}
"""Members that are one value in Pulumi; in Terraform they are blocks, which its JSON has as a list of one."""
_PLURAL: Final[Mapping[str, str]] = {
    "blockDeviceMapping": "blockDeviceMappings",
    "ebsBlockDevice": "ebsBlockDevices",
    "accessPolicy": "accessPolicies",
    "inlinePolicy": "inlinePolicies",
    "launchSpecification": "launchSpecifications",
    "networkInterface": "networkInterfaces",
    "route": "routes",
    "tag": "tags",
    "taint": "taints",
    "permission": "permissions",
    "productionVariant": "productionVariants",
    "securityRule": "securityRules",
    "tagSpecification": "tagSpecifications",
}
"""Blocks that may be repeated, of which Pulumi has the plural."""
_OF_CLOUD_CONTROL: Final = "awscc_"
MANIFESTS_AS_JSON: Final = ("kustomization_resource",)
"""Types whose member `manifest` is an object as JSON."""
_WITHOUT_PLURAL: Final = ("aws_ssoadmin_permission_set_inline_policy",)
"""Types of which a member is one value although blocks of that name may be repeated elsewhere."""
_UNDERSCORE: Final = re.compile(r"_([a-z0-9])")
_MEMBER: Final = re.compile(r"(?<![A-Za-z0-9_])[a-z][A-Za-z0-9]*")
_CAPITAL: Final = re.compile(r"[A-Z]")
_SET: Final = ("set", "set_list", "set_sensitive")
_KEY: Final = re.compile(r"(?:\\.|[^.\\])+")


def resource_of_opentofu(document: Document, origin: Origin) -> Resource:
    """Return an object or resource of a plan, under its type in Pulumi; `opentofu:index:...` for a type that no rule knows."""
    if not document.api_version.startswith(f"{OPENTOFU}/"):
        return _of(document, origin, f"kubernetes:{document.api_version}:{document.kind}", document.name, origin.values)
    values = origin.values
    if origin.type in MANIFEST_RESOURCES:  # whose object is not known: rules find that they cannot see it
        return _of(document, origin, "kubernetes:yaml/v2:ConfigGroup", origin.address, {"yaml": UNKNOWN})
    if origin.type == "helm_release":
        return _of(document, origin, RELEASE, origin.address, _release(values))
    if origin.type in MANIFESTS_AS_JSON:
        return _of(
            document, origin, "kubernetes:yaml/v2:ConfigGroup", origin.address, {"yaml": values.get("manifest", UNKNOWN)}
        )
    if origin.type.startswith(_OF_CLOUD_CONTROL):
        return _of(document, origin, _token(origin.type), origin.address, _renamed(values))
    name_of = _camel if origin.type in _WITHOUT_PLURAL else _named
    data = {name_of(key): _value(value, _camel(key)) for key, value in values.items() if value is not None and value != []}
    return _of(document, origin, _token(origin.type), origin.address, data)


def _renamed(value: Any) -> Any:
    """Return the values of a resource of Cloud Control, whose members are all of one schema, without those that are not set."""
    if isinstance(value, Mapping):
        return {_camel(str(key)): _renamed(below) for key, below in value.items() if below is not None}
    return [_renamed(item) for item in value] if isinstance(value, list) else value


def _of(document: Document, origin: Origin, token: str, name: str, data: Mapping[str, Any]) -> Resource:
    is_renamed = not token.startswith("kubernetes:")  # a release is renamed as well, but its values are the chart's own

    def place(path: str) -> Place:
        return document.at(_MEMBER.sub(lambda match: _snake(match[0]), path) if is_renamed else path)

    references = {_named(key): urns for key, urns in origin.references.items()}
    return Resource(token, name, data, place, urn=origin.urn, references=references, secrets=origin.secrets)


def _token(type_: str) -> str:
    """Return the type in Pulumi of a type of Terraform's providers, if the rules know it."""
    return token_of_terraform(type_) or f"{OPENTOFU}:index:{type_}"


def _camel(name: str) -> str:
    return _UNDERSCORE.sub(lambda match: match[1].upper(), name)


def _snake(name: str) -> str:
    return _CAPITAL.sub(lambda match: f"_{match[0].lower()}", name)


def _named(name: str) -> str:
    """Return the name of a member in Pulumi."""
    return _PLURAL.get(_camel(name), _camel(name))


def _value(value: Any, name: str) -> Any:
    """Return a value with the members of its blocks renamed, and with blocks that occur once taken out of their list. The keys
    of maps, which are not blocks, stay."""
    if not isinstance(value, list):
        return value
    blocks = [_block(item) if isinstance(item, Mapping) else item for item in value]
    return blocks[0] if len(blocks) == 1 and name in _ONE else blocks


def _block(block: Mapping[str, Any]) -> dict[str, Any]:
    return {_named(key): _value(value, _camel(key)) for key, value in block.items() if value is not None and value != []}


def _release(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a release of Helm's provider as Pulumi has one: its texts of values laid over each other, then what it sets."""
    repository = values.get("repository")
    data = {
        "name": values.get("name"),
        "namespace": values.get("namespace"),
        "chart": values.get("chart"),
        "version": values.get("version"),
        "repositoryOpts": None if repository is None else {"repo": repository},
        "values": _chart_values(values),
    }
    return {key: value for key, value in data.items() if value is not None}


def _chart_values(values: Mapping[str, Any]) -> Any:
    written = values.get("values")
    listed = written if isinstance(written, list) else [] if written is None else [written]
    entries = [entry for member in _SET for entry in _entries(values.get(member))]
    if UNKNOWN in (*listed, *entries):
        return UNKNOWN
    chart: dict[str, Any] = {}
    for text in listed:
        for parsed in parse_values(str(text or ""), ""):
            chart = merged(chart, parsed) if isinstance(parsed, Mapping) else chart
    for entry in entries:
        keys = [key.replace("\\", "") for key in _KEY.findall(str(entry.get("name")))]
        inner: Any = _set_value(entry)
        for key in reversed(keys):
            inner = {key: inner}
        chart = merged(chart, inner) if keys else chart
    return chart


def _entries(written: Any) -> Iterator[Any]:
    if written is UNKNOWN:
        yield UNKNOWN
    for entry in written if isinstance(written, list) else ():
        yield UNKNOWN if entry is UNKNOWN or (isinstance(entry, Mapping) and entry.get("name") is UNKNOWN) else entry


def _set_value(entry: Mapping[str, Any]) -> Any:
    """Return what `--set` makes of a value: a number or a boolean, unless its type is a string."""
    value = entry.get("value")
    if not isinstance(value, str) or entry.get("type") == "string":
        return value
    return next(iter(parse_values(value, "")), "") if re.fullmatch(r"true|false|null|-?\d+", value) else value
