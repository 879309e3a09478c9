"""Network: what is registered for a VPC that is created, and that one that already exists stays as it is."""

from __future__ import annotations

import json
from ipaddress import IPv4Network
from pathlib import Path

import pytest
from pulumi.provider.experimental.component import ComponentProvider
from pulumi_cutlist.aws import Network
from pulumi_cutlist.program.offline import Mode, Program
from pulumi_cutlist.recorded.recording import Recording, Registration

from cutlist.core.errors import InputError
from cutlist.infrastructure.costs import charges_of
from cutlist.infrastructure.costs.charges import ChargeState, RequestedResource
from tests.infrastructure.aws_stand_in import AwsStandIn, accepted
from tests.infrastructure.unknowns import has_unknowns

PROGRAM = """
import json, pathlib, pulumi, pulumi_aws
from pulumi_cutlist.aws import Network

made = Network("net", json.loads(pathlib.Path("args.json").read_text()))
pulumi_aws.ec2.VpcEndpoint("user", vpc_id=made.vpc_id, service_name="x", subnet_ids=made.private_subnet_ids)
pulumi_aws.lb.LoadBalancer("front", subnets=made.public_subnet_ids)
for output in ("vpc_id", "private_subnet_ids", "control_plane_subnet_ids", "public_subnet_ids", "private_route_table_ids",
               "endpoint_security_group_id"):
    pulumi.export(output, getattr(made, output))
"""
CLUSTER = {"cluster_name": "shop", "region": "eu-west-1"}
SUBNETS = [{"id": "subnet-0a", "zone": "eu-west-1a"}, {"id": "subnet-0b", "zone": "eu-west-1b"}]
ADOPTED = {"vpc_id": "vpc-01", "private_subnets": SUBNETS}
SUBNET, ENDPOINT, ROUTE = "aws:ec2/subnet:Subnet", "aws:ec2/vpcEndpoint:VpcEndpoint", "aws:ec2/route:Route"


@pytest.fixture
def run(tmp_path: Path):
    def make(mode: Mode = Mode.UPDATE, **args: object) -> Recording:
        (tmp_path / "__main__.py").write_text(PROGRAM)
        (tmp_path / "args.json").write_text(json.dumps({**CLUSTER, **args}))
        return accepted(Program(tmp_path, tmp_path, "shop", "dev").run(mode, AwsStandIn(mode)))

    return make


def mistakes(run, mode: Mode = Mode.PREVIEW, **args: object) -> dict[str, str]:
    with pytest.raises(InputError) as error:
        run(mode, **args)
    return {problem.place.path: str(problem) for problem in error.value.problems}


def of_kind(recording: Recording, kind: str) -> list[Registration]:
    return [r for r in recording.of_type(SUBNET) if r.name.startswith(f"net-{kind}-")]


def waits_for(recording: Recording, name: str, type_: str) -> set[str]:
    """Types of everything that must be there before a resource, straight or by way of others."""
    [start] = [r.urn for r in recording.of_type(type_) if r.name == name]
    seen, queue = set(), [start]
    while queue:
        dependencies = set(recording.resources[queue.pop()].request.dependencies) - seen
        seen |= dependencies
        queue += dependencies
    return {f"{recording.resources[urn].type.rpartition(':')[2]} {recording.resources[urn].name}" for urn in seen}


@pytest.mark.sampled(one_in=2)
@pytest.mark.parametrize("mode", Mode)
def test_a_vpc_of_our_own_has_three_kinds_of_subnets_in_each_zone(run, mode):
    recording = run(mode, own={})
    [vpc] = recording.of_type("aws:ec2/vpc:Vpc")
    assert (vpc.inputs["enableDnsSupport"], vpc.inputs["enableDnsHostnames"]) == (True, True)
    blocks = {
        kind: [s.inputs["cidrBlock"] for s in of_kind(recording, kind)] for kind in ("private", "public", "control-plane")
    }
    assert {kind: {IPv4Network(b).prefixlen for b in listed} for kind, listed in blocks.items()} == {
        "private": {19},
        "public": {24},
        "control-plane": {28},
    }
    assert all(len(listed) == 3 for listed in blocks.values())
    assert all(s.inputs["mapPublicIpOnLaunch"] is False for s in recording.of_type(SUBNET))
    for resource in recording.resources.values():  # names, counts and addresses are known in a preview
        assert not {"cidrBlock", "availabilityZone", "tags"} & {k for k, v in resource.inputs.items() if _is_unknown(v)}


