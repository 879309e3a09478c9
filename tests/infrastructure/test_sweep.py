"""The sweep against an account on a server: what one cluster left goes, everything else stays."""

from __future__ import annotations

import base64
from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import boto3
import pytest

from cutlist.infrastructure.teardown.cluster_state import ClusterState
from cutlist.infrastructure.teardown.leftovers import LeftoverKind
from cutlist.infrastructure.teardown.report import Result, Stop, SweepReport
from cutlist_live.sweep.access import cluster_token
from cutlist_live.sweep.sweep import Scope, Sweep, SweepRequest
from tests.infrastructure.sweep_account import REGION, Called, Cloud, Karpenter, Objects, Time, facts, node_tags


@pytest.fixture
def cloud(aws_account: Cloud) -> Cloud:
    return aws_account


@pytest.fixture
def karpenter(cloud: Cloud) -> Karpenter:
    return Karpenter.of(cloud)


def sweep(cloud: Cloud, cluster: str = "shop", objects: Objects | None = None, **request: object) -> Sweep:
    given = {"facts": facts(cluster), **request}
    return Sweep(SweepRequest(**given), cloud, (objects or Objects()).connect, Time().clock)


def ids(report: SweepReport, *results: Result) -> set[str]:
    return {finding.leftover.id for finding in report.of(*results)}


def test_everything_that_a_gone_cluster_left_goes(cloud, karpenter):  # I-59 K-29 K-197 K-198
    left = karpenter.left("shop")
    report = sweep(cloud).run()
    assert report.state is ClusterState.GONE
    assert ids(report, Result.REMOVED) == left.ids
    assert report.exit_code == 0
    assert not left.ids & karpenter.there()


def test_a_second_run_finds_nothing(cloud, karpenter):  # I-65
    karpenter.left("shop")
    sweep(cloud).run()
    cloud.called.clear()
    report = sweep(cloud).run()
    assert (report.exit_code, report.of(Result.REMOVED, Result.FAILED), cloud.writes) == (0, (), [])


def test_clusters_of_similar_names_are_left_alone(cloud, karpenter):  # I-60
    lefts = {name: karpenter.left(name) for name in ("a", "ab", "A", "a-1")}
    before = karpenter.there()
    report = sweep(cloud, "a").run()
    assert ids(report, Result.REMOVED) == lefts["a"].ids
    assert karpenter.there() == before - lefts["a"].ids


def test_a_rehearsal_shows_what_a_run_would_remove_and_writes_nothing(cloud, karpenter):  # I-65
    left = karpenter.left("shop")
    before = karpenter.there()
    report = sweep(cloud).rehearse()
    assert (ids(report, Result.TO_REMOVE), report.exit_code) == (left.ids, 1)
    assert (cloud.writes, karpenter.there()) == ([], before)
    rehearsed = {call.operation for call in cloud.called if call.arguments.get("DryRun")}
    assert rehearsed == {"TerminateInstances", "DeleteLaunchTemplate", "DeleteNetworkInterface"}


class Killed(BaseException):
    """The process goes away."""


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize("after", [0, 2, 4, 6, 8])
def test_a_sweep_that_is_killed_is_finished_by_the_next(cloud, karpenter, after):
    """A run has nine writes; after whichever it ends, the next run removes the rest."""
    left = karpenter.left("shop")
    others = karpenter.left("other")

    def kill(_: Called) -> None:
        if len(cloud.writes) > after:
            raise Killed

    cloud.on_write = kill
    with pytest.raises(Killed):
        sweep(cloud).run()
    assert left.ids & karpenter.there()
    cloud.on_write = lambda _: None
    assert sweep(cloud).run().exit_code == 0
    assert not left.ids & karpenter.there()
    assert others.ids <= karpenter.there()


def test_leftovers_of_old_versions_go_as_well(cloud, karpenter):  # I-59 K-29 K-198
    old = {
        karpenter.instance({"karpenter.sh/managed-by": "shop", "karpenter.sh/nodepool": "general"}),
        karpenter.instance({"kubernetes.io/cluster/shop": "owned", "karpenter.sh/provisioner-name": "default"}),
        karpenter.template("Karpenter-shop-1", {"karpenter.k8s.aws/cluster": "shop"}),
        karpenter.profile("shop_77", "/", "shop"),
    }
    assert ids(sweep(cloud).run(), Result.REMOVED) == old


def test_profiles_elsewhere_or_of_another_region_stay(cloud, karpenter):  # I-67
    """The server lists all profiles whatever path it is asked for: the sweep looks for itself."""
    kept = {
        karpenter.profile("shop_1", "/karpenter/eu-west-1/shop/u/", "shop", "eu-west-1"),
        karpenter.profile("shop_2", f"/karpenter/{REGION}/shop/u/", "shop", "eu-west-1"),
        karpenter.profile("shop_3", "/", "shop", "eu-west-1"),
        karpenter.profile("shop_x", "/", "shop"),
        karpenter.profile("b_shop_4", "/", "shop"),
    }
    report = sweep(cloud).run()
    assert (report.findings, cloud.writes) == ((), [])
    assert kept <= karpenter.there()


