"""Snapshots of a real API server: with the printed permissions, without secrets, and as good as the files they are of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from click.testing import CliRunner, Result

from cutlist_cli import main
from tests.live.api import Api
from tests.live.checks.stored import Stored, read
from tests.live.processes import wait_for
from tests.live.servers import Servers
from tests.recorded import PROJECT

DEMO: Final = (PROJECT / "examples/shop/pools.yaml", PROJECT / "examples/shop/snapshot.yaml")
NAME: Final = "cutlist-snapshot"
HIDDEN: Final = "hidden-from-everybody"
ABSENT: Final = {
    *("nodeclasses.eks.amazonaws.com", "aksnodeclasses.karpenter.azure.com"),
    *("ciliumnodes.cilium.io", "eniconfigs.crd.k8s.amazonaws.com", "cninodes.vpcresources.k8s.aws"),
    *("podgroups.scheduling.k8s.io", "workloads.scheduling.k8s.io"),
    *("podgroups.scheduling.x-k8s.io", "podgroups.scheduling.volcano.sh"),
}
"""Kinds of other services, network plugins and schedulers, and of later versions, which these servers do not have."""


def cutlist(*arguments: str, kubeconfig: Path | None = None) -> Result:
    """Return what a command of the CLI does."""
    environment = {"KUBECONFIG": str(kubeconfig), "AWS_REGION": None, "AWS_DEFAULT_REGION": None}
    return CliRunner().invoke(main, arguments, env=environment, catch_exceptions=False)


def taken(servers: Servers, user: str, file: Path, *options: str) -> Result:
    """Return what a snapshot that a user takes says; the file is written if it can be taken."""
    return cutlist("snapshot", "--to", str(file), *options, kubeconfig=servers.kubeconfig(user))


@pytest.fixture
def permitted(stored: Stored) -> list[dict[str, Any]]:
    """Grant the group of the user `snapshot` what `cutlist snapshot --rbac` prints, and return it."""
    printed = list(yaml.safe_load_all(cutlist("snapshot", "--rbac").output))
    stored.put_all(printed)
    return printed


def test_the_printed_permissions_are_enough(servers: Servers, permitted: list[dict[str, Any]], tmp_path: Path) -> None:
    result = taken(servers, "snapshot", tmp_path / "cluster.yaml")
    assert (result.exit_code, "may not be listed" in result.stderr) == (0, False)
    [absent] = [line.partition(": ")[2] for line in result.stderr.splitlines() if "not in this cluster" in line]
    assert set(absent.split(", ")) == ABSENT


def test_each_of_the_permissions_is_needed(
    servers: Servers, permitted: list[dict[str, Any]], stored: Stored, tmp_path: Path
) -> None:
    """Without one of them the snapshot names what is missing, and has the rest."""
    role, api = permitted[0], servers.api("snapshot")
    for missing in [(rule["apiGroups"][0], resource) for rule in role["rules"] for resource in rule["resources"]]:
        stored.change(
            role, {"rules": [rule for rule in (without(rule, *missing) for rule in role["rules"]) if rule["resources"]]}
        )
        wait_for(f"{missing} to be denied", lambda missing=missing: not may_list(api, *missing), 30, 0.05)
        result = taken(servers, "snapshot", tmp_path / "cluster.yaml")
        group, resource = missing
        named = f"{resource}.{group}" if group else resource
        is_denied = f"left out, because they may not be listed (403): {named}\n" in result.stderr
        assert (result.exit_code, is_denied) == (0, named not in ABSENT)


def without(rule: dict[str, Any], group: str, resource: str) -> dict[str, Any]:
    """Return a rule of a role without one resource of a group."""
    return {**rule, "resources": [name for name in rule["resources"] if (group, resource) != (rule["apiGroups"][0], name)]}


def may_list(api: Api, group: str, resource: str) -> bool:
    """Tell whether the owner of a token may list a resource."""
    asked = {"resourceAttributes": {"verb": "list", "group": group, "resource": resource}}
    review = {"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview", "spec": asked}
    return bool(api.call("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", review)["status"]["allowed"])


def test_without_permissions_nothing_is_written(servers: Servers, tmp_path: Path) -> None:
    result = taken(servers, "nobody", tmp_path / "cluster.yaml")
    assert result.exit_code == 2
    assert "the credentials may not list anything; `cutlist snapshot --rbac` prints the permissions" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_snapshot_changes_nothing_and_holds_no_secret(servers: Servers, api: Api, stored: Stored, tmp_path: Path) -> None:
    container = {
        "name": "main",
        "image": f"registry.example.com/{HIDDEN}:1",
        "command": [HIDDEN],
        "args": [HIDDEN],
        "env": [{"name": "PASSWORD", "value": HIDDEN}],
        "resources": {"requests": {"cpu": "1"}},
    }
    annotated = {"annotations": {"example.com/note": HIDDEN}, "namespace": "default"}
    stored.put_all(
        [
            {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a", **annotated}, "stringData": {"password": HIDDEN}},
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", **annotated}, "data": {"password": HIDDEN}},
            {
                "apiVersion": "v1",
                "kind": "Pod",
                "metadata": {"name": "secretive", **annotated},
                "spec": {"containers": [container]},
            },
        ]
    )
    before = {kind: api.items(kind) for kind in ("Secret", "ConfigMap")}
    file = tmp_path / "cluster.json"
    assert taken(servers, "admin", file).exit_code == 0
    assert "secretive" in file.read_text()
    assert HIDDEN not in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600
    assert {kind: api.items(kind) for kind in before} == before


@pytest.mark.usefixtures("without_controllers")
def test_a_snapshot_has_the_answers_of_the_files_that_the_cluster_was_made_of(
    servers: Servers, stored: Stored, tmp_path: Path
) -> None:
    """But for ages, which the server decides."""
    stored.put_all(read(*DEMO))
    file = tmp_path / "cluster.yaml"
    assert taken(servers, "admin", file).exit_code == 0
    sources = [argument for path in DEMO for argument in ("-f", str(path))]
    of_files, of_snapshot = (
        json.loads(cutlist("nodes", *arguments, "--region", "us-west-2", "-o", "json").output)
        for arguments in (sources, ["-f", str(file)])
    )
    assert of_files["nodes"]
    assert without_times(of_files) == without_times(of_snapshot)


def without_times(answer: Any) -> Any:
    """Return an answer without what depends on when an object was created."""
    if isinstance(answer, dict):
        return {key: without_times(value) for key, value in answer.items() if key not in ("at", "ageSeconds")}
    return [without_times(item) for item in answer] if isinstance(answer, list) else answer
