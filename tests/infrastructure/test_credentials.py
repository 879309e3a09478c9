"""The credentials of a component's provider, in what Cutlist's own code does at a create or a destroy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto import mock_aws
from pulumi_cutlist.aws.service_linked_role import ServiceLinkedRoleProvider
from pulumi_cutlist.program.offline import Mode, Program

from cutlist_live.errors import RefusedError
from cutlist_live.recorded_credentials import recorded_session, require_account
from cutlist_live.sweep.recorded import drain
from tests.infrastructure.aws_stand_in import AwsStandIn

CLUSTERS = """
import pulumi
import pulumi_aws as aws
from pulumi_cutlist.aws import KarpenterCluster

def cluster(name, region, account, opts=None):
    where = {"cluster_name": name, "region": region, "account_id": account, "kubernetes_version": "1.35"}
    admins = {"deployer": f"arn:aws:iam::{account}:role/Deployer"}
    return KarpenterCluster(name, {**where, "admins": admins, "public_access_cidrs": ["203.0.113.0/24"]}, opts)

pulumi.export("blue", cluster("blue", "eu-west-1", "111122223333").kubeconfig)
role = {"role_arn": "arn:aws:iam::444455556666:role/Deployer", "external_id": "shop"}
other = aws.Provider("other", region="us-east-1", profile="base", assume_roles=[role])
green = cluster("green", "us-east-1", "444455556666", pulumi.ResourceOptions(providers=[other]))
pulumi.export("green", green.kubeconfig)
"""
OWN = ("Sweep", "Drain", "EnsuredServiceLinkedRole")
ROLE = {"roleArn": "arn:aws:iam::444455556666:role/Deployer", "externalId": "shop"}
SPOT = {"service": "spot.amazonaws.com", "role": "AWSServiceRoleForEC2Spot", "region": "eu-west-1"}


@pytest.fixture(autouse=True)
def _environment(monkeypatch, tmp_path):
    """Credentials of an account in the environment, and a file of profiles."""
    for key in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(key, "testing")
    (tmp_path / "credentials").write_text("[base]\naws_access_key_id = BASE\naws_secret_access_key = secret\n")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "credentials"))


def of_resources(folder: Path, config: dict[str, str]) -> dict[str, Any]:
    """What each resource with code of Cutlist's own records of its credentials, by cluster and kind."""
    (folder / "__main__.py").write_text(CLUSTERS)
    recording = Program(folder, folder, "shop", "dev", config).run(Mode.UPDATE, AwsStandIn(Mode.UPDATE))
    own = [one for one in recording.resources.values() if one.type.rpartition(":")[2] in OWN]
    return {f"{one.name.partition('-')[0]} {one.type.rpartition(':')[2]}": one.inputs.get("credentials") for one in own}


def test_two_clusters_of_two_accounts_live_in_one_stack(tmp_path):  # I-88
    """Each resource acts with the credentials of its own component's provider; those of the environment are not recorded."""
    found = of_resources(tmp_path, {})
    assert {name: value for name, value in found.items() if name.startswith("blue")} == {f"blue {kind}": None for kind in OWN}
    of_green = {"profile": "base", "assumeRoles": [{"role_arn": ROLE["roleArn"], "external_id": "shop"}]}
    assert {name: value for name, value in found.items() if name.startswith("green")} == {
        f"green {kind}": of_green for kind in OWN
    }


def test_the_default_provider_is_the_stacks(tmp_path):  # I-88
    config = {"aws:profile": "team", "aws:assumeRoles": json.dumps([ROLE])}
    found = of_resources(tmp_path, config)
    assert found["blue Sweep"] == found["blue Drain"] == {"profile": "team", "assumeRoles": [ROLE]}


def test_only_the_program_logs_in_as_its_provider(tmp_path):  # I-88
    """The kubeconfig that it exports has no profile and no role: others have their own."""
    (tmp_path / "__main__.py").write_text(CLUSTERS)
    recording = Program(tmp_path, tmp_path, "shop", "dev").run(Mode.UPDATE, AwsStandIn(Mode.UPDATE))
    blue, green = (one.inputs["kubeconfig"] for one in recording.of_type("pulumi:providers:kubernetes"))
    assert blue == recording.exports["blue"]
    assert '"--role-arn", "arn:aws:iam::444455556666:role/Deployer", "--profile", "base"' in " ".join(green.split())
    assert "--profile" not in recording.exports["green"]


