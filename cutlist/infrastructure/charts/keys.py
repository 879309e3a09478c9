"""The keys that the values of Karpenter's chart have, by version (spec: aws-infrastructure 7.3).

One row per key: since when, until when, its type, and the environment variable that can pass on a value that the chart's
template leaves out. Backported keys of the lines 0.33 to 0.37, which patch releases added and removed, are not distinguished.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from cutlist.core.karpenter.feature_gates import FEATURE_GATES, FeatureGate
from cutlist.core.karpenter.versions import KarpenterVersion, read_version
from cutlist.core.shapes import Shape, anything, boolean, either, list_of, map_of, number, text

OLDEST: Final = KarpenterVersion(0, 32, 0)
"""The oldest chart whose keys are known."""
_V1_15: Final = KarpenterVersion(1, 15, 0)


TEXT: Final = text.called("text")
NUMBER: Final = number()
SWITCH: Final = boolean
TEXT_OR_NUMBER: Final = either(TEXT, NUMBER)
MAP: Final = map_of(anything)
LIST: Final = list_of(anything)


@dataclass(frozen=True, slots=True)
class Key:
    """A key, as a path with dots. `until` is the first version without it; `instead` names its successor.

    `drops_empty` says that the template tests the value for truth, so that 0, false and empty text never reach the controller;
    `variable` is the environment variable that still passes them on, if there is one. Everything below a mapping or a list is
    up to the user. `statements` of docs/spec describe a key of a later release.
    """

    path: str
    shape: Shape
    since: KarpenterVersion = OLDEST
    until: KarpenterVersion | None = None
    variable: str = ""
    drops_empty: bool = False
    instead: str = ""
    statements: str = ""

    def is_in(self, version: KarpenterVersion) -> bool:
        """Tell whether the chart of a version has it."""
        return version.is_within(self.since, self.until)


@dataclass(frozen=True, slots=True)
class NewDefault:
    """A default of the chart that changed."""

    path: str
    since: KarpenterVersion
    before: str
    after: str


def _end(until: str) -> KarpenterVersion | None:
    return read_version(until) if until else None


def _setting(name: str, shape: Shape, variable: str, since: str = "0.32.0", until: str = "", instead: str = "") -> Key:
    """Return a key below `settings` that the template leaves out when it is empty, 0 or false."""
    return Key(f"settings.{name}", shape, read_version(since), _end(until), variable, True, instead)


def _gate(gate: FeatureGate) -> Key:
    """Return the key of a feature gate; the AWS provider's are beside those of core."""
    statements = "VA15-112" if gate.since >= _V1_15 else ""
    return Key(gate_path(gate), SWITCH, gate.since, gate.until, statements=statements)


def gate_path(gate: FeatureGate) -> str:
    """Return the path of a feature gate among the chart's values; those of the AWS provider have their own section."""
    section = "awsFeatureGates" if gate.is_of_aws else "featureGates"
    return f"settings.{section}.{gate_key(gate.name)}"


def gate_key(gate: str) -> str:
    """Return the name of a feature gate among the chart's values."""
    return gate.replace("DRA", "dra", 1) if gate.startswith("DRA") else gate[:1].lower() + gate[1:]


def _since_1_15(name: str, shape: Shape = SWITCH, variable: str = "") -> Key:
    """Return a key below `settings` that 1.15 added (VA15-112)."""
    return Key(f"settings.{name}", shape, _V1_15, variable=variable, statements="VA15-112")


_T, _N, _S, _M, _L = TEXT, NUMBER, SWITCH, MAP, LIST

