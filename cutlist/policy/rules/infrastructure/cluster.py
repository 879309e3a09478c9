"""The EKS cluster (spec: aws-infrastructure 1, 11.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.api.ami_alias import AL2, AmiAlias
from cutlist.catalog.images import image_releases
from cutlist.infrastructure.eks_support import support_sentence, supported_beyond
from cutlist.infrastructure.versions import known_kubernetes
from cutlist.policy.rules.access.addresses import is_open
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parameters import count
from cutlist.policy.rules.parts import NotKnownError, Part, Resource
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import Resources, Settings, object_rule, stack_rule
from cutlist.policy.rules.support import DAYS_AHEAD, Calendar, ends_of_support
from cutlist.policy.rules.tokens import (
    EC2_NODE_CLASS,
    EKS_CLUSTER,
    EKS_COMPONENT,
    LOG_GROUP,
    NATIVE_EKS_CLUSTER,
    NATIVE_LOG_GROUP,
)

CLUSTERS: Final = (EKS_CLUSTER, NATIVE_EKS_CLUSTER, EKS_COMPONENT)
_MODES: Final = ("API", "API_AND_CONFIG_MAP")
_NO_KEY: Final = "secrets without your own key"
_LOGS: Final = ("audit", "authenticator")
_SHORTEST: Final = count("shortestDays", 30, "The shortest time for which logs are kept, in days.")
_LONGEST: Final = count("longestDays", 365, "The longest time for which logs are kept, in days.")
_CALENDAR: Final = Calendar(support_sentence, supported_beyond)


@object_rule(
    "IF-07",
    "The cluster's API is not open to everybody",
    Severity.MANDATORY,
    profile=Profile.START,
    protects="an API server on which anybody on the internet can try stolen credentials and new exploits",
    looks_at=CLUSTERS,
    source="aws-infrastructure IF-07, H11",
)
def endpoint(cluster: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that the public endpoint is off, or open only to a list of addresses."""
    member = {EKS_CLUSTER: "vpcConfig", NATIVE_EKS_CLUSTER: "resourcesVpcConfig"}.get(cluster.type)
    network = cluster.at(member) if member else cluster.root
    public, ranges = network.at("endpointPublicAccess"), network.at("publicAccessCidrs")
    if public.value in (False, "false"):
        return
    listed = ranges.texts()
    if not listed or is_open(listed):
        advice = "set endpointPublicAccess: false, or publicAccessCidrs to your addresses"
        yield ranges.violation("a public endpoint for every address", "private, or a list of addresses", advice)


