"""The role for spot instances: made where it is missing, found where it is there, and never deleted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import boto3
import grpc
import pytest
from botocore.exceptions import ClientError
from botocore.stub import Stubber
from google.protobuf.struct_pb2 import Struct
from moto import mock_aws
from pulumi.dynamic.dynamic import serialize_provider
from pulumi.runtime.proto import provider_pb2
from pulumi.runtime.proto.provider_pb2_grpc import ResourceProviderStub
from pulumi_cutlist.aws import service_linked_role
from pulumi_cutlist.aws.service_linked_role import ServiceLinkedRoleProvider
from pulumi_cutlist.program.offline import Mode, Program
from pulumi_cutlist.recorded.recording import Recording

from cutlist.core.errors import InputError

PROGRAM = """
import json, pathlib, pulumi
from pulumi_cutlist.aws import SpotServiceLinkedRole
pulumi.export("role", SpotServiceLinkedRole("spot", json.loads(pathlib.Path("args.json").read_text())).role_name)
"""
PROPS = {"service": "spot.amazonaws.com", "role": "AWSServiceRoleForEC2Spot", "region": "eu-west-1"}
ENSURED = "pulumi-python:dynamic/cutlist:EnsuredServiceLinkedRole"
CREATED = "aws:iam/serviceLinkedRole:ServiceLinkedRole"


@pytest.fixture
def run(tmp_path: Path):
    def make(played: Mode = Mode.UPDATE, **args: object) -> Recording:
        (tmp_path / "__main__.py").write_text(PROGRAM)
        (tmp_path / "args.json").write_text(json.dumps({"region": "eu-west-1", **args}))
        return Program(tmp_path, tmp_path, "shop", "dev").run(played)

    return make


@pytest.fixture
def account(monkeypatch):
    """An account without the role, as moto plays it: the name that it gives the role is not AWS's."""
    for key in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(key, "testing")
    with mock_aws():
        yield boto3.client("iam", region_name="eu-west-1")


