"""Whole clusters from programs in other languages, with the commands that their authors type.

The engine is real, and so is the package's plugin, found by the path in `Pulumi.yaml`. The hosts of languages are stand-ins:
Pulumi's own package for Node.js runs the TypeScript, and `yaml_program` reads the YAML. Accounts are stand-ins too; what the
plugin itself asks of AWS, an AWS of moto answers.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import boto3
import pytest
import yaml
from moto.server import ThreadedMotoServer
from pulumi.automation import CommandError

from tests.engine.answers import ACCOUNT
from tests.engine.engine import PACKAGE_VERSION, PROVIDERS, ROOT, Engine
from tests.engine.language_host import GO_PROGRAM, NODE_RUNNER, PYTHON_RUNNER
from tests.engine.test_examples import GO_GENERATOR, write_go_package
from tests.engine.typescript import can_generate, compile_package, write_package

EXAMPLES = ROOT / "examples"
OWN = "cutlist:index:"
NO_AWS = {"AWS_ACCESS_KEY_ID": "none", "AWS_SECRET_ACCESS_KEY": "none", "AWS_EC2_METADATA_DISABLED": "true"}

pytestmark = pytest.mark.skipif(not PYTHON_RUNNER.exists(), reason="`make engine` was not run")


@pytest.fixture(scope="module")
def aws_server() -> Iterator[str]:
    """An AWS under the variables by which every SDK finds it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MOTO_ACCOUNT_ID", ACCOUNT)
        server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        server.start()
        try:
            host, port = server.get_host_and_port()
            for name, value in NO_AWS.items():
                patch.setenv(name, value)
            patch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
            yield f"http://{host}:{port}"
        finally:
            server.stop()


@pytest.fixture
def aws(aws_server: str) -> str:
    """An AWS in which only the account exists, whatever other tests made there."""
    request = urllib.request.Request(f"{aws_server}/moto-api/reset", method="POST")  # noqa: S310 - the loopback
    urllib.request.urlopen(request).close()  # noqa: S310
    return aws_server


@pytest.fixture(scope="module")
def engine(engine_with_plugins: Engine) -> Iterator[Engine]:
    """An engine with hosts of languages, which has the package by its path alone, and no Python for dynamic resources."""
    engine = engine_with_plugins
    shutil.rmtree(engine.home / "plugins" / f"resource-cutlist-v{PACKAGE_VERSION}")
    engine.plug("pulumi-python", version("pulumi"), "-c 'raise SystemExit(1)'")
    for language in ("go", "nodejs", "python", "yaml"):
        engine.host(language)
    with engine.attached(PROVIDERS.keys() - {"pulumi-python"}) as attached:
        yield attached


def _copied(example: str, folder: Path) -> Path:
    """A copy of an example, which has the package where this repository has it."""
    shutil.copytree(EXAMPLES / example, folder)
    _edit(folder / "Pulumi.yaml", "../../components", str(ROOT / "components"))
    return folder


def _edit(file: Path, before: str, after: str) -> None:
    text = file.read_text()
    assert before in text
    file.write_text(text.replace(before, after))


def _of_stack(name: str, component: str, section: str, folder: Path) -> Path:
    """A program in YAML that makes the cluster of a stack file."""
    config = yaml.safe_load((ROOT / "stacks" / f"Pulumi.{name}.yaml").read_text())["config"]
    manifests = list(yaml.safe_load_all((ROOT / "stacks" / name / "node-pools.yaml").read_text()))
    pools = [manifest for manifest in manifests if manifest["kind"] == "NodePool"]
    classes = [manifest for manifest in manifests if manifest["kind"] != "NodePool"]
    inputs = {**config[f"cutlist:{section}"], "nodePools": pools, "nodeClasses": classes}
    if name == "aks":
        inputs["cluster"]["location"] = config["cutlist:region"]
    else:
        inputs["region"] = config["cutlist:region"]
    program = {
        "name": name,
        "runtime": "yaml",
        "packages": {"cutlist": str(ROOT / "components")},
        "resources": {"shop": {"type": f"cutlist:{component}", "properties": inputs}},
    }
    folder.mkdir()
    (folder / "Pulumi.yaml").write_text(yaml.safe_dump(program))
    return folder


