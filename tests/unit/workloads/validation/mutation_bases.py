"""The objects of which mutations change one member each: as rich as an API server takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_GPU: Final = "gpu.example.com"
_META: Final = {"name": "web", "labels": {"team": "ml"}}
_EXPRESSION: Final = f"device.attributes['{_GPU}'].model == 'a100'"
_ASKED: Final = {
    "deviceClassName": _GPU,
    "selectors": [{"cel": {"expression": _EXPRESSION}}],
    "allocationMode": "ExactCount",
    "count": 2,
    "tolerations": [{"key": "example.com/broken", "operator": "Equal", "value": "yes", "effect": "NoExecute"}],
    "capacity": {"requests": {"memory": "10Gi"}},
}
_OPAQUE: Final = {"driver": _GPU, "parameters": {"apiVersion": "gpu.example.com/v1", "kind": "Config", "sharing": {"n": 2}}}
_CLAIM: Final = {
    "devices": {
        "requests": [
            {"name": "gpu", "exactly": {**_ASKED, "adminAccess": False}},
            {"name": "nic", "firstAvailable": [{"name": "fast", **_ASKED}, {"name": "slow", "deviceClassName": "nic"}]},
        ],
        "constraints": [
            {"requests": ["gpu", "nic/fast"], "matchAttribute": "resource.kubernetes.io/pcieRoot"},
            {"distinctAttribute": f"{_GPU}/index"},
        ],
        "config": [{"requests": ["gpu"], "opaque": _OPAQUE}],
    }
}
_SELECTOR: Final = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a", "b"]}]}]}
_POOL: Final = {"name": "node-a", "generation": 3, "resourceSliceCount": 2}
_WHOLE: Final = {
    "name": "gpu-0",
    "attributes": {
        "model": {"string": "a100"},
        f"{_GPU}/index": {"int": 0},
        "healthy": {"bool": True},
        "driverVersion": {"version": "1.2.3"},
    },
    "capacity": {"memory": {"value": "40Gi"}},
    "taints": [{"key": "example.com/broken", "value": "yes", "effect": "NoSchedule"}],
    "consumesCounters": [{"counterSet": "all", "counters": {"memory": {"value": "40Gi"}, "slices": {"value": "7"}}}],
    "bindsToNode": True,
    "bindingConditions": ["example.com/attached"],
    "bindingFailureConditions": ["example.com/failed"],
}
_SHARED: Final = {
    "name": "gpu-1",
    "allowMultipleAllocations": True,
    "capacity": {
        "memory": {
            "value": "16Gi",
            "requestPolicy": {"default": "1Gi", "validRange": {"min": "1Gi", "max": "16Gi", "step": "1Gi"}},
        },
        "shares": {"value": "4", "requestPolicy": {"default": "1", "validValues": ["1", "2", "4"]}},
    },
}
_POD: Final = {
    "resourceClaims": [
        {"name": "gpu", "resourceClaimTemplateName": "one-gpu"},
        {"name": "nic", "resourceClaimName": "shared-nic"},
    ],
    "resources": {"requests": {"cpu": "2", "memory": "2Gi"}, "limits": {"cpu": "4"}},
    "containers": [
        {
            "name": "main",
            "image": "registry.example.com/main:1",
            "resizePolicy": [{"resourceName": "cpu", "restartPolicy": "NotRequired"}],
            "resources": {
                "requests": {"cpu": "1"},
                "limits": {"cpu": "2"},
                "claims": [{"name": "gpu", "request": "gpu"}, {"name": "nic"}],
            },
        }
    ],
}
_TERM: Final = {"labelSelector": {"matchLabels": {"app": "web"}}, "topologyKey": "zone", "matchLabelKeys": ["hash"]}
_PROBE: Final = {"httpGet": {"path": "/", "port": "http"}, "periodSeconds": 5, "failureThreshold": 3}
_RICH_CONTAINER: Final = {
    "name": "main",
    "image": "registry.example.com/main:1",
    "imagePullPolicy": "Always",
    "command": ["run"],
    "ports": [{"name": "http", "containerPort": 8080, "protocol": "TCP"}],
    "env": [
        {"name": "A", "value": "b"},
        {"name": "NODE", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}},
        {"name": "CPU", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu", "divisor": "1m"}}},
        {"name": "KEY", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}},
    ],
    "envFrom": [{"prefix": "P_", "configMapRef": {"name": "c"}}],
    "resources": {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"memory": "1Gi", "cpu": 2}},
    "resizePolicy": [{"resourceName": "memory", "restartPolicy": "RestartContainer"}],
    "volumeMounts": [{"name": "data", "mountPath": "/data", "subPath": "a"}, {"name": "config", "mountPath": "/config"}],
    "livenessProbe": _PROBE,
    "readinessProbe": {"grpc": {"port": 9000, "service": "x"}},
    "startupProbe": {"exec": {"command": ["true"]}},
    "lifecycle": {"preStop": {"sleep": {"seconds": 5}}, "postStart": {"tcpSocket": {"port": 80}}},
    "securityContext": {
        "runAsUser": 1000,
        "runAsNonRoot": True,
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
        "seccompProfile": {"type": "Localhost", "localhostProfile": "a.json"},
    },
    "restartPolicy": "OnFailure",
    "restartPolicyRules": [{"action": "Restart", "exitCodes": {"operator": "In", "values": [42]}}],
    "terminationMessagePolicy": "File",
}
_RICH_POD: Final = {
    "serviceAccountName": "web",
    "priorityClassName": "high",
    "restartPolicy": "Always",
    "terminationGracePeriodSeconds": 60,
    "activeDeadlineSeconds": 3600,
    "dnsPolicy": "None",
    "dnsConfig": {"nameservers": ["10.0.0.1"], "searches": ["a.b"], "options": [{"name": "ndots", "value": "2"}]},
    "hostAliases": [{"ip": "10.0.0.2", "hostnames": ["a.b"]}],
    "hostname": "web",
    "subdomain": "sub",
    "nodeSelector": {"zone": "a"},
    "tolerations": [{"key": "a", "operator": "Equal", "value": "b", "effect": "NoExecute", "tolerationSeconds": 5}],
    "affinity": {
        "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": _SELECTOR,
            "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 5, "preference": _SELECTOR["nodeSelectorTerms"][0]}],
        },
        "podAntiAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": [_TERM],
            "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 5, "podAffinityTerm": _TERM}],
        },
    },
    "topologySpreadConstraints": [
        {
            "maxSkew": 1,
            "topologyKey": "zone",
            "whenUnsatisfiable": "DoNotSchedule",
            "labelSelector": {"matchExpressions": [{"key": "app", "operator": "In", "values": ["web"]}]},
            "minDomains": 2,
            "nodeAffinityPolicy": "Honor",
        }
    ],
    "readinessGates": [{"conditionType": "a.b/ready"}],
    "schedulingGates": [{"name": "a.b/gate"}],
    "securityContext": {
        "fsGroup": 1000,
        "fsGroupChangePolicy": "Always",
        "supplementalGroups": [5],
        "sysctls": [{"name": "kernel.shm_rmid_forced", "value": "1"}],
        "seccompProfile": {"type": "RuntimeDefault"},
    },
    "volumes": [
        {"name": "data", "emptyDir": {"medium": "Memory", "sizeLimit": "1Gi"}},
        {"name": "config", "configMap": {"name": "c", "items": [{"key": "a", "path": "b", "mode": 292}], "defaultMode": 420}},
        {"name": "claim", "persistentVolumeClaim": {"claimName": "data"}},
        {"name": "host", "hostPath": {"path": "/var", "type": "Directory"}},
        {"name": "secret", "secret": {"secretName": "s"}},
        {"name": "all", "projected": {"sources": [{"secret": {"name": "s", "items": [{"key": "a", "path": "b"}]}}]}},
        {"name": "nfs", "nfs": {"server": "s", "path": "/a"}},
        {"name": "csi", "csi": {"driver": "a.b", "volumeAttributes": {"a": "b"}}},
        {
            "name": "own",
            "ephemeral": {
                "volumeClaimTemplate": {
                    "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
                }
            },
        },
    ],
    "initContainers": [{"name": "side", "image": "x", "restartPolicy": "Always"}, {"name": "first", "image": "x"}],
    "containers": [_RICH_CONTAINER],
}
_SIMPLE_POD: Final = {"containers": [{"name": "main", "image": "x"}]}
_OLDER: Final[Mapping[str, Mapping[str, Any]]] = {
    "rich-pod": {"apiVersion": "v1", "kind": "Pod", "metadata": _META, "spec": _RICH_POD},
    "deployment": {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": _META,
        "spec": {
            "replicas": 2,
            "minReadySeconds": 5,
            "progressDeadlineSeconds": 60,
            "revisionHistoryLimit": 3,
            "selector": {"matchLabels": {"app": "web"}},
            "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": "25%"}},
            "template": {"metadata": {"labels": {"app": "web"}}, "spec": _SIMPLE_POD},
        },
    },
    "stateful-set": {
        "apiVersion": "apps/v1",
        "kind": "StatefulSet",
        "metadata": _META,
        "spec": {
            "replicas": 2,
            "serviceName": "web",
            "podManagementPolicy": "Parallel",
            "ordinals": {"start": 1},
            "persistentVolumeClaimRetentionPolicy": {"whenDeleted": "Retain", "whenScaled": "Delete"},
            "selector": {"matchLabels": {"app": "web"}},
            "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 1}},
            "template": {"metadata": {"labels": {"app": "web"}}, "spec": _SIMPLE_POD},
            "volumeClaimTemplates": [
                {
                    "metadata": {"name": "data"},
                    "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
                }
            ],
        },
    },
    "daemon-set": {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": _META,
        "spec": {
            "selector": {"matchLabels": {"app": "web"}},
            "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 1, "maxSurge": 0}},
            "template": {"metadata": {"labels": {"app": "web"}}, "spec": _SIMPLE_POD},
        },
    },
    "job": {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": _META,
        "spec": {
            "completions": 4,
            "parallelism": 2,
            "completionMode": "Indexed",
            "backoffLimitPerIndex": 1,
            "maxFailedIndexes": 2,
            "ttlSecondsAfterFinished": 60,
            "podReplacementPolicy": "Failed",
            "podFailurePolicy": {
                "rules": [
                    {"action": "FailJob", "onExitCodes": {"containerName": "main", "operator": "In", "values": [1, 2]}},
                    {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]},
                ]
            },
            "successPolicy": {"rules": [{"succeededIndexes": "0-1", "succeededCount": 1}]},
            "template": {"spec": {**_SIMPLE_POD, "restartPolicy": "Never"}},
        },
    },
    "cron-job": {
        "apiVersion": "batch/v1",
        "kind": "CronJob",
        "metadata": _META,
        "spec": {
            "schedule": "*/5 * * * *",
            "timeZone": "Etc/UTC",
            "concurrencyPolicy": "Forbid",
            "startingDeadlineSeconds": 60,
            "successfulJobsHistoryLimit": 1,
            "jobTemplate": {"spec": {"template": {"spec": {**_SIMPLE_POD, "restartPolicy": "OnFailure"}}}},
        },
    },
    "autoscaler": {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": _META,
        "spec": {
            "minReplicas": 1,
            "maxReplicas": 5,
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
            "metrics": [
                {
                    "type": "Resource",
                    "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 60}},
                },
                {
                    "type": "External",
                    "external": {"metric": {"name": "q"}, "target": {"type": "AverageValue", "averageValue": "5"}},
                },
                {
                    "type": "Object",
                    "object": {
                        "describedObject": {"apiVersion": "v1", "kind": "Service", "name": "s"},
                        "metric": {"name": "r"},
                        "target": {"type": "Value", "value": "10"},
                    },
                },
            ],
            "behavior": {
                "scaleDown": {
                    "stabilizationWindowSeconds": 60,
                    "selectPolicy": "Min",
                    "policies": [{"type": "Percent", "value": 10, "periodSeconds": 60}],
                }
            },
        },
    },
    "budget": {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": _META,
        "spec": {
            "maxUnavailable": "25%",
            "selector": {"matchLabels": {"app": "web"}},
            "unhealthyPodEvictionPolicy": "AlwaysAllow",
        },
    },
    "service": {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": _META,
        "spec": {
            "type": "LoadBalancer",
            "selector": {"app": "web"},
            "ports": [
                {"name": "a", "port": 80, "targetPort": "http", "protocol": "TCP"},
                {"name": "b", "port": 81, "nodePort": 30000},
            ],
            "externalTrafficPolicy": "Local",
            "loadBalancerSourceRanges": ["10.0.0.0/8"],
            "sessionAffinity": "ClientIP",
            "sessionAffinityConfig": {"clientIP": {"timeoutSeconds": 60}},
            "ipFamilyPolicy": "SingleStack",
        },
    },
    "volume-claim": {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": _META,
        "spec": {
            "accessModes": ["ReadWriteOnce"],
            "resources": {"requests": {"storage": "1Gi"}, "limits": {"storage": "2Gi"}},
            "storageClassName": "gp3",
            "volumeMode": "Filesystem",
            "dataSource": {"kind": "PersistentVolumeClaim", "name": "old"},
            "selector": {"matchLabels": {"a": "b"}},
        },
    },
    "limits": {
        "apiVersion": "v1",
        "kind": "LimitRange",
        "metadata": _META,
        "spec": {"limits": [{"type": "Container", "max": {"cpu": "4"}, "min": {"cpu": "1"}, "default": {"cpu": "2"}}]},
    },
    "quota": {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": _META,
        "spec": {
            "hard": {"requests.cpu": "10", "pods": "5"},
            "scopeSelector": {"matchExpressions": [{"scopeName": "PriorityClass", "operator": "In", "values": ["high"]}]},
        },
    },
}
_GROUP: Final = {
    "schedulingPolicy": {"gang": {"minCount": 4}},
    "disruptionMode": {"all": {}},
    "priorityClassName": "high",
    "priority": 1000,
}
_GROUPS: Final[Mapping[str, Mapping[str, Any]]] = {
    "pod-group": {
        "apiVersion": "scheduling.k8s.io/v1beta1",
        "kind": "PodGroup",
        "metadata": _META,
        "spec": {**_GROUP, "workloadRef": {"workloadName": "train", "templateName": "workers"}},
    },
    "pod-group-with-more": {
        "apiVersion": "scheduling.k8s.io/v1alpha3",
        "kind": "PodGroup",
        "metadata": _META,
        "spec": {
            "schedulingPolicy": {"basic": {}},
            "disruptionMode": {"single": {}},
            "schedulingConstraints": {"topology": [{"key": "example.com/rack"}]},
            "resourceClaims": [
                {"name": "gpu", "resourceClaimTemplateName": "one"},
                {"name": "nic", "resourceClaimName": "all"},
            ],
            "preemptionPolicy": "Never",
        },
    },
    "workload": {
        "apiVersion": "scheduling.k8s.io/v1beta1",
        "kind": "Workload",
        "metadata": _META,
        "spec": {
            "controllerRef": {"apiGroup": "batch", "kind": "Job", "name": "train"},
            "podGroupTemplates": [{"name": "workers", **_GROUP}, {"name": "driver", **_GROUP}],
        },
    },
    "workload-of-workloads": {
        "apiVersion": "scheduling.k8s.io/v1beta1",
        "kind": "Workload",
        "metadata": _META,
        "spec": {
            "podGroupTemplates": [{"name": "driver", "schedulingPolicy": {"basic": {}}}],
            "compositePodGroupTemplates": [
                {
                    "name": "all",
                    "schedulingPolicy": {"gang": {"minGroupCount": 2}},
                    "disruptionMode": {"single": {}},
                    "podGroupTemplates": [{"name": "workers", "schedulingPolicy": {"basic": {}}}],
                }
            ],
        },
    },
}
BASES: Final[Mapping[str, Mapping[str, Any]]] = {
    **_OLDER,
    **_GROUPS,
    "claim": {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": _META, "spec": _CLAIM},
    "template": {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": _META,
        "spec": {"metadata": {"labels": {"team": "ml"}, "annotations": {"a.b/c": "d"}}, "spec": {"devices": {}}},
    },
    "class": {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": _META,
        "spec": {
            "selectors": [{"cel": {"expression": f"device.driver == '{_GPU}'"}}],
            "config": [{"opaque": _OPAQUE}],
            "extendedResourceName": "example.com/gpu",
        },
    },
    "slice": {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": _META,
        "spec": {"driver": _GPU, "pool": _POOL, "nodeSelector": _SELECTOR, "devices": [_WHOLE, _SHARED]},
    },
    "slice-by-device": {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": _META,
        "spec": {
            "driver": _GPU,
            "pool": _POOL,
            "perDeviceNodeSelection": True,
            "devices": [
                {"name": "a", "nodeName": "node-a"},
                {"name": "b", "nodeSelector": _SELECTOR},
                {"name": "c", "allNodes": True},
            ],
        },
    },
    "slice-of-counters": {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": _META,
        "spec": {
            "driver": _GPU,
            "pool": _POOL,
            "nodeName": "node-a",
            "sharedCounters": [{"name": "all", "counters": {"memory": {"value": "80Gi"}, "slices": {"value": "7"}}}],
        },
    },
    "claim-v1beta1": {
        "apiVersion": "resource.k8s.io/v1beta1",
        "kind": "ResourceClaim",
        "metadata": _META,
        "spec": {
            "devices": {
                "requests": [
                    {"name": "gpu", **_ASKED, "adminAccess": False},
                    {"name": "nic", "firstAvailable": [{"name": "fast", **_ASKED}]},
                ],
                "constraints": [{"requests": ["gpu", "nic/fast"], "matchAttribute": f"{_GPU}/numa"}],
            }
        },
    },
    "template-v1beta1": {
        "apiVersion": "resource.k8s.io/v1beta1",
        "kind": "ResourceClaimTemplate",
        "metadata": _META,
        "spec": {"spec": {"devices": {"requests": [{"name": "gpu", "deviceClassName": _GPU}]}}},
    },
    "slice-v1beta1": {
        "apiVersion": "resource.k8s.io/v1beta1",
        "kind": "ResourceSlice",
        "metadata": _META,
        "spec": {
            "driver": _GPU,
            "pool": _POOL,
            "nodeName": "node-a",
            "allNodes": False,
            "devices": [{"name": "gpu-0", "basic": {"attributes": {"model": {"string": "a100"}}, "allNodes": None}}],
        },
    },
    "claim-v1beta2": {"apiVersion": "resource.k8s.io/v1beta2", "kind": "ResourceClaim", "metadata": _META, "spec": {}},
    "pod": {"apiVersion": "v1", "kind": "Pod", "metadata": _META, "spec": _POD},
}
