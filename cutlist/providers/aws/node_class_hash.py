"""The hash of an EC2NodeClass: nodes whose claim carries another hash are replaced (spec: hash 3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cutlist.api.ami_alias import family_of
from cutlist.api.durations import nanoseconds
from cutlist.api.structural_hash import Field, duration, integer, listed, mapped, quantity, struct, switch, text
from cutlist.core.go_json import go_json
from cutlist.core.karpenter.baselines import DEFAULT, Baseline
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.labels import AWS_GROUP

HASH: Final = f"{AWS_GROUP}/ec2nodeclass-hash"
HASH_VERSION: Final = f"{AWS_GROUP}/ec2nodeclass-hash-version"

_PLACEMENT_GROUP: Final = struct("PlacementGroupSelector", [Field("Name", "name", text), Field("ID", "id", text)])
_KUBELET: Final = struct(
    "KubeletConfiguration",
    [
        Field("ClusterDNS", "clusterDNS", listed(text)),
        Field("MaxPods", "maxPods", integer(4)),
        Field("PodsPerCore", "podsPerCore", integer(4)),
        Field("SystemReserved", "systemReserved", mapped(text)),
        Field("KubeReserved", "kubeReserved", mapped(text)),
        Field("EvictionHard", "evictionHard", mapped(text)),
        Field("EvictionSoft", "evictionSoft", mapped(text)),
        Field("EvictionSoftGracePeriod", "evictionSoftGracePeriod", mapped(lambda value: duration(nanoseconds(value)))),
        Field("EvictionMaxPodGracePeriod", "evictionMaxPodGracePeriod", integer(4)),
        Field("ImageGCHighThresholdPercent", "imageGCHighThresholdPercent", integer(4)),
        Field("ImageGCLowThresholdPercent", "imageGCLowThresholdPercent", integer(4)),
        Field("CPUCFSQuota", "cpuCFSQuota", switch),
    ],
)
_VOLUME: Final = struct(
    "BlockDevice",
    [
        Field("DeleteOnTermination", "deleteOnTermination", switch),
        Field("Encrypted", "encrypted", switch),
        Field("IOPS", "iops", integer(8)),
        Field("KMSKeyID", "kmsKeyID", text),
        Field("SnapshotID", "snapshotID", text),
        Field("Throughput", "throughput", integer(8)),
        Field("VolumeInitializationRate", "volumeInitializationRate", integer(4)),
        Field("VolumeSize", "volumeSize", quantity),
        Field("VolumeType", "volumeType", text),
    ],
)
_MAPPING: Final = struct(
    "BlockDeviceMapping",
    [
        Field("DeviceName", "deviceName", text),
        Field("EBS", "ebs", _VOLUME),
        Field("RootVolume", "rootVolume", switch, plain=True),
    ],
)
_INTERFACE: Final = struct(
    "NetworkInterface",
    [
        Field("NetworkCardIndex", "networkCardIndex", integer(4), plain=True),
        Field("DeviceIndex", "deviceIndex", integer(4), plain=True),
        Field("InterfaceType", "interfaceType", text, plain=True),
    ],
)
_METADATA: Final = struct(
    "MetadataOptions",
    [
        Field("HTTPEndpoint", "httpEndpoint", text),
        Field("HTTPProtocolIPv6", "httpProtocolIPv6", text),
        Field("HTTPPutResponseHopLimit", "httpPutResponseHopLimit", integer(8)),
        Field("HTTPTokens", "httpTokens", text),
    ],
)
_TRACKING: Final = struct(
    "ConnectionTracking",
    [
        Field("TCPEstablishedTimeout", "tcpEstablishedTimeout", integer(4)),
        Field("UDPStreamTimeout", "udpStreamTimeout", integer(4)),
        Field("UDPTimeout", "udpTimeout", integer(4)),
    ],
)
_ENCLAVES: Final = Field(
    "EnclaveOptions", "enclaveOptions", struct("EnclaveOptions", [Field("Enabled", "enabled", switch, plain=True)])
)
_FIELDS: Final = (
    Field("PlacementGroupSelector", "placementGroupSelector", _PLACEMENT_GROUP),
    Field("AssociatePublicIPAddress", "associatePublicIPAddress", switch),
    Field("UserData", "userData", text),
    Field("Role", "role", text, plain=True),
    Field("InstanceProfile", "instanceProfile", text),
    Field("Tags", "tags", mapped(text)),
    Field("BlockDeviceMappings", "blockDeviceMappings", listed(_MAPPING)),
    Field("InstanceStorePolicy", "instanceStorePolicy", text),
    Field("NetworkInterfaces", "networkInterfaces", listed(_INTERFACE)),
    Field("DetailedMonitoring", "detailedMonitoring", switch),
    Field("MetadataOptions", "metadataOptions", _METADATA),
    Field("ConnectionTracking", "connectionTracking", _TRACKING),
    Field("Context", "context", text),
    Field("CPUOptions", "cpuOptions", struct("CPUOptions", [Field("NestedVirtualization", "nestedVirtualization", text)])),
)


def _after(name: str, field: Field) -> list[Field]:
    """Return the fields of the spec with one more after the named one: their order affects the hash."""
    at = next(index for index, other in enumerate(_FIELDS) if other.name == name) + 1
    return [*_FIELDS[:at], field, *_FIELDS[at:]]


_SPEC: Final = struct("EC2NodeClassSpec", _after("Tags", Field("Kubelet", "kubelet", _KUBELET)))
_SPEC_WITHOUT_KUBELET: Final = struct("EC2NodeClassSpec", _after("MetadataOptions", _ENCLAVES))


def stored_hash(spec: Mapping[str, Any], ca_bundle: str = "", karpenter: Baseline = DEFAULT) -> str:
    """Return the hash of a stored `spec`, defaults included, in decimal. Today's API server may refuse that spec. `ca_bundle`
    is the cluster's certificate authority as the controller knows it (base64). Without it, the number is not the one in the
    cluster, but two hashes without it still show whether a change drifts nodes.
    """
    known = text(family_of(spec)) ^ text(ca_bundle)
    if not karpenter.does(Behaviour.KUBELET_IS_OPEN):
        return str(_SPEC(spec) ^ known)
    return str(_SPEC_WITHOUT_KUBELET(spec) ^ known ^ text(_kubelet_text(spec.get("kubelet"))))


def _kubelet_text(kubelet: Mapping[str, Any] | None) -> str:
    """Return the settings as Go writes them: compact, keys sorted, with its escapes; `null` without any (VA15-20, VA15-21)."""
    return go_json(kubelet or None)
