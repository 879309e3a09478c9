"""The values of the charts around Karpenter: Prometheus and Grafana, kube-ops-view, ExternalDNS, metrics-server (spec: 10).

Nothing is open to the internet: every service is only reached from inside the cluster, or by a port-forward.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.karpenter.versions import KarpenterVersion
from cutlist.infrastructure.charts.settings import RELEASE
from cutlist.infrastructure.observability.alerts import alert_rules

DASHBOARD_LABEL: Final = {"grafana_dashboard": "1"}
"""The label by which Grafana's sidecar finds ConfigMaps with dashboards."""

NAMESPACE: Final = "monitoring"
"""The default namespace of the monitoring."""

PASSWORD_KEYS: Final = ("admin-user", "admin-password")
_INSIDE: Final = {"type": "ClusterIP"}
_CLOSED: Final = {"enabled": False}


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart, its repository, and the version that is installed by default."""

    name: str
    repository: str
    version: str


MONITORING: Final = Chart("kube-prometheus-stack", "https://prometheus-community.github.io/helm-charts", "80.4.1")
OPS_VIEW: Final = Chart("kube-ops-view", "https://geek-cookbook.github.io/charts/", "1.2.2")
EXTERNAL_DNS: Final = Chart("external-dns", "https://kubernetes-sigs.github.io/external-dns/", "1.20.0")
METRICS_SERVER: Final = Chart("metrics-server", "https://kubernetes-sigs.github.io/metrics-server/", "3.13.0")
CHARTS: Final = (MONITORING, OPS_VIEW, EXTERNAL_DNS, METRICS_SERVER)


def scrape_job(karpenter_namespace: str) -> dict[str, Any]:
    """Return the scrape job by which Prometheus finds the controllers: the endpoints of their service in one namespace, at the
    metrics port."""
    sources = ["__meta_kubernetes_endpoints_name", "__meta_kubernetes_endpoint_port_name"]
    return {
        "job_name": RELEASE,
        "kubernetes_sd_configs": [{"role": "endpoints", "namespaces": {"names": [karpenter_namespace]}}],
        "relabel_configs": [{"source_labels": sources, "action": "keep", "regex": f"{RELEASE};http-metrics"}],
    }


def monitoring_values(
    version: KarpenterVersion,
    karpenter_namespace: str,
    password_secret: str,
    *,
    storage_gib: int = 0,
    retention_days: int = 15,
    with_alertmanager: bool = False,
) -> dict[str, Any]:
    """Return values of kube-prometheus-stack. `password_secret` is the Secret with the credentials of Grafana's administrator;
    without storage, series are lost when the pod is deleted."""
    spec: dict[str, Any] = {
        "retention": f"{retention_days}d",
        "additionalScrapeConfigs": [scrape_job(karpenter_namespace)],
    }
    if storage_gib:
        claim = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": f"{storage_gib}Gi"}}}
        spec["storageSpec"] = {"volumeClaimTemplate": {"spec": claim}}
    user, password = PASSWORD_KEYS
    return {
        "prometheus": {"service": _INSIDE, "ingress": _CLOSED, "prometheusSpec": spec},
        "alertmanager": {"enabled": with_alertmanager, "service": _INSIDE, "ingress": _CLOSED},
        "grafana": {
            "service": _INSIDE,
            "ingress": _CLOSED,
            "admin": {"existingSecret": password_secret, "userKey": user, "passwordKey": password},
            "sidecar": {"dashboards": {"enabled": True, "label": "grafana_dashboard", "labelValue": "1"}},
        },
        "additionalPrometheusRulesMap": {RELEASE: alert_rules(version)},
    }


def ops_view_values(time_zone: str) -> dict[str, Any]:
    """Return values of kube-ops-view."""
    return {"service": {"main": _INSIDE}, "env": {"TZ": time_zone}}


def external_dns_values(cluster: str, domains: Sequence[str]) -> dict[str, Any]:
    """Return values of ExternalDNS: it writes records of these domains, deletes none, and marks them as this cluster's."""
    return {
        "provider": {"name": "aws"},
        "policy": "upsert-only",
        "registry": "txt",
        "txtOwnerId": cluster,
        "domainFilters": list(domains),
    }
