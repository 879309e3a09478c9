"""The forms of kubeconfigs that kubectl knows, each used for a list of a real API server."""

from __future__ import annotations

import base64
import contextlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest
import trustme
import yaml

from cutlist.core.errors import InputError
from cutlist_live.cluster import ClusterClient
from cutlist_live.errors import NotListedError
from cutlist_live.kinds import KINDS
from cutlist_live.kubeconfig import chosen
from tests.live.api import Api
from tests.live.servers import Servers

V1: Final = "client.authentication.k8s.io/v1"
NAMESPACES: Final = next(kind for kind in KINDS if kind.kind == "Namespace")
Entry = Mapping[str, Any]


class Forms:
    """Writes kubeconfigs of the cluster, with entries of other forms."""

    def __init__(self, servers: Servers, folder: Path) -> None:
        self.servers = servers
        self.folder = folder
        self.keys = servers.folder / "pki"
        self.port = servers.ports["api"]

    def data(self, name: str) -> str:
        """Return a file of keys and certificates as an entry has it inline."""
        return base64.b64encode((self.keys / name).read_bytes()).decode()

    def listed(self, user: Entry, cluster: Entry | None = None) -> list[str]:
        """Return the names of all namespaces."""
        entry = {"server": self.servers.url, "certificate-authority": str(self.servers.authority), **(cluster or {})}
        config = {
            "clusters": [{"name": "live", "cluster": {key: value for key, value in entry.items() if value is not None}}],
            "users": [{"name": "me", "user": dict(user)}],
            "contexts": [{"name": "live", "context": {"cluster": "live", "user": "me"}}],
            "current-context": "live",
        }
        file = self.folder / "config"
        file.write_text(yaml.safe_dump(config))
        return namespaces({"PATH": os.environ["PATH"], "KUBECONFIG": str(file)})

    def refusal(self, user: Entry, cluster: Entry | None = None) -> str:
        """Return why there is no list."""
        with pytest.raises((InputError, NotListedError)) as error:
            self.listed(user, cluster)
        return str(error.value)

    def command(self, status: Entry, version: str = V1) -> dict[str, Any]:
        """Return a user's entry with a command that prints these credentials."""
        credential = {"apiVersion": version, "kind": "ExecCredential", "status": dict(status)}
        (self.folder / "credential.json").write_text(json.dumps(credential))
        script = self.folder / "get-token"
        script.write_text(f"#!/bin/sh\ncat {self.folder}/credential.json\n")
        script.chmod(0o755)
        return {"exec": {"apiVersion": version, "command": str(script), "interactiveMode": "Never"}}


def namespaces(environment: Mapping[str, str]) -> list[str]:
    """Return the names of all namespaces of the cluster that an environment leads to."""
    with contextlib.closing(ClusterClient(chosen(None, environment), pause=lambda _: None)) as cluster:
        return [item["metadata"]["name"] for item in cluster.all_of(NAMESPACES)[1]]


