"""A VPC that is created: what is made for what is asked, and every mistake at once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist.core.errors import Problems
from cutlist.infrastructure.endpoints import BY_NAME, REQUIRED, missing_endpoints
from cutlist.infrastructure.network import Nat, NetworkPlan, OwnNetwork, plan_network
from cutlist.infrastructure.subnets import Sizes

IRELAND = ("eu-west-1a", "eu-west-1b", "eu-west-1c")
OWN = OwnNetwork("eu-west-1")


def planned(asked: OwnNetwork = OWN) -> NetworkPlan:
    problems = Problems()
    plan = plan_network(asked, IRELAND, problems)
    assert problems.found == []
    assert plan is not None
    return plan


def mistakes(asked: OwnNetwork, known: tuple[str, ...] = IRELAND) -> dict[str, str]:
    problems = Problems()
    assert plan_network(asked, known, problems) is None
    return {problem.place.path: str(problem) for problem in problems.found}


def test_three_zones_of_the_region_are_used_when_none_are_named():
    assert [zone.zone for zone in planned().zones] == list(IRELAND)


def test_one_nat_gateway_serves_all_zones_or_each_has_its_own():
    single, each = planned(), planned(replace(OWN, nat=Nat.PER_ZONE))
    assert [single.nat_zone_of(zone) for zone in IRELAND] == ["eu-west-1a"] * 3
    assert [each.nat_zone_of(zone) for zone in IRELAND] == list(IRELAND)


def test_without_a_way_out_there_is_nothing_public_and_every_endpoint():  # I-14
    plan = planned(replace(OWN, nat=Nat.NONE))
    assert (plan.public, plan.nat_zones, plan.nat_zone_of("eu-west-1a")) == ((), (), None)
    assert {e.name for e in plan.endpoints} | {"s3"} == {e.name for e in REQUIRED}


def test_subnets_stay_where_they_are_when_the_way_out_changes():
    assert planned().zones == planned(replace(OWN, nat=Nat.NONE)).zones


def test_missing_endpoints_of_a_private_network_are_listed_in_one_problem():  # I-14
    reported = mistakes(replace(OWN, nat=Nat.NONE, endpoints=("ec2", "sts", "kms")))["own.endpoints"]
    assert [name for name in BY_NAME if f" {name} (" in reported] == ["ecr.api", "ecr.dkr", "eks", "eks-auth", "ssm", "sqs"]


@pytest.mark.parametrize("left_out", [e.name for e in REQUIRED])
def test_each_required_endpoint_is_missed(left_out):  # I-14
    assert [e.name for e in missing_endpoints(e.name for e in REQUIRED if e.name != left_out)] == [left_out]


def test_further_endpoints_are_made_when_asked_for():
    assert [e.name for e in planned(replace(OWN, endpoints=("logs", "s3"))).endpoints] == ["logs"]


def test_endpoints_of_any_service_are_made_by_their_names():  # I-94
    """After those that Karpenter may need; a full name of the region is that of the service."""
    others = "com.amazonaws.vpce.eu-west-1.vpce-svc-0a1b2c3d4e5f60718"
    names = ("secretsmanager", "com.amazonaws.eu-west-1.logs", "dynamodb", others, "aws.sagemaker.eu-west-1.notebook")
    made = planned(replace(OWN, endpoints=names)).endpoints
    assert [e.name for e in made] == ["logs", "secretsmanager", "dynamodb", others, "aws.sagemaker.eu-west-1.notebook"]
    assert [e.service_name("eu-west-1") for e in made[:2]] == [
        "com.amazonaws.eu-west-1.logs",
        "com.amazonaws.eu-west-1.secretsmanager",
    ]
    assert [e.service_name("eu-west-1") for e in made[3:]] == [others, "aws.sagemaker.eu-west-1.notebook"]
    assert [e.name for e in made if e.is_gateway] == ["dynamodb"]
    assert [e.name for e in made if not e.has_private_name] == [others]


def test_in_china_the_full_names_of_further_services_are_needed():  # I-94
    """Some have another prefix there than others, and only those of the table are known."""
    zones = ("cn-north-1a", "cn-north-1b")
    china = OwnNetwork("cn-north-1", zones=zones)
    found = mistakes(replace(china, endpoints=("lambda",)), zones)
    assert "how China calls lambda is not known" in found["own.endpoints[0]"]
    full, problems = "cn.com.amazonaws.cn-north-1.lambda", Problems()
    plan = plan_network(replace(china, endpoints=(full, "dynamodb", "ecr.api")), zones, problems)
    assert problems.found == []
    assert plan is not None
    assert [e.service_name("cn-north-1") for e in plan.endpoints][1:] == [full, "com.amazonaws.cn-north-1.dynamodb"]


def test_names_of_endpoints_are_those_of_the_partition():
    """In China some services have another prefix, and S3's gateway has not."""
    assert BY_NAME["ecr.api"].service_name("us-gov-west-1") == "com.amazonaws.us-gov-west-1.ecr.api"
    assert BY_NAME["ecr.api"].service_name("cn-north-1") == "cn.com.amazonaws.cn-north-1.ecr.api"
    assert BY_NAME["s3"].service_name("cn-north-1") == "com.amazonaws.cn-north-1.s3"


