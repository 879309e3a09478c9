"""Tests of containers that a webhook adds to pods."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutlist.planning.traps.sidecars import INJECTED
from tests.unit.planning.traps.inputs import M5, deployment, planned, pool, validated

POOL = pool(requirements=f"[{M5}]")


def namespace(labels: str = "{}", annotations: str = "{}") -> str:
    return f"apiVersion: v1\nkind: Namespace\nmetadata: {{name: default, labels: {labels}, annotations: {annotations}}}"


ISTIO = namespace("{istio-injection: enabled}")


def test_istio_in_a_labelled_namespace_adds_what_the_annotations_say(tmp_path: Path) -> None:
    annotated = deployment(meta="{sidecar.istio.io/proxyCPU: 300m, sidecar.istio.io/proxyMemory: 512Mi}", replicas=3)
    (said,) = validated(tmp_path, POOL, ISTIO, annotated)[INJECTED]
    assert said == (
        "Istio adds a sidecar to 3 pods (deployment/web; istio-injection: enabled) at creation, which is not in the "
        "input and not counted: 300m cpu and 512Mi memory a pod, which then requests 1300m cpu and 1536Mi memory; render it "
        "with `istioctl kube-inject` first"
    )


def test_a_plan_says_the_same(tmp_path: Path) -> None:
    assert planned(tmp_path, POOL, ISTIO, deployment())[INJECTED] == validated(tmp_path, POOL, ISTIO, deployment())[INJECTED]


def test_without_annotations_the_defaults_of_the_chart_count_for_all_workloads_together(tmp_path: Path) -> None:
    (said,) = validated(tmp_path, POOL, ISTIO, deployment("api"), deployment("web", replicas=3))[INJECTED]
    assert "5 pods (deployment/api, deployment/web;" in said
    assert "100m cpu and 128Mi memory a pod, 500m cpu and 640Mi memory together" in said


def test_one_annotation_of_istio_leaves_no_default_for_the_other_resource(tmp_path: Path) -> None:
    (said,) = validated(tmp_path, POOL, ISTIO, deployment(meta="{sidecar.istio.io/proxyCPU: 300m}"))[INJECTED]
    assert "300m cpu a pod, which then requests 1300m cpu and 1Gi memory" in said


@pytest.mark.parametrize(
    ("meta", "spec"),
    [
        ('{sidecar.istio.io/inject: "false"}', ""),
        ("{sidecar.istio.io/status: injected}", ""),
        ("{inject.istio.io/templates: gateway}", ""),
        ("{}", "hostNetwork: true"),
        ("{}", "initContainers: [{name: istio-proxy, image: proxy:1, restartPolicy: Always}]"),
    ],
    ids=["switched off", "injected already", "gateway", "on the host's network", "in the manifest"],
)
def test_pods_that_get_no_sidecar_are_not_named(tmp_path: Path, meta: str, spec: str) -> None:
    assert INJECTED not in validated(tmp_path, POOL, ISTIO, deployment(meta=meta, spec=spec))


def test_a_namespace_without_a_label_injects_nothing(tmp_path: Path) -> None:
    assert INJECTED not in validated(tmp_path, POOL, namespace(), deployment())
    assert INJECTED not in validated(tmp_path, POOL, namespace("{istio-injection: disabled}"), deployment())


@pytest.mark.parametrize(
    ("where", "meta", "who", "amounts"),
    [
        ("{linkerd.io/inject: enabled}", "{}", "Linkerd", "it requests nothing by default"),
        ("{linkerd.io/inject: enabled}", "{config.linkerd.io/proxy-cpu-request: 200m}", "Linkerd", "200m cpu a pod"),
        ("{}", '{vault.hashicorp.com/agent-inject: "true"}', "Vault's agent injector", "250m cpu and 64Mi memory a pod"),
        ("{kuma.io/sidecar-injection: enabled}", "{}", "Kuma", "50m cpu and 64Mi memory a pod"),
        ("{}", '{dapr.io/enabled: "true", dapr.io/sidecar-memory-request: 250Mi}', "Dapr", "250Mi memory a pod"),
        ("{}", '{consul.hashicorp.com/connect-inject: "true"}', "Consul", "it requests nothing by default"),
        (
            "{}",
            "{admission.datadoghq.com/java-lib.version: v1}",
            "Datadog's cluster agent",
            "counts only where it requests more",
        ),
        ("{}", '{sidecar.opentelemetry.io/inject: "true"}', "OpenTelemetry's operator", "its OpenTelemetryCollector says"),
    ],
)
def test_each_webhook_is_named_by_what_switches_it_on(tmp_path: Path, where: str, meta: str, who: str, amounts: str) -> None:
    (said,) = validated(tmp_path, POOL, namespace(annotations=where), deployment(meta=meta))[INJECTED]
    assert said.startswith(f"{who} adds ")
    assert amounts in said


def test_an_annotation_of_a_pod_overrides_its_namespace(tmp_path: Path) -> None:
    meshed = namespace(annotations="{linkerd.io/inject: enabled}")
    assert INJECTED not in validated(tmp_path, POOL, meshed, deployment(meta="{linkerd.io/inject: disabled}"))


def test_a_rollout_gets_its_sidecar_like_a_deployment(tmp_path: Path) -> None:
    rollout = deployment().replace("apiVersion: apps/v1\nkind: Deployment", "apiVersion: argoproj.io/v1alpha1\nkind: Rollout")
    (said,) = validated(tmp_path, POOL, ISTIO, rollout)[INJECTED]
    assert "2 pods (rollout/web; istio-injection: enabled)" in said


def test_a_kind_of_another_group_is_not_read_as_that_of_kubernetes(tmp_path: Path) -> None:
    other = "apiVersion: example.com/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: many, size: 3}"
    assert INJECTED not in validated(tmp_path, POOL, ISTIO, other)
