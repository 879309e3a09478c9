"""The package's schema as registries and generators of SDKs read it (spec: pulumi 2.3)."""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import PackageMetadata
from typing import Any, Final, get_args, is_typeddict

from pulumi.provider.experimental.analyzer import Analyzer

from cutlist.core.setting import Edge
from cutlist.core.wording import camel_case
from cutlist.settings.planning import PLAN
from pulumi_cutlist.package.manifest_types import with_typed_manifests
from pulumi_cutlist.recorded.recording import NODE_PLAN

_KEYWORDS: Final = (
    "pulumi",
    "karpenter",
    "kubernetes",
    "eks",
    "aks",
    "autoscaling",
    "category/infrastructure",
    "kind/component",
)
_OF_CLUSTERS: Final = "cutlist:index:ClusterPlanSettings"


def published_schema(derived: Mapping[str, Any], package: PackageMetadata, components: Iterable[type[Any]]) -> dict[str, Any]:
    """Return the schema that Pulumi's SDK derives from the components, with what a registry shows about the package."""
    for component in components:
        shown = derived["resources"][f"cutlist:index:{component.__name__}"]
        _describe_shared_outputs(component, shown["properties"])
        own, *inner = _dictionaries(inspect.get_annotations(component.__init__)["args"])
        _describe_inherited_inputs(own, shown["inputProperties"])
        for inputs in inner:
            _describe_inherited_inputs(inputs, derived["types"][f"cutlist:index:{inputs.__name__}"]["properties"])
    project = package.json
    urls = dict(re.split(r",\s*", url, maxsplit=1) for url in project.get("project_url", ()))
    shown = {
        "name": derived["name"],
        "version": derived["version"],
        "displayName": "Cutlist",
        "description": f"{project['summary']}.",
        "keywords": list(_KEYWORDS),
        "homepage": urls.get("Homepage", ""),
        "repository": urls.get("Homepage", ""),
        "license": project["license_expression"],
        "publisher": project["author"],
    }
    rest = {key: _tidied(value) for key, value in with_typed_manifests(dict(derived)).items() if key not in shown}
    _describe_settings(rest["resources"][NODE_PLAN]["inputProperties"])
    _describe_settings(rest["types"][_OF_CLUSTERS]["properties"])
    return {key: value for key, value in {**shown, **rest}.items() if value}


def _describe_shared_outputs(component: type[Any], properties: dict[str, dict[str, Any]]) -> None:
    """Describe the outputs that kinds of a component share, as their base does: the SDK looks into the component alone."""
    docstrings = Analyzer("cutlist")
    for base in component.__mro__[1:]:
        for name in inspect.get_annotations(base):
            description, output = docstrings.get_docstring(base, name), camel_case(name)
            if description is not None and "description" not in properties.get(output, {"description": ""}):
                properties[output] = {"description": description, **properties[output]}


def _describe_inherited_inputs(inputs: Any, properties: dict[str, dict[str, Any]]) -> None:
    """Describe the inputs that a dictionary takes from others: the SDK looks into the dictionary alone, which at run time does
    not know what it is made of."""
    docstrings = Analyzer("cutlist")
    for base in _bases(inputs):
        for name in inspect.get_annotations(base):
            shown = properties.get(camel_case(name), {"description": ""})
            description = docstrings.get_docstring(base, name)
            if "description" not in shown and description is not None:
                properties[camel_case(name)] = {"description": description, **shown}


def _dictionaries(hint: Any) -> Iterator[Any]:
    """Yield the declared dictionaries in a type, the outer one first."""
    if is_typeddict(hint):
        yield hint
        for inner in inspect.get_annotations(hint).values():
            yield from _dictionaries(inner)
    else:
        for part in get_args(hint):
            yield from _dictionaries(part)


def _bases(inputs: Any) -> Iterator[Any]:
    """Yield the dictionaries that a declared one is made of, as its source names them."""
    (declared,) = ast.parse(textwrap.dedent(inspect.getsource(inputs))).body
    module = sys.modules[inputs.__module__]
    for base in declared.bases if isinstance(declared, ast.ClassDef) else ():
        found = getattr(module, ast.unparse(base), None)
        if is_typeddict(found):
            yield found
            yield from _bases(found)


def _describe_settings(properties: Mapping[str, dict[str, Any]]) -> None:
    """Describe the inputs that are settings of a plan, which their declarations do."""
    for setting in PLAN:
        shown = properties.get(setting.spelled(Edge.COMPONENT))
        if shown is not None and "description" not in shown:
            otherwise = f" Defaults to {setting.otherwise}." if setting.otherwise else ""
            shown["description"] = f"{setting.described(Edge.COMPONENT)}{otherwise}"


def _tidied(value: Any) -> Any:
    """Return a part of the schema as generators of SDKs need it: descriptions without the line breaks of docstrings. Objects in
    maps may have Outputs, since Go's generator leaves out the type of those that may not."""
    if isinstance(value, list):
        return [_tidied(item) for item in value]
    if not isinstance(value, dict):
        return value
    values = value.get("additionalProperties")
    if isinstance(values, dict) and values.get("$ref", "").startswith("#/types/"):
        value = {**value, "additionalProperties": {key: member for key, member in values.items() if key != "plain"}}
    return {
        key: "\n\n".join(" ".join(paragraph.split()) for paragraph in member.split("\n\n"))
        if key == "description" and isinstance(member, str)
        else _tidied(member)
        for key, member in value.items()
    }