def _is_unknown(value: object) -> bool:
    return "Unknown" in type(value).__name__


def test_the_default_security_group_is_emptied(run):
    [group] = run(own={}).of_type("aws:ec2/defaultSecurityGroup:DefaultSecurityGroup")
    assert (group.inputs["ingress"], group.inputs["egress"]) == ([], [])


def test_as_many_tags_as_are_allowed_leave_room_for_those_of_subnets(run):
    """An account would refuse the 51st of a resource: a name, the role of a subnet and two for discovery are among the 50."""
    recording = run(own={}, discovery="shared-tag", shared_with=["bank"], tags={f"t{n}": "" for n in range(46)})
    assert max(len(subnet.inputs["tags"]) for subnet in recording.of_type(SUBNET)) == 50


@pytest.mark.parametrize(
    ("discovery", "shared_with", "tags"),
    [
        ("tag", [], {"karpenter.sh/discovery": "shop"}),
        ("shared-tag", ["bank"], {"karpenter.sh/discovery/shop": "shared", "karpenter.sh/discovery/bank": "shared"}),
        ("id", ["bank"], {}),
    ],
)
def test_subnets_for_nodes_alone_are_tagged_for_discovery(run, discovery, shared_with, tags):  # I-46
    recording = run(own={}, discovery=discovery, shared_with=shared_with, tags={"team": "a"})
    role = {"private": "kubernetes.io/role/internal-elb", "public": "kubernetes.io/role/elb", "control-plane": None}
    for kind, key in role.items():
        wanted = {"team": "a", **({key: "1"} if key else {}), **(tags if kind == "private" else {})}
        assert len(of_kind(recording, kind)) == 3
        for subnet in of_kind(recording, kind):
            assert subnet.inputs["tags"] == {"Name": subnet.name, **wanted}
    assert recording.of_type("aws:ec2/tag:Tag") == []  # never both forms on one resource


@pytest.mark.parametrize(("nat", "gateways"), [("single", 1), ("per-zone", 3), ("none", 0)])
def test_nodes_reach_the_internet_as_was_asked(run, nat, gateways):
    recording = run(own={"nat": nat})
    assert len(recording.of_type("aws:ec2/natGateway:NatGateway")) == gateways
    assert len(recording.of_type("aws:ec2/eip:Eip")) == gateways
    routes = {r.name: r.inputs.get("natGatewayId") for r in recording.of_type(ROUTE) if r.name != "net-public"}
    by_zone = {z: f"nat-net-eu-west-1{z if nat == 'per-zone' else 'a'}" for z in "abc"} if gateways else {}
    assert routes == {f"net-private-eu-west-1{zone}": gateway for zone, gateway in by_zone.items()}
    assert bool(recording.of_type("aws:ec2/internetGateway:InternetGateway")) == bool(gateways)
    assert len(of_kind(recording, "public")) == (3 if gateways else 0)


@pytest.mark.parametrize("mode", Mode)
def test_what_uses_the_subnets_is_deleted_before_their_ways_out(run, mode):
    """Nodes that drain still reach AWS: routes, the gateway and its address outlive them."""
    waited = waits_for(run(mode, own={}), "user", ENDPOINT)
    for needed in (
        "Subnet net-private-eu-west-1c",
        "RouteTableAssociation net-private-eu-west-1c",
        "Route net-private-eu-west-1c",
        "NatGateway net-eu-west-1a",
        "Eip net-nat-eu-west-1a",
        "Route net-public",
        "RouteTableAssociation net-public-eu-west-1a",
        "InternetGateway net-internet",
        "VpcEndpoint net-s3",
    ):
        assert needed in waited


@pytest.mark.sampled(one_in=2)
@pytest.mark.parametrize("mode", Mode)
def test_load_balancers_are_deleted_before_the_gateway_to_the_internet(run, mode):
    """A gateway whose VPC still has public addresses cannot be detached."""
    waited = waits_for(run(mode, own={}), "front", "aws:lb/loadBalancer:LoadBalancer")
    assert {"InternetGateway net-internet", "Route net-public", "RouteTableAssociation net-public-eu-west-1c"} <= waited


