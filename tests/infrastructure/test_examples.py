"""The programs in other languages: what they say fits the package's schema, and the components accept it."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from pulumi.provider.experimental.component import ComponentProvider
from pulumi_cutlist.package.components import COMPONENTS
from pulumi_cutlist.program.offline import Mode, Program

from tests.documentation import section

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
REFERENCE = re.compile(r"\$\{(\w+)(?:\.(\w+))?\}")


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    """The schema of the component package, as other languages get it."""
    return json.loads(ComponentProvider(list(COMPONENTS), "cutlist", version="0.1.0").schema)


@dataclass(frozen=True)
class YamlProgram:
    """A Pulumi program in YAML."""

    data: Mapping[str, Any]

    def filled(self, value: Any) -> Any:
        """A value with variables put in; a reference to an output stays as it is."""
        if isinstance(value, dict):
            return {key: self.filled(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.filled(inner) for inner in value]
        whole = REFERENCE.fullmatch(value) if isinstance(value, str) else None
        return self.filled(self.data["variables"][whole[1]]) if whole and whole[1] in self.data["variables"] else value

    def resources(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """Name, full type token and inputs of each resource."""
        for name, resource in self.data["resources"].items():
            package, _, kind = resource["type"].partition(":")
            yield name, f"{package}:index:{kind}", self.filled(resource["properties"])

    def outputs_used(self) -> set[tuple[str, str]]:
        """The outputs that are referred to: the resource's name and the output."""
        text = json.dumps([self.data["resources"], self.data["outputs"]])
        return {(name, output) for name, output in REFERENCE.findall(text) if name not in self.data["variables"]}


@pytest.fixture(scope="module")
def in_yaml() -> YamlProgram:
    """The example in YAML."""
    return YamlProgram(yaml.safe_load((EXAMPLES / "yaml" / "Pulumi.yaml").read_text()))


def refusals(schema: Mapping[str, Any], token: str, inputs: Mapping[str, Any]) -> list[str]:
    """What the package's schema says against the inputs of a resource; references to outputs stand for what they give."""
    if token not in schema["resources"]:
        return [f"no resource {token}"]
    resource = schema["resources"][token]
    as_object = {
        "type": "object",
        "properties": {name: _as_json_schema(type_) for name, type_ in resource["inputProperties"].items()},
        "required": resource["requiredInputs"],
        "additionalProperties": False,
        "types": schema["types"],  # what references point to
    }
    return [error.message for error in jsonschema.Draft202012Validator(as_object).iter_errors(inputs)]


def _as_json_schema(type_: Mapping[str, Any]) -> dict[str, Any]:
    match type_:
        case {"$ref": "pulumi.json#/Any"}:
            return {}
        case {"$ref": str(name)} if name.startswith("#/types/"):
            return {"$ref": name}
        case {"type": "array", "items": items}:
            return {"type": "array", "items": _as_json_schema(items)}
        case {"type": "object", "additionalProperties": values}:
            return {"type": "object", "additionalProperties": _as_json_schema(values)}
        case {"type": ("string" | "integer" | "number" | "boolean") as name}:
            return {"type": name}
    raise AssertionError(f"no example has used {type_} so far")


def test_the_example_in_yaml_fits_the_schema(schema, in_yaml):
    """Every resource is one of the package, with inputs that it has, of the right type, and none missing."""
    found = list(in_yaml.resources())
    assert [token for _, token, _ in found] == [
        "cutlist:index:NodePlan",
        "cutlist:index:EC2NodeClass",
        "cutlist:index:NodePool",
    ]
    for name, token, inputs in found:
        assert refusals(schema, token, inputs) == [], name


def test_the_outputs_that_the_example_uses_exist(schema, in_yaml):
    """What it refers to and exports are outputs of the components."""
    tokens = {name: token for name, token, _ in in_yaml.resources()}
    used = in_yaml.outputs_used()
    assert used == {("default", "objectName"), ("nodes", "nodePools"), ("nodes", "totals")}
    assert [(name, output) for name, output in used if output not in schema["resources"][tokens[name]]["properties"]] == []


def test_the_page_names_every_component(schema):
    """Those of the package and no other, in the table of what there is."""
    page = section("stacks.md", "Other languages")
    rows = re.findall(r"^\| (`.*?`) \|", page, re.MULTILINE)
    reported = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert reported == {token.rpartition(":")[2] for token in schema["resources"]}


