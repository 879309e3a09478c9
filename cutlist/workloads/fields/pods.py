"""The fields of pods, as the API server decodes them (spec: workloads 1), and what plans need of them.

The notation is that of `cutlist.workloads.fields.notation`. Kubernetes publishes the fields as its OpenAPI schema:
https://github.com/kubernetes/kubernetes/tree/master/api/openapi-spec (read 2026-11-23, 1.29 to 1.37).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_META: Final = (
    "annotations? {text}, creationTimestamp? time, deletionGracePeriodSeconds int64, deletionTimestamp? time,"
    " finalizers [text], generateName? text, generation int64, labels? {text}, managedFields [any], namespace? text,"
    " ownerReferences? [OwnerReference], resourceVersion text, selfLink text, uid text"
)
META_TYPES: Final[Mapping[str, str]] = {
    "ObjectMeta": f"{_META}, name? text",
    "NamedMeta": f"{_META}, name! text",
    "OwnerReference": "apiVersion text, blockOwnerDeletion bool, controller? bool, kind! text, name! text, uid text",
    "LabelSelector": "only, matchLabels? {text}, matchExpressions? [LabelSelectorRequirement]",
    "LabelSelectorRequirement": "only, key! text, operator! In|NotIn|Exists|DoesNotExist, values? [text]",
    "LocalObjectReference": "name text",
    "ObjectReference": "apiVersion text, fieldPath text, kind text, name text, namespace text, resourceVersion text, uid text",
    "SecretReference": "name text, namespace text",
}

POD_TYPES: Final[Mapping[str, str]] = {
    "PodTemplateSpec": "metadata? ObjectMeta, spec! PodSpec",
    "PodSpec": (
        "activeDeadlineSeconds int64, affinity? Affinity, automountServiceAccountToken bool, containers! [Container]+,"
        " dnsConfig PodDNSConfig, dnsPolicy text, enableServiceLinks bool, ephemeralContainers [EphemeralContainer],"
        " evictionResponders [EvictionResponder] 1.37+,"
        " hostAliases [HostAlias], hostIPC bool, hostNetwork? bool, hostPID bool, hostUsers bool, hostname text,"
        " hostnameOverride text 1.34+, imagePullSecrets [LocalObjectReference], initContainers? [Container], nodeName? text,"
        " nodeSelector? {text}, os PodOS, overhead? {quantity}, preemptionPolicy text, priority? int32,"
        " priorityClassName? text, readinessGates [PodReadinessGate], resourceClaims? [PodResourceClaim],"
        " resources? ResourceRequirements 1.32+, restartPolicy text, runtimeClassName? text, schedulerName text,"
        " schedulingGates [PodSchedulingGate], schedulingGroup? PodSchedulingGroup 1.36+,"
        " securityContext PodSecurityContext, serviceAccount text, serviceAccountName text, setHostnameAsFQDN bool,"
        " shareProcessNamespace bool, subdomain text, terminationGracePeriodSeconds? int64, tolerations? [Toleration],"
        " topologySpreadConstraints? [TopologySpreadConstraint], volumes? [Volume], workloadRef? WorkloadReference 1.35+ -1.35"
    ),
    "PodDNSConfig": "nameservers [text], options [PodDNSConfigOption], searches [text]",
    "PodDNSConfigOption": "name text, value text",
    "HostAlias": "hostnames [text], ip text",
    "PodOS": "name text",
    "PodReadinessGate": "conditionType text",
    "PodSchedulingGate": "name text",
    "PodResourceClaim": (
        "name! text, resourceClaimName text 1.31+, resourceClaimTemplateName text 1.31+, source ClaimSource -1.30"
    ),
    "ClaimSource": "resourceClaimName text, resourceClaimTemplateName text",
    "EvictionResponder": "name text, priority int32",
    "PodSchedulingGroup": "podGroupName? text",
    "WorkloadReference": "name? text, podGroup? text, podGroupReplicaKey? text",
    "Toleration": (
        "only, key? text, operator? Exists|Equal|Lt|Gt|, value? text, effect? NoSchedule|PreferNoSchedule|NoExecute|,"
        " tolerationSeconds? int64"
    ),
    "TopologySpreadConstraint": (
        "only, topologyKey! text, maxSkew! int32:1.., whenUnsatisfiable! DoNotSchedule|ScheduleAnyway,"
        " labelSelector? LabelSelector, minDomains? int32:1.., matchLabelKeys? [text], nodeAffinityPolicy? Honor|Ignore,"
        " nodeTaintsPolicy? Honor|Ignore"
    ),
    "Affinity": "only, nodeAffinity? NodeAffinity, podAffinity? PodAffinity, podAntiAffinity? PodAffinity",
    "NodeAffinity": (
        "only, requiredDuringSchedulingIgnoredDuringExecution? NodeSelector,"
        " preferredDuringSchedulingIgnoredDuringExecution? [PreferredSchedulingTerm]"
    ),
    "PreferredSchedulingTerm": "only, weight! int32:1..100, preference! NodeSelectorTerm",
    "NodeSelector": "only, nodeSelectorTerms! [NodeSelectorTerm]",
    "NodeSelectorTerm": "only, matchExpressions? [NodeSelectorRequirement], matchFields? [NodeSelectorRequirement]",
    "NodeSelectorRequirement": "only, key! text, operator! In|NotIn|Exists|DoesNotExist|Gt|Lt, values? [text]",
    "PodAffinity": (
        "only, requiredDuringSchedulingIgnoredDuringExecution? [PodAffinityTerm],"
        " preferredDuringSchedulingIgnoredDuringExecution? [WeightedPodAffinityTerm]"
    ),
    "WeightedPodAffinityTerm": "only, weight! int32:1..100, podAffinityTerm! PodAffinityTerm",
    "PodAffinityTerm": (
        "only, topologyKey! text, labelSelector? LabelSelector, namespaces? [text], namespaceSelector? LabelSelector,"
        " matchLabelKeys? [text], mismatchLabelKeys? [text]"
    ),
    "PodStatus": (
        "phase? text, startTime? time, conditions? [PodCondition], containerStatuses? [ContainerStatus],"
        " initContainerStatuses? [ContainerStatus], ephemeralContainerStatuses any,"
        " resourceClaimStatuses? [PodResourceClaimStatus]"
    ),
    "PodCondition": "type? text, status? text, reason? text",
    "PodResourceClaimStatus": "name? text, resourceClaimName? text",
    "ContainerStatus": (
        "name? text, resources? ContainerStatusResources, allocatedResources? {quantity}, allocatedResourcesStatus any"
    ),
    "ContainerStatusResources": "requests? {quantity}",
}

_CONTAINER: Final = (
    "args [text], command [text], env [EnvVar], envFrom [EnvFromSource], image text, imagePullPolicy text, lifecycle Lifecycle,"
    " livenessProbe Probe, name! text, ports? [ContainerPort], readinessProbe Probe, resizePolicy [ContainerResizePolicy],"
    " resources? ResourceRequirements, restartPolicy? text, restartPolicyRules [ContainerRestartRule] 1.34+,"
    " securityContext SecurityContext, startupProbe Probe, stdin bool, stdinOnce bool, terminationMessagePath text,"
    " terminationMessagePolicy text, tty bool, volumeDevices [VolumeDevice], volumeMounts [VolumeMount], workingDir text"
)
_PROBE_HANDLERS: Final = "exec ExecAction, grpc GRPCAction, httpGet HTTPGetAction, tcpSocket TCPSocketAction"

CONTAINER_TYPES: Final[Mapping[str, str]] = {
    "Container": _CONTAINER,
    "EphemeralContainer": f"{_CONTAINER}, targetContainerName text",
    "EnvVar": "name text, value text, valueFrom EnvVarSource",
    "EnvVarSource": (
        "configMapKeyRef KeySelector, fieldRef ObjectFieldSelector, fileKeyRef FileKeySelector 1.34+,"
        " resourceFieldRef ResourceFieldSelector, secretKeyRef KeySelector"
    ),
    "KeySelector": "key text, name text, optional bool",
    "ObjectFieldSelector": "apiVersion text, fieldPath text",
    "FileKeySelector": "key text, optional bool, path text, volumeName text",
    "ResourceFieldSelector": "containerName text, divisor quantity, resource text",
    "EnvFromSource": "configMapRef OptionalReference, prefix text, secretRef OptionalReference",
    "OptionalReference": "name text, optional bool",
    "Lifecycle": "postStart LifecycleHandler, preStop LifecycleHandler, stopSignal text 1.33+",
    "LifecycleHandler": "exec ExecAction, httpGet HTTPGetAction, sleep SleepAction 1.29+, tcpSocket TCPSocketAction",
    "SleepAction": "seconds int64",
    "Probe": (
        f"{_PROBE_HANDLERS}, failureThreshold int32, initialDelaySeconds int32, periodSeconds int32, successThreshold int32,"
        " terminationGracePeriodSeconds int64, timeoutSeconds int32"
    ),
    "ExecAction": "command [text]",
    "GRPCAction": "mode text 1.37+, port int32, service text",
    "HTTPGetAction": "host text, httpHeaders [HTTPHeader], path text, port int-or-text, protocol text 1.37+, scheme text",
    "HTTPHeader": "name text, value text",
    "TCPSocketAction": "host text, port int-or-text",
    "ContainerPort": (
        "containerPort? int32:1..65535, hostIP? text, hostPort? int32:0..65535, name text, protocol? TCP|UDP|SCTP"
    ),
    "ContainerResizePolicy": "resourceName text, restartPolicy text",
    "ContainerRestartRule": "action text, exitCodes ContainerRestartRuleOnExitCodes",
    "ContainerRestartRuleOnExitCodes": "operator text, values [int32]",
    "ResourceRequirements": "only, requests? {quantity}, limits? {quantity}, claims? [ContainerClaim]",
    "ContainerClaim": "name text, request text 1.31+",
    "VolumeDevice": "devicePath text, name text",
    "VolumeMount": (
        "bindMountOptions [text] 1.37+, mountPath text, mountPropagation text, name text, readOnly bool,"
        " recursiveReadOnly text 1.30+, subPath text, subPathExpr text"
    ),
    "SecurityContext": (
        "allowPrivilegeEscalation bool, appArmorProfile SecurityProfile 1.30+, capabilities Capabilities, privileged bool,"
        " procMount text, readOnlyRootFilesystem bool, runAsGroup int64, runAsNonRoot bool, runAsUser int64,"
        " seLinuxOptions SELinuxOptions, seccompProfile SecurityProfile, windowsOptions WindowsSecurityContextOptions"
    ),
    "PodSecurityContext": (
        "appArmorProfile SecurityProfile 1.30+, fsGroup int64, fsGroupChangePolicy text, runAsGroup int64, runAsNonRoot bool,"
        " runAsUser int64, seLinuxChangePolicy text 1.32+, seLinuxOptions SELinuxOptions, seccompProfile SecurityProfile,"
        " supplementalGroups [int64], supplementalGroupsPolicy text 1.31+, sysctls [Sysctl],"
        " windowsOptions WindowsSecurityContextOptions"
    ),
    "SecurityProfile": "localhostProfile text, type text",
    "Capabilities": "add [text], drop [text]",
    "SELinuxOptions": "level text, role text, type text, user text",
    "Sysctl": "name text, value text",
    "WindowsSecurityContextOptions": (
        "gmsaCredentialSpec text, gmsaCredentialSpecName text, hostProcess bool, runAsUserName text"
    ),
}
