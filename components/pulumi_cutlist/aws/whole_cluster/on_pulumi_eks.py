"""Clusters that pulumi_eks makes in the same program: adopted, or with Karpenter on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, cast

import pulumi

from cutlist.core.errors import InputError, Place, Problem, Problems
from cutlist.core.wording import camel_case
from cutlist.infrastructure.controller_access import Credentials
from pulumi_cutlist.aws.cluster.adopted_cluster import AdoptedCluster, AdoptedClusterArgs
from pulumi_cutlist.aws.whole_cluster.args import KarpenterClusterArgs
from pulumi_cutlist.aws.whole_cluster.karpenter_cluster import KarpenterCluster
from pulumi_cutlist.inputs.known import after

if TYPE_CHECKING:
    import pulumi_eks

_CANNOT_LOOK_UP: Final = "the cluster does not exist yet and cannot be looked up"


def adopt_pulumi_eks(
    name: str, cluster: pulumi_eks.Cluster, args: AdoptedClusterArgs, opts: pulumi.ResourceOptions | None = None
) -> AdoptedCluster:
    """Adopt a cluster that pulumi_eks makes in the same program.

    `args` holds the plain facts: cluster_name, region, account_id, version and authentication_mode; the others are read from
    the component. A cluster whose authentication mode was left out has CONFIG_MAP, and pulumi_eks owns its aws-auth then.
    """
    problems = Problems()
    problems.extend(_component_problems(cluster))
    problems.extend(_missing({"version": args, "authentication_mode": args}, ""))
    problems.raise_if_any()
    version = Place(path="version")
    facts: Any = {**_facts(cluster, args["cluster_name"], args["version"], version), **args}
    return AdoptedCluster(name, facts, _after(cluster, opts))


def karpenter_on_pulumi_eks(
    name: str, cluster: pulumi_eks.Cluster, args: KarpenterClusterArgs, opts: pulumi.ResourceOptions | None = None
) -> KarpenterCluster:
    """Give a cluster that pulumi_eks makes in the same program Karpenter and NodePools.

    `args` are those of KarpenterCluster on an adopted cluster. Plain are cluster_name, region, kubernetes_version and, in
    adopted_cluster, the authentication_mode that the cluster is made with; its other facts and the id of its VPC are read from
    the component. The subnets of nodes are named, as an Output of all of them does not say how many it has. The agent of
    Pod Identity, which pulumi_eks does not install, is made unless pods get their roles by irsa.
    """
    call: Mapping[str, Any] = args
    section, network = call.get("adopted_cluster") or {}, call.get("network") or {}
    adopted = network.get("adopted") or {}
    problems = Problems()
    problems.extend(_component_problems(cluster))
    if "private_subnets" not in adopted:
        problems.add(Place(path="network.adopted.privateSubnets"), "is missing", "id and zone of each subnet of nodes")
    problems.extend(_missing({"kubernetes_version": call}, ""))
    problems.extend(_missing({"authentication_mode": section}, "adoptedCluster."))
    problems.raise_if_any()
    facts = {
        **_facts(cluster, call["cluster_name"], call["kubernetes_version"], Place(path="kubernetesVersion")),
        "pod_identity_agent": call.get("identity", Credentials.POD_IDENTITY) == Credentials.POD_IDENTITY,
        **section,
    }
    vpc = {"vpc_id": cluster.core.apply(lambda core: core.vpc_id), **adopted}
    whole = {**call, "adopted_cluster": facts, "network": {**network, "adopted": vpc}}
    return KarpenterCluster(name, cast("KarpenterClusterArgs", whole), _after(cluster, opts))


def _component_problems(cluster: object) -> Iterator[Problem]:
    """Yield a problem if something else is given for the component, such as the cluster inside it."""
    if not (isinstance(cluster, pulumi.Resource) and hasattr(cluster, "eks_cluster")):
        kind = f"{type(cluster).__module__.partition('.')[0]}.{type(cluster).__name__}".removeprefix("builtins.")
        yield Problem(Place(path="cluster"), f"found a {kind}", "the pulumi_eks.Cluster itself, which has the cluster inside")


def _facts(cluster: pulumi_eks.Cluster, cluster_name: str, version: str, at: Place) -> dict[str, pulumi.Input[Any]]:
    """Return what the component knows of its cluster. If this is of another version than the inputs say, nothing is made."""
    eks_cluster = cluster.eks_cluster
    # With a plain name, resources that use it would start before the cluster exists.
    name = after(cluster_name, cluster)
    if not pulumi.runtime.is_dry_run():  # a preview shows the name though it does not know the version
        name = pulumi.Output.all(name, eks_cluster.version).apply(
            lambda known: name_of_version(known[0], known[1], version, at)
        )
    return {
        "cluster": name,
        "endpoint": eks_cluster.endpoint,
        "certificate_authority": eks_cluster.certificate_authority.apply(lambda authority: authority["data"]),
        "oidc_issuer": eks_cluster.identities.apply(lambda identities: identities[0]["oidcs"][0]["issuer"]),
        "security_group_id": cluster.cluster_security_group_id,
        "oidc_provider_arn": cluster.oidc_provider_arn,
    }


def name_of_version(cluster_name: str, actual: str, version: str, at: Place) -> str:
    """Return the name of a cluster of a version. Raises InputError for one of another."""
    if actual != version:
        raise InputError.one(at, f"{cluster_name} has version {actual}, not {version}", actual)
    return cluster_name


def _after(cluster: pulumi_eks.Cluster, opts: pulumi.ResourceOptions | None) -> pulumi.ResourceOptions:
    return pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(depends_on=[cluster]))


def _missing(args: Mapping[str, Mapping[str, Any]], section: str) -> Iterator[Problem]:
    for key, inputs in args.items():
        if not inputs.get(key):
            yield Problem(Place(path=f"{section}{camel_case(key)}"), _CANNOT_LOOK_UP, "the version it has")
