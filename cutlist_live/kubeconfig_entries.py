"""A kubeconfig file with all members that kubectl knows: lightkube's own entries leave some out."""

from __future__ import annotations

import base64
import contextlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec
import yaml
from lightkube.config.models import Cluster, Context, User, UserExec

from cutlist.core.errors import Place

_EXEC_EXTENSION: Final = "client.authentication.k8s.io/exec"


class _Extension(msgspec.Struct):
    name: str
    extension: Any = None


class ClusterEntry(Cluster, omit_defaults=True):
    """Where a cluster is: its server, by which proxy it is reached, and the name and authority of its certificate."""

    tls_server_name: str = msgspec.field(name="tls-server-name", default="")
    proxy_url: str = msgspec.field(name="proxy-url", default="")
    extensions: list[_Extension] = msgspec.field(default_factory=list)

    def as_exec_info(self) -> dict[str, Any]:
        """Return what a command for credentials gets to know of the cluster."""
        config = next((entry.extension for entry in self.extensions if entry.name == _EXEC_EXTENSION), None)
        members = {
            "server": self.server,
            "tls-server-name": self.tls_server_name,
            "insecure-skip-tls-verify": self.insecure,
            "certificate-authority-data": self._authority(),
            "proxy-url": self.proxy_url,
            "config": config,
        }
        return {name: value for name, value in members.items() if value}

    def in_folder(self, folder: Path) -> ClusterEntry:
        """Return the entry with the path of its authority as seen from the kubeconfig's folder."""
        return msgspec.structs.replace(self, certificate_auth=_in_folder(self.certificate_auth, folder))

    def _authority(self) -> str:
        if self.certificate_auth is not None:
            with contextlib.suppress(OSError):
                return base64.b64encode(Path(self.certificate_auth).read_bytes()).decode()
        return self.certificate_auth_data or ""


class ExecEntry(UserExec, omit_defaults=True):
    """The command that prints credentials."""

    interactive_mode: str = msgspec.field(name="interactiveMode", default="")
    provide_cluster_info: bool = msgspec.field(name="provideClusterInfo", default=False)


class UserEntry(User, omit_defaults=True):
    """Who calls, and on behalf of whom."""

    exec: ExecEntry | None = None
    as_user: str = msgspec.field(name="as", default="")
    as_uid: str = msgspec.field(name="as-uid", default="")
    as_groups: list[str] = msgspec.field(name="as-groups", default_factory=list)

    def in_folder(self, folder: Path) -> UserEntry:
        """Return the entry with its paths as seen from the kubeconfig's folder; a command without a slash is not a path."""
        command = self.exec
        if command is not None and os.sep in command.command:
            command = msgspec.structs.replace(command, command=_in_folder(command.command, folder))
        return msgspec.structs.replace(
            self,
            exec=command,
            token_file=_in_folder(self.token_file, folder),
            client_cert=_in_folder(self.client_cert, folder),
            client_key=_in_folder(self.client_key, folder),
        )


@dataclass(frozen=True, slots=True)
class ClusterContext:
    """A cluster and who calls it, under the name of the context."""

    name: str
    cluster: ClusterEntry
    user: UserEntry

    @property
    def place(self) -> Place:
        """Return the context as a place of mistakes."""
        return Place(f"context {self.name}")

    @property
    def files(self) -> list[str]:
        """Return the paths of certificates, keys and tokens that the entries name."""
        user = self.user
        return list(filter(None, (self.cluster.certificate_auth, user.client_cert, user.client_key, user.token_file)))


def _in_folder(path: str | None, folder: Path) -> str | None:
    return str(folder / path) if path else None


class _NamedCluster(msgspec.Struct):
    name: str
    cluster: ClusterEntry


class _NamedContext(msgspec.Struct):
    name: str
    context: Context


class _NamedUser(msgspec.Struct):
    name: str
    user: UserEntry


class KubeconfigFile(msgspec.Struct):
    """One file: kubectl accepts several that each hold only a part. An empty list may be written as null."""

    current_context: str | None = msgspec.field(name="current-context", default=None)
    clusters: list[_NamedCluster] | None = None
    contexts: list[_NamedContext] | None = None
    users: list[_NamedUser] | None = None

    @classmethod
    def read(cls, path: Path) -> KubeconfigFile:
        """Return the file's content. Raises OSError, yaml.YAMLError, UnicodeDecodeError or msgspec.MsgspecError."""
        return msgspec.convert(yaml.safe_load(path.read_text(encoding="utf-8")) or {}, cls)
