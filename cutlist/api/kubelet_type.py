"""The kubelet's own configuration (kubelet.config.k8s.io/v1beta1 of Kubernetes 1.37): every field with its type in Go.

Karpenter 1.15 decodes `spec.kubelet` of an EC2NodeClass into it, and an error names Go's types (spec: VA15-3).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Scalar:
    """A value that is one JSON value: `kind` is string, bool, number or whole; `bits` bound a whole number."""

    go: str
    kind: str
    bits: int = 0
    signed: bool = True


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of values of one type."""

    go: str
    of: GoType


@dataclass(frozen=True, slots=True)
class MapOf:
    """A map from texts to values of one type."""

    go: str
    of: GoType


@dataclass(frozen=True, slots=True)
class Struct:
    """An object with known fields. `name` is Go's, without its package; `go` has the package."""

    name: str
    go: str
    fields: Mapping[str, GoType]


@dataclass(frozen=True, slots=True)
class Own:
    """A value with its own decoding: a duration, a quantity or a time."""

    reads: str


GoType = Scalar | ListOf | MapOf | Struct | Own

TEXT: Final = Scalar("string", "string")
_BOOL: Final = Scalar("bool", "bool")
_INT32: Final = Scalar("int32", "whole", 32)
_INT64: Final = Scalar("int64", "whole", 64)
_FLOAT: Final = Scalar("float64", "number")
_VERBOSITY: Final = Scalar("v1.VerbosityLevel", "whole", 32, signed=False)
_TEXTS: Final = ListOf("[]string", TEXT)
_TEXT_MAP: Final = MapOf("map[string]string", TEXT)
_DURATION: Final = Own("duration")
_QUANTITY: Final = Own("quantity")


def _text(name: str) -> Scalar:
    return Scalar(f"v1beta1.{name}", "string")


def _struct(name: str, fields: Mapping[str, GoType], package: str = "v1beta1") -> Struct:
    return Struct(name, f"{package}.{name}", fields)


_AUTHENTICATION: Final = _struct(
    "KubeletAuthentication",
    {
        "x509": _struct("KubeletX509Authentication", {"clientCAFile": TEXT}),
        "webhook": _struct("KubeletWebhookAuthentication", {"enabled": _BOOL, "cacheTTL": _DURATION}),
        "anonymous": _struct("KubeletAnonymousAuthentication", {"enabled": _BOOL}),
    },
)
_AUTHORIZATION: Final = _struct(
    "KubeletAuthorization",
    {
        "mode": _text("KubeletAuthorizationMode"),
        "webhook": _struct("KubeletWebhookAuthorization", {"cacheAuthorizedTTL": _DURATION, "cacheUnauthorizedTTL": _DURATION}),
    },
)
_ROUTING: Final[Mapping[str, GoType]] = {"splitStream": _BOOL, "infoBufferSize": _QUANTITY}
_LOGGING: Final = _struct(
    "LoggingConfiguration",
    {
        "format": TEXT,
        "flushFrequency": Own("time or duration"),
        "verbosity": _VERBOSITY,
        "vmodule": ListOf(
            "v1.VModuleConfiguration", _struct("VModuleItem", {"filePattern": TEXT, "verbosity": _VERBOSITY}, "v1")
        ),
        "options": _struct(
            "FormatOptions",
            {"text": _struct("TextOptions", _ROUTING, "v1"), "json": _struct("JSONOptions", _ROUTING, "v1")},
            "v1",
        ),
    },
    "v1",
)
_RESERVATION: Final = _struct("MemoryReservation", {"numaNode": _INT32, "limits": MapOf("v1.ResourceList", _QUANTITY)})
_BY_PRIORITY: Final = _struct("ShutdownGracePeriodByPodPriority", {"priority": _INT32, "shutdownGracePeriodSeconds": _INT64})
_TAINT: Final = _struct(
    "Taint", {"key": TEXT, "value": TEXT, "effect": Scalar("v1.TaintEffect", "string"), "timeAdded": Own("time")}, "v1"
)


def _all(kind: GoType, names: str) -> dict[str, GoType]:
    return dict.fromkeys(names.split(), kind)