_OF_OBJECTS: Final = (
    Key("nameOverride", _T),
    Key("fullnameOverride", _T),
    Key("additionalLabels", _M),
    Key("additionalAnnotations", _M),
    Key("imagePullPolicy", _T),
    Key("imagePullSecrets", _L),
    Key("service.annotations", _M, read_version("1.1.0")),
    Key("serviceAccount.create", _S),
    Key("serviceAccount.name", _T),
    Key("serviceAccount.annotations", _M),
    Key("additionalClusterRoleRules", _L),
    Key("serviceMonitor.enabled", _S),
    Key("serviceMonitor.additionalLabels", _M),
    Key("serviceMonitor.relabelings", _L, read_version("1.5.0")),
    Key("serviceMonitor.metricRelabelings", _L, read_version("1.5.0")),
    Key("serviceMonitor.endpointConfig", _M),
    Key("serviceMonitor.sampleLimit", _N, read_version("1.9.0")),
    Key("podDisruptionBudget.name", _T),
    Key("podDisruptionBudget.maxUnavailable", TEXT_OR_NUMBER),
    Key("postInstallHook", _M, read_version("1.0.0"), read_version("1.0.1")),
    Key("webhook.enabled", _S, until=read_version("1.1.0")),
    Key("webhook.port", _N, until=read_version("1.1.0")),
    Key("webhook.metrics.port", _N, until=read_version("1.1.0")),
)

_OF_THE_POD: Final = (
    Key("replicas", _N),
    Key("revisionHistoryLimit", _N),
    Key("strategy", _M),
    Key("podLabels", _M),
    Key("podAnnotations", _M),
    Key("podSecurityContext", _M, read_version("0.34.0")),
    Key("priorityClassName", _T),
    Key("terminationGracePeriodSeconds", _N, drops_empty=True),
    Key("hostNetwork", _S),
    Key("schedulerName", _T, read_version("1.1.1")),
    Key("dnsPolicy", _T),
    Key("dnsConfig", _M),
    Key("initContainers", _L, read_version("1.4.0")),
    Key("nodeSelector", _M),
    Key("affinity", _M),
    Key("topologySpreadConstraints", _L),
    Key("tolerations", _L),
    Key("extraVolumes", _L),
    Key("controller.containerName", _T, read_version("1.1.1")),
    Key("controller.image.repository", _T),
    Key("controller.image.tag", _T),
    Key("controller.image.digest", _T),
    Key("controller.env", _L),
    Key("controller.envFrom", _L),
    Key("controller.securityContext.appArmorProfile", _M, read_version("1.5.0")),
    Key("controller.securityContext.seLinuxOptions", _M, read_version("1.5.0")),
    Key("controller.securityContext.seccompProfile", _M, read_version("1.5.0")),
    Key("controller.resources", _M),
    Key("controller.extraVolumeMounts", _L),
    Key("controller.sidecarContainer", _L),
    Key("controller.sidecarVolumeMounts", _L),
    Key("controller.metrics.port", _N),
    Key("controller.healthProbe.port", _N),
)

_OF_LOGS: Final = (
    Key("logLevel", _T, variable="LOG_LEVEL", drops_empty=True),
    Key("logOutputPaths", _L, read_version("1.0.0"), variable="LOG_OUTPUT_PATHS", drops_empty=True),
    Key("logErrorOutputPaths", _L, read_version("1.0.0"), variable="LOG_ERROR_OUTPUT_PATHS", drops_empty=True),
    Key("logConfig.enabled", _S, until=read_version("1.0.0")),
    Key("logConfig.outputPaths", _L, until=read_version("1.0.0"), instead="logOutputPaths"),
    Key("logConfig.errorOutputPaths", _L, until=read_version("1.0.0"), instead="logErrorOutputPaths"),
    Key("logConfig.logEncoding", _T, until=read_version("1.0.0")),
    Key("logConfig.logLevel.global", _T, until=read_version("1.0.0"), instead="logLevel"),
    Key("logConfig.logLevel.controller", _T, until=read_version("1.0.0"), instead="logLevel"),
    Key("logConfig.logLevel.webhook", _T, until=read_version("1.0.0")),
)

