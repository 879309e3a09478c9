"""Edits of a cluster's inputs on a real engine: previews announce what updates do, successors are made before their
predecessors are deleted, and the controller and CoreDNS stay."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import pytest
from pulumi import automation
from pulumi_cutlist.aws import KarpenterCluster

from tests.engine.answers import ACCOUNT
from tests.engine.engine import Engine
from tests.infrastructure.joined_program import NEW, OBJECTS

pytestmark = pytest.mark.xdist_group("engine-edits")

Inputs: TypeAlias = dict[str, Any]
NODE_GROUP, TEMPLATE = "aws:eks/nodeGroup:NodeGroup", "aws:ec2/launchTemplate:LaunchTemplate"
CLUSTER, ADD_ON, LOGS = "aws:eks/cluster:Cluster", "aws:eks/addon:Addon", "aws:cloudwatch/logGroup:LogGroup"
ENTRY, ACCESS = "aws:eks/accessEntry:AccessEntry", "aws:eks/accessPolicyAssociation:AccessPolicyAssociation"
RELEASE, KEY, ALIAS = "kubernetes:helm.sh/v3:Release", "aws:kms/key:Key", "aws:kms/alias:Alias"
ROLE_POLICY, ALARM = "aws:iam/rolePolicy:RolePolicy", "aws:cloudwatch/metricAlarm:MetricAlarm"
QUEUE, QUEUE_POLICY, TARGET = "aws:sqs/queue:Queue", "aws:sqs/queuePolicy:QueuePolicy", "aws:cloudwatch/eventTarget:EventTarget"
POLICY, ATTACHMENT = "aws:iam/policy:Policy", "aws:iam/rolePolicyAttachment:RolePolicyAttachment"
NODE_CLASS = "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass"
NETWORK = {
    ("create", "aws:ec2/eip:Eip"): 1,
    ("create", "aws:ec2/natGateway:NatGateway"): 1,
    ("update", "aws:ec2/route:Route"): 1,
    ("update", "aws:ec2/vpcEndpoint:VpcEndpoint"): 1,
    ("delete", "aws:ec2/routeTableAssociation:RouteTableAssociation"): 3,
    ("delete", "aws:ec2/route:Route"): 1,
    ("delete", "aws:ec2/routeTable:RouteTable"): 1,
    ("delete", "aws:ec2/subnet:Subnet"): 3,
}
REPLACED = {("create", NODE_GROUP): 1, ("delete", NODE_GROUP): 1}
ZONES = ["eu-west-1a", "eu-west-1b"]
TOPIC = "arn:aws:sns:eu-west-1:111122223333:on-call"

EDITS: dict[str, tuple[dict[str, Any], dict[tuple[str, str], int]]] = {
    "another type of system nodes, and one more administrator": (
        {
            "system_nodes.instance_types": ["m8g.large", "m7g.large"],
            "admins.second": "arn:aws:iam::111122223333:role/Second",
        },
        {**REPLACED, ("create", ENTRY): 1, ("create", ACCESS): 1},
    ),
    "other images and disks, an administrator less, an add-on more": (
        {
            "system_nodes": {"ami_type": "AL2023_x86_64_STANDARD", "disk_gib": 40},
            "admins.second": None,
            "add_ons.metrics-server": {},
        },
        {**REPLACED, ("update", TEMPLATE): 1, ("delete", ENTRY): 1, ("delete", ACCESS): 1, ("create", ADD_ON): 1},
    ),
    "production, later versions of Kubernetes, Karpenter and CoreDNS, a feature gate of it, other callers, fewer logs": (
        {
            "production": True,
            "kubernetes_version": "1.36",
            "karpenter_version": "1.15.1",
            "charts.aws_feature_gates": {"node_class_cel": True},
            "add_ons.coredns": {"version": "v1.14.3-eksbuild.3"},
            "public_access_cidrs": ["203.0.113.0/24", "198.51.100.0/24"],
            "control_plane.log_retention_days": 30,
        },
        {("update", CLUSTER): 1, ("update", NODE_GROUP): 1, ("update", ADD_ON): 5, ("update", LOGS): 1, ("update", RELEASE): 2},
    ),
    "a zone less, a gateway in each, secrets under a key, callers in another order, no wish for a version of CoreDNS": (
        {
            "network.own": {"zones": ZONES, "nat": "per-zone"},
            "control_plane.encrypt_secrets": True,
            "public_access_cidrs": ["198.51.100.0/24", "203.0.113.0/24"],
            "add_ons.coredns": None,
        },
        {
            **REPLACED,
            **NETWORK,
            ("update", CLUSTER): 1,
            ("create", KEY): 1,
            ("create", ALIAS): 1,
            ("create", ROLE_POLICY): 1,
            ("update", ADD_ON): 1,
        },
    ),
    "no production any longer, zonal shift, more memory, an alarm, an add-on less, a queue for what is not delivered": (
        {
            "production": None,
            "zonal_shift": True,
            "charts.memory": "2Gi",
            "interruption": {"alarm_actions": [TOPIC], "dead_letters": True},
            "add_ons": None,
        },
        {
            ("update", CLUSTER): 1,
            ("create", POLICY): 1,
            ("create", ATTACHMENT): 1,
            ("update", RELEASE): 1,
            ("update", NODE_CLASS): 1,
            ("create", QUEUE): 1,
            ("create", QUEUE_POLICY): 1,
            ("create", ALARM): 1,
            ("update", TARGET): 5,
            ("delete", ADD_ON): 1,
        },
    ),
}
"""By what a person would say: inputs by path, None for one that is left out again; with the calls of providers."""


REFUSED: dict[str, tuple[Any, str]] = {
    "network.own.cidr": ("10.99.0.0/16", "network.own.cidr: '10.0.0.0/16' becomes '10.99.0.0/16'"),
    "network.own.private_prefix": (20, "the subnet of nodes in eu-west-1a is 10.0.0.0/19 and would be 10.0.0.0/20"),
    "network.service_cidr": ("172.21.0.0/16", "network.service_cidr: EKS chose the range"),
    "control_plane.ip_family": ("ipv6", "control_plane.ip_family: 'ipv4' becomes 'ipv6'"),
    "control_plane.encrypt_secrets": (None, "control_plane.encrypt_secrets: secrets stay under the key"),
    "kubernetes_version": ("1.35", "kubernetes_version: system nodes run 1.36, and nodes cannot be newer"),
}
"""Edits that EKS would not make, of the cluster after all the other edits, with what a preview says."""


def _edited(inputs: Inputs, path: str, value: Any) -> None:
    *sections, last = path.split(".")
    for section in sections:
        inputs = inputs.setdefault(section, {})
    if value is None:
        inputs.pop(last)
    else:
        inputs[last] = value


def _noted(steps: Counter[tuple[str, str]]) -> Callable[[automation.EngineEvent], None]:
    """Return what notes the steps of an operation as the engine reports them."""

    def note(event: automation.EngineEvent) -> None:
        step = event.resource_pre_event.metadata if event.resource_pre_event else None
        if step is not None and step.op != automation.OpType.SAME:
            steps[str(step.op), step.urn] += 1

    return note


def _type(urn: str) -> str:
    return urn.split("::")[2].rpartition("$")[2]


def _name(urn: str) -> str:
    return urn.rpartition("::")[2]


@pytest.fixture(scope="module")
def cluster(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[automation.Stack, Inputs]]:
    """A stack with a cluster, and the inputs that its program reads."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "Pulumi.yaml").write_text("{name: cutlist, runtime: python}")
    inputs = copy.deepcopy({**NEW, **OBJECTS, "karpenter_version": "1.14.3"})
    stack = engine.stack("edits", folder, lambda: KarpenterCluster("shop", copy.deepcopy(inputs)) and None)
    stack.up(color="never")
    engine.done()
    yield stack, inputs
    stack.destroy(color="never")