@object_rule(
    "IF-08",
    "Access entries define who may use the cluster",
    Severity.MANDATORY,
    profile=Profile.STRICT,
    protects="an administrator whom no list names, and nodes whose access nobody can review",
    hurt=("tf-eks#3241", "aws/aws-cdk#34394"),
    looks_at=CLUSTERS,
    source="aws-infrastructure IF-08, H12",
)
def access(cluster: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that access entries are on, and that the creator does not become administrator automatically.

    The component of pulumi-eks always makes its creator an administrator, because it installs charts; no input changes that.
    """
    written = cluster.root if cluster.type == EKS_COMPONENT else cluster.at("accessConfig")
    if written.at("authenticationMode").text not in _MODES:
        mode = written.at("authenticationMode").text or "no authenticationMode"
        yield written.violation(mode, " or ".join(_MODES), "write authenticationMode: API")
    if cluster.type != EKS_COMPONENT and written.at("bootstrapClusterCreatorAdminPermissions").value is not False:
        advice = "write bootstrapClusterCreatorAdminPermissions: false, and an access entry for administrators"
        yield written.violation("whoever creates the cluster becomes its administrator", "access entries alone", advice)


@object_rule(
    "IF-10",
    "The control plane's logs are on, and kept for a limited time",
    Severity.ADVISORY,
    protects="incidents in which nobody can say who did what, and logs that grow forever",
    looks_at=(*CLUSTERS, LOG_GROUP, NATIVE_LOG_GROUP),
    source="aws-infrastructure IF-10, H13",
    parameters=(_SHORTEST, _LONGEST),
)
def logs(resource: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that the cluster has audit and authenticator logs, and that its log group has a retention period."""
    if resource.type in CLUSTERS:
        is_native = resource.type == NATIVE_EKS_CLUSTER
        written = (
            resource.at("logging", "clusterLogging", "enabledTypes") if is_native else resource.at("enabledClusterLogTypes")
        )
        enabled = [item.at("type").text for item in written.items()] if is_native else written.texts()
        missing = [log for log in _LOGS if log not in enabled]
        if missing:
            yield written.violation(f"no {' and no '.join(missing)} log", " and ".join(_LOGS), f"add {', '.join(missing)}")
        return
    if not resource.at("logGroupName" if resource.type == NATIVE_LOG_GROUP else "name").text.startswith("/aws/eks/"):
        return
    days = resource.at("retentionInDays")
    if not settings[_SHORTEST.name] <= (days.number or 0) <= settings[_LONGEST.name]:
        retention = f"kept for {days.number:g} days" if days.number else "kept forever"
        allowed = f"{settings[_SHORTEST.name]} to {settings[_LONGEST.name]} days"
        yield days.violation(retention, allowed, "write retentionInDays: 90")


@object_rule(
    "IF-17",
    "The cluster is protected from deletion",
    Severity.ADVISORY,
    protects="a mistake that deletes the cluster and everything on it",
    looks_at=CLUSTERS,
    source="aws-infrastructure 1.3",
)
def deletion_protection(cluster: Resource, settings: Settings) -> Iterator[Finding]:
    """Check for deletion protection, EKS's own or Pulumi's."""
    if not cluster.options.protect and cluster.at("deletionProtection").value is not True:
        advice = "write deletionProtection: true, or the option protect"
        yield cluster.at("deletionProtection").violation("nothing protects it", "deletionProtection: true", advice)


@object_rule(
    "IF-18",
    "Your own key encrypts the cluster's secrets",
    Severity.ADVISORY,
    protects="secrets that only AWS's key protects, which you can neither revoke nor audit",
    looks_at=CLUSTERS,
    source="aws-infrastructure 1.3",
)
def secrets_key(cluster: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that `encryptionConfig` covers secrets."""
    if cluster.type == EKS_COMPONENT:
        key = cluster.at("encryptionConfigKeyArn")
        if not key.is_there or key.data == "":
            yield key.violation(_NO_KEY, "encryptionConfigKeyArn", "write encryptionConfigKeyArn, the key's ARN")
        return
    written = cluster.at("encryptionConfig")
    listed = list(written.items()) if isinstance(written.value, list | tuple) else [written]
    if not any("secrets" in item.at("resources").texts() for item in listed):
        advice = "add encryptionConfig with resources: [secrets] and the key's ARN"
        yield written.violation(_NO_KEY, "encryptionConfig for secrets", advice)


@stack_rule(
    "IF-19",
    "AMI aliases have images for the cluster's Kubernetes",
    Severity.MANDATORY,
    profile=Profile.RECOMMENDED,
    protects="a node class without an image, which is never ready and launches nothing",
    looks_at=(EC2_NODE_CLASS, *CLUSTERS),
    source="aws-infrastructure NC-03, 1.10",
)
def images_for_kubernetes(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check that every alias has images for the Kubernetes version of each cluster, as far as the table of releases knows."""
    clusters = resources.of_type(*CLUSTERS)
    for node_class in resources.of_type(EC2_NODE_CLASS):
        try:
            aliases = [term.at("alias") for term in node_class.at("spec", "amiSelectorTerms").items()]
            for alias in aliases:
                if not clusters and AmiAlias.read(alias.text).family == AL2:
                    yield alias.cannot_tell("the version of Kubernetes: the cluster is not among the resources")
                for cluster in clusters:
                    yield from _without_images(alias, cluster)
        except NotKnownError as unknown:
            yield node_class.root.cannot_tell(str(unknown))


@object_rule(
    "IF-26",
    "Kubernetes is in standard support",
    Severity.ADVISORY,
    protects="a control plane that costs six times as much, or that EKS upgrades on a day of its own choice",
    looks_at=CLUSTERS,
    source="aws-infrastructure 1.10",
    parameters=(DAYS_AHEAD,),
)
def kubernetes_support(cluster: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that standard support of the cluster's version of Kubernetes has not ended, and does not end soon. Without a
    version EKS creates the newest."""
    yield from ends_of_support(cluster.at("version"), settings, _CALENDAR)


def _without_images(alias: Part, cluster: Resource) -> Iterator[Finding]:
    kubernetes = cluster.at("version").text
    if not kubernetes and AmiAlias.read(alias.text).family != AL2:
        return
    missing = image_releases().missing(alias.text, kubernetes or known_kubernetes()[-1])
    if missing is not None:
        text = missing.message if kubernetes else f"{missing.message}; without a version, EKS creates the newest"
        advice = f"write {missing.nearest}" if missing.nearest else "take another family, or another version of Kubernetes"
        yield alias.violation(text, missing.allowed, advice)


RULES = (endpoint, access, logs, deletion_protection, secrets_key, images_for_kubernetes, kubernetes_support)
