"""For every rule: what keeps it, what breaks it and where, and what leaves it open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from cutlist.infrastructure.interruption import EVENT_RULES
from cutlist.policy.rules import Options, Resource
from cutlist.policy.rules.tokens import AUTO_NODE_CLASS, EKS_COMPONENT
from tests.unit.policy.rules import subjects as s
from tests.unit.policy.rules.subjects import drop, named, put, unknown

Stack = tuple[Resource, ...]


@dataclass(frozen=True, slots=True)
class Broken:
    """Subjects that break a rule, the path that the violation names, and settings that it needs.

    `others` are the paths of further violations by the same subjects.
    """

    subjects: Stack
    path: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cases:
    """The three outcomes of a rule; `settings` are those under which the first and the last are looked at."""

    keeps: tuple[Stack, ...]
    breaks: tuple[Broken, ...]
    leaves_open: tuple[Stack, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)


TEMPLATE = "spec.template.spec"
TAGGED = {"required": ["cost-center=shop"]}
_ALL_OF_SMALL: Any = ("scalingConfig", {}, ("subnetIds", "taints"))
RULES = tuple(s.event_rule(rule.detail_type) for rule in EVENT_RULES)
OLDER_RULES = tuple(s.event_rule(rule.detail_type) for rule in EVENT_RULES if rule.since <= (1, 9))
WEB = {"Principal": {"Federated": "arn:aws:iam::111122223333:oidc-provider/oidc"}}
EXACT = {"StringEquals": {"oidc:sub": "system:serviceaccount:kube-system:karpenter", "oidc:aud": "sts.amazonaws.com"}}
OF_SESSION = {
    "StringEquals": {
        "aws:SourceAccount": "111122223333",
        "aws:RequestTag/eks-cluster-arn": "arn:aws:eks:us-west-2:111122223333:cluster/demo",
    }
}
OF_ASSOCIATION = {"aws:SourceArn": "arn:aws:eks:*:111122223333:podidentityassociation/demo/*"}
BY_EXTERNAL_ID = {
    "Principal": {"AWS": "arn:aws:iam::999988887777:root"},
    "Condition": {"StringEquals": {"sts:ExternalId": "3f7c1a"}},
}
OF_ACCOUNTS = {"StringEquals": {"aws:SourceAccount": ["111122223333", "000000000000"]}}
OF_CONTROLLER = "arn:aws:iam::111122223333:role/KarpenterController-demo"
ADMINISTRATORS = {"roleArn": "arn:aws:iam::111122223333:role/admins", "username": "admin", "groups": ["system:masters"]}
WEAK = {"StringLike": {"oidc:sub": "system:serviceaccount:*"}, "StringEquals": {"oidc:aud": "sts.amazonaws.com"}}


def breaking(subject: Resource, path: str, value: Any, at: str = "", **settings: Any) -> Broken:
    """Return a single subject that breaks a rule by one value."""
    return Broken((put(subject, path, value),), at or path, settings)


def of_cluster(group: Resource, cluster: str) -> Resource:
    """Return a node group whose cluster's name an update will know, and which comes from another resource."""
    urn = f"urn:pulumi:dev::shop::aws:eks/cluster:Cluster::{cluster}"
    return replace(unknown(group, "clusterName"), references={"clusterName": (urn,)})


DISCOVERY = "karpenter.sh/discovery"
WORKLOADS = "measures.workloads"
CLOSED = f"{WORKLOADS}.closedBudgets"
PODS = "spec.template.spec"


BOTH = ["amd64", "arm64"]
OWN_NODES = {"karpenter.sh/nodepool": "general"}
ELSEWHERE = {
    "nodeAffinity": {
        "requiredDuringSchedulingIgnoredDuringExecution": {
            "nodeSelectorTerms": [{"matchExpressions": [{"key": "karpenter.sh/nodepool", "operator": "DoesNotExist"}]}]
        }
    }
}


def controller() -> Resource:
    """Return a Deployment of Karpenter's controller."""
    spec = {"containers": [{"name": "controller", "image": "public.ecr.aws/karpenter/controller:1.15.0"}]}
    return Resource("kubernetes:apps/v1:Deployment", "karpenter", {"spec": {"template": {"spec": spec}}})


def headroom(priority: str) -> Resource:
    """Return a Deployment that does nothing but hold room, with a priority class."""
    named = {"priorityClassName": priority} if priority else {}
    spec = {"containers": [{"name": "pause", "image": "registry.example.com/mirror/pause:3.10"}], **named}
    return Resource("kubernetes:apps/v1:Deployment", "headroom", {"spec": {"template": {"spec": spec}}})


