"""The values of the controller's chart from typed settings, and its namespace (spec: aws-infrastructure 3.6, 7.3, 7.4, 9.6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

from cutlist.core.errors import Place, Problems, QuantityError
from cutlist.core.karpenter.feature_gates import FEATURE_GATES
from cutlist.core.karpenter.versions import KarpenterVersion
from cutlist.core.quantity import Quantity
from cutlist.core.wording import camel_case
from cutlist.documents.document import merged
from cutlist.infrastructure.charts.check import checked_values, note_conflicts, put
from cutlist.infrastructure.charts.keys import KEYS, gate_key, gate_path, keys_of
from cutlist.infrastructure.inputs import HERE, Places
from cutlist.infrastructure.name_checks import check_namespace, check_object_name

SERVICE_ACCOUNT: Final = "karpenter"
RELEASE: Final = "karpenter"
CRD_RELEASE: Final = "karpenter-crd"
SYSTEM_NAMESPACE: Final = "kube-system"
ENIS_OF_CUSTOM_NETWORKING: Final = 1
"""The interfaces of a node without pods, if pods have addresses of other subnets."""
IDENTITY_HASH: Final = "cutlist/identity-hash"
"""Annotation on the controller's pods and on NodeClasses: when the identity changes, pods restart and classes are validated
again."""

_BESIDE_AUTO_MODE: Final = {
    "requiredDuringSchedulingIgnoredDuringExecution": {
        "nodeSelectorTerms": [{"matchExpressions": [{"key": "karpenter.sh/nodepool", "operator": "In", "values": ["system"]}]}]
    }
}


@dataclass(frozen=True, slots=True)
class FeatureGates:
    """Karpenter's feature gates. None leaves a gate at the version's default."""

    node_repair: bool | None = None
    node_overlay: bool | None = None
    reserved_capacity: bool | None = None
    spot_to_spot_consolidation: bool | None = None
    static_capacity: bool | None = None
    capacity_buffer: bool | None = None
    terminate_first_drift: bool | None = None
    terminate_first_repair: bool | None = None
    pod_deletion_cost_management: bool | None = None


@dataclass(frozen=True, slots=True)
class AwsFeatureGates:
    """The feature gates of Karpenter's AWS provider, since 1.15. None leaves a gate at the version's default."""

    node_class_cel: bool | None = None
    dra_nvidia_gpu: bool | None = None
    dra_efa: bool | None = None
    reboot_for_repair: bool | None = None


_KEYS_OF_GATES: Final = {gate_key(gate.name).lower(): gate_path(gate) for gate in FEATURE_GATES}


def _gates(gates: FeatureGates | AwsFeatureGates) -> Iterator[tuple[str, str, bool]]:
    """Yield the gates that are set: name, key among the chart's values, and value."""
    for gate in fields(gates):
        if (value := getattr(gates, gate.name)) is not None:
            yield gate.name, _KEYS_OF_GATES[gate.name.replace("_", "")], value


@dataclass(frozen=True, slots=True)
class ImageMirror:
    """An image from another registry. The chart pins the image by digest, and a mirror that rebuilds the image has another
    digest: give the mirror's digest, or an empty one to use only the tag."""

    repository: str
    tag: str = ""
    digest: str | None = None

    def values(self) -> dict[str, str]:
        """Return the values below `controller.image`."""
        values = {"repository": self.repository}
        if self.tag:
            values["tag"] = self.tag
        if self.digest is not None:
            values["digest"] = self.digest
        return values


@dataclass(frozen=True, slots=True)
class ControllerSettings:
    """How one cluster's controller runs, with the defaults that are right for most.

    `cpu` and `memory` are quantities and the container's requests; memory is also its limit. `coredns_has_other_nodes` says
    whether CoreDNS has nodes that are not Karpenter's: without them, the controller must not resolve names through CoreDNS,
    which would not answer before the controller has launched a node. `beside_auto_mode` is for a cluster whose Auto Mode has
    the system pool.
    """

    cluster_name: str
    namespace: str = SYSTEM_NAMESPACE
    service_account: str = SERVICE_ACCOUNT
    replicas: int = 2
    cpu: str = "1"
    memory: str = "1Gi"
    isolated_vpc: bool = False
    custom_networking: bool = False
    zonal_shift: bool = False
    coredns_has_other_nodes: bool = True
    beside_auto_mode: bool = False
    service_monitor: bool = False
    host_network: bool = False
    log_level: str = "info"
    node_selector: Mapping[str, str] = field(default_factory=dict)
    feature_gates: FeatureGates = FeatureGates()
    aws_feature_gates: AwsFeatureGates = AwsFeatureGates()
    mirror: ImageMirror | None = None


OWN: Final[Mapping[str, str]] = {
    "settings.clusterName": "clusterName",
    "settings.clusterEndpoint": "clusterEndpoint",
    "settings.interruptionQueue": "interruptionQueue",
    "settings.isolatedVPC": "isolatedVpc",
    "settings.enableZonalShift": "zonalShift",
    "serviceAccount.name": "serviceAccount",
    "nameOverride": "the name karpenter, which identity, scraping and role bindings rely on",
    "fullnameOverride": "the name karpenter, which identity, scraping and role bindings rely on",
}
"""Values that may only be given as the input named here, because more than the chart depends on them."""

_ZONAL_SHIFT_SINCE: Final = KarpenterVersion(1, 12, 0)


