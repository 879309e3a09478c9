"""AKS with node auto-provisioning: what the cluster must be and should be (spec: azure 1, 2)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from cutlist.core.services import AKS, ClusterLimit
from cutlist.infrastructure.aks.versions import SupportPlan, support_sentence, supported_beyond
from cutlist.policy.rules.access.addresses import is_open
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parameters import count
from cutlist.policy.rules.parts import NotKnownError, Part, Resource
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import Resources, Settings, object_rule, stack_rule
from cutlist.policy.rules.support import DAYS_AHEAD, Calendar, ends_of_support
from cutlist.policy.rules.tokens import AKS_CLUSTER, AKS_MAINTENANCE, AKS_NODE_CLASS, AKS_POOL, NODE_POOL

_AUTO: Final = "Auto"
CLASSIC_POOL: Final = "azure:containerservice/kubernetesClusterNodePool:KubernetesClusterNodePool"
_CLASSIC_NAMES: Final = {
    "osType": ("osType",),
    "osSKU": ("osSku",),
    "enableAutoScaling": ("autoScalingEnabled", "enableAutoScaling"),
    "podSubnetID": ("podSubnetId",),
    "enableNodePublicIP": ("nodePublicIpEnabled", "enableNodePublicIp"),
}
"""The members of a pool in Pulumi's classic provider and in Terraform, by their paths in the API."""
_NODES: Final = count("nodes", 2, "The fewest nodes of the system pool.")
_HOURS: Final = count("hours", 4, "The shortest maintenance window, in hours.")
_IMAGES: Final = "aksManagedNodeOSUpgradeSchedule"


