"""Sessions with the credentials that a resource of a stack recorded: those of the provider that its component was given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
    Raises RefusedError, with the role or the file, where that is not permitted or not possible."""
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
    try:
        found = session.client("sts", region_name=region).get_caller_identity()["Account"]
    except (BotoCoreError, ClientError) as error:
        raise RefusedError(f"AWS does not say whose the credentials of the provider are: {error}") from None
    if found != account:
        raise RefusedError(f"the credentials are of account {found}, and the stack is for account {account}")


def _as_role(session: boto3.Session, role: Mapping[str, Any], region: str) -> boto3.Session:
    external = {"ExternalId": _of(role, "externalId")} if _of(role, "externalId") else {}
    return _assumed(session.client("sts", region_name=region).assume_role, role, external, region)


def _with_web_identity(session: boto3.Session, identity: Mapping[str, Any], region: str) -> boto3.Session:
    token = {"WebIdentityToken": _of(identity, "webIdentityToken") or _token_in(_of(identity, "webIdentityTokenFile"))}
    return _assumed(session.client("sts", region_name=region).assume_role_with_web_identity, identity, token, region)


def _token_in(file: Any) -> str:
    try:
        return Path(str(file)).expanduser().read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise RefusedError(f"the provider's webIdentityTokenFile {file} cannot be read: {error}") from None


def _assumed(call: Callable[..., Any], role: Mapping[str, Any], proof: Mapping[str, str], region: str) -> boto3.Session:
    """Return a session of a role, which a call of STS gives for a proof. Raises RefusedError, with the role."""
    arn, name = _of(role, "roleArn"), _of(role, "sessionName") or _SESSION
    try:
        credentials = call(RoleArn=arn, RoleSessionName=name, **proof)["Credentials"]
    except ClientError as error:
        raise RefusedError(f"the role {arn} of the provider cannot be assumed: {error}") from None
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