@pytest.mark.parametrize(
    ("region", "ecr", "s3"),
    [
        ("eu-west-1", "com.amazonaws.eu-west-1.ecr.api", "com.amazonaws.eu-west-1.s3"),
        ("cn-northwest-1", "cn.com.amazonaws.cn-northwest-1.ecr.api", "com.amazonaws.cn-northwest-1.s3"),
        ("us-gov-west-1", "com.amazonaws.us-gov-west-1.ecr.api", "com.amazonaws.us-gov-west-1.s3"),
    ],
)
def test_a_private_network_has_every_endpoint_in_all_partitions(run, region, ecr, s3):  # I-14 K-30
    recording = run(region=region, own={"nat": "none"})
    made = {r.name.removeprefix("net-"): r.inputs for r in recording.of_type(ENDPOINT) if r.name != "user"}
    assert sorted(made) == ["ec2", "ecr.api", "ecr.dkr", "eks", "eks-auth", "s3", "sqs", "ssm", "sts"]
    assert (made["ecr.api"]["serviceName"], made["s3"]["serviceName"]) == (ecr, s3)
    private = [f"subnet-{s.name}" for s in of_kind(recording, "private")]
    s3_endpoint = made.pop("s3")
    assert s3_endpoint["vpcEndpointType"] == "Gateway"
    assert s3_endpoint["routeTableIds"] == recording.exports["private_route_table_ids"]
    for endpoint in made.values():
        assert (endpoint["vpcEndpointType"], endpoint["privateDnsEnabled"]) == ("Interface", True)
        assert (endpoint["subnetIds"], endpoint["securityGroupIds"]) == (private, ["sg-net-endpoints"])
    assert recording.exports["endpoint_security_group_id"] == "sg-net-endpoints"
    rules = recording.of_type("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule")
    assert sorted(r.inputs["cidrIpv4"] for r in rules) == sorted(s.inputs["cidrBlock"] for s in of_kind(recording, "private"))
    assert {(r.inputs["fromPort"], r.inputs["toPort"], r.inputs["ipProtocol"]) for r in rules} == {(443, 443, "tcp")}
    assert {"VpcEndpoint net-sts", "SecurityGroup net-endpoints"} <= waits_for(recording, "user", ENDPOINT)


def test_endpoints_of_further_services_are_interfaces_or_gateways(run):  # I-94
    """A gateway is free and needs no security group; an interface costs by zone; a service of others has no private name."""
    others = "com.amazonaws.vpce.eu-west-1.vpce-svc-0a1b2c3d4e5f60718"
    recording = run(own={"endpoints": ["dynamodb", "secretsmanager", others]})
    made = {r.name.removeprefix("net-"): r.inputs for r in recording.of_type(ENDPOINT) if r.name != "user"}
    assert sorted(made) == [others, "dynamodb", "s3", "secretsmanager"]
    assert made["dynamodb"]["vpcEndpointType"] == "Gateway"
    assert made["dynamodb"]["routeTableIds"] == recording.exports["private_route_table_ids"]
    assert made["secretsmanager"]["serviceName"] == "com.amazonaws.eu-west-1.secretsmanager"
    assert [made[name]["privateDnsEnabled"] for name in ("secretsmanager", others)] == [True, False]
    charges = {name: list(charges_of(RequestedResource(ENDPOINT, inputs, "eu-west-1"))) for name, inputs in made.items()}
    assert [(charge.count, charge.state) for charge in charges["secretsmanager"]] == [(3, ChargeState.KNOWN)]
    assert charges["dynamodb"] == []


@pytest.mark.parametrize("mode", Mode)
def test_an_adopted_vpc_is_handed_on_and_never_touched(run, mode):  # I-12, I-2
    """No resource but the component, no look-up, and all outputs known even in a preview."""
    facts = {"private_route_table_ids": ["rtb-01"], "public_subnets": [{**s, "id": f"{s['id']}9"} for s in SUBNETS]}
    recording = run(mode, adopted={**ADOPTED, **facts})
    [component] = recording.of_type("cutlist:index:Network")
    assert recording.children(component.urn) == []
    assert recording.exports == {
        "vpc_id": "vpc-01",
        "private_subnet_ids": ["subnet-0a", "subnet-0b"],
        "control_plane_subnet_ids": ["subnet-0a", "subnet-0b"],
        "public_subnet_ids": ["subnet-0a9", "subnet-0b9"],
        "private_route_table_ids": ["rtb-01"],
    }
    [user] = recording.of_type(ENDPOINT)
    assert not has_unknowns(user)


