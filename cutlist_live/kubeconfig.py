"""Which cluster is used, and how it is reached: the kubeconfig as kubectl finds it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec
import yaml
from lightkube.config.kubeconfig import KubeConfig, SingleConfig
from lightkube.config.models import Cluster, User
from lightkube.core.exceptions import ConfigError

from cutlist.core.errors import InputError, Place, nearest
from cutlist_live.cluster_failures import of_configuration

_DEFAULT: Final = "~/.kube/config"
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


def chosen(context: str | None, environment: Mapping[str, str] = os.environ) -> SingleConfig:
    """Return the cluster and user of a context, by default the current one; inside a cluster, that cluster.

    `KUBECONFIG` may name several files: the first one that defines an entry counts. Raises InputError.
    """
    paths = _paths(environment)
    if not paths and context is None and "KUBERNETES_SERVICE_HOST" in environment:
        return _in_cluster()
    if not paths:
        where = environment.get("KUBECONFIG") or _DEFAULT
        raise InputError.one(Place(where), "there is no kubeconfig; name one in $KUBECONFIG, or sign in to the cluster first")
    configs = [_read(path) for path in paths]
    name = context or next((c.current_context for c in configs if c.current_context), None)
    known = sorted({name for c in configs for name in c.contexts})
    if name is None:
        raise InputError.one(Place(path="--context"), "the kubeconfig has no current context; name one", ", ".join(known))
    if name not in known:
        message = f"there is no context {name!r} in the kubeconfig"
        raise InputError.one(Place(path="--context"), message, ", ".join(known), nearest(name, known))
    return _single(name, configs)


def files_of(config: SingleConfig, environment: Mapping[str, str] = os.environ) -> list[str]:
    """Return the files that are read to reach a cluster: kubeconfigs, certificates, keys and tokens."""
    user = config.user or User()
    named = (config.cluster.certificate_auth, user.client_cert, user.client_key, user.token_file)
    return [*map(str, _paths(environment)), *(str(config.abs_file(name)) for name in named if name)]


def _paths(environment: Mapping[str, str]) -> list[Path]:
    named = environment.get("KUBECONFIG") or _DEFAULT
    paths = [Path(part).expanduser() for part in named.split(os.pathsep) if part]
    return [path for path in paths if path.is_file()]


def _read(path: Path) -> KubeConfig:
    try:
        config = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
        # kubectl accepts files that each hold only a part.
        whole = {**config, **{part: config.get(part) or [] for part in ("clusters", "contexts", "users")}}
        return KubeConfig.from_dict(whole, fname=path)
    except _UNREADABLE as error:
        raise of_configuration(Place(str(path)), error) from error


def _single(name: str, configs: list[KubeConfig]) -> SingleConfig:
    context = next(c.contexts[name] for c in configs if name in c.contexts)
    cluster: tuple[Cluster, Path | None] | None = next(
        ((c.clusters[context.cluster], c.fname) for c in configs if context.cluster in c.clusters), None
    )
    if cluster is None:
        message = f"context {name!r} names the cluster {context.cluster!r}, which the kubeconfig does not have"
        raise InputError.one(Place(path="--context"), message)
    user: User | None = next((c.users[context.user] for c in configs if context.user in c.users), None)
    if user is None and context.user:
        message = f"context {name!r} names the user {context.user!r}, which the kubeconfig does not have"
        raise InputError.one(Place(path="--context"), message)
    return SingleConfig(name, context, cluster[0], user or User(), cluster[1])


def _in_cluster() -> SingleConfig:
    try:
        config = KubeConfig.from_service_account().get()
    except _UNREADABLE as error:
        raise of_configuration(Place("service account"), error) from error
    if config is None:
        raise InputError.one(Place("service account"), "the pod's service account names no cluster")
    return config