def test_instances_of_a_node_group_stay(cloud, karpenter):
    node_group = karpenter.instance({"eks:cluster-name": "shop", "kubernetes.io/cluster/shop": "owned"})
    auto_mode = karpenter.instance({"eks:eks-cluster-name": "shop", "karpenter.sh/nodepool": "general-purpose"})
    assert sweep(cloud).run().findings == ()
    assert {node_group, auto_mode} <= karpenter.there()


def provider_id(instance: str) -> str:
    return f"aws:///{REGION}a/{instance}"


def test_what_a_living_cluster_uses_stays(cloud, karpenter):  # I-61 I-69
    """As when the sweep is taken out of a program whose cluster goes on."""
    left = karpenter.left("shop", 3)
    karpenter.cluster("shop")
    claimed, joined, stray = left.instances
    objects = Objects(
        claims=[{"metadata": {"name": "c"}, "status": {"providerID": provider_id(claimed)}}],
        joined=[{"metadata": {"name": "n"}, "spec": {"providerID": provider_id(joined)}}],
        classes=[{"metadata": {"name": "default"}}],
    )
    report = sweep(cloud, objects=objects).run()
    assert ids(report, Result.REMOVED) == {stray}
    assert ids(report, Result.KEPT) == left.ids - {stray}
    assert report.exit_code == 0
    assert karpenter.there() >= left.ids - {stray}


def test_the_living_cluster_is_asked_with_the_credentials_of_the_account(cloud, karpenter):
    """No kubeconfig is read: EKS says where the API is, and the token is a signed request that names the cluster."""
    karpenter.cluster("shop")
    objects = Objects()
    sweep(cloud, objects=objects).run()
    [endpoint] = objects.endpoints
    assert endpoint.server == cloud.made("eks").describe_cluster(name="shop")["cluster"]["endpoint"]
    assert endpoint.token.startswith("k8s-aws-v1.")
    assert endpoint.token not in repr(endpoint)


def test_the_token_is_a_signed_request_that_names_the_cluster():
    """Only the call that makes it names the cluster; later calls of the client are as before."""
    client = boto3.Session("AKIAEXAMPLE", "secret").client("sts", "eu-west-1", endpoint_url="https://sts.example")
    token = cluster_token(client, "shop").removeprefix("k8s-aws-v1.")
    url = urlsplit(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)).decode())
    query = {name: values[0] for name, values in parse_qs(url.query).items()}
    assert (url.hostname, query["Action"], query["X-Amz-Expires"]) == ("sts.example", "GetCallerIdentity", "60")
    assert query["X-Amz-SignedHeaders"] == "host;x-k8s-aws-id"
    assert "x-k8s-aws-id" not in client.generate_presigned_url("get_caller_identity")


def test_young_instances_of_a_living_cluster_stay(cloud, karpenter):
    left = karpenter.left("shop")
    karpenter.cluster("shop")
    made = Sweep(SweepRequest(facts("shop")), cloud, Objects().connect, Time(datetime.now(UTC)).clock).run()
    assert ids(made, Result.REMOVED) == {*left.templates, *left.profiles}
    assert set(left.instances) <= karpenter.there()


def test_nothing_goes_when_the_cluster_does_not_answer(cloud, karpenter):  # I-62
    left = karpenter.left("shop")
    karpenter.cluster("shop")
    report = sweep(cloud, objects=Objects(answers=False)).run()
    assert (report.exit_code, report.stopped.by, cloud.writes) == (2, Stop.REFUSED, [])
    assert ids(report, Result.KEPT) == left.ids
    assert "connection timed out" in report.stopped.why


def test_a_cluster_that_does_not_answer_can_be_taken_for_gone(cloud, karpenter):
    left = karpenter.left("shop")
    karpenter.cluster("shop")
    report = sweep(cloud, objects=Objects(answers=False), is_forced=True).run()
    assert (ids(report, Result.REMOVED), report.exit_code) == (left.ids, 0)


@pytest.mark.parametrize("wrong", [{"account": "999999999999"}, {"region": "eu-west-1"}], ids=str)
def test_another_account_or_region_is_refused_before_anything_is_asked(cloud, karpenter, wrong):  # I-63
    """A client that goes elsewhere is as wrong as credentials of another account."""
    karpenter.left("shop")
    report = Sweep(SweepRequest(facts("shop", **wrong)), cloud, Objects().connect, Time().clock).run()
    assert (report.exit_code, report.findings) == (2, ())
    assert [call.operation for call in cloud.called] == ["GetCallerIdentity"]


def test_more_instances_than_allowed_are_refused(cloud, karpenter):
    left = karpenter.left("shop", 3)
    report = sweep(cloud, ceiling=2).run()
    assert (report.exit_code, cloud.writes) == (2, [])
    assert ids(report, Result.KEPT) == set(left.instances)
    assert sweep(cloud, ceiling=3).run().exit_code == 0