@pytest.fixture
def stubbed(monkeypatch):
    """An IAM that answers a creation with one error."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    client = boto3.client("iam", region_name="eu-west-1")
    monkeypatch.setattr(service_linked_role, "_client", lambda _: client)
    with Stubber(client) as stub:
        yield lambda code, message: stub.add_client_error(
            "create_service_linked_role", code, message, expected_params={"AWSServiceName": "spot.amazonaws.com"}
        )


@pytest.mark.parametrize("played", Mode)
@pytest.mark.parametrize(("given", "types"), [({}, [ENSURED]), ({"mode": "create"}, [CREATED]), ({"mode": "skip"}, [])])
def test_each_mode_registers_what_it_needs(run, played, given, types):  # I-47
    recording = run(played, **given)
    [component] = recording.of_type("cutlist:index:SpotServiceLinkedRole")
    made = recording.children(component.urn)
    assert [child.type for child in made] == types
    assert all(child.request.retainOnDelete for child in made if child.type == CREATED)
    assert recording.exports == {"role": "AWSServiceRoleForEC2Spot"}


@pytest.mark.parametrize("region", ["eu-west-1", "cn-north-1", "us-gov-west-1"])
def test_the_service_is_the_same_in_every_partition(run, region):
    [made] = run(region=region).of_type(ENSURED)
    assert (made.inputs["service"], made.inputs["region"]) == ("spot.amazonaws.com", region)


def test_an_unknown_mode_is_refused(run):
    with pytest.raises(InputError, match="did you mean ensure"):
        run(mode="ensured")


def test_the_role_is_made_where_it_is_missing(account):  # I-47
    made = ServiceLinkedRoleProvider().create(PROPS)
    assert made.outs == PROPS
    role = account.get_role(RoleName=made.id)["Role"]
    assert role["Path"] == "/aws-service-role/spot.amazonaws.com/"


def test_a_second_stack_finds_the_role_and_neither_takes_it_away(account):  # I-47 K-24
    first, second = ServiceLinkedRoleProvider(), ServiceLinkedRoleProvider()
    made, found = first.create(PROPS).id, second.create(PROPS).id
    first.delete(made, PROPS)
    second.delete(found, PROPS)
    assert [role["RoleName"] for role in account.list_roles(PathPrefix="/aws-service-role/")["Roles"]] == [made]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("InvalidInput", "Service role name AWSServiceRoleForEC2Spot has been taken in this account."),
        ("EntityAlreadyExists", "Role with name AWSServiceRoleForEC2Spot already exists."),
    ],
)
def test_both_words_for_a_role_that_is_there_are_understood(stubbed, code, message):  # I-47
    stubbed(code, message)
    assert ServiceLinkedRoleProvider().create(PROPS).id == "AWSServiceRoleForEC2Spot"


@pytest.mark.parametrize(("code", "message"), [("InvalidInput", "no such service"), ("AccessDenied", "not authorized")])
def test_any_other_refusal_fails_the_update(stubbed, code, message):
    stubbed(code, message)
    with pytest.raises(ClientError, match=message):
        ServiceLinkedRoleProvider().create(PROPS)


def test_a_refresh_notices_that_the_role_is_gone(account):
    """The resource leaves the state then, and the next update makes the role again."""
    provider = ServiceLinkedRoleProvider()
    made = provider.create(PROPS).id
    assert provider.read(made, PROPS).id == made
    account.delete_role(RoleName=made)
    assert not provider.read(made, PROPS).id


def test_the_engine_makes_and_keeps_the_role(aws_account):  # I-47
    """What an engine starts for dynamic resources, with the provider as a stack's state holds it: create, then delete."""
    endpoint = aws_account.address
    with dynamic_host(endpoint) as stub:
        properties = Struct()
        properties.update({**PROPS, "__provider": serialize_provider(ServiceLinkedRoleProvider())})
        made = stub.Create(provider_pb2.CreateRequest(urn="urn:x", properties=properties), timeout=30)
        stub.Delete(provider_pb2.DeleteRequest(id=made.id, urn="urn:x", properties=made.properties), timeout=30)
        iam = boto3.client(
            "iam", "eu-west-1", endpoint_url=endpoint, aws_access_key_id="testing", aws_secret_access_key=made.id
        )
        assert iam.get_role(RoleName=made.id)["Role"]["Path"] == "/aws-service-role/spot.amazonaws.com/"


@contextmanager
def dynamic_host(endpoint: str) -> Iterator[ResourceProviderStub]:
    """The process that runs dynamic providers, with an AWS at that endpoint."""
    testing = {"AWS_ENDPOINT_URL": endpoint, "AWS_ACCESS_KEY_ID": "testing", "AWS_SECRET_ACCESS_KEY": "testing"}
    command = [sys.executable, "-u", "-m", "pulumi.dynamic"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **testing})
    try:
        with grpc.insecure_channel(f"127.0.0.1:{int(process.stdout.readline())}") as channel:
            stub = ResourceProviderStub(channel)
            stub.Configure(provider_pb2.ConfigureRequest(), timeout=30)
            yield stub
    finally:
        process.terminate()
        process.communicate(timeout=10)


def test_another_region_is_the_same_role():
    """One role serves all regions of an account: nothing is replaced, and what is remembered is updated."""
    provider, moved = ServiceLinkedRoleProvider(), {**PROPS, "region": "eu-north-1"}
    same, other = provider.diff("x", PROPS, PROPS), provider.diff("x", PROPS, moved)
    assert (same.changes, same.replaces) == (False, [])
    assert (other.changes, other.replaces) == (True, [])
    assert provider.update("x", PROPS, moved).outs == moved
    assert provider.diff("x", PROPS, {**PROPS, "service": "eks.amazonaws.com"}).replaces == ["service"]


def test_the_state_holds_a_reference_to_the_provider_and_no_code():
    """A correction of the provider reaches what was made before it."""
    assert len(serialize_provider(ServiceLinkedRoleProvider())) < 200
    assert ServiceLinkedRoleProvider.__module__ == "pulumi_cutlist.aws.service_linked_role"  # what states have
