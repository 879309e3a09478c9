"""Typed resources of the kubernetes provider: the objects that they make, in the API's spelling."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cutlist import read_inputs
from cutlist.core.errors import InputError
from cutlist.core.notes import Notes
from cutlist.documents.collecting import read_documents
from cutlist.verbs.plan.answer import plan_with_measures
from tests.unit.opentofu.plans import DEPLOYMENT, NODE_CLASS, NODE_POOL, WHOLE, change, kubernetes, plan

META = {"annotations": None, "generate_name": None, "generation": None, "labels": None, "namespace": "shop", "uid": None}
TERM = {"match_expressions": [{"key": "a", "operator": "In", "values": ["b"]}], "match_fields": []}
POD = {
    "container": [
        {
            "name": "web",
            "image": "web",
            "image_pull_policy": None,
            "env": [{"name": "A", "value": "b", "value_from": []}],
            "port": [{"container_port": 80, "host_port": 0, "protocol": "TCP"}],
            "liveness_probe": [{"http_get": [{"path": "/", "port": "80", "http_header": []}], "exec": []}],
            "resources": [{"limits": {}, "requests": {"cpu": "1", "memory": "1Gi"}}],
            "security_context": [{"run_as_user": "1000", "read_only_root_filesystem": True}],
        }
    ],
    "init_container": [],
    "node_selector": {"kubernetes.io/arch": "arm64"},
    "priority_class_name": "",
    "host_pid": False,
    "termination_grace_period_seconds": 30,
    "toleration": [{"key": "spot", "operator": "Exists", "effect": "", "toleration_seconds": "60", "value": ""}],
    "topology_spread_constraint": [
        {
            "max_skew": 1,
            "topology_key": "topology.kubernetes.io/zone",
            "when_unsatisfiable": "DoNotSchedule",
            "label_selector": [{"match_labels": {"app": "web"}, "match_expressions": []}],
        }
    ],
    "affinity": [
        {
            "node_affinity": [
                {
                    "required_during_scheduling_ignored_during_execution": [{"node_selector_term": [TERM]}],
                    "preferred_during_scheduling_ignored_during_execution": [{"weight": 1, "preference": [TERM]}],
                }
            ],
            "pod_affinity": [],
            "pod_anti_affinity": [
                {
                    "required_during_scheduling_ignored_during_execution": [
                        {
                            "label_selector": [{"match_labels": {"app": "web"}}],
                            "namespaces": [],
                            "topology_key": "kubernetes.io/hostname",
                        }
                    ]
                }
            ],
        }
    ],
    "volume": [
        {"name": "tmp", "empty_dir": [{"medium": "", "size_limit": "1Gi"}], "config_map": []},
        {"name": "own", "ephemeral": [{"volume_claim_template": [{"spec": [{"access_modes": ["ReadWriteOnce"]}]}]}]},
    ],
}
"""A pod's spec as a provider plans it: null for what is not set, every block a list."""


