"""The small examples, previewed by the commands that their authors type, with the sources that are made for the package."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.engine.engine import MADE, ROOT, Engine
from tests.engine.language_host import GO_PROGRAM, NODE_RUNNER, PYTHON_RUNNER
from tests.engine.typescript import can_generate, compile_package, write_package

EXAMPLES = ROOT / "examples"
GO_GENERATOR = MADE / "bin" / "go-sdk"
SCHEMA = (ROOT / "components" / "schema.json").read_text("utf-8")
GO_PACKAGE = json.loads(SCHEMA)["repository"].removeprefix("https://") + "/sdk/go/cutlist"

pytestmark = [
    pytest.mark.xdist_group("engine-examples"),
    pytest.mark.skipif(not PYTHON_RUNNER.exists(), reason="`make engine` was not run"),
]


@pytest.fixture(scope="module")
def engine(engine_with_plugins: Engine) -> Engine:
    """An engine with a host for each language."""
    for language in ("go", "nodejs", "python", "yaml"):
        engine_with_plugins.host(language)
    return engine_with_plugins


def copied(example: str, folder: Path) -> Path:
    """A copy of an example, which has the package where this repository has it."""
    target = folder / example
    shutil.copytree(EXAMPLES / example, target)
    file = target / "Pulumi.yaml"
    file.write_text(file.read_text().replace("../../components", str(ROOT / "components")))
    return target


def preview(engine: Engine, project: Path) -> dict[str, str]:
    """What a preview would make: the types by name, without the stack itself."""
    engine.run("stack", "init", "dev", folder=project)
    steps = json.loads(engine.run("preview", "--json", folder=project).stdout)["steps"]
    urns = [step["urn"].split("::") for step in steps]
    return {f"{urn[-1]} {urn[-2].rpartition('$')[2]}": step["op"] for urn, step in zip(urns, steps, strict=True)}


def check(made: dict[str, str]) -> None:
    """The node class and the NodePool, each as a component and an object, and the plan."""
    assert set(made.values()) == {"create"}
    assert {
        "default kubernetes:karpenter.k8s.aws/v1:EC2NodeClass",
        "general kubernetes:karpenter.sh/v1:NodePool",
        "nodes cutlist:index:NodePlan",
    } <= made.keys()


def write_go_package(project: Path) -> None:
    """Do what `pulumi package add` does for a program in Go: write the sources, and name them in its go.mod."""
    subprocess.run([GO_GENERATOR, project / "sdks"], input=SCHEMA, text=True, check=True)
    module = re.sub(r"^module .*", f"module {GO_PACKAGE}", (project / "go.mod").read_text(), flags=re.MULTILINE)
    (project / "sdks" / "cutlist" / "go.mod").write_text(module)
    edit = ["-require", f"{GO_PACKAGE}@v0.0.0", "-replace", f"{GO_PACKAGE}=./sdks/cutlist"]
    subprocess.run(["go", "mod", "edit", *edit], cwd=project, check=True)


def test_the_example_in_python(engine: Engine, tmp_path: Path):
    check(preview(engine, copied("python", tmp_path)))


def test_the_example_in_yaml(engine: Engine, tmp_path: Path):
    check(preview(engine, copied("yaml", tmp_path)))


@pytest.mark.skipif(not NODE_RUNNER.exists() or not can_generate(), reason="npm is missing")
def test_the_example_in_typescript(engine: Engine, tmp_path: Path):
    project = copied("typescript", tmp_path)
    write_package(SCHEMA, project / "node_modules")
    compile_package(project / "node_modules")
    check(preview(engine, project))


@pytest.mark.skipif(
    not GO_GENERATOR.exists() or shutil.which("go") is None, reason="`make engine` was not run, or Go is missing"
)
def test_the_example_in_go(engine: Engine, tmp_path: Path):
    """Compiling Pulumi's package for Go takes a minute, the first time."""
    project = copied("go", tmp_path)
    write_go_package(project)
    environment = {**os.environ, "GOFLAGS": "-mod=mod"}
    subprocess.run(["go", "build", "-o", GO_PROGRAM, "."], cwd=project, env=environment, check=True)
    check(preview(engine, project))