PUBLIC_NODES = "nodeAssociatePublicIpAddress"
PUBLIC_SUBNET = Resource("aws:ec2/subnet:Subnet", "web", {"mapPublicIpOnLaunch": True, "tags": {"tier": "web"}})
TAG_OF_ANOTHER = Resource(
    "aws:ec2/tag:Tag", "dmz", {"key": "tier", "value": "dmz"}, references={"resourceId": ("urn:another",)}
)
ARM_POOL = put(s.POOL, f"{TEMPLATE}.requirements[0].values", ["arm64"])
IN_A_ZONE = put(named(s.POOL, "zonal"), f"{TEMPLATE}.requirements[0].key", "topology.kubernetes.io/zone")
NODE_POOLS = {
    "NP-01": Cases(
        ((s.POOL,), (s.STATIC_POOL,), (put(s.POOL, "spec.limits.memory", "1Gi"),)),
        (
            Broken((drop(s.POOL, "spec.limits"),), "spec.limits"),
            Broken((put(put(s.PLAN, f"{s.GENERAL}.mostPerHour", None), f"{s.GENERAL}.limits", ["nvidia.com/gpu"]),), s.GENERAL),
            Broken((drop(s.POOL, "spec.limits.memory"),), "spec.limits"),
            Broken((put(s.STATIC_POOL, "spec.limits", {"cpu": "9"}),), "spec.limits"),
            breaking(s.POOL, "spec.limits.cpu", "0"),
            breaking(s.POOL, "spec.limits.cpu", 0),
            breaking(s.POOL, "spec.limits.cpu", "-5"),
            breaking(s.POOL, "spec.limits.cpu", "1e9"),
            breaking(s.POOL, "spec.limits.cpu", "a lot"),
            breaking(s.POOL, "spec.limits.cpu", True),
            breaking(s.POOL, "spec.limits.memory", 400),
            breaking(s.POOL, "spec.limits.memory", "400"),
            breaking(s.POOL, "spec.limits.memory", "400m"),
            breaking(s.POOL, "spec.limits.cpu", "1E"),
            breaking(s.POOL, "spec.limits.cpu", "10000001m"),
            breaking(s.POOL, "spec.limits.memory", "41Ti"),
            breaking(s.POOL, "spec.limits.memory", "5e13"),
            breaking(s.POOL, "spec.limits.nodes", 10**6),
            Broken((put(s.POOL, "spec.limits", {"example.com/licences": 1}),), "spec.limits", others=("spec.limits",)),
            Broken((put(s.POOL, "spec.limits", {"CPU": 1, "Memory": "1Gi"}),), "spec.limits", others=("spec.limits",)),
            Broken((put(s.POOL, "spec.limits", ["cpu", "memory"]),), "spec.limits"),
            breaking(s.POOL, "spec.limits.cpu", "101", ceiling={"cpu": 100}),
            breaking(s.POOL, "spec.limits.cpu", "101", ceiling={"cpu": "100000m"}),
            breaking(s.POOL, "spec.limits.memory", "41Ti", ceiling={"cpu": 100}),
            breaking(s.POOL, "spec.limits.nodes", "1001", ceiling={"Nodes": 5}),
        ),
        ((unknown(s.POOL, "spec.limits"),), (unknown(s.POOL, "spec.limits.cpu"),)),
    ),
    "NP-03": Cases(
        ((s.POOL,), (drop(s.POOL, f"{TEMPLATE}.expireAfter"),)),
        (
            breaking(s.POOL, f"{TEMPLATE}.expireAfter", "Never"),
            breaking(s.POOL, f"{TEMPLATE}.expireAfter", "1h"),
            breaking(s.POOL, f"{TEMPLATE}.expireAfter", "721h"),
            Broken(
                (put(put(s.POOL, f"{TEMPLATE}.nodeClassRef.group", "eks.amazonaws.com"), f"{TEMPLATE}.expireAfter", "600h"),),
                f"{TEMPLATE}.expireAfter",
            ),
        ),
        ((unknown(s.POOL, f"{TEMPLATE}.expireAfter"),),),
    ),
    "NP-04": Cases(
        (
            (s.POOL,),
            (put(drop(s.POOL, f"{TEMPLATE}.terminationGracePeriod"), f"{TEMPLATE}.nodeClassRef.group", "eks.amazonaws.com"),),
            (s.PLAN,),
            (put(s.PLAN, f"{s.GENERAL}.graceSeconds", 3600),),
            (put(s.PLAN, f"{s.GENERAL}.drainSeconds", None),),
        ),
        (
            Broken((drop(s.POOL, f"{TEMPLATE}.terminationGracePeriod"),), f"{TEMPLATE}.terminationGracePeriod"),
            breaking(s.POOL, f"{TEMPLATE}.terminationGracePeriod", "48h"),
            breaking(s.PLAN, f"{s.GENERAL}.graceSeconds", 3601, s.GENERAL),
            breaking(s.PLAN, f"{s.GENERAL}.drainSeconds", 0, s.GENERAL),
        ),
        (
            (unknown(s.POOL, f"{TEMPLATE}.terminationGracePeriod"),),
            (unknown(s.PLAN, "measures"),),
            (drop(s.PLAN, f"{s.GENERAL}.graceSeconds"),),
        ),
    ),
    "NP-07": Cases(
        (
            (s.POOL,),
            (put(s.POOL, "spec.disruption.budgets", [{"nodes": "0", "schedule": "0 8 * * *", "duration": "10h"}]),),
            (put(s.POOL, "spec.disruption.budgets", [{"nodes": "0", "schedule": "0 0 * * *", "duration": "12h"}]),),
            (put(s.POOL, "spec.disruption.budgets", [{"nodes": "0", "reasons": ["Underutilized"]}]),),
        ),
        (
            breaking(s.POOL, "spec.disruption.budgets", [{"nodes": "0"}]),
            breaking(s.POOL, "spec.disruption.budgets", [{"nodes": "0%", "reasons": ["Drifted"]}]),
            breaking(s.POOL, "spec.disruption.budgets", [{"nodes": "0", "schedule": "* * * * *", "duration": "24h"}]),
            breaking(
                s.POOL,
                "spec.disruption.budgets",
                [{"nodes": "10%", "schedule": "0 8 * * *"}],
                "spec.disruption.budgets[0]",
            ),
            breaking(s.POOL, "spec.disruption.budgets", [{"nodes": "0", "schedule": "0 0 1 2 *", "duration": "7800h"}]),
            breaking(s.POOL, "spec.disruption.budgets", [{"nodes": "0", "schedule": "0 * * * *", "duration": "59m"}]),
        ),
        ((unknown(s.POOL, "spec.disruption.budgets[0].nodes"),),),
        {"share": 50},
    ),
    "NP-08": Cases(
        (
            (s.POOL,),
            (put(s.POOL, "spec.disruption.budgets", [{"nodes": "3"}]),),
            (put(s.STATIC_POOL, "spec.disruption.budgets", [{"nodes": "100%"}]),),
            (put(put(s.POOL, "spec.disruption.budgets", [{"nodes": "100%"}]), "spec.weight", 101),),
            (
                put(
                    s.POOL,
                    "spec.disruption.budgets",
                    [{"nodes": "100%"}, {"nodes": "0", "schedule": "0 8 * * mon-fri", "duration": "10h"}],
                ),
            ),
        ),
        (
            breaking(s.POOL, "spec.disruption.budgets", [{"nodes": "100%"}]),
            breaking(s.POOL, "spec.disruption.budgets", []),
            breaking(s.POOL, "spec.disruption.budgets", [{"nodes": "30"}]),
            breaking(
                s.POOL,
                "spec.disruption.budgets",
                [{"nodes": "100%"}, {"nodes": "10%", "schedule": "0 20 * * *", "duration": "1h"}],
            ),
        ),
        ((unknown(s.POOL, "spec.disruption.budgets[0].nodes"),),),
    ),
    "NP-09": Cases(
        ((s.POOL,), (s.STATIC_POOL,)),
        (
            breaking(s.POOL, "spec.disruption.consolidateAfter", "0s"),
            breaking(s.POOL, "spec.disruption.consolidateAfter", "Never"),
            breaking(s.POOL, "spec.disruption.consolidationPolicy", "WhenEmpty"),
            Broken((drop(s.POOL, "spec.disruption"),), "spec.disruption.consolidateAfter"),
        ),
        ((unknown(s.POOL, "spec.disruption.consolidateAfter"),),),
    ),
    "NP-10": Cases(
        (
            (s.POOL, s.CLASS),
            (put(s.POOL, f"{TEMPLATE}.nodeClassRef", {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": "default"}),),
        ),
        (
            Broken((s.POOL,), f"{TEMPLATE}.nodeClassRef.name"),
            Broken((put(s.POOL, f"{TEMPLATE}.nodeClassRef.name", "defualt"), s.CLASS), f"{TEMPLATE}.nodeClassRef.name"),
            Broken((drop(s.POOL, f"{TEMPLATE}.nodeClassRef.group"), s.CLASS), f"{TEMPLATE}.nodeClassRef"),
            Broken(
                (
                    put(
                        s.POOL,
                        f"{TEMPLATE}.nodeClassRef",
                        {"group": "eks.amazonaws.com", "kind": "Class", "name": "default"},
                    ),
                ),
                f"{TEMPLATE}.nodeClassRef.name",
            ),
        ),
        ((unknown(s.POOL, f"{TEMPLATE}.nodeClassRef.name"), s.CLASS),),
    ),
    "NP-11": Cases(
        (
            (s.POOL,),
            (s.POOL, put(named(s.POOL, "other"), "spec.weight", 10)),
            (s.POOL, put(named(s.POOL, "other"), f"{TEMPLATE}.requirements[0].values", ["arm64"])),
            (s.POOL, put(named(s.POOL, "other"), f"{TEMPLATE}.taints", [{"key": "a", "effect": "NoSchedule"}])),
            (unknown(s.POOL, "spec.weight"),),
        ),
        (
            Broken((s.POOL, named(s.POOL, "other"), IN_A_ZONE), "spec.weight", others=("spec.weight",)),
            Broken((s.POOL, put(IN_A_ZONE, f"{TEMPLATE}.requirements[0].operator", "NotIn")), "spec.weight"),
            Broken((s.POOL, named(s.POOL, "other")), "spec.weight"),
            Broken((s.POOL, put(named(s.POOL, "other"), "spec.weight", 0)), "spec.weight"),
            Broken(
                (
                    s.POOL,
                    put(
                        named(s.POOL, "other"),
                        f"{TEMPLATE}.requirements[0]",
                        {"key": "kubernetes.io/arch", "operator": "NotIn", "values": ["arm64"]},
                    ),
                ),
                "spec.weight",
            ),
        ),
        ((s.POOL, unknown(named(s.POOL, "other"), "spec.weight")),),
    ),
    "NP-13": Cases(
        ((s.POOL,), (put(ARM_POOL, f"{TEMPLATE}.taints", [{"key": "arch", "value": "arm64", "effect": "NoSchedule"}]),)),
        (
            Broken((ARM_POOL,), f"{TEMPLATE}.requirements"),
            breaking(
                ARM_POOL, f"{TEMPLATE}.taints", [{"key": "arch", "effect": "PreferNoSchedule"}], f"{TEMPLATE}.requirements"
            ),
            Broken(
                (put(put(s.PLAN, f"{s.GENERAL}.architectures", BOTH), f"{s.GENERAL}.choosesArchitecture", False),), s.GENERAL
            ),
            breaking(s.POOL, f"{TEMPLATE}.requirements[0].values", ["amd64", "arm64"], f"{TEMPLATE}.requirements"),
            breaking(
                s.POOL,
                f"{TEMPLATE}.requirements[0]",
                {"key": "kubernetes.io/arch", "operator": "NotIn", "values": ["s390x"]},
                f"{TEMPLATE}.requirements",
            ),
            breaking(
                s.POOL,
                f"{TEMPLATE}.requirements[0]",
                {"key": "beta.kubernetes.io/arch", "operator": "Exists"},
                f"{TEMPLATE}.requirements",
            ),
        ),
        ((unknown(s.POOL, f"{TEMPLATE}.requirements[0].values"),),),
    ),
    "NP-14": Cases(
        (
            (s.POOL,),
            (put(s.POOL, f"{TEMPLATE}.requirements[0].key", "example.com/team"),),
            (put(s.POOL, f"{TEMPLATE}.requirements[0].key", "capacity-spread"),),
        ),
        (
            breaking(
                s.POOL,
                f"{TEMPLATE}.requirements[0]",
                {"key": "capacity-spread", "operator": "Exists"},
                f"{TEMPLATE}.requirements[0].key",
            ),
            breaking(s.POOL, f"{TEMPLATE}.requirements[0].key", "karpenter.k8s.aws/instance-categry"),
            breaking(s.POOL, f"{TEMPLATE}.requirements[0].key", "example.com/other"),
            breaking(s.POOL, f"{TEMPLATE}.requirements[0].key", "eks.amazonaws.com/instance-family"),
        ),
        ((unknown(s.POOL, f"{TEMPLATE}.requirements[0].key"),),),
    ),
    "NP-15": Cases(
        ((s.SPOT_POOL,), (named(s.POOL, "system"),)),
        (
            Broken((named(s.SPOT_POOL, "system"),), f"{TEMPLATE}.requirements[1]"),
            Broken(
                (put(s.SPOT_POOL, f"{TEMPLATE}.taints", [{"key": "CriticalAddonsOnly", "effect": "NoSchedule"}]),),
                f"{TEMPLATE}.requirements[1]",
            ),
            Broken(
                (
                    put(
                        named(s.POOL, "system"),
                        f"{TEMPLATE}.requirements[1]",
                        {"key": "karpenter.sh/capacity-type", "operator": "NotIn", "values": ["reserved"]},
                    ),
                ),
                f"{TEMPLATE}.requirements[1]",
            ),
        ),
        ((unknown(named(s.POOL, "system"), s.CAPACITY),),),
    ),
    "NP-16": Cases(
        ((s.POOL,),),
        (
            breaking(
                s.POOL,
                "spec.template.metadata.annotations",
                {"karpenter.sh/do-not-disrupt": "true"},
                "spec.template.metadata.annotations.karpenter.sh/do-not-disrupt",
            ),
            breaking(
                s.NODE,
                "metadata.annotations",
                {"karpenter.sh/do-not-disrupt": "876000h"},
                "metadata.annotations.karpenter.sh/do-not-disrupt",
            ),
        ),
        ((unknown(s.POOL, "spec.template.metadata.annotations"),),),
    ),
    "NP-17": Cases(
        (
            (s.CLAIM_OF_POOL,),
            (s.POOL,),
        ),
        (
            Broken((s.CLAIM,), "metadata.ownerReferences"),
            Broken(
                (put(s.CLAIM, "metadata.labels", {"karpenter.sh/nodepool": "general"}),),
                "metadata.ownerReferences",
            ),
            breaking(s.CLAIM, "metadata.ownerReferences", [{"kind": "Deployment", "name": "general"}]),
            breaking(s.CLAIM, "metadata.ownerReferences", [{"kind": "NodePool", "name": "general"}]),
            breaking(s.CLAIM_OF_POOL, "metadata.uid", None, "metadata.ownerReferences"),
            breaking(s.CLAIM_OF_POOL, "metadata.ownerReferences[0].uid", None, "metadata.ownerReferences"),
            breaking(s.CLAIM_OF_POOL, "metadata.ownerReferences[0].kind", "Deployment", "metadata.ownerReferences"),
            Broken((replace(s.CLAIM_OF_POOL, urn="urn:pulumi:x"),), "metadata.ownerReferences"),
        ),
        ((unknown(s.CLAIM, "metadata"),),),
    ),
    "OB-01": Cases(
        ((s.POOL,), (drop(s.CLASS, "status"),), (s.AKS_CLASS,)),
        (
            breaking(s.POOL, "spec.weight", 101),
            breaking(s.POOL, "spec.limts", {}, "spec.limts"),
            breaking(s.CLASS, "spec.tags", {"aws:team": "a"}, "spec.tags.aws:team"),
            breaking(
                s.CLASS,
                "spec.blockDeviceMappings",
                [{"deviceName": "/dev/xvda", "ebs": {"volumeType": "gp3", "volumeSize": "50Gi", "iops": 300}}],
                "spec.blockDeviceMappings[0].ebs.iops",
            ),
            Broken(
                (replace(put(s.POOL, "apiVersion", "karpenter.sh/v1beta1"), type="kubernetes:karpenter.sh/v1beta1:NodePool"),),
                "apiVersion",
            ),
            Broken(
                (
                    replace(
                        put(s.CLASS, "apiVersion", "karpenter.k8s.aws/v1beta1"),
                        type="kubernetes:karpenter.k8s.aws/v1beta1:EC2NodeClass",
                    ),
                ),
                "apiVersion",
            ),
            Broken(
                (
                    replace(
                        put(put(s.POOL, "apiVersion", "karpenter.sh/v1alpha5"), "kind", "Provisioner"),
                        type="kubernetes:karpenter.sh/v1alpha5:Provisioner",
                    ),
                ),
                "kind",
            ),
        ),
        ((unknown(s.POOL, f"{TEMPLATE}.nodeClassRef.name"),),),
    ),
    "OB-02": Cases(
        (
            (s.GROUP,),
            (put(s.GROUP, "yaml", "apiVersion: v1\nkind: A\n---\napiVersion: v1\nkind: B\n"),),
            (put(drop(s.GROUP, "yaml"), "objs", [s.POOL.data]),),
        ),
        (
            breaking(s.GROUP, "yaml", "apiVersion: v1\nkind: A\nkind: B\n"),
            breaking(s.GROUP, "yaml", ["apiVersion: v1\nkind: A\n", "a: ["], "yaml[1]"),
            breaking(s.GROUP, "yaml", "{{ if .Values.pools }}\n"),
            breaking(s.GROUP, "yaml", "just words"),
        ),
        (
            (unknown(s.GROUP, "yaml"),),
            (put(s.GROUP, "yaml", [s.UNKNOWN]),),
            (put(drop(s.GROUP, "yaml"), "files", ["pools.yaml"]),),
            (Resource("kubernetes:yaml/v2:ConfigFile", "pools", {"file": "pools.yaml"}),),
            (Resource("kubernetes:kustomize/v2:Directory", "pools", {"directory": "pools"}),),
        ),
    ),
    "OB-03": Cases(
        ((s.RELEASE,), (s.POOL,)),
        (
            breaking(put(s.RELEASE, "values", {}), "chart", "raw"),
            Broken((Resource("command:local:Command", "deploy", {"create": "sh deploy.sh"}),), ""),
            Broken((Resource("kubernetes:argoproj.io/v1alpha1:Application", "shop", {"spec": {}}),), ""),
            breaking(put(s.RELEASE, "values", {}), "chart", "raw", known=["Release/other"]),
        ),
        ((unknown(s.RELEASE, "chart"),),),
    ),
    "OB-04": Cases(
        (
            (replace(s.POOL, options=Options(ignore_changes=("metadata.annotations",))),),
            (replace(s.CLASS, options=Options(replace_on_changes=("status",))),),
            (Resource("command:local:Command", "wait", {"create": "kubectl wait --for=condition=Ready nodepool/general"}),),
        ),
        (
            Broken((replace(s.POOL, options=Options(ignore_changes=("spec.limits",))),), ""),
            Broken((replace(s.CLASS, options=Options(replace_on_changes=("spec",))),), ""),
            Broken((Resource("command:local:Command", "patch", {"create": "kubectl patch nodepool general"}),), ""),
        ),
        ((Resource("command:local:Command", "deploy", {"create": s.UNKNOWN}),),),
    ),
    "OB-05": Cases(
        (
            (s.POOL, s.RELEASE, s.ROLE),
            (Resource("aws:route53/record:Record", "shop", {}), Resource("opentofu:index:awscc_s3_bucket", "shop", {})),
            (Resource("opentofu:index:random_pet", "shop", {}), Resource("datadog:index/monitor:Monitor", "shop", {})),
        ),
        (
            Broken((Resource("aws:ssm/association:Association", "shop", {}),), ""),
            Broken((Resource("opentofu:index:azurerm_lighthouse_assignment", "shop", {}),), ""),
            Broken((Resource("opentofu:index:google_compute_instance", "shop", {}),), ""),
            Broken((Resource("kubernetes:ecs.services.k8s.aws/v1alpha1:CapacityProvider", "shop", {}),), ""),
            Broken((Resource("opentofu:index:aws_ssm_association", "shop", {}),), "", {"known": ["aws_ssm_document"]}),
        ),
        ((Resource("opentofu:index:azapi_resource", "shop", {"type": s.UNKNOWN}),),),
    ),
}

PLANS = {
    "NP-02": Cases(
        ((s.PLAN,),),
        (
            breaking(s.PLAN, f"{s.GENERAL}.mostPerHour", 100.0, "measures.pools", perMonth=10_000),
            Broken(
                (put(put(s.PLAN, f"{s.GENERAL}.mostPerHour", None), f"{s.GENERAL}.mostBy", "no limit bounds it"),),
                s.GENERAL,
                {"perMonth": 10_000},
            ),
        ),
        ((put(put(s.PLAN, f"{s.GENERAL}.mostPerHour", None), f"{s.GENERAL}.unpricedTypes", 2),),),
        {"perMonth": 10_000},
    ),
    "PL-07": Cases(
        ((s.PLAN,),),
        (breaking(s.PLAN, f"{s.GENERAL}.mostPerHour", 20.0, s.GENERAL, perMonth=10_000),),
        ((put(put(s.PLAN, f"{s.GENERAL}.mostPerHour", None), f"{s.GENERAL}.unpricedTypes", 2),),),
        {"perMonth": 10_000},
    ),
    "NP-05": Cases(
        ((s.PLAN,), (put(put(s.PLAN, f"{s.GENERAL}.spotTypes", 0), f"{s.GENERAL}.types", 5),)),
        (
            breaking(s.PLAN, f"{s.GENERAL}.spotTypes", 14, s.GENERAL),
            Broken((put(put(s.PLAN, f"{s.GENERAL}.spotTypes", 0), f"{s.GENERAL}.types", 4),), s.GENERAL),
            Broken((put(put(s.PLAN, f"{s.GENERAL}.spotTypes", 0), f"{s.GENERAL}.types", 0),), s.GENERAL),
        ),
        ((unknown(s.PLAN, "measures"),),),
    ),
    "NP-06": Cases(
        ((s.PLAN,),),
        (
            breaking(s.PLAN, f"{s.GENERAL}.families", 2, s.GENERAL),
            breaking(s.PLAN, f"{s.GENERAL}.zones", ["us-west-2a"], s.GENERAL),
        ),
        ((unknown(s.PLAN, "measures"),),),
    ),
    "NP-12": Cases(
        ((s.PLAN,), (put(put(s.PLAN, f"{s.GENERAL}.categories", ["t"]), f"{s.GENERAL}.general", False),)),
        (
            breaking(s.PLAN, f"{s.GENERAL}.categories", ["m", "t"], s.GENERAL),
            breaking(s.PLAN, f"{s.GENERAL}.oldestGeneration", 4, s.GENERAL),
        ),
        ((unknown(s.PLAN, "measures"),),),
    ),
    "PL-08": Cases(
        ((s.PLAN,),),
        (breaking(s.PLAN, f"{s.GENERAL}.missedMinValues", ["karpenter.k8s.aws/instance-family"], s.GENERAL),),
        ((unknown(s.PLAN, "measures"),),),
    ),
    "PL-00": Cases(
        ((s.PLAN,),),
        (Broken((drop(s.PLAN, "measures"),), "measures"),),
        ((unknown(s.PLAN, "measures"),),),
    ),
    "PL-01": Cases(
        ((s.PLAN,),),
        (breaking(s.PLAN, "measures.pricePerHour", 2.5, perHour=2),),
        (
            (put(s.PLAN, "measures.unpricedNodes", 1),),
            (put(s.PLAN, "measures.pricePerHour", None),),
            (put(s.PLAN, "measures.priceRange", {"lowPerHour": 0.1, "highPerHour": 2.5}),),
            (put(put(s.PLAN, "measures.priceRange", {"lowPerHour": 0.1, "highPerHour": 2.5}), "measures.pricePerHour", 2.0),),
        ),
        {"perHour": 2},
    ),
    "PL-02": Cases(
        ((s.PLAN,),),
        (
            breaking(s.PLAN, "measures.nodes", 11, nodes=10, vcpus=None),
            breaking(s.PLAN, "measures.vcpus", 101.0, nodes=None, vcpus=100),
        ),
        ((put(s.PLAN, "measures.vcpus", None),),),
        {"nodes": 10, "vcpus": 100},
    ),
    "PL-03": Cases(
        ((s.PLAN,),),
        (breaking(s.PLAN, "measures.pending", {"job/train": "no GPU"}, "measures.pending.job/train"),),
        ((unknown(s.PLAN, "measures"),),),
    ),
    "PL-04": Cases(
        ((s.PLAN,), (put(put(s.PLAN, "measures.newNodes", 2), "measures.zones", {"us-west-2a": 2}),)),
        (breaking(s.PLAN, "measures.zones", {"us-west-2a": 3, "us-west-2b": 1}, "measures.zones.us-west-2a"),),
        ((put(s.PLAN, "measures.zones", {"us-west-2a": 1}),),),
    ),
    "PL-05": Cases(
        ((s.PLAN,), (put(s.PLAN, "measures.newNodes", 0),)),
        (breaking(s.PLAN, "measures.spotNodes", 4),),
        ((unknown(s.PLAN, "measures"),),),
    ),
    "PL-06": Cases(
        ((s.PLAN,),),
        (
            breaking(s.PLAN, "measures.pricePerHour", 1.3),
            breaking(s.PLAN, "measures.before", 0.0, "measures.pricePerHour"),
        ),
        ((put(s.PLAN, "measures.before", None),), (put(s.PLAN, "measures.unpricedNodes", 1),)),
    ),
    "PL-11": Cases(
        ((s.PLAN,),),
        (
            breaking(
                s.PLAN, f"{WORKLOADS}.closedBudgets", {"shop/api": "maxUnavailable is 0"}, f"{WORKLOADS}.closedBudgets.shop/api"
            ),
        ),
        ((unknown(s.PLAN, "measures"),),),
    ),
    "PL-12": Cases(
        ((s.PLAN,),),
        (breaking(s.PLAN, f"{WORKLOADS}.withoutRequests", ["deployment/web"], f"{WORKLOADS}.withoutRequests[0]"),),
        ((unknown(s.PLAN, "measures"),),),
    ),
    "PL-13": Cases(
        ((s.PLAN,),),
        (breaking(s.PLAN, f"{WORKLOADS}.spotOnly", ["statefulset/postgres"], f"{WORKLOADS}.spotOnly[0]"),),
        ((unknown(s.PLAN, "measures"),),),
    ),
    "PL-15": Cases(
        ((s.PLAN,),),
        (
            breaking(
                s.PLAN,
                f"{WORKLOADS}.incompleteGangs",
                {"ml/podgroup/train": "6 of 6 needed, 2 fit: 1 node stays empty"},
                f"{WORKLOADS}.incompleteGangs.ml/podgroup/train",
            ),
        ),
        ((unknown(s.PLAN, "measures"),),),
    ),
    "PL-14": Cases(
        (
            (headroom("headroom"), s.priority_class("headroom", -10)),
            (headroom("low"), s.priority_class("low", 5), put(s.priority_class("usual", 10), "globalDefault", True)),
            (headroom(""),),
            (put(headroom("system-node-critical"), f"{PODS}.containers[0].image", "registry.example.com/web:1"),),
        ),
        (
            Broken((headroom("urgent"), s.priority_class("urgent", 0)), f"{PODS}.priorityClassName"),
            Broken((headroom("low"), put(s.priority_class("low", -10), "globalDefault", True)), f"{PODS}.priorityClassName"),
            Broken((headroom("system-node-critical"),), f"{PODS}.priorityClassName"),
            Broken(
                (put(headroom("system-node-critical"), f"{PODS}.containers[0].image", "pause@sha256:0f"),),
                f"{PODS}.priorityClassName",
            ),
        ),
        ((headroom("elsewhere"),),),
    ),
    "PL-09": Cases(
        ((s.PLAN,),),
        (breaking(s.PLAN, "measures.held", ["job/import"], "measures.held[0]"),),
        ((unknown(s.PLAN, "measures"),),),
    ),
}

TERM = "spec.amiSelectorTerms[0]"
AL2 = put(s.CLASS, f"{TERM}.alias", "al2@v20250228")
EBS = "spec.blockDeviceMappings[0].ebs"
RESERVED_POOL = put(s.POOL, s.CAPACITY, ["reserved"])
NODE_CLASSES = {
    "NC-01": Cases(
        ((s.CLASS,), (drop(s.CLASS, "spec.metadataOptions"),)),
        (
            breaking(s.CLASS, "spec.metadataOptions.httpTokens", "optional"),
            breaking(s.CLASS, "spec.metadataOptions.httpPutResponseHopLimit", 2),
            breaking(s.CLASS, "spec.metadataOptions.httpProtocolIPv6", "enabled"),
        ),
        ((unknown(s.CLASS, "spec.metadataOptions"),),),
    ),
    "NC-02": Cases(
        ((s.CLASS,), (drop(s.CLASS, "spec.blockDeviceMappings"),)),
        (
            breaking(s.CLASS, f"{EBS}.encrypted", False),
            Broken((drop(s.CLASS, f"{EBS}.encrypted"),), f"{EBS}.encrypted"),
            breaking(s.CLASS, f"{EBS}.volumeType", "gp2"),
            breaking(s.CLASS, f"{EBS}.deleteOnTermination", False),
            breaking(s.CLASS, f"{EBS}.volumeSize", "8Gi"),
            breaking(drop(s.CLASS, "spec.blockDeviceMappings"), "spec.amiFamily", "Custom"),
        ),
        ((unknown(s.CLASS, f"{EBS}.encrypted"),),),
    ),
    "NC-03": Cases(
        (
            (s.CLASS,),
            (put(s.CLASS, "spec.amiSelectorTerms", [{"alias": "windows2022@latest"}]),),
            (put(s.CLASS, "spec.amiSelectorTerms", [{"id": "ami-1"}, {"name": "golden-2026-05-01", "owner": "self"}]),),
            (put(s.CLASS, "spec.amiSelectorTerms", [{"tags": {"release": "2026-05-01"}, "owner": "self"}]),),
        ),
        (
            breaking(s.CLASS, "spec.amiSelectorTerms[0].alias", "al2023@latest"),
            breaking(s.CLASS, "spec.amiSelectorTerms", [{"name": "al2023-*", "owner": "amazon"}], f"{TERM}.name"),
            breaking(s.CLASS, "spec.amiSelectorTerms", [{"tags": {"role": "node"}, "owner": "amazon"}], f"{TERM}.tags"),
            breaking(s.CLASS, "spec.amiSelectorTerms", [{"tags": {"role": "*"}, "owner": "self"}], f"{TERM}.tags"),
            breaking(s.CLASS, "spec.amiSelectorTerms", [{"tags": {"role": "node"}, "owner": "self"}], f"{TERM}.tags"),
            breaking(s.CLASS, "spec.amiSelectorTerms", [{"tags": {"release": "2026-*"}, "owner": "self"}], f"{TERM}.tags"),
            breaking(s.CLASS, "spec.amiSelectorTerms", [{"ssmParameter": "/golden/image"}], f"{TERM}.ssmParameter"),
        ),
        ((unknown(s.CLASS, "spec.amiSelectorTerms[0].alias"),),),
    ),
    "NC-04": Cases(
        ((s.CLASS,), (put(s.CLASS, "spec.amiSelectorTerms", [{"name": "mine-*", "owner": "self"}]),)),
        (
            breaking(s.CLASS, "spec.amiSelectorTerms", [{"name": "mine-*"}], "spec.amiSelectorTerms[0]"),
            breaking(s.CLASS, "spec.amiSelectorTerms", [{"name": "mine-*", "owner": "999988887777"}], f"{TERM}.owner"),
        ),
        ((put(s.CLASS, "spec.amiSelectorTerms", [{"name": "mine-*", "owner": s.UNKNOWN}]),),),
    ),
    "NC-05": Cases(
        (
            (s.CLASS,),
            (put(drop(s.CLASS, "spec.role"), "spec.instanceProfile", "nodes"),),
            (replace(drop(s.CLASS, "spec.role"), type=AUTO_NODE_CLASS),),  # V-106
        ),
        (
            Broken((drop(s.CLASS, "spec.role"),), "spec"),
            Broken((put(replace(s.CLASS, type=AUTO_NODE_CLASS), "spec.instanceProfile", "nodes"),), "spec"),
            breaking(s.CLASS, "spec.instanceProfile", "nodes", "spec"),
            breaking(s.CLASS, "spec.role", "arn:aws:iam::111122223333:role/nodes"),
            breaking(s.CLASS, "spec.role", "team/nodes"),
        ),
        ((unknown(s.CLASS, "spec.role"),),),
    ),
    "NC-06": Cases(
        ((s.CLASS,),),
        (
            breaking(s.CLASS, "spec.associatePublicIPAddress", True),
            breaking(s.CLASS, "status.subnets", [{"id": "subnet-1", "zone": "us-west-2a"}], "spec.subnetSelectorTerms"),
        ),
        ((drop(s.CLASS, "status"),),),
    ),
    "NC-07": Cases(
        ((s.CLASS,),),
        (
            Broken((drop(s.CLASS, "spec.tags"),), "spec.tags", TAGGED),
            breaking(s.CLASS, "spec.tags", {"cost-center": "other"}, "spec.tags.cost-center", **TAGGED),
            breaking(s.CLASS, "spec.tags", {"karpenter.sh/nodepool": "x"}, "spec.tags.karpenter.sh/nodepool"),
            Broken((s.AKS_CLASS,), "spec.tags", TAGGED),
        ),
        ((unknown(s.CLASS, "spec.tags"),),),
        TAGGED,
    ),
    "NC-08": Cases(
        (
            (s.POOL, s.CLASS),
            (RESERVED_POOL, put(s.CLASS, "spec.capacityReservationSelectorTerms", [{"id": "cr-1"}])),
        ),
        (Broken((RESERVED_POOL, s.CLASS), f"{TEMPLATE}.nodeClassRef"),),
        ((RESERVED_POOL,), (unknown(s.POOL, s.CAPACITY), s.CLASS)),
    ),
    "IF-19": Cases(
        (
            (s.CLASS, s.CLUSTER),
            (AL2, put(s.CLUSTER, "version", "1.32")),
            (put(s.CLASS, f"{TERM}.alias", "bottlerocket@v1.47.0"), put(s.CLUSTER, "version", "1.34")),
        ),
        (
            Broken((put(s.CLASS, f"{TERM}.alias", "al2023@v20250228"), put(s.CLUSTER, "version", "1.34")), f"{TERM}.alias"),
            Broken((put(s.CLASS, f"{TERM}.alias", "bottlerocket@v1.46.0"), put(s.CLUSTER, "version", "1.34")), f"{TERM}.alias"),
            Broken((put(s.CLASS, f"{TERM}.alias", "windows2025@latest"), put(s.CLUSTER, "version", "1.34")), f"{TERM}.alias"),
            Broken((AL2, put(s.CLUSTER, "version", "1.33")), f"{TERM}.alias"),
            Broken((AL2, drop(s.CLUSTER, "version")), f"{TERM}.alias"),
        ),
        ((AL2,), (AL2, unknown(s.CLUSTER, "version")), (unknown(s.CLASS, f"{TERM}.alias"), s.CLUSTER)),
    ),
    "NC-09": Cases(
        (
            (s.CLASS,),
            (put(s.CLASS, "spec.subnetSelectorTerms", [{"tags": {"karpenter.sh/discovery/demo": "*"}}]),),
            (put(s.CLASS, "spec.subnetSelectorTerms", [{"tags": {"kubernetes.io/cluster/demo": "*"}}]),),
            (put(s.CLASS, "spec.subnetSelectorTerms", [{"tags": {"Name": "demo-private-*"}}]),),
            (put(s.CLASS, "spec.subnetSelectorTerms", [{"tags": {"Name": "dev*"}}]),),
        ),
        (
            breaking(
                put(s.CLASS, "spec.subnetSelectorTerms", [{"tags": {"Name": "demo-private"}}, {"tags": {DISCOVERY: "demo"}}]),
                "spec.securityGroupSelectorTerms",
                [{"tags": {DISCOVERY: "prod"}}],
                f"spec.securityGroupSelectorTerms[0].tags.{DISCOVERY}",
            ),
            breaking(
                s.CLASS,
                "spec.subnetSelectorTerms",
                [{"tags": {"Name": "*"}}],
                "spec.subnetSelectorTerms[0].tags.Name",
            ),
            *(
                breaking(s.CLASS, f"spec.{member}", [{"tags": {"Name": value}}], f"spec.{member}[0].tags.Name")
                for member in ("securityGroupSelectorTerms", "capacityReservationSelectorTerms")
                for value in ("**", "?*", "", "*demo*", "a*")
            ),
            breaking(s.CLASS, "spec.securityGroupSelectorTerms", [{"name": "*"}], "spec.securityGroupSelectorTerms[0].name"),
        ),
        ((put(s.CLASS, "spec.subnetSelectorTerms", [{"tags": {"Name": s.UNKNOWN}}]),),),
    ),
    "NC-10": Cases(  # VA15-2 VA15-9 VA15-11
        (
            (s.CLASS,),
            (put(s.CLASS, "spec.kubelet", {"podsPerCore": 2, "clusterDNS": ["10.0.0.10", "10.0.0.11"]}),),
            (put(put(s.CLASS, f"{TERM}.alias", "bottlerocket@v1.47.0"), "spec.kubelet", {"clusterDNS": ["10.0.0.10"]}),),
        ),
        (
            Broken(
                (put(put(s.CLASS, f"{TERM}.alias", "bottlerocket@v1.47.0"), "spec.kubelet", {"podsPerCore": 2}),),
                "spec.kubelet.podsPerCore",
            ),
            breaking(s.CLASS, "spec.kubelet", {"maxPods": "110"}, "spec.kubelet.maxPods"),
            breaking(s.CLASS, "spec.kubelet", {"maxPods": "1 +"}, "spec.kubelet.maxPods", awsFeatureGates=["NodeClassCEL"]),
            breaking(
                s.CLASS,
                "spec.kubelet",
                {"evictionHard": {"memory.available": "-5Mi"}},
                "spec.kubelet.evictionHard.memory.available",
            ),
        ),
        ((unknown(s.CLASS, "spec.kubelet"),),),
    ),
}

NO_STATEMENTS = put(s.POLICY, "policy", "{")
COMPLETE = (s.RELEASE,)
INFRASTRUCTURE = {
    "IF-27": Cases(
        ((s.ASSOCIATION,), (s.SERVICE_ACCOUNT,), (put(s.SERVICE_ACCOUNT, "metadata.annotations", {}),)),
        (
            breaking(s.ASSOCIATION, "serviceAccount", "default"),
            Broken((named(s.SERVICE_ACCOUNT, "default"),), "metadata.annotations.eks.amazonaws.com/role-arn"),
        ),
        ((unknown(s.ASSOCIATION, "serviceAccount"),),),
    ),
    "IF-28": Cases(
        ((s.METADATA_DEFAULTS,), (drop(s.METADATA_DEFAULTS, "httpTokens"),)),
        (
            breaking(s.METADATA_DEFAULTS, "httpTokens", "optional"),
            breaking(s.METADATA_DEFAULTS, "httpPutResponseHopLimit", 64),
        ),
        ((unknown(s.METADATA_DEFAULTS, "httpTokens"),),),
    ),
    "NC-11": Cases(
        (
            (s.CLASS,),
            (put(s.CLASS, "spec.subnetSelectorTerms", [{"id": "subnet-1"}]), PUBLIC_SUBNET),
            (put(s.CLASS, "spec.subnetSelectorTerms", [{"id": s.UNKNOWN}]), replace(PUBLIC_SUBNET, urn="urn:web")),
            (put(s.CLASS, "spec.subnetSelectorTerms", [{"tags": {"tier": "dmz"}}]), PUBLIC_SUBNET, TAG_OF_ANOTHER),
            (Resource(EKS_COMPONENT, "demo", {"skipDefaultNodeGroup": True, "publicSubnetIds": ["subnet-1"]}),),
            (Resource(EKS_COMPONENT, "demo", {"privateSubnetIds": ["subnet-2"], "publicSubnetIds": ["subnet-1"]}),),
        ),
        (
            Broken(
                (put(s.CLASS, "spec.subnetSelectorTerms", [{"tags": {"tier": "web"}}]), PUBLIC_SUBNET),
                "spec.subnetSelectorTerms[0]",
            ),
            Broken(
                (Resource("eks:index:NodeGroupV2", "n", {"nodeAssociatePublicIpAddress": True}),),
                "nodeAssociatePublicIpAddress",
            ),
        ),
        ((unknown(s.CLASS, "spec.subnetSelectorTerms"), PUBLIC_SUBNET),),
    ),
    "NC-12": Cases(
        ((s.CLASS,), (put(s.CLASS, "spec.userData", "bootstrap.sh --kubelet-extra-args '--max-pods=20'"),)),
        (
            breaking(s.CLASS, "spec.userData", "bootstrap.sh --kubelet-extra-args '--anonymous-auth=true'"),
            breaking(s.LAUNCH_TEMPLATE, "userData", "LS1hbm9ueW1vdXMtYXV0aD10cnVlIC0tbWF4LXBvZHM9MjA="),
        ),
        ((unknown(s.CLASS, "spec.userData"),),),
    ),
    "NC-13": Cases(
        ((s.CLASS,), (put(s.CLASS, "spec.userData", "curl -o /opt/agent https://example.com/agent-1.2.3"),)),
        (breaking(s.CLASS, "spec.userData", "curl https://example.com/agent.sh | bash"),),
        ((unknown(s.CLASS, "spec.userData"),),),
    ),
    "IF-01": Cases(
        ((s.POLICY,),),
        (
            Broken((s.document(s.POLICY, "policy", {"Resource": "*"}),), "policy.Statement[0]"),
            Broken((s.document(s.POLICY, "policy", {"Condition": None}),), "policy.Statement[0]"),
            Broken((s.document(s.POLICY, "policy", {"Action": None, "NotAction": "s3:*"}),), "policy.Statement[0].NotAction"),
            Broken((s.document(s.POLICY, "policy", {"Action": "*", "Resource": "*"}),), "policy.Statement[0]"),
            Broken((s.document(s.POLICY, "policy", {"Action": "i?m:passrole", "Resource": "*"}),), "policy.Statement[0]"),
            Broken((s.document(s.POLICY, "policy", {"Condition": {"NumericLessThan": {"a": "1"}}}),), "policy.Statement[0]"),
            Broken((NO_STATEMENTS,), "policy"),
        ),
        ((unknown(s.POLICY, "policy"),),),
    ),
    "IF-02": Cases(
        ((s.POLICY,),),
        (
            Broken((s.document(s.POLICY, "policy", {"Condition": None}, 1),), "policy.Statement[1]"),
            Broken((s.document(s.POLICY, "policy", {"Action": "ec2:*"}, 1),), "policy.Statement[1]"),
            Broken(
                (s.document(s.POLICY, "policy", {"Action": "ec2:DeleteTags", "Condition": None}, 1),), "policy.Statement[1]"
            ),
            Broken(
                (
                    s.document(
                        s.POLICY,
                        "policy",
                        {"Action": "ec2:RunInstances", "Resource": "arn:aws:ec2:eu-west-1:*:instance/*", "Condition": None},
                        1,
                    ),
                ),
                "policy.Statement[1]",
            ),
            Broken((NO_STATEMENTS,), "policy"),
        ),
        ((unknown(s.POLICY, "policy"),),),
    ),
    "IF-03": Cases(
        (
            (s.ROLE,),
            (s.NODE_ROLE,),
            (s.document(s.ROLE, "assumeRolePolicy", {**WEB, "Condition": EXACT}),),
            (s.document(s.ROLE, "assumeRolePolicy", {"Condition": OF_SESSION}),),
            (s.document(s.ROLE, "assumeRolePolicy", BY_EXTERNAL_ID),),
        ),
        (
            Broken(
                (s.document(s.ROLE, "assumeRolePolicy", {"Condition": {**OF_SESSION, "ArnLike": OF_ASSOCIATION}}),),
                "assumeRolePolicy.Statement[0]",
            ),
            Broken(
                (s.document(s.ROLE, "assumeRolePolicy", {"Condition": None}),),
                "assumeRolePolicy.Statement[0]",
                others=("assumeRolePolicy.Statement[0]",),
            ),
            Broken((s.document(s.ROLE, "assumeRolePolicy", {"Principal": "*"}),), "assumeRolePolicy.Statement[0].Principal"),
            Broken((s.document(s.ROLE, "assumeRolePolicy", {**WEB, "Condition": WEAK}),), "assumeRolePolicy.Statement[0]"),
        ),
        ((unknown(s.ROLE, "assumeRolePolicy"),),),
    ),
    "IF-21": Cases(
        (
            (s.POLICY, s.ATTACHMENT, s.NODE_ROLE),
            (put(s.POLICY, "name", "own"), put(s.ATTACHMENT, "policyArn", "arn:aws:iam::111122223333:policy/team/own")),
            (s.document(s.POLICY, "policy", {"Action": "ec2:RunInstances", "Resource": "*", "Condition": None}, 1),),
        ),
        (
            Broken(
                (s.document(s.POLICY, "policy", {"Action": ["iam:CreateAccessKey", "iam:PutRolePolicy"], "Resource": "*"}, 1),),
                "policy.Statement[1]",
                others=("policy.Statement[1]",),
            ),
            Broken(
                (s.document(s.POLICY, "policy", {"Action": "iam:CreateAccessKey", "Resource": "*"}, 1),), "policy.Statement[1]"
            ),
            breaking(s.ATTACHMENT, "policyArn", "arn:aws:iam::aws:policy/AdministratorAccess"),
            breaking(s.ROLE, "managedPolicyArns", ["arn:aws:iam::aws:policy/IAMFullAccess"], "managedPolicyArns[0]"),
        ),
        (
            (unknown(s.POLICY, "policy"),),
            (put(s.ATTACHMENT, "policyArn", "arn:aws:iam::aws:policy/NewestOfAll"),),
            (put(s.ATTACHMENT, "policyArn", "arn:aws:iam::111122223333:policy/own"),),
        ),
    ),
    "IF-23": Cases(
        (
            (s.KEY, s.POLICY),
            (s.KEY,),
            (put(s.KEY, "policy", ""),),
            (drop(s.KEY, "policy"),),
            (s.document(s.KEY, "policy", {"Principal": "*", "Condition": OF_ACCOUNTS}, 1),),
            (s.document(s.KEY, "policy", {"Principal": {"AWS": OF_CONTROLLER}, "Action": "kms:PutKeyPolicy"}, 1), s.ROLE),
        ),
        (
            Broken((s.document(s.KEY, "policy", {"Principal": "*"}, 1), s.POLICY), "policy.Statement[1].Principal"),
            Broken((s.document(s.KEY, "policy", {"Principal": {"AWS": "999988887777"}}, 1),), "policy.Statement[1].Principal"),
        ),
        ((unknown(s.KEY, "policy"),),),
    ),
    "IF-24": Cases(
        (
            (s.NODE_ROLE, s.ENTRY),
            (s.NODE_ROLE, put(s.ENTRY, "principalArn", "arn:aws:iam::111122223333:role/admins")),
            (Resource(EKS_COMPONENT, "demo", {"roleMappings": [ADMINISTRATORS]}),),
        ),
        (
            Broken(
                (s.NODE_ROLE, put(s.ENTRY, "policyArn", "arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy")),
                "policyArn",
            ),
            Broken((put(s.AUTH, "data.mapRoles", s.AUTH.data["data"]["mapRoles"] + ", system:masters]}]"),), "data.mapRoles"),
        ),
        ((unknown(s.AUTH, "data.mapRoles"),),),
    ),
    "IF-22": Cases(
        ((s.SECURITY_GROUP,), (put(s.SECURITY_GROUP, "ingress[0].fromPort", 443),)),
        (
            breaking(s.SECURITY_GROUP, "ingress[0].cidrBlocks", ["0.0.0.0/0"]),
            breaking(s.SECURITY_GROUP, "ingress[0].cidrBlocks", ["0.0.0.0/1", "128.0.0.0/1"]),
            Broken((s.BY_LIST, s.LIST_OF_ALL), "ingress[0].prefixListIds"),
        ),
        (
            (unknown(s.SECURITY_GROUP, "ingress"),),
            (s.BY_LIST, replace(s.LIST_OF_ALL, urn="urn:another")),
            (put(s.BY_LIST, "ingress[0].prefixListIds", ["pl-1"]), s.ENTRY_OF_ALL),
        ),
    ),
    "IF-04": Cases(
        ((s.QUEUE, s.QUEUE_POLICY),),
        (
            breaking(s.QUEUE, "sqsManagedSseEnabled", False),
            Broken((s.document(s.QUEUE_POLICY, "policy", {"Condition": None}),), "policy.Statement[0]"),
            Broken(
                (s.document(s.QUEUE_POLICY, "policy", {"Condition": {"ArnLike": {"aws:SourceArn": "*"}}}),),
                "policy.Statement[0]",
            ),
            Broken((s.document(s.QUEUE_POLICY, "policy", {"Effect": "Allow"}, 1),), "policy", others=("policy.Statement[1]",)),
        ),
        ((unknown(s.QUEUE_POLICY, "policy"),), (unknown(s.QUEUE, "sqsManagedSseEnabled"),)),
    ),
    "IF-05": Cases(  # I-42
        (
            (s.POOL, s.RELEASE),
            (s.SPOT_POOL, s.RELEASE, *RULES),
            (s.SPOT_POOL, put(s.RELEASE, "version", "1.9.0"), *OLDER_RULES),
            (put(s.SPOT_POOL, f"{TEMPLATE}.nodeClassRef.group", "karpenter.azure.com"),),
        ),
        (
            Broken((s.SPOT_POOL, s.RELEASE), "values.settings.interruptionQueue"),
            Broken((s.SPOT_POOL, s.RELEASE, *RULES[1:]), "values.settings.interruptionQueue"),
            Broken((s.SPOT_POOL, s.RELEASE, *OLDER_RULES), "values.settings.interruptionQueue"),
            Broken(
                (s.SPOT_POOL, drop(s.RELEASE, "values.settings.interruptionQueue"), *RULES),
                "values.settings.interruptionQueue",
            ),
            Broken(
                (s.SPOT_POOL, s.RELEASE, *RULES, Resource("cutlist:index:SpotServiceLinkedRole", "spot", {"mode": "skip"})),
                "mode",
            ),
        ),
        ((s.SPOT_POOL,), (s.SPOT_POOL, s.RELEASE, unknown(RULES[0], "eventPattern"))),
    ),
    "IF-25": Cases(  # I-42
        (
            (s.QUEUE, s.RELEASE),
            (put(s.QUEUE, "messageRetentionSeconds", 120), s.RELEASE),
            (put(s.QUEUE, "delaySeconds", 10), s.RELEASE),
            (put(s.QUEUE, "redrivePolicy", {"maxReceiveCount": 2}), s.RELEASE),
            (replace(s.QUEUE, urn="urn:demo"), s.RELEASE, put(s.ORDERS, "redrivePolicy", {"maxReceiveCount": 5})),
            (s.ORDERS, replace(RULES[0], urn="urn:spot"), s.NIGHTLY, s.NIGHTLY_TARGET),
        ),
        (
            Broken((s.ORDERS, s.NATIVE_RULE), "messageRetentionSeconds"),
            Broken((put(s.QUEUE, "messageRetentionSeconds", 119), s.RELEASE), "messageRetentionSeconds"),
            Broken((put(s.QUEUE, "messageRetentionSeconds", 300), s.RELEASE), "messageRetentionSeconds", {"shortest": "10m"}),
            Broken((put(s.QUEUE, "delaySeconds", 11), s.RELEASE), "delaySeconds"),
            Broken((put(s.QUEUE, "delaySeconds", 10), s.RELEASE), "delaySeconds", {"delay": "9s"}),
            Broken((put(s.QUEUE, "redrivePolicy", {"maxReceiveCount": 1}), s.RELEASE), "redrivePolicy"),
            Broken((put(s.QUEUE, "redrivePolicy", {"maxReceiveCount": 2}), s.RELEASE), "redrivePolicy", {"receives": 3}),
        ),
        ((unknown(s.QUEUE, "messageRetentionSeconds"), s.RELEASE), (unknown(s.QUEUE, "redrivePolicy"), s.RELEASE)),
    ),
    "IF-06": Cases(
        ((s.RELEASE,), (s.POLICY,)),
        (
            Broken((put(s.POLICY, "policy", s.POLICY.data["policy"].replace("demo", "d" * 6200)),), "policy"),
            Broken((s.RELEASE, s.document(s.POLICY, "policy", {"Action": "ec2:RunInstances"}, 1)), ""),
        ),
        ((s.RELEASE, unknown(s.POLICY, "policy")),),
    ),
    "IF-07": Cases(
        ((s.CLUSTER,), (put(s.CLUSTER, "vpcConfig", {"endpointPublicAccess": False}),)),
        (
            breaking(s.CLUSTER, "vpcConfig.publicAccessCidrs", ["0.0.0.0/0"]),
            breaking(s.CLUSTER, "vpcConfig.publicAccessCidrs", ["203.0.113.0/24", "0::/0"]),
            breaking(s.CLUSTER, "vpcConfig.publicAccessCidrs", ["0.0.0.0/1", "128.0.0.0/1"]),
            breaking(s.CLUSTER, "vpcConfig", {}, "vpcConfig.publicAccessCidrs"),
        ),
        ((unknown(s.CLUSTER, "vpcConfig.publicAccessCidrs"),),),
    ),
    "IF-08": Cases(
        ((s.CLUSTER,),),
        (
            breaking(s.CLUSTER, "accessConfig.authenticationMode", "CONFIG_MAP", "accessConfig"),
            breaking(s.CLUSTER, "accessConfig.bootstrapClusterCreatorAdminPermissions", True, "accessConfig"),
        ),
        ((unknown(s.CLUSTER, "accessConfig"),),),
    ),
    "IF-09": Cases(
        (
            (s.NODE_GROUP, s.LAUNCH_TEMPLATE),
            (put(s.NODE_GROUP, "subnetIds", [s.UNKNOWN, s.UNKNOWN]),),
            (put(s.SYSTEM_GROUP, "clusterName", "demo"), put(s.SMALL_GROUP, "clusterName", "demo")),
            (s.SYSTEM_GROUP, s.SMALL_GROUP, s.CLUSTER),
            (put(s.NODE_GROUP, "labels", s.UNKNOWN), s.SYSTEM_GROUP, s.SMALL_GROUP),
            (s.NODE_GROUP, put(s.SMALL_GROUP, "taints", s.GPU_TAINTS)),
            (s.SMALL_GROUP, s.FARGATE),
            (s.SMALL_GROUP, put(s.FARGATE, "selectors[0].labels", {"app.kubernetes.io/name": "karpenter"})),
            (s.SMALL_GROUP, put(s.FARGATE, "selectors[0].labels", [{"key": "app.kubernetes.io/name", "value": "karpenter"}])),
            (s.in_zone("a"), s.in_zone("b")),
            (of_cluster(s.SYSTEM_GROUP, "one"), of_cluster(s.SMALL_GROUP, "one"), s.CLUSTER, named(s.CLUSTER, "two")),
        ),
        (
            breaking(s.NODE_GROUP, "scalingConfig.minSize", 1, "scalingConfig"),
            breaking(s.NODE_GROUP, "scalingConfig.desiredSize", 1, "scalingConfig"),
            breaking(s.NODE_GROUP, "subnetIds", ["subnet-1"]),
            breaking(s.NODE_GROUP, "subnetIds", ["subnet-1", "subnet-1"]),
            breaking(s.NODE_GROUP, "taints", []),
            breaking(s.NODE_GROUP, "remoteAccess", {"ec2SshKey": "ours"}),
            breaking(put(s.NODE_GROUP, "taints", s.GPU_TAINTS), "subnetIds", ["subnet-1"]),
            Broken((s.SYSTEM_GROUP, put(s.SMALL_GROUP, "remoteAccess", {"ec2SshKey": "ours"})), "remoteAccess"),
            Broken((put(s.SYSTEM_GROUP, "scalingConfig.minSize", 1), s.SMALL_GROUP), "scalingConfig"),
            Broken((put(s.SYSTEM_GROUP, "taints", []), s.SMALL_GROUP), "taints"),
            Broken((s.NODE_GROUP, s.SMALL_GROUP), "taints"),
            Broken((unknown(s.NODE_GROUP, "labels"), s.SMALL_GROUP), "taints"),
            Broken((s.SYSTEM_GROUP, unknown(s.SMALL_GROUP, "labels")), "taints"),
            Broken(
                (put(s.NODE_GROUP, "taints", s.GPU_TAINTS), put(s.SMALL_GROUP, "taints", s.SOFT_TAINTS)),
                "scalingConfig",
                others=("subnetIds",),
            ),
            Broken((put(s.SMALL_GROUP, "labels", {s.SYSTEM_LABEL[0]: "false"}),), *_ALL_OF_SMALL),
            Broken((put(s.SYSTEM_GROUP, "clusterName", "one"), put(s.SMALL_GROUP, "clusterName", "two")), *_ALL_OF_SMALL),
            Broken((s.SYSTEM_GROUP, s.SMALL_GROUP, s.CLUSTER, named(s.CLUSTER, "two")), *_ALL_OF_SMALL),
            Broken((of_cluster(s.SYSTEM_GROUP, "one"), of_cluster(s.SMALL_GROUP, "two"), s.CLUSTER), *_ALL_OF_SMALL),
            Broken((s.SMALL_GROUP, put(s.FARGATE, "selectors[0].namespace", "web")), *_ALL_OF_SMALL),
            Broken((s.SMALL_GROUP, put(s.FARGATE, "selectors[0].labels", {"k8s-app": "kube-dns"})), *_ALL_OF_SMALL),
            Broken((s.SMALL_GROUP, put(s.FARGATE, "selectors", s.UNKNOWN)), *_ALL_OF_SMALL),
            breaking(s.LAUNCH_TEMPLATE, "metadataOptions.httpTokens", "optional", "metadataOptions"),
            breaking(s.LAUNCH_TEMPLATE, "blockDeviceMappings[0].ebs", {}, "blockDeviceMappings[0].ebs.encrypted"),
            breaking(s.LAUNCH_TEMPLATE, "blockDeviceMappings[0].ebs.volumeSize", 16_385),
            breaking(
                s.LAUNCH_TEMPLATE,
                "blockDeviceMappings[0].ebs",
                {"encrypted": "true", "volumeType": "gp3", "iops": 300},
                "blockDeviceMappings[0].ebs.iops",
            ),
        ),
        (
            (unknown(s.NODE_GROUP, "subnetIds"),),
            (unknown(s.NODE_GROUP, "scalingConfig"),),
            (unknown(s.NODE_GROUP, "taints"),),
            (unknown(s.NODE_GROUP, "remoteAccess"),),
            (unknown(s.LAUNCH_TEMPLATE, "metadataOptions"),),
        ),
    ),
    "IF-10": Cases(
        ((s.CLUSTER, s.LOG_GROUP), (Resource(s.t.LOG_GROUP, "other", {"name": "/app"}),)),
        (
            breaking(s.CLUSTER, "enabledClusterLogTypes", ["audit"]),
            breaking(s.LOG_GROUP, "retentionInDays", 0),
        ),
        ((unknown(s.CLUSTER, "enabledClusterLogTypes"),), (unknown(s.LOG_GROUP, "retentionInDays"),)),
    ),
    "IF-11": Cases(
        (
            (s.ATTACHMENT, s.NODE_ROLE),
            (
                put(
                    put(s.ATTACHMENT, "policyArn", "arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy"),
                    "role",
                    "KarpenterController-demo",
                ),
                s.ROLE,
            ),
        ),
        (
            Broken((put(s.ATTACHMENT, "policyArn", "arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy"), s.NODE_ROLE), "policyArn"),
            Broken(
                (put(s.ATTACHMENT, "policyArn", "arn:aws-cn:iam::aws:policy/AmazonSSMManagedInstanceCore"), s.NODE_ROLE),
                "policyArn",
                {"shells": False},
            ),
        ),
        (
            (put(s.ATTACHMENT, "policyArn", "arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy"),),
            (unknown(s.ATTACHMENT, "policyArn"),),
        ),
    ),
    "IF-12": Cases(
        (
            (s.RELEASE, s.CRDS, s.CLUSTER),
            (put(s.RELEASE, "chart", "oci://111122223333.dkr.ecr.eu-west-1.amazonaws.com/karpenter/karpenter"),),
            (put(drop(s.RELEASE, "values"), "chart", "./charts/redis"),),
            (put(put(s.RELEASE, "values", {"settings": {"clusterName": "demo"}}), "chart", "./charts/redis"),),
        ),
        (
            breaking(s.RELEASE, "version", "1.14"),
            Broken((put(s.RELEASE, "version", "1.14"), s.CLUSTER), "version"),
            breaking(s.RELEASE, "version", ">=1.0.0"),
            Broken((s.RELEASE, put(s.CRDS, "version", "1.13.0")), "version"),
            Broken((put(s.RELEASE, "version", "1.0.0"), s.CLUSTER), "version"),
            breaking(s.RELEASE, "chart", "oci://ghcr.io/somebody/karpenter"),
            breaking(s.RELEASE, "chart", "https://example.com/karpenter-1.14.1.tgz?raw=true"),
            breaking(s.RELEASE, "chart", "./charts/karpenter"),
            Broken((put(put(s.RELEASE, "chart", "karpenter"), "repositoryOpts.repo", "https://example.com"),), "chart"),
        ),
        (
            (unknown(s.RELEASE, "version"),),
            (s.RELEASE, unknown(s.CLUSTER, "version")),
            (unknown(s.RELEASE, "repositoryOpts"),),
        ),
    ),
    "IF-13": Cases(
        ((s.ADMINS, s.BINDING), (put(s.ADMINS, "rules[0].verbs", ["get"]),)),
        (
            Broken((s.ADMINS, put(s.BINDING, "subjects", [{"kind": "Group", "name": "developers"}])), "subjects[0]"),
            Broken(
                (put(s.ADMINS, "metadata.labels", {"rbac.authorization.k8s.io/aggregate-to-edit": "true"}), s.BINDING),
                "metadata.labels.rbac.authorization.k8s.io/aggregate-to-edit",
            ),
            Broken(
                (put(s.ADMINS, "rules[0].apiGroups", ["*"]), put(s.BINDING, "subjects", [{"name": "developers"}])),
                "subjects[0]",
            ),
        ),
        ((s.ADMINS,), (unknown(s.ADMINS, "rules"),)),
    ),
    "IF-20": Cases(
        (
            (s.BINDING,),
            (put(put(s.BINDING, "subjects[0].name", "system:authenticated"), "roleRef.name", "system:discovery"),),
        ),
        (
            breaking(s.BINDING, "subjects[0].name", "system:authenticated", "subjects[0]"),
            breaking(s.BINDING, "subjects[0].name", "system:serviceaccounts:shop", "subjects[0]"),
            Broken((put(put(s.BINDING, "subjects[0].name", "system:nodes"), "roleRef.name", "cluster-admin"),), "subjects[0]"),
            Broken(
                (
                    put(
                        put(s.BINDING, "subjects", [{"kind": "ServiceAccount", "name": "default", "namespace": "shop"}]),
                        "roleRef.name",
                        "cluster-admin",
                    ),
                ),
                "subjects[0]",
            ),
        ),
        ((unknown(s.BINDING, "subjects"),),),
    ),
    "NP-23": Cases(
        (
            (s.POOL, put(controller(), f"{PODS}.affinity", ELSEWHERE)),
            (s.POOL, put(controller(), f"{PODS}.nodeSelector", {"eks.amazonaws.com/nodegroup": "system"})),
            (put(s.POOL, f"{TEMPLATE}.taints", [{"key": "team", "value": "web", "effect": "NoSchedule"}]), controller()),
            (controller(),),
        ),
        (
            Broken((s.POOL, controller()), f"{PODS}.affinity"),
            Broken(
                (s.POOL, put(controller(), f"{PODS}.nodeSelector", {"karpenter.sh/nodepool": "general"})), f"{PODS}.affinity"
            ),
            Broken(
                (
                    put(s.POOL, f"{TEMPLATE}.taints", [{"key": "team", "value": "web", "effect": "NoSchedule"}]),
                    put(controller(), f"{PODS}.tolerations", [{"operator": "Exists"}]),
                ),
                f"{PODS}.affinity",
            ),
        ),
        ((unknown(s.POOL, f"{TEMPLATE}.requirements[0].values"), controller()),),
    ),
    "NP-22": Cases(
        ((s.PLAN,), (put(put(s.PLAN, f"{s.GENERAL}.accelerated", True), f"{s.GENERAL}.general", False),)),
        (breaking(s.PLAN, f"{s.GENERAL}.accelerated", True, s.GENERAL),),
        ((unknown(s.PLAN, "measures"),),),
    ),
    "NP-19": Cases(
        ((s.PLAN,), (put(s.PLAN, f"{s.GENERAL}.loweredBy", 12.5),)),
        (breaking(s.PLAN, f"{s.GENERAL}.loweredBy", 90, s.GENERAL),),
        ((unknown(s.PLAN, "measures"),),),
    ),
    "NP-20": Cases(
        ((s.NODE_GROUP,), (s.LAUNCH_TEMPLATE, s.INSTANCE), (s.AKS,)),
        (Broken(tuple(replace(s.INSTANCE, name=f"i{n}") for n in range(101)), ""),),
        ((unknown(s.NODE_GROUP, "scalingConfig.maxSize"),),),
    ),
    "NP-21": Cases(
        ((s.PLAN,), (s.PLAN, named(s.PLAN, "other"))),
        (
            Broken((s.plan_of("a"), named(s.plan_of("b"), "other")), "measures", {"perMonth": 10_000}),
            Broken(
                (s.PLAN, named(s.PLAN, "other"), s.POOL, replace(s.POOL, urn="in another cluster")),
                "measures",
                {"perMonth": 10_000},
            ),
            Broken((s.PLAN, named(s.PLAN, "other")), "measures", {"perHour": 1.5}),
        ),
        ((s.PLAN, unknown(named(s.PLAN, "other"), "measures")),),
        {"perMonth": 10_000, "perHour": 2},
    ),
    "PL-10": Cases(
        ((s.PLAN,), (put(s.PLAN, "measures.uncounted", []),)),
        (
            breaking(s.PLAN, "measures.uncounted", ["Cache web: nobody says how many"], "measures.uncounted[0]"),
            breaking(s.PLAN, "measures.uncounted", ["A a: x", "B b: x"], "measures.uncounted[1]", known=["A a"]),
        ),
        ((unknown(s.PLAN, "measures"),),),
    ),
    "NP-18": Cases(
        ((s.NODE_GROUP,), (s.LAUNCH_TEMPLATE,), (s.INSTANCE,)),
        (
            breaking(s.INSTANCE, "instanceType", "p5.48xlarge"),
            breaking(s.INSTANCE, "instanceType", "m7i.metal-24xl"),
            breaking(s.INSTANCE, "instanceType", "m7i.24xlarge"),
            breaking(s.NODE_GROUP, "scalingConfig.maxSize", 500),
            breaking(s.NODE_GROUP, "scalingConfig.maxSize", "500"),
            breaking(s.NODE_GROUP, "instanceTypes", ["m7i.large", "g6.xlarge"]),
            breaking(
                replace(s.INSTANCE, type="aws:autoscaling/group:Group"),
                "mixedInstancesPolicy",
                {"launchTemplate": {"overrides": [{"instanceType": "trn1.32xlarge"}]}},
                "mixedInstancesPolicy.launchTemplate.overrides[0].instanceType",
            ),
        ),
        ((unknown(s.INSTANCE, "instanceType"),),),
    ),
    "IF-14": Cases(
        (
            (s.RELEASE,),
            (put(s.RELEASE, "values.settings.enableZonalShift", True), s.CLUSTER),
            (s.RELEASE, drop(s.CLUSTER, "zonalShiftConfig")),
        ),
        (
            Broken(
                (put(s.RELEASE, "values.settings.enableZonalShift", True), drop(s.CLUSTER, "zonalShiftConfig")),
                "values.settings.enableZonalShift",
            ),
        ),
        (
            (put(s.RELEASE, "values.settings.enableZonalShift", True),),
            (put(s.RELEASE, "values.settings.enableZonalShift", True), unknown(s.CLUSTER, "zonalShiftConfig")),
        ),
    ),
    "IF-15": Cases(
        (
            (s.RELEASE,),
            (put(s.CRDS, "values", {"settings": {"disableDryRun": True}}),),
            (put(s.RELEASE, "values", "settings: {}"),),
            (put(put(s.RELEASE, "version", "1.15.1"), "values.settings.ignoreDRARequests", False),),
            (put(put(s.RELEASE, "version", "1.15.1"), "values.settings.enableDRA", True),),
        ),
        (
            breaking(
                put(put(s.RELEASE, "version", "1.15.1"), "values.settings.enableDRA", True),
                "values.settings.ignoreDRARequests",
                False,
                "values.settings.enableDRA",
            ),
            breaking(
                unknown(put(put(s.RELEASE, "version", "1.15.1"), "values.settings.enableDRA", True), "values.logLevel"),
                "values.settings.ignoreDRARequests",
                False,
                "values.settings.enableDRA",
            ),
            breaking(s.RELEASE, "values.settings.disableDryRun", True),
            breaking(s.RELEASE, "values.settings.interruptionQueueName", "demo"),
            breaking(s.RELEASE, "values.settings.vmMemoryOverheadPercent", 0),
            breaking(s.RELEASE, "values.settings.ignoreDRARequests", False),
        ),
        ((unknown(s.RELEASE, "values"),),),
    ),
    "IF-16": Cases(
        (
            (s.POOL, s.CLASS, s.RELEASE),
            (
                replace(
                    put(put(s.RELEASE, "name", "karpenter-crd"), "takeOwnership", True), options=Options(retain_on_delete=True)
                ),
            ),
        ),
        (
            Broken((replace(s.POOL, options=Options(retain_on_delete=True)),), ""),
            Broken((replace(put(s.RELEASE, "name", "karpenter-crd"), options=Options(retain_on_delete=True)),), ""),
            Broken((replace(put(s.RELEASE, "takeOwnership", True), options=Options(retain_on_delete=True)),), ""),
            Broken((replace(s.CLASS, options=Options(deleted_with="urn:pulumi:a::b::c::d")),), ""),
            breaking(
                s.POOL,
                "metadata.annotations",
                {"pulumi.com/deletionPropagationPolicy": "orphan"},
                "metadata.annotations.pulumi.com/deletionPropagationPolicy",
            ),
        ),
        ((unknown(s.POOL, "metadata"),),),
    ),
    "IF-17": Cases(
        ((s.CLUSTER,), (replace(drop(s.CLUSTER, "deletionProtection"), options=s.PROTECTED),)),
        (breaking(s.CLUSTER, "deletionProtection", False),),
        ((unknown(s.CLUSTER, "deletionProtection"),),),
    ),
    "IF-26": Cases(
        ((put(s.CLUSTER, "version", "1.36"),), (drop(s.CLUSTER, "version"),), (put(s.CLUSTER, "version", "1.99"),)),
        (breaking(s.CLUSTER, "version", "1.34"), breaking(s.CLUSTER, "version", "1.31")),
        ((unknown(s.CLUSTER, "version"),),),
    ),
    "IF-18": Cases(
        ((s.CLUSTER,),),
        (Broken((drop(s.CLUSTER, "encryptionConfig"),), "encryptionConfig"),),
        ((unknown(s.CLUSTER, "encryptionConfig"),),),
    ),
}

AZURE = {
    "AK-01": Cases(
        (
            (s.AKS,),
            (put(put(s.AKS, "nodeProvisioningProfile.mode", "Manual"), "networkProfile.networkPlugin", "kubenet"),),
            (put(s.AKS, "servicePrincipalProfile", {"clientId": "msi"}),),
            (put(s.AKS, "enableRBAC", True),),
            (s.AKS, s.AKS_POOL),
            (put(s.AKS, "nodeProvisioningProfile.mode", "Manual"), put(s.AKS_POOL, "osType", "Windows")),
        ),
        (
            breaking(s.AKS, "networkProfile.networkPlugin", "kubenet"),
            breaking(s.AKS, "networkProfile.networkPolicy", "calico"),
            breaking(s.AKS, "networkProfile.ipFamilies", ["IPv4", "IPv6"]),
            breaking(s.AKS, "agentPoolProfiles[0].enableAutoScaling", True),
            breaking(s.AKS, "agentPoolProfiles[0].osType", "Windows"),
            breaking(s.AKS, "agentPoolProfiles[0].podSubnetID", "/subscriptions/a"),
            breaking(s.AKS, "servicePrincipalProfile", {"clientId": "a"}),
            breaking(s.AKS, "enableRBAC", False),
            breaking(s.AKS, "publicNetworkAccess", "Disabled"),
            breaking(s.AKS, "windowsProfile", {"adminUsername": "a"}),
            breaking(s.AKS, "networkProfile.loadBalancerSku", "Basic"),
            breaking(s.AKS, "agentPoolProfiles[0].osSKU", "Flatcar"),
            breaking(s.AKS, "agentPoolProfiles[0].enableNodePublicIP", True),
            breaking(s.AKS, "agentPoolProfiles[0].powerState", {"code": "Stopped"}, "agentPoolProfiles[0].powerState.code"),
            Broken((s.AKS, put(s.AKS_POOL, "osType", "Windows")), "osType"),
            Broken((s.AKS, put(s.AKS_POOL, "podSubnetID", "/subscriptions/a")), "podSubnetID"),
            Broken((s.AKS, put(s.AKS_CLASSIC_POOL, "osType", "Windows")), "osType"),
        ),
        ((unknown(s.AKS, "networkProfile"),),),
    ),
    "AK-02": Cases(
        ((s.AKS,),),
        (
            breaking(s.AKS, "agentPoolProfiles[0].count", 1),
            breaking(s.AKS, "agentPoolProfiles[0].nodeTaints", []),
            breaking(s.AKS, "agentPoolProfiles[0].mode", "User", "agentPoolProfiles"),
        ),
        ((unknown(s.AKS, "agentPoolProfiles"),),),
    ),
    "AK-03": Cases(
        ((s.AKS,), (put(s.AKS, "apiServerAccessProfile", {"enablePrivateCluster": True}),)),
        (
            Broken((drop(s.AKS, "apiServerAccessProfile"),), "apiServerAccessProfile"),
            breaking(s.AKS, "apiServerAccessProfile.authorizedIPRanges", ["0.0.0.0/0"], "apiServerAccessProfile"),
            breaking(s.AKS, "apiServerAccessProfile.authorizedIPRanges", ["8000::/1", "::/1"], "apiServerAccessProfile"),
        ),
        ((unknown(s.AKS, "apiServerAccessProfile"),),),
    ),
    "AK-08": Cases(
        ((s.ROLE_ASSIGNMENT,),),
        (
            breaking(s.ROLE_ASSIGNMENT, "roleDefinitionId", f"{s.ROLES}/8e3af657-a8ff-443c-a75c-2fe8c4bcb635"),
            Broken(
                (
                    put(
                        put(s.ROLE_ASSIGNMENT, "roleDefinitionId", f"{s.ROLES}/b24988ac-6180-42a0-ab88-20f7382dd24c"),
                        "scope",
                        "/subscriptions/0",
                    ),
                ),
                "roleDefinitionId",
            ),
        ),
        ((unknown(s.ROLE_ASSIGNMENT, "roleDefinitionId"),),),
    ),
    "AK-09": Cases(
        ((s.NETWORK_GROUP,),),
        (
            breaking(s.NETWORK_GROUP, "securityRules[0].destinationPortRange", "22", "securityRules[0]"),
            breaking(s.NETWORK_GROUP, "securityRules[0].destinationPortRange", "22-*", "securityRules[0]"),
            Broken(
                (
                    put(
                        put(s.NETWORK_GROUP, "securityRules[0].destinationPortRange", "22"),
                        "securityRules[0].sourceAddressPrefix",
                        "::/1",
                    ),
                ),
                "securityRules[0]",
            ),
            Broken((s.NETWORK_GROUP, s.NETWORK_RULE), ""),
        ),
        ((unknown(s.NETWORK_GROUP, "securityRules"),),),
    ),
    "AK-10": Cases(
        ((s.FEDERATED,),),
        (
            breaking(s.FEDERATED, "subject", "system:serviceaccount:shop:default"),
            breaking(s.FEDERATED, "subject", "system:serviceaccount:shop:*"),
            breaking(s.FEDERATED, "audiences", ["anybody"]),
            breaking(s.FEDERATED, "issuer", "http://issuer.example.com"),
        ),
        ((unknown(s.FEDERATED, "audiences"),),),
    ),
    "AK-11": Cases(
        (
            (s.VAULT,),
            (put(s.VAULT, "properties.networkAcls", {"defaultAction": "Deny", "ipRules": [{"value": "203.0.113.7"}]}),),
        ),
        (
            breaking(s.VAULT, "properties.networkAcls.defaultAction", "Allow", "properties.networkAcls"),
            breaking(
                s.VAULT,
                "properties.accessPolicies",
                [{"objectId": "p", "permissions": {"secrets": ["all"], "keys": ["get"]}}],
                "properties.accessPolicies[0].permissions.secrets",
            ),
            Broken(
                (Resource("azure-native:keyvault:AccessPolicy", "p", {"policy": {"permissions": {"keys": ["All"]}}}),),
                "policy.permissions.keys",
            ),
        ),
        ((unknown(s.VAULT, "properties"),),),
    ),
    "AK-04": Cases(
        ((s.AKS,),),
        (breaking(s.AKS, "disableLocalAccounts", False),),
        ((unknown(s.AKS, "disableLocalAccounts"),),),
    ),
    "AK-05": Cases(
        ((s.AKS, s.WINDOW), (s.POOL,)),
        (
            Broken((s.AKS,), ""),
            Broken((s.AKS, put(s.WINDOW, "maintenanceWindow.durationHours", 2)), "maintenanceWindow.durationHours"),
        ),
        ((s.AKS, unknown(s.WINDOW, "maintenanceWindow")),),
    ),
    "AK-06": Cases(
        ((s.AKS_CLASS,),),
        (Broken((drop(s.AKS_CLASS, "spec.security"),), "spec.security.encryptionAtHost"),),
        ((unknown(s.AKS_CLASS, "spec.security"),),),
    ),
    "AK-12": Cases(
        (
            (put(s.AKS, "kubernetesVersion", "1.36.2"),),
            (s.AKS,),
            (put(s.AKS, "kubernetesVersion", "1.99"),),
            (put(put(s.AKS, "kubernetesVersion", "1.33"), "supportPlan", "AKSLongTermSupport"),),
        ),
        (
            breaking(s.AKS, "kubernetesVersion", "1.34"),
            breaking(s.AKS, "kubernetesVersion", "1.33.5"),
            breaking(put(s.AKS, "supportPlan", "AKSLongTermSupport"), "kubernetesVersion", "1.31"),
        ),
        ((unknown(s.AKS, "kubernetesVersion"),),),
    ),
    "AK-07": Cases(
        ((s.AKS, s.POOL), (drop(s.AKS, "nodeProvisioningProfile.defaultNodePools"),)),
        (
            Broken(
                (drop(s.AKS, "nodeProvisioningProfile.defaultNodePools"), s.POOL),
                "nodeProvisioningProfile.defaultNodePools",
            ),
        ),
        ((unknown(s.AKS, "nodeProvisioningProfile.defaultNodePools"), s.POOL),),
    ),
}

CASES = {**NODE_POOLS, **PLANS, **NODE_CLASSES, **INFRASTRUCTURE, **AZURE}
