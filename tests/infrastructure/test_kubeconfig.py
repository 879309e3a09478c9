"""Clusters as a kubeconfig names them: contexts, several files, certificates, proxies and commands for credentials."""

from __future__ import annotations

import json
import os
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import trustme
import yaml

from cutlist.core.errors import InputError
from cutlist_live.cluster import ClusterClient
from cutlist_live.kinds import KINDS
from cutlist_live.kubeconfig import chosen
from tests.infrastructure.kube_server import TOKEN, ApiServer, kubeconfig, serving

NODES = next(kind for kind in KINDS if kind.kind == "Node")
V1 = "client.authentication.k8s.io/v1"


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.lower().endswith("_proxy") or name in ("KUBERNETES_SERVICE_HOST", "KUBECONFIG"):
            monkeypatch.delenv(name)


@pytest.fixture
def api() -> ApiServer:
    return ApiServer({"/api/v1/nodes": [{"metadata": {"name": "node-1"}}]})


@pytest.fixture
def server(api: ApiServer) -> Iterator[str]:
    with serving(api) as address:
        yield address


def listed(files: Path | str, context: str | None = None) -> list[str]:
    """Return the names of the nodes of a context's cluster."""
    cluster = ClusterClient(chosen(context, {**os.environ, "KUBECONFIG": str(files)}), pause=lambda _: None)
    try:
        return [node["metadata"]["name"] for node in cluster.all_of(NODES)[1]]
    finally:
        cluster.close()


def refusal(files: Path | str, context: str | None = None) -> str:
    """Return why a context's cluster cannot be listed."""
    with pytest.raises(InputError) as error:
        listed(files, context)
    return str(error.value)


@pytest.mark.parametrize(
    ("context", "message"),
    [
        ("dem", "there is no context 'dem' in the kubeconfig; allowed: demo, homeless, nobody; did you mean demo?"),
        ("homeless", "names the cluster 'gone', which the kubeconfig does not have"),
        ("nobody", "names the user 'gone', which the kubeconfig does not have"),
    ],
)
def test_a_context_that_leads_nowhere_is_named(tmp_path: Path, server: str, context: str, message: str) -> None:
    """An unknown context, and one whose cluster or user is missing."""
    assert message in refusal(kubeconfig(tmp_path, server), context)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "1: is not YAML"),
        ("\x00", " the kubeconfig cannot be used"),
        ("7", " the kubeconfig cannot be used"),
        ("clusters: 7", " the kubeconfig cannot be used"),
        ("contexts: [{name: demo}]", " the kubeconfig cannot be used"),
        ("users: [{name: a, user: {exec: 1}}]", " the kubeconfig cannot be used"),
    ],
)
def test_a_damaged_kubeconfig_is_named(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "damaged"
    file.write_text(text)
    assert f"{file}:{message}" in refusal(file)


def test_without_a_kubeconfig_it_says_what_to_do(tmp_path: Path) -> None:
    assert "there is no kubeconfig; name one in $KUBECONFIG" in refusal(tmp_path / "none")


def test_a_kubeconfig_may_lie_in_several_files(tmp_path: Path, server: str) -> None:
    """As for kubectl: the files together have the context, its cluster and its user, and the first entry of a name counts."""
    whole = yaml.safe_load(kubeconfig(tmp_path, server).read_text())
    parts: list[dict[str, Any]] = [
        {"contexts": whole["contexts"], "clusters": None},
        {"clusters": whole["clusters"], "users": []},
        {"users": whole["users"], "current-context": "demo"},
        {"users": [{"name": "me", "user": {"token": "of-another"}}]},
    ]
    for number, part in enumerate(parts):
        (tmp_path / f"part{number}").write_text(yaml.safe_dump(part))
    assert listed(":".join(str(tmp_path / f"part{number}") for number in range(4))) == ["node-1"]


def test_paths_are_read_from_the_folder_of_their_own_file(tmp_path: Path, server: str) -> None:
    """A token in a file beside the kubeconfig, however the command was started."""
    (tmp_path / "token").write_text(TOKEN)
    assert listed(kubeconfig(tmp_path, server, tokenFile="token")) == ["node-1"]


def test_inside_a_cluster_it_is_that_cluster(
    tmp_path: Path, api: ApiServer, authority: trustme.CA, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the token and the authority that Kubernetes puts into each pod."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    authority.cert_pem.write_to_path(tmp_path / "ca.crt")
    (tmp_path / "token").write_text(TOKEN)
    (tmp_path / "namespace").write_text("tools")
    monkeypatch.setattr("cutlist_live.kubeconfig._ACCOUNT", str(tmp_path))
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "127.0.0.1")
    with serving(api, context) as address:
        monkeypatch.setenv("KUBERNETES_SERVICE_PORT", address.rpartition(":")[2])
        assert listed(tmp_path / "no-kubeconfig") == ["node-1"]


def test_a_call_is_made_on_behalf_of_whom_the_user_says(tmp_path: Path, server: str, api: ApiServer) -> None:
    listed(
        kubeconfig(tmp_path, server, **{"token": TOKEN, "as": "auditor", "as-uid": "7", "as-groups": ["readers", "auditors"]})
    )
    headers = api.asked[-1].headers
    assert [headers[f"Impersonate-{what}"] for what in ("User", "Uid", "Group")] == ["auditor", "7", "readers, auditors"]


# Commands for credentials


@pytest.fixture
def command(tmp_path: Path, server: str) -> Callable[..., Path]:
    """Return a kubeconfig whose user's credentials come from a command, a shell script."""

    def write(script: str, **entry: Any) -> Path:
        file = tmp_path / "get-token"
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)
        members = {"apiVersion": V1, "command": "./get-token", "interactiveMode": "Never", **entry}
        return kubeconfig(tmp_path, server, exec=members)

    return write


