"""The fields of the kinds that are validated, as the API server decodes them; notation and source are those of
`cutlist.workloads.fields.pods`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_OBJECT: Final = "apiVersion text, kind text, metadata! ObjectMeta"
_NAMED: Final = "apiVersion text, kind text, metadata! NamedMeta"

WORKLOAD_TYPES: Final[Mapping[str, str]] = {
    "Pod": f"{_OBJECT}, spec! PodSpec, status? ~PodStatus",
    "PodTemplate": f"{_NAMED}, template? PodTemplateSpec",
    "ReplicationController": f"{_OBJECT}, spec! ReplicationControllerSpec, status? ~ControllerStatus",
    "ReplicationControllerSpec": "minReadySeconds int32, replicas? int32:0.., selector {text}, template! PodTemplateSpec",
    "Deployment": f"{_OBJECT}, spec! DeploymentSpec, status? ~ControllerStatus",
    "DeploymentSpec": (
        "minReadySeconds int32, paused bool, progressDeadlineSeconds int32, replicas? int32:0.., revisionHistoryLimit int32,"
        " selector LabelSelector, strategy UpdateStrategy, template! PodTemplateSpec"
    ),
    "UpdateStrategy": "rollingUpdate RollingUpdate, type text",
    "RollingUpdate": "maxSurge int-or-text, maxUnavailable int-or-text",
    "ReplicaSet": f"{_OBJECT}, spec! ReplicaSetSpec, status? ~ControllerStatus",
    "ReplicaSetSpec": "minReadySeconds int32, replicas? int32:0.., selector LabelSelector, template! PodTemplateSpec",
    "DaemonSet": f"{_OBJECT}, spec! DaemonSetSpec, status? ~ControllerStatus",
    "DaemonSetSpec": (
        "minReadySeconds int32, revisionHistoryLimit int32, selector LabelSelector, template! PodTemplateSpec,"
        " updateStrategy UpdateStrategy"
    ),
    "StatefulSet": f"{_OBJECT}, spec! StatefulSetSpec, status? ~ControllerStatus",
    "StatefulSetSpec": (
        "minReadySeconds int32, ordinals? StatefulSetOrdinals,"
        " persistentVolumeClaimRetentionPolicy StatefulSetRetentionPolicy, podManagementPolicy text, replicas? int32:0..,"
        " revisionHistoryLimit int32, selector LabelSelector, serviceName text, template! PodTemplateSpec,"
        " updateStrategy StatefulSetUpdateStrategy, volumeClaimTemplates? [NamedClaimTemplate]"
    ),
    "StatefulSetOrdinals": "start? int32:0..",
    "StatefulSetRetentionPolicy": "whenDeleted text, whenScaled text",
    "StatefulSetUpdateStrategy": "rollingUpdate StatefulSetRollingUpdate, type text",
    "StatefulSetRollingUpdate": "maxUnavailable int-or-text, partition int32",
    "Job": f"{_OBJECT}, spec! JobSpec, status? ~ControllerStatus",
    "JobSpec": (
        "activeDeadlineSeconds int64, backoffLimit int32, backoffLimitPerIndex int32, completionMode text,"
        " completions? int32:0.., managedBy text 1.30+, manualSelector bool, maxFailedIndexes int32, parallelism? int32:0..,"
        " podFailurePolicy PodFailurePolicy, podReplacementPolicy text, scheduling JobScheduling 1.37+,"
        " selector LabelSelector,"
        " successPolicy SuccessPolicy 1.30+, suspend? bool, template! PodTemplateSpec, ttlSecondsAfterFinished int32"
    ),
    "JobScheduling": (
        "disruptionMode JobDisruptionMode, resourceClaims [JobResourceClaim], schedulingConstraints JobSchedulingConstraints,"
        " schedulingPolicy JobSchedulingPolicy"
    ),
    "JobDisruptionMode": "all any, single any",
    "JobSchedulingConstraints": "topology [JobTopologyConstraint]",
    "JobTopologyConstraint": "key text",
    "JobSchedulingPolicy": "basic any, gang JobGang",
    "JobGang": "minCount int32",
    "JobResourceClaim": "name text, resourceClaimName text, resourceClaimTemplateName text",
    "PodFailurePolicy": "rules [PodFailurePolicyRule]",
    "PodFailurePolicyRule": "action text, onExitCodes OnExitCodes, onPodConditions [OnPodConditions]",
    "OnExitCodes": "containerName text, operator text, values [int32]",
    "OnPodConditions": "status text, type text",
    "SuccessPolicy": "rules [SuccessPolicyRule]",
    "SuccessPolicyRule": "succeededCount int32, succeededIndexes text",
    "CronJob": f"{_OBJECT}, spec! CronJobSpec, status? ~ControllerStatus",
    "CronJobSpec": (
        "concurrencyPolicy text, failedJobsHistoryLimit int32, jobTemplate! JobTemplateSpec, schedule text,"
        " startingDeadlineSeconds int64, successfulJobsHistoryLimit int32, suspend? bool, timeZone text"
    ),
    "JobTemplateSpec": "metadata ObjectMeta, spec! JobSpec",
    "ControllerStatus": "succeeded? int32:0.., conditions? [ControllerCondition]",
    "ControllerCondition": "type? text, status? text",
}

SHAPING_TYPES: Final[Mapping[str, str]] = {
    "Namespace": f"{_NAMED}, spec NamespaceSpec, status any",
    "NamespaceSpec": "finalizers [text]",
    "Service": f"{_NAMED}, spec? ServiceSpec, status any",
    "ServiceSpec": (
        "allocateLoadBalancerNodePorts bool, clusterIP text, clusterIPs [text], externalIPs [text], externalName text,"
        " externalTrafficPolicy text, healthCheckNodePort int32, internalTrafficPolicy text, ipFamilies [text],"
        " ipFamilyPolicy text, loadBalancerClass text, loadBalancerIP text, loadBalancerSourceRanges [text],"
        " ports [ServicePort], publishNotReadyAddresses bool, selector? {text}, sessionAffinity text,"
        " sessionAffinityConfig SessionAffinityConfig, trafficDistribution text 1.30+, type text"
    ),
    "ServicePort": "appProtocol text, name text, nodePort int32, port int32, protocol text, targetPort int-or-text",
    "SessionAffinityConfig": "clientIP ClientIPConfig",
    "ClientIPConfig": "timeoutSeconds int32",
    "LimitRange": f"{_NAMED}, spec! LimitRangeSpec",
    "LimitRangeSpec": "limits! [LimitRangeItem]",
    "LimitRangeItem": (
        "only, type! text, default? {quantity}, defaultRequest? {quantity}, min? {quantity}, max? {quantity},"
        " maxLimitRequestRatio? {quantity}"
    ),
    "ResourceQuota": f"{_NAMED}, spec? ResourceQuotaSpec, status any",
    "ResourceQuotaSpec": "hard? {quantity}, scopeSelector ScopeSelector, scopes [text]",
    "ScopeSelector": "matchExpressions [ScopedResourceSelectorRequirement]",
    "ScopedResourceSelectorRequirement": "operator text, scopeName text, values [text]",
    "PersistentVolume": f"{_NAMED}, spec? PersistentVolumeSpec, status any",
    "PersistentVolumeClaim": f"{_NAMED}, spec? PersistentVolumeClaimSpec, status? ~ClaimStatus",
    "StorageClass": (
        f"{_NAMED}, allowVolumeExpansion bool, allowedTopologies? [TopologySelectorTerm], mountOptions [text],"
        " parameters {text}, provisioner text, reclaimPolicy text, volumeBindingMode? Immediate|WaitForFirstConsumer"
    ),
    "TopologySelectorTerm": "only, matchLabelExpressions! [TopologySelectorLabelRequirement]",
    "TopologySelectorLabelRequirement": "only, key! text, values! [text]",
    "PriorityClass": f"{_NAMED}, description text, globalDefault? bool, preemptionPolicy text, value! int32",
    "RuntimeClass": f"{_NAMED}, handler? text, overhead? Overhead, scheduling? RuntimeScheduling",
    "Overhead": "only, podFixed? {quantity}",
    "RuntimeScheduling": "only, nodeSelector? {text}, tolerations? [Toleration]",
    "PodDisruptionBudget": f"{_NAMED}, spec? PodDisruptionBudgetSpec, status any",
    "PodDisruptionBudgetSpec": (
        "maxUnavailable int-or-text, minAvailable int-or-text, selector? LabelSelector, unhealthyPodEvictionPolicy text"
    ),
}

AUTOSCALER_TYPES: Final[Mapping[str, str]] = {
    "HorizontalPodAutoscaler": f"{_NAMED}, spec! HorizontalPodAutoscalerSpec, status any",
    "HorizontalPodAutoscalerSpec": (
        "behavior ScalingBehavior, maxReplicas! int32:1.., metrics [MetricSpec], minReplicas? int32:0..,"
        " scaleTargetRef! CrossVersionObjectReference"
    ),
    "HorizontalPodAutoscalerV1": f"{_NAMED}, spec! HorizontalPodAutoscalerSpecV1, status any",
    "HorizontalPodAutoscalerSpecV1": (
        "maxReplicas int32, minReplicas int32, scaleTargetRef CrossVersionObjectReference, targetCPUUtilizationPercentage int32"
    ),
    "CrossVersionObjectReference": "apiVersion text, kind! text, name! text",
    "ScalingBehavior": "scaleDown ScalingRules, scaleUp ScalingRules",
    "ScalingRules": ("policies [ScalingPolicy], selectPolicy text, stabilizationWindowSeconds int32, tolerance quantity 1.33+"),
    "ScalingPolicy": "periodSeconds int32, type text, value int32",
    "MetricSpec": (
        "containerResource ContainerResourceMetric, external ExternalMetric, object ObjectMetric, pods PodsMetric,"
        " resource ResourceMetric, type text"
    ),
    "ContainerResourceMetric": "container text, name text, target MetricTarget",
    "ResourceMetric": "name text, target MetricTarget",
    "ExternalMetric": "metric MetricIdentifier, target MetricTarget",
    "PodsMetric": "metric MetricIdentifier, target MetricTarget",
    "ObjectMetric": "describedObject CrossVersionObjectReference, metric MetricIdentifier, target MetricTarget",
    "MetricIdentifier": "name text, selector LabelSelector",
    "MetricTarget": "averageUtilization int32, averageValue quantity, type text, value quantity",
}

OPERATOR_TYPES: Final[Mapping[str, str]] = {
    "Node": _NAMED,
    "ScaledObject": f"{_NAMED}, spec! ScaledObjectSpec",
    "ScaledObjectSpec": (
        "scaleTargetRef! ScaleTarget, minReplicaCount? int32:0.., maxReplicaCount? int32:1.., idleReplicaCount? int32:0.."
    ),
    "ScaleTarget": "name! text, kind? text",
    "VerticalPodAutoscaler": f"{_NAMED}, spec! VerticalPodAutoscalerSpec",
    "VerticalPodAutoscalerSpec": "targetRef! CrossVersionObjectReference, updatePolicy? UpdatePolicy",
    "UpdatePolicy": "updateMode? text",
}
"""Kinds of which only plans read something."""
