"""Types of providers that no rule knows: other clouds, and services that make machines in an account or run what they get.

Their names say in words whether they could matter: `google_container_node_pool` could, `google_dns_record_set` could not.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from cutlist.policy.rules.types.kinds import snake
from cutlist.policy.rules.types.table import token_of_terraform

_TERRAFORM: Final = re.compile(r"opentofu:index:(?P<provider>[a-z0-9-]+?)_(?P<name>\w+)")
_PULUMI: Final = re.compile(r"(?P<provider>[a-z][a-z0-9-]*):(?P<module>[\w./-]+):(?P<kind>\w+)")
_OF_RULES: Final = ("aws", "awscc", "azurerm", "azuread", "azapi", "kubernetes", "kubectl", "helm", "argocd", "flux")
"""Providers of Terraform that the table of types is about, or whose types have a list of their own."""
_HARMLESS: Final = """
archive assert auth0 azuredevops betteruptime cloudflare cloudinit confluent consul datadog dns dnsimple docker
dynatrace elasticstack external fastly github gitlab google-workspace googleworkspace grafana honeycombio http influxdb
kafka keycloak launchdarkly local mongodbatlas mysql newrelic ns1 null okta onepassword opsgenie pagerduty postgresql
random redis rollbar sentry signalfx snowflake splunk statuspage sumologic template terraform time tls ultradns
uptimerobot utils
"""
"""Providers of which nothing makes machines in a cluster, gives rights in a cloud, or runs what it gets. Commands that their
resources run as provisioners are found with these."""
_CLOUDS: Final = """
alicloud aliyun castai civo digitalocean equinix equinix-metal exoscale gcp google-native hcloud huaweicloud ibm linode
metal nutanix oci openstack ovh proxmoxve pulumiservice rancher2 scaleway spotinst tencentcloud upcloud vault volcengine
vsphere vultr yandex
"""
"""Providers of Pulumi with clouds, and of what works in one. Other names are those of components, whose parts are judged."""
_MACHINES: Final = """
autoscaler autoscaling baremetal cluster clusters droplet droplets elastigroup fleet host hosts instance instances k8s
kubernetes machine machines metal node nodegroup nodepool nodes ocean reservation reservations scaler scaling server
servers vm vms worker workers
"""
_RIGHTS: Final = """
access account accounts binding bindings credential credentials firewall grant grants group iam identity kubeconfig
member members membership permission permissions policies policy ram role roles security token tokens user users
"""
_RUN: Final = "command deployment deployments function functions job jobs manifest run runner script stack workspace"
_WORDS: Final = frozenset((*_MACHINES.split(), *_RIGHTS.split(), *_RUN.split()))
_KNOWN: Final = frozenset((*_OF_RULES, *_HARMLESS.split()))
_OF_PULUMI: Final = frozenset(_CLOUDS.split())
PREFIXES: Final = tuple(f"{provider}:*" for provider in sorted(_OF_PULUMI))
"""The types of these providers in Pulumi, as rules name what they look at."""


@lru_cache(maxsize=4096)
def could_matter(token: str) -> bool:
    """Tell whether a type of a provider that no rule knows is about machines, rights or what runs, by the words of its name."""
    match = _TERRAFORM.fullmatch(token)
    if match is not None:
        words = match["name"]
        is_of_other = match["provider"] not in _KNOWN and token_of_terraform(f"{match['provider']}_{words}") is None
    else:
        match = _PULUMI.fullmatch(token)
        words = snake(match["kind"]) if match is not None else ""
        is_of_other = match is not None and match["provider"] in _OF_PULUMI
    return is_of_other and not _WORDS.isdisjoint(words.split("_"))
