"""The options of a resource in a program in YAML, as those of the SDK."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import pulumi

from cutlist.core.errors import nearest
from pulumi_cutlist.yaml_program.values import Values

_PLAIN: Final = {
    "additionalSecretOutputs": "additional_secret_outputs",
    "deleteBeforeReplace": "delete_before_replace",
    "deletedWith": "deleted_with",
    "hideDiffs": "hide_diffs",
    "ignoreChanges": "ignore_changes",
    "import": "import_",
    "parent": "parent",
    "pluginDownloadURL": "plugin_download_url",
    "protect": "protect",
    "provider": "provider",
    "replaceOnChanges": "replace_on_changes",
    "retainOnDelete": "retain_on_delete",
    "version": "version",
}
_RESOURCES: Final = ("parent", "provider", "deletedWith")
_OTHERS: Final = ("aliases", "customTimeouts", "dependsOn", "providers", "replaceWith", "replacementTrigger")
OPTIONS: Final = tuple(sorted((*_PLAIN, *_OTHERS)))


def resource_options(written: Mapping[str, Any], path: str, values: Values) -> pulumi.ResourceOptions:
    """Return the options of a resource that are written at a path. Raises Mistaken for those that do not exist."""
    named: dict[str, Any] = {}
    for key, value in written.items():
        known = next((name for name in OPTIONS if name.lower() == str(key).lower()), None)
        if known is None:
            raise values.mistake(
                f"{path}.{key}", f"unknown option {key!r}", ", ".join(OPTIONS), nearest(str(key), OPTIONS) or ""
            )
        computed = values.of(value, f"{path}.{key}")
        if known in _PLAIN:
            if known in _RESOURCES and not isinstance(computed, pulumi.Resource):
                raise values.mistake(f"{path}.{key}", f"{key} is not a resource", "${name}")
            named[_PLAIN[known]] = computed
        else:
            _FURTHER[known](named, computed, f"{path}.{key}", values)
    return pulumi.ResourceOptions(**named)


def _resources(value: Any, path: str, values: Values) -> list[pulumi.Resource]:
    listed = list(value.values()) if isinstance(value, Mapping) else value if isinstance(value, list) else [value]
    for resource in listed:
        if not isinstance(resource, pulumi.Resource):
            raise values.mistake(path, "is not a list of resources", "[${name}]")
    return listed


def _depends_on(named: dict[str, Any], value: Any, path: str, values: Values) -> None:
    named["depends_on"] = _resources(value, path, values)


def _providers(named: dict[str, Any], value: Any, path: str, values: Values) -> None:
    named["providers"] = _resources(value, path, values)


def _aliases(named: dict[str, Any], value: Any, path: str, values: Values) -> None:
    listed = value if isinstance(value, list) else [value]
    if not all(isinstance(item, str | Mapping) for item in listed):
        raise values.mistake(path, "is not a list of URNs or names")
    named["aliases"] = [item if isinstance(item, str) else pulumi.Alias(name=item.get("name")) for item in listed]


def _timeouts(named: dict[str, Any], value: Any, path: str, values: Values) -> None:
    if not isinstance(value, Mapping) or not set(value) <= {"create", "update", "delete"}:
        raise values.mistake(path, "is not times of create, update and delete")
    named["custom_timeouts"] = pulumi.CustomTimeouts(**value)


def _left_out(_named: dict[str, Any], _value: Any, _path: str, _values: Values) -> None:
    """Leave out an option that changes only what an engine does later."""


_FURTHER: Final[Mapping[str, Callable[[dict[str, Any], Any, str, Values], None]]] = {
    "aliases": _aliases,
    "customTimeouts": _timeouts,
    "dependsOn": _depends_on,
    "providers": _providers,
    "replaceWith": _left_out,
    "replacementTrigger": _left_out,
}
