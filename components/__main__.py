"""The components for programs in other languages: what `pulumi package add` starts."""

from importlib.metadata import version

from pulumi.provider.experimental import component_provider_host
from pulumi_cutlist.aws import NodeUserData
from pulumi_cutlist.kubernetes import AKSNodeClass, AutoNodeClass, EC2NodeClass, NodePool
from pulumi_cutlist.plan import NodePlan

if __name__ == "__main__":
    component_provider_host(
        [AKSNodeClass, AutoNodeClass, EC2NodeClass, NodePlan, NodePool, NodeUserData],
        "cutlist",
        version=version("cutlist"),
    )
