"""Typed resources of the kubernetes provider as the objects that they make.

The provider's schemas are the API in another spelling: names with underscores, mappings as blocks, which its JSON has as lists,
and blocks that may be repeated in the singular. What names alone do not determine is in the tables here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from cutlist.core.unknown import UNKNOWN

_VERSION: Final = re.compile(r"_v\d+(?:beta\d+|alpha\d+)?$")
_RIGHTS: Final = "rbac.authorization.k8s.io/v1"
_WITHOUT_SPEC: Final = frozenset(
    (
        *("ClusterRole", "ClusterRoleBinding", "ConfigMap", "MutatingWebhookConfiguration", "Namespace", "PriorityClass"),
        *("Role", "RoleBinding", "ServiceAccount"),
    )
)
_KINDS: Final[Mapping[str, tuple[str, str]]] = {
    "kubernetes_cluster_role": (_RIGHTS, "ClusterRole"),
    "kubernetes_cluster_role_binding": (_RIGHTS, "ClusterRoleBinding"),
    "kubernetes_config_map": ("v1", "ConfigMap"),
    "kubernetes_cron_job": ("batch/v1", "CronJob"),
    "kubernetes_daemon_set": ("apps/v1", "DaemonSet"),
    "kubernetes_daemonset": ("apps/v1", "DaemonSet"),
    "kubernetes_deployment": ("apps/v1", "Deployment"),
    "kubernetes_job": ("batch/v1", "Job"),
    "kubernetes_limit_range": ("v1", "LimitRange"),
    "kubernetes_mutating_webhook_configuration": ("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration"),
    "kubernetes_namespace": ("v1", "Namespace"),
    "kubernetes_persistent_volume_claim": ("v1", "PersistentVolumeClaim"),
    "kubernetes_pod": ("v1", "Pod"),
    "kubernetes_pod_disruption_budget": ("policy/v1", "PodDisruptionBudget"),
    "kubernetes_priority_class": ("scheduling.k8s.io/v1", "PriorityClass"),
    "kubernetes_replication_controller": ("v1", "ReplicationController"),
    "kubernetes_resource_quota": ("v1", "ResourceQuota"),
    "kubernetes_role": (_RIGHTS, "Role"),
    "kubernetes_role_binding": (_RIGHTS, "RoleBinding"),
    "kubernetes_service_account": ("v1", "ServiceAccount"),
    "kubernetes_stateful_set": ("apps/v1", "StatefulSet"),
}
"""API version and kind by type, without the version that a type may end in."""
_METADATA: Final = ("name", "generate_name", "namespace", "labels", "annotations")
_NO_PART: Final = ("id", "timeouts")
_WAITS: Final = "wait_for_"
_REQUIRED: Final = "required_during_scheduling_ignored_during_execution"
_LISTS: Final[Mapping[str, str]] = {
    "container": "containers",
    "env": "env",
    "env_from": "envFrom",
    "host_aliases": "hostAliases",
    "http_header": "httpHeaders",
    "image_pull_secrets": "imagePullSecrets",
    "init_container": "initContainers",
    "items": "items",
    "limit": "limits",
    "match_expression": "matchExpressions",
    "match_expressions": "matchExpressions",
    "match_fields": "matchFields",
    "node_selector_term": "nodeSelectorTerms",
    "on_pod_condition": "onPodConditions",
    "port": "ports",
    "preferred_during_scheduling_ignored_during_execution": "preferredDuringSchedulingIgnoredDuringExecution",
    "readiness_gate": "readinessGates",
    _REQUIRED: "requiredDuringSchedulingIgnoredDuringExecution",
    "rule": "rules",
    "sources": "sources",
    "subject": "subjects",
    "sysctl": "sysctls",
    "toleration": "tolerations",
    "topology_spread_constraint": "topologySpreadConstraints",
    "volume": "volumes",
    "volume_claim_template": "volumeClaimTemplates",
    "volume_device": "volumeDevices",
    "volume_mount": "volumeMounts",
    "webhook": "webhooks",
}
"""Blocks that are lists in the API, with their names there; any other block is one mapping."""
_SINGLE_BELOW: Final = {("node_affinity", _REQUIRED), ("ephemeral", "volume_claim_template")}
"""Blocks of these names that are one mapping, by what they are in."""
_NAMES: Final[Mapping[str, str]] = {"host_ipc": "hostIPC", "host_pid": "hostPID", "cluster_ip": "clusterIP", "pod_ip": "podIP"}
_NUMBERS: Final = frozenset(
    (
        *(
            "replicas",
            "toleration_seconds",
            "run_as_user",
            "run_as_group",
            "fs_group",
            "ttl_seconds_after_finished",
            "partition",
        ),
        *("min_available", "max_unavailable", "max_surge"),
    )
)
"""Members that are texts in the provider, although they are numbers, or may be, in the API."""
_NOT_ZERO: Final = ("active_deadline_seconds", "ttl_seconds_after_finished", "host_port")
"""Members whose zero the provider writes for what is not set."""
_FILLED_IN: Final = frozenset(
    (
        *("automount_service_account_token", "default_mode", "hostname", "image_pull_policy", "node_name", "resources"),
        *("scheduler_name", "security_context", "selector", "service_account_name", "service_name", "storage_class_name"),
        *("strategy", "subdomain", "termination_message_path", "termination_message_policy", "update_strategy", "volume_name"),
        *("rolling_update", "persistent_volume_claim_retention_policy", "priority_class_name", "volume_mode"),
    )
)
"""Members that the cluster or the provider fills in where nobody writes them: a plan has them as unknown."""
_UNDERSCORE: Final = re.compile(r"_([a-z0-9])")
_DIGITS: Final = re.compile(r"-?\d+")


class _Unread(Exception):
    """A block has a form that the tables do not have."""


def typed_manifest(type_: str, values: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the object that a typed resource makes; None for other types, and for values of another form."""
    kind = _KINDS.get(_VERSION.sub("", type_))
    if kind is None or not _is_block(values.get("metadata")):
        return None
    members = {name: value for name, value in values.items() if name not in _NO_PART and not name.startswith(_WAITS)}
    try:
        data = _mapping(members, "")
    except _Unread:
        return None
    if kind[1] not in _WITHOUT_SPEC and not isinstance(data.get("spec"), dict):
        return None
    return {"apiVersion": kind[0], "kind": kind[1], **data}