KUBELET: Final = _struct(
    "KubeletConfiguration",
    {
        **_all(
            TEXT,
            "kind apiVersion staticPodPath podLogsDir staticPodURL address tlsCertFile tlsPrivateKeyFile tlsMinVersion "
            "healthzBindAddress clusterDomain kubeletCgroups systemCgroups cgroupRoot cgroupDriver cpuManagerPolicy "
            "memoryManagerPolicy topologyManagerPolicy topologyManagerScope hairpinMode podCIDR resolvConf contentType "
            "containerLogMaxSize reservedSystemCPUs showHiddenMetricsForVersion systemReservedCgroup kubeReservedCgroup "
            "volumePluginDir providerID containerRuntimeEndpoint imageServiceEndpoint",
        ),
        **_all(
            _BOOL,
            "enableServer rotateCertificates serverTLSBootstrap enableDebuggingHandlers enableContentionProfiling "
            "cgroupsPerQOS singleProcessOOMKill runOnce cpuCFSQuota serializeImagePulls mergeDefaultEvictionSettings "
            "enableControllerAttachDetach protectKernelDefaults makeIPTablesUtilChains failSwapOn kernelMemcgNotification "
            "enableSystemLogHandler enableSystemLogQuery enableProfilingHandler enableDebugFlagsHandler seccompDefault "
            "registerNode localStorageCapacityIsolation failCgroupV1",
        ),
        **_all(
            _INT32,
            "port readOnlyPort registryPullQPS registryBurst eventRecordQPS eventBurst healthzPort oomScoreAdj "
            "nodeLeaseDurationSeconds imageGCHighThresholdPercent imageGCLowThresholdPercent maxPods nodeStatusMaxImages "
            "kubeAPIQPS kubeAPIBurst maxParallelImagePulls evictionMaxPodGracePeriod podsPerCore iptablesMasqueradeBit "
            "iptablesDropBit containerLogMaxFiles containerLogMaxWorkers",
        ),
        **_all(_INT64, "podPidsLimit maxOpenFiles"),
        **_all(
            _DURATION,
            "syncFrequency fileCheckFrequency httpCheckFrequency streamingConnectionIdleTimeout nodeStatusUpdateFrequency "
            "nodeStatusReportFrequency imageMinimumGCAge imageMaximumGCAge volumeStatsAggPeriod cpuManagerReconcilePeriod "
            "runtimeRequestTimeout cpuCFSQuotaPeriod evictionPressureTransitionPeriod containerLogMonitorInterval "
            "shutdownGracePeriod shutdownGracePeriodCriticalPods",
        ),
        **_all(
            _TEXTS,
            "tlsCipherSuites preloadedImagesVerificationAllowlist clusterDNS enforceNodeAllocatable allowedUnsafeSysctls",
        ),
        **_all(
            _TEXT_MAP,
            "cpuManagerPolicyOptions topologyManagerPolicyOptions qosReserved evictionHard evictionSoft "
            "evictionSoftGracePeriod evictionMinimumReclaim systemReserved kubeReserved defaultPodSysctls",
        ),
        "tlsCurvePreferences": ListOf("[]int32", _INT32),
        "staticPodURLHeader": MapOf("map[string][]string", _TEXTS),
        "featureGates": MapOf("map[string]bool", _BOOL),
        "memoryThrottlingFactor": _FLOAT,
        "imagePullCredentialsVerificationPolicy": _text("ImagePullCredentialsVerificationPolicy"),
        "configMapAndSecretChangeDetectionStrategy": _text("ResourceChangeDetectionStrategy"),
        "memoryReservationPolicy": _text("MemoryReservationPolicy"),
        "authentication": _AUTHENTICATION,
        "authorization": _AUTHORIZATION,
        "logging": _LOGGING,
        "tracing": _struct("TracingConfiguration", {"endpoint": TEXT, "samplingRatePerMillion": _INT32}, "v1"),
        "memorySwap": _struct("MemorySwapConfiguration", {"swapBehavior": TEXT}),
        "crashLoopBackOff": _struct("CrashLoopBackOffConfig", {"maxContainerRestartPeriod": _DURATION}),
        "shutdownGracePeriodByPodPriority": ListOf("[]v1beta1.ShutdownGracePeriodByPodPriority", _BY_PRIORITY),
        "reservedMemory": ListOf("[]v1beta1.MemoryReservation", _RESERVATION),
        "registerWithTaints": ListOf("[]v1.Taint", _TAINT),
        "userNamespaces": _struct("UserNamespaces", {"idsPerPod": _INT64}),
    },
)
"""All fields of the configuration. Null is read as absent, whether or not a field is optional in Go."""

PARSED: Final = Struct(
    "ParsedKubeletConfig",
    "v1.ParsedKubeletConfig",
    {
        **{name: KUBELET.fields[name] for name in ("clusterDNS", "podsPerCore", "systemReserved", "kubeReserved")},
        **{name: KUBELET.fields[name] for name in ("evictionHard", "evictionSoft", "evictionMaxPodGracePeriod")},
        **{name: KUBELET.fields[name] for name in ("imageGCHighThresholdPercent", "imageGCLowThresholdPercent", "cpuCFSQuota")},
        "maxPods": Own("number or text"),
        "evictionSoftGracePeriod": MapOf("map[string]v1.Duration", _DURATION),
    },
)
"""The fields that Karpenter itself reads, of which maxPods may be a text."""
