"""The kinds that are checked as the API server checks them, the versions in which it serves them, and the check of an
object."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.api.objects import is_stored
from cutlist.core.errors import Layer, Problem, Problems
from cutlist.devices.older_forms import in_v1
from cutlist.documents.document import Document
from cutlist.workloads.fields.notation import NEWEST, OLDEST
from cutlist.workloads.kinds import kind_of
from cutlist.workloads.validation import controllers, formats, shaping
from cutlist.workloads.validation.autoscalers import check_autoscaler
from cutlist.workloads.validation.claims import check_claim_spec, check_persistent_volume, check_storage_class
from cutlist.workloads.validation.devices import claims, slices
from cutlist.workloads.validation.devices.v1beta1 import VERSION, WrittenRefusals
from cutlist.workloads.validation.jobs import check_cron_job, check_job
from cutlist.workloads.validation.metadata import NameRule, any_name, check_finalizer, check_metadata
from cutlist.workloads.validation.pod_groups import check_pod_group, check_workload
from cutlist.workloads.validation.pods import check_pod, check_template
from cutlist.workloads.validation.refusals import RULES, Refusals
from cutlist.workloads.validation.services import check_service
from cutlist.workloads.validation.structure import Decoding, decode

Manifest = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CheckedKind:
    """A kind of Kubernetes: its rules, the form of its names, the versions of its API with the first minor version of
    Kubernetes that has each, and the minor version whose rules count where none is chosen."""

    check: Callable[[Manifest, Refusals], None]
    name_rule: NameRule = formats.subdomain
    is_namespaced: bool = True
    versions: Mapping[str, int] = field(default_factory=lambda: {"v1": OLDEST})
    rules: int = RULES


def _check_pod_template(manifest: Manifest, refusals: Refusals) -> None:
    check_template(manifest.get("template") or {}, "template", refusals)


def _check_claim(manifest: Manifest, refusals: Refusals) -> None:
    check_claim_spec(manifest.get("spec") or {}, "spec", refusals)


def _check_namespace(manifest: Manifest, refusals: Refusals) -> None:
    """Add what is wrong with a Namespace, whose name is the value of a label too."""
    name = (manifest.get("metadata") or {}).get("name") or ""
    formats.labels({_NAME_LABEL: name}, "metadata.labels", refusals, "metadata")
    for finalizer in (manifest.get("spec") or {}).get("finalizers") or ():
        check_finalizer(finalizer or "", "spec.finalizers", "spec.finalizers", refusals)


def _of_devices(check: Callable[[Manifest, Refusals], None], *, is_namespaced: bool = True) -> CheckedKind:
    def check_in_v1(manifest: Manifest, refusals: Refusals) -> None:
        if manifest.get("apiVersion") == VERSION:
            refusals = WrittenRefusals(refusals.document, refusals.problems, refusals.layer, refusals.minor, refusals.is_whole)
        check(in_v1(manifest), refusals)

    versions = {"v1": 34, "v1beta2": 33, "v1beta1": 32}
    return CheckedKind(check_in_v1, is_namespaced=is_namespaced, versions=versions, rules=NEWEST)


_OF_GROUPS: Final = {"v1beta1": 37, "v1alpha3": 37, "v1alpha2": 36}

KINDS: Final[Mapping[tuple[str, str], CheckedKind]] = {
    ("", "Pod"): CheckedKind(check_pod),
    ("", "PodTemplate"): CheckedKind(_check_pod_template),
    ("", "ReplicationController"): CheckedKind(controllers.check_replication_controller),
    ("", "Namespace"): CheckedKind(_check_namespace, formats.dns_label, is_namespaced=False),
    ("", "Service"): CheckedKind(check_service, formats.service_name),
    ("", "LimitRange"): CheckedKind(shaping.check_limit_range),
    ("", "ResourceQuota"): CheckedKind(shaping.check_resource_quota),
    ("", "PersistentVolume"): CheckedKind(check_persistent_volume, is_namespaced=False),
    ("", "PersistentVolumeClaim"): CheckedKind(_check_claim),
    ("apps", "Deployment"): CheckedKind(controllers.check_deployment),
    ("apps", "ReplicaSet"): CheckedKind(controllers.check_replica_set),
    ("apps", "DaemonSet"): CheckedKind(controllers.check_daemon_set),
    ("apps", "StatefulSet"): CheckedKind(controllers.check_stateful_set, formats.dns_label),
    ("batch", "Job"): CheckedKind(check_job),
    ("batch", "CronJob"): CheckedKind(check_cron_job),
    ("policy", "PodDisruptionBudget"): CheckedKind(shaping.check_disruption_budget, any_name),
    ("autoscaling", "HorizontalPodAutoscaler"): CheckedKind(check_autoscaler, versions={"v2": OLDEST, "v1": OLDEST}),
    ("scheduling.k8s.io", "PriorityClass"): CheckedKind(shaping.check_priority_class, is_namespaced=False),
    ("scheduling.k8s.io", "PodGroup"): CheckedKind(check_pod_group, versions=_OF_GROUPS, rules=NEWEST),
    ("scheduling.k8s.io", "Workload"): CheckedKind(check_workload, versions={**_OF_GROUPS, "v1alpha1": 35}, rules=NEWEST),
    ("node.k8s.io", "RuntimeClass"): CheckedKind(shaping.check_runtime_class, is_namespaced=False),
    ("storage.k8s.io", "StorageClass"): CheckedKind(check_storage_class, is_namespaced=False),
    ("resource.k8s.io", "DeviceClass"): _of_devices(claims.check_device_class, is_namespaced=False),
    ("resource.k8s.io", "ResourceClaim"): _of_devices(claims.check_resource_claim),
    ("resource.k8s.io", "ResourceClaimTemplate"): _of_devices(claims.check_claim_template),
    ("resource.k8s.io", "ResourceSlice"): _of_devices(slices.check_resource_slice, is_namespaced=False),
}
"""The kinds that are checked, by API group and name."""

_EARLIER_FORMS: Final = {
    ("autoscaling/v1", "HorizontalPodAutoscaler"): "HorizontalPodAutoscalerV1",
    **{
        (f"scheduling.k8s.io/{version}", name): f"{name}Before1.37"
        for version in ("v1alpha2", "v1alpha1")
        for name in ("PodGroup", "Workload")
    },
    **{(VERSION, name): f"{name}V1Beta1" for name in ("ResourceClaim", "ResourceClaimTemplate", "ResourceSlice")},
}
"""The types, by their names in `cutlist.workloads.fields`, of versions whose fields are others than those of the newest."""
_NAME_LABEL: Final = "kubernetes.io/metadata.name"
_MOVED: Final = {"extensions": "apps"}


def check_object(document: Document, minor: int | None, problems: Problems) -> bool:
    """Tell whether an object is of a checked kind, and add why the API server would refuse to create it.

    An object that was read from a cluster was accepted there, and may lack members: nothing is reported as missing from it.
    `minor` is the cluster's minor version of Kubernetes. Without it, every field of any known version is accepted, and the
    rules are those of 1.35, or for kinds of `resource.k8s.io`, of which 1.35 ignores much, those of 1.37.
    """
    manifest = document.data
    written, name = kind_of(manifest)
    group = _MOVED.get(written, written)
    kind = KINDS.get((group, name))
    if kind is None:
        return False
    served = {f"{group}/{version}" if group else version: first for version, first in kind.versions.items()}
    if document.api_version not in served:
        text = f"{document.api_version} has no kind {name} in any Kubernetes from 1.29 on"
        problems.extend([Problem(document.at("apiVersion"), text, ", ".join(served), layer=Layer.SCHEMA)])
        return True
    if minor is not None and minor < served[document.api_version]:
        text = f"Kubernetes 1.{minor} does not have {document.api_version}"
        allowed = ", ".join(version for version, first in served.items() if first <= minor)
        allowed = allowed or f"Kubernetes 1.{min(served.values())} and later"
        problems.extend([Problem(document.at("apiVersion"), text, allowed, layer=Layer.SCHEMA)])
        return True
    decoding, refusals = _judged(document, kind, minor)
    for reasons in (decoding, decoding.unknown, refusals):
        problems.extend(dict.fromkeys(reasons.problems.found))
    return True


def readable(document: Document, problems: Problems) -> Manifest | None:
    """Return an object of a checked kind as the API server reads it; None if it cannot, and why is added: values of wrong
    types, and for an object that somebody wrote, what the rules refuse. Unknown fields are no reason.
    """
    decoding, refusals = _judged(document, KINDS[kind_of(document.data)], None)
    found = [*decoding.problems.found, *(() if is_stored(document.data) else refusals.problems.found)]
    problems.extend(dict.fromkeys(found))
    return None if found else _without_empty_items(document.data, decoding)


def _judged(document: Document, kind: CheckedKind, minor: int | None) -> tuple[Decoding, Refusals]:
    """Return what of an object cannot be decoded, with its unknown fields, and what the rules of its kind refuse."""
    manifest: Manifest = document.data
    refusals = Refusals(document, Problems(), Layer.RULE, kind.rules if minor is None else minor, not is_stored(manifest))
    decoding = Decoding(document, Problems(), Layer.SCHEMA, unknown=Refusals(document, Problems(), Layer.SCHEMA))
    _, name = kind_of(manifest)
    decode(_EARLIER_FORMS.get((document.api_version, name), name), minor, manifest, decoding)
    if not decoding.problems:
        manifest = _without_empty_items(manifest, decoding)
        check_metadata(manifest.get("metadata") or {}, kind.name_rule, kind.is_namespaced, refusals)
        kind.check(manifest, refusals)
    return decoding, refusals


def _without_empty_items(manifest: Manifest, decoding: Decoding) -> Manifest:
    return _with_empty_mappings(manifest) if decoding.empty_items else manifest


def _with_empty_mappings(value: Any) -> Any:
    """Return a copy in which nulls in lists are empty mappings."""
    if isinstance(value, dict):
        return {name: _with_empty_mappings(member) for name, member in value.items()}
    if isinstance(value, list):
        return [{} if item is None else _with_empty_mappings(item) for item in value]
    return value
