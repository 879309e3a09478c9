"""Every component of the package: what programs in other languages can use."""

from typing import Final

from pulumi_cutlist.aws import (
    AdoptedCluster,
    AutoMode,
    AutoModeCluster,
    Cluster,
    ControllerIdentity,
    Discovery,
    DrainGate,
    InterfacePass,
    Interruption,
    KarpenterCluster,
    Network,
    NodeIdentity,
    NodeUserData,
    SpotServiceLinkedRole,
    Teardown,
)
from pulumi_cutlist.azure import (
    AksAdoptedCluster,
    AksCluster,
    AksDiskKeys,
    AksIdentity,
    AksKarpenter,
    AksNetwork,
    AksNodeProvisioning,
)
from pulumi_cutlist.kubernetes import (
    AKSNodeClass,
    AutoNodeClass,
    EC2NodeClass,
    KarpenterCharts,
    NodeConfiguration,
    NodePool,
    Observability,
)
from pulumi_cutlist.plan import NodePlan

COMPONENTS: Final = (
    AdoptedCluster,
    AksAdoptedCluster,
    AksCluster,
    AksDiskKeys,
    AksIdentity,
    AksKarpenter,
    AksNetwork,
    AKSNodeClass,
    AksNodeProvisioning,
    AutoMode,
    AutoModeCluster,
    AutoNodeClass,
    Cluster,
    ControllerIdentity,
    Discovery,
    DrainGate,
    EC2NodeClass,
    InterfacePass,
    Interruption,
    KarpenterCharts,
    KarpenterCluster,
    Network,
    NodeConfiguration,
    NodeIdentity,
    NodePlan,
    NodePool,
    NodeUserData,
    Observability,
    SpotServiceLinkedRole,
    Teardown,
)