def test_an_adopted_subnet_of_another_cluster_is_refused(run):  # I-13
    tagged = {**SUBNETS[0], "tags": {"karpenter.sh/discovery": "bank"}}
    problems = mistakes(run, adopted={**ADOPTED, "private_subnets": [tagged, SUBNETS[1]]})
    assert "bank, which is another cluster than shop" in problems["adopted.private_subnets[0].tags"]


@pytest.mark.parametrize(
    "args",
    [{"own": {}}, {"own": {"zones": ["eu-west-1a", "eu-west-1b"]}}, {"adopted": ADOPTED}],
    ids=["own", "zones", "adopted"],
)
def test_a_misspelt_region_is_reported_at_its_own_place_alone(run, args):
    """Its zones are right, or would be found out from it; those of a region that is newer than the catalogue name it."""
    problems = mistakes(run, region="eu-west-9", **args)
    assert sorted(problems) == ["region"]
    assert "no region 'eu-west-9' is known; allowed: eu-west-1, eu-west-2, eu-west-3, or one of" in problems["region"]
    assert "did you mean eu-west-1?" in problems["region"]
    assert run(Mode.PREVIEW, region="eu-west-9", own={"zones": ["eu-west-9a", "eu-west-9b"]}).of_type(SUBNET)


def test_a_misspelt_region_hides_no_other_mistake(run):
    assert sorted(mistakes(run, region="eu-west-9", own={"nat": "singel"})) == ["own.nat", "region"]
    assert "has not the form of a region" in mistakes(run, region="EU-WEST-1", own={})["region"]


@pytest.mark.parametrize("mode", Mode)
def test_mistakes_of_all_kinds_are_reported_together(run, mode):
    """A misspelt key, an overlap, one zone, a name too long: nothing is registered."""
    own = {"cidr": "10.0.0.0/16", "zones": ["eu-west-1a"], "natt": "none"}
    problems = mistakes(
        run, mode, cluster_name="x" * 101, own=own, service_cidr="10.0.0.0/20", tags={"karpenter.sh/nodepool": "x"}
    )
    assert sorted(problems) == ["cluster_name", "own.natt", "own.zones", "service_cidr", "tags['karpenter.sh/nodepool']"]
    assert "did you mean nat?" in problems["own.natt"]


def test_exactly_one_of_own_and_adopted_is_given(run):
    assert "exactly one of own and adopted" in mistakes(run)["own"]
    assert "exactly one of own and adopted" in mistakes(run, own={}, adopted=ADOPTED)["own"]


def test_values_of_another_type_are_reported_with_their_path(run):
    problems = mistakes(run, adopted={"private_subnets": [{"id": 5}]}, shared_with="bank", region=None)
    assert {path: text.partition(": ")[2] for path, text in problems.items()} == {
        "region": "is missing; allowed: a string in quotes",
        "adopted.vpc_id": "is missing; allowed: a string in quotes",
        "adopted.private_subnets[0].id": '5 is not text; did you mean "5"?',
        "adopted.private_subnets[0].zone": "is missing; allowed: a string in quotes",
        "shared_with": "expected a list, found 'bank'; did you mean [\"bank\"]?",
    }


HOSTED = """
import pulumi
from pulumi.provider.experimental.component import ComponentProvider
from pulumi_cutlist.aws import Network

inputs = {"clusterName": "shop", "region": "eu-west-1", "own": {"privatePrefix": 20.0, "zones": ["eu-west-1a", "eu-west-1b"]}}
hosted = ComponentProvider([Network], "cutlist", version="0.1.0").construct("net", "cutlist:index:Network", inputs)
pulumi.export("state", sorted(hosted.state))
"""


def test_programs_in_other_languages_make_the_same(tmp_path):
    """Names in camelCase and whole numbers as floats are what their inputs arrive as."""
    (tmp_path / "__main__.py").write_text(HOSTED)
    recording = Program(tmp_path, tmp_path, "shop", "dev").run(Mode.UPDATE, AwsStandIn(Mode.UPDATE))
    assert accepted(recording)
    assert [s.inputs["cidrBlock"] for s in of_kind(recording, "private")] == ["10.0.0.0/20", "10.0.16.0/20"]
    assert "privateSubnetIds" in recording.exports["state"]


def test_the_schema_describes_every_input():
    schema = json.loads(ComponentProvider([Network], "cutlist", version="0.1.0").schema)
    assert sorted(schema["resources"]["cutlist:index:Network"]["requiredInputs"]) == ["clusterName", "region"]
    for of_type in schema["types"].values():
        assert all(member.get("description") for member in of_type["properties"].values())
