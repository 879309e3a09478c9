"""What EKS offers now, which an engine can ask it: versions of Kubernetes and of add-ons (spec: aws-infrastructure 1.12)."""

from __future__ import annotations

from typing import Final

import pulumi
import pulumi_aws as aws

from pulumi_cutlist.inputs.asking import asking
from pulumi_cutlist.program.offline import has_answer

_VERSIONS: Final = "aws:eks/getClusterVersions:getClusterVersions"
_ADD_ON: Final = "aws:eks/getAddonVersion:getAddonVersion"


def versions_of_eks(region: str) -> tuple[str, ...]:
    """Return the minor versions of Kubernetes that EKS has in a region; none where nobody can be asked."""
    if not has_answer(_VERSIONS, {"region": region}):
        return ()
    found = aws.eks.get_cluster_versions(region=region, opts=asking("aws")).cluster_versions
    return tuple(version.cluster_version for version in found or ())


def add_on_version(name: str, kubernetes: str, region: str, parent: pulumi.Resource) -> str | None:
    """Return the version of an add-on that EKS makes the default for a minor version of Kubernetes; None where nobody can be
    asked, which leaves the choice to EKS when it makes the add-on."""
    if not has_answer(_ADD_ON, {"addonName": name, "kubernetesVersion": kubernetes, "region": region}):
        return None
    opts = pulumi.InvokeOptions(parent=parent)
    return aws.eks.get_addon_version(addon_name=name, kubernetes_version=kubernetes, region=region, opts=opts).version or None