@stack_rule(
    "AK-01",
    "The AKS cluster supports node auto-provisioning",
    Severity.MANDATORY,
    profile=Profile.RECOMMENDED,
    protects="a request that AKS refuses, or a cluster in which nodes never come",
    looks_at=(AKS_CLUSTER, AKS_POOL, CLASSIC_POOL),
    source="azure Z-4, Z-5, Z-74",
)
def fits_auto(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check that nothing of a cluster in mode Auto, and of the pools beside it, is in Microsoft's list of what node
    auto-provisioning does not support."""
    clusters = resources.of_type(AKS_CLUSTER)
    for cluster in clusters:
        try:
            if _is_auto(cluster):
                for limit in AKS.limits:
                    places = cluster.at("agentPoolProfiles").items() if limit.pools else (cluster.root,)
                    yield from (found for place in places for found in _beyond(limit, place.at(*limit.member)))
        except NotKnownError as unknown:
            yield unknown.finding
    for pool in resources.of_type(AKS_POOL, CLASSIC_POOL) if clusters else ():
        try:
            if all(_is_auto(cluster) for cluster in clusters if _has_pool(cluster, pool, len(clusters))):
                for limit in AKS.limits:
                    names = _CLASSIC_NAMES.get(limit.path, ()) if pool.type == CLASSIC_POOL else (limit.path,)
                    parts = (pool.at(*name.split(".")) for name in names if limit.pools)
                    yield from (found for part in parts for found in _beyond(limit, part))
        except NotKnownError as unknown:
            yield unknown.finding


def _beyond(limit: ClusterLimit, part: Part) -> Iterator[Finding]:
    """Yield a violation if a part has what a limit refuses."""
    if limit.refuses(part.value):
        advice = f"write {limit.instead}" if limit.refused else f"leave {limit.member[-1]} out"
        yield part.violation(f"{limit.text} ({limit.source})", limit.instead, advice)


def _has_pool(cluster: Resource, pool: Resource, clusters: int) -> bool:
    """Tell whether a pool may be one of a cluster: the only one of the stack, or the one that it names."""
    named = pool.at("resourceName").text
    return clusters == 1 or not named or named in (cluster.name, cluster.at("resourceName").text)


@object_rule(
    "AK-02",
    "A tainted system pool of fixed size keeps workloads away",
    Severity.MANDATORY,
    profile=Profile.STRICT,
    protects="workloads that fill the system pool, so that nothing is provisioned for them, and add-ons that "
    "go down with a single node",
    looks_at=(AKS_CLUSTER,),
    source="azure Z-6, 1.4",
    parameters=(_NODES,),
)
def system_pool(cluster: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that there is a pool of mode System, with enough nodes and the taint CriticalAddonsOnly."""
    if not _is_auto(cluster):
        return
    pools = [pool for pool in cluster.at("agentPoolProfiles").items() if pool.at("mode").text == "System"]
    if not pools:
        yield cluster.at("agentPoolProfiles").violation("no system pool", "one of mode System", "add one with count 3")
    for pool in pools:
        if (pool.at("count").number or 0) < settings[_NODES.name]:
            nodes = f"{pool.at('count').number or 0:g} nodes"
            yield pool.at("count").violation(nodes, f"at least {settings[_NODES.name]}", "write count: 3")
        if not any(taint.startswith("CriticalAddonsOnly=") for taint in pool.at("nodeTaints").texts()):
            advice = "add CriticalAddonsOnly=true:NoSchedule to nodeTaints"
            yield pool.at("nodeTaints").violation("no taint CriticalAddonsOnly", "the taint", advice)


@object_rule(
    "AK-03",
    "The API of the AKS cluster is not open to everybody",
    Severity.MANDATORY,
    profile=Profile.START,
    protects="an API server on which anybody on the internet can try stolen credentials and new exploits",
    looks_at=(AKS_CLUSTER,),
    source="azure 1.2, aws-infrastructure H11",
)
def aks_endpoint(cluster: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that the API server is private, or open only to a list of addresses."""
    profile = cluster.at("apiServerAccessProfile")
    ranges = profile.at("authorizedIPRanges").texts()
    if profile.at("enablePrivateCluster").value is not True and (not ranges or is_open(ranges)):
        advice = "write enablePrivateCluster: true, or authorizedIPRanges"
        yield profile.violation("a public endpoint for every address", "private, or a list of addresses", advice)


@object_rule(
    "AK-04",
    "Local accounts of the AKS cluster are disabled",
    Severity.ADVISORY,
    protects="an administrator's certificate that no directory knows and that cannot be revoked by itself",
    looks_at=(AKS_CLUSTER,),
    source="azure 1.2, aws-infrastructure H12",
)
def local_accounts(cluster: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that local accounts are disabled."""
    if cluster.at("disableLocalAccounts").value is not True:
        advice = "write disableLocalAccounts: true, with aadProfile"
        yield cluster.at("disableLocalAccounts").violation("local accounts are on", "off", advice)


@stack_rule(
    "AK-05",
    "Node images change in a maintenance window",
    Severity.ADVISORY,
    protects="the replacement of all nodes whenever an image comes out, even at peak time",
    looks_at=(AKS_CLUSTER, AKS_MAINTENANCE),
    source="azure 1.7",
    parameters=(_HOURS,),
)
def maintenance(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check that there is a maintenance window for node images, and that it is long enough."""
    windows = [window for window in resources.of_type(AKS_MAINTENANCE) if window.at("configName").data == _IMAGES]
    for cluster in resources.of_type(AKS_CLUSTER) if not windows else ():
        yield cluster.root.violation("no window for images of nodes", _IMAGES, "add a MaintenanceConfiguration of this name")
    for window in windows:
        hours = window.at("maintenanceWindow", "durationHours")
        try:
            length = hours.number or 0
        except NotKnownError as unknown:
            yield hours.cannot_tell(str(unknown))
            continue
        if length < settings[_HOURS.name]:
            allowed = f"at least {settings[_HOURS.name]}"
            yield hours.violation(f"a window of {length:g} hours", allowed, f"write durationHours: {settings[_HOURS.name]}")


@object_rule(
    "AK-06",
    "Disks of AKS nodes are encrypted at the host",
    Severity.ADVISORY,
    protects="temporary disks and caches of nodes that are not encrypted",
    looks_at=(AKS_NODE_CLASS,),
    source="azure 2.2",
)
def encryption_at_host(node_class: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that `security.encryptionAtHost` is true."""
    written = node_class.at("spec", "security", "encryptionAtHost")
    if written.value is not True:
        yield written.violation("no encryption at host", "true", "write security: {encryptionAtHost: true}")


@stack_rule(
    "AK-07",
    "AKS makes no NodePools besides yours",
    Severity.ADVISORY,
    protects="a pool without limits that AKS creates, and that takes pods that are meant for your pools",
    looks_at=(AKS_CLUSTER, NODE_POOL),
    source="azure Z-2, 1.2",
)
def no_default_pools(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check that `defaultNodePools` is None when the stack has NodePools."""
    for cluster in resources.of_type(AKS_CLUSTER) if resources.of_type(NODE_POOL) else ():
        written = cluster.at("nodeProvisioningProfile", "defaultNodePools")
        try:
            if _is_auto(cluster) and written.text != "None":
                yield written.violation(written.text or "Auto, the default", "None", "write defaultNodePools: None")
        except NotKnownError as unknown:
            yield written.cannot_tell(str(unknown))


@object_rule(
    "AK-12",
    "Kubernetes is in AKS's support",
    Severity.ADVISORY,
    protects="a version that no new cluster can have without the tier Premium, and later not at all",
    looks_at=(AKS_CLUSTER,),
    source="azure 1.2",
    parameters=(DAYS_AHEAD,),
)
def aks_kubernetes_support(cluster: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that support of the cluster's version of Kubernetes, by its support plan, has not ended, and does not end soon.
    Without a version AKS takes its default."""
    plan = SupportPlan(cluster.at("supportPlan").text or None, cluster.at("sku", "tier").text)
    calendar = Calendar(partial(support_sentence, plan=plan), partial(supported_beyond, plan=plan))
    yield from ends_of_support(cluster.at("kubernetesVersion"), settings, calendar)


def _is_auto(cluster: Resource) -> bool:
    return cluster.at("nodeProvisioningProfile", "mode").text == _AUTO


RULES = (
    fits_auto,
    system_pool,
    aks_endpoint,
    local_accounts,
    maintenance,
    encryption_at_host,
    no_default_pools,
    aks_kubernetes_support,
)
