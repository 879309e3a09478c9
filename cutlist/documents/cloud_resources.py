"""Clusters and node groups in templates of Azure (ARM and Bicep) and in programs of Pulumi, as far as they are written.

Each becomes the document of a resource under the names that Terraform has for it, as those of configurations are.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from cutlist.core.errors import Place, Problems
from cutlist.core.ledger import Ledger, OpenInput
from cutlist.core.unknown import LATE, UNKNOWN
from cutlist.documents.account.programs import PULUMI
from cutlist.documents.beginnings import beginning_of
from cutlist.documents.bicep import resources_in
from cutlist.documents.document import Document
from cutlist.documents.members import entries, mapping
from cutlist.documents.pulumi_programs import resources_of_program
from cutlist.documents.regions import NamedRegion
from cutlist.documents.terraform.opentofu import TERRAFORM, planned, standing_for
from cutlist.documents.text.yaml import parse

_BICEP: Final = ".bicep"
_PYTHON: Final = ".py"
_AKS, _AKS_POOL = "azurerm_kubernetes_cluster", "azurerm_kubernetes_cluster_node_pool"
_MANAGED_CLUSTER: Final = "Microsoft.ContainerService/managedClusters"
_AGENT_POOL: Final = f"{_MANAGED_CLUSTER}/agentPools"
_DEPLOYMENT: Final = "Microsoft.Resources/deployments"
_IS_ARM: Final = re.compile(r'"\$schema"\s*:\s*"[^"]*eploymentTemplate\.json')
_PARAMETER: Final = re.compile(r"\[parameters\('([^']+)'\)\]")
_OF_POOLS: Final = {
    "name": "name",
    "vmSize": "vm_size",
    "mode": "mode",
    "count": "node_count",
    "minCount": "min_count",
    "maxCount": "max_count",
    "enableAutoScaling": "auto_scaling_enabled",
    "nodeLabels": "node_labels",
    "nodeTaints": "node_taints",
    "scaleSetPriority": "priority",
}
"""The members of a pool of nodes in ARM, and what Terraform calls them."""
_OF_PULUMI: Final = {
    "aws:eks:NodeGroup": "aws_eks_node_group",
    "aws:eks/nodeGroup:NodeGroup": "aws_eks_node_group",
    "aws:eks:Addon": "aws_eks_addon",
    "aws:eks/addon:Addon": "aws_eks_addon",
    "aws:eks:Cluster": "aws_eks_cluster",
    "aws:eks/cluster:Cluster": "aws_eks_cluster",
}
_OF_PYTHON: Final = {
    "pulumi_aws.eks.NodeGroup": "aws_eks_node_group",
    "pulumi_eks.ManagedNodeGroup": "aws_eks_node_group",
    "pulumi_aws.eks.Cluster": "aws_eks_cluster",
}
_OF_AZURE_NATIVE: Final = re.compile(r"pulumi_azure_native\.containerservice(?:\.v\w+)?\.(AgentPool|ManagedCluster)")
_MAKES_NODES: Final = re.compile(
    r"\bpulumi_(?:aws|azure_native|eks)\b[^\0]*\b(?:NodeGroup|AgentPool|ManagedCluster|eks\.Cluster)\b"
)
_TYPES: Final = "instance_types"
_NODES: Final = "node group"
_UNDERSCORE: Final = re.compile(r"_([a-z])")
_RENAMED: Final = {"taints": "taint"}
_BY_KEY: Final = ("labels", "tags")
_CAPITAL: Final = re.compile(r"(?<=[a-z0-9])([A-Z])")

_Found = tuple[str, str, int, Mapping[str, Any]]
"""The type, the address, the line and the values of a resource."""


def cloud_resources(files: Iterable[str], ledger: Ledger) -> tuple[Document, ...]:
    """Return the documents of the clusters and node groups that files describe, each of them once."""
    documents: list[Document] = []
    for path in {os.path.realpath(path): path for path in files}.values():
        found = list(_found_in(path, ledger))
        documents += [_document(path, *of) for of in found]
        documents += _deployed_by(path)
        if found:
            ledger.is_read(os.path.realpath(path))
    return tuple(documents)


def azure_locations(files: Iterable[str]) -> Iterator[NamedRegion]:
    """Yield the locations of the clusters of AKS in files of Bicep and templates of ARM."""
    for path in files:
        text = beginning_of(path) if path.endswith((_BICEP, ".json")) else ""
        if _MANAGED_CLUSTER not in text or not is_for_azure(path, text):
            continue
        located = _located_in_bicep(text) if path.endswith(_BICEP) else _located_in_template(_parsed(text))
        for location, where in located:
            if isinstance(location, str) and location:
                name = location.lower().replace(" ", "")
                yield NamedRegion(name, f"location of {where} ({path})", os.path.dirname(path))


def _located_in_bicep(text: str) -> Iterator[tuple[Any, str]]:
    yield from ((of.members.get("location"), of.symbol) for of in resources_in(text) if of.type == _MANAGED_CLUSTER)


def _located_in_template(template: Any) -> Iterator[tuple[Any, str]]:
    data = mapping(template)
    known = {name: mapping(of).get("defaultValue", UNKNOWN) for name, of in mapping(data.get("parameters")).items()}
    listed = data.get("resources")
    for resource in map(mapping, listed.values() if isinstance(listed, Mapping) else entries(listed)):
        if resource.get("type") == _MANAGED_CLUSTER:
            yield _filled(resource.get("location"), known), str(_filled(resource.get("name"), known) or "the cluster")


def _deployed_by(path: str) -> Iterator[Document]:
    """Yield documents for what a file of Azure deploys, which rules judge: a template as a whole, of Bicep each resource."""
    if path.endswith(_BICEP):
        for of in resources_in(beginning_of(path)):
            written = {key: value for key, value in of.members.items() if key not in ("name", "parent", "scope")}
            yield standing_for("azapi_resource", path, {"type": f"{of.type}@", "body": written}, of.symbol, of.line)
    elif path.endswith(".json") and _IS_ARM.search(beginning_of(path)):
        yield standing_for(
            "azurerm_resource_group_template_deployment", path, {"template_content": _parsed(beginning_of(path))}
        )


def is_for_azure(path: str, text: str) -> bool:
    """Tell whether a file is one of Bicep or a template of ARM."""
    return path.endswith(_BICEP) or (path.endswith(".json") and _IS_ARM.search(text) is not None)


def _found_in(path: str, ledger: Ledger) -> Iterator[_Found]:
    if path.endswith(_BICEP):
        yield from _in_bicep(beginning_of(path))
    elif path.endswith(".json"):
        text = beginning_of(path)
        if _IS_ARM.search(text):
            yield from _in_template(_parsed(text))
    elif os.path.basename(path) in PULUMI:
        yield from _in_program(path)
    elif path.endswith(_PYTHON) and _is_of_pulumi(os.path.dirname(path)):
        text = beginning_of(path)
        if _MAKES_NODES.search(text):
            yield from _in_python(path, text, ledger)


def _document(path: str, type_: str, address: str, line: int, values: Mapping[str, Any]) -> Document:
    unknown: list[str] = []
    spec = planned(values, "", unknown)
    if _TYPES in unknown:
        spec = {**spec, _TYPES: LATE}  # without the member the type would be the default one
    data = {"apiVersion": f"{TERRAFORM}/v1", "kind": type_, "metadata": {"name": f"{path}: {address}"}, "spec": spec}
    return Document(Place(path, line=line, address=address), data, {})


def _in_bicep(text: str) -> Iterator[_Found]:
    """Yield the clusters and pools of a file of Bicep, under their symbolic names."""
    if _MANAGED_CLUSTER not in text:
        return
    for of in resources_in(text):
        written = of.members.get("name")
        name = written if isinstance(written, str) else of.symbol
        for type_, _, values in _of_azure(of.type, name, mapping(of.members.get("properties"))):
            is_in_cluster = type_ == _AKS_POOL and of.type == _MANAGED_CLUSTER
            yield type_, f"{of.symbol}/{values.get('name')}" if is_in_cluster else of.symbol, of.line, values


def _in_template(template: Any) -> Iterator[_Found]:
    """Yield the clusters and pools of an ARM template, and of those that it deploys."""
    data = mapping(template)
    known = {name: mapping(of).get("defaultValue", UNKNOWN) for name, of in mapping(data.get("parameters")).items()}
    listed = data.get("resources")
    resources = listed.values() if isinstance(listed, Mapping) else entries(listed)
    for resource in map(mapping, resources):
        type_, name = str(resource.get("type")), str(_filled(resource.get("name"), known) or "")
        properties = mapping(_filled(resource.get("properties"), known))
        if type_ == _DEPLOYMENT:
            yield from _in_template(mapping(resource.get("properties")).get("template"))
        else:
            yield from ((kind, address, 0, values) for kind, address, values in _of_azure(type_, name, properties))


def _of_azure(type_: str, name: str, properties: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Yield the type, the address and the values of the cluster and the pools that a resource of Azure makes."""
    if type_ == _MANAGED_CLUSTER:
        pools = [_pool(of) for of in map(mapping, entries(properties.get("agentPoolProfiles")))]
        profile = {"node_provisioning_profile": properties.get("nodeProvisioningProfile")}
        yield _AKS, name, {**profile, "default_node_pool": pools[:1]}
        yield from ((_AKS_POOL, f"{name}/{pool.get('name')}", pool) for pool in pools[1:])
    elif type_ == _AGENT_POOL:
        yield _AKS_POOL, name, _pool({"name": name.rpartition("/")[2], **properties})


