"""The settings of Bottlerocket that Karpenter knows, and the reading of the user's."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.core.errors import UserDataError
from cutlist.providers.aws.userdata.toml_text import Fields

Reader = Callable[[Any, str], Any]

_MAX_UINT32: Final = 2**32 - 1


def _refuse(where: str, value: Any, wanted: str) -> UserDataError:
    return UserDataError(f"{where} is {value!r}, and {wanted} is needed")


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise _refuse(where, value, "a text")
    return value


def _number(value: Any, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise _refuse(where, value, "a whole number")
    return value


def _level(value: Any, where: str) -> int:
    if not 0 <= _number(value, where) <= _MAX_UINT32:
        raise _refuse(where, value, f"a number from 0 to {_MAX_UINT32}")
    return int(value)


def _switch(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise _refuse(where, value, "true or false")
    return value


def _list(of: Reader) -> Reader:
    def read(value: Any, where: str) -> list[Any]:
        if not isinstance(value, list):
            raise _refuse(where, value, "a list")
        return [of(item, f"{where}[{number}]") for number, item in enumerate(value)]

    return read


def _map(of: Reader) -> Reader:
    def read(value: Any, where: str) -> dict[str, Any]:
        return {key: of(item, f"{where}.{key}") for key, item in _table(value, where).items()}

    return read


def _fields(of: Mapping[str, Reader]) -> Reader:
    """Return a reader for a table of known settings, in any mix of upper and lower case; others are ignored."""

    def read(value: Any, where: str) -> Fields:
        fields: dict[str, Any] = {}
        for key, item in _table(value, where).items():
            name = key if key in of else key.lower()
            if name in of:
                fields[name] = of[name](item, f"{where}.{key}")
        return Fields((name, fields[name]) for name in of if name in fields)

    return read


def _table(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise _refuse(where, value, "a table")
    return value


_texts = _list(_text)
_TEXT_MAP: Final = _map(_text)

_CREDENTIAL_PROVIDER: Final[Mapping[str, Reader]] = {
    "enabled": _switch,
    "cache-duration": _text,
    "image-patterns": _texts,
    "environment": _TEXT_MAP,
}
_RESERVED_MEMORY: Final[Mapping[str, Reader]] = {
    "enabled": _switch,
    "memory": _text,
    "hugepages-2Mi": _text,
    "hugepages-1Gi": _text,
}
_COMMAND: Final[Mapping[str, Reader]] = {"commands": _list(_texts), "mode": _text, "essential": _switch}

RESERVED_MEMORY: Final = "memory-manager-reserved-memory"
KUBERNETES: Final[Mapping[str, Reader]] = {
    "api-server": _text,
    "cloud-provider": _text,
    "cluster-certificate": _text,
    "cluster-name": _text,
    "cluster-dns-ip": _text,
    "credential-providers": _map(_fields(_CREDENTIAL_PROVIDER)),
    "node-labels": _TEXT_MAP,
    "node-taints": _map(_texts),
    "max-pods": _number,
    "static-pods": _map(_fields({"enabled": _switch, "manifest": _text})),
    "eviction-hard": _TEXT_MAP,
    "eviction-soft": _TEXT_MAP,
    "eviction-soft-grace-period": _TEXT_MAP,
    "eviction-max-pod-grace-period": _number,
    "kube-reserved": _TEXT_MAP,
    "system-reserved": _TEXT_MAP,
    "allowed-unsafe-sysctls": _texts,
    "server-tls-bootstrap": _switch,
    "registry-qps": _number,
    "registry-burst": _number,
    "event-qps": _number,
    "event-burst": _number,
    "kube-api-qps": _number,
    "kube-api-burst": _number,
    "container-log-max-size": _text,
    "container-log-max-files": _number,
    "cpu-manager-policy": _text,
    "cpu-manager-policy-options": _texts,
    "cpu-manager-reconcile-period": _text,
    "memory-manager-policy": _text,
    RESERVED_MEMORY: _map(_fields(_RESERVED_MEMORY)),
    "topology-manager-scope": _text,
    "topology-manager-policy": _text,
    "topology-manager-policy-options": _fields({"prefer-closest-numa-nodes": _switch, "max-allowable-numa-nodes": _number}),
    "image-gc-high-threshold-percent": _text,
    "image-gc-low-threshold-percent": _text,
    "ids-per-pod": _number,
    "cpu-cfs-quota-enforced": _switch,
    "shutdown-grace-period": _text,
    "shutdown-grace-period-for-critical-pods": _text,
    "cluster-domain": _text,
    "seccomp-default": _switch,
    "pod-pids-limit": _number,
    "device-ownership-from-security-context": _switch,
    "single-process-oom-kill": _switch,
    "container-log-max-workers": _number,
    "container-log-monitor-interval": _text,
    "hostname-override-source": _text,
    "log-level": _level,
}
"""Known settings of `settings.kubernetes`, in the order in which they are written."""


@dataclass(slots=True)
class Settings:
    """The table `settings`: the part that Karpenter knows, and `others` unchanged. `commands` is None without commands."""

    kubernetes: dict[str, Any] = field(default_factory=dict)
    commands: dict[str, dict[str, Any]] | None = None
    others: dict[str, Any] = field(default_factory=dict)

    def kubernetes_fields(self) -> Fields:
        """Return the known settings of Kubernetes in order; empty lists and maps are left out."""
        listed = ((name, self.kubernetes.get(name)) for name in KUBERNETES)
        fields = Fields((name, value) for name, value in listed if value is not None and not _is_left_out(value))
        providers = fields.get("credential-providers", {})
        if providers:
            fields["credential-providers"] = {name: _provider(value) for name, value in providers.items()}
        if RESERVED_MEMORY in fields:
            memory = fields[RESERVED_MEMORY]
            fields[RESERVED_MEMORY] = {node: Fields({"enabled": False, **value}) for node, value in memory.items()}
        if "static-pods" in fields:
            fields["static-pods"] = {name: Fields(value) for name, value in fields["static-pods"].items()}
        return fields

    def commands_fields(self) -> dict[str, Fields]:
        """Return the bootstrap commands, each with all of its settings."""
        defaults: dict[str, Any] = {"commands": [], "mode": "", "essential": False}
        return {name: Fields({**defaults, **command}) for name, command in (self.commands or {}).items()}


def _is_left_out(value: Any) -> bool:
    return value in ([], {}) and not isinstance(value, Fields)


def _provider(provider: Mapping[str, Any]) -> Fields:
    """Return a credential provider: its list of patterns is written even when it is empty."""
    filled = {"image-patterns": [], **provider}
    listed = ((name, filled.get(name)) for name in _CREDENTIAL_PROVIDER)
    return Fields((name, value) for name, value in listed if value is not None and (name != "environment" or value))


def read_settings(text: str) -> Settings:
    """Return the user's settings. Raises UserDataError when the text is not TOML or a known setting has the wrong type."""
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UserDataError(f"it is not TOML, which Bottlerocket needs: {error}") from None
    tables = _one(document, "settings")
    if tables is None:
        return Settings()
    _check_size(tables, "settings")
    settings = dict(_table(tables, "settings"))
    kubernetes, commands = _one(settings, "kubernetes"), _one(settings, "bootstrap-commands")
    return Settings(
        kubernetes=_fields(KUBERNETES)(kubernetes, "settings.kubernetes") if kubernetes is not None else {},
        commands=_map(_fields(_COMMAND))(commands, "settings.bootstrap-commands") if commands is not None else None,
        others=settings,
    )


def _check_size(value: Any, where: str) -> None:
    """Refuse numbers of more than 64 bits."""
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise _refuse(where, value, "a number of at most 64 bits")
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in entries:
        _check_size(item, f"{where}.{key}")


def _one(table: Mapping[str, Any], name: str) -> Any:
    """Return an entry by its name in any mix of upper and lower case; the last one counts."""
    return next((value for key, value in reversed(list(table.items())) if key.lower() == name), None)