@dataclass(frozen=True)
class Typed:
    """A stack whose commands are typed in the folder of its project."""

    engine: Engine
    project: Path

    def say(self, *command: str) -> str:
        """What a command prints."""
        return self.engine.run(*command, "--color", "never", folder=self.project).stdout

    def resources(self) -> list[dict[str, Any]]:
        """What the stack has."""
        return json.loads(self.say("stack", "export"))["deployment"].get("resources", [])


def live(stack: Typed, component: str) -> list[str]:
    """Make a stack and remove it, and return the types of the resources that it had of the package itself."""
    stack.say("stack", "init", "dev")
    stack.say("up", "--yes", "--skip-preview")
    made = [urn for _, urn in stack.engine.done()]
    resources = stack.resources()
    assert [r["urn"] for r in resources if r["type"].startswith("pulumi-python:")] == []
    assert [r["type"] for r in resources if r.get("parent", "").endswith(f"::{component}::shop")]
    assert "unchanged" in stack.say("up", "--yes", "--skip-preview", "--expect-no-changes")
    stack.say("destroy", "--yes", "--skip-preview")
    kept = {r["urn"] for r in resources if r.get("retainOnDelete") or r.get("deletedWith")}
    assert sorted(urn for _, urn in stack.engine.done()) == sorted(urn for urn in made if urn not in kept)
    assert stack.resources() == []
    return sorted({r["type"].removeprefix(OWN) for r in resources if r["type"].startswith(OWN) and r["custom"]})


@pytest.mark.xdist_group("engine-yaml")
def test_a_whole_cluster_from_yaml(engine: Engine, aws: str, tmp_path: Path):
    """Previewed, made, unchanged and removed. The role for spot was missing in the account, and stays in it."""
    iam = boto3.client("iam", region_name="us-west-2", endpoint_url=aws)
    assert iam.list_roles()["Roles"] == []
    stack = Typed(engine, _copied("yaml-cluster", tmp_path / "shop"))
    assert live(stack, f"{OWN}KarpenterCluster") == ["Drain", "EnsuredServiceLinkedRole", "Sweep"]
    assert [role["Path"] for role in iam.list_roles()["Roles"]] == ["/aws-service-role/spot.amazonaws.com/"]


@pytest.mark.xdist_group("engine-yaml")
@pytest.mark.parametrize(
    ("name", "component", "section", "own"),
    [
        ("auto", "AutoModeCluster", "autoModeCluster", ["EnsuredServiceLinkedRole", "Sweep"]),
        ("aks", "AksNodeProvisioning", "aksCluster", []),
    ],
)
def test_clusters_of_other_kinds_from_yaml(
    engine: Engine, aws: str, tmp_path: Path, name: str, component: str, section: str, own: list[str]
):
    """What a stack file makes, a program in another language makes too."""
    del aws
    stack = Typed(engine, _of_stack(name, component, section, tmp_path / "shop"))
    assert live(stack, f"{OWN}{component}") == own


@pytest.fixture
def elsewhere(engine: Engine) -> Iterator[str]:
    """Another account than the plugin's, of which AWS sees somebody behind the updates of a test."""
    account = "444455556666"
    engine.runs_as(f"arn:aws:sts::{account}:assumed-role/Deployer/ci")
    yield account
    engine.runs_as(f"arn:aws:sts::{ACCOUNT}:assumed-role/Deployer/ci")
    engine.done()


@pytest.mark.xdist_group("engine-yaml")
def test_mistakes_are_reported_at_their_inputs_and_by_nothing_else(engine: Engine, aws: str, elsewhere: str, tmp_path: Path):
    """All of them, and without the code of the plugin that found them; so is what only an update finds."""
    del aws, elsewhere
    stack = Typed(engine, _copied("yaml-cluster", tmp_path / "shop"))
    stack.say("stack", "init", "mistaken")
    with pytest.raises(CommandError) as refused:
        stack.say("up", "--yes", "--skip-preview")
    assert "accountId" in str(refused.value)
    assert "the update runs in the account 444455556666" in str(refused.value)
    _edit(stack.project / "Pulumi.yaml", "publicAccessCidrs:", "network: {own: {nat: singel}}\n      publicAccessCidrs:")
    _edit(stack.project / "Pulumi.yaml", f'accountId: "{ACCOUNT}"', 'accountId: "1111"')
    with pytest.raises(CommandError) as mistaken:
        stack.say("preview")
    for text in ("network.own.nat", "did you mean single", "accountId", "account '1111' has 4 digits"):
        assert text in str(mistaken.value)
    for error in (refused, mistaken):
        assert "Unexpected" not in str(error.value)
        assert "pulumi_cutlist" not in str(error.value)  # of the code that found them


