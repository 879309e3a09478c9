"""Claims on volumes, volumes and their classes (W-76 to W-78)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from cutlist.core.quantity import nanos
from cutlist.core.shapes import shown
from cutlist.workloads.objects import IMMEDIATE, WAIT_FOR_FIRST_CONSUMER
from cutlist.workloads.validation import formats
from cutlist.workloads.validation.refusals import Refusals, one_of
from cutlist.workloads.validation.selectors import check_label_selector, check_node_selector

Manifest = Mapping[str, Any]

_ACCESS: Final = ("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod")
_MODES: Final = ("Block", "Filesystem")
_RECLAIM: Final = ("Delete", "Recycle", "Retain")
_NOT_SOURCES: Final = frozenset(
    {"accessModes", "capacity", "claimRef", "mountOptions", "nodeAffinity", "persistentVolumeReclaimPolicy"}
    | {"storageClassName", "volumeAttributesClassName", "volumeMode"}
)
_LONGEST_PARAMETERS: Final = 512
_OLD_SOURCES: Final = (("PersistentVolumeClaim", ""), ("VolumeSnapshot", "snapshot.storage.k8s.io"))


def check_claim_spec(spec: Manifest, path: str, refusals: Refusals) -> None:
    """Add what is wrong with the spec of a claim."""
    _check_access(spec.get("accessModes") or (), f"{path}.accessModes", refusals)
    selector = spec.get("selector")
    check_label_selector(selector, f"{path}.selector", refusals)
    requests = (spec.get("resources") or {}).get("requests") or {}
    here, written = f"{path}.resources[storage]", f"{path}.resources.requests.storage"
    if "storage" not in requests:
        refusals.required(here, "resources.requests.storage is needed")
    elif nanos(requests["storage"] or 0) <= 0:
        refusals.add_at(written, here, f"{shown(requests['storage'])} must be greater than zero")
    if spec.get("storageClassName"):
        formats.subdomain(spec["storageClassName"], f"{path}.storageClassName", refusals)
    one_of(spec.get("volumeMode"), f"{path}.volumeMode", _MODES, refusals)
    _check_data_sources(spec, path, refusals)


def _check_access(modes: Sequence[Any], path: str, refusals: Refusals) -> None:
    if not modes:
        refusals.required(path, "at least one access mode is needed")
    for mode in modes:
        one_of(mode or "", path, _ACCESS, refusals)
    if "ReadWriteOncePod" in modes and set(modes) & set(_ACCESS) != {"ReadWriteOncePod"}:
        refusals.add(path, "ReadWriteOncePod may not be used with other access modes")


def _check_data_sources(spec: Manifest, path: str, refusals: Refusals) -> None:
    """Add what is wrong with a volume's data source. The API server copies each of its two fields to the other, and drops an
    unknown old one."""
    old, new = spec.get("dataSource"), spec.get("dataSourceRef")
    if new is None and old is not None and (old.get("kind"), old.get("apiGroup") or "") not in _OLD_SOURCES:
        return
    others = old if new is None else new
    for name, source in (("dataSource", others if old is None else old), ("dataSourceRef", others)):
        is_copied = name == "dataSource" and old is None and bool((new or {}).get("namespace"))
        if source is not None and not is_copied:
            _check_data_source(source, f"{path}.{name}", refusals)
    if old is not None and new is not None and any(old.get(key) != new.get(key) for key in ("apiGroup", "kind", "name")):
        refusals.add_at(f"{path}.dataSource", path, "dataSource must match dataSourceRef")


def _check_data_source(source: Manifest, path: str, refusals: Refusals) -> None:
    for name in ("name", "kind"):
        if not source.get(name):
            refusals.required(f"{path}.{name}")
    if source.get("apiGroup"):
        formats.subdomain(source["apiGroup"], f"{path}.apiGroup", refusals)
    elif source.get("kind") != "PersistentVolumeClaim":
        refusals.invalid(path, source.get("kind") or "", "needs an apiGroup", "PersistentVolumeClaim without an apiGroup")


def check_driver(source: Manifest, path: str, refusals: Refusals) -> None:
    """Add what is wrong with the name of a CSI driver."""
    driver = source.get("driver") or ""
    if not driver:
        refusals.required(f"{path}.driver")
    else:
        formats.subdomain(driver.lower(), f"{path}.driver", refusals)
    if len(driver) > formats.LONGEST_LABEL:
        refusals.add(f"{path}.driver", f"has {len(driver)} characters", f"at most {formats.LONGEST_LABEL}")


def check_persistent_volume(manifest: Manifest, refusals: Refusals) -> None:
    """Add what is wrong with a volume; for sources other than CSI, only that there is exactly one."""
    spec = manifest.get("spec") or {}
    if spec.get("csi") is not None:
        check_driver(spec["csi"], "spec.csi", refusals)
        if not spec["csi"].get("volumeHandle"):
            refusals.required("spec.csi.volumeHandle")
    _check_access(spec.get("accessModes") or (), "spec.accessModes", refusals)
    _check_capacity(spec.get("capacity") or {}, refusals)
    one_of(spec.get("persistentVolumeReclaimPolicy") or None, "spec.persistentVolumeReclaimPolicy", _RECLAIM, refusals)
    one_of(spec.get("volumeMode"), "spec.volumeMode", _MODES, refusals)
    if spec.get("storageClassName"):
        formats.subdomain(spec["storageClassName"], "spec.storageClassName", refusals)
    sources = [name for name, source in spec.items() if name not in _NOT_SOURCES and source is not None]
    sources.sort(key=lambda name: name == "csi")  # the API server checks it last, and refuses all sources but the first
    if not sources:
        refusals.required("spec", "a volume needs one source, such as csi")
    elif len(sources) > 1:
        refusals.add(f"spec.{sources[1]}", f"may not be set beside {sources[0]}: a volume has one source")
    affinity = spec.get("nodeAffinity")
    required = (affinity or {}).get("required")
    if affinity is not None and required is None:
        refusals.required("spec.nodeAffinity.required", "it is needed where nodeAffinity is set")
    elif required is not None:
        check_node_selector(required, "spec.nodeAffinity.required", refusals)
    elif "local" in sources:
        refusals.required("spec.nodeAffinity", "a local volume lies on one node")


def _check_capacity(capacity: Manifest, refusals: Refusals) -> None:
    if "storage" not in capacity:
        refusals.required("spec.capacity", "storage is needed")
    elif len(capacity) > 1:
        refusals.add("spec.capacity", "must hold nothing but storage", "storage")
    for name, amount in capacity.items():
        if nanos(amount or 0) <= 0:
            refusals.add_at(f"spec.capacity.{name}", f"spec.capacity[{name}]", f"{shown(amount)} must be greater than zero")


def check_storage_class(manifest: Manifest, refusals: Refusals) -> None:
    """Add what is wrong with a class of volumes."""
    provisioner, parameters = manifest.get("provisioner") or "", manifest.get("parameters") or {}
    if not provisioner:
        refusals.required("provisioner")
    else:
        formats.qualified_name(provisioner.lower(), "provisioner", refusals)
    if len(parameters) > _LONGEST_PARAMETERS:
        refusals.add("parameters", f"has {len(parameters)} entries", f"at most {_LONGEST_PARAMETERS}")
    if "" in parameters:
        refusals.add("parameters", "has a parameter without a name")
    one_of(manifest.get("reclaimPolicy") or None, "reclaimPolicy", ("Delete", "Retain"), refusals)
    one_of(manifest.get("volumeBindingMode"), "volumeBindingMode", (IMMEDIATE, WAIT_FOR_FIRST_CONSUMER), refusals)
    _check_topologies(manifest.get("allowedTopologies") or (), refusals)


def _check_topologies(terms: Sequence[Manifest], refusals: Refusals) -> None:
    known: list[dict[str, frozenset[Any]]] = [{}]  # a term without expressions counts as a repeated one
    for index, term in enumerate(terms):
        here = f"allowedTopologies[{index}].matchLabelExpressions"
        values_of: dict[str, frozenset[Any]] = {}
        for position, expression in enumerate(term.get("matchLabelExpressions") or ()):
            key, values = expression.get("key") or "", expression.get("values") or ()
            if not values:
                refusals.required(f"{here}[{position}].values")
            for repeated in formats.first_repeated(values):
                refusals.duplicate(f"{here}[{position}].values[{repeated}]", values[repeated])
            formats.qualified_name(key, f"{here}[{position}].key", refusals)
            if key in values_of:
                refusals.duplicate(f"{here}[{position}].key", key)
            values_of[key] = frozenset(values)
        if values_of in known:
            refusals.add(here, "is empty, or the same as in an earlier term")
        known.append(values_of)
