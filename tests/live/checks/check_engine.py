"""Stacks of this project on an engine whose Kubernetes is a real API server: made, changed, fought over and destroyed."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from pulumi import automation
from pulumi_cutlist.kubernetes import NodePool

from tests.engine.engine import MISSING, Engine, available, deployer, program
from tests.infrastructure.projects import without_cluster
from tests.live.api import Api
from tests.live.checks.engines import engine_on, provider, ready_objects, staging, write_aws
from tests.live.checks.stored import Stored
from tests.live.custom_resources import install
from tests.live.processes import wait_for
from tests.live.provider_modules import AWS_1_15
from tests.live.servers import Servers

POOLS: Final = ["batch", "general", "gpu"]
CLASSES: Final = ["default", "gpu"]
CRD: Final = "CustomResourceDefinition"
OBJECT: Final = {"apiVersion": "karpenter.sh/v1"}
EDITED: Final = {**OBJECT, "kind": "NodePool", "metadata": {"name": "general"}}
CLASS: Final = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}
OWN: Final = {"cutlist", "pulumi-kubernetes"}
LIMIT: Final = re.compile(r'limits: \{cpu: "\w+"')


def names(api: Api, kind: str) -> list[str]:
    return sorted(item["metadata"]["name"] for item in api.items(kind))


def managers(manifest: Mapping[str, Any]) -> list[str]:
    """Return who owns fields of an object, but for its status."""
    return [entry["manager"] for entry in manifest["metadata"]["managedFields"] if entry.get("subresource") != "status"]


def changes(result: Any) -> dict[str, int]:
    return dict(result.summary.resource_changes)


@dataclass(frozen=True, slots=True)
class Project:
    """A stack whose objects are for a cluster that already exists, and the cluster."""

    stack: automation.Stack
    folder: Path
    api: Api

    def limit(self, cpu: str) -> None:
        """Write another limit of CPU into the NodePool general."""
        file = self.folder / "stacks/dev/node-pools.yaml"
        file.write_text(LIMIT.sub(f'limits: {{cpu: "{cpu}"', file.read_text("utf-8"), count=1), "utf-8")

    def stored_limit(self) -> str:
        return str(self.api.get("NodePool", "general")["spec"]["limits"]["cpu"])


@pytest.fixture(scope="module", params=["the provider of Pulumi", "the stand-in that applies"])
def engine(request: pytest.FixtureRequest, servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """Yield an engine whose programs find the cluster, by either provider."""
    if not available():
        pytest.skip(MISSING)
    plugin = provider() if request.param.startswith("the provider") else None
    if plugin is None and request.param.startswith("the provider"):
        pytest.skip("no provider: `pulumi plugin install resource kubernetes` was not run, and $KUBERNETES_PROVIDER names none")
    folder = tmp_path_factory.mktemp("engine")
    with pytest.MonkeyPatch.context() as patch, engine_on(servers, folder / "engine", plugin) as engine:
        patch.setenv("KUBECONFIG", str(servers.kubeconfig()))
        yield engine


@pytest.fixture(scope="module")
def project(engine: Engine, api: Api, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Return the stack dev without a cluster of its own."""
    root = without_cluster(tmp_path_factory.mktemp("project"))
    return Project(engine.stack("dev", root, program(root)), root, api)


@pytest.fixture
def up(project: Project) -> Iterator[Project]:
    """Yield the stack as it is made; it is destroyed after the check."""
    result = project.stack.up(color="never")
    assert changes(result) == {"create": 12}
    yield project
    project.stack.destroy(color="never")
    assert (names(project.api, "NodePool"), names(project.api, "EC2NodeClass")) == ([], [])
    project.limit("200")


def test_a_stack_is_made_and_then_asks_for_nothing(up: Project) -> None:
    assert (names(up.api, "NodePool"), names(up.api, "EC2NodeClass")) == (POOLS, CLASSES)
    assert changes(up.stack.refresh(color="never")) == {"same": 12}
    assert changes(up.stack.up(color="never", expect_no_changes=True)) == {"same": 12}


