"""Mistakes in a program's inputs on a real engine, with the language host's own runner: a message, and no traceback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pulumi
import pulumi_aws as aws
import pytest
from pulumi import automation
from pulumi_cutlist.aws import Cluster, KarpenterCluster

from tests.engine.answers import ACCOUNT
from tests.engine.engine import Engine
from tests.engine.language_host import PYTHON_RUNNER
from tests.infrastructure.joined_program import NEW
from tests.infrastructure.test_caller import ALONE

pytestmark = pytest.mark.xdist_group("engine-mistakes")

OTHER = "444455556666"
NODES = 'EC2NodeClass(name="default", role="KarpenterNodeRole-shop", ami="al2023@v20260625", discovery="shop")'
POOL = f'NodePool(name="general", node_class={NODES}, limits={{"cpu": 8}}'
WRONG = {
    f'{POOL}, taints=["a=b:NoSchedule"])': "NodePool/general taints[0]: expected a taint, found 'a=b:NoSchedule'",
    'KarpenterCluster("shop", {"cluster_name": "shop", "region": "eu-west-1", "account_id": "1"})': (
        "KarpenterCluster/shop kubernetes_version: is missing"
    ),
    'KarpenterCluster("shop", cluster_name="shop")': "KarpenterCluster: inputs are not keyword arguments: cluster_name",
}
"""Programs, with what an engine says to each."""


@pytest.mark.skipif(not PYTHON_RUNNER.exists(), reason="`make engine` was not run")
@pytest.mark.parametrize(("program", "says"), WRONG.items(), ids=["an object", "a component", "a call"])
def test_a_mistake_of_a_program_is_a_message(engine: Engine, project: Path, program: str, says: str):
    """That of an object, which the core checks, and that of a component."""
    imports = "from cutlist import EC2NodeClass, NodePool\nfrom pulumi_cutlist.aws import KarpenterCluster\n"
    (project / "__main__.py").write_text(f"{imports}{program}\n")
    with pytest.raises(automation.CommandError) as error:
        engine.run("preview", "--color", "never", folder=project)
    assert says in str(error.value)
    assert "Traceback" not in str(error.value)


@pytest.mark.parametrize("component", [KarpenterCluster, Cluster])
def test_an_update_in_the_wrong_account_leaves_nothing_behind(engine: Engine, tmp_path: Path, component):  # I-84
    """The corrected inputs are those of a new cluster."""
    (tmp_path / "Pulumi.yaml").write_text("{name: cutlist, runtime: python}")
    right = NEW if component is KarpenterCluster else ALONE["Cluster"]
    wrong = _in(OTHER, right)
    stack = engine.stack(f"wrong-{component.__name__}", tmp_path, lambda: component("shop", wrong) and None)
    with pytest.raises(automation.CommandError, match=f"account_id: the update runs in the account {ACCOUNT}"):
        stack.up(color="never")
    resources = stack.export_stack().deployment.get("resources") or []
    assert [one["type"] for one in resources if not one["type"].startswith("pulumi:")] == []
    preview = stack.preview(color="never", program=lambda: component("shop", right) and None)
    assert set(preview.change_summary) <= {automation.OpType.CREATE, automation.OpType.SAME}
    assert engine.done() == []


def test_a_stack_that_an_update_in_the_wrong_account_left_behind_goes_on(engine: Engine, tmp_path: Path):  # I-84
    """A component was registered with the other account, and never completed."""
    (tmp_path / "Pulumi.yaml").write_text("{name: cutlist, runtime: python}")
    given = _in(OTHER, NEW)
    left = lambda: pulumi.ComponentResource("cutlist:index:KarpenterCluster", "shop", given) and None  # noqa: E731
    stack = engine.stack("left", tmp_path, left)
    stack.up(color="never")
    preview = stack.preview(color="never", program=lambda: KarpenterCluster("shop", NEW) and None)
    assert preview.change_summary[automation.OpType.UPDATE] == 1
    assert engine.done() == []


def two_clusters() -> None:
    """Two clusters, the second in another region and by a role."""
    KarpenterCluster("blue", {**NEW, "cluster_name": "blue", "public_access_cidrs": ["203.0.113.0/24"]})
    role = f"arn:aws:iam::{ACCOUNT}:role/Deployer"
    other = aws.Provider("other", region="us-east-1", assume_roles=[{"role_arn": role}])
    green = {**NEW, "cluster_name": "green", "region": "us-east-1", "public_access_cidrs": ["203.0.113.0/24"]}
    KarpenterCluster("green", green, pulumi.ResourceOptions(providers=[other]))


@pytest.mark.thorough
def test_two_clusters_live_in_one_stack_each_with_its_provider(engine: Engine, tmp_path: Path):  # I-88
    """What each does at a destroy has the credentials of its own."""
    (tmp_path / "Pulumi.yaml").write_text("{name: cutlist, runtime: python}")
    stack = engine.stack("two", tmp_path, two_clusters)
    stack.up(color="never")
    own = [one for one in stack.export_stack().deployment["resources"] if "dynamic/cutlist" in one["type"]]
    roles = {one["urn"].split("::")[-1]: one["outputs"].get("credentials") for one in own}
    assert {name.partition("-")[0] for name, found in roles.items() if found} == {"green"}
    assert all(found["assumeRoles"][0] for name, found in roles.items() if name.startswith("green"))
    stack.up(color="never", expect_no_changes=True)
    stack.destroy(color="never")


def _in(account: str, inputs: object) -> Any:
    """Return inputs with another account everywhere."""
    return json.loads(json.dumps(inputs).replace(ACCOUNT, account))
