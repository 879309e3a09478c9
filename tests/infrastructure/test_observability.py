"""Observability: what is installed, that nobody outside sees it, and that no password shows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from pulumi.runtime import rpc
from pulumi_cutlist.program.offline import Mode
from pulumi_cutlist.recorded.recording import Recording

from cutlist.core.errors import InputError
from tests.infrastructure.program import run
from tests.infrastructure.unknowns import has_unknowns

RELEASE = "kubernetes:helm.sh/v3:Release"
BODY = 'kubernetes.Observability("watch", given)'
GIVEN = {"karpenter_version": "1.14.1", "cluster_name": "shop", "grafana_password": "hunter2"}
ALL = {**GIVEN, "ops_view": True, "metrics_server": True, "external_dns": {"domains": ["shop.example.com"], "role_arn": "arn"}}


@pytest.fixture
def watch(tmp_path: Path):
    def make(mode: Mode = Mode.PREVIEW, body: str = BODY, **more: object) -> Recording:
        return run(tmp_path, body, {**GIVEN, **more}, mode)

    return make


def values(recording: Recording) -> dict[str, dict]:
    return {one.inputs["name"]: one.inputs.get("values", {}) for one in recording.of_type(RELEASE)}


# K-55 K-57 K-61 K-62
@pytest.mark.sampled(one_in=2)
@pytest.mark.parametrize("mode", Mode)
def test_what_is_asked_for_is_installed_by_exact_versions(watch, mode):
    assert list(values(watch(mode))) == ["kube-prometheus-stack"]
    releases = watch(mode, **ALL).of_type(RELEASE)
    assert sorted(one.inputs["name"] for one in releases) == [
        "external-dns",
        "kube-ops-view",
        "kube-prometheus-stack",
        "metrics-server",
    ]
    assert all(one.inputs["version"].count(".") == 2 for one in releases)
    assert not any(has_unknowns(one) for one in releases)


# I-80
def test_nothing_is_open_to_the_internet(watch):
    """No load balancer, no node port and no ingress stands in any value."""
    made = values(watch(**ALL))
    assert made["kube-ops-view"]["service"]["main"] == {"type": "ClusterIP"}
    for part in ("grafana", "prometheus", "alertmanager"):
        assert made["kube-prometheus-stack"][part]["service"] == {"type": "ClusterIP"}
        assert made["kube-prometheus-stack"][part]["ingress"] == {"enabled": False}
    assert not {"LoadBalancer", "NodePort"} & set(json.dumps(made).split('"'))


# I-80 K-58
@pytest.mark.parametrize("mode", Mode)
def test_the_password_is_in_a_secret_and_nowhere_else(watch, mode):
    body = BODY + '\npulumi.export("watch", {"grafana": watch.grafana_service})'
    recording = watch(mode, f"watch = {body}")
    [secret] = recording.of_type("kubernetes:core/v1:Secret")
    assert rpc.is_rpc_secret(secret.inputs["stringData"])
    plain = [one for one in recording.resources.values() if "hunter2" in str(one.inputs)]
    assert {one.type for one in plain} == {"cutlist:index:Observability", "kubernetes:core/v1:Secret"}
    [component] = recording.of_type("cutlist:index:Observability")
    assert rpc.is_rpc_secret(component.inputs["grafana_password"])
    assert "hunter2" not in str(recording.logs) + str(recording.exports)
    assert recording.exports["watch"] == {"grafana": "monitoring/kube-prometheus-stack-grafana"}
    admin = values(recording)["kube-prometheus-stack"]["grafana"]["admin"]
    assert admin["existingSecret"] == secret.inputs["metadata"]["name"]


# K-59
def test_ports_are_forwarded_from_services_that_there_are(watch):
    """By the commands of the page on upgrading: both services are of the release, in its namespace."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "upgrade.md").read_text()
    shown = re.findall(r"^\$ kubectl -n (\S+) port-forward svc/(\S+) (\S+)$", page, re.MULTILINE)
    [release] = watch().of_type(RELEASE)
    name, namespace = release.inputs["name"], release.inputs["namespace"]
    assert shown == [(namespace, f"{name}-grafana", "3000:80"), (namespace, f"{name}-prometheus", "9090")]


