"""A program of several clouds' packages on a real engine: what the stacks with clusters of their own rest on."""

from __future__ import annotations

from pathlib import Path

import pulumi
import pytest
from pulumi.automation import CommandError, OpType, Stack

from cutlist import EC2NodeClass, NodePool
from tests.engine.engine import Engine

pytestmark = pytest.mark.xdist_group("engine-clouds")


TRUST = """{
    "Version": "2012-10-17",
    "Statement": {"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}
}"""


def environment(queue_name: str, role: str) -> None:
    """A cluster of a component package, a provider made from it, a chart on it, and a queue that the chart gets the name of."""
    import pulumi_aws as aws  # large, and needed where there is an engine only
    import pulumi_eks as eks
    import pulumi_kubernetes as kubernetes

    node_role = aws.iam.Role("node", name=role, assume_role_policy=TRUST)
    queue = aws.sqs.Queue("interruption", name=queue_name)
    cluster = eks.Cluster("cluster", instance_roles=[node_role])
    provider = kubernetes.Provider("cluster", kubeconfig=cluster.kubeconfig_json)
    kubernetes.helm.v4.Chart(
        "karpenter",
        chart="karpenter",
        values={"settings": {"interruptionQueue": queue.name}},
        opts=pulumi.ResourceOptions(providers={"kubernetes": provider}),
    )
    kubernetes.apiextensions.CustomResource(
        "default",
        api_version="karpenter.k8s.aws/v1",
        kind="EC2NodeClass",
        metadata={"name": "default"},
        spec={"role": node_role.name},
        opts=pulumi.ResourceOptions(provider=provider),
    )
    pulumi.export("queue", queue.arn)


def protected(name: str = "shop") -> None:
    """A cluster of production by itself, and an object in it."""
    import pulumi_kubernetes as kubernetes
    from pulumi_cutlist.aws import Cluster, kubernetes_provider

    control_plane = {
        "cluster_name": name,
        "region": "us-west-2",
        "account_id": "111122223333",
        "version": "1.35",
        "production": True,
        "subnet_ids": ["subnet-0a", "subnet-0b"],
        "zones": ["us-west-2a", "us-west-2b"],
        "admins": {"deployer": "arn:aws:iam::111122223333:role/Deployer"},
    }
    cluster = Cluster("shop", {"control_plane": control_plane})
    options = pulumi.ResourceOptions(provider=kubernetes_provider("shop", cluster))
    kubernetes.core.v1.Namespace("team", opts=options)


def on_pulumi_eks() -> None:
    """A cluster of pulumi_eks, and Karpenter with a NodePool on it, as the page on clusters has it."""
    import pulumi_eks
    from pulumi_cutlist.aws import karpenter_on_pulumi_eks

    subnets = {"us-west-2a": "subnet-0a", "us-west-2b": "subnet-0b"}
    cluster = pulumi_eks.Cluster(
        "shop", name="shop", version="1.35", authentication_mode="API", private_subnet_ids=list(subnets.values())
    )
    node_class = EC2NodeClass(name="general", role="KarpenterNodeRole-shop", ami="al2023@latest", discovery="shop")
    karpenter_on_pulumi_eks(
        "shop",
        cluster,
        {
            "cluster_name": "shop",
            "region": "us-west-2",
            "account_id": "111122223333",
            "kubernetes_version": "1.35",
            "adopted_cluster": {"authentication_mode": "API"},
            "network": {
                "adopted": {
                    "private_subnets": [{"id": id_, "zone": zone, "has_default_route": True} for zone, id_ in subnets.items()]
                }
            },
            "node_classes": [node_class.manifest()],
            "node_pools": [NodePool(name="general", node_class=node_class).manifest()],
        },
    )


@pytest.fixture
def stack(engine: Engine, tmp_path: Path) -> Stack:
    """The stack of the program, of which nothing exists."""
    (tmp_path / "Pulumi.yaml").write_text("{name: cutlist, runtime: python}")
    return engine.stack("clouds", tmp_path, lambda: environment("demo", "node-demo"))