def controller_values(
    settings: ControllerSettings,
    version: KarpenterVersion,
    user: Mapping[str, Any],
    problems: Problems,
    at: Places = HERE,
) -> dict[str, Any]:
    """Return all values of the controller's chart: those of the settings, overridden by the user's.

    Wrong user values are added as problems at `values.<key>`, wrong settings at their own name.
    """
    _note_misfits(settings, version, at, problems)
    _note_own(user, at.member("values"), problems)
    checked = checked_values(user, version, at.member("values"), problems)
    values = merged(_of_settings(settings, version), checked.values)
    note_conflicts(values, version, at.member("values"), problems)
    if checked.environment:
        variables = [{"name": name, "value": text} for name, text in checked.environment]
        controller = dict(values.get("controller", {}))
        values["controller"] = {**controller, "env": [*variables, *controller.get("env", ())]}
    return values


def _of_settings(settings: ControllerSettings, version: KarpenterVersion) -> dict[str, Any]:
    values: dict[str, Any] = {
        "settings": {"clusterName": settings.cluster_name},
        "replicas": settings.replicas,
        "logLevel": settings.log_level,
        "serviceAccount": {"name": settings.service_account},
        "controller": {
            "resources": {
                "requests": {"cpu": settings.cpu, "memory": settings.memory},
                "limits": {"memory": settings.memory},
            }
        },
        "dnsPolicy": "ClusterFirst" if settings.coredns_has_other_nodes else "Default",
    }
    if settings.isolated_vpc:
        values["settings"]["isolatedVPC"] = True
    if settings.custom_networking:
        values["settings"]["reservedENIs"] = str(ENIS_OF_CUSTOM_NETWORKING)
    if settings.zonal_shift:
        values["settings"]["enableZonalShift"] = True
    known = keys_of(version)
    for _, key, is_on in (*_gates(settings.feature_gates), *_gates(settings.aws_feature_gates)):
        if key in known:
            put(values, key, is_on)
    if settings.mirror:
        values["controller"]["image"] = settings.mirror.values()
    if settings.node_selector:
        values["nodeSelector"] = dict(settings.node_selector)
    if settings.beside_auto_mode:
        values["affinity"] = {"nodeAffinity": _BESIDE_AUTO_MODE}
    if settings.service_monitor:
        values["serviceMonitor"] = {"enabled": True}
    if settings.host_network:
        values["hostNetwork"] = True
    return values


def _note_misfits(settings: ControllerSettings, version: KarpenterVersion, at: Places, problems: Problems) -> None:
    if settings.zonal_shift and version < _ZONAL_SHIFT_SINCE:
        problems.add(at.member("zonalShift"), f"Karpenter {version} has no zonal shift", f"{_ZONAL_SHIFT_SINCE} or later")
    if settings.replicas < 1:
        problems.add(at.member("replicas"), f"{settings.replicas} replicas make no nodes", "1 or more; 2 except for trials")
    check_namespace(settings.namespace, at.member("namespace"), problems)
    check_object_name(settings.service_account, at.member("serviceAccount"), problems)
    for resource in ("cpu", "memory"):
        _note_quantity(getattr(settings, resource), at.member(resource), problems)
    if settings.mirror is not None and not settings.mirror.repository:
        problems.add(at.member("mirror").member("repository"), "is missing", "the image without tag or digest")
    known = keys_of(version)
    for section, gates in (("featureGates", settings.feature_gates), ("awsFeatureGates", settings.aws_feature_gates)):
        for name, key, is_on in _gates(gates):
            if is_on and key not in known:
                place = at.member(section).member(camel_case(name))
                since = next((row.since for row in KEYS if row.path == key), None)
                problems.add(place, f"Karpenter {version} has no such feature gate", f"since {since}")


def _note_quantity(text: str, place: Place, problems: Problems) -> None:
    """Add a problem for a text that is not an amount that a container can request."""
    try:
        amount = Quantity.parse(text).nanos
    except QuantityError as error:
        problems.add(place, str(error))
        return
    if amount <= 0:
        problems.add(place, f"a controller with {text} never starts", "an amount above 0")


def _note_own(user: Mapping[str, Any], place: Place, problems: Problems) -> None:
    for path, setting in OWN.items():
        value: Any = user
        for member in path.split("."):
            value = value.get(member) if isinstance(value, Mapping) else None
        if value is not None:
            problems.add(place.at(f"{place.path}.{path}"), "is not set among the values", setting)


def flow_schemas(namespace: str, service_account: str) -> dict[str, dict[str, Any]]:
    """Return the specs of the FlowSchemas that a controller needs outside of kube-system, by name; none inside of it.

    Requests from kube-system have priority anyway. From elsewhere, under load, the controller would queue with all other
    clients, lose its lease and stop launching nodes just when they are needed.
    """
    if namespace == SYSTEM_NAMESPACE:
        return {}
    subject = {"kind": "ServiceAccount", "serviceAccount": {"name": service_account, "namespace": namespace}}
    leases = {"apiGroups": ["coordination.k8s.io"], "namespaces": ["*"], "resources": ["leases"], "verbs": ["*"]}
    everything = {"apiGroups": ["*"], "clusterScope": True, "namespaces": ["*"], "resources": ["*"], "verbs": ["*"]}
    anywhere = {"nonResourceURLs": ["*"], "verbs": ["*"]}
    return {
        "karpenter-leader-election": _schema("leader-election", 200, subject, {"resourceRules": [leases]}),
        "karpenter-workload": _schema(
            "workload-high", 1000, subject, {"resourceRules": [everything], "nonResourceRules": [anywhere]}
        ),
    }


def _schema(level: str, precedence: int, subject: dict[str, Any], rules: dict[str, Any]) -> dict[str, Any]:
    return {
        "distinguisherMethod": {"type": "ByUser"},
        "matchingPrecedence": precedence,
        "priorityLevelConfiguration": {"name": level},
        "rules": [{"subjects": [subject], **rules}],
    }
