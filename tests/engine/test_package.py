"""The components as a package for programs in other languages, on a real engine."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes
import pytest
import yaml

from tests.engine.engine import PACKAGE_VERSION, ROOT, Engine
from tests.engine.typescript import COMPILER, can_generate, write_package
from tests.engine.yaml_program import Remote
from tests.infrastructure.test_examples import EXAMPLES, YamlProgram

pytestmark = pytest.mark.xdist_group("engine-package")


@pytest.fixture(scope="module")
def schema(engine: Engine) -> dict[str, Any]:
    """The package's schema as the engine gets it from the running plugin."""
    return json.loads(engine.run("package", "get-schema", f"cutlist@{PACKAGE_VERSION}", folder=ROOT).stdout)


def test_the_engine_accepts_the_schema(schema: dict[str, Any]):
    """The engine starts the package, and binds and prints the committed schema of the components."""
    own = json.loads((ROOT / "components" / "schema.json").read_text())
    assert sorted(schema["resources"]) == sorted(own["resources"])
    for token, resource in own["resources"].items():
        for members in ("inputProperties", "properties"):
            assert descriptions(schema["resources"][token], members) == descriptions(resource, members)
        assert schema["resources"][token].get("requiredInputs") == resource.get("requiredInputs")


def descriptions(resource: dict[str, Any], members: str) -> dict[str, str]:
    """What inputs or outputs a resource has, and what is said about each."""
    return {name: member.get("description", "") for name, member in resource.get(members, {}).items()}


def test_a_program_in_another_language_gets_its_objects_and_its_plan(engine: Engine, tmp_path: Path):
    """The example in YAML, registered as its language does it: the objects exist, in order, and the plan comes back.

    Its files are found beside the program, and objects go to the cluster whose provider is given.
    """
    example = YamlProgram(yaml.safe_load((EXAMPLES / "yaml" / "Pulumi.yaml").read_text()))
    (tmp_path / "Pulumi.yaml").write_text("{name: cutlist, runtime: python}")
    resources = {name: (token, inputs) for name, token, inputs in example.resources()}
    shutil.copy(EXAMPLES / "yaml" / "workloads.yaml", tmp_path)

    def program() -> None:
        nodes = Remote(resources["nodes"][0], "nodes", resources["nodes"][1], ["nodePools", "totals"])
        given = {"kubernetes": kubernetes.Provider("chosen", context="chosen")}
        node_class = Remote(resources["default"][0], "default", resources["default"][1], ["objectName"], providers=given)
        general = {**resources["general"][1], "nodeClassName": node_class.objectName}
        Remote(resources["general"][0], "general", general, ["objectName"], providers=given)
        pulumi.export("nodePools", nodes.nodePools)
        pulumi.export("totals", nodes.totals)

    stack = engine.stack("remote", tmp_path, program)
    engine.done()
    up = stack.up(color="never")
    assert up.outputs["totals"].value["pods"] == 6
    assert list(up.outputs["nodePools"].value) == ["general"]
    created = [urn.rpartition("$")[2] for _, urn in engine.done()]
    assert created == [
        "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass::default",
        "kubernetes:karpenter.sh/v1:NodePool::general",
    ]
    objects = [r for r in stack.export_stack().deployment["resources"] if r["type"].startswith("kubernetes:")]
    assert {r["provider"].split("::")[3] for r in objects} == {"chosen"}
    stack.destroy(color="never")
    deleted = [urn.rpartition("$")[2] for _, urn in engine.done()]
    assert deleted == list(reversed(created))


@pytest.fixture(scope="module")
def typescript(schema: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example in TypeScript beside the sources that are generated from the schema for it."""
    if not can_generate():
        pytest.skip("`make engine` was not run here, or npm is missing")
    folder = tmp_path_factory.mktemp("typescript")
    for name in ("index.ts", "tsconfig.json"):
        shutil.copy(EXAMPLES / "typescript" / name, folder)
    write_package(json.dumps(schema), folder / "node_modules")
    return folder


def compiled(folder: Path) -> str:
    """What the compiler says about the program in a folder; nothing when it is right."""
    return subprocess.run([COMPILER, "--project", folder], capture_output=True, text=True, check=False).stdout


def test_the_example_in_typescript_compiles(typescript: Path):
    """Against the sources that the engine's own generator makes from the schema."""
    assert compiled(typescript) == ""


def test_the_compiler_sees_mistakes(typescript: Path):
    """A misspelt input is refused, so the test above can fail."""
    program = typescript / "index.ts"
    right = program.read_text()
    program.write_text(right.replace("nodeClassName:", "nodeClass:"))
    try:
        assert "'nodeClass' does not exist in type 'NodePoolArgs'" in compiled(typescript)
    finally:
        program.write_text(right)
