"""Folders next to each other are environments by the objects that a plan depends on."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutlist.core.errors import InputError
from cutlist.planning.read_inputs import read_inputs
from tests.unit.planning.manifests import NODE_CLASS, deployment, pool

NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n"


def parts(folder: Path, **texts: str) -> list[str]:
    """The paths of a folder with pools, and parts of the same namespace beside them."""
    for name, text in {"pools": f"{NODE_CLASS}\n---\n{pool()}", **texts}.items():
        (folder / name).mkdir()
        (folder / name / "all.yaml").write_text(text)
    return [str(folder)]


def test_the_same_namespace_in_two_folders_is_one_cluster(tmp_path: Path) -> None:
    """F-25: no plan depends on it, and apps that share it often write it both."""
    web, api = (f"{NAMESPACE}---\n{deployment(name=name)}" for name in ("web", "api"))
    inputs = read_inputs(parts(tmp_path, web=web, api=api), region="us-west-2", recursive=True)
    assert sorted(group.workload for group in inputs.workloads.groups) == ["deployment/api", "deployment/web"]


def test_the_same_workload_in_two_folders_is_two_environments(tmp_path: Path) -> None:
    """F-25: a cluster has one of a name."""
    with pytest.raises(InputError, match="is one of 2 environments"):
        read_inputs(parts(tmp_path, dev=deployment(), live=deployment()), region="us-west-2", recursive=True)