def test_no_manager_but_pulumi_owns_a_field(up: Project) -> None:
    """The provider creates by its own name, and applies by that of the project: from the first update on it is the only one."""
    assert {name for item in up.api.items("NodePool") for name in managers(item)} <= OWN
    up.limit("96")
    up.stack.up(color="never")
    assert managers(up.api.get("NodePool", "general")) == ["cutlist"]


def test_a_field_that_another_manager_has_changed_ends_the_update_and_names_it(up: Project) -> None:
    """Nothing is changed; the limit that the other has set stays."""
    up.api.apply({**EDITED, "spec": {"limits": {"cpu": "50"}}}, manager="somebody")
    up.limit("96")
    with pytest.raises(automation.CommandError) as error:
        up.stack.up(color="never")
    assert re.search(r'conflict with "somebody"', str(error.value))
    assert ".spec.limits.cpu" in str(error.value)
    assert up.stored_limit() == "50"
    up.api.apply({**EDITED, "spec": {}}, manager="somebody")  # the other one gives its field back
    up.stack.up(color="never")
    assert up.stored_limit() == "96"


def test_fields_of_another_manager_are_taken_over_where_a_stack_says_so(engine: Engine, api: Api, tmp_path: Path) -> None:
    limits = {"cpu": "10"}

    def run() -> None:
        manifest = {**EDITED, "spec": {"limits": limits, "template": {"spec": {"nodeClassRef": CLASS, "requirements": []}}}}
        NodePool("general", {"manifest": manifest, "patch_force": True})

    stack = engine.stack("forced", tmp_path, run)
    try:
        stack.up(color="never")
        api.apply({**EDITED, "spec": {"limits": {"cpu": "50"}}}, manager="somebody")
        limits["cpu"] = "96"
        stack.up(color="never")
        assert api.get("NodePool", "general")["spec"]["limits"] == {"cpu": "96"}
    finally:
        stack.destroy(color="never")


def test_an_object_that_exists_already_is_not_taken_over_in_silence(project: Project, stored: Stored) -> None:
    """The update ends, and the object stays as it was."""
    template = {"spec": {"nodeClassRef": CLASS, "requirements": []}}
    pool = stored.put({**EDITED, "spec": {"limits": {"cpu": "7"}, "template": template}})
    try:
        with pytest.raises(automation.CommandError, match="already exists"):
            project.stack.up(color="never")
        assert stored.get(pool)["spec"] == pool["spec"]
    finally:
        project.stack.destroy(color="never")


def test_an_object_that_was_deleted_by_hand_is_made_again(up: Project) -> None:
    up.api.delete("NodePool", "general")
    wait_for("the NodePool to be deleted", lambda: names(up.api, "NodePool") == ["batch", "gpu"])
    up.stack.refresh(color="never")
    assert changes(up.stack.up(color="never"))["create"] == 1
    assert names(up.api, "NodePool") == POOLS


def held_claim(stored: Stored, api: Api, pool: str) -> dict[str, Any]:
    """Store a NodeClaim of a pool that nobody ends: its finalizer stays."""
    owner = {**OBJECT, "kind": "NodePool", "name": pool, "uid": api.get("NodePool", pool)["metadata"]["uid"]}
    metadata = {
        "name": f"{pool}-1",
        "finalizers": ["karpenter.sh/termination"],
        "ownerReferences": [{**owner, "blockOwnerDeletion": True}],
    }
    spec = {"nodeClassRef": CLASS, "requirements": []}
    return stored.put({**OBJECT, "kind": "NodeClaim", "metadata": metadata, "spec": spec})


@contextlib.contextmanager
def being_destroyed(stack: automation.Stack, api: Api, pool: str) -> Iterator[None]:
    """Destroy a stack in the meantime, from when a pool of it is being deleted until everything is."""
    with ThreadPoolExecutor(1) as executor:
        destroy = executor.submit(stack.destroy, color="never")
        wait_for(f"NodePool {pool} to be deleted", lambda: destroy.done() or is_being_deleted(api, pool), 120)
        yield
        destroy.result()


def is_being_deleted(api: Api, pool: str) -> bool:
    return "deletionTimestamp" in api.get("NodePool", pool)["metadata"]


