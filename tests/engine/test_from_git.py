"""The package from a tag of a repository, as `pulumi package add ADDRESS/components@TAG` gets it, and from its program."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml

from tests.engine.engine import PACKAGE_VERSION, ROOT, Engine
from tests.engine.language_host import GENERATORS

pytestmark = pytest.mark.xdist_group("engine-from-git")
PACKAGE = f"cutlist.git/components@v{PACKAGE_VERSION}"


@dataclass(frozen=True, slots=True)
class Fetching(Engine):
    """An engine that may fetch plugins, which has none of the package."""

    variables: dict[str, str] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        kept = Engine.environment.fget(self)  # type: ignore[attr-defined]
        return {**kept, "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "false", **self.variables}


@pytest.fixture
def bare(engine_with_plugins: Engine) -> Engine:
    """An engine with the host of Python, without the package."""
    shutil.rmtree(engine_with_plugins.home / "plugins" / f"resource-cutlist-v{PACKAGE_VERSION}", ignore_errors=True)
    engine_with_plugins.host("python")
    return engine_with_plugins


def repository(folder: Path) -> None:
    """A repository with the package as it is here, and the tag of a release."""
    work = folder / "work"
    shutil.copytree(ROOT / "components", work / "components", ignore=shutil.ignore_patterns("__pycache__", ".venv"))
    author = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    for command in (
        ("init", "--quiet"),
        ("add", "."),
        (*author, "commit", "--quiet", "--message", "A release"),
        (*author, "tag", "--annotate", "--message", "A release", f"v{PACKAGE_VERSION}"),
    ):
        subprocess.run(["git", "-C", work, *command], check=True)
    subprocess.run(["git", "clone", "--quiet", "--bare", work, folder / "acme" / "cutlist.git"], check=True)


@pytest.mark.skipif(not GENERATORS["nodejs"].exists(), reason="`make engine` was not run")
def test_a_tag_of_a_repository_is_enough(bare: Engine, tmp_path: Path):
    """The engine clones it, starts the package, writes the sources of every component for the program's language, and
    names the package with its tag in Pulumi.yaml."""
    from tests.engine.git_server import HOST, git_server

    bare.host("nodejs")
    repository(tmp_path)
    program = tmp_path / "program"
    program.mkdir()
    (program / "Pulumi.yaml").write_text("{name: shop, runtime: nodejs}\n")
    with git_server(tmp_path) as (address, variables):
        engine = Fetching(bare.folder, bare.ports, variables)
        engine.run("package", "add", f"{address}/acme/{PACKAGE}", folder=program)
    assert yaml.safe_load((program / "Pulumi.yaml").read_text())["packages"] == {"cutlist": f"{HOST}/acme/{PACKAGE}"}
    sources = program / "sdks" / "acme-cutlist"
    described = json.loads((sources / "package.json").read_text())
    assert (described["name"], described["pulumi"]["version"]) == ("@acme/cutlist", PACKAGE_VERSION)
    index = (sources / "index.ts").read_text()
    components = json.loads((ROOT / "components" / "schema.json").read_text())["resources"]
    assert [token for token in components if f"export const {token.rpartition(':')[2]}: typeof" not in index] == []


def test_a_folder_is_enough(bare: Engine, tmp_path: Path):
    """A clone beside the program: its path is what Pulumi.yaml then has."""
    bare.host("yaml")
    (tmp_path / "Pulumi.yaml").write_text("{name: shop, runtime: yaml}\n")
    bare.run("package", "add", str(ROOT / "components"), folder=tmp_path)
    assert yaml.safe_load((tmp_path / "Pulumi.yaml").read_text())["packages"] == {"cutlist": str(ROOT / "components")}


def test_the_program_of_the_installed_package_is_enough(bare: Engine, tmp_path: Path):
    """The wheel brings it; an engine takes its path for the name of the package."""
    program = tmp_path / "pulumi-resource-cutlist"
    program.write_text(f"#!{sys.executable}\nfrom pulumi_cutlist.__main__ import run\nrun()\n")
    program.chmod(0o755)
    schema = json.loads(bare.run("package", "get-schema", str(program), folder=tmp_path).stdout)
    assert schema["displayName"] == "Cutlist"
    assert "cutlist:index:KarpenterCluster" in schema["resources"]
