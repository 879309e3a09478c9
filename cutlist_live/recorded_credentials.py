"""Sessions with the credentials that a resource of a stack recorded: those of the provider that its component was given."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import boto3
import botocore.session
from botocore.exceptions import BotoCoreError, ClientError

from cutlist_live.errors import RefusedError

_KEYS: Final = {
    "aws_access_key_id": "accessKey",
    "aws_secret_access_key": "secretKey",
    "aws_session_token": "token",
    "profile_name": "profile",
}
_FILES: Final = {"config_file": "sharedConfigFiles", "credentials_file": "sharedCredentialsFiles"}
_SESSION: Final = "cutlist"
"""The name of a session where the provider names none."""


def recorded_session(properties: Mapping[str, Any]) -> boto3.Session:
    """Return a session with the recorded credentials, else with those of the environment. Roles are assumed one after another.
    Raises RefusedError, with the role, where that is not permitted."""
    recorded: Mapping[str, Any] = properties.get("credentials") or {}
    core = botocore.session.Session()
    for variable, key in _FILES.items():
        if files := recorded.get(key):
            core.set_config_variable(variable, str(Path(files[0]).expanduser()))
    given = {argument: recorded[key] for argument, key in _KEYS.items() if recorded.get(key)}
    region = str(properties["region"])
    try:
        session = boto3.Session(botocore_session=core, region_name=region, **given)
        if identity := recorded.get("assumeRoleWithWebIdentity"):
            session = _with_web_identity(session, identity, region)
        for role in recorded.get("assumeRoles") or ():
            session = _as_role(session, role, region)
    except BotoCoreError as error:
        raise RefusedError(f"the credentials of the provider cannot be used: {error}") from None
    return session


def require_account(session: boto3.Session, account: str, region: str) -> None:
    """Raise RefusedError unless a session is of an account."""
    found = session.client("sts", region_name=region).get_caller_identity()["Account"]
    if found != account:
        raise RefusedError(f"the credentials are of account {found}, and the stack is for account {account}")


def _as_role(session: boto3.Session, role: Mapping[str, Any], region: str) -> boto3.Session:
    arguments = {"RoleArn": _of(role, "roleArn"), "RoleSessionName": _of(role, "sessionName") or _SESSION}
    if external := _of(role, "externalId"):
        arguments["ExternalId"] = external
    try:
        answer = session.client("sts", region_name=region).assume_role(**arguments)
    except ClientError as error:
        raise RefusedError(f"the role {arguments['RoleArn']} of the provider cannot be assumed: {error}") from None
    return _session(answer["Credentials"], region)


def _with_web_identity(session: boto3.Session, identity: Mapping[str, Any], region: str) -> boto3.Session:
    file, token = _of(identity, "webIdentityTokenFile"), _of(identity, "webIdentityToken")
    arguments = {
        "RoleArn": _of(identity, "roleArn"),
        "RoleSessionName": _of(identity, "sessionName") or _SESSION,
        "WebIdentityToken": token or Path(str(file)).expanduser().read_text(),
    }
    try:
        answer = session.client("sts", region_name=region).assume_role_with_web_identity(**arguments)
    except ClientError as error:
        raise RefusedError(f"the role {arguments['RoleArn']} of the provider cannot be assumed: {error}") from None
    return _session(answer["Credentials"], region)


def _session(credentials: Mapping[str, str], region: str) -> boto3.Session:
    return boto3.Session(
        aws_access_key_id=credentials["AccessKeyId"],
        aws_secret_access_key=credentials["SecretAccessKey"],
        aws_session_token=credentials["SessionToken"],
        region_name=region,
    )


def _of(inputs: Mapping[str, Any], key: str) -> Any:
    """Return an input of a provider, which programs in Python spell in snake_case."""
    snake = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in key)
    return inputs.get(key) or inputs.get(snake)