_SETTINGS: Final = (
    _setting("batchMaxDuration", _T, "BATCH_MAX_DURATION"),
    _setting("batchIdleDuration", _T, "BATCH_IDLE_DURATION"),
    _setting("preferencePolicy", _T, "PREFERENCE_POLICY", "1.4.0"),
    _setting("minValuesPolicy", _T, "MIN_VALUES_POLICY", "1.6.0"),
    _setting("clusterCABundle", _T, "CLUSTER_CA_BUNDLE"),
    Key("settings.clusterName", _T),
    _setting("clusterEndpoint", _T, "CLUSTER_ENDPOINT"),
    _setting("isolatedVPC", _S, "ISOLATED_VPC"),
    _setting("eksControlPlane", _S, "EKS_CONTROL_PLANE", "1.1.0"),
    _setting("vmMemoryOverheadPercent", TEXT_OR_NUMBER, "VM_MEMORY_OVERHEAD_PERCENT"),
    _setting("interruptionQueue", _T, "INTERRUPTION_QUEUE"),
    _setting("enableZonalShift", _S, "ENABLE_ZONAL_SHIFT", "1.12.0"),
    _setting("reservedENIs", TEXT_OR_NUMBER, "RESERVED_ENIS"),
    _setting("ignoreDRARequests", _S, "IGNORE_DRA_REQUESTS", "1.8.0", str(_V1_15)),
    _since_1_15("ignoreDRARequests"),
    _setting("disableClusterStateObservability", _S, "DISABLE_CLUSTER_STATE_OBSERVABILITY", "1.8.0"),
    _setting("disableDryRun", _S, "DISABLE_DRY_RUN", "1.6.2"),
    _setting("amiRefreshInterval", _T, "AMI_REFRESH_INTERVAL", "1.13.0"),
    _setting("subnetRefreshInterval", _T, "SUBNET_REFRESH_INTERVAL", "1.13.0"),
    _setting("assumeRoleARN", _T, "ASSUME_ROLE_ARN", until="1.0.0"),
    _setting("assumeRoleDuration", _T, "ASSUME_ROLE_DURATION", until="1.0.0"),
    Key("settings.aws", _M, until=read_version("0.33.0"), instead="the same names directly below settings"),
    Key(
        "settings.featureGates.StaticCapacity",
        _S,
        read_version("1.8.0"),
        read_version("1.8.1"),
        instead="settings.featureGates.staticCapacity",
    ),
    *map(_gate, FEATURE_GATES),
    _since_1_15("securityGroupRefreshInterval", TEXT, "SECURITY_GROUP_REFRESH_INTERVAL"),
    _since_1_15("legacyNodeRepair", variable="LEGACY_NODE_REPAIR"),
    _since_1_15("enableDRA"),
)

KEYS: Final = (*_OF_OBJECTS, *_OF_THE_POD, *_OF_LOGS, *_SETTINGS)
"""All keys of all versions since 0.32.0."""

NEW_DEFAULTS: Final = (
    NewDefault("logLevel", read_version("0.33.0"), "debug", "info"),
    NewDefault("dnsPolicy", read_version("0.34.0"), "Default", "ClusterFirst"),
    NewDefault("podSecurityContext.fsGroup", read_version("0.36.0"), "65536", "65532"),
    NewDefault("topologySpreadConstraints[0].whenUnsatisfiable", read_version("1.0.0"), "ScheduleAnyway", "DoNotSchedule"),
    NewDefault("controller.metrics.port", read_version("1.0.0"), "8000", "8080"),
    *(NewDefault(_gate(gate).path, gate.on_since, "false", "true") for gate in FEATURE_GATES if gate.on_since is not None),
)
"""What a chart does differently without any changed value."""

RENAMED: Final[Mapping[str, str]] = {
    "settings.interruptionQueueName": "settings.interruptionQueue",
    "settings.aws.interruptionQueueName": "settings.interruptionQueue",
    "settings.aws.clusterName": "settings.clusterName",
    "settings.aws.clusterEndpoint": "settings.clusterEndpoint",
    "settings.aws.clusterCABundle": "settings.clusterCABundle",
    "settings.aws.isolatedVPC": "settings.isolatedVPC",
    "settings.aws.vmMemoryOverheadPercent": "settings.vmMemoryOverheadPercent",
    "settings.aws.reservedENIs": "settings.reservedENIs",
}
"""Keys from before 0.33 that later charts silently ignore, and today's names."""


def keys_of(version: KarpenterVersion) -> dict[str, Key]:
    """Return the keys of a version's chart, by path."""
    return {key.path: key for key in KEYS if key.is_in(version)}