def test_a_cluster_of_its_own_lives_and_goes(engine: Engine, stack: Stack):
    """Unknown in the preview, known after the update, replaced where a name changes, and deleted in the order of dependence."""
    preview = stack.preview(color="never")
    assert "queue: [unknown]" in preview.stdout

    up = stack.up(color="never")
    assert up.outputs["queue"].value == "arn:aws:sqs:us-west-2:111122223333:demo"
    assert preview.change_summary[OpType.CREATE] == up.summary.resource_changes["create"]
    made = [urn.rpartition("::")[2] for operation, urn in engine.done() if operation == "create"]
    assert sorted(made) == ["cluster-eksCluster", "default", "interruption", "node"]

    stack.refresh(color="never", expect_no_changes=True)
    stack.up(color="never", expect_no_changes=True)
    assert engine.done() == []

    stack.up(color="never", program=lambda: environment("other", "node-demo"))
    assert [(operation, urn.rpartition("::")[2]) for operation, urn in engine.done()] == [
        ("create", "interruption"),
        ("delete", "interruption"),
    ]

    stack.destroy(color="never")
    gone = [urn.rpartition("::")[2] for _, urn in engine.done()]
    assert sorted(gone) == sorted(made)
    assert gone.index("default") < gone.index("node")


def test_karpenter_on_a_cluster_of_pulumi_eks_lives_and_goes(engine: Engine, tmp_path: Path):
    """As its preview showed it, without a change the second time, and with the NodePool deleted before what it needs."""
    (tmp_path / "Pulumi.yaml").write_text("{name: cutlist, runtime: python}")
    stack = engine.stack("eks", tmp_path, on_pulumi_eks)
    preview = stack.preview(color="never")
    up = stack.up(color="never")
    assert preview.change_summary == {OpType.CREATE: up.summary.resource_changes["create"]}
    made = [urn.split("::", 2)[2] for operation, urn in engine.done() if operation == "create"]
    stack.up(color="never", expect_no_changes=True)
    assert engine.done() == []
    stack.destroy(color="never")
    gone = [urn.split("::", 2)[2] for operation, urn in engine.done() if operation == "delete"]
    assert [urn.rpartition("::")[2] for urn in made if urn not in gone] == ["shop-karpenter-crds"]  # kept by a destroy
    assert set(gone) <= set(made)

    def step(text: str) -> int:
        return next(number for number, urn in enumerate(gone) if text in urn)

    assert step(":NodePool::") < step(":EC2NodeClass::") < step("Release::") < step("aws:sqs/queue:Queue::")


def test_a_protected_cluster_by_itself_keeps_all_that_it_has(engine: Engine, tmp_path: Path):
    """Nodes, add-ons and access among it. What others put into it is removed before, as the page on clusters says."""
    (tmp_path / "Pulumi.yaml").write_text("{name: cutlist, runtime: python}")
    stack = engine.stack("protected", tmp_path, protected)
    stack.up(color="never")
    made = {urn for operation, urn in engine.done() if operation == "create"}
    assert len([urn for urn in made if "cutlist:index:Cluster$" in urn]) > 10
    with pytest.raises(CommandError, match=r"control_plane\.cluster_name: 'shop' becomes 'store', another cluster"):
        stack.preview(color="never", program=lambda: protected("store"))
    with pytest.raises(CommandError, match="::shop-protection"):
        stack.destroy(color="never")
    assert [urn.rpartition("::")[2] for _, urn in engine.done()] == ["team"]


def test_what_an_account_would_refuse_fails_a_preview(engine: Engine, tmp_path: Path):
    """With the resource, the path, what is accepted, and who says so."""
    (tmp_path / "Pulumi.yaml").write_text("{name: cutlist, runtime: python}")
    stack = engine.stack("refused", tmp_path, lambda: environment("web.jobs", "node-demo"))
    with pytest.raises(CommandError, match=r"name: 'web\.jobs' is not accepted: .* \(SQS CreateQueue\)"):
        stack.preview(color="never")
    assert engine.done() == []
