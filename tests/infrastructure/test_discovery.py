"""Discovery: one tag resource a tag, one group that is the cluster's, and the terms that find them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pulumi_cutlist.program.offline import Mode, Program
from pulumi_cutlist.recorded.recording import Recording

from cutlist.core.errors import InputError
from tests.infrastructure.aws_stand_in import AwsStandIn, accepted
from tests.infrastructure.unknowns import has_unknowns

PROGRAM = """
import json, pathlib, pulumi, pulumi_aws
from pulumi_cutlist.aws import Discovery
from pulumi_cutlist.kubernetes import EC2NodeClass
from pulumi_kubernetes.apiextensions import CustomResource

for name, args in json.loads(pathlib.Path("args.json").read_text()).items():
    if args.get("cluster_security_group_id") == "later":  # known once the cluster is there
        args["cluster_security_group_id"] = pulumi_aws.ec2.SecurityGroup(f"{name}-made-by-eks").id
    made = Discovery(name, args)
    pulumi.export(f"{name}-typed", [term.tags or term.id for term in (*(made.subnet_terms or ()), *(made.group_terms or ()))])
    CustomResource(name, api_version="karpenter.k8s.aws/v1", kind="EC2NodeClass", spec={
        "subnetSelectorTerms": made.subnet_selector_terms, "securityGroupSelectorTerms": made.security_group_selector_terms})