@pytest.fixture
def forms(servers: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Forms:
    for name in list(os.environ):
        if name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    return Forms(servers, tmp_path)


ADMIN: Final = {"token": "admin-token"}


def test_tokens(forms: Forms) -> None:
    """In the entry, and in a file."""
    (forms.folder / "token").write_text("admin-token\n")
    assert "kube-system" in forms.listed(ADMIN)
    assert "kube-system" in forms.listed({"tokenFile": "token"})
    assert "the cluster does not accept the credentials (401)" in forms.refusal({"token": "old-token"})
    assert "namespaces may not be listed (403)" in forms.refusal({"token": "nobody-token"})


def test_client_certificates(forms: Forms) -> None:
    """By file, and inline."""
    files = {"client-certificate": str(forms.keys / "admin.crt"), "client-key": str(forms.keys / "admin.key")}
    inline = {"client-certificate-data": forms.data("admin.crt"), "client-key-data": forms.data("admin.key")}
    assert "kube-system" in forms.listed(files)
    assert "kube-system" in forms.listed(inline)


def test_a_certificate_of_another_authority_is_not_accepted(forms: Forms) -> None:
    stranger = trustme.CA().issue_cert("admin.invalid", common_name="admin", organization_name="system:masters")
    (forms.folder / "admin.crt").write_bytes(b"".join(blob.bytes() for blob in stranger.cert_chain_pems))
    (forms.folder / "admin.key").write_bytes(stranger.private_key_pem.bytes())
    assert "(401)" in forms.refusal({"client-certificate": "admin.crt", "client-key": "admin.key"})


@pytest.mark.parametrize("version", [V1, f"{V1}beta1"])
def test_commands_for_credentials(forms: Forms, version: str) -> None:
    """Those that print a token, and those that print a certificate."""
    certificate = {
        "clientCertificateData": (forms.keys / "admin.crt").read_text(),
        "clientKeyData": (forms.keys / "admin.key").read_text(),
    }
    assert "kube-system" in forms.listed(forms.command(ADMIN, version))
    assert "kube-system" in forms.listed(forms.command(certificate, version))
    assert "(401)" in forms.refusal(forms.command({"token": "old-token"}, version))


def test_a_user_in_the_name_of_another(forms: Forms, api: Api) -> None:
    """Who is impersonated has rights of its own."""
    assert "namespaces may not be listed (403)" in forms.refusal({**ADMIN, "as": "nobody"})
    assert "kube-system" in forms.listed({**ADMIN, "as": "nobody", "as-groups": ["system:masters"], "as-uid": "7"})
    assert "namespaces may not be listed (403)" in forms.refusal({"token": "nobody-token", "as": "admin"})


def test_authorities(forms: Forms) -> None:
    """Inline, of another cluster, and none where nothing is verified."""
    inline = {"certificate-authority": None, "certificate-authority-data": forms.data("ca.crt")}
    other = base64.b64encode(trustme.CA().cert_pem.bytes()).decode()
    assert "kube-system" in forms.listed(ADMIN, inline)
    assert "the server's certificate is not trusted" in forms.refusal(
        ADMIN, {"certificate-authority": None, "certificate-authority-data": other}
    )
    assert "kube-system" in forms.listed(ADMIN, {"certificate-authority": None, "insecure-skip-tls-verify": True})


def test_the_name_of_the_certificate(forms: Forms) -> None:
    """The entry's is the one that the certificate has to have."""
    assert "kube-system" in forms.listed(ADMIN, {"tls-server-name": "live.cutlist.test"})
    message = "the server's certificate is for another name"
    assert message in forms.refusal(ADMIN, {"tls-server-name": "other.cutlist.test"})


def test_inside_of_a_pod(forms: Forms, api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the token that the API server issues for a service account, which may do what is bound to it."""
    account = "/api/v1/namespaces/kube-system/serviceaccounts/default"
    request = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"expirationSeconds": 3600}}
    (forms.folder / "token").write_text(api.call("POST", f"{account}/token", request)["status"]["token"])
    (forms.folder / "ca.crt").write_bytes(forms.servers.authority.read_bytes())
    (forms.folder / "namespace").write_text("kube-system")
    monkeypatch.setattr("cutlist_live.kubeconfig._ACCOUNT", str(forms.folder))
    for name, value in (("HOST", "127.0.0.1"), ("PORT", str(forms.port))):
        monkeypatch.setenv(f"KUBERNETES_SERVICE_{name}", value)
    inside = {**os.environ, "KUBECONFIG": str(forms.folder / "none")}
    with pytest.raises(NotListedError, match="may not be listed"):
        namespaces(inside)
    binding = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": "inside"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view"},
        "subjects": [{"kind": "ServiceAccount", "name": "default", "namespace": "kube-system"}],
    }
    api.create(binding)
    try:
        assert "kube-system" in namespaces(inside)
    finally:
        api.delete("ClusterRoleBinding", "inside")
