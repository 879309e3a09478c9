"""The keys, certificates, tokens and kubeconfigs of a live cluster, made for each start."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import trustme
import yaml

USERS: Final = {
    "admin": ("admin", "system:masters"),
    "scheduler": ("system:kube-scheduler", ""),
    "controllers": ("system:kube-controller-manager", ""),
    "kubelet": ("kubelet", "system:masters"),
    "karpenter": ("karpenter", "system:masters"),
    "snapshot": ("somebody", "cutlist-snapshot"),
    "nobody": ("nobody", ""),
}
"""Who has a token, with the user and the group that it stands for. Tokens are the names, with `-token`."""
_HOSTS: Final = ("127.0.0.1", "10.96.0.1", "localhost", "kubernetes.default.svc", "live.cutlist.test")


def write_certificates(folder: Path) -> None:
    """Write the authority, the server's certificate, the key of service accounts, an administrator's client certificate and
    the tokens into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    authority = trustme.CA(organization_name="live")
    authority.cert_pem.write_to_path(folder / "ca.crt")
    server = authority.issue_cert(*_HOSTS, common_name="kube-apiserver")
    client = authority.issue_cert("admin.invalid", common_name="admin", organization_name="system:masters")
    accounts = authority.issue_cert("accounts.invalid")
    for name, issued in (("api", server), ("admin", client), ("accounts", accounts)):
        issued.private_key_pem.write_to_path(folder / f"{name}.key")
        (folder / f"{name}.key").chmod(0o600)
        (folder / f"{name}.crt").write_bytes(b"".join(blob.bytes() for blob in issued.cert_chain_pems))
    rows = [
        ",".join([f"{name}-token", user, str(uid), *([f'"{group}"'] if group else [])])
        for uid, (name, (user, group)) in enumerate(USERS.items(), 1)
    ]
    (folder / "tokens.csv").write_text("\n".join(rows) + "\n")


def write_kubeconfigs(folder: Path, server: str, authority: Path) -> None:
    """Write a kubeconfig of each user into a folder, `NAME.kubeconfig`."""
    for name in USERS:
        config = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "live", "cluster": {"server": server, "certificate-authority": str(authority)}}],
            "users": [{"name": name, "user": {"token": f"{name}-token"}}],
            "contexts": [{"name": "live", "context": {"cluster": "live", "user": name}}],
            "current-context": "live",
        }
        (folder / f"{name}.kubeconfig").write_text(yaml.safe_dump(config, sort_keys=False))
