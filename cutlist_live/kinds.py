"""What a snapshot reads: the one table from which lists, permissions and fields follow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from cutlist_live import fields
from cutlist_live.allowed import Members, kept


@dataclass(frozen=True, slots=True)
class SnapshotKind:
    """A kind by its names in the API server, the versions in which it is read (the first served one is used), and its
    fields."""

    kind: str
    plural: str
    group: str
    versions: tuple[str, ...]
    fields: Members

    @property
    def resource(self) -> str:
        """Return the resource as permissions and messages name it: `nodeclaims.karpenter.sh`."""
        return f"{self.plural}.{self.group}" if self.group else self.plural

    def api_version(self, version: str) -> str:
        """Return the `apiVersion` of objects of a version."""
        return f"{self.group}/{version}" if self.group else version

    def kept(self, manifest: Mapping[str, Any], version: str) -> dict[str, Any]:
        """Return the part of an object of this kind that is saved, with its kind, which objects of a list do not have."""
        return {"apiVersion": self.api_version(version), "kind": self.kind, **kept(self.fields, manifest)}


_KARPENTER: Final = "karpenter.sh"
_STORAGE: Final = "storage.k8s.io"
_DEVICES: Final = "resource.k8s.io"
_DEVICES_SINCE: Final = ("v1", "v1beta2")  # which differ in nothing that is kept

KINDS: Final = (
    SnapshotKind("NodePool", "nodepools", _KARPENTER, ("v1",), fields.NODE_POOL),
    SnapshotKind("EC2NodeClass", "ec2nodeclasses", "karpenter.k8s.aws", ("v1",), fields.EC2_NODE_CLASS),
    SnapshotKind("NodeClass", "nodeclasses", "eks.amazonaws.com", ("v1",), fields.AUTO_NODE_CLASS),
    SnapshotKind("AKSNodeClass", "aksnodeclasses", "karpenter.azure.com", ("v1beta1", "v1alpha2"), fields.AKS_NODE_CLASS),
    SnapshotKind("NodeOverlay", "nodeoverlays", _KARPENTER, ("v1alpha1",), fields.NODE_OVERLAY),
    SnapshotKind("CapacityBuffer", "capacitybuffers", "autoscaling.x-k8s.io", ("v1beta1",), fields.CAPACITY_BUFFER),
    SnapshotKind("NodeClaim", "nodeclaims", _KARPENTER, ("v1",), fields.NODE_CLAIM),
    SnapshotKind("Node", "nodes", "", ("v1",), fields.NODE),
    SnapshotKind("CSINode", "csinodes", _STORAGE, ("v1",), fields.CSI_NODE),
    SnapshotKind("ENIConfig", "eniconfigs", "crd.k8s.amazonaws.com", ("v1alpha1",), fields.ENI_CONFIG),
    SnapshotKind("CNINode", "cninodes", "vpcresources.k8s.aws", ("v1alpha1",), fields.CNI_NODE),
    SnapshotKind("CiliumNode", "ciliumnodes", "cilium.io", ("v2",), fields.CILIUM_NODE),
    SnapshotKind("Namespace", "namespaces", "", ("v1",), fields.NAMESPACE),
    SnapshotKind("PriorityClass", "priorityclasses", "scheduling.k8s.io", ("v1",), fields.PRIORITY_CLASS),
    SnapshotKind("RuntimeClass", "runtimeclasses", "node.k8s.io", ("v1",), fields.RUNTIME_CLASS),
    SnapshotKind("LimitRange", "limitranges", "", ("v1",), fields.LIMIT_RANGE),
    SnapshotKind("ResourceQuota", "resourcequotas", "", ("v1",), fields.RESOURCE_QUOTA),
    SnapshotKind("DeviceClass", "deviceclasses", _DEVICES, _DEVICES_SINCE, fields.DEVICE_CLASS),
    SnapshotKind("ResourceClaimTemplate", "resourceclaimtemplates", _DEVICES, _DEVICES_SINCE, fields.RESOURCE_CLAIM_TEMPLATE),
    SnapshotKind("ResourceClaim", "resourceclaims", _DEVICES, _DEVICES_SINCE, fields.RESOURCE_CLAIM),
    SnapshotKind("ResourceSlice", "resourceslices", _DEVICES, _DEVICES_SINCE, fields.RESOURCE_SLICE),
    SnapshotKind("PodGroup", "podgroups", "scheduling.k8s.io", ("v1beta1", "v1alpha2"), fields.POD_GROUP),
    SnapshotKind("Workload", "workloads", "scheduling.k8s.io", ("v1alpha1",), fields.WORKLOAD),
    SnapshotKind("PodGroup", "podgroups", "scheduling.x-k8s.io", ("v1alpha1",), fields.POD_GROUP),
    SnapshotKind("PodGroup", "podgroups", "scheduling.volcano.sh", ("v1beta1",), fields.POD_GROUP),
    SnapshotKind("StorageClass", "storageclasses", _STORAGE, ("v1",), fields.STORAGE_CLASS),
    SnapshotKind("PersistentVolume", "persistentvolumes", "", ("v1",), fields.VOLUME),
    SnapshotKind("PersistentVolumeClaim", "persistentvolumeclaims", "", ("v1",), fields.CLAIM),
    SnapshotKind("PodDisruptionBudget", "poddisruptionbudgets", "policy", ("v1",), fields.POD_DISRUPTION_BUDGET),
    SnapshotKind("PodTemplate", "podtemplates", "", ("v1",), fields.POD_TEMPLATE),
    SnapshotKind("DaemonSet", "daemonsets", "apps", ("v1",), fields.DAEMON_SET),
    SnapshotKind("Pod", "pods", "", ("v1",), fields.POD),
)
"""Kinds in the order in which they are read and written: pods last, so that their nodes exist already."""


def kinds_with_context() -> tuple[SnapshotKind, ...]:
    """Return the kinds with `context` among the fields of EC2NodeClasses."""
    full = fields.EC2_NODE_CLASS_WITH_CONTEXT
    return tuple(replace(kind, fields=full) if kind.kind == "EC2NodeClass" else kind for kind in KINDS)
