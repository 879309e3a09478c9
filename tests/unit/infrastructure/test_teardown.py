"""Teardown, decided: what stays, what an error code means, what a sweep's report says and exits with."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from cutlist.core.records import json_of
from cutlist.infrastructure.names import ClusterFacts
from cutlist.infrastructure.teardown import steps
from cutlist.infrastructure.teardown.cluster_state import ClusterState, LiveObjects, ObservedCluster
from cutlist.infrastructure.teardown.drain import ForeignObjects, foreign, holding, is_in_use
from cutlist.infrastructure.teardown.leftovers import Leftover, LeftoverKind
from cutlist.infrastructure.teardown.report import Result, Stop, Stopped, SweepReport, SweptLeftover
from cutlist.infrastructure.teardown.steps import ErrorMeaning
from cutlist.verbs.sweep.text import render_sweep

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
FACTS = ClusterFacts("shop", "eu-west-1", "111122223333")
OLD, YOUNG = NOW - timedelta(hours=3), NOW - timedelta(minutes=9)


def leftover(
    kind: LeftoverKind = LeftoverKind.INSTANCE, id_: str = "i-1", created: datetime | None = OLD, **more: object
) -> Leftover:
    return Leftover(kind, id_, created=created, **more)


def alive(**live: object) -> ObservedCluster:
    return ObservedCluster(ClusterState.ALIVE, NOW, LiveObjects(**live))


@pytest.mark.parametrize("state", [ClusterState.GONE, ClusterState.DELETING])
@pytest.mark.parametrize("kind", LeftoverKind)
def test_of_a_cluster_that_is_gone_everything_may_go(state, kind):
    assert ObservedCluster(state, NOW).reason_to_keep(leftover(kind, created=YOUNG)) == ""


@pytest.mark.parametrize("kind", LeftoverKind)
def test_of_a_cluster_that_does_not_answer_nothing_may_go(kind):  # I-62
    assert ObservedCluster(ClusterState.UNREACHABLE, NOW).reason_to_keep(leftover(kind)) != ""


def test_an_instance_that_a_claim_or_node_names_stays():  # I-61 I-69
    claims = [{"status": {"providerID": "aws:///eu-west-1a/i-1"}}, {"status": {}}, {}]
    nodes = [{"spec": {"providerID": "aws:///eu-west-1b/i-2"}}]
    cluster = ObservedCluster(ClusterState.ALIVE, NOW, LiveObjects.of(claims, nodes, []))
    assert cluster.reason_to_keep(leftover(id_="i-1")) == "a NodeClaim or Node of the cluster names it"
    assert cluster.reason_to_keep(leftover(id_="i-2")) == "a NodeClaim or Node of the cluster names it"
    assert cluster.reason_to_keep(leftover(id_="i-12")) == ""


@pytest.mark.parametrize("kind", [LeftoverKind.INSTANCE, LeftoverKind.INTERFACE])
def test_what_is_young_in_a_living_cluster_stays(kind):
    """An instance has no NodeClaim's status at first, and an interface is idle before it is attached."""
    assert alive().reason_to_keep(leftover(kind, created=YOUNG)) == "it is younger than 10 minutes"
    assert alive().reason_to_keep(leftover(kind, created=None)) == "its age is not known"
    assert alive().reason_to_keep(leftover(kind, created=OLD)) == ""


@pytest.mark.parametrize("kind", [LeftoverKind.LAUNCH_TEMPLATE, LeftoverKind.INSTANCE_PROFILE])
def test_templates_and_profiles_stay_as_long_as_there_is_a_class(kind):  # A-64
    """A controller that runs removes those that it no longer uses by itself."""
    assert (
        alive(node_classes=("default", "gpu")).reason_to_keep(leftover(kind)) == "the cluster has EC2NodeClasses: default, gpu"
    )
    assert alive().reason_to_keep(leftover(kind)) == ""


def test_what_an_operator_manages_stays_even_when_the_cluster_is_gone():
    managed = leftover(managed_by="eks.amazonaws.com")
    assert ObservedCluster(ClusterState.GONE, NOW).reason_to_keep(managed) == "eks.amazonaws.com manages it"


@pytest.mark.parametrize(
    ("step", "code", "outcome"),
    [
        (steps.TERMINATE, "InvalidInstanceID.NotFound", ErrorMeaning.DONE),
        (steps.TERMINATE, "IncorrectInstanceState", ErrorMeaning.AGAIN),
        (steps.TERMINATE, "OperationNotPermitted", ErrorMeaning.FAILED),
        (steps.TERMINATE, "UnauthorizedOperation", ErrorMeaning.DENIED),
        (steps.DELETE_TEMPLATE, "InvalidLaunchTemplateId.NotFound", ErrorMeaning.DONE),
        (steps.DELETE_TEMPLATE, "InvalidLaunchTemplateName.NotFoundException", ErrorMeaning.DONE),
        (steps.PROFILE, "NoSuchEntity", ErrorMeaning.DONE),
        (steps.REMOVE_ROLE, "ConcurrentModification", ErrorMeaning.AGAIN),
        (steps.DELETE_PROFILE, "DeleteConflict", ErrorMeaning.AGAIN),
        (steps.DELETE_PROFILE, "AccessDenied", ErrorMeaning.DENIED),
        (steps.DELETE_INTERFACE, "InvalidNetworkInterfaceID.NotFound", ErrorMeaning.DONE),
        (steps.DELETE_INTERFACE, "InvalidNetworkInterface.InUse", ErrorMeaning.AGAIN),
        (steps.DELETE_INTERFACE, "InvalidParameterValue", ErrorMeaning.AGAIN),
        (steps.INSTANCES, "InvalidInstanceID.NotFound", ErrorMeaning.FAILED),
        *((step, "Throttling", ErrorMeaning.AGAIN) for step in vars(steps).values() if isinstance(step, steps.SweepStep)),
    ],
)
def test_what_a_code_means_depends_on_the_step(step, code, outcome):  # I-64
    assert step.outcome(code) is outcome


