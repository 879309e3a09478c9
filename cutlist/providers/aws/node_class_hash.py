"""The hash of an EC2NodeClass: nodes whose claim carries another hash are replaced (spec: hash 3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cutlist.api.ami_alias import AmiAlias, alias_of
from cutlist.api.durations import nanoseconds
from cutlist.api.structural_hash import Field, duration, integer, listed, mapped, quantity, struct, switch, text
from cutlist.core.labels import AWS_GROUP

HASH: Final = f"{AWS_GROUP}/ec2nodeclass-hash"
HASH_VERSION: Final = f"{AWS_GROUP}/ec2nodeclass-hash-version"
HASH_VERSION_OF_LINE: Final = "v5"  # the version that the provider 1.14 writes

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
_SPEC: Final = struct(
    "EC2NodeClassSpec",
    [
        Field("PlacementGroupSelector", "placementGroupSelector", _PLACEMENT_GROUP),
        Field("AssociatePublicIPAddress", "associatePublicIPAddress", switch),
        Field("UserData", "userData", text),
        Field("Role", "role", text, plain=True),
        Field("InstanceProfile", "instanceProfile", text),
        Field("Tags", "tags", mapped(text)),
        Field("Kubelet", "kubelet", _KUBELET),
        Field("BlockDeviceMappings", "blockDeviceMappings", listed(_MAPPING)),
        Field("InstanceStorePolicy", "instanceStorePolicy", text),
        Field("NetworkInterfaces", "networkInterfaces", listed(_INTERFACE)),
        Field("DetailedMonitoring", "detailedMonitoring", switch),
        Field("MetadataOptions", "metadataOptions", _METADATA),
        Field("ConnectionTracking", "connectionTracking", _TRACKING),
        Field("Context", "context", text),
        Field("CPUOptions", "cpuOptions", struct("CPUOptions", [Field("NestedVirtualization", "nestedVirtualization", text)])),
    ],
)


def stored_hash(spec: Mapping[str, Any], ca_bundle: str = "") -> str:
    """Return the hash of a stored `spec`, defaults included, in decimal. The API server need not accept that spec today.

    `ca_bundle` is the cluster's certificate authority as the controller knows it (base64). Without it the number is not the one
    in the cluster, but two hashes made without it still show whether a change drifts nodes.
    """
    return str(_SPEC(spec) ^ text(_family(spec)) ^ text(ca_bundle))


def _family(spec: Mapping[str, Any]) -> str:
    """Return the family as written, else that of the alias."""
    return str(spec.get("amiFamily") or AmiAlias.read(alias_of(spec) or "").ami_family)