@pytest.mark.parametrize(
    ("inputs", "refusal"),
    [
        ({"manifest": {}, "nodeClass": "default"}, "'nodeClass' was unexpected"),
        ({"nodeClassName": "default"}, "'manifest' is a required property"),
        ({"manifest": []}, "[] is not of type 'object'"),
    ],
)
def test_the_check_sees_mistakes(schema, inputs, refusal):
    """A misspelt, a missing and a mistyped input are each reported."""
    assert any(refusal in said for said in refusals(schema, "cutlist:index:NodePool", inputs))


HOSTED = """
import json, pathlib, pulumi
from pulumi.provider.experimental.component import ComponentProvider
from pulumi_cutlist.package.components import COMPONENTS

host = ComponentProvider(list(COMPONENTS), "cutlist", version="0.1.0")
for name, token, inputs in json.loads(pathlib.Path("resources.json").read_text()):
    pulumi.export(name, host.construct(name, token, inputs).state)
"""


def test_the_components_accept_the_example_in_yaml(tmp_path, in_yaml):
    """Constructed as the component host does it, every resource exists, and the plan holds all the pods of the workloads."""
    shutil.copy(EXAMPLES / "yaml" / "workloads.yaml", tmp_path)
    resources = [(name, token, _with_outputs(inputs)) for name, token, inputs in in_yaml.resources()]
    (tmp_path / "resources.json").write_text(json.dumps(resources))
    (tmp_path / "__main__.py").write_text(HOSTED)
    exports = Program(tmp_path, tmp_path, "cutlist-yaml", "dev").run(Mode.PREVIEW).exports
    assert exports["nodes"]["totals"]["pods"] == 6
    assert exports["nodes"]["pending"] == {}
    assert exports["general"]["objectName"] == "general"


def _with_outputs(inputs: dict[str, Any]) -> dict[str, Any]:
    return {key: "default" if value == "${default.objectName}" else value for key, value in inputs.items()}


def test_the_example_in_typescript_fits_the_schema(schema):
    """Where no compiler is at hand its text is read: each class is one of the package, with inputs and outputs that it has."""
    text = (EXAMPLES / "typescript" / "index.ts").read_text()
    made = re.findall(r"(?:const (\w+) = )?new cutlist\.(\w+)\(\"[\w-]+\", \{(.*?)\}\)", text, re.DOTALL)
    assert [kind for _, kind, _ in made] == ["NodePlan", "EC2NodeClass", "NodePool"]
    for variable, kind, inputs in made:
        resource = schema["resources"][f"cutlist:index:{kind}"]
        given = re.findall(r"(\w+):", inputs)
        assert set(given) <= set(resource["inputProperties"])
        assert set(resource["requiredInputs"]) <= set(given)
        used = re.findall(rf"\b{variable}\.(\w+)", text) if variable else []
        assert set(used) <= set(resource["properties"])


def test_the_example_in_python_makes_what_the_others_make():
    """The same node class and NodePool as in YAML, from typed objects, and the plan of the same pods."""
    folder = EXAMPLES / "python"
    recording = Program(folder, folder, "cutlist-python", "dev").run(Mode.PREVIEW)
    in_yaml = YamlProgram(yaml.safe_load((EXAMPLES / "yaml" / "Pulumi.yaml").read_text()))
    manifests = {name: inputs.get("manifest") for name, _, inputs in in_yaml.resources()}
    [pool] = recording.of_type("kubernetes:karpenter.sh/v1:NodePool")
    [node_class] = recording.of_type("kubernetes:karpenter.k8s.aws/v1:EC2NodeClass")
    assert pool.inputs["spec"]["template"]["spec"]["nodeClassRef"]["name"] == "default"
    same = ("role", "amiSelectorTerms", "subnetSelectorTerms", "securityGroupSelectorTerms")
    assert {key: node_class.inputs["spec"][key] for key in same} == {key: manifests["default"]["spec"][key] for key in same}
    requirements = [sorted(one.items(), key=str) for one in manifests["general"]["spec"]["template"]["spec"]["requirements"]]
    made = [sorted(one.items(), key=str) for one in pool.inputs["spec"]["template"]["spec"]["requirements"]]
    assert sorted(made, key=str) == sorted(requirements, key=str)
    assert recording.exports["totals"]["pods"] == 6