def report(*results: Result, **more: object) -> SweepReport:
    findings = tuple(SweptLeftover(leftover(id_=f"i-{n}"), result) for n, result in enumerate(results))
    return SweepReport(FACTS, ClusterState.GONE, NOW, findings, **more)


@pytest.mark.parametrize(
    ("made", "code"),
    [
        (report(), 0),
        (report(Result.REMOVED, Result.KEPT, Result.REPORTED), 0),
        (report(Result.REMOVED, Result.FAILED), 1),
        (report(Result.TO_REMOVE), 1),
        (report(stopped=Stopped(Stop.FAILED, "the network is down")), 1),
        (report(Result.FAILED, stopped=Stopped(Stop.REFUSED, "another account")), 2),
        (report(Result.FAILED, Result.DENIED), 3),
        (report(stopped=Stopped(Stop.DENIED, "ec2:DescribeInstances")), 3),
    ],
)
def test_exit_codes(made, code):  # I-65
    assert made.exit_code == code


def test_a_cluster_that_could_not_be_looked_at_may_have_left_anything():
    """As without credentials: that is not the code for leftovers."""
    stopped = Stopped(Stop.FAILED, "no usable credentials")
    assert SweepReport(FACTS, None, NOW, stopped=stopped).exit_code == 2
    assert report(stopped=stopped).exit_code == 1


def test_a_report_as_text_says_what_became_of_each_and_why():
    gone = leftover(usd_per_hour=0.1, name="m7g.large", matched=("eks:eks-cluster-name=shop",))
    kept = leftover(LeftoverKind.LAUNCH_TEMPLATE, "lt-1", YOUNG)
    made = SweepReport(
        FACTS,
        ClusterState.ALIVE,
        NOW,
        (SweptLeftover(gone, Result.TO_REMOVE), SweptLeftover(kept, Result.KEPT, "the cluster has EC2NodeClasses: default")),
        unseen=("tag:GetResources: AccessDenied: no",),
    )
    text = render_sweep(made)
    assert "Cluster shop in eu-west-1, account 111122223333: alive" in text
    assert ["instance", "i-1", "m7g.large", "3", "h", "0.100"] in [line.split() for line in text.splitlines()]
    assert "eks:eks-cluster-name=shop" in text
    assert "the cluster has EC2NodeClasses: default" in text
    assert "tag:GetResources" in text
    assert "1 leftover would be removed, worth $0.100 an hour." in text


def test_a_report_as_json_holds_everything():
    gate_report = report(Result.FAILED, stopped=Stopped(Stop.REFUSED, "too many"))
    read = json.loads(json_of(gate_report))
    assert (read["cluster"], read["state"], read["exitCode"]) == ("shop", "gone", 2)
    assert read["stopped"] == {"by": "refused", "why": "too many"}
    assert read["findings"][0]["created"] == "2026-11-21T09:00:00+00:00"
    assert (read["findings"][0]["kind"], read["findings"][0]["result"]) == ("instance", "failed")


def test_names_that_would_act_on_a_terminal_are_spelled_out():
    made = SweepReport(FACTS, ClusterState.GONE, NOW, (SweptLeftover(leftover(name="\x1b[31mred"), Result.FAILED, "x"),))
    assert "\x1b" not in render_sweep(made)


def pool(name: str, group: str = "karpenter.k8s.aws", **metadata: object) -> dict[str, object]:
    spec = {"template": {"spec": {"nodeClassRef": {"group": group, "name": "default"}}}}
    return {"metadata": {"name": name, **metadata}, "spec": spec}


def claim(name: str, node: str = "", group: str = "karpenter.k8s.aws") -> dict[str, object]:
    return {"metadata": {"name": name}, "spec": {"nodeClassRef": {"group": group}}, "status": {"nodeName": node}}


def test_pools_of_auto_mode_are_never_foreign():  # I-58
    found = foreign([pool("a"), pool("system", "eks.amazonaws.com")], [claim("a-1"), claim("s-1", group="eks.amazonaws.com")])
    assert found == ForeignObjects(("a",), ("a-1",))
    assert str(found) == "NodePools: a; NodeClaims: a-1"


def test_the_stacks_own_pools_are_in_use_until_they_are_deleted():
    assert is_in_use([pool("general")], {"general"})
    assert not is_in_use([pool("general", deletionTimestamp="2026-11-21T12:00:00Z")], {"general"})
    assert not is_in_use([pool("others")], {"general"})


def test_the_pods_that_hold_a_node_are_named():
    """Pods that a drain does not wait for are not: those of DaemonSets, static pods and pods that are over."""

    def pod(name: str, node: str = "n1", **more: object) -> dict[str, object]:
        metadata = {"name": name, "namespace": "shop", **more}
        return {"metadata": metadata, "spec": {"nodeName": node}, "status": {"phase": "Running"}}

    pods = [
        pod("web"),
        pod("batch", annotations={"karpenter.sh/do-not-disrupt": "true"}),
        pod("agent", ownerReferences=[{"kind": "DaemonSet"}]),
        pod("static", annotations={"kubernetes.io/config.mirror": "x"}),
        pod("elsewhere", "n2"),
        {**pod("over"), "status": {"phase": "Succeeded"}},
    ]
    assert holding([claim("a-1", "n1")], pods) == [
        "a-1: pod shop/batch on node n1: it has karpenter.sh/do-not-disrupt",
        "a-1: pod shop/web on node n1: not evicted yet; is there a disruption budget?",
    ]
