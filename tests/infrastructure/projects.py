"""Copies of the project's program and stacks, to be changed and spoilt by tests."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

from pulumi_cutlist.program.offline import Mode, Program
from pulumi_cutlist.recorded.recording import Recording
from pulumi_cutlist.stack.stack_file import load

from tests.infrastructure.aws_stand_in import AwsStandIn
from tests.infrastructure.azure_stand_in import AzureStandIn

ROOT = Path(__file__).resolve().parents[2]
STACKS = tuple(sorted(p.name.removeprefix("Pulumi.").removesuffix(".yaml") for p in (ROOT / "stacks").glob("Pulumi.*.yaml")))


def copy_of_project(folder: Path) -> Path:
    """Return the project in a folder of its own."""
    for name in ("Pulumi.yaml", "__main__.py"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(ROOT / "stacks", folder / "stacks")
    return folder


def without_cluster(folder: Path) -> Path:
    """Return the same, with a dev stack whose objects are for a cluster that already exists."""
    file = copy_of_project(folder) / "stacks/Pulumi.dev.yaml"
    kept, found, _ = file.read_text().partition("  cutlist:karpenterCluster:")
    assert found
    file.write_text(kept)
    return folder


def record(root: Path, stack: str, mode: Mode) -> Recording:
    """Return what a stack's program registers."""
    file = load(root, stack)
    assert file.problems == ()
    on_azure = file.config.get(f"{file.project}:aksCluster", "{}") != "{}"
    stand_in = AzureStandIn(mode) if on_azure else AwsStandIn(mode)
    return Program(file.program, file.root, file.project, file.stack, file.config, file.secrets).run(mode, stand_in)


@cache
def recorded(stack: str, mode: Mode) -> Recording:
    """Return what the program of a stack of this project registers, which no test changes."""
    return record(ROOT, stack, mode)
