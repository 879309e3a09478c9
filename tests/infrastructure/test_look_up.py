"""A VPC looked up in an account: what comes back is what a Network adopts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pulumi.runtime.mocks import MockCallArgs
from pulumi_cutlist.program.offline import Echo, Mode, Program
from pulumi_cutlist.recorded.recording import Recording

from cutlist.core.errors import InputError

PROGRAM = """
import pulumi
from pulumi_cutlist.aws import Network, look_up_network

facts = look_up_network("vpc-01", private={private!r}, public=["subnet-0p"], region="eu-west-1")
pulumi.export("facts", facts)
"""
ADOPT = 'Network("net", {"cluster_name": "shop", "region": "eu-west-1", "adopted": {**facts, "public_subnets": []}})\n'


class Account(Echo):
    """Two subnets for nodes, the first with a route table of its own, and one that is public. `tags` are those of the first."""

    def __init__(self, mode: Mode, tags: dict[str, str]) -> None:
        super().__init__(mode)
        self._tags = tags

    def call(self, args: MockCallArgs) -> dict[str, Any]:
        assert args.args["region"] == "eu-west-1"
        kind = args.token.rpartition(":")[2]
        wanted = {f["name"]: f["values"] for f in args.args.get("filters", [])}
        return getattr(self, kind)(args.args, wanted)

    def getVpc(self, *_: Any) -> dict[str, Any]:  # noqa: N802
        return {"enableDnsSupport": True, "enableDnsHostnames": True}

    def getSubnets(self, _: Any, wanted: dict[str, list[str]]) -> dict[str, Any]:  # noqa: N802
        assert wanted["vpc-id"] == ["vpc-01"]
        return {"ids": ["subnet-0b", "subnet-0a"] if wanted.get("tag:tier") == ["nodes"] else []}

    def getSubnet(self, asked: Any, _: Any) -> dict[str, Any]:  # noqa: N802
        letter = {"subnet-0a": "a", "subnet-0b": "b", "subnet-0p": "c"}[asked["id"]]
        number = "abc".index(letter)
        return {
            "availabilityZone": f"eu-west-1{letter}",
            "availabilityZoneId": f"euw1-az{number + 1}",
            "cidrBlock": f"10.0.{32 * number}.0/19",
            "mapPublicIpOnLaunch": letter == "c",
            "tags": self._tags if letter == "a" else {},
        }

    def getRouteTables(self, _: Any, wanted: dict[str, list[str]]) -> dict[str, Any]:  # noqa: N802
        if "association.subnet-id" in wanted:
            return {"ids": ["rtb-0a"] if wanted["association.subnet-id"] == ["subnet-0a"] else []}
        return {"ids": ["rtb-0m"]}

    def getRouteTable(self, asked: Any, _: Any) -> dict[str, Any]:  # noqa: N802
        route = {"cidrBlock": "0.0.0.0/0" if asked["routeTableId"] == "rtb-0a" else "10.0.0.0/16"}
        return {"routes": [route]}


@pytest.fixture
def run(tmp_path: Path):
    def make(mode: Mode, then: str = "", private: object = ("subnet-0a", "subnet-0b"), **tags: str) -> Recording:
        (tmp_path / "__main__.py").write_text(PROGRAM.format(private=private) + then)
        named = {key.replace("__", "/").replace("_", "."): value for key, value in tags.items()}
        return Program(tmp_path, tmp_path, "shop", "dev").run(mode, Account(mode, named))

    return make


@pytest.mark.parametrize("private", [["subnet-0a", "subnet-0b"], {"tier": "nodes"}])
@pytest.mark.parametrize("mode", Mode)
def test_facts_are_those_of_the_account(run, mode, private):
    """By id or by tag, in a preview too; a subnet without a route table of its own has the VPC's."""
    facts = run(mode, private=private).exports["facts"]
    assert [(s["id"], s["zone"], s["zone_id"]) for s in facts["private_subnets"]] == [
        ("subnet-0a", "eu-west-1a", "euw1-az1"),
        ("subnet-0b", "eu-west-1b", "euw1-az2"),
    ]
    assert [s["has_default_route"] for s in facts["private_subnets"]] == [True, False]
    assert facts["private_route_table_ids"] == ["rtb-0a", "rtb-0m"]
    assert (facts["dns_support"], facts["public_subnets"][0]["maps_public_ips"]) == (True, True)


@pytest.mark.parametrize("mode", Mode)
def test_a_network_checks_what_was_looked_up(run, mode):  # I-13
    """The subnet without a way out needs endpoints, and another cluster's tag is seen."""
    with pytest.raises(InputError) as error:
        run(mode, ADOPT, karpenter_sh__discovery="bank")
    assert [p.place.path for p in error.value.problems] == ["adopted.endpoints", "adopted.private_subnets[0].tags"]


def test_tags_that_find_nothing_are_reported(run):
    with pytest.raises(InputError, match=r"no subnet of vpc-01 has the tags \{'tier': 'mars'\}"):
        run(Mode.PREVIEW, private={"tier": "mars"})
