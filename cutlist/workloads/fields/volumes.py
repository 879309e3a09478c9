"""The fields of volumes and of claims on them, as the API server decodes them; notation and source are those of
`cutlist.workloads.fields.pods`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_SHARED_SOURCES: Final = (
    "awsElasticBlockStore AWSElasticBlockStore, azureDisk AzureDisk, fc FC, flocker Flocker,"
    " gcePersistentDisk GCEPersistentDisk, hostPath HostPath, nfs NFS, photonPersistentDisk PhotonPersistentDisk,"
    " portworxVolume PortworxVolume, quobyte Quobyte, vsphereVolume VsphereVolume"
)
_ISCSI: Final = (
    "chapAuthDiscovery bool, chapAuthSession bool, fsType text, initiatorName text, iqn text, iscsiInterface text, lun int32,"
    " portals [text], readOnly bool, targetPortal text"
)
_RBD: Final = "fsType text, image text, keyring text, monitors [text], pool text, readOnly bool, user text"
_SCALE_IO: Final = (
    "fsType text, gateway text, protectionDomain text, readOnly bool, sslEnabled bool, storageMode text, storagePool text,"
    " system text, volumeName text"
)
_CEPHFS: Final = "monitors [text], path text, readOnly bool, secretFile text, user text"
_CINDER: Final = "fsType text, readOnly bool, volumeID text"
_FLEX: Final = "driver text, fsType text, options {text}, readOnly bool"
_STORAGE_OS: Final = "fsType text, readOnly bool, volumeName text, volumeNamespace text"

VOLUME_TYPES: Final[Mapping[str, str]] = {
    "Volume": (
        f"name! text, {_SHARED_SOURCES}, azureFile AzureFile, cephfs CephFS, cinder Cinder, configMap ConfigMapVolume,"
        " csi CSI, downwardAPI DownwardAPIVolume, emptyDir EmptyDir, ephemeral? Ephemeral, flexVolume Flex, gitRepo GitRepo,"
        " glusterfs Glusterfs, image ImageVolume 1.31+, iscsi ISCSI, persistentVolumeClaim? ClaimVolume,"
        " projected ProjectedVolume, rbd RBD, scaleIO ScaleIO, secret SecretVolume, storageos StorageOS"
    ),
    "AWSElasticBlockStore": "fsType text, partition int32, readOnly bool, volumeID text",
    "AzureDisk": "cachingMode text, diskName text, diskURI text, fsType text, kind text, readOnly bool",
    "AzureFile": "readOnly bool, secretName text, shareName text",
    "CephFS": f"{_CEPHFS}, secretRef LocalObjectReference",
    "Cinder": f"{_CINDER}, secretRef LocalObjectReference",
    "ConfigMapVolume": "defaultMode int32, defaultUser int64 1.37+, items [KeyToPath], name text, optional bool",
    "SecretVolume": "defaultMode int32, defaultUser int64 1.37+, items [KeyToPath], optional bool, secretName text",
    "KeyToPath": "key text, mode int32, path text, user int64 1.37+",
    "CSI": ("driver text, fsType text, nodePublishSecretRef LocalObjectReference, readOnly bool, volumeAttributes {text}"),
    "DownwardAPIVolume": "defaultMode int32, defaultUser int64 1.37+, items [DownwardAPIFile]",
    "DownwardAPIFile": (
        "fieldRef ObjectFieldSelector, mode int32, path text, resourceFieldRef ResourceFieldSelector, user int64 1.37+"
    ),
    "EmptyDir": "medium text, mode int32 1.37+, sizeLimit quantity",
    "Ephemeral": "volumeClaimTemplate! ClaimTemplate",
    "ClaimTemplate": "metadata? ObjectMeta, spec! PersistentVolumeClaimSpec",
    "NamedClaimTemplate": "apiVersion text, kind text, metadata! NamedMeta, spec! PersistentVolumeClaimSpec, status any",
    "FC": "fsType text, lun int32, readOnly bool, targetWWNs [text], wwids [text]",
    "Flex": f"{_FLEX}, secretRef LocalObjectReference",
    "Flocker": "datasetName text, datasetUUID text",
    "GCEPersistentDisk": "fsType text, partition int32, pdName text, readOnly bool",
    "GitRepo": "directory text, repository text, revision text",
    "Glusterfs": "endpoints text, path text, readOnly bool",
    "HostPath": "path text, type text",
    "ImageVolume": "pullPolicy text, reference text",
    "ISCSI": f"{_ISCSI}, secretRef LocalObjectReference",
    "NFS": "path text, readOnly bool, server text",
    "ClaimVolume": "only, claimName! text, readOnly? bool",
    "PhotonPersistentDisk": "fsType text, pdID text",
    "PortworxVolume": "fsType text, readOnly bool, volumeID text",
    "ProjectedVolume": "defaultMode int32, defaultUser int64 1.37+, sources [VolumeProjection]",
    "VolumeProjection": (
        "clusterTrustBundle ClusterTrustBundleProjection 1.29+, configMap KeysProjection, downwardAPI DownwardAPIProjection,"
        " podCertificate PodCertificateProjection 1.34+, secret KeysProjection,"
        " serviceAccountToken ServiceAccountTokenProjection"
    ),
    "ClusterTrustBundleProjection": (
        "labelSelector LabelSelector, name text, optional bool, path text, signerName text, user int64 1.37+"
    ),
    "KeysProjection": "items [KeyToPath], name text, optional bool",
    "DownwardAPIProjection": "items [DownwardAPIFile]",
    "PodCertificateProjection": (
        "certificateChainPath text, credentialBundlePath text, keyPath text, keyType text, maxExpirationSeconds int32,"
        " signerName text, user int64 1.37+, userAnnotations {text} 1.35+"
    ),
    "ServiceAccountTokenProjection": "audience text, expirationSeconds int64, path text, user int64 1.37+",
    "Quobyte": "group text, readOnly bool, registry text, tenant text, user text, volume text",
    "RBD": f"{_RBD}, secretRef LocalObjectReference",
    "ScaleIO": f"{_SCALE_IO}, secretRef LocalObjectReference",
    "StorageOS": f"{_STORAGE_OS}, secretRef LocalObjectReference",
    "VsphereVolume": "fsType text, storagePolicyID text, storagePolicyName text, volumePath text",
}

CLAIM_TYPES: Final[Mapping[str, str]] = {
    "PersistentVolumeClaimSpec": (
        "accessModes [text], dataSource TypedLocalObjectReference, dataSourceRef TypedObjectReference,"
        " resources VolumeResourceRequirements, selector LabelSelector, storageClassName? text,"
        " volumeAttributesClassName text 1.29+, volumeMode text, volumeName? text"
    ),
    "ClaimStatus": "phase? text",
    "VolumeResourceRequirements": "limits {quantity}, requests {quantity}",
    "TypedLocalObjectReference": "apiGroup text, kind text, name text",
    "TypedObjectReference": "apiGroup text, kind text, name text, namespace text",
    "PersistentVolumeSpec": (
        f"{_SHARED_SOURCES}, accessModes [text], azureFile AzureFilePersistent, capacity {{quantity}}, cephfs CephFSPersistent,"
        " cinder CinderPersistent, claimRef ObjectReference, csi? CSIPersistent, flexVolume FlexPersistent,"
        " glusterfs GlusterfsPersistent, iscsi ISCSIPersistent, local LocalVolume, mountOptions [text],"
        " nodeAffinity? VolumeNodeAffinity, persistentVolumeReclaimPolicy text, rbd RBDPersistent, scaleIO ScaleIOPersistent,"
        " storageClassName text, storageos StorageOSPersistent, volumeAttributesClassName text 1.29+, volumeMode text"
    ),
    "AzureFilePersistent": "readOnly bool, secretName text, secretNamespace text, shareName text",
    "CephFSPersistent": f"{_CEPHFS}, secretRef SecretReference",
    "CinderPersistent": f"{_CINDER}, secretRef SecretReference",
    "CSIPersistent": (
        "controllerExpandSecretRef SecretReference, controllerPublishSecretRef SecretReference, driver? text, fsType text,"
        " nodeExpandSecretRef SecretReference, nodePublishSecretRef SecretReference, nodeStageSecretRef SecretReference,"
        " readOnly bool, volumeAttributes {text}, volumeHandle text"
    ),
    "FlexPersistent": f"{_FLEX}, secretRef SecretReference",
    "GlusterfsPersistent": "endpoints text, endpointsNamespace text, path text, readOnly bool",
    "ISCSIPersistent": f"{_ISCSI}, secretRef SecretReference",
    "LocalVolume": "fsType text, path text",
    "VolumeNodeAffinity": "only, required? NodeSelector",
    "RBDPersistent": f"{_RBD}, secretRef SecretReference",
    "ScaleIOPersistent": f"{_SCALE_IO}, secretRef SecretReference",
    "StorageOSPersistent": f"{_STORAGE_OS}, secretRef ObjectReference",
}
