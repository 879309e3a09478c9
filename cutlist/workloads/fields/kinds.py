"""The fields of the kinds that are validated, as the API server decodes them; notation and source are those of
`cutlist.workloads.fields.pods`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_OF_EVERY_KIND: Final = "apiVersion text, kind text, metadata ObjectMeta"

WORKLOAD_TYPES: Final[Mapping[str, str]] = {
    "Pod": f"{_OF_EVERY_KIND}, spec PodSpec, status any",
    "PodTemplate": f"{_OF_EVERY_KIND}, template PodTemplateSpec",
    "ReplicationController": f"{_OF_EVERY_KIND}, spec ReplicationControllerSpec, status any",
    "ReplicationControllerSpec": "minReadySeconds int32, replicas int32, selector {text}, template PodTemplateSpec",
    "Deployment": f"{_OF_EVERY_KIND}, spec DeploymentSpec, status any",
    "DeploymentSpec": (
        "minReadySeconds int32, paused bool, progressDeadlineSeconds int32, replicas int32, revisionHistoryLimit int32,"
        " selector LabelSelector, strategy UpdateStrategy, template PodTemplateSpec"
    ),
    "UpdateStrategy": "rollingUpdate RollingUpdate, type text",
    "RollingUpdate": "maxSurge int-or-text, maxUnavailable int-or-text",
    "ReplicaSet": f"{_OF_EVERY_KIND}, spec ReplicaSetSpec, status any",
    "ReplicaSetSpec": "minReadySeconds int32, replicas int32, selector LabelSelector, template PodTemplateSpec",
    "DaemonSet": f"{_OF_EVERY_KIND}, spec DaemonSetSpec, status any",
    "DaemonSetSpec": (
        "minReadySeconds int32, revisionHistoryLimit int32, selector LabelSelector, template PodTemplateSpec,"
        " updateStrategy UpdateStrategy"
    ),
    "StatefulSet": f"{_OF_EVERY_KIND}, spec StatefulSetSpec, status any",
    "StatefulSetSpec": (
        "minReadySeconds int32, ordinals StatefulSetOrdinals,"
        " persistentVolumeClaimRetentionPolicy StatefulSetRetentionPolicy, podManagementPolicy text, replicas int32,"
        " revisionHistoryLimit int32, selector LabelSelector, serviceName text, template PodTemplateSpec,"
        " updateStrategy StatefulSetUpdateStrategy, volumeClaimTemplates [PersistentVolumeClaim]"
    ),
    "StatefulSetOrdinals": "start int32",
    "StatefulSetRetentionPolicy": "whenDeleted text, whenScaled text",
    "StatefulSetUpdateStrategy": "rollingUpdate StatefulSetRollingUpdate, type text",
    "StatefulSetRollingUpdate": "maxUnavailable int-or-text, partition int32",
    "Job": f"{_OF_EVERY_KIND}, spec JobSpec, status any",
    "JobSpec": (
        "activeDeadlineSeconds int64, backoffLimit int32, backoffLimitPerIndex int32, completionMode text, completions int32,"
        " managedBy text 1.30+, manualSelector bool, maxFailedIndexes int32, parallelism int32,"
        " podFailurePolicy PodFailurePolicy, podReplacementPolicy text, scheduling JobScheduling 1.37+,"
        " selector LabelSelector,"
        " successPolicy SuccessPolicy 1.30+, suspend bool, template PodTemplateSpec, ttlSecondsAfterFinished int32"
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
    "CronJob": f"{_OF_EVERY_KIND}, spec CronJobSpec, status any",
    "CronJobSpec": (
        "concurrencyPolicy text, failedJobsHistoryLimit int32, jobTemplate JobTemplateSpec, schedule text,"
        " startingDeadlineSeconds int64, successfulJobsHistoryLimit int32, suspend bool, timeZone text"
    ),
    "JobTemplateSpec": "metadata ObjectMeta, spec JobSpec",
}

SHAPING_TYPES: Final[Mapping[str, str]] = {
    "Namespace": f"{_OF_EVERY_KIND}, spec NamespaceSpec, status any",
    "NamespaceSpec": "finalizers [text]",
    "Service": f"{_OF_EVERY_KIND}, spec ServiceSpec, status any",
    "ServiceSpec": (
        "allocateLoadBalancerNodePorts bool, clusterIP text, clusterIPs [text], externalIPs [text], externalName text,"
        " externalTrafficPolicy text, healthCheckNodePort int32, internalTrafficPolicy text, ipFamilies [text],"
        " ipFamilyPolicy text, loadBalancerClass text, loadBalancerIP text, loadBalancerSourceRanges [text],"
        " ports [ServicePort], publishNotReadyAddresses bool, selector {text}, sessionAffinity text,"
        " sessionAffinityConfig SessionAffinityConfig, trafficDistribution text 1.30+, type text"
    ),
    "ServicePort": "appProtocol text, name text, nodePort int32, port int32, protocol text, targetPort int-or-text",
    "SessionAffinityConfig": "clientIP ClientIPConfig",
    "ClientIPConfig": "timeoutSeconds int32",
    "LimitRange": f"{_OF_EVERY_KIND}, spec LimitRangeSpec",
    "LimitRangeSpec": "limits [LimitRangeItem]",
    "LimitRangeItem": (
        "default {quantity}, defaultRequest {quantity}, max {quantity}, maxLimitRequestRatio {quantity}, min {quantity},"
        " type text"
    ),
    "ResourceQuota": f"{_OF_EVERY_KIND}, spec ResourceQuotaSpec, status any",
    "ResourceQuotaSpec": "hard {quantity}, scopeSelector ScopeSelector, scopes [text]",
    "ScopeSelector": "matchExpressions [ScopedResourceSelectorRequirement]",
    "ScopedResourceSelectorRequirement": "operator text, scopeName text, values [text]",
    "PersistentVolume": f"{_OF_EVERY_KIND}, spec PersistentVolumeSpec, status any",
    "PersistentVolumeClaim": f"{_OF_EVERY_KIND}, spec PersistentVolumeClaimSpec, status any",
    "StorageClass": (
        f"{_OF_EVERY_KIND}, allowVolumeExpansion bool, allowedTopologies [TopologySelectorTerm], mountOptions [text],"
        " parameters {text}, provisioner text, reclaimPolicy text, volumeBindingMode text"
    ),
    "TopologySelectorTerm": "matchLabelExpressions [TopologySelectorLabelRequirement]",
    "TopologySelectorLabelRequirement": "key text, values [text]",
    "PriorityClass": f"{_OF_EVERY_KIND}, description text, globalDefault bool, preemptionPolicy text, value int32",
    "RuntimeClass": f"{_OF_EVERY_KIND}, handler text, overhead Overhead, scheduling RuntimeScheduling",
    "Overhead": "podFixed {quantity}",
    "RuntimeScheduling": "nodeSelector {text}, tolerations [Toleration]",
    "PodDisruptionBudget": f"{_OF_EVERY_KIND}, spec PodDisruptionBudgetSpec, status any",
    "PodDisruptionBudgetSpec": (
        "maxUnavailable int-or-text, minAvailable int-or-text, selector LabelSelector, unhealthyPodEvictionPolicy text"
    ),
}

AUTOSCALER_TYPES: Final[Mapping[str, str]] = {
    "HorizontalPodAutoscaler": f"{_OF_EVERY_KIND}, spec HorizontalPodAutoscalerSpec, status any",
    "HorizontalPodAutoscalerSpec": (
        "behavior ScalingBehavior, maxReplicas int32, metrics [MetricSpec], minReplicas int32,"
        " scaleTargetRef CrossVersionObjectReference"
    ),
    "HorizontalPodAutoscalerV1": f"{_OF_EVERY_KIND}, spec HorizontalPodAutoscalerSpecV1, status any",
    "HorizontalPodAutoscalerSpecV1": (
        "maxReplicas int32, minReplicas int32, scaleTargetRef CrossVersionObjectReference, targetCPUUtilizationPercentage int32"
    ),
    "CrossVersionObjectReference": "apiVersion text, kind text, name text",
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
