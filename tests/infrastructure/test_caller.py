"""Who runs an update, compared with the inputs before anything is made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pulumi
import pytest
from pulumi_cutlist.errors import OfflineError
from pulumi_cutlist.program.offline import Mode, Program
from pulumi_cutlist.recorded.recording import Log, Recording
from pulumi_cutlist.stack.stack_file import load

from cutlist.core.errors import InputError
from cutlist.infrastructure.principals import Caller, role_of_session
from tests.infrastructure.aws_stand_in import ACCOUNT, AwsStandIn, run
from tests.infrastructure.joined_program import ADOPTED, ADOPTED_VPC, NEW, OBJECTS, WHERE
from tests.infrastructure.projects import copy_of_project
from tests.infrastructure.sweep_account import Cloud

WHO, SESSION = "aws:index/getCallerIdentity:getCallerIdentity", "aws:iam/getSessionContext:getSessionContext"
DEPLOYER = f"arn:aws:sts::{ACCOUNT}:assumed-role/Deployer/ci"
SSO = "AWSReservedSSO_Admin_0123456789abcdef"
SSO_ROLE = f"arn:aws:iam::{ACCOUNT}:role/aws-reserved/sso.amazonaws.com/eu-west-1/{SSO}"
SSO_SESSION = f"arn:aws:sts::{ACCOUNT}:assumed-role/{SSO}/alice"
OTHER = "444455556666"
AUTO = {key: value for key, value in NEW.items() if key != "karpenter_version"}
PLANE = {**WHERE, "version": "1.35", "admins": NEW["admins"], "subnet_ids": ["subnet-0a", "subnet-0b"]}
PLANE["zones"] = ["eu-west-1a", "eu-west-1b"]
ALONE: dict[str, dict[str, Any]] = {
    "Cluster": {"control_plane": PLANE},
    "AutoMode": {"control_plane": PLANE},
    "AdoptedCluster": {**WHERE, **ADOPTED, "version": "1.35"},
    "NodeIdentity": WHERE,
    "Interruption": {**WHERE, "karpenter_version": "1.14.1"},
    "ControllerIdentity": {
        **WHERE,
        "karpenter_version": "1.14.1",
        "node_role_arns": [SSO_ROLE],
        "queue_arn": f"arn:aws:sqs:eu-west-1:{ACCOUNT}:shop",
    },
    "ExternalDnsIdentity": {**WHERE, "every_zone": True},
}
REACHED = {"reachable_from": "inside"}
JOINED: dict[str, dict[str, Any]] = {
    "KarpenterCluster": {**NEW, **OBJECTS, **REACHED},
    "AutoModeCluster": {**AUTO, **REACHED},
}


def made(
    folder: Path, component: str, given: dict[str, Any], mode: Mode = Mode.UPDATE, arn: str = DEPLOYER, **calls: dict[str, Any]
) -> Recording:
    """What a component registers when `arn` runs it."""
    answers = {WHO: {"accountId": arn.split(":")[4], "arn": arn}, SESSION: {"issuerArn": SSO_ROLE}, **calls}
    return run(folder, f"from pulumi_cutlist.aws import {component}\n{component}('shop', given)\n", mode, answers, given=given)


def refusal(folder: Path, component: str, given: dict[str, Any], arn: str) -> str:
    with pytest.raises(InputError) as error:
        made(folder, component, given, arn=arn)
    return str(error.value)


def warnings(recording: Recording) -> list[Log]:
    return [log for log in recording.logs if log.severity == "warning"]


@pytest.mark.parametrize(("component", "given"), [*ALONE.items(), *JOINED.items()], ids=[*ALONE, *JOINED])
def test_the_right_caller_gets_no_word(tmp_path, component, given):
    assert warnings(made(tmp_path, component, given)) == []


@pytest.mark.parametrize(("component", "given"), [*ALONE.items(), *JOINED.items()], ids=[*ALONE, *JOINED])
def test_another_account_ends_an_update_before_anything_is_made(tmp_path, component, given):
    """Names and ARNs come from the account that the inputs name: in another one they would be of nothing."""
    other = DEPLOYER.replace(ACCOUNT, OTHER)
    [message] = refusal(tmp_path, component, given, other).splitlines()
    assert f"account_id: the update runs in the account {OTHER}, as {other}; allowed: credentials of {ACCOUNT}" in message


@pytest.mark.parametrize(("component", "given"), JOINED.items(), ids=JOINED)
def test_a_preview_only_warns(tmp_path, component, given):
    """Who looks may be another than who updates."""
    for arn, path in ((DEPLOYER.replace(ACCOUNT, OTHER), "account_id"), (SSO_SESSION, "admins")):
        [log] = warnings(made(tmp_path, component, given, Mode.PREVIEW, arn))
        assert log.message.startswith(f"{path}: ")


@pytest.mark.parametrize(("component", "given"), JOINED.items(), ids=JOINED)
def test_who_could_make_no_object_is_refused_with_the_arn_to_add(tmp_path, component, given):
    message = refusal(tmp_path, component, given, SSO_SESSION)
    assert message.startswith(f"admins: {SSO_SESSION} runs the update and is not among them")
    assert f"allowed: {SSO_ROLE} too" in message


def test_a_role_that_iam_does_not_show_is_named_as_far_as_it_is_known(tmp_path):
    def refused(*_: object) -> None:
        raise PermissionError("iam:GetRole")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pulumi_aws.iam.get_session_context", refused)
        message = refusal(tmp_path, "KarpenterCluster", JOINED["KarpenterCluster"], SSO_SESSION)
    assert SSO_ROLE.replace("eu-west-1", "REGION") in message


def test_a_program_that_asks_who_runs_it_is_still_refused_offline(tmp_path):
    """An answer of nothing would be taken for an account."""
    with pytest.raises(OfflineError, match="getCallerIdentity"):
        run(tmp_path, "import pulumi_aws\npulumi_aws.get_caller_identity()\n")


@pytest.mark.parametrize("component", ["Cluster", "AutoMode"])
def test_a_cluster_alone_may_be_made_by_another(tmp_path, component):
    """It makes no object in the cluster; those who do may be let in elsewhere. It is said before the cluster is made."""
    [log] = warnings(made(tmp_path, component, ALONE[component], arn=SSO_SESSION))
    assert log.message.startswith("control_plane.admins: ")


@pytest.mark.parametrize("way", [{"kubeconfig_role_arn": NEW["admins"]["deployer"]}, {"kubeconfig_profile": "deployer"}])
def test_the_identity_of_the_kubeconfig_is_who_counts(tmp_path, way):
    given = {**JOINED["KarpenterCluster"], "control_plane": way}
    assert warnings(made(tmp_path, "KarpenterCluster", given, arn=SSO_SESSION)) == []


def test_access_to_an_adopted_cluster_is_its_owners_matter(tmp_path):
    given = {**WHERE, **OBJECTS, "kubernetes_version": "1.35", "network": ADOPTED_VPC, "adopted_cluster": ADOPTED}
    assert warnings(made(tmp_path, "KarpenterCluster", given, arn=SSO_SESSION)) == []


def test_a_stack_says_where_its_file_has_the_mistake(tmp_path):
    root = copy_of_project(tmp_path)
    file = load(root, "dev")
    answers = {WHO: {"accountId": OTHER, "arn": DEPLOYER.replace(ACCOUNT, OTHER)}}
    program = Program(file.program, file.root, file.project, file.stack, file.config, file.secrets)
    with pytest.raises(pulumi.RunError) as error:
        program.run(Mode.UPDATE, AwsStandIn(Mode.UPDATE, answers))
    assert "stacks/Pulumi.dev.yaml:" in str(error.value)
    assert "karpenterCluster.accountId: the update runs in the account" in str(error.value)


@pytest.mark.slow
def test_sessions_look_as_sts_shows_them(aws_account: Cloud):
    """The role of an Identity Center, assumed: its path is in the role's ARN and not in that of the session."""
    iam, sts = aws_account.made("iam"), aws_account.made("sts")
    path = "/aws-reserved/sso.amazonaws.com/eu-west-1/"
    role = iam.create_role(RoleName=SSO, Path=path, AssumeRolePolicyDocument="{}")["Role"]["Arn"]
    session = sts.assume_role(RoleArn=role, RoleSessionName="alice")["AssumedRoleUser"]["Arn"]
    caller = Caller(session.split(":")[4], session)
    assert caller.is_session
    assert caller.is_known_as(role)
    assert role_of_session(session) == role.replace("eu-west-1", "REGION")
