"""Pods of operators, of buffers and of pools of a fixed size, which cost what other pods cost; NodePools of other kinds."""

from __future__ import annotations

import copy
from typing import Any

import yaml

from tests.gates.trick import Trick, Wanted
from tests.unit.policy.rules import subjects as s

CONTAINER: dict[str, Any] = {"name": "a", "image": "a", "resources": {"requests": {"cpu": "3", "memory": "6Gi"}}}
TEMPLATE: dict[str, Any] = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [CONTAINER]}}
FOR_A_JOB: dict[str, Any] = {"metadata": {}, "spec": {"restartPolicy": "Never", "containers": [CONTAINER]}}
FEW_TYPES = {"key": "node.kubernetes.io/instance-type", "operator": "In", "values": ["m7i.4xlarge", "c7i.8xlarge"]}
POOL = dict(s.put(s.POOL, "spec.template.spec.requirements", [FEW_TYPES]).data)
CLASS = dict(s.drop(s.CLASS, "status").data)
LIMITED = {"rules": {"PL-01": {"perHour": 0.1}}}


def of(version: str, kind: str, spec: dict[str, Any], **members: Any) -> dict[str, Any]:
    """Return an object of any kind."""
    return {"apiVersion": version, "kind": kind, "metadata": {"name": "x"}, "spec": spec, **members}


def with_pool(*objects: dict[str, Any], pool: dict[str, Any] | None = None) -> str:
    """Return a NodePool, its class and other objects as YAML."""
    return yaml.safe_dump_all([pool or POOL, CLASS, *map(copy.deepcopy, objects)])


COUNTED = {
    "a Deployment": of("apps/v1", "Deployment", {"replicas": 9, "selector": {"matchLabels": {"a": "b"}}, "template": TEMPLATE}),
    "a CronJob": of(
        "batch/v1", "CronJob", {"schedule": "* * * * *", "jobTemplate": {"spec": {"parallelism": 9, "template": FOR_A_JOB}}}
    ),
    "a Rollout": of("argoproj.io/v1alpha1", "Rollout", {"replicas": 9, "template": TEMPLATE}),
    "a Workflow": of(
        "argoproj.io/v1alpha1", "Workflow", {"entrypoint": "m", "templates": [{"name": "m", "container": CONTAINER}]}
    ),
    "a CronWorkflow": of(
        "argoproj.io/v1alpha1",
        "CronWorkflow",
        {
            "schedule": "* * * * *",
            "workflowSpec": {"entrypoint": "m", "templates": [{"name": "m", "container": CONTAINER}]},
        },
    ),
    "a TaskRun": of(
        "tekton.dev/v1",
        "TaskRun",
        {"taskSpec": {"steps": [{"name": "s", "image": "a", "computeResources": {"requests": {"cpu": "3"}}}]}},
    ),
    "a PyTorchJob": of(
        "kubeflow.org/v1", "PyTorchJob", {"pytorchReplicaSpecs": {"Worker": {"replicas": 9, "template": TEMPLATE}}}
    ),
    "a RayCluster": of(
        "ray.io/v1",
        "RayCluster",
        {
            "headGroupSpec": {"template": TEMPLATE},
            "workerGroupSpecs": [{"groupName": "w", "replicas": 9, "minReplicas": 9, "maxReplicas": 9, "template": TEMPLATE}],
        },
    ),
    "a SparkApplication": of(
        "sparkoperator.k8s.io/v1beta2",
        "SparkApplication",
        {"type": "Python", "driver": {"cores": 1}, "executor": {"instances": 9, "cores": 3, "memory": "6g"}},
    ),
    "a Service of Knative": of(
        "serving.knative.dev/v1",
        "Service",
        {
            "template": {
                "metadata": {"annotations": {"autoscaling.knative.dev/min-scale": "9"}},
                "spec": {"containers": [CONTAINER]},
            }
        },
    ),
    "an InferenceService": of(
        "serving.kserve.io/v1beta1", "InferenceService", {"predictor": {"minReplicas": 9, "containers": [CONTAINER]}}
    ),
    "a FlinkDeployment": of(
        "flink.apache.org/v1beta1",
        "FlinkDeployment",
        {
            "jobManager": {"resource": {"cpu": 3, "memory": "6g"}},
            "taskManager": {"replicas": 9, "resource": {"cpu": 3, "memory": "6g"}},
        },
    ),
    "a KafkaNodePool": of(
        "kafka.strimzi.io/v1beta2",
        "KafkaNodePool",
        {
            "replicas": 9,
            "roles": ["broker"],
            "storage": {"type": "ephemeral"},
            "resources": {"requests": {"cpu": "3", "memory": "6Gi"}},
        },
    ),
    "a JobSet": of(
        "jobset.x-k8s.io/v1alpha2",
        "JobSet",
        {"replicatedJobs": [{"name": "w", "replicas": 3, "template": {"spec": {"parallelism": 3, "template": FOR_A_JOB}}}]},
    ),
}
BUFFER = of("autoscaling.x-k8s.io/v1beta1", "CapacityBuffer", {"replicas": 9, "podTemplateRef": {"name": "large"}})
OF_BUFFER = {"apiVersion": "v1", "kind": "PodTemplate", "metadata": {"name": "large"}, "template": TEMPLATE}
NOT_COUNTED = {
    "a kind of nobody's": of("acme.io/v1", "Crowd", {"size": 50, "template": TEMPLATE}),
    "a kind that keeps its template elsewhere": {
        **of("acme.io/v1", "Crowd", {"size": 50}),
        "template": TEMPLATE,
    },
    "a kind with pods deep inside": of("acme.io/v1", "Crowd", {"teams": [{"roles": {"lead": {"podTemplate": TEMPLATE}}}]}),
    "a machine of KubeVirt": of(
        "kubevirt.io/v1",
        "VirtualMachine",
        {"template": {"spec": {"domain": {"resources": {"requests": {"cpu": "30", "memory": "60Gi"}}}}}},
    ),
    "a ScaledJob": of(
        "keda.sh/v1alpha1",
        "ScaledJob",
        {"jobTargetRef": {"template": FOR_A_JOB}, "maxReplicaCount": 100, "triggers": [{"type": "cron", "metadata": {}}]},
    ),
}
FIXED = copy.deepcopy(dict(s.STATIC_POOL.data))
FIXED["spec"]["replicas"] = 200
FIXED["spec"]["limits"] = {"nodes": 500}
OLD = {**s.POOL.data, "apiVersion": "karpenter.sh/v1beta1", "metadata": {"name": "old"}}
PROVISIONER = of("karpenter.sh/v1alpha5", "Provisioner", {"limits": {"resources": {"cpu": 1000}}})
KNOWN_KIND = {
    "apiVersion": "cutlist/v1",
    "kind": "PodKinds",
    "kinds": [
        {"group": "acme.io", "kind": "Crowd", "pods": [{"template": "spec.template", "count": {"spec.size": 1}}]},
    ],
}