def test_profile_and_keys_are_used():  # I-88
    assert recorded_session({"region": "eu-west-1"}).get_credentials().access_key == "testing"
    assert recorded_session({"region": "eu-west-1", "credentials": {"profile": "base"}}).get_credentials().access_key == "BASE"
    keys = {"accessKey": "KEY", "secretKey": "hidden", "token": "of-session"}
    assert recorded_session({"region": "eu-west-1", "credentials": keys}).get_credentials().token == keys["token"]


@mock_aws
def test_roles_are_assumed():  # I-88
    assumed = recorded_session({"region": "eu-west-1", "credentials": {"assumeRoles": [ROLE]}})
    identity = assumed.client("sts").get_caller_identity()
    assert identity["Arn"] == "arn:aws:sts::444455556666:assumed-role/Deployer/cutlist"
    require_account(assumed, "444455556666", "eu-west-1")


@mock_aws
@pytest.mark.parametrize("spelled", ["camel", "snake"])
def test_a_token_of_another_identity_is_used(tmp_path, spelled):  # I-88
    """Given as a text or in a file; a file that cannot be read is named."""
    (tmp_path / "token").write_text("a-token-of-ci\n")
    arn, file = ("roleArn", "webIdentityTokenFile") if spelled == "camel" else ("role_arn", "web_identity_token_file")
    of_file = {arn: ROLE["roleArn"], file: str(tmp_path / "token")}
    for identity in (of_file, {arn: ROLE["roleArn"], "webIdentityToken": "a-token-of-ci"}):
        session = recorded_session({"region": "eu-west-1", "credentials": {"assumeRoleWithWebIdentity": identity}})
        require_account(session, "444455556666", "eu-west-1")
    missing = {**of_file, file: str(tmp_path / "none")}
    with pytest.raises(RefusedError, match=r"webIdentityTokenFile .*none cannot be read: .*No such file"):
        recorded_session({"region": "eu-west-1", "credentials": {"assumeRoleWithWebIdentity": missing}})


@mock_aws
def test_a_profile_that_is_not_there_is_refused():
    with pytest.raises(RefusedError, match="nowhere"):
        recorded_session({"region": "eu-west-1", "credentials": {"profile": "nowhere"}})


@mock_aws
def test_nothing_is_done_in_another_account():  # I-88
    """The role for spot is not made, and no node is drained."""
    with pytest.raises(RefusedError, match="the credentials are of account 123456789012, and the stack is for account 1111"):
        ServiceLinkedRoleProvider().create({**SPOT, "account": "111122223333"})
    assert not boto3.client("iam").list_roles()["Roles"]
    gate = {"cluster": "shop", "region": "eu-west-1", "account": "111122223333", "mode": "fail", "node_pools": [], "minutes": 1}
    with pytest.raises(RefusedError, match="account 111122223333"):
        drain(gate)


@mock_aws
def test_the_role_for_spot_is_made_in_the_account_of_the_provider():  # I-47, I-88
    made = ServiceLinkedRoleProvider().create({**SPOT, "account": "444455556666", "credentials": {"assumeRoles": [ROLE]}})
    assert made.outs["credentials"] == {"assumeRoles": [ROLE]}


def test_other_credentials_are_remembered_and_another_account_is_another_role():
    provider, olds = ServiceLinkedRoleProvider(), {**SPOT, "account": "111122223333"}
    assert provider.diff("role", olds, {**olds, "credentials": {"profile": "team"}}).replaces == []
    assert provider.diff("role", olds, {**olds, "credentials": {"profile": "team"}}).changes
    assert provider.diff("role", olds, {**olds, "account": "444455556666"}).replaces == ["account"]
    assert not provider.diff("role", SPOT, SPOT).changes