def credential(version: str = V1, **status: str) -> str:
    text = json.dumps({"apiVersion": version, "kind": "ExecCredential", "spec": {}, "status": status})
    return f"cat <<'END'\n{text}\nEND"


@pytest.mark.parametrize("version", [V1, f"{V1}beta1", f"{V1}alpha1"])
def test_a_command_for_credentials_is_run(command: Callable[..., Path], version: str) -> None:
    """Its token is what the server gets. EKS's kubeconfigs have v1beta1, those of this year v1."""
    assert listed(command(credential(version, token=TOKEN), apiVersion=version)) == ["node-1"]


def test_a_command_gets_its_arguments_and_learns_what_it_is_for(
    command: Callable[..., Path], tmp_path: Path, server: str
) -> None:
    script = f'echo "$1 $REGION" > {tmp_path}/arguments; echo "$KUBERNETES_EXEC_INFO" > {tmp_path}/info\n'
    variables = [{"name": "REGION", "value": "eu-west-1"}]
    listed(command(script + credential(token=TOKEN), args=["get-token"], env=variables, provideClusterInfo=True))
    assert (tmp_path / "arguments").read_text() == "get-token eu-west-1\n"
    assert json.loads((tmp_path / "info").read_text()) == {
        "apiVersion": V1,
        "kind": "ExecCredential",
        "spec": {"interactive": False, "cluster": {"server": server}},
    }


@pytest.mark.parametrize(
    ("script", "entry", "message"),
    [
        ("echo 'the SSO session has expired' >&2; exit 255", {}, "failed (255): the SSO session has expired"),
        ("exit 3", {}, "failed (3): it does not say why"),
        ("echo nonsense", {}, "prints no ExecCredential"),
        (credential(f"{V1}beta1", token=TOKEN), {}, f"prints apiVersion '{V1}beta1'; allowed: {V1}, as its entry says"),
        (credential(), {}, "prints no credentials; allowed: status.token, or clientCertificateData with clientKeyData"),
        (credential(clientCertificateData="c"), {}, "prints no credentials"),
        ("", {"apiVersion": "v1"}, f"has apiVersion 'v1'; allowed: {V1}, {V1}beta1, {V1}alpha1"),
        ("", {"interactiveMode": "Always"}, "asks questions (interactiveMode: Always); allowed: a terminal as standard input"),
        ("", {"command": "no-such-tool"}, "no-such-tool, the command for credentials, is not installed"),
        ("", {"command": "no-such-tool", "installHint": "get it\nfrom us"}, "is not installed; get it from us"),
        ("", {"command": "./nothing-here"}, "nothing-here, the command for credentials, is not installed"),
    ],
)
def test_a_command_for_credentials_that_fails_is_quoted(
    command: Callable[..., Path], script: str, entry: dict[str, Any], message: str
) -> None:
    text = refusal(command(script, **entry))
    assert message in text
    assert "context demo" in text


