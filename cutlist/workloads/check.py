"""Rules for the structure of a pod template and the objects around it, so that later steps may rely on it.

Only the parts that planning reads are checked; the rest (images, probes, security contexts ...) passes unchecked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cutlist.core.errors import QuantityError
from cutlist.core.quantity import nanos
from cutlist.core.shapes import (
    Report,
    Rule,
    anything,
    boolean,
    closed,
    fields,
    integer,
    list_of,
    map_of,
    one_of,
    quantity,
    shown,
    text,
    timestamp,
)
from cutlist.workloads.pods import PREFERRED, REQUIRED

EFFECTS: Final = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_STANDARD: Final = ("cpu", "memory", "ephemeral-storage", "storage")

texts: Final = map_of(text)
amounts: Final = map_of(quantity)


def _unread(*names: str) -> dict[str, Rule]:
    return dict.fromkeys(names, anything)


def _resources(value: Any, path: str, report: Report) -> None:
    closed(optional={"requests": amounts, "limits": amounts, "claims": list_of(anything)})(value, path, report)
    if not isinstance(value, Mapping):
        return
    requests, limits = value.get("requests"), value.get("limits")
    if not isinstance(requests, Mapping) or not isinstance(limits, Mapping):
        return
    for name in requests.keys() & limits.keys():
        try:
            above = nanos(requests[name]) > nanos(limits[name])
        except (QuantityError, TypeError):
            continue  # already reported
        if above:
            where = f"{path}.requests.{name}"
            report.add(
                where, f"{shown(requests[name])} is more than the limit of {shown(limits[name])}", "requests up to the limit"
            )


_expression: Final = closed(
    {"key": text, "operator": one_of("In", "NotIn", "Exists", "DoesNotExist")}, {"values": list_of(text)}
)
_node_expression: Final = closed(
    {"key": text, "operator": one_of("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")}, {"values": list_of(text)}
)
selector: Final = closed(optional={"matchLabels": texts, "matchExpressions": list_of(_expression)})
_node_term: Final = closed(optional={"matchExpressions": list_of(_node_expression), "matchFields": list_of(_node_expression)})
node_selector: Final = closed({"nodeSelectorTerms": list_of(_node_term)})
_pod_term: Final = closed(
    {"topologyKey": text},
    {
        "labelSelector": selector,
        "namespaces": list_of(text),
        "namespaceSelector": selector,
        "matchLabelKeys": list_of(text),
        "mismatchLabelKeys": list_of(text),
    },
)
_weighted_pod_term: Final = closed({"weight": integer(1, 100), "podAffinityTerm": _pod_term})
_pod_affinity: Final = closed(optional={REQUIRED: list_of(_pod_term), PREFERRED: list_of(_weighted_pod_term)})
_affinity: Final = closed(
    optional={
        "nodeAffinity": closed(
            optional={
                REQUIRED: node_selector,
                PREFERRED: list_of(closed({"weight": integer(1, 100), "preference": _node_term})),
            }
        ),
        "podAffinity": _pod_affinity,
        "podAntiAffinity": _pod_affinity,
    }
)
_toleration: Final = closed(
    optional={
        "key": text,
        "operator": one_of("Exists", "Equal", "Lt", "Gt", ""),
        "value": text,
        "effect": one_of(*EFFECTS, ""),
        "tolerationSeconds": integer(-(2**63), 2**63 - 1),
    }
)
tolerations: Final = list_of(_toleration)
_spread: Final = closed(
    {"topologyKey": text, "maxSkew": integer(1), "whenUnsatisfiable": one_of("DoNotSchedule", "ScheduleAnyway")},
    {
        "labelSelector": selector,
        "minDomains": integer(1),
        "matchLabelKeys": list_of(text),
        "nodeAffinityPolicy": one_of("Honor", "Ignore"),
        "nodeTaintsPolicy": one_of("Honor", "Ignore"),
    },
)
claim_spec: Final = fields(
    optional={
        "storageClassName": text,
        "volumeName": text,
        **_unread(
            "accessModes", "dataSource", "dataSourceRef", "resources", "selector", "volumeAttributesClassName", "volumeMode"
        ),
    }
)
claim_template: Final = fields({"spec": claim_spec}, {"metadata": fields(optional={"name": text})})
named_claim_template: Final = fields({"spec": claim_spec, "metadata": fields({"name": text})})
_volume: Final = fields(
    {"name": text},
    {
        "persistentVolumeClaim": closed({"claimName": text}, {"readOnly": boolean}),
        "ephemeral": fields({"volumeClaimTemplate": claim_template}),
    },
)
_port: Final = fields(
    optional={
        "hostPort": integer(0, 65535),
        "containerPort": integer(1, 65535),
        "protocol": one_of("TCP", "UDP", "SCTP"),
        "hostIP": text,
    }
)
_container: Final = fields(
    {"name": text},
    {
        "resources": _resources,
        "ports": list_of(_port),
        "restartPolicy": text,
        **_unread(
            "args", "command", "env", "envFrom", "image", "imagePullPolicy", "lifecycle", "livenessProbe", "readinessProbe"
        ),
        **_unread(
            "resizePolicy", "restartPolicyRules", "securityContext", "startupProbe", "stdin", "stdinOnce", "tty", "workingDir"
        ),
        **_unread("terminationMessagePath", "terminationMessagePolicy", "volumeDevices", "volumeMounts"),
    },
)
_pod_spec: Final = fields(
    {"containers": list_of(_container, at_least=1)},
    {
        "initContainers": list_of(_container),
        "nodeSelector": texts,
        "nodeName": text,
        "affinity": _affinity,
        "tolerations": tolerations,
        "topologySpreadConstraints": list_of(_spread),
        "volumes": list_of(_volume),
        "resources": _resources,
        "overhead": amounts,
        "priority": integer(-(2**31)),
        "priorityClassName": text,
        "runtimeClassName": text,
        "hostNetwork": boolean,
        "resourceClaims": list_of(fields({"name": text})),
        "terminationGracePeriodSeconds": integer(-(2**63), 2**63 - 1),
        **_unread("activeDeadlineSeconds", "automountServiceAccountToken", "dnsConfig", "dnsPolicy", "enableServiceLinks"),
        **_unread("ephemeralContainers", "hostAliases", "hostIPC", "hostPID", "hostUsers", "hostname", "hostnameOverride"),
        **_unread("imagePullSecrets", "os", "preemptionPolicy", "readinessGates", "restartPolicy", "schedulerName"),
        **_unread("schedulingGates", "securityContext", "serviceAccount", "serviceAccountName", "setHostnameAsFQDN"),
        **_unread("shareProcessNamespace", "subdomain", "workloadRef"),
    },
)
metadata: Final = fields(
    optional={
        "name": text,
        "generateName": text,
        "namespace": text,
        "labels": texts,
        "annotations": texts,
        "creationTimestamp": timestamp,
        "deletionTimestamp": timestamp,
        "ownerReferences": list_of(fields({"kind": text, "name": text}, {"controller": boolean})),
    }
)
named: Final = fields({"name": text}, {key: rule for key, rule in metadata.optional.items() if key != "name"})
_container_status: Final = fields(
    optional={
        "name": text,
        "resources": fields(optional={"requests": amounts}),
        "allocatedResources": amounts,
        **_unread("allocatedResourcesStatus"),
    }
)
_status: Final = fields(
    optional={
        "phase": text,
        "startTime": timestamp,
        "conditions": list_of(fields(optional={"type": text, "status": text, "reason": text})),
        "containerStatuses": list_of(_container_status),
        "initContainerStatuses": list_of(_container_status),
        **_unread("ephemeralContainerStatuses", "resourceClaimStatuses"),
    }
)
template: Final = fields({"spec": _pod_spec}, {"metadata": metadata})
pod: Final = fields({"metadata": metadata, "spec": _pod_spec}, {"status": _status})


def unknown_resources(spec: Mapping[str, Any]) -> list[str]:
    """Return resource names that the API server refuses in a pod: without a domain only the standard ones are allowed."""
    containers = (*(spec.get("containers") or ()), *(spec.get("initContainers") or ()))
    lists = ((c.get("resources") or {}).get(part) or {} for c in containers for part in ("requests", "limits"))
    names = {name for amounts in lists for name in amounts}
    return sorted(n for n in names if "/" not in n and n not in _STANDARD and not n.startswith("hugepages-"))
