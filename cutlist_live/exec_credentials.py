"""Credentials from a command that a kubeconfig names, as `aws eks get-token` or `kubelogin` give them.

The protocol is client-go's: https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins,
November 2026.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import msgspec
from msgspec import structs

from cutlist.core.errors import InputError, Place
from cutlist_live.kubeconfig_entries import ClusterContext, ClusterEntry, ExecEntry

_GROUP: Final = "client.authentication.k8s.io"
_VERSIONS: Final = tuple(f"{_GROUP}/{version}" for version in ("v1", "v1beta1", "v1alpha1"))
_ALWAYS, _NEVER = "Always", "Never"
_LINES: Final = 5  # of what a failing command says, its last ones


class _Status(msgspec.Struct, rename="camel"):
    token: str = ""
    client_certificate_data: str = ""
    client_key_data: str = ""


class _Credential(msgspec.Struct, rename="camel"):
    """What the command prints: a token, or a certificate with its key, both as PEM."""

    api_version: str = ""
    status: _Status | None = None


def signed_in(context: ClusterContext) -> ClusterContext:
    """Return a context whose user has the credentials that the command of its entry prints; without a command as it is.

    Raises InputError.
    """
    user, place = context.user, context.place
    if user.exec is None:
        return context
    status = _status(user.exec, _printed(user.exec, context.cluster, place), place)
    if status.token:
        return replace(context, user=structs.replace(user, exec=None, token=status.token))
    certificate, key = (
        base64.b64encode(pem.encode()).decode() for pem in (status.client_certificate_data, status.client_key_data)
    )
    return replace(context, user=structs.replace(user, exec=None, client_cert_data=certificate, client_key_data=key))


def _printed(entry: ExecEntry, cluster: ClusterEntry, place: Place) -> str:
    """Return what the command prints. It may ask the person at the terminal, if its entry allows that."""
    if entry.apiVersion not in _VERSIONS:
        message = f"the command for credentials has apiVersion {entry.apiVersion!r}"
        raise InputError.one(place, message, ", ".join(_VERSIONS))
    interactive = entry.interactive_mode != _NEVER and sys.stdin is not None and sys.stdin.isatty()
    if entry.interactive_mode == _ALWAYS and not interactive:
        message = f"{entry.command}, the command for credentials, asks questions (interactiveMode: Always)"
        raise InputError.one(place, message, "a terminal as standard input")
    variables = {variable.name: variable.value for variable in entry.env or ()}
    info = {"KUBERNETES_EXEC_INFO": json.dumps(_request(entry, cluster, interactive))}
    command = [_program(entry, place, {**os.environ, **variables}), *(entry.args or ())]
    try:
        done = subprocess.run(  # noqa: S603 - the user's kubeconfig names it, as for kubectl
            command,
            env={**os.environ, **variables, **info},
            stdin=None if interactive else subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
    except OSError as error:
        raise InputError.one(place, f"{entry.command}, the command for credentials, cannot be run: {error}") from error
    if done.returncode:
        reason = " ".join(" ".join(done.stderr.splitlines()[-_LINES:]).split()) or "it does not say why"
        raise InputError.one(place, f"{entry.command}, the command for credentials, failed ({done.returncode}): {reason}")
    return done.stdout


def _program(entry: ExecEntry, place: Place, environment: Mapping[str, str]) -> str:
    path = shutil.which(entry.command, path=environment.get("PATH"))
    if path is None:
        hint = f"; {' '.join(entry.installHint.split())}" if entry.installHint else ""
        raise InputError.one(place, f"{entry.command}, the command for credentials, is not installed{hint}")
    return path


def _request(entry: ExecEntry, cluster: ClusterEntry, interactive: bool) -> dict[str, Any]:
    """Return what the command is given in its environment: of the cluster only where its entry wants that."""
    spec: dict[str, Any] = {"interactive": interactive}
    if entry.provide_cluster_info:
        spec["cluster"] = cluster.as_exec_info()
    return {"apiVersion": entry.apiVersion, "kind": "ExecCredential", "spec": spec}


def _status(entry: ExecEntry, printed: str, place: Place) -> _Status:
    what = f"{entry.command}, the command for credentials, prints"
    try:
        credential = msgspec.json.decode(printed.encode(), type=_Credential)
    except msgspec.MsgspecError as error:
        raise InputError.one(place, f"{what} no ExecCredential: {error}") from error
    if credential.api_version != entry.apiVersion:
        raise InputError.one(place, f"{what} apiVersion {credential.api_version!r}", f"{entry.apiVersion}, as its entry says")
    status = credential.status or _Status()
    if not status.token and not (status.client_certificate_data and status.client_key_data):
        raise InputError.one(place, f"{what} no credentials", "status.token, or clientCertificateData with clientKeyData")
    return status