# Certificates


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="module")
def tls(authority: trustme.CA) -> ssl.SSLContext:
    """Return the TLS of a server whose certificate is for kubernetes.default, and which wants a certificate of its clients."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("kubernetes.default").configure_cert(context)
    authority.configure_trust(context)
    context.verify_mode = ssl.CERT_OPTIONAL
    return context


@pytest.fixture
def secure(api: ApiServer, tls: ssl.SSLContext) -> Iterator[str]:
    with serving(api, tls) as address:
        yield address


@pytest.fixture
def trusted(authority: trustme.CA, tmp_path: Path) -> dict[str, Any]:
    """Return what a cluster's entry has for a server of that authority and name."""
    authority.cert_pem.write_to_path(tmp_path / "ca.crt")
    return {"certificate-authority": "ca.crt", "tls-server-name": "kubernetes.default"}


def test_a_server_may_have_another_name_than_its_address(tmp_path: Path, secure: str, trusted: dict[str, Any]) -> None:
    assert listed(kubeconfig(tmp_path, secure, trusted)) == ["node-1"]


def test_a_server_of_another_name_is_distrusted(tmp_path: Path, secure: str, trusted: dict[str, Any]) -> None:
    del trusted["tls-server-name"]
    assert "the server's certificate is for another name" in refusal(kubeconfig(tmp_path, secure, trusted))


def test_a_wrong_authority_is_reported_from_a_dead_network(tmp_path: Path, secure: str, trusted: dict[str, Any]) -> None:
    trustme.CA().cert_pem.write_to_path(tmp_path / "ca.crt")
    text = refusal(kubeconfig(tmp_path, secure, trusted))
    assert "the server's certificate is not trusted" in text
    assert "reached" not in text
    assert "the server cannot be reached" in refusal(kubeconfig(tmp_path, "https://127.0.0.1:9", trusted))


def test_a_server_without_tls_is_named(tmp_path: Path, server: str, trusted: dict[str, Any]) -> None:
    text = refusal(kubeconfig(tmp_path, server.replace("http:", "https:"), trusted))
    assert "no secure connection can be made" in text


def test_a_user_may_have_a_certificate(
    tmp_path: Path, secure: str, trusted: dict[str, Any], authority: trustme.CA, api: ApiServer
) -> None:
    """In files beside the kubeconfig, and as a command prints it."""
    api.needs_token = False
    pair = authority.issue_cert("me@example.com")
    pair.cert_chain_pems[0].write_to_path(tmp_path / "me.crt")
    pair.private_key_pem.write_to_path(tmp_path / "me.key")
    user = {"client-certificate": "me.crt", "client-key": "me.key"}
    assert listed(kubeconfig(tmp_path, secure, trusted, **user)) == ["node-1"]
    printed = {
        "clientCertificateData": pair.cert_chain_pems[0].bytes().decode(),
        "clientKeyData": pair.private_key_pem.bytes().decode(),
    }
    file = tmp_path / "get-certificate"
    file.write_text(f"#!/bin/sh\n{credential(**printed)}\n")
    file.chmod(0o755)
    assert listed(kubeconfig(tmp_path, secure, trusted, exec={"apiVersion": V1, "command": str(file)})) == ["node-1"]


@pytest.mark.parametrize(
    ("user", "message"),
    [({"client-certificate": "no.crt", "client-key": "no.key"}, "no.crt"), ({"tokenFile": "no.token"}, "no.token")],
)
def test_a_file_of_credentials_that_is_missing_is_named(
    tmp_path: Path, server: str, user: dict[str, str], message: str
) -> None:
    assert message in refusal(kubeconfig(tmp_path, server, **user))


# Proxies


def test_a_proxy_of_the_cluster_is_used(tmp_path: Path, server: str, api: ApiServer) -> None:
    """The server's own name cannot be resolved: only the proxy, which is the server here, is asked."""
    assert listed(kubeconfig(tmp_path, "http://api.invalid", {"proxy-url": server})) == ["node-1"]


def test_a_proxy_of_the_environment_is_used_unless_it_excepts_the_server(
    tmp_path: Path, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", server)
    assert listed(kubeconfig(tmp_path, "http://api.invalid")) == ["node-1"]
    monkeypatch.setenv("no_proxy", "api.invalid")
    assert "the server cannot be reached" in refusal(kubeconfig(tmp_path, "http://api.invalid"))


@pytest.mark.parametrize("url", ["proxy.example.com:3128", "ftp://proxy.example.com"])
def test_a_proxy_of_an_unknown_scheme_is_refused(tmp_path: Path, server: str, url: str) -> None:
    assert f"proxy-url is '{url}'; allowed: http://..." in refusal(kubeconfig(tmp_path, server, {"proxy-url": url}))
