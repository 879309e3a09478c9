"""A walk through edits of one cluster on a real engine: what a preview says to each, what the update does, and that the way
back works; and through the versions of Kubernetes, up and back.

Edits that do not touch the same resources are made in one update, whose calls are theirs together. `test_edits` has further
ones, and those that are refused.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from pulumi import automation
from pulumi_cutlist.aws import KarpenterCluster

from tests.engine.engine import Engine
from tests.engine.test_edits import (
    ACCESS,
    ADD_ON,
    ALARM,
    ATTACHMENT,
    CLUSTER,
    ENTRY,
    LOGS,
    NODE_CLASS,
    NODE_GROUP,
    QUEUE,
    QUEUE_POLICY,
    RELEASE,
    TARGET,
    TOPIC,
)
from tests.infrastructure.joined_program import NEW, OBJECTS

pytestmark = pytest.mark.xdist_group("engine-walk")

NODE_POOL = "kubernetes:karpenter.sh/v1:NodePool"
DRAIN, SPOT = "pulumi-python:dynamic/cutlist:Drain", "pulumi-python:dynamic/cutlist:EnsuredServiceLinkedRole"
TEMPLATE, ROLE = "aws:ec2/launchTemplate:LaunchTemplate", "aws:iam/role:Role"
CAPABILITY, RESERVATION = "aws:eks/capability:Capability", "aws:ec2/capacityReservation:CapacityReservation"
ENDPOINT, GROUP = "aws:ec2/vpcEndpoint:VpcEndpoint", "aws:ec2/securityGroup:SecurityGroup"
INGRESS = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"
PROFILE = "aws:iam/instanceProfile:InstanceProfile"
BASE: dict[str, Any] = {**NEW, **OBJECTS, "karpenter_version": "1.14.3"}
NODES: dict[str, Any] = {"instance_types": ["m8g.large", "m7g.large"]}
SECOND = {**OBJECTS["node_pools"][0], "metadata": {"name": "second"}}
INVERSE = {"create": "delete", "delete": "create", "update": "update"}


@dataclass(frozen=True, slots=True)
class Edit:
    """Inputs by path, with the calls of providers by operation and type, and what the preview of the way back says."""

    inputs: dict[str, Any]
    calls: dict[tuple[str, str], int]
    way_back: str = ""
    back: dict[tuple[str, str], int] = field(default_factory=dict)

    @property
    def calls_back(self) -> Counter[tuple[str, str]]:
        """Return the calls of the way back."""
        return Counter(self.back or {(INVERSE[operation], type_): n for (operation, type_), n in self.calls.items()})


FIRST: dict[str, Edit] = {
    "one more system node": Edit({"system_nodes": {"minimum": 3}}, {("update", NODE_GROUP): 1}),
    "a later Karpenter": Edit(
        {"karpenter_version": "1.15.1"}, {("update", RELEASE): 2}, "Karpenter goes back from 1.15.1 to 1.14.3"
    ),
    "an administrator": Edit(
        {"admins.second": "arn:aws:iam::111122223333:role/Second"}, {("create", ENTRY): 1, ("create", ACCESS): 1}
    ),
    "callers from outside": Edit({"public_access_cidrs": ["203.0.113.0/24"]}, {("update", CLUSTER): 1}),
    "a pinned CoreDNS": Edit({"add_ons.coredns": {"version": "v1.14.3-eksbuild.3"}}, {("update", ADD_ON): 1}),
    "higher limits of a NodePool": Edit({"node_pools.0.spec.limits": {"cpu": "999"}}, {("update", NODE_POOL): 1}),
    "another image": Edit(
        {"node_classes.0.spec.amiSelectorTerms": [{"alias": "al2023@v20260714"}]}, {("update", NODE_CLASS): 1}
    ),
    "a policy of nodes": Edit(
        {"node_identity.extra_policy_arns": ["arn:aws:iam::aws:policy/AmazonSSMPatchAssociation"]},
        {("create", ATTACHMENT): 1},
    ),
    "logs for a month": Edit({"control_plane.log_retention_days": 30}, {("update", LOGS): 1}),
    "a destroy that stops at others' NodePools": Edit({"foreign_node_pools": "fail"}, {("update", DRAIN): 1}),
}
SECOND_STEP: dict[str, Edit] = {
    "other types of system nodes": Edit({"system_nodes": NODES}, {("create", NODE_GROUP): 1, ("delete", NODE_GROUP): 1}),
    "more memory for Karpenter": Edit({"charts.memory": "2Gi"}, {("update", RELEASE): 1}),
    "fewer kinds of logs": Edit({"control_plane.log_types": ["audit"]}, {("update", CLUSTER): 1}),
    "a queue for what is not delivered, and an alarm": Edit(
        {"interruption": {"alarm_actions": [TOPIC], "dead_letters": True}},
        {("create", QUEUE): 1, ("create", QUEUE_POLICY): 1, ("create", ALARM): 1, ("update", TARGET): 5},
        back={("delete", QUEUE): 1, ("delete", QUEUE_POLICY): 1, ("delete", ALARM): 1, ("update", TARGET): 5},
    ),
    "a node group beside the system's, in one zone": Edit(
        {"node_groups.batch": {"instance_types": ["m7i.large"], "zones": ["eu-west-1b"], "minimum": 0}},
        {("create", NODE_GROUP): 1, ("create", TEMPLATE): 1, ("create", ROLE): 1, ("create", ATTACHMENT): 2},
    ),
    "a capability": Edit({"control_plane.capabilities": {"kro": {}}}, {("create", CAPABILITY): 1, ("create", ROLE): 1}),
    "reserved machines": Edit(
        {"capacity_reservations.web": {"instance_type": "m7i.large", "zone": "eu-west-1a", "instances": 2}},
        {("create", RESERVATION): 1},
    ),
    "an endpoint of a further service": Edit(
        {"network.own.endpoints": ["secretsmanager"]},
        {("create", ENDPOINT): 1, ("create", GROUP): 1, ("create", INGRESS): 3},
    ),
    "no spot": Edit({"spot_role": "skip"}, {("delete", SPOT): 1}),
    "a second NodePool": Edit({"node_pools.1": SECOND}, {("create", NODE_POOL): 1, ("update", DRAIN): 1}),
    "an add-on": Edit({"add_ons.metrics-server": {}}, {("create", ADD_ON): 1}),
}
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "two minor versions up": (
        {"kubernetes_version": "1.37"},
        "kubernetes_version: EKS is not known to have Kubernetes 1.37",
    ),
    "two minor versions down": (
        {"kubernetes_version": "1.33", "control_plane.support_type": "EXTENDED"},
        "kubernetes_version: Kubernetes 1.35 runs, and EKS goes back by one minor version at a time",
    ),
    "the discovery tag of another cluster": (
        {"node_classes.0.spec.subnetSelectorTerms": [{"tags": {"karpenter.sh/discovery": "other"}}]},
        "karpenter.sh/discovery: other finds what belongs to another cluster",
    ),
    "another role of nodes": ({"node_classes.0.spec.role": "Other"}, "role 'Other' is not that of the cluster's nodes"),
}


def edited(*edits: dict[str, Any]) -> dict[str, Any]:
    """The inputs of the cluster after some edits."""
    inputs = copy.deepcopy(BASE)
    for path, value in ((path, value) for edit in edits for path, value in edit.items()):
        *sections, last = path.split(".")
        at: Any = inputs
        for section in sections:
            at = at[int(section)] if isinstance(at, list) else at.setdefault(section, {})
        if isinstance(at, list):
            at.append(value)
        else:
            at[last] = value
    return inputs


def together(edits: dict[str, Edit]) -> Counter[tuple[str, str]]:
    """The calls of several edits."""
    return sum((Counter(edit.calls) for edit in edits.values()), Counter())


def back(edits: dict[str, Edit]) -> Counter[tuple[str, str]]:
    """The calls of the way back from several edits."""
    return sum((edit.calls_back for edit in edits.values()), Counter())


@dataclass(frozen=True, slots=True)
class Walker:
    """A stack with a cluster, of which the inputs are edited."""

    engine: Engine
    stack: automation.Stack

    def announced(self, *edits: dict[str, Any]) -> tuple[Counter[tuple[str, str]], str]:
        """The steps of providers that a preview announces for the cluster with these edits, and its text."""
        steps: Counter[tuple[str, str]] = Counter()

        def note(event: automation.EngineEvent) -> None:
            step = event.resource_pre_event.metadata if event.resource_pre_event else None
            if step is not None and not step.type.startswith("cutlist:") and step.type != "pulumi:pulumi:Stack":
                steps[_OPERATIONS.get(str(step.op.value), ""), step.type] += 1

        inputs = edited(*edits)
        preview = self.stack.preview(
            color="never", on_event=note, program=lambda: KarpenterCluster("shop", copy.deepcopy(inputs)) and None
        )
        return Counter({key: count for key, count in steps.items() if key[0]}), preview.stdout

    def made(self, *edits: dict[str, Any]) -> tuple[list[tuple[str, str]], str]:
        """The calls of providers in an update to the cluster with these edits, in order, and the text of the update."""
        inputs = edited(*edits)
        up = self.stack.up(color="never", program=lambda: KarpenterCluster("shop", copy.deepcopy(inputs)) and None)
        return [(operation, urn.split("::")[2].rpartition("$")[2]) for operation, urn in self.engine.done()], up.stdout


_OPERATIONS = {operation: operation for operation in INVERSE}
_OPERATIONS |= {"create-replacement": "create", "delete-replaced": "delete"}


@pytest.fixture(scope="module")
def walker(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walker]:
    """A cluster of Kubernetes 1.35 with Karpenter 1.14.3."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "Pulumi.yaml").write_text("{name: cutlist, runtime: python}")
    stack = engine.stack("walk", folder, lambda: KarpenterCluster("shop", copy.deepcopy(BASE)) and None)
    walker = Walker(engine, stack)
    walker.made()
    yield walker
    stack.destroy(color="never")


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("edit", {**FIRST, **SECOND_STEP}.values(), ids=list({**FIRST, **SECOND_STEP}))
def test_a_preview_says_what_an_edit_does(walker: Walker, edit: Edit):  # I-10
    assert walker.announced(edit.inputs)[0] == Counter(edit.calls)


