"""Every component of the package: what programs in other languages can use."""

from typing import Final

from pulumi_cutlist import aws, azure, kubernetes, plan

COMPONENTS: Final = (
    aws.AdoptedCluster,
    azure.AksAdoptedCluster,
    azure.AksCluster,
    azure.AksDiskKeys,
    azure.AksIdentity,
    azure.AksKarpenter,
    azure.AksNetwork,
    kubernetes.AKSNodeClass,
    azure.AksNodeProvisioning,
    aws.AutoMode,
    aws.AutoModeCluster,
    kubernetes.AutoNodeClass,
    aws.Cluster,
    aws.ControllerIdentity,
    aws.Discovery,
    aws.DrainGate,
    kubernetes.EC2NodeClass,
    aws.ExternalDnsIdentity,
    aws.InterfacePass,
    aws.Interruption,
    kubernetes.KarpenterCharts,
    aws.KarpenterCluster,
    aws.Network,
    kubernetes.NodeConfiguration,
    aws.NodeIdentity,
    plan.NodePlan,
    kubernetes.NodePool,
    aws.NodeUserData,
    kubernetes.Observability,
    aws.SpotServiceLinkedRole,
    aws.Teardown,
)