def _is_block(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 1 and isinstance(value[0], Mapping)


def _mapping(block: Mapping[str, Any], parent: str) -> dict[str, Any]:
    """Return the members of a block in the API's spelling, without those that are not set."""
    members: dict[str, Any] = {}
    for name, value in block.items():
        if (parent == "metadata" and name not in _METADATA) or (value is UNKNOWN and name in _FILLED_IN):
            continue
        written = _value(name, value, parent)
        if written is not None:
            members[_name(name, value, parent)] = written
    return members


def _name(name: str, value: Any, parent: str) -> str:
    is_listed = name in _LISTS and (parent, name) not in _SINGLE_BELOW and not isinstance(value, str | int)
    return _LISTS[name] if is_listed else _NAMES.get(name) or _UNDERSCORE.sub(lambda match: match[1].upper(), name)


def _value(name: str, value: Any, parent: str) -> Any:
    if value is None or (isinstance(value, str | list | Mapping) and not value) or (value == 0 and name in _NOT_ZERO):
        return None
    if not isinstance(value, list):
        is_number = name in _NUMBERS and isinstance(value, str) and _DIGITS.fullmatch(value) is not None
        return int(value) if is_number else value
    if not any(isinstance(item, Mapping) or item is None for item in value):
        return value
    blocks = [item if item is UNKNOWN else _mapping(item or {}, name) for item in value]
    if name in _LISTS and (parent, name) not in _SINGLE_BELOW:
        return blocks
    if len(blocks) > 1:
        raise _Unread
    return blocks[0]
