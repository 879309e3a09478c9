"""Cases of what Kubernetes 1.35 to 1.37 brought, by statement of docs/spec/workloads.md, in the form of `cases`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tests.unit.workloads.validation.device_cases import Table

C: Final = "spec/containers/0"
CODES: Final = [*range(1, 257)]
CPU: Final = {"cpu": "1"}
POLICY: Final = {"resourceName": "cpu", "restartPolicy": "NotRequired"}


def _indexed(**rule: Any) -> Mapping[str, Any]:
    return {"spec/completionMode": "Indexed", "spec/completions": 5, "spec/successPolicy": {"rules": [rule]}}


def _scheduling(**scheduling: Any) -> Mapping[str, Any]:
    return {"spec/scheduling": scheduling, "spec/parallelism": 2}


P, D, J = "Pod", "Deployment", "Job"

RECENT: Final[Table] = {
    "W-96": {
        "group of a pod": (P, {"spec/schedulingGroup": {"podGroupName": "workers"}}),
        "group without a name": (P, {"spec/schedulingGroup": {}}),
        "group with a wrong name": (P, {"spec/schedulingGroup": {"podGroupName": "My group"}}),
        "group of a template": (D, {"spec/template/spec/schedulingGroup": {"podGroupName": "My group"}}),
        "eviction responder": (P, {"spec/evictionResponders": [{"name": "a.b/c", "priority": 5}]}),
        "eviction responder with a wrong name": (P, {"spec/evictionResponders": [{"name": "A b", "priority": -5}]}),
        "mode of a probe": (P, {f"{C}/livenessProbe": {"grpc": {"port": 80, "mode": "TLS"}}}),
        "protocol of a probe": (P, {f"{C}/livenessProbe": {"httpGet": {"port": 80, "protocol": "HTTP2"}}}),
        "mount option": (
            P,
            {
                "spec/volumes": [{"name": "data", "emptyDir": {}}],
                f"{C}/volumeMounts": [{"name": "data", "mountPath": "/d", "bindMountOptions": ["noexec", "fast"]}],
            },
        ),
        "toleration that compares": (P, {"spec/tolerations": [{"key": "a", "operator": "Gt", "value": "5"}]}),
        "toleration that compares words": (P, {"spec/tolerations": [{"key": "a", "operator": "Lt", "value": "five"}]}),
        "sched of a Job": (J, _scheduling(schedulingPolicy={"gang": {"minCount": 2}})),
        "sched of a Job in both forms": (J, _scheduling(schedulingPolicy={"gang": {"minCount": 0}, "basic": {}})),
        "claims of a Job": (J, _scheduling(resourceClaims=[{"name": "gpu"}])),
        "topology of a Job": (J, _scheduling(schedulingConstraints={"topology": [{"key": "a b"}]})),
        "Service that begins with a digit": ("Service", {"metadata/name": "1web"}),
        "autoscaler down to zero": (
            "HorizontalPodAutoscaler",
            {
                "spec/minReplicas": 0,
                "spec/metrics": [
                    {
                        "type": "External",
                        "external": {"metric": {"name": "q"}, "target": {"type": "AverageValue", "averageValue": "5"}},
                    }
                ],
            },
        ),
        "rules of 256 exit codes": (
            P,
            {
                f"{C}/restartPolicy": "Never",
                f"{C}/restartPolicyRules": [{"action": "Restart", "exitCodes": {"operator": "In", "values": CODES}}],
            },
        ),
        "21 restart rules": (
            P,
            {
                f"{C}/restartPolicy": "Never",
                f"{C}/restartPolicyRules": [{"action": "Restart", "exitCodes": {"operator": "In", "values": [1]}}] * 21,
            },
        ),
        "restart of all containers": (
            P,
            {
                f"{C}/restartPolicy": "Never",
                f"{C}/restartPolicyRules": [{"action": "RestartAllContainers", "exitCodes": {"operator": "In"}}],
            },
        ),
    },
    "W-97": {
        "pod of two cores": (P, {"spec/resources": {"requests": {"cpu": "2"}}, f"{C}/resources": {"requests": CPU}}),
        "pod with less than its containers": (
            P,
            {"spec/resources": {"requests": {"cpu": "500m"}}, f"{C}/resources": {"requests": CPU}},
        ),
        "pod with ephemeral storage": (P, {"spec/resources": {"requests": {"ephemeral-storage": "1Gi"}}}),
        "pod with huge pages": (P, {"spec/resources": {"requests": {"hugepages-2Mi": "4Mi", "cpu": "1"}}}),
        "pod with GPUs": (P, {"spec/resources": {"limits": {"nvidia.com/gpu": 1}}}),
        "pod with claims of its own": (P, {"spec/resources": {"claims": [{"name": "gpu"}]}}),
        "pod with requests above limits": (P, {"spec/resources": {"requests": {"cpu": "2"}, "limits": CPU}}),
        "template with resources": (D, {"spec/template/spec/resources": {"requests": {"cpu": "2"}}}),
        "resize policy": (P, {f"{C}/resizePolicy": [POLICY]}),
        "resize policy twice": (P, {f"{C}/resizePolicy": [POLICY, POLICY]}),
        "resize policy of storage": (P, {f"{C}/resizePolicy": [{**POLICY, "resourceName": "ephemeral-storage"}]}),
        "resize policy that restarts a pod that ends": (
            P,
            {"spec/restartPolicy": "Never", f"{C}/resizePolicy": [{**POLICY, "restartPolicy": "RestartContainer"}]},
        ),
        "unknown resize policy": (P, {f"{C}/resizePolicy": [{**POLICY, "restartPolicy": "Always"}]}),
        "resize policy of an init container": (
            P,
            {"spec/initContainers": [{"name": "first", "image": "x", "resizePolicy": [POLICY]}]},
        ),
        "resize policy of a sidecar": (
            P,
            {"spec/initContainers": [{"name": "side", "image": "x", "restartPolicy": "Always", "resizePolicy": [POLICY]}]},
        ),
    },
    "W-98": {
        "gang as it is": ("PodGroup", {}),
        "gang of none": ("PodGroup", {"spec/schedulingPolicy/gang/minCount": 0}),
        "gang in both forms": ("PodGroup", {"spec/schedulingPolicy/basic": {}}),
        "gang of a workload": ("PodGroup", {"spec/workloadRef": {"workloadName": "a", "templateName": "b"}}),
        "gang of a nameless workload": ("PodGroup", {"spec/workloadRef": {}}),
        "gang with a high priority": ("PodGroup", {"spec/priority": 2_000_000_000}),
        "gang of another gang": ("PodGroup", {"spec/parentCompositePodGroupName": "A b"}),
        "workload as it is": ("Workload", {}),
        "workload without templates": ("Workload", {"spec/podGroupTemplates": []}),
        "workload of nine templates": (
            "Workload",
            {"spec/podGroupTemplates": [{"name": f"t{n}", "schedulingPolicy": {"basic": {}}} for n in range(9)]},
        ),
        "workload of two priorities": (
            "Workload",
            {"spec/podGroupTemplates/1": {"name": "b", "schedulingPolicy": {"basic": {}}, "priority": 5}},
        ),
        "workload of nothing": ("Workload", {"spec/controllerRef": {}}),
    },
    "W-68": {
        "indexes that succeed": (J, _indexed(succeededIndexes="0,2-4")),
        "indexes beyond the completions": (J, _indexed(succeededIndexes="0-5")),
        "indexes out of order": (J, _indexed(succeededIndexes="2,1")),
        "indexes that overlap": (J, _indexed(succeededIndexes="0-2,2-3")),
        "interval of one index": (J, _indexed(succeededIndexes="2-2")),
        "words as indexes": (J, _indexed(succeededIndexes="all")),
        "no indexes": (J, _indexed(succeededIndexes="")),
        "indexes with a space": (J, _indexed(succeededIndexes="0, 1")),
        "count above the indexes": (J, _indexed(succeededIndexes="0-1", succeededCount=3)),
        "count above the completions": (J, _indexed(succeededCount=6)),
        "21 success rules": (
            J,
            {**_indexed(), "spec/successPolicy": {"rules": [{"succeededCount": 1}] * 21}},
        ),
    },
}
