"""Volumes of pods: one source each, and what the sources in use need (W-45 to W-49)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from cutlist.core.quantity import nanos
from cutlist.core.shapes import shown
from cutlist.workloads.validation import formats
from cutlist.workloads.validation.claims import check_claim_spec, check_driver
from cutlist.workloads.validation.environment import FIELDS_OF_VOLUMES, check_field, check_resource_field
from cutlist.workloads.validation.metadata import check_template_metadata
from cutlist.workloads.validation.refusals import Refusals, one_of
from cutlist.workloads.validation.selectors import check_label_selector

Manifest = Mapping[str, Any]

_HIGHEST_MODE: Final = 0o777
_HOST_PATHS: Final = (*("BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"),)
_PROJECTED: Final = ("secret", "configMap", "downwardAPI", "serviceAccountToken", "clusterTrustBundle", "podCertificate")
_SHORTEST_TOKEN: Final = 600
_LONGEST_TOKEN: Final = 1 << 32


def check_volumes(volumes: Sequence[Manifest], path: str, pod_name: str, refusals: Refusals) -> dict[str, Manifest]:
    """Return the volumes that are right, by name, and add what is wrong with the others.

    The pod's name, if it has one, is part of the names of its ephemeral volumes' claims.
    """
    right: dict[str, Manifest] = {}
    own_claims = {f"{pod_name}-{volume.get('name')}" for volume in volumes if pod_name and volume.get("ephemeral") is not None}
    for index, volume in enumerate(volumes):
        here, name, before = f"{path}[{index}]", volume.get("name") or "", len(refusals.problems.found)
        _check_source(volume, here, refusals)
        if not name:
            refusals.required(f"{here}.name")
        else:
            formats.dns_label(name, f"{here}.name", refusals)
        if name in right:
            refusals.duplicate(f"{here}.name", name)
        if pod_name and name and volume.get("ephemeral") is not None:
            _check_claim_name(f"{pod_name}-{name}", f"{here}.name", refusals)
        if len(refusals.problems.found) == before:
            right[name] = volume
        claimed = (volume.get("persistentVolumeClaim") or {}).get("claimName")
        if claimed in own_claims:
            text = "must not be a claim that an ephemeral volume of this pod makes"
            refusals.invalid(f"{here}.persistentVolumeClaim.claimName", claimed, text)
    return right


def _check_source(volume: Manifest, path: str, refusals: Refusals) -> None:
    """Add more than one source, and what is wrong with the first; a volume without any is an emptyDir."""
    chosen = [name for name, source in volume.items() if name != "name" and source is not None]
    ordered = sorted(chosen, key=lambda name: _ORDER.get(name, len(_ORDER)))
    for name in ordered[1:]:
        refusals.add(f"{path}.{name}", f"may not be set beside {ordered[0]}: a volume has one source")
    for name in ordered[:1]:
        if name in _SOURCES:
            _SOURCES[name](volume[name], f"{path}.{name}", refusals)


def _check_claim_name(name: str, path: str, refusals: Refusals) -> None:
    """Add that the claim of an ephemeral volume, which begins with the pod's name, cannot have this name."""
    if not formats.is_subdomain(name):
        refusals.add(path, f"makes a claim {shown(name)}, which is not a name")


def _check_empty_dir(source: Manifest, path: str, refusals: Refusals) -> None:
    if nanos(source.get("sizeLimit") or 0) < 0:
        refusals.add(f"{path}.sizeLimit", f"{source['sizeLimit']!r} is negative")


def _check_host_path(source: Manifest, path: str, refusals: Refusals) -> None:
    if not source.get("path"):
        refusals.required(f"{path}.path")
        return
    formats.no_backsteps(source["path"], f"{path}.path", refusals)
    one_of(source.get("type") or None, f"{path}.type", _HOST_PATHS, refusals)


def _check_secret(source: Manifest, path: str, refusals: Refusals) -> None:
    if not source.get("secretName"):
        refusals.required(f"{path}.secretName")
    _check_mode(source.get("defaultMode"), f"{path}.defaultMode", refusals)
    _check_items(source.get("items") or (), f"{path}.items", refusals)


def _check_config_map(source: Manifest, path: str, refusals: Refusals) -> None:
    if not source.get("name"):
        refusals.required(f"{path}.name")
    _check_mode(source.get("defaultMode"), f"{path}.defaultMode", refusals)
    _check_items(source.get("items") or (), f"{path}.items", refusals)


def _check_items(items: Sequence[Manifest], path: str, refusals: Refusals) -> None:
    for index, item in enumerate(items):
        here = f"{path}[{index}]"
        for name in ("key", "path"):
            if not item.get(name):
                refusals.required(f"{here}.{name}")
        formats.file_in_volume(item.get("path") or "", f"{here}.path", refusals)
        _check_mode(item.get("mode"), f"{here}.mode", refusals)


def _check_mode(mode: int | None, path: str, refusals: Refusals) -> None:
    if mode is not None and not 0 <= mode <= _HIGHEST_MODE:
        refusals.invalid(path, mode, "must be a number between 0 and 0777 (octal), both inclusive")


def _check_claim(source: Manifest, path: str, refusals: Refusals) -> None:
    if not source.get("claimName"):
        refusals.required(f"{path}.claimName")


def _check_nfs(source: Manifest, path: str, refusals: Refusals) -> None:
    for name in ("server", "path"):
        if not source.get(name):
            refusals.required(f"{path}.{name}")
    if source.get("path") and not source["path"].startswith("/"):
        refusals.invalid(f"{path}.path", source["path"], "must be an absolute path")