def test_volumes_logs_and_balancers_are_only_reported(cloud, karpenter):  # I-68
    left = karpenter.left("shop")
    elb, logs = cloud.made("elbv2"), cloud.made("logs")
    second = cloud.made("ec2").create_subnet(VpcId=karpenter.vpc, CidrBlock="10.0.16.0/20", AvailabilityZone=f"{REGION}b")
    subnets = [karpenter.subnet, second["Subnet"]["SubnetId"]]
    tags = [{"Key": "elbv2.k8s.aws/cluster", "Value": "shop"}]
    [balancer] = elb.create_load_balancer(Name="web", Subnets=subnets, Tags=tags)["LoadBalancers"]
    elb.create_load_balancer(Name="web2", Subnets=subnets, Tags=[{"Key": "elbv2.k8s.aws/cluster", "Value": "shop2"}])
    for name in ("/aws/eks/shop/cluster", "/aws/eks/shop/cluster-2"):
        logs.create_log_group(logGroupName=name)
    report = sweep(cloud).run()
    assert ids(report, Result.REPORTED) == {*left.volumes, balancer["LoadBalancerArn"], "/aws/eks/shop/cluster"}
    assert report.exit_code == 0
    assert set(left.volumes) <= karpenter.there()


def test_idle_volumes_go_when_that_is_asked_for(cloud, karpenter):
    left = karpenter.left("shop")
    data = karpenter.volume(node_tags("shop"))
    report = sweep(cloud, volumes=frozenset({LeftoverKind.CLAIM_VOLUME})).run()
    assert set(left.volumes) <= ids(report, Result.REMOVED)
    assert ids(report, Result.REPORTED) == {data}


def test_volumes_of_a_living_cluster_are_not_even_looked_at(cloud, karpenter):
    karpenter.left("shop")
    karpenter.cluster("shop")
    sweep(cloud, volumes=frozenset(LeftoverKind)).run()
    assert "DescribeVolumes" not in [call.operation for call in cloud.called]


def test_the_second_pass_takes_interfaces_alone(cloud, karpenter):  # I-70
    left = karpenter.left("shop")
    report = sweep(cloud, scope=Scope.INTERFACES, vpc=karpenter.vpc).run()
    assert ids(report, Result.REMOVED) == set(left.interfaces)
    assert set(left.instances) <= karpenter.there()


def test_interfaces_of_another_network_stay(cloud, karpenter):
    left = karpenter.left("shop")
    elsewhere = cloud.made("ec2").create_vpc(CidrBlock="10.9.0.0/16")["Vpc"]["VpcId"]
    assert sweep(cloud, scope=Scope.INTERFACES, vpc=elsewhere).run().findings == ()
    assert set(left.interfaces) <= karpenter.there()


def test_interfaces_are_found_when_their_instance_went_an_hour_ago(cloud, karpenter):
    """A sweep that was killed after the instances still knows whose interfaces the nameless ones are."""
    left = karpenter.left("shop")
    cloud.made("ec2").terminate_instances(InstanceIds=left.instances)
    assert set(left.interfaces) <= ids(sweep(cloud).run(), Result.REMOVED)


def test_protected_instances_are_named_and_the_others_go(cloud, karpenter):  # I-64
    left = karpenter.left("shop", 3)
    kept = left.instances[1]
    cloud.made("ec2").modify_instance_attribute(InstanceId=kept, DisableApiTermination={"Value": True})
    report = sweep(cloud).run()
    [failed] = report.of(Result.FAILED)
    assert (failed.leftover.id, report.exit_code) == (kept, 1)
    assert "OperationNotPermitted" in failed.reason
    assert not set(left.instances) - {kept} & karpenter.there()


def test_an_instance_that_vanishes_meanwhile_does_not_lose_the_batch(cloud, karpenter):  # I-64
    left = karpenter.left("shop", 3)
    gone = "i-0123456789abcdef0"

    def add_a_vanished_one(params, **_):
        if gone not in params["InstanceIds"] and len(cloud.writes) == 1:
            params["InstanceIds"].insert(1, gone)

    events, of_call = cloud.client("ec2", REGION).meta.events, "provide-client-params.ec2.TerminateInstances"
    events.register_last(of_call, add_a_vanished_one)
    report = sweep(cloud).run()
    events.unregister(of_call, add_a_vanished_one)
    assert report.exit_code == 0
    assert cloud.writes.count("TerminateInstances") == 2
    assert not set(left.instances) & karpenter.there()


def test_what_appears_during_a_sweep_is_reported(cloud, karpenter):
    """Somebody launches on: nothing is clean then, whatever was removed."""
    karpenter.left("shop")
    made: list[str] = []

    def launch(called: Called) -> None:
        if called.operation == "DeleteNetworkInterface" and not made:
            made.append(karpenter.instance(node_tags("shop")))

    cloud.on_write = launch
    report = sweep(cloud).run()
    assert [(f.leftover.id, f.reason) for f in report.of(Result.FAILED)] == [(made[0], "it appeared during the sweep")]
    assert report.exit_code == 1
