"""NodePools, their budgets, and machines that no NodePool makes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.gates.trick import Trick, Wanted, registered
from tests.unit.policy.rules import subjects as s

HELD = "karpenter.sh/do-not-disrupt"
ANNOTATIONS = "spec.template.metadata.annotations"
LIMITS: dict[str, Any] = {
    "no limits": None,
    "empty limits": {},
    "limits that are a list": ["cpu", "memory"],
    "limits on something else": {"example.com/licences": 1},
    "limits in capitals": {"CPU": 100, "Memory": "400Gi"},
    "a limit on nodes alone": {"nodes": 10},
    "an exponent": {"cpu": "1e9", "memory": "400Gi"},
    "exa": {"cpu": "1E", "memory": "400Gi"},
    "pebibytes": {"cpu": "100", "memory": "1Pi"},
    "zero": {"cpu": 0, "memory": "400Gi"},
    "a negative limit": {"cpu": "-5", "memory": "400Gi"},
    "memory without a unit": {"cpu": 100, "memory": 400},
    "a limit that is true": {"cpu": True, "memory": "400Gi"},
    "thousandths beyond the ceiling": {"cpu": "10000001m", "memory": "400Gi"},
}
FROZEN: dict[str, list[dict[str, Any]]] = {
    "always": [{"nodes": "0"}],
    "always, in percent": [{"nodes": "0%"}],
    "for Drifted alone": [{"nodes": "0", "reasons": ["Drifted"]}],
    "day after day": [{"nodes": "0", "schedule": "0 0 * * *", "duration": "24h"}],
    "from February to December": [{"nodes": "0", "schedule": "0 0 1 2 *", "duration": "7800h"}],
    "from June to December": [{"nodes": "0", "schedule": "0 0 1 6 *", "duration": "5000h"}],
    "a quarter twice a year": [{"nodes": "0", "schedule": "0 0 1 1,7 *", "duration": "2160h"}],
    "all hours but a minute of each": [{"nodes": "0", "schedule": "0 * * * *", "duration": "59m"}],
    "each month, for two windows of minutes": [{"nodes": "0", "schedule": "@daily", "duration": "23h50m"}],
    "by two budgets in turn": [
        {"nodes": "0", "schedule": "0 0 * * *", "duration": "12h"},
        {"nodes": "0", "schedule": "0 12 * * *", "duration": "12h"},
    ],
    "by a list of hours": [{"nodes": "0", "schedule": "0 0,6,12,18 * * *", "duration": "6h"}],
    "by a list of days of the week": [{"nodes": "0", "schedule": "0 0 * * 0,1,2,3,4,5,6", "duration": "24h"}],
    "each half hour": [{"nodes": "0", "schedule": "*/30 * * * *", "duration": "29m"}],
    "from the first of each month on": [{"nodes": "0", "schedule": "0 0 1 * *", "duration": "744h"}],
    "@monthly": [{"nodes": "0", "schedule": "@monthly", "duration": "740h"}],
    "@weekly": [{"nodes": "0", "schedule": "@weekly", "duration": "168h"}],
    "@yearly": [{"nodes": "0", "schedule": "@yearly", "duration": "8700h"}],
    "@hourly": [{"nodes": "0", "schedule": "@hourly", "duration": "45m"}],
    "from leap day to leap day": [{"nodes": "0", "schedule": "0 0 29 2 *", "duration": "35000h"}],
    "after leap day": [{"nodes": "0", "schedule": "0 0 29 2 *", "duration": "8000h"}],
    "by four budgets, a quarter each": [
        {"nodes": "0", "schedule": f"0 0 1 {month} *", "duration": "2200h"} for month in (1, 4, 7, 10)
    ],
    "by twelve budgets": [{"nodes": "0", "schedule": f"0 0 1 {month} *", "duration": "740h"} for month in range(1, 13)],
    "on weekdays and at weekends": [
        {"nodes": "0", "schedule": "0 0 * * mon-sat", "duration": "24h"},
        {"nodes": "0", "schedule": "0 0 * * sun", "duration": "24h"},
    ],
    "for reasons apart": [
        {"nodes": "0", "reasons": ["Drifted"]},
        {"nodes": "100%", "reasons": ["Empty", "Underutilized"]},
    ],
    "for most reasons": [{"nodes": "0", "reasons": ["Drifted", "Empty"]}],
    "but for half an hour a month": [{"nodes": "0", "schedule": "30 0 1 * *", "duration": "743h30m"}],
    "but for half an hour a week": [{"nodes": "0", "schedule": "30 0 * * mon", "duration": "167h30m"}],
    "but for an hour a month": [{"nodes": "0", "schedule": "0 1 1 * *", "duration": "743h"}],
    "but for a day in the year, twice": [
        {"nodes": "0", "schedule": f"0 0 {day} {month} *", "duration": f"{hours}h"}
        for day, month, hours in ((2, 1, 1416), (2, 3, 1416), (2, 5, 1416), (2, 7, 1416), (2, 9, 1416), (2, 11, 1416))
    ],
    "under a generous budget": [{"nodes": "50%"}, {"nodes": "0", "schedule": "0 0 1 3 *", "duration": "7000h"}],
    "by the longest of two": [
        {"nodes": "0", "schedule": "0 9 * * mon-fri", "duration": "8h"},
        {"nodes": "0", "schedule": "0 0 15 1 *", "duration": "8000h"},
    ],
}
ORDINARY_BUDGETS: dict[str, list[dict[str, Any]]] = {
    "a tenth": [{"nodes": "10%"}],
    "quiet hours": [{"nodes": "10%"}, {"nodes": "0", "schedule": "0 8 * * mon-fri", "duration": "10h"}],
    "a window at night alone": [{"nodes": "0", "schedule": "0 4 * * *", "duration": "22h"}],
    "a window on Sundays alone": [{"nodes": "0", "schedule": "0 4 * * mon", "duration": "144h"}],
    "frozen over the holidays": [{"nodes": "10%"}, {"nodes": "0", "schedule": "0 0 15 11 *", "duration": "1200h"}],
    "four hours a month": [{"nodes": "0", "schedule": "0 4 1 * *", "duration": "720h"}],
    "two hours a week": [{"nodes": "0", "schedule": "0 4 * * sun", "duration": "166h"}],
    "no consolidation at all": [{"nodes": "0", "reasons": ["Underutilized", "Empty"]}, {"nodes": "1"}],
}
GPUS = {"nvidia.com/gpu": 8}
WITH_GPUS = {"key": "karpenter.k8s.aws/instance-gpu-count", "operator": "Gt", "values": ["0"]}
REQUIREMENTS = [*s.POOL.data["spec"]["template"]["spec"]["requirements"], WITH_GPUS]
BOUNDLESS = s.put(s.put(s.PLAN, f"{s.GENERAL}.mostPerHour", None), f"{s.GENERAL}.limits", list(GPUS))
GPU_POOL = s.put(s.put(s.POOL, "spec.limits", GPUS), "spec.template.spec.requirements", REQUIREMENTS)


def budgets(value: list[dict[str, Any]]) -> tuple[s.Resource, ...]:
    """Return a NodePool with these budgets."""
    return (s.put(s.POOL, "spec.disruption.budgets", value), s.CLASS)


def claim(*owners: dict[str, Any], **metadata: Any) -> tuple[s.Resource, ...]:
    """Return a NodeClaim with owners that its author wrote."""
    return (s.put(s.CLAIM, "metadata", {"name": "spare", "ownerReferences": list(owners), **metadata}),)


OWNER = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "name": "general", "uid": "5f5b8b8e"}
CREATED = {"uid": "5f5b", "creationTimestamp": "2026-05-01T00:00:00Z"}
FIXED = (s.put(s.STATIC_POOL, "spec.disruption.budgets", [{"nodes": "0"}]), s.CLASS)
CLAIMS = {
    "by hand": claim(),
    "with a label alone": claim(labels={"karpenter.sh/nodepool": "general"}),
    "with a forged owner": claim({"kind": "NodePool", "name": "general"}),
    "with a whole forged owner": claim(OWNER),
    "with a forged owner and identity": claim(OWNER, **CREATED),
    "of a Deployment": claim({"apiVersion": "apps/v1", "kind": "Deployment", "name": "web", "uid": "1"}),
}
GROUP = "aws:autoscaling/group:Group"
AGENTS = "azure-native:containerservice:AgentPool"
MACHINES = {
    "an instance with GPUs": registered("aws:ec2/instance:Instance", instanceType="p5.48xlarge"),
    "an instance of Trainium": registered("aws:ec2/instance:Instance", instanceType="trn2.48xlarge"),
    "a large instance": registered("aws:ec2/instance:Instance", instanceType="m7i.48xlarge"),
    "bare metal": registered("aws:ec2/instance:Instance", instanceType="c7i.metal-48xl"),
    "a spot request": registered("aws:ec2/spotInstanceRequest:SpotInstanceRequest", instanceType="g6e.48xlarge"),
    "a large group": registered(GROUP, maxSize=500, minSize=0),
    "a large group, as text": registered(GROUP, maxSize="500"),
    "a group with expensive overrides": registered(
        GROUP, maxSize=3, mixedInstancesPolicy={"launchTemplate": {"overrides": [{"instanceType": "p4d.24xlarge"}]}}
    ),
    "a native group": registered("aws-native:autoscaling:AutoScalingGroup", maxSize="200"),
    "a native instance": registered("aws-native:ec2:Instance", instanceType="p5en.48xlarge"),
    "a native node group": registered("aws-native:eks:Nodegroup", scalingConfig={"maxSize": 300}),
    "a native template": registered("aws-native:ec2:LaunchTemplate", launchTemplateData={"instanceType": "u-6tb1.112xlarge"}),
    "a node group": s.put(s.NODE_GROUP, "scalingConfig.maxSize", 400),
    "a node group with GPUs": s.put(s.NODE_GROUP, "instanceTypes", ["p5.48xlarge"]),
    "a template with GPUs": s.put(s.LAUNCH_TEMPLATE, "instanceType", "g5.48xlarge"),
    "a fleet": registered("aws:ec2/fleet:Fleet", targetCapacitySpecification={"totalTargetCapacity": 900}),
    "a spot fleet": registered("aws:ec2/spotFleetRequest:SpotFleetRequest", targetCapacity=100),
    "a type in capitals": registered("aws:ec2/instance:Instance", instanceType="P5.48xlarge"),
    "a large group by its smallest size": registered(GROUP, minSize=100),
    "a group that asks for accelerators": registered(
        GROUP,
        maxSize=3,
        mixedInstancesPolicy={"launchTemplate": {"overrides": [{"instanceRequirements": {"acceleratorCount": {"min": 1}}}]}},
    ),
    "a template that asks for processors": s.put(s.LAUNCH_TEMPLATE, "instanceRequirements", {"vcpuCount": {"min": 96}}),
    "a reservation of GPUs": registered("aws:ec2/capacityReservation:CapacityReservation", instanceType="p5.48xlarge"),
    "a reservation of many": registered(
        "aws:ec2/capacityReservation:CapacityReservation", instanceType="m7i.large", instanceCount=500
    ),
    "a group that grows by a schedule": registered("aws:autoscaling/schedule:Schedule", maxSize=500),
    "batch jobs on GPUs": registered(
        "aws:batch/computeEnvironment:ComputeEnvironment", computeResources={"instanceTypes": ["p5.48xlarge"], "maxVcpus": 64}
    ),
    "batch jobs on many processors": registered(
        "aws:batch/computeEnvironment:ComputeEnvironment", computeResources={"instanceTypes": ["optimal"], "maxVcpus": 90000}
    ),
    "a cluster of EMR": registered(
        "aws:emr/cluster:Cluster", coreInstanceGroup={"instanceType": "m7i.large", "instanceCount": 500}
    ),
    "a dedicated host": registered("aws:ec2/dedicatedHost:DedicatedHost", instanceType="p5.48xlarge"),
    "a component with a large group": registered("eks:index:ManagedNodeGroup", scalingConfig={"maxSize": 100}),
    "a component with GPUs": registered("eks:index:NodeGroup", instanceType="p5.48xlarge"),
    "a cluster component with a large group": registered("eks:index:Cluster", instanceType="m7i.large", maxSize=100),
    "a native fleet": registered("aws-native:ec2:Ec2Fleet", targetCapacitySpecification={"totalTargetCapacity": 500}),
    "a native spot fleet": registered("aws-native:ec2:SpotFleet", spotFleetRequestConfigData={"targetCapacity": 500}),
    "a large pool of AKS": registered(AGENTS, count=500, vmSize="Standard_D4s_v5"),
    "a pool of AKS that grows": registered(AGENTS, maxCount=500, enableAutoScaling=True, vmSize="Standard_D4s_v5"),
    "a pool of AKS with GPUs": registered(AGENTS, count=1, vmSize="Standard_ND96asr_v4"),
    "a pool in a cluster of AKS": s.put(s.AKS, "agentPoolProfiles[0].count", 500),
    "a GPU in a cluster of AKS": s.put(s.AKS, "agentPoolProfiles[0].vmSize", "Standard_NC24ads_A100_v4"),
    "a classic pool of AKS": registered(
        "azure:containerservice/kubernetesClusterNodePool:KubernetesClusterNodePool", nodeCount=100, vmSize="Standard_D4s_v5"
    ),
    "a scale set": registered("azure-native:compute:VirtualMachineScaleSet", sku={"name": "Standard_D4s_v5", "capacity": 300}),
    "a scale set of GPUs": registered(
        "azure-native:compute:VirtualMachineScaleSet", sku={"name": "Standard_NV36ads_A10_v5", "capacity": 1}
    ),
    "a large machine of Azure": registered(
        "azure-native:compute:VirtualMachine", hardwareProfile={"vmSize": "Standard_M128s_v2"}
    ),
}
MANY = {
    "two hundred instances": [registered("aws:ec2/instance:Instance", f"i{n}", instanceType="c7i.4xlarge") for n in range(200)],
    "sixty groups of twenty": [registered(GROUP, f"g{n}", maxSize=20, minSize=0) for n in range(60)],
    "many pools of AKS": [registered(AGENTS, f"p{n}", count=20, vmSize="Standard_D4s_v5") for n in range(6)],
}

TRICKS = (
    *(Trick(name, (s.put(s.POOL, "spec.limits", limits),), "NP-01") for name, limits in LIMITS.items()),
    Trick("limits that only an update knows", (s.unknown(s.POOL, "spec.limits"),), "NP-01", Wanted.OPEN),
    Trick("a patch without limits", (replace(s.drop(s.POOL, "spec.limits"), type=s.POOL.type + "Patch"),), "NP-01"),
    *(Trick(f"frozen {name}", budgets(value), "NP-07") for name, value in FROZEN.items()),
    *(Trick(f"budgets: {name}", budgets(value), "NP-07", Wanted.PASSES) for name, value in ORDINARY_BUDGETS.items()),
    *(
        Trick(f"nodes held for {value}", (s.put(s.POOL, ANNOTATIONS, {HELD: value}),), "NP-16")
        for value in ("true", "876000h", "8760h", "2000h30m", "169h")
    ),
    *(
        Trick(f"nodes held for {value}, which is short", (s.put(s.POOL, ANNOTATIONS, {HELD: value}),), "NP-16", Wanted.PASSES)
        for value in ("false", "4h", "24h", "168h")
    ),
    Trick("a node that is held", (s.put(s.NODE, "metadata.annotations", {HELD: "true"}),), "NP-16"),
    Trick(
        "a patch of a node that is held",
        (replace(s.put(s.NODE, "metadata.annotations", {HELD: "900000h"}), type="kubernetes:core/v1:NodePatch"),),
        "NP-16",
    ),
    *(Trick(f"a NodeClaim {name}", resources, "NP-17") for name, resources in CLAIMS.items()),
    *(Trick(name, (resource,), "NP-18") for name, resource in MACHINES.items()),
    *(Trick(name, resources, "NP-20") for name, resources in MANY.items()),
    Trick("a few groups", [registered(GROUP, f"g{n}", maxSize=10) for n in range(5)], "NP-20", Wanted.PASSES),
    Trick(
        "a component and its node group",
        (
            registered("eks:index:ManagedNodeGroup", scalingConfig={"maxSize": 20}),
            *(replace(s.put(s.NODE_GROUP, "scalingConfig.maxSize", 20), name=f"g{n}") for n in range(5)),
        ),
        "NP-20",
        Wanted.PASSES,
    ),
    Trick("an ordinary cluster of AKS", (s.AKS,), "NP-18", Wanted.PASSES),
    Trick("a frozen pool of a fixed size", FIXED, "NP-07"),
    Trick("a NodeClaim that is held", (s.put(s.CLAIM_OF_POOL, "metadata.annotations", {HELD: "876000h"}),), "NP-16"),
    Trick("a node group whose subnets are to come", (s.unknown(s.NODE_GROUP, "subnetIds"),), "NP-18", Wanted.PASSES),
    Trick("a bastion", (s.INSTANCE,), "NP-18", Wanted.PASSES),
    Trick("a small node group", (s.NODE_GROUP,), "NP-18", Wanted.PASSES),
    Trick("nodes that never expire", (s.put(s.POOL, "spec.template.spec.expireAfter", "Never"),), "NP-03"),
    Trick("nodes that expire in ten years", (s.put(s.POOL, "spec.template.spec.expireAfter", "87600h"),), "NP-03"),
    Trick("drains of a month", (s.put(s.POOL, "spec.template.spec.terminationGracePeriod", "720h"),), "NP-04"),
    Trick("no such class", (s.POOL,), "NP-10"),
    Trick("a class of another kind", (s.POOL, s.AKS_CLASS), "NP-10"),
    Trick("two pools for the same pods", (s.POOL, s.named(s.POOL, "other"), s.CLASS), "NP-11"),
    Trick(
        "an old version",
        (replace(s.put(s.POOL, "apiVersion", "karpenter.sh/v1beta1"), type="kubernetes:karpenter.sh/v1beta1:NodePool"),),
        "OB-01",
    ),
    Trick("an ordinary pool", (s.POOL, s.CLASS, s.PLAN), "", Wanted.PASSES),
    Trick("a pool on spot", (s.SPOT_POOL, s.CLASS, s.PLAN), "", Wanted.PASSES),
    Trick("a pool of a fixed size", (s.STATIC_POOL, s.CLASS, s.PLAN), "", Wanted.PASSES),
    Trick("a limit on GPUs for machines without", (s.put(s.POOL, "spec.limits", GPUS), s.CLASS, BOUNDLESS), "NP-01"),
    Trick("a pool limited by GPUs", (GPU_POOL, s.CLASS, s.PLAN), "NP-01", Wanted.PASSES),
)
