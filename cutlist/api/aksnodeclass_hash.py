"""The hash of an AKSNodeClass: nodes whose claim carries another one are replaced (spec: hash 3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cutlist.api.aksnodeclass_fields import Sysctls
from cutlist.api.durations import nanoseconds
from cutlist.api.schema import schema_of
from cutlist.api.structural_hash import Field, Kind, duration, integer, listed, never_duration, struct, switch, text
from cutlist.core.labels import AZURE_GROUP

HASH: Final = f"{AZURE_GROUP}/aksnodeclass-hash"
HASH_VERSION: Final = f"{AZURE_GROUP}/aksnodeclass-hash-version"
HASH_VERSION_OF_LINE: Final = "v3"  # the version that the provider 1.14 writes


def _never(value: str) -> int:
    return never_duration(nanoseconds(value))


_KUBELET: Final = struct(
    "KubeletConfiguration",
    [
        Field("CPUManagerPolicy", "cpuManagerPolicy", text),
        Field("CPUCFSQuota", "cpuCFSQuota", switch),
        Field("CPUCFSQuotaPeriod", "cpuCFSQuotaPeriod", lambda value: duration(nanoseconds(value))),
        Field("ImageGCHighThresholdPercent", "imageGCHighThresholdPercent", integer(4)),
        Field("ImageGCLowThresholdPercent", "imageGCLowThresholdPercent", integer(4)),
        Field("TopologyManagerPolicy", "topologyManagerPolicy", text),
        Field("AllowedUnsafeSysctls", "allowedUnsafeSysctls", listed(text)),
        Field("ContainerLogMaxSize", "containerLogMaxSize", text),
        Field("ContainerLogMaxFiles", "containerLogMaxFiles", integer(4)),
        Field("PodPidsLimit", "podPidsLimit", integer(8)),
        Field("FailSwapOn", "failSwapOn", switch),
    ],
)
_OVERRIDE: Final = struct(
    "LocalDNSZoneOverride",
    [
        Field("Zone", "zone", text, plain=True),
        Field("QueryLogging", "queryLogging", text, plain=True),
        Field("Protocol", "protocol", text, plain=True),
        Field("ForwardDestination", "forwardDestination", text, plain=True),
        Field("ForwardPolicy", "forwardPolicy", text, plain=True),
        Field("MaxConcurrent", "maxConcurrent", integer(4)),
        Field("CacheDuration", "cacheDuration", _never),
        Field("ServeStaleDuration", "serveStaleDuration", _never),
        Field("ServeStale", "serveStale", text, plain=True),
    ],
)
_LOCAL_DNS: Final = struct(
    "LocalDNS",
    [
        Field("Mode", "mode", text, plain=True),
        Field("VnetDNSOverrides", "vnetDNSOverrides", listed(_OVERRIDE)),
        Field("KubeDNSOverrides", "kubeDNSOverrides", listed(_OVERRIDE)),
    ],
)
_SYSCTL_ORDER: Final = (
    "fsAioMaxNr",
    "fsFileMax",
    "fsInotifyMaxUserWatches",
    "fsNrOpen",
    "kernelThreadsMax",
    "netCoreNetdevMaxBacklog",
    "netCoreOptmemMax",
    "netCoreRmemDefault",
    "netCoreRmemMax",
    "netCoreSomaxconn",
    "netCoreWmemDefault",
    "netCoreWmemMax",
    "netIPv4IPLocalPortRange",
    "netIPv4NeighDefaultGcThresh1",
    "netIPv4NeighDefaultGcThresh2",
    "netIPv4NeighDefaultGcThresh3",
    "netIPv4TCPFinTimeout",
    "netIPv4TCPKeepaliveProbes",
    "netIPv4TCPKeepaliveTime",
    "netIPv4TCPMaxSynBacklog",
    "netIPv4TCPMaxTwBuckets",
    "netIPv4TCPTwReuse",
    "netIPv4TCPKeepaliveIntvl",
    "netNetfilterNfConntrackBuckets",
    "netNetfilterNfConntrackMax",
    "vmMaxMapCount",
    "vmSwappiness",
    "vmVfsCachePressure",
)


def _sysctls() -> Kind:
    kinds = {"integer": integer(4), "boolean": switch, "string": text}
    members = schema_of(Sysctls)["properties"]
    fields = [Field(_name(key), key, kinds[members[key]["type"]]) for key in _SYSCTL_ORDER]
    return struct("SysctlConfiguration", fields)


def _name(key: str) -> str:
    return "VM" + key[2:] if key.startswith("vm") else key[0].upper() + key[1:]


_OPERATING_SYSTEM: Final = struct(
    "LinuxOSConfiguration",
    [
        Field("SwapFileSize", "swapFileSize", text),
        Field("Sysctls", "sysctls", lambda value: _sysctls()(value)),
        Field("TransparentHugePageDefrag", "transparentHugePageDefrag", text),
        Field("TransparentHugePageEnabled", "transparentHugePageEnabled", text),
    ],
)
_SPEC: Final = struct(
    "AKSNodeClassSpec",
    [
        Field("VNETSubnetID", "vnetSubnetID", text),
        Field("OSDiskSizeGB", "osDiskSizeGB", integer(4)),
        Field("ImageFamily", "imageFamily", text),
        Field("FIPSMode", "fipsMode", text),
        Field("Kubelet", "kubelet", _KUBELET),
        Field("MaxPods", "maxPods", integer(4)),
        Field("Security", "security", struct("Security", [Field("EncryptionAtHost", "encryptionAtHost", switch)])),
        Field("LocalDNS", "localDNS", _LOCAL_DNS),
        Field("GPU", "gpu", struct("GPU", [Field("Mode", "mode", text)])),
        Field("ArtifactStreaming", "artifactStreaming", struct("ArtifactStreaming", [Field("Enabled", "enabled", switch)])),
        Field("LinuxOSConfig", "linuxOSConfig", _OPERATING_SYSTEM),
    ],
)


def stored_hash(spec: Mapping[str, Any]) -> str:
    """Return the hash of a stored `spec`, defaults included, in decimal."""
    return str(_SPEC(spec))
