"""The package from a tag of a repository, as `pulumi package add ADDRESS/components@TAG` gets it, and from its program."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.engine.engine import PACKAGE_VERSION, ROOT, Engine

pytestmark = pytest.mark.xdist_group("engine-from-git")


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


def test_a_tag_of_a_repository_is_enough(bare: Engine, tmp_path: Path):
    """The engine clones it, starts the package in its folder, and has the schema that is committed."""
    from tests.engine.git_server import git_server

    repository(tmp_path)
    with git_server(tmp_path) as (address, authority):
        engine = Fetching(bare.folder, bare.ports, {"SSL_CERT_FILE": str(authority)})
        name = f"{address}/acme/cutlist.git/components@v{PACKAGE_VERSION}"
        schema = json.loads(engine.run("package", "get-schema", name, folder=tmp_path).stdout)
    assert (schema["version"], schema["namespace"]) == (PACKAGE_VERSION, "acme")
    assert schema["resources"].keys() == json.loads((ROOT / "components" / "schema.json").read_text())["resources"].keys()


def test_the_program_of_the_installed_package_is_enough(bare: Engine, tmp_path: Path):
    """The wheel brings it; an engine takes its path for the name of the package."""
    program = tmp_path / "pulumi-resource-cutlist"
    program.write_text(f"#!{sys.executable}\nfrom pulumi_cutlist.__main__ import run\nrun()\n")
    program.chmod(0o755)
    schema = json.loads(bare.run("package", "get-schema", str(program), folder=tmp_path).stdout)
    assert schema["displayName"] == "Cutlist"
    assert "cutlist:index:KarpenterCluster" in schema["resources"]
