"""The credentials of the provider that a component was given, for resources that Cutlist's own code provides (spec: pulumi
6.5)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import pulumi

_ANY: Final = "aws:index/provider:Provider"
_STATE_OF: Final = "pulumi:pulumi:getResource"
_PLAIN: Final = ("profile", "accessKey", "secretKey", "token")
_PARTS: Final = ("assumeRoles", "assumeRoleWithWebIdentity", "sharedConfigFiles", "sharedCredentialsFiles")
_SECRET: Final = frozenset({"accessKey", "secretKey", "token"})


def credentials_of(component: pulumi.Resource) -> dict[str, pulumi.Input[Any]]:
    """Return where the AWS provider of a registered component has its credentials from, as a resource records it under
    `credentials`: nothing where that is the environment alone. Keys stay secret.

    An explicit provider says it itself, in programs in other languages too: an engine tells what it was registered with. The
    default one has it from the stack's configuration.
    """
    provider = component.get_provider(_ANY)
    if provider is None:
        found = _of_stack()
        return {"credentials": pulumi.Output.all(**found)} if found else {}  # one value, which is secret as a whole
    state = pulumi.runtime.invoke_output(_STATE_OF, {"urn": provider.urn})
    return {"credentials": state.apply(lambda known: _of_state(known["state"]))}


def login_of(credentials: Mapping[str, pulumi.Input[Any]]) -> pulumi.Output[dict[str, str]]:
    """Return with which profile and role somebody logs in to a cluster as the provider would: those that `credentials_of`
    found."""
    return pulumi.Output.from_input(credentials.get("credentials", {})).apply(_login)


def _of_state(state: Mapping[str, Any]) -> dict[str, Any]:
    plain = {key: state[key] for key in _PLAIN if state.get(key)}
    return {**plain, **{key: _read(state[key]) for key in _PARTS if state.get(key)}}


def _of_stack() -> dict[str, Any]:
    config = pulumi.Config("aws")
    plain = {key: config.get_secret(key) if key in _SECRET else config.get(key) for key in _PLAIN}
    parts = {key: config.get_object(key) for key in _PARTS}
    return {key: value for key, value in {**plain, **parts}.items() if value is not None}


def _read(value: Any) -> Any:
    """Return what a provider is registered with as JSON."""
    return json.loads(value) if isinstance(value, str) else value


def _login(found: Mapping[str, Any]) -> dict[str, str]:
    roles = found.get("assumeRoles") or []
    role = roles[-1] if roles else {}
    texts = {"profile": found.get("profile"), "role": role.get("roleArn") or role.get("role_arn")}
    return {key: value for key, value in texts.items() if value}