@pytest.mark.parametrize(("inputs", "says"), REFUSED.values(), ids=list(REFUSED))
def test_a_preview_refuses_what_cannot_be(walker: Walker, inputs, says):  # I-85
    """Without a traceback, and in the words of the program."""
    with pytest.raises(automation.CommandError) as error:
        walker.announced(inputs)
    assert says in str(error.value)
    assert "Traceback" not in str(error.value)
    assert walker.engine.done() == []


def test_updates_do_it_and_the_way_back_undoes_it(walker: Walker):  # I-10, I-87
    """In two updates, the second of which takes the first back, and a third that takes the second back."""
    first, second = ([edit.inputs for edit in edits.values()] for edits in (FIRST, SECOND_STEP))
    assert Counter(walker.made(*first)[0]) == together(FIRST)
    announced, text = walker.announced()
    assert announced == back(FIRST)
    assert all(edit.way_back in text for edit in FIRST.values())
    done, _ = walker.made(*second)
    # Two edits of both steps are of the same resource, which is updated once.
    assert Counter(done) == back(FIRST) + together(SECOND_STEP) - _SHARED
    assert Counter(walker.made()[0]) == back(SECOND_STEP)


_SHARED = Counter({("update", RELEASE): 1, ("update", CLUSTER): 1, ("update", NODE_GROUP): 1, ("update", DRAIN): 1})


def test_kubernetes_goes_up_and_back_in_an_order_that_works(walker: Walker):  # I-85, I-86
    """Up in one update. Back in two: nodes cannot be newer than the control plane."""
    up = {"kubernetes_version": "1.36"}
    done, _ = walker.made(up)
    order = [type_ for _, type_ in done if type_ in (CLUSTER, ADD_ON, NODE_GROUP)]
    assert order == [CLUSTER, ADD_ON, ADD_ON, ADD_ON, NODE_GROUP, ADD_ON]
    with pytest.raises(automation.CommandError, match=r"kubernetes_version: system nodes run 1\.36"):
        walker.announced()
    nodes = {"system_nodes": {"version": "1.35"}}
    done, _ = walker.made(up, nodes)
    assert Counter(done) == {("update", NODE_GROUP): 1, ("update", ADD_ON): 4}
    done, text = walker.made(nodes)
    assert done == [("update", CLUSTER)]
    assert "Kubernetes goes back from 1.36 to 1.35: EKS does this within 7 days of the upgrade" in text
    assert walker.made()[0] == []