def _pool(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {_OF_POOLS[name]: value for name, value in properties.items() if name in _OF_POOLS}


def _filled(value: Any, known: Mapping[str, Any]) -> Any:
    """Return a value with the defaults of parameters; any other expression is unknown."""
    if isinstance(value, Mapping):
        return {key: _filled(below, known) for key, below in value.items()}
    if isinstance(value, list):
        return [_filled(item, known) for item in value]
    if isinstance(value, str) and value.startswith("[") and not value.startswith("[["):
        parameter = _PARAMETER.fullmatch(value)
        return known.get(parameter[1], UNKNOWN) if parameter is not None else UNKNOWN
    return value


def _in_program(path: str) -> Iterator[_Found]:
    """Yield the clusters and node groups of EKS in a program in YAML; what it computes is unknown."""
    parsed = [of for of in parse(beginning_of(path), path, Problems()) if of.value is not None]
    data, lines = (mapping(parsed[0].value), parsed[0].lines) if len(parsed) == 1 else ({}, {})
    for name, resource in mapping(data.get("resources")).items():
        type_ = _OF_PULUMI.get(str(mapping(resource).get("type")))
        if type_ is not None:
            values = _as_terraform(mapping(mapping(resource).get("properties")))
            unnamed = {} if values.get("node_group_name") else {"node_group_name": str(name)}
            yield type_, str(name), lines.get(f"resources.{name}", 0), {**values, **unnamed}


def _is_of_pulumi(folder: str) -> bool:
    """Tell whether a folder, or one around it, has the file of a project of Pulumi."""
    around = os.path.realpath(folder)
    while not any(os.path.isfile(os.path.join(around, name)) for name in PULUMI):
        if os.path.exists(os.path.join(around, ".git")) or around == os.path.dirname(around):
            return False
        around = os.path.dirname(around)
    return True


def _in_python(path: str, text: str, ledger: Ledger) -> Iterator[_Found]:
    """Yield the clusters and node groups of EKS and AKS in a program in Python; those made any number of times are open."""
    for of in resources_of_program(text):
        azure = _OF_AZURE_NATIVE.fullmatch(of.type)
        if of.type not in _OF_PYTHON and azure is None:
            continue
        if of.uncertain:
            why = f"a node group or cluster of a program that is not run: it is made {of.uncertain}"
            ledger.leave_open(OpenInput(f"{of.type.rpartition('.')[2]} {of.name} ({path}:{of.line})", _NODES, why))
        elif azure is None:
            yield _OF_PYTHON[of.type], of.name, of.line, {"node_group_name": of.name, **_as_terraform(of.inputs)}
        else:
            type_ = _AGENT_POOL if azure[1] == "AgentPool" else _MANAGED_CLUSTER
            own = of.inputs.get("agent_pool_name")
            name = own if isinstance(own, str) else of.name
            properties = {key: value for key, value in mapping(_as_azure(of.inputs)).items() if key != "name"}
            yield from ((kind, address, of.line, values) for kind, address, values in _of_azure(type_, name, properties))


def _as_azure(value: Any) -> Any:
    """Return inputs under the names of Azure, from which those of Pulumi are generated."""
    if isinstance(value, Mapping):
        named = {_UNDERSCORE.sub(lambda match: match[1].upper(), str(key)): below for key, below in value.items()}
        return {key: below if key == "nodeLabels" else _as_azure(below) for key, below in named.items()}
    return [_as_azure(item) for item in value] if isinstance(value, list) else value


def _as_terraform(value: Any) -> Any:
    """Return values under the names of Terraform's provider, from which that of Pulumi is generated."""
    if isinstance(value, Mapping):
        named = {_RENAMED.get(key, _CAPITAL.sub(r"_\1", str(key)).lower()): below for key, below in value.items()}
        return {key: below if key in _BY_KEY else _as_terraform(below) for key, below in named.items()}
    if isinstance(value, list):
        return [_as_terraform(item) for item in value]
    return UNKNOWN if isinstance(value, str) and "${" in value else value


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None
