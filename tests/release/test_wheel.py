"""The wheel, built from this clone: what is in it, and what it does where nothing else of the clone is."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.recorded import PROJECT
from tests.release.environment import Environment
from tests.sample import POOLS, WORKLOADS

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("wheel")]
PACKAGES = {
    "cutlist": PROJECT,
    "cutlist_cli": PROJECT,
    "cutlist_live": PROJECT,
    "cutlist_policies": PROJECT / "policies",
    "pulumi_cutlist": PROJECT / "components",
}
# The command, with where its packages are on standard error.
PROGRAM = """
import sys, cutlist, cutlist_policies, pulumi_cutlist
print(cutlist.__file__, cutlist_policies.__file__, pulumi_cutlist.__file__, file=sys.stderr)
from cutlist_cli.__main__ import run
run()
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the working tree."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=PROJECT, check=True, capture_output=True)
    [file] = folder.iterdir()
    return file


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with the wheel."""
    return Environment.linked(wheel, tmp_path_factory.mktemp("linked"))


def test_the_wheel_has_every_file_of_the_packages_and_no_other(wheel: Path):
    """Tables, templates and the markers of types too; no tests, no caches."""
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    files = {
        file.relative_to(root).as_posix()
        for package, root in PACKAGES.items()
        for file in (root / package).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert names == files
    assert {f"{package}/py.typed" for package in PACKAGES} <= names


def test_the_wheel_says_what_it_is(wheel: Path):
    """Its licence, the credits, and the commands that installing it brings."""
    with zipfile.ZipFile(wheel) as files:
        [info] = {name.partition("/")[0] for name in files.namelist() if ".dist-info/" in name}
        metadata = files.read(f"{info}/METADATA").decode()
        commands = files.read(f"{info}/entry_points.txt").decode()
        licences = {name.rpartition("/")[2] for name in files.namelist() if "/licenses/" in name}
    assert "\nLicense-Expression: Apache-2.0\n" in metadata
    assert licences == {"LICENSE", "NOTICE"}
    assert {line.partition(" = ")[0] for line in commands.splitlines() if " = " in line} == {
        "cutlist",
        "kubectl-cutlist",
        "pulumi-resource-cutlist",
    }


@pytest.mark.thorough
def test_the_wheel_alone_plans(environment: Environment):
    """The first command of README.md, in a folder that has the manifests and nothing else."""
    for file in (POOLS, WORKLOADS):
        shutil.copy(file, environment.work)
    plan = environment.run("-c", PROGRAM, "plan", "-f", "pools.yaml", "-f", "workloads.yaml", "--region", "us-west-2")
    assert "1 node for 12 pods" in plan.stdout
    assert all(Path(file).is_relative_to(environment.packages) for file in plan.stderr.split())


def test_components_without_their_sdks_say_what_to_install(environment: Environment):
    """What an engine starts by the name that it looks for on PATH."""
    code = "import sys; sys.modules['grpc'] = None; from pulumi_cutlist.__main__ import run; run()"
    refused = environment.run("-c", code, status=2)
    assert "install cutlist[aws] or cutlist[azure]" in refused.stderr
    assert "Traceback" not in refused.stderr
