"""Who may be an administrator, and whether who runs an update is one."""

from __future__ import annotations

import pytest

from cutlist.core.errors import Place
from cutlist.infrastructure.principals import Caller, account_problems, admin_problems, principal_problems, role_of_session

ACCOUNT = "111122223333"
ROLE = f"arn:aws:iam::{ACCOUNT}:role/Deployer"
SESSION = f"arn:aws:sts::{ACCOUNT}:assumed-role/Deployer/alice"
SSO = "AWSReservedSSO_Admin_0123456789abcdef"
SSO_ROLE = f"arn:aws:iam::{ACCOUNT}:role/aws-reserved/sso.amazonaws.com/eu-west-1/{SSO}"
SSO_SESSION = f"arn:aws:sts::{ACCOUNT}:assumed-role/{SSO}/alice@example.com"
USER = f"arn:aws:iam::{ACCOUNT}:user/ops/alice"
ROOT = f"arn:aws:iam::{ACCOUNT}:root"
AT = Place()


def of_admin(principal: str) -> str:
    return "\n".join(map(str, principal_problems(principal, Place(path="admins.me"))))


def of_caller(arn: str, *admins: str, role_arn: str = "") -> str:
    caller = Caller(ACCOUNT, arn, role_arn)
    return "\n".join(map(str, admin_problems(caller, {f"a{n}": admin for n, admin in enumerate(admins)}, AT)))


@pytest.mark.parametrize(
    "principal",
    [ROLE, f"arn:aws:iam::{ACCOUNT}:role/team/ci/Deployer", USER, SSO_ROLE, SSO_ROLE.replace("eu-west-1/", "")],
)
def test_roles_and_users_are_principals(principal):
    """The role of an Identity Center in us-east-1 has no region in its path."""
    assert of_admin(principal) == ""


def test_a_session_of_an_identity_center_is_mapped_to_its_role():
    message = of_admin(SSO_SESSION)
    assert f"did you mean {SSO_ROLE.replace('eu-west-1', 'REGION')}?" in message
    assert f"aws iam get-role --role-name {SSO} --query Role.Arn" in message


@pytest.mark.parametrize("path", ["", "sso.amazonaws.com/", "aws-reserved/"])
def test_a_role_of_an_identity_center_without_its_path_is_refused(path):
    """EKS would find no such role, after ten minutes."""
    message = of_admin(f"arn:aws:iam::{ACCOUNT}:role/{path}{SSO}")
    assert "lacks the path that roles of IAM Identity Center have" in message
    assert SSO_ROLE.replace("eu-west-1", "REGION") in message


@pytest.mark.parametrize("arn", [USER, ROLE, ROOT, ""])
def test_what_is_no_session_has_no_role(arn):
    assert role_of_session(arn) == ""


@pytest.mark.parametrize(
    ("arn", "admin"),
    [
        (SESSION, ROLE),
        (SESSION, f"arn:aws:iam::{ACCOUNT}:role/team/Deployer"),
        (SSO_SESSION, SSO_ROLE),
        (USER, USER),
    ],
)
def test_who_is_an_administrator_is_found_among_them(arn, admin):
    assert of_caller(arn, f"arn:aws:iam::{ACCOUNT}:role/Other", admin) == ""


@pytest.mark.parametrize(
    ("arn", "admin", "principal"),
    [
        (SESSION, f"arn:aws:iam::{ACCOUNT}:role/Deployers", ROLE),
        (SESSION, f"arn:aws:iam::{ACCOUNT}:user/Deployer", ROLE),
        (SESSION, "arn:aws:iam::444455556666:role/Deployer", ROLE),
        (SSO_SESSION, ROLE, SSO_ROLE.replace("eu-west-1", "REGION")),
        (USER, f"arn:aws:iam::{ACCOUNT}:user/alice", USER),
        (ROOT, ROLE, ROOT),
    ],
)
def test_who_is_none_is_named_as_an_entry_takes_it(arn, admin, principal):
    message = of_caller(arn, admin)
    assert message.startswith(f"admins: {arn} runs the update and is not among them")
    assert f"{principal} too" in message


def test_a_path_that_was_looked_up_is_used():
    assert f"allowed: {SSO_ROLE} too" in of_caller(SSO_SESSION, ROLE, role_arn=SSO_ROLE)


def test_another_account_is_reported_with_who_runs_the_update():
    assert list(account_problems(Caller(ACCOUNT, SESSION), ACCOUNT, AT)) == []
    [problem] = account_problems(Caller(ACCOUNT, SESSION), "444455556666", AT)
    assert str(problem).startswith(f"accountId: the update runs in the account {ACCOUNT}, as {SESSION}")