TRICKS = (
    *(Trick(f"{name} costs", rule="PL-01", files=with_pool(o), gates=LIMITED) for name, o in COUNTED.items()),
    *(Trick(f"{name} is named", rule="PL-10", files=with_pool(o), wanted=Wanted.REPORTED) for name, o in NOT_COUNTED.items()),
    Trick(
        "a kind of nobody's stops where all has to be counted",
        rule="PL-10",
        files=with_pool(NOT_COUNTED["a kind of nobody's"]),
        gates={"rules": {"PL-10": "mandatory"}},
    ),
    Trick(
        "a kind that the user describes",
        rule="PL-10",
        files=with_pool(NOT_COUNTED["a kind of nobody's"], KNOWN_KIND),
        wanted=Wanted.PASSES,
    ),
    Trick(
        "a kind that the user describes costs",
        rule="PL-01",
        files=with_pool(NOT_COUNTED["a kind of nobody's"], KNOWN_KIND),
        gates=LIMITED,
    ),
    Trick(
        "a kind that need not be counted",
        rule="PL-10",
        files=with_pool(NOT_COUNTED["a kind of nobody's"]),
        wanted=Wanted.PASSES,
        gates={"rules": {"PL-10": {"known": ["Crowd x"]}}},
    ),
    Trick(
        "a ConfigMap with words of containers",
        rule="PL-10",
        files=with_pool({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}, "data": {"containers": "[]"}}),
        wanted=Wanted.PASSES,
    ),
    Trick("a buffer costs", rule="PL-01", files=with_pool(BUFFER, OF_BUFFER), gates=LIMITED),
    Trick("nodes for a buffer", rule="PL-02", files=with_pool(BUFFER, OF_BUFFER), gates={"rules": {"PL-02": {"vcpus": 1}}}),
    Trick("a pool of a fixed size costs", rule="PL-01", files=with_pool(pool=FIXED), gates=LIMITED),
    Trick(
        "a pool of a fixed size grows", rule="PL-02", files=with_pool(pool=FIXED), gates={"rules": {"PL-02": {"nodes": 100}}}
    ),
    Trick(
        "a pool of a fixed size beyond the budget",
        rule="NP-02",
        files=with_pool(pool=FIXED),
        gates={"rules": {"NP-02": {"perMonth": 1000}}},
    ),
    *(
        Trick(f"{name}, {how}", rule="GT-03", files=yaml.safe_dump_all([o, CLASS, *others]), gates=settings)
        for name, o in (("a NodePool of v1beta1", OLD), ("a Provisioner", PROVISIONER))
        for how, others, settings in (
            ("alone", [], {}),
            ("alone, with OB-01 off", [], {"rules": {"OB-01": "off"}}),
            ("beside a NodePool", [dict(s.POOL.data)], {"rules": {"OB-01": "off"}}),
        )
    ),
    Trick(
        "two plans with half the pools each",
        (s.plan_of("a"), s.named(s.plan_of("b"), "other")),
        "NP-21",
        gates={"rules": {"NP-21": {"perMonth": 10000}, "NP-02": {"perMonth": 10000}}},
    ),
    Trick(
        "two plans with half the workloads each",
        (s.PLAN, s.named(s.PLAN, "other")),
        "NP-21",
        gates={"rules": {"NP-21": {"perHour": 1.5}, "PL-01": {"perHour": 1.5}}},
    ),
    Trick("two plans without a bound for both", (s.PLAN, s.named(s.PLAN, "other")), "NP-21", Wanted.OPEN),
    Trick(
        "two plans of the same pools",
        (s.POOL, s.CLASS, s.PLAN, s.named(s.PLAN, "other")),
        "NP-21",
        Wanted.PASSES,
        {"rules": {"NP-21": {"perMonth": 10000}}},
    ),
)