# I-79 K-60
def test_prometheus_finds_the_controllers_in_their_namespace(watch):
    [job] = values(watch(karpenter_namespace="karpenter"))["kube-prometheus-stack"]["prometheus"]["prometheusSpec"][
        "additionalScrapeConfigs"
    ]
    assert job["job_name"] == "karpenter"
    assert job["kubernetes_sd_configs"] == [{"role": "endpoints", "namespaces": {"names": ["karpenter"]}}]
    [kept] = job["relabel_configs"]
    assert (kept["action"], kept["regex"]) == ("keep", "karpenter;http-metrics")


# I-79
def test_dashboards_are_of_the_controllers_line_and_come_before_grafana(watch):
    recording = watch(karpenter_version="1.13.0")
    boards = recording.of_type("kubernetes:core/v1:ConfigMap")
    [monitoring] = recording.of_type(RELEASE)
    for board in boards:
        assert board.inputs["metadata"]["labels"] == {"grafana_dashboard": "1"}
        assert board.urn in monitoring.request.dependencies
        [text] = board.inputs["data"].values()
        assert "karpenter-1.13" in json.loads(text)["tags"]
    assert len(boards) == 2


def test_everything_comes_after_the_namespace_and_what_the_component_waits_for(watch):
    """The namespace goes last, so that volumes go while there is still somebody to take them away."""
    recording = watch(body='kubernetes.Observability("watch", given, pulumi.ResourceOptions(depends_on=[Thing("t")]))', **ALL)
    [space], [thing] = recording.of_type("kubernetes:core/v1:Namespace"), recording.of_type("test:index:Thing")
    for release in recording.of_type(RELEASE):
        assert {space.urn, thing.urn} <= set(release.request.dependencies)
        assert not release.request.deletedWith


def test_kube_system_is_there_already(watch):
    assert watch(namespace="kube-system").of_type("kubernetes:core/v1:Namespace") == []


# K-56
def test_choices_become_values(watch):
    made = values(watch(storage_gib=50.0, retention_days=7, alertmanager=True))["kube-prometheus-stack"]
    spec = made["prometheus"]["prometheusSpec"]
    claim = spec["storageSpec"]["volumeClaimTemplate"]["spec"]["resources"]
    assert (spec["retention"], claim) == ("7d", {"requests": {"storage": "50Gi"}})
    assert made["alertmanager"]["enabled"]
    assert not values(watch())["kube-prometheus-stack"]["alertmanager"]["enabled"]


# K-62
def test_external_dns_keeps_to_its_domains_and_deletes_nothing(watch):
    made = values(watch(**ALL))["external-dns"]
    assert made["policy"] == "upsert-only"
    assert made["txtOwnerId"] == "shop"
    assert made["domainFilters"] == ["shop.example.com"]
    assert made["serviceAccount"]["annotations"] == {"eks.amazonaws.com/role-arn": "arn"}


def test_all_mistakes_are_reported_together(watch):
    with pytest.raises(InputError) as caught:
        watch(chart_versions={"grafana": "1.0.0"}, external_dns={"domains": []}, storage_gib=-1, retention_days=0, opsview=True)
    assert sorted(problem.place.path for problem in caught.value.problems) == [
        "chart_versions.grafana",
        "external_dns.domains",
        "opsview",
        "retention_days",
        "storage_gib",
    ]


def test_the_series_of_an_old_controller_are_not_known(watch):
    with pytest.raises(InputError, match=r"karpenter_version: the series of Karpenter 0.37.8 are not known"):
        watch(karpenter_version="0.37.8")