def _check_csi(source: Manifest, path: str, refusals: Refusals) -> None:
    check_driver(source, path, refusals)
    secret = source.get("nodePublishSecretRef")
    if secret is not None and not secret.get("name"):
        refusals.required(f"{path}.nodePublishSecretRef.name")
    elif secret is not None:
        formats.subdomain(secret["name"], f"{path}.name", refusals)


def _check_ephemeral(source: Manifest, path: str, refusals: Refusals) -> None:
    template, here = source.get("volumeClaimTemplate"), f"{path}.volumeClaimTemplate"
    if template is None:
        refusals.required(here)
        return
    check_template_metadata(template.get("metadata") or {}, f"{here}.metadata", refusals)
    check_claim_spec(template.get("spec") or {}, f"{here}.spec", refusals)


def _check_downward(source: Manifest, path: str, refusals: Refusals) -> None:
    _check_mode(source.get("defaultMode"), f"{path}.defaultMode", refusals)
    for item in source.get("items") or ():
        _check_downward_file(item, path, refusals)


def _check_downward_file(item: Manifest, path: str, refusals: Refusals) -> None:
    """Add what is wrong with a file whose text comes from the pod's fields; the API server leaves out its index."""
    if not item.get("path"):
        refusals.required(f"{path}.path")
    formats.file_in_volume(item.get("path") or "", f"{path}.path", refusals)
    field, resource = item.get("fieldRef"), item.get("resourceFieldRef")
    if field is not None:
        check_field(field, f"{path}.fieldRef", FIELDS_OF_VOLUMES, refusals)
        if resource is not None:
            refusals.add(path, "fieldRef and resourceFieldRef exclude each other")
    elif resource is not None:
        check_resource_field(resource, f"{path}.resourceFieldRef", refusals, of_volume=True)
    else:
        refusals.required(path, "fieldRef or resourceFieldRef is needed")
    _check_mode(item.get("mode"), f"{path}.mode", refusals)


def _check_projected(source: Manifest, path: str, refusals: Refusals) -> None:
    _check_mode(source.get("defaultMode"), f"{path}.defaultMode", refusals)
    paths: list[str] = []
    for index, projection in enumerate(source.get("sources") or ()):
        here = f"{path}.sources[{index}]"
        chosen = [name for name in _PROJECTED if projection.get(name) is not None]
        if len(chosen) > 1:
            refusals.add(here, f"has {' and '.join(chosen)}; only one is allowed")
        for name in chosen:
            paths += _check_projection(name, projection[name], f"{here}.{name}", path, refusals)
    for position in formats.first_repeated(paths):
        refusals.add(path, f"{paths[position]!r} is the path of two files")


def _check_projection(kind: str, source: Manifest, path: str, volume_path: str, refusals: Refusals) -> list[str]:
    """Return the paths of a projection's files, to compare them with those of others, and add its mistakes."""
    items: Sequence[Manifest] = source.get("items") or ()
    if kind in ("secret", "configMap"):
        if not source.get("name"):
            refusals.required(f"{path}.name")
        _check_items(items, f"{path}.items", refusals)
    elif kind == "downwardAPI":
        for item in items:
            _check_downward_file(item, path, refusals)
    elif kind == "serviceAccountToken":
        seconds = source.get("expirationSeconds")
        if seconds is not None and not _SHORTEST_TOKEN <= seconds <= _LONGEST_TOKEN:
            refusals.invalid(f"{path}.expirationSeconds", seconds, "must be from 10 minutes to 2^32 seconds")
        if not source.get("path"):
            refusals.required(f"{volume_path}.path")
        formats.file_in_volume(source.get("path") or "", f"{volume_path}.path", refusals)
    elif kind == "clusterTrustBundle":
        return _check_trust_bundle(source, path, refusals)
    return [item["path"] for item in items if item.get("path")]


def _check_trust_bundle(source: Manifest, path: str, refusals: Refusals) -> list[str]:
    name, signer = source.get("name"), source.get("signerName")
    if name is not None and signer is not None:
        refusals.add(path, "name and signerName exclude each other")
    elif name is None and signer is None:
        refusals.required(path, "name or signerName is needed")
    check_label_selector(source.get("labelSelector"), f"{path}.labelSelector", refusals)
    if not source.get("path"):
        refusals.required(f"{path}.path")
    formats.file_in_volume(source.get("path") or "", f"{path}.path", refusals)
    return [source["path"]] if source.get("path") else []


_SOURCES: Final[Mapping[str, Callable[[Manifest, str, Refusals], None]]] = {
    "emptyDir": _check_empty_dir,
    "hostPath": _check_host_path,
    "secret": _check_secret,
    "nfs": _check_nfs,
    "persistentVolumeClaim": _check_claim,
    "downwardAPI": _check_downward,
    "configMap": _check_config_map,
    "projected": _check_projected,
    "csi": _check_csi,
    "ephemeral": _check_ephemeral,
}
_ORDER: Final = {
    name: index
    for index, name in enumerate(
        (
            *("emptyDir", "hostPath", "gitRepo", "gcePersistentDisk", "awsElasticBlockStore", "secret", "nfs", "iscsi"),
            *("glusterfs", "flocker", "persistentVolumeClaim", "rbd", "cinder", "cephfs", "quobyte", "downwardAPI", "fc"),
            *("flexVolume", "configMap", "azureFile", "vsphereVolume", "photonPersistentDisk", "portworxVolume"),
            *("azureDisk", "storageos", "projected", "scaleIO", "csi", "ephemeral", "image"),
        )
    )
}
"""The order in which the API server reads sources: it refuses all but the first."""