def deployment(pod: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    template = [{"metadata": [{"labels": {"app": "web"}, "name": None}], "spec": [POD if pod is None else pod]}]
    whole = {"replicas": "5", "selector": [{"match_labels": {"app": "web"}}], "template": template, **spec}
    return {"id": None, "metadata": [{**META, "name": "web"}], "spec": [whole], "timeouts": None, "wait_for_rollout": True}


def objects(tmp_path: Path, *changes: dict[str, Any]) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the objects of a plan, and the notes on it."""
    (tmp_path / "plan.json").write_text(plan(*changes))
    notes = Notes()
    documents = read_documents([tmp_path / "plan.json"], notes=notes)
    return [document.data for document in documents], [note.text for note in notes.all()]


def test_blocks_become_the_objects_fields(tmp_path: Path) -> None:
    """Lists stay lists where the API has them, one block is one mapping elsewhere, and what is not set is left out."""
    ((data,), notes) = objects(tmp_path, change("kubernetes_deployment_v1.web", deployment()))
    assert (data["apiVersion"], data["kind"], data["metadata"]) == (
        "apps/v1",
        "Deployment",
        {"name": "web", "namespace": "shop"},
    )
    assert data["spec"]["replicas"] == 5
    assert data["spec"]["selector"] == {"matchLabels": {"app": "web"}}
    pod = data["spec"]["template"]["spec"]
    term = {"matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}]}
    assert pod == {
        "containers": [
            {
                "name": "web",
                "image": "web",
                "env": [{"name": "A", "value": "b"}],
                "ports": [{"containerPort": 80, "protocol": "TCP"}],
                "livenessProbe": {"httpGet": {"path": "/", "port": "80"}},
                "resources": {"requests": {"cpu": "1", "memory": "1Gi"}},
                "securityContext": {"runAsUser": 1000, "readOnlyRootFilesystem": True},
            }
        ],
        "nodeSelector": {"kubernetes.io/arch": "arm64"},
        "hostPID": False,
        "terminationGracePeriodSeconds": 30,
        "tolerations": [{"key": "spot", "operator": "Exists", "tolerationSeconds": 60}],
        "topologySpreadConstraints": [
            {
                "maxSkew": 1,
                "topologyKey": "topology.kubernetes.io/zone",
                "whenUnsatisfiable": "DoNotSchedule",
                "labelSelector": {"matchLabels": {"app": "web"}},
            }
        ],
        "affinity": {
            "nodeAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]},
                "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "preference": term}],
            },
            "podAntiAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": [
                    {"labelSelector": {"matchLabels": {"app": "web"}}, "topologyKey": "kubernetes.io/hostname"}
                ]
            },
        },
        "volumes": [
            {"name": "tmp", "emptyDir": {"sizeLimit": "1Gi"}},
            {"name": "own", "ephemeral": {"volumeClaimTemplate": {"spec": {"accessModes": ["ReadWriteOnce"]}}}},
        ],
    }
    assert notes == []


def test_the_plan_is_that_of_the_manifest(tmp_path: Path) -> None:
    """A Deployment costs the same in either form; what the provider fills in is not waited for."""
    container = {"name": "web", "image": "web", "resources": [{"requests": {"cpu": "1", "memory": "1Gi"}}]}
    unknown = {
        "id": True,
        "metadata": [{"uid": True, "generation": True, "resource_version": True}],
        "spec": [
            {
                "strategy": True,
                "template": [{"metadata": [{"uid": True}], "spec": [{"node_name": True, "container": [{"image": True}]}]}],
            }
        ],
    }
    after = deployment({"container": [container]})
    after["metadata"][0]["namespace"] = "default"
    (tmp_path / "plan.json").write_text(plan(*WHOLE[:2], change("kubernetes_deployment.web", after, unknown)))
    typed = read_inputs([tmp_path / "plan.json"], region="us-west-2")
    direct = read_inputs([], manifests=[NODE_POOL, NODE_CLASS, DEPLOYMENT], region="us-west-2")
    assert plan_with_measures(typed)[0].nodes == plan_with_measures(direct)[0].nodes


def test_an_unknown_number_of_pods_is_an_error(tmp_path: Path) -> None:
    """With its address and the path in the API's spelling."""
    after, unknown = deployment(), {"spec": [{"replicas": True}]}
    after["spec"][0].pop("replicas")
    (tmp_path / "plan.json").write_text(plan(*WHOLE[:2], change("kubernetes_deployment.web", after, unknown)))
    with pytest.raises(InputError, match=r"kubernetes_deployment\.web spec\.replicas: is known only after an apply"):
        read_inputs([tmp_path / "plan.json"], region="us-west-2")


@pytest.mark.parametrize(
    ("type_", "values", "kind", "spec"),
    [
        ("kubernetes_namespace_v1", {}, "v1 Namespace", None),
        ("kubernetes_daemonset", {"spec": [{"template": [{"spec": [{}]}]}]}, "apps/v1 DaemonSet", {"template": {"spec": {}}}),
        (
            "kubernetes_cron_job_v1",
            {"spec": [{"schedule": "@daily", "job_template": [{"spec": [{"parallelism": 2, "active_deadline_seconds": 0}]}]}]},
            "batch/v1 CronJob",
            {"schedule": "@daily", "jobTemplate": {"spec": {"parallelism": 2}}},
        ),
        (
            "kubernetes_pod_disruption_budget_v1",
            {"spec": [{"max_unavailable": "", "min_available": "1", "selector": [{}]}]},
            "policy/v1 PodDisruptionBudget",
            {"minAvailable": 1, "selector": {}},
        ),
        (
            "kubernetes_stateful_set_v1",
            {"spec": [{"volume_claim_template": [{"metadata": [{"name": "d"}], "spec": [{"access_modes": ["a"]}]}]}]},
            "apps/v1 StatefulSet",
            {"volumeClaimTemplates": [{"metadata": {"name": "d"}, "spec": {"accessModes": ["a"]}}]},
        ),
    ],
)
def test_other_kinds_are_read_alike(tmp_path: Path, type_: str, values: dict[str, Any], kind: str, spec: Any) -> None:
    """With or without a version in the type."""
    ((data,), _) = objects(tmp_path, change(f"{type_}.a", {"metadata": [{**META, "name": "a"}], **values}))
    assert f"{data['apiVersion']} {data['kind']}" == kind
    assert data.get("spec") == spec


@pytest.mark.parametrize(
    ("type_", "values"),
    [
        ("kubernetes_ingress_v1", {"metadata": [{"name": "a"}]}),
        (
            "kubernetes_labels",
            {"kind": "Deployment", "api_version": "apps/v1", "metadata": [{"name": "a"}], "labels": {"a": "b"}},
        ),
        ("kubernetes_deployment", {"metadata": [{"name": "a"}], "spec": [{"strategy": [{}, {}]}]}),
        ("kubernetes_deployment", {"metadata": [{"name": "a"}]}),
    ],
)
def test_what_is_not_read_is_named(tmp_path: Path, type_: str, values: dict[str, Any]) -> None:
    """Other types, and values of another form than the provider's."""
    documents, notes = objects(tmp_path, change(f"{type_}.a", values), kubernetes("kubernetes_manifest.b", DEPLOYMENT))
    assert documents[0]["apiVersion"] == "opentofu/v1"
    assert json.dumps(notes).count(f"{type_}.a") == 1
