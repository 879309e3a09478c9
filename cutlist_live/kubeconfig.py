"""Which cluster is used, and how it is reached: the kubeconfig as kubectl finds it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec
import yaml
from lightkube.config.kubeconfig import SERVICE_ACCOUNT, KubeConfig
from lightkube.config.models import Context
from lightkube.core.exceptions import ConfigError

from cutlist.core.errors import InputError, Place, nearest
from cutlist.settings.cluster import CONTEXT
from cutlist_live.cluster_failures import of_configuration
from cutlist_live.kubeconfig_entries import ClusterContext, ClusterEntry, KubeconfigFile, UserEntry

_DEFAULT: Final = "~/.kube/config"
_ACCOUNT: Final = SERVICE_ACCOUNT
_UNREADABLE: Final = (
    ConfigError,
    KeyError,
    TypeError,
    AttributeError,
    ValueError,
    OSError,
    yaml.YAMLError,
    msgspec.MsgspecError,
)


def chosen(context: str | None, environment: Mapping[str, str] = os.environ) -> ClusterContext:
    """Return the cluster and user of a context, by default the current one; inside a cluster, that cluster.

    `KUBECONFIG` may name several files: the first one that defines an entry counts. Raises InputError.
    """
    paths = _paths(environment)
    if not paths and context is None and "KUBERNETES_SERVICE_HOST" in environment:
        return _in_cluster()
    if not paths:
        where = environment.get("KUBECONFIG") or _DEFAULT
        raise InputError.one(Place(where), "there is no kubeconfig; name one in $KUBECONFIG, or sign in to the cluster first")
    config = _merged([(path, _read(path)) for path in paths])
    name = context or config.current_context
    known = sorted(config.contexts)
    if name is None:
        raise InputError.one(Place.of(CONTEXT), "the kubeconfig has no current context; name one", ", ".join(known))
    if name not in known:
        message = f"there is no context {name!r} in the kubeconfig"
        raise InputError.one(Place.of(CONTEXT), message, ", ".join(known), nearest(name, known))
    return _single(name, config)


def files_of(context: ClusterContext, environment: Mapping[str, str] = os.environ) -> list[str]:
    """Return the files that are read to reach a cluster: kubeconfigs, certificates, keys and tokens."""
    return [*map(str, _paths(environment)), *context.files]


def _paths(environment: Mapping[str, str]) -> list[Path]:
    named = environment.get("KUBECONFIG") or _DEFAULT
    paths = [Path(part).expanduser() for part in named.split(os.pathsep) if part]
    return [path for path in paths if path.is_file()]


def _read(path: Path) -> KubeconfigFile:
    try:
        return KubeconfigFile.read(path)
    except _UNREADABLE as error:
        raise of_configuration(Place(str(path)), error) from error


@dataclass(frozen=True, slots=True)
class _Config:
    """The entries of all files by name, with absolute paths."""

    current_context: str | None
    clusters: Mapping[str, ClusterEntry]
    contexts: Mapping[str, Context]
    users: Mapping[str, UserEntry]


def _merged(files: Sequence[tuple[Path, KubeconfigFile]]) -> _Config:
    clusters: dict[str, ClusterEntry] = {}
    contexts: dict[str, Context] = {}
    users: dict[str, UserEntry] = {}
    for path, file in files:
        folder = path.absolute().parent
        for cluster in file.clusters or ():
            clusters.setdefault(cluster.name, cluster.cluster.in_folder(folder))
        for context in file.contexts or ():
            contexts.setdefault(context.name, context.context)
        for user in file.users or ():
            users.setdefault(user.name, user.user.in_folder(folder))
    current = next((file.current_context for _, file in files if file.current_context), None)
    return _Config(current, clusters, contexts, users)


def _single(name: str, config: _Config) -> ClusterContext:
    context = config.contexts[name]
    if context.cluster not in config.clusters:
        message = f"context {name!r} names the cluster {context.cluster!r}, which the kubeconfig does not have"
        raise InputError.one(Place.of(CONTEXT), message)
    if context.user and context.user not in config.users:
        message = f"context {name!r} names the user {context.user!r}, which the kubeconfig does not have"
        raise InputError.one(Place.of(CONTEXT), message)
    user = config.users[context.user] if context.user else UserEntry()
    return ClusterContext(name, config.clusters[context.cluster], user)


def _in_cluster() -> ClusterContext:
    try:
        config = KubeConfig.from_service_account(_ACCOUNT).get()
    except _UNREADABLE as error:
        raise of_configuration(Place("service account"), error) from error
    if config is None or config.user is None:
        raise InputError.one(Place("service account"), "the pod's service account names no cluster")
    cluster = ClusterEntry(server=config.cluster.server, certificate_auth=config.cluster.certificate_auth)
    return ClusterContext("in-cluster", cluster, UserEntry(token_file=config.user.token_file))
