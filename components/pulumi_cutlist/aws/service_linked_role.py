"""A service-linked role that is made where it is missing and never deleted, as a dynamic resource (spec: pulumi 6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pulumi
from pulumi import dynamic

from pulumi_cutlist.package.own_resources import OwnResource


class ServiceLinkedRoleProvider(dynamic.ResourceProvider):
    """Makes the role unless it exists. Deleting does nothing, since other stacks of the account depend on the role.

    The state of a stack holds a reference to this class, so that today's code runs on what an earlier version made. So
    the class and its module keep their names.
    """

    serialize_as_secret_always = False  # nothing secret is in it

    def create(self, props: dict[str, Any]) -> dynamic.CreateResult:
        """Make the role. An answer that it exists already counts as success, in either wording that IAM has for it."""
        _check_account(props)
        iam = _client(props)
        try:
            name = iam.create_service_linked_role(AWSServiceName=props["service"])["Role"]["RoleName"]
        except iam.exceptions.ClientError as error:
            if not _is_there(error.response["Error"]):
                raise
            name = props["role"]
        return dynamic.CreateResult(name, dict(props))

    def read(self, id_: str, props: dict[str, Any]) -> dynamic.ReadResult:
        """Check whether the role still exists. If it does not, the next update makes it again."""
        iam = _client(props)
        try:
            iam.get_role(RoleName=id_)
        except iam.exceptions.NoSuchEntityException:
            return dynamic.ReadResult("", {})
        return dynamic.ReadResult(id_, props)

    def diff(self, _id: str, olds: dict[str, Any], news: dict[str, Any]) -> dynamic.DiffResult:
        """Replace the role for another service, and for another account. Another region and other credentials reach the same
        role."""
        replaces = [key for key in ("service", "role") if olds.get(key) != news.get(key)]
        if olds.get("account") and news.get("account") and olds["account"] != news["account"]:
            replaces.append("account")
        changes = any(olds.get(key) != news.get(key) for key in ("account", "credentials", "region"))
        return dynamic.DiffResult(changes=bool(replaces) or changes, replaces=replaces)

    def update(self, _id: str, _olds: dict[str, Any], news: dict[str, Any]) -> dynamic.UpdateResult:
        """Remember region, account and credentials; the role stays as it is."""
        return dynamic.UpdateResult(dict(news))

    def delete(self, _id: str, _props: dict[str, Any]) -> None:
        """Leave the role to the others that depend on it."""


class EnsuredServiceLinkedRole(OwnResource, module="cutlist", name="EnsuredServiceLinkedRole"):
    """The role of a service, such as `spot.amazonaws.com`. `place` has its region, and the account and credentials that are
    known."""

    def __init__(self, name: str, *, service: str, role: str, place: Mapping[str, Any], opts: pulumi.ResourceOptions) -> None:
        props = {"service": service, "role": role, **place}
        super().__init__(ServiceLinkedRoleProvider(), name, props, opts)


def _client(props: dict[str, Any]) -> Any:
    """Return a client of IAM with the recorded credentials."""
    # Imported only where a provider runs: a client could not be kept in the state.
    from cutlist_live.recorded_credentials import recorded_session

    return recorded_session(props).client("iam", region_name=props["region"])


def _check_account(props: dict[str, Any]) -> None:
    """Raise RefusedError unless the recorded credentials are of the recorded account, where there is one."""
    from cutlist_live.recorded_credentials import recorded_session, require_account

    if props.get("account"):
        require_account(recorded_session(props), props["account"], props["region"])


def _is_there(error: dict[str, str]) -> bool:
    taken = error["Code"] == "InvalidInput" and "has been taken" in error["Message"]
    return taken or error["Code"] == "EntityAlreadyExists"
