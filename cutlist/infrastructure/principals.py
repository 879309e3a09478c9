"""IAM principals for access entries, and the caller of an update (spec: aws-infrastructure 1.3). An access entry is for a role
or a user, by its real ARN with its path. A caller that assumed a role has the ARN of a session, which lacks the path; the roles
of IAM Identity Center all have one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from cutlist.core.errors import Place, Problem
from cutlist.infrastructure.inputs import Places

_PRINCIPAL: Final = re.compile(r"arn:aws[a-z-]*:iam::[0-9]{12}:(role|user)/\S+", re.ASCII)
_ROLE: Final = re.compile(r"(arn:aws[a-z-]*:iam::[0-9]{12}):role/(?:\S*/)?([^/\s]+)", re.ASCII)
_SESSION: Final = re.compile(r"arn:(aws[a-z-]*):sts::([0-9]{12}):assumed-role/([^/\s]+)/\S+", re.ASCII)
_OF_IDENTITY_CENTER: Final = "AWSReservedSSO_"
_WITH_PATH: Final = re.compile(r":role/aws-reserved/sso\.amazonaws\.com/(?:[a-z0-9-]+/)?AWSReservedSSO_[^/\s]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Caller:
    """The caller of an update: the account, the ARN as STS reports it, and the real ARN of a session's role, if known."""

    account: str
    arn: str
    role_arn: str = ""

    @property
    def is_session(self) -> bool:
        """Tell whether a role was assumed, so that the ARN is not that of a principal."""
        return _SESSION.fullmatch(self.arn) is not None

    @property
    def principal(self) -> str:
        """Return the ARN for the caller's access entry; for a role with an unknown path, the likely one."""
        return self.role_arn or role_of_session(self.arn) or self.arn

    def is_known_as(self, admin: str) -> bool:
        """Tell whether an ARN is the caller's. Role names are unique in an account, regardless of their path."""
        return admin == self.principal or (self.is_session and _bare(admin) == _bare(self.principal))


def role_of_session(arn: str) -> str:
    """Return the ARN of a session's role, or an empty string for any other ARN. A session lacks the path. For a role of IAM
    Identity Center, only the region of the Identity Center is unknown.
    """
    session = _SESSION.fullmatch(arn)
    if session is None:
        return ""
    partition, account, role = session.groups()
    return f"arn:{partition}:iam::{account}:role/{_path_of(role)}{role}"


def principal_problems(principal: str, place: Place) -> Iterator[Problem]:
    """Yield the problems with the ARN of a cluster's administrator."""
    role = _ROLE.fullmatch(principal)
    if _SESSION.fullmatch(principal):
        yield Problem(
            place, f"{principal} is a session of a role", f"the role itself{_look_up(principal)}", role_of_session(principal)
        )
    elif not _PRINCIPAL.fullmatch(principal):
        yield Problem(place, f"{principal!r} is not a principal", "the ARN of an IAM role or user")
    elif role and role[2].startswith(_OF_IDENTITY_CENTER) and not _WITH_PATH.search(principal):
        message = f"{principal} lacks the path that roles of IAM Identity Center have"
        yield Problem(
            place, message, f"the role's real ARN{_look_up(principal)}", f"{role[1]}:role/{_path_of(role[2])}{role[2]}"
        )


def account_problems(caller: Caller, account: str, at: Places) -> Iterator[Problem]:
    """Yield a problem if an update would run in another account than the inputs name."""
    if caller.account != account:
        message = f"the update runs in the account {caller.account}, as {caller.arn}"
        yield Problem(at.member("accountId"), message, f"credentials of {account}, or the account that is meant")


def admin_problems(caller: Caller, admins: Mapping[str, str], at: Places) -> Iterator[Problem]:
    """Yield a problem if the caller is not among the administrators."""
    if not any(map(caller.is_known_as, admins.values())):
        message = f"{caller.arn} runs the update and is not among them, so it could make nothing in the cluster"
        yield Problem(at.member("admins"), message, f"{caller.principal} too, or kubeconfigRoleArn with one of them")


def _bare(arn: str) -> tuple[str, str] | None:
    """Return account and name of a role, without its path, or None for anything else."""
    role = _ROLE.fullmatch(arn)
    return (role[1], role[2]) if role else None


def _path_of(role: str) -> str:
    return "aws-reserved/sso.amazonaws.com/REGION/" if role.startswith(_OF_IDENTITY_CENTER) else ""


def _look_up(principal: str) -> str:
    """Return how to find the path of a role that certainly has one."""
    role = role_of_session(principal).rpartition("/")[2] or principal.rpartition("/")[2]
    if not role.startswith(_OF_IDENTITY_CENTER):
        return ""
    return f", with the region of the Identity Center in its path: aws iam get-role --role-name {role} --query Role.Arn"