def test_a_destroy_waits_until_the_nodes_of_a_pool_have_ended(up: Project, stored: Stored) -> None:  # I-57
    """The pool is there as long as a NodeClaim has its finalizer, and so is the class that the nodes need to end."""
    claim = held_claim(stored, up.api, "general")
    with being_destroyed(up.stack, up.api, "general"):
        wait_for("the NodeClaim to be deleted", lambda: "deletionTimestamp" in stored.get(claim)["metadata"])
        assert ("general" in names(up.api, "NodePool"), "default" in names(up.api, "EC2NodeClass")) == (True, True)
        stored.change(claim, {"metadata": {"finalizers": None}})
    assert names(up.api, "NodePool") == []


def test_what_the_api_server_refuses_is_refused_before_anything_is_made(project: Project) -> None:
    """By the program itself: no object reaches the server."""
    project.limit("many")
    try:
        with pytest.raises(automation.CommandError, match=r"spec\.limits\.cpu"):
            project.stack.up(color="never")
        assert names(project.api, "NodePool") == []
    finally:
        project.limit("200")


NODE: Final = {"cpu": "8", "memory": "16Gi", "pods": "50"}


@pytest.fixture
def nodes(stored: Stored) -> None:
    """Have two nodes that Karpenter's controller can run on."""
    for zone in ("us-west-2a", "us-west-2b"):
        labels = {"kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64", "topology.kubernetes.io/zone": zone}
        metadata = {"name": f"system-{zone}", "labels": {**labels, "kubernetes.io/hostname": f"system-{zone}"}}
        status = {"capacity": NODE, "allocatable": NODE}
        stored.put({"apiVersion": "v1", "kind": "Node", "metadata": metadata, "status": status})


@pytest.fixture
def no_crds(api: Api) -> Iterator[None]:
    """Let there be no kind of Karpenter's before a check, and all of them after it."""
    install(api, [])
    yield
    install(api, AWS_1_15.crds())


@pytest.mark.usefixtures("no_crds", "nodes")
def test_karpenter_is_installed_on_a_cluster_that_is_there_and_taken_off_again(
    servers: Servers, api: Api, stored: Stored, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stack staging, with Karpenter's own charts: the CRDs come, the controller runs, the pools are ready.

    Of a cluster that cannot be asked nothing is forgotten. In the destroy the controller runs until the last NodeClaim has
    ended. The CRDs stay, as the cluster is another team's. I-56
    """
    plugin = provider()
    if plugin is None or not available():
        pytest.skip("charts need the provider of Pulumi, and an engine")
    (tmp_path / "project").mkdir()
    write_aws(tmp_path / "bin", "admin")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    root = staging(servers, tmp_path / "project", tmp_path / "charts")
    with engine_on(servers, tmp_path / "engine", plugin) as engine, ready_objects(servers):
        engine.runs_as(deployer(root, "staging"))
        stack = engine.stack("staging", root, program(root))
        made = changes(stack.up(color="never"))
        assert api.get("Deployment", "karpenter", "kube-system")["status"]["availableReplicas"] == 2
        assert [crd["metadata"]["annotations"]["meta.helm.sh/release-name"] for crd in api.items(CRD)] == ["karpenter-crd"] * 5
        assert changes(stack.refresh(color="never")) == changes(stack.up(color="never")) == {"same": made["create"]}
        write_aws(tmp_path / "bin", "nobody-knows")
        with pytest.raises(automation.CommandError, match="unreachable"):
            stack.refresh(color="never")
        write_aws(tmp_path / "bin", "admin")
        assert changes(stack.refresh(color="never")) == {"same": made["create"]}
        pool = names(api, "NodePool")[0]
        claim = held_claim(stored, api, pool)
        with being_destroyed(stack, api, pool):
            wait_for("the NodeClaim to be deleted", lambda: "deletionTimestamp" in stored.get(claim)["metadata"])
            assert "karpenter" in names(api, "Deployment")
            stored.change(claim, {"metadata": {"finalizers": None}})
    assert (names(api, "NodePool"), names(api, "EC2NodeClass"), names(api, "Deployment")) == ([], [], [])
    assert len(api.items(CRD)) == 5