@pytest.mark.parametrize(("edit", "calls"), EDITS.values(), ids=list(EDITS))
def test_an_edit_does_what_its_preview_announces(engine: Engine, cluster, edit, calls):  # I-10
    """Each step of each resource, one edit after the other on one cluster. The controller and CoreDNS run on the system nodes,
    and nothing else can start nodes."""
    stack, inputs = cluster
    for path, value in edit.items():
        _edited(inputs, path, value)
    announced: Counter[tuple[str, str]] = Counter()
    made: Counter[tuple[str, str]] = Counter()
    stack.preview(color="never", on_event=_noted(announced))
    stack.up(color="never", on_event=_noted(made))
    done = engine.done()
    assert announced == made
    assert Counter((operation, _type(urn)) for operation, urn in done) == calls
    kept = {_name(urn) for operation, urn in done if operation == "delete"} & {
        "shop-cluster-coredns",
        "shop-karpenter-controller",
    }
    assert not kept
    of_nodes = [operation for operation, urn in done if _type(urn) == NODE_GROUP]
    assert of_nodes in ([], ["update"], ["create", "delete"])


@pytest.mark.parametrize(
    ("path", "value", "before"),
    [("cluster_name", "store", "shop"), ("region", "eu-west-2", "eu-west-1"), ("account_id", "444455556666", ACCOUNT)],
)
def test_another_cluster_is_refused_in_a_preview(engine: Engine, cluster, path, value, before):
    """The old one would lose its roles and the tags of its subnets before its nodes are drained."""
    stack, inputs = cluster
    changed = json.loads(json.dumps(inputs).replace(before, value))
    assert changed[path] == value
    with pytest.raises(automation.CommandError, match=f"'{before}' becomes '{value}', another cluster"):
        stack.preview(color="never", program=lambda: KarpenterCluster("shop", changed) and None)
    assert engine.done() == []


@pytest.mark.parametrize(("path", "value"), REFUSED.items(), ids=list(REFUSED))
def test_what_cannot_change_is_refused_in_a_preview(engine: Engine, cluster, path, value):  # I-83, I-85
    """Under the name that the program has, and before anything is done."""
    stack, inputs = cluster
    changed = copy.deepcopy(inputs)
    _edited(changed, path, value[0])
    with pytest.raises(automation.CommandError, match=value[1]):
        stack.preview(color="never", program=lambda: KarpenterCluster("shop", changed) and None)
    assert engine.done() == []