@pytest.mark.xdist_group("engine-yaml")
def test_a_refused_cleaning_keeps_what_it_is_for(engine: Engine, aws: str, elsewhere: str, tmp_path: Path):
    """The plugin's own words reach the user, and the resource stays in the stack, as in a program of Python. The role for spot
    is left out: an update would end there."""
    del aws
    stack = Typed(engine, _copied("yaml-cluster", tmp_path / "shop"))
    _edit(stack.project / "Pulumi.yaml", ACCOUNT, elsewhere)
    _edit(stack.project / "Pulumi.yaml", "publicAccessCidrs:", "spotRole: skip\n      publicAccessCidrs:")
    stack.say("stack", "init", "elsewhere")
    stack.say("up", "--yes", "--skip-preview")
    with pytest.raises(CommandError) as refused:
        stack.say("destroy", "--yes", "--skip-preview")
    assert f"the credentials are of account {ACCOUNT}; the cluster is in account {elsewhere}" in str(refused.value)
    assert "Traceback" not in str(refused.value)
    left = {resource["type"] for resource in stack.resources()}
    assert {f"{OWN}Drain", "kubernetes:helm.sh/v3:Release"} <= left
    assert "kubernetes:karpenter.sh/v1:NodePool" not in left


@pytest.mark.xdist_group("engine-typescript")
@pytest.mark.skipif(not NODE_RUNNER.exists() or not can_generate(), reason="`make engine` was not run, or npm is missing")
def test_a_whole_cluster_from_typescript(engine: Engine, aws: str, tmp_path: Path):
    """Through the sources that are generated for the package, as `pulumi package add` does."""
    del aws
    project = _copied("typescript-cluster", tmp_path / "shop")
    schema = engine.run("package", "get-schema", str(ROOT / "components"), folder=project).stdout
    write_package(schema, project / "node_modules")
    compile_package(project / "node_modules")
    assert live(Typed(engine, project), f"{OWN}KarpenterCluster") == ["Drain", "EnsuredServiceLinkedRole", "Sweep"]


@pytest.mark.thorough
@pytest.mark.xdist_group("engine-go")
@pytest.mark.skipif(
    not GO_GENERATOR.exists() or shutil.which("go") is None, reason="`make engine` was not run, or Go is missing"
)
def test_a_whole_cluster_from_go(engine: Engine, aws: str, tmp_path: Path):
    """With the fields of NodePools and node classes as types. Compiling Pulumi's package for Go takes a minute, the first
    time."""
    del aws
    project = _copied("go-cluster", tmp_path / "shop")
    write_go_package(project)
    environment = {**os.environ, "GOFLAGS": "-mod=mod"}
    subprocess.run(["go", "build", "-o", GO_PROGRAM, "."], cwd=project, env=environment, check=True)
    assert live(Typed(engine, project), f"{OWN}KarpenterCluster") == ["Drain", "EnsuredServiceLinkedRole", "Sweep"]


@pytest.mark.xdist_group("engine-dotnet")
@pytest.mark.skipif(
    shutil.which("dotnet") is None or shutil.which("pulumi-language-dotnet") is None,
    reason="the SDK of .NET, or Pulumi's host of its programs, is not installed",
)
def test_a_whole_cluster_from_dotnet(engine: Engine, aws: str, tmp_path: Path):
    """With the classes that the real `pulumi package add` writes."""
    del aws
    project = _copied("dotnet-cluster", tmp_path / "shop")
    engine.run("package", "add", str(ROOT / "components"), folder=project)
    assert live(Typed(engine, project), f"{OWN}KarpenterCluster") == ["Drain", "EnsuredServiceLinkedRole", "Sweep"]