@pytest.mark.parametrize(
    ("asked", "path", "found"),
    [
        ({"cidr": "10.0.0.0/33"}, "own.cidr", "not an address block"),
        ({"cidr": "10.0.0.0"}, "own.cidr", "a single address"),
        ({"cidr": "10.0.1.0/16"}, "own.cidr", "did you mean 10.0.0.0/16?"),
        ({"cidr": "fd00::/56"}, "own.cidr", "an IPv4 block"),
        ({"cidr": "10.0.0.0/31"}, "own.cidr", "the VPC is a /31; allowed: /16 to /28"),
        ({"cidr": "10.0.0.0/18"}, "own.cidr", "has no room for private subnets of /19 up to zone eu-west-1c"),
        ({"cidr": "10.0.0.0/18"}, "own.cidr", "allowed: a block of /17 or private subnets of /20"),
        ({"zones": ("eu-west-1a",)}, "own.zones", "subnets in one zone, eu-west-1a; allowed: at least 2 zones"),
        ({"zones": ()}, "own.zones", "subnets in no zone"),
        ({"zones": ("eu-west-1a", "eu-west-1a", "eu-west-1b")}, "own.zones[1]", "zone 'eu-west-1a' appears twice"),
        ({"zones": ("eu-west-1a", "eu-west-1d")}, "own.zones[1]", "zone 'eu-west-1d' is not in eu-west-1"),
        ({"nat": "per-zon"}, "own.nat", "did you mean per-zone?"),
        ({"endpoints": ("ecr.ap",)}, "own.endpoints[0]", "did you mean ecr.api?"),
        ({"endpoints": ("secretmanager",)}, "own.endpoints[0]", "did you mean secretsmanager?"),
        ({"endpoints": ("Secrets Manager",)}, "own.endpoints[0]", "is not the name of an endpoint"),
        ({"endpoints": ("com.amazonaws.us-east-1.sns",)}, "own.endpoints[0]", "an endpoint of us-east-1"),
        ({"endpoints": ("sns", "com.amazonaws.eu-west-1.sns")}, "own.endpoints[1]", "is listed already as own.endpoints[0]"),
        ({"sizes": Sizes(private=28)}, "own.privatePrefix", "a subnet of /28, and nodes with their pods need 64 addresses"),
        ({"service_cidr": "10.0.128.0/20"}, "serviceCidr", "10.0.128.0/20, overlaps the VPC, 10.0.0.0/16"),
        ({"peer_cidrs": ("192.168.0.0/16", "10.0.0.0/8")}, "own.peerCidrs[1]", "the peer, 10.0.0.0/8, overlaps the VPC"),
    ],
)
def test_a_mistake_is_reported_with_its_path_and_what_would_be_right(asked, path, found):
    problems = mistakes(replace(OWN, **asked))
    assert found in problems[path]


def test_services_and_peers_do_not_overlap_either():
    problems = mistakes(replace(OWN, service_cidr="172.20.0.0/16", peer_cidrs=("172.16.0.0/12",)))
    assert "overlaps the range of services" in problems["own.peerCidrs[0]"]


def test_all_mistakes_are_reported_together():
    asked = OwnNetwork("eu-west-1", "10.0.0.0/31", ("eu-west-1z",), "no", Sizes(31), ("X",), "10.0.0.0/32", ("ten",))
    paths = ["cidr", "endpoints[0]", "nat", "peerCidrs[0]", "privatePrefix", "zones", "zones[0]"]
    assert sorted(mistakes(asked)) == [*(f"own.{path}" for path in paths), "serviceCidr"]


def test_zones_of_a_region_that_is_not_known_are_reported_by_their_form():
    """A region newer than the catalogue takes its own letters, and needs them said."""
    new = OwnNetwork("eu-west-9", zones=("eu-west-9a", "eu-west-9b"))
    assert plan_network(new, (), Problems()) is not None
    assert "zone 'eu-west-1a' is not in eu-west-9" in mistakes(replace(new, zones=IRELAND[:2]), ())["own.zones[0]"]
    assert "the zones of eu-west-9 are not known" in mistakes(replace(new, zones=None), ())["own.zones"]