"""
SUBNETS = ["subnet-0a", "subnet-0b"]
SHOP = {"cluster_name": "shop", "region": "eu-west-1", "cluster_security_group_id": "sg-0c", "subnet_ids": SUBNETS}
TAG, CLASS = "aws:ec2/tag:Tag", "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass"
GROUP = "aws:ec2/securityGroup:SecurityGroup"
INGRESS = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"
EGRESS = "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule"


@pytest.fixture
def run_all(tmp_path: Path):
    def make(mode: Mode, **discoveries: dict[str, object]) -> Recording:
        (tmp_path / "__main__.py").write_text(PROGRAM)
        (tmp_path / "args.json").write_text(json.dumps(discoveries))
        return accepted(Program(tmp_path, tmp_path, "shop", "dev").run(mode, AwsStandIn(mode)))

    return make


@pytest.fixture
def run(run_all):
    return lambda mode=Mode.UPDATE, **args: run_all(mode, found={**SHOP, **args})


def tags(recording: Recording) -> list[tuple[str, str, str]]:
    made = (r.inputs for r in recording.of_type(TAG))
    return sorted((t["resourceId"], t["key"], t["value"]) for t in made)


def terms(recording: Recording) -> tuple[object, object]:
    [node_class] = recording.of_type(CLASS)
    spec = node_class.inputs["spec"]
    return spec["subnetSelectorTerms"], spec["securityGroupSelectorTerms"]


@pytest.mark.parametrize("mode", Mode)
def test_adopted_subnets_and_the_clusters_group_get_one_tag_each(run, mode):  # I-43, I-2
    """Nothing else is registered, nothing is looked up, and the terms are known in a preview."""
    recording = run(mode, adopted_subnet_ids=SUBNETS)
    assert tags(recording) == [(id_, "karpenter.sh/discovery", "shop") for id_ in ("sg-0c", *SUBNETS)]
    [component] = recording.of_type("cutlist:index:Discovery")
    assert {child.type for child in recording.children(component.urn)} == {TAG}
    assert terms(recording) == ([{"tags": {"karpenter.sh/discovery": "shop"}}],) * 2
    assert recording.exports["found-typed"] == [{"karpenter.sh/discovery": "shop"}] * 2


@pytest.mark.parametrize("mode", Mode)
def test_terms_by_tag_are_known_before_the_cluster_is_there(run, mode):
    """The id of the group may come with the update; what a NodeClass says does not depend on it."""
    recording = run(mode, cluster_security_group_id="later", adopted_subnet_ids=SUBNETS)
    [node_class] = recording.of_type(CLASS)
    assert not has_unknowns(node_class)


def test_node_classes_wait_for_the_tags(run):
    """Karpenter finds nothing before, and on the way down the tags outlive the NodeClass."""
    recording = run(adopted_subnet_ids=SUBNETS)
    [node_class] = recording.of_type(CLASS)
    assert {r.urn for r in recording.of_type(TAG)} <= set(node_class.request.dependencies)


def test_subnets_of_our_own_are_not_tagged_a_second_time(run):
    assert tags(run()) == [("sg-0c", "karpenter.sh/discovery", "shop")]


@pytest.mark.parametrize("mode", Mode)
def test_by_id_nothing_is_tagged(run, mode):
    recording = run(mode, style="id", adopted_subnet_ids=SUBNETS, more_groups=[{"id": "sg-0d"}])
    assert tags(recording) == []
    assert terms(recording) == ([{"id": id_} for id_ in SUBNETS], [{"id": "sg-0c"}, {"id": "sg-0d"}])
    assert recording.exports["found-typed"] == [*SUBNETS, "sg-0c", "sg-0d"]


@pytest.mark.parametrize("mode", Mode)
def test_two_clusters_share_subnets_without_sharing_a_key(run_all, mode):  # I-44
    """Each has its own tag resources: taking one cluster away leaves every tag of the other as it was."""
    shared = {"style": "shared-tag", "adopted_subnet_ids": SUBNETS, "adopted_group": {"id": "sg-0e"}}
    bank = {**SHOP, **shared, "cluster_name": "bank"}
    both, alone = run_all(mode, shop={**SHOP, **shared}, bank=bank), run_all(mode, bank=bank)
    of_bank = [(r.urn, r.inputs) for r in both.of_type(TAG) if r.name.startswith("bank-")]
    of_shop = [r.inputs for r in both.of_type(TAG) if r.name.startswith("shop-")]
    assert of_bank == [(r.urn, r.inputs) for r in alone.of_type(TAG)]
    assert len(of_bank) == len(of_shop) == 4
    assert {t["key"] for _, t in of_bank} & {t["key"] for t in of_shop} == set()


def test_an_adopted_group_becomes_the_one_that_is_the_clusters(run):  # I-43, I-45
    recording = run(adopted_group={"id": "sg-0e"}, more_groups=[{"id": "sg-0d", "tags": {"team": "a"}}])
    assert tags(recording) == [
        ("sg-0e", "karpenter.sh/discovery", "shop"),
        ("sg-0e", "kubernetes.io/cluster/shop", "shared"),
    ]
    assert terms(recording)[1] == [{"tags": {"karpenter.sh/discovery": "shop"}}, {"id": "sg-0d"}]


def test_a_dedicated_group_carries_the_clusters_tag_and_the_clusters_own_is_not_selected(run):  # I-45
    recording = run(dedicated_group={"vpc_id": "vpc-01", "webhook_ports": [9443]}, tags={"team": "a"})
    [group] = recording.of_type(GROUP)
    assert group.inputs["tags"] == {"team": "a", "karpenter.sh/discovery": "shop", "kubernetes.io/cluster/shop": "owned"}
    assert (group.inputs["revokeRulesOnDelete"], group.inputs["name"]) == (True, "KarpenterNodes-shop")
    assert tags(recording) == []


def rule(inputs: dict[str, object]) -> tuple[object, ...]:
    peer = inputs.get("referencedSecurityGroupId") or inputs["cidrIpv4"]
    return (inputs["securityGroupId"], peer, inputs["ipProtocol"], inputs.get("fromPort"), inputs.get("toPort"))


def test_a_dedicated_group_lets_nodes_and_control_plane_reach_each_other(run):
    recording = run(dedicated_group={"vpc_id": "vpc-01", "webhook_ports": [9443], "egress_cidrs": ["10.0.0.0/8"]})
    nodes, cluster = "sg-found-nodes", "sg-0c"
    dns = [("tcp", 53, 53), ("udp", 53, 53)]
    assert {rule(r.inputs) for r in recording.of_type(INGRESS)} == {
        (nodes, nodes, "-1", None, None),
        *((nodes, cluster, "tcp", port, port) for port in (443, 9443, 10250)),
        *((nodes, cluster, *port) for port in dns),
        (cluster, nodes, "tcp", 443, 443),
        *((cluster, nodes, *port) for port in dns),
    }
    assert {rule(r.inputs) for r in recording.of_type(EGRESS)} == {
        (nodes, nodes, "-1", None, None),
        (nodes, cluster, "tcp", 443, 443),
        *((nodes, cluster, *port) for port in dns),
        (nodes, "10.0.0.0/8", "-1", None, None),
    }


def test_a_dedicated_group_reaches_everywhere_unless_told(run):
    recording = run(dedicated_group={"vpc_id": "vpc-01"})
    assert ("sg-found-nodes", "0.0.0.0/0", "-1", None, None) in {rule(r.inputs) for r in recording.of_type(EGRESS)}


@pytest.mark.parametrize("mode", Mode)
def test_mistakes_are_reported_together_before_anything_is_registered(run, mode):  # I-45
    args = {
        "cluster_name": "-shop",
        "style": "shared",
        "adopted_subnet_ids": ["subnet-0a", "subnet-0a", "vpc-1"],
        "dedicated_group": {"vpc_id": "vpc-01", "webhook_ports": [0], "egress_cidrs": ["10.0.0.1/8"]},
        "adopted_group": {"id": "sg-0e"},
        "more_groups": [{"id": "sg-0e", "tags": {"kubernetes.io/cluster/-shop": "owned"}}],
        "tags": {"karpenter.sh/discovery": "x"},
        "subnets": [],
    }
    with pytest.raises(InputError) as error:
        run(mode, **args)
    assert sorted(problem.place.path for problem in error.value.problems) == [
        "adopted_group",
        "adopted_subnet_ids[1]",
        "adopted_subnet_ids[2]",
        "cluster_name",
        "dedicated_group.egress_cidrs[0]",
        "dedicated_group.webhook_ports[0]",
        "more_groups[0]",
        "more_groups[0].id",
        "style",
        "subnets",
        "tags['karpenter.sh/discovery']",
    ]
