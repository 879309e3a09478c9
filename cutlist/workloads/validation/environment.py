"""Environment variables of containers, and the fields of pods and containers that they and volumes may refer to (W-30 to
W-32)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from cutlist.core.quantity import nanos
from cutlist.core.shapes import shown
from cutlist.workloads.validation import formats
from cutlist.workloads.validation.refusals import Refusals

Manifest = Mapping[str, Any]

_SOURCES: Final = ("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef")
FIELDS_OF_VARIABLES: Final = (
    *("metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName"),
    *("status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"),
)
FIELDS_OF_VOLUMES: Final = ("metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid")
_RESOURCES: Final = tuple(
    f"{part}.{name}" for part in ("limits", "requests") for name in ("cpu", "ephemeral-storage", "memory")
)
_HUGE_PAGES: Final = ("limits.hugepages-", "requests.hugepages-")
_OLD_FIELDS: Final = ("spec.host",)
_DIVISORS_OF_CPU: Final = frozenset(map(nanos, ("1m", "1")))
_DIVISORS: Final = frozenset(map(nanos, ("1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei")))


def check_environment(container: Manifest, path: str, refusals: Refusals) -> None:
    """Add what is wrong with the variables of a container, and with the objects whose keys become variables."""
    for index, variable in enumerate(container.get("env") or ()):
        here = f"{path}.env[{index}]"
        if not variable.get("name"):
            refusals.required(f"{here}.name")
        else:
            formats.environment_name(variable["name"], f"{here}.name", refusals)
        if variable.get("valueFrom") is not None:
            _check_source(variable, f"{here}.valueFrom", refusals)
    _check_all_keys(container.get("envFrom") or (), f"{path}.envFrom", refusals)


def _check_source(variable: Manifest, path: str, refusals: Refusals) -> None:
    source = variable["valueFrom"]
    chosen = [name for name in _SOURCES if source.get(name) is not None]
    if not chosen:
        refusals.add(path, f"must have one of {', '.join(_SOURCES)}")
    elif variable.get("value"):
        refusals.add(path, "may not be set when value is not empty")
    elif len(chosen) > 1:
        refusals.add(path, f"has {' and '.join(chosen)}; only one is allowed")
    for name in chosen:
        here, reference = f"{path}.{name}", source[name]
        if name == "fieldRef":
            check_field(reference, here, FIELDS_OF_VARIABLES, refusals)
        elif name == "resourceFieldRef":
            check_resource_field(reference, here, refusals)
        elif name == "fileKeyRef":
            _check_file_key(reference, here, refusals)
        else:
            formats.subdomain(reference.get("name") or "", f"{here}.name", refusals)
            formats.key_of_data(reference.get("key"), f"{here}.key", refusals)


def _check_file_key(reference: Manifest, path: str, refusals: Refusals) -> None:
    for name in ("key", "volumeName", "path"):
        if not reference.get(name):
            refusals.required(f"{path}.{name}")
    if reference.get("key"):
        formats.environment_name(reference["key"], f"{path}.key", refusals)
    if reference.get("volumeName"):
        formats.dns_label(reference["volumeName"], f"{path}.volumeName", refusals)
    formats.no_backsteps(reference.get("path") or "", f"{path}.path", refusals)


def _check_all_keys(sources: Sequence[Manifest], path: str, refusals: Refusals) -> None:
    for index, source in enumerate(sources):
        if source.get("prefix"):
            formats.environment_name(source["prefix"], f"{path}[{index}].prefix", refusals)
        chosen = [name for name in ("configMapRef", "secretRef") if source.get(name) is not None]
        for name in chosen:
            formats.object_name(source[name].get("name"), f"{path}[{index}].{name}.name", refusals)
        if len(chosen) != 1:
            refusals.add_at(f"{path}[{index}]", path, "an entry must have either configMapRef or secretRef")


def check_field(reference: Manifest, path: str, allowed: Collection[str], refusals: Refusals) -> None:
    """Add why a reference to a field of a pod is refused."""
    field = reference.get("fieldPath") or ""
    if (reference.get("apiVersion") or "v1") != "v1":
        refusals.invalid(f"{path}.fieldPath", field, f"is not known for apiVersion {reference['apiVersion']}", "v1")
        return
    if not field:
        refusals.required(f"{path}.fieldPath")
        return
    base, bracket, key = field.partition("['")
    if bracket and key.endswith("']"):
        if base in ("metadata.annotations", "metadata.labels"):
            name = key.removesuffix("']")
            formats.qualified_name(name.lower() if base.endswith("annotations") else name, path, refusals)
        else:
            refusals.invalid(f"{path}.fieldPath", field, "cannot be taken", ", ".join(allowed))
    elif field not in allowed and field not in _OLD_FIELDS:
        refusals.unsupported(
            f"{path}.fieldPath", field, (*allowed, "metadata.annotations['<key>']", "metadata.labels['<key>']")
        )


def check_resource_field(reference: Manifest, path: str, refusals: Refusals, *, of_volume: bool = False) -> None:
    """Add why a reference to an amount of a container is refused; volumes have to name the container."""
    resource, divisor = reference.get("resource") or "", nanos(reference.get("divisor") or 0)
    is_known = resource in _RESOURCES or resource.startswith(_HUGE_PAGES)
    if of_volume and not reference.get("containerName"):
        refusals.required(f"{path}.containerName")
    elif not resource:
        refusals.required(f"{path}.resource")
    elif not is_known:
        refusals.unsupported(f"{path}.resource", resource, _RESOURCES)
    if divisor and is_known and divisor not in (_DIVISORS_OF_CPU if resource.endswith(".cpu") else _DIVISORS):
        refusals.add(
            f"{path}.divisor", f"{shown(reference['divisor'])} is not supported", "a power of 1k or 1Ki; 1 or 1m for cpu"
        )
