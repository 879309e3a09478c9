"""A cluster with system nodes, a controller and nodes with roles as modules for EKS make them, and Karpenter's chart."""

import json

import pulumi
import pulumi_aws as aws
import pulumi_kubernetes as k8s
import yaml
from pulumi_cutlist.plan import NodePlan

ACCOUNT, CLUSTER, REGION = "111122223333", "shop", "us-west-2"
OWNED = {f"aws:RequestTag/kubernetes.io/cluster/{CLUSTER}": "owned"}
BY_POOL = {"aws:RequestTag/karpenter.sh/nodepool": "*"}
OF_CLUSTER = {f"aws:ResourceTag/kubernetes.io/cluster/{CLUSTER}": "owned"}
EC2 = f"arn:aws:ec2:{REGION}:*"


def trust(service: str, *actions: str) -> str:
    statement = {"Effect": "Allow", "Principal": {"Service": service}, "Action": list(actions)}
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]})


def allow(actions: list[str], resources: str | list[str], **conditions: dict[str, str]) -> dict[str, object]:
    statement: dict[str, object] = {"Effect": "Allow", "Action": actions, "Resource": resources}
    return {**statement, **({"Condition": conditions} if conditions else {})}


key = aws.kms.Key("secrets", enable_key_rotation=True, description="Secrets of the cluster")
role = aws.iam.Role(
    "cluster", name="shop-cluster", assume_role_policy=trust("eks.amazonaws.com", "sts:AssumeRole", "sts:TagSession")
)
aws.iam.RolePolicyAttachment("cluster", role=role.name, policy_arn="arn:aws:iam::aws:policy/AmazonEKSClusterPolicy")
cluster = aws.eks.Cluster(
    CLUSTER,
    name=CLUSTER,
    version="1.34",
    role_arn=role.arn,
    access_config={"authentication_mode": "API", "bootstrap_cluster_creator_admin_permissions": False},
    encryption_config={"provider": {"key_arn": key.arn}, "resources": ["secrets"]},
    enabled_cluster_log_types=["api", "audit", "authenticator"],
    deletion_protection=True,
    vpc_config={
        "subnet_ids": ["subnet-1", "subnet-2", "subnet-3"],
        "endpoint_private_access": True,
        "endpoint_public_access": True,
        "public_access_cidrs": ["203.0.113.0/24"],
    },
)
node = aws.iam.Role("node", name="shop-node", assume_role_policy=trust("ec2.amazonaws.com", "sts:AssumeRole"))
for name in (
    "AmazonEKSWorkerNodePolicy",
    "AmazonEC2ContainerRegistryPullOnly",
    "AmazonEKS_CNI_Policy",
    "AmazonSSMManagedInstanceCore",
):
    aws.iam.RolePolicyAttachment(f"node-{name}", role=node.name, policy_arn=f"arn:aws:iam::aws:policy/{name}")
aws.eks.AccessEntry("node", cluster_name=cluster.name, principal_arn=node.arn, type="EC2_LINUX")
template = aws.ec2.LaunchTemplate(
    "system",
    metadata_options={"http_tokens": "required", "http_put_response_hop_limit": 1, "http_endpoint": "enabled"},
    block_device_mappings=[{"device_name": "/dev/xvda", "ebs": {"encrypted": "true", "volume_size": 50, "volume_type": "gp3"}}],
)
aws.eks.NodeGroup(
    "system",
    cluster_name=cluster.name,
    node_role_arn=node.arn,
    subnet_ids=["subnet-1", "subnet-2"],
    instance_types=["m7i.large"],
    scaling_config={"desired_size": 2, "min_size": 2, "max_size": 3},
    taints=[{"key": "CriticalAddonsOnly", "value": "true", "effect": "NO_SCHEDULE"}],
    launch_template={"id": template.id, "version": "1"},
)

queue = aws.sqs.Queue("karpenter", name=CLUSTER, message_retention_seconds=300, sqs_managed_sse_enabled=True)
QUEUE = f"arn:aws:sqs:{REGION}:{ACCOUNT}:{CLUSTER}"
rules = {
    "health": {"source": ["aws.health"], "detail-type": ["AWS Health Event"]},
    "spot": {"source": ["aws.ec2"], "detail-type": ["EC2 Spot Instance Interruption Warning"]},
    "rebalance": {"source": ["aws.ec2"], "detail-type": ["EC2 Instance Rebalance Recommendation"]},
    "state": {"source": ["aws.ec2"], "detail-type": ["EC2 Instance State-change Notification"]},
    "reservation": {"source": ["aws.ec2"], "detail-type": ["EC2 Capacity Reservation Instance Interruption Warning"]},
}
arns = []
for name, pattern in rules.items():
    rule = aws.cloudwatch.EventRule(name, name=f"{CLUSTER}-{name}", event_pattern=json.dumps(pattern))
    aws.cloudwatch.EventTarget(name, rule=rule.name, arn=queue.arn)
    arns.append(f"arn:aws:events:{REGION}:{ACCOUNT}:rule/{CLUSTER}-{name}")
sent = {"Effect": "Allow", "Principal": {"Service": "events.amazonaws.com"}, "Action": "sqs:SendMessage", "Resource": QUEUE}
encrypted = {
    "Effect": "Deny",
    "Principal": "*",
    "Action": "sqs:*",
    "Resource": QUEUE,
    "Condition": {"Bool": {"aws:SecureTransport": "false"}},
}
policy = {"Version": "2012-10-17", "Statement": [{**sent, "Condition": {"ArnEquals": {"aws:SourceArn": arns}}}, encrypted]}
aws.sqs.QueuePolicy("karpenter", queue_url=queue.url, policy=json.dumps(policy))

controller = aws.iam.Role(
    "controller",
    name="shop-karpenter",
    assume_role_policy=json.dumps(
        {
            "Version": "2012-10-17",
            "Statement": [
                {
                    "Effect": "Allow",
                    "Principal": {"Service": "pods.eks.amazonaws.com"},
                    "Action": ["sts:AssumeRole", "sts:TagSession"],
                    "Condition": {
                        "StringEquals": {
                            "aws:SourceAccount": ACCOUNT,
                            "aws:RequestTag/eks-cluster-arn": f"arn:aws:eks:{REGION}:{ACCOUNT}:cluster/{CLUSTER}",
                            "aws:RequestTag/kubernetes-namespace": "kube-system",
                            "aws:RequestTag/kubernetes-service-account": "karpenter",
                        }
                    },
                }
            ],
        }
    ),
)
LAUNCHED = [
    f"{EC2}:{kind}/*"
    for kind in ("fleet", "instance", "volume", "network-interface", "launch-template", "spot-instances-request")
]
USED = [f"arn:aws:ec2:{REGION}::{kind}/*" for kind in ("image", "snapshot")]
USED += [f"{EC2}:{kind}/*" for kind in ("security-group", "subnet", "capacity-reservation", "placement-group")]
PROFILES = f"arn:aws:iam::{ACCOUNT}:instance-profile/*"
REGIONAL = {"StringEquals": {"aws:RequestedRegion": REGION}}
statements = [
    allow(["ec2:RunInstances", "ec2:CreateFleet"], USED),
    allow(
        ["ec2:RunInstances", "ec2:CreateFleet"],
        [f"{EC2}:launch-template/*"],
        StringEquals=OF_CLUSTER,
        StringLike={"aws:ResourceTag/karpenter.sh/nodepool": "*"},
    ),
    allow(
        ["ec2:RunInstances", "ec2:CreateFleet", "ec2:CreateLaunchTemplate"],
        LAUNCHED,
        StringEquals={**OWNED, "aws:RequestTag/eks:eks-cluster-name": CLUSTER},
        StringLike=BY_POOL,
    ),
    allow(
        ["ec2:CreateTags"],
        LAUNCHED,
        StringEquals={
            **OWNED,
            "aws:RequestTag/eks:eks-cluster-name": CLUSTER,
            "ec2:CreateAction": ["RunInstances", "CreateFleet", "CreateLaunchTemplate"],
        },
        StringLike=BY_POOL,
    ),
    allow(
        ["ec2:CreateTags"],
        f"{EC2}:instance/*",
        StringEquals=OF_CLUSTER,
        StringLike={"aws:ResourceTag/karpenter.sh/nodepool": "*"},
        StringEqualsIfExists={"aws:RequestTag/eks:eks-cluster-name": CLUSTER},
        **{"ForAllValues:StringEquals": {"aws:TagKeys": ["eks:eks-cluster-name", "karpenter.sh/nodeclaim", "Name"]}},
    ),
    allow(
        ["ec2:TerminateInstances", "ec2:DeleteLaunchTemplate"],
        [f"{EC2}:instance/*", f"{EC2}:launch-template/*"],
        StringEquals=OF_CLUSTER,
        StringLike={"aws:ResourceTag/karpenter.sh/nodepool": "*"},
    ),
    allow(
        [
            f"ec2:Describe{what}"
            for what in (
                "CapacityReservations",
                "Images",
                "Instances",
                "InstanceStatus",
                "InstanceTypeOfferings",
                "InstanceTypes",
                "LaunchTemplates",
                "PlacementGroups",
                "SecurityGroups",
                "SpotPriceHistory",
                "Subnets",
            )
        ],
        "*",
        **REGIONAL,
    ),
    allow(["ssm:GetParameter"], f"arn:aws:ssm:{REGION}::parameter/aws/service/*"),
    allow(["pricing:GetProducts"], "*"),
    allow(["sqs:DeleteMessage", "sqs:GetQueueUrl", "sqs:ReceiveMessage"], QUEUE),
    allow(
        ["iam:PassRole"], f"arn:aws:iam::{ACCOUNT}:role/shop-node", StringEquals={"iam:PassedToService": "ec2.amazonaws.com"}
    ),
    allow(
        ["iam:CreateInstanceProfile"],
        PROFILES,
        StringEquals={
            **OWNED,
            "aws:RequestTag/eks:eks-cluster-name": CLUSTER,
            "aws:RequestTag/topology.kubernetes.io/region": REGION,
        },
        StringLike={"aws:RequestTag/karpenter.k8s.aws/ec2nodeclass": "*"},
    ),
    allow(
        ["iam:TagInstanceProfile"],
        PROFILES,
        StringEquals={
            **OF_CLUSTER,
            **OWNED,
            "aws:ResourceTag/topology.kubernetes.io/region": REGION,
            "aws:RequestTag/eks:eks-cluster-name": CLUSTER,
            "aws:RequestTag/topology.kubernetes.io/region": REGION,
        },
        StringLike={
            "aws:ResourceTag/karpenter.k8s.aws/ec2nodeclass": "*",
            "aws:RequestTag/karpenter.k8s.aws/ec2nodeclass": "*",
        },
    ),
    allow(
        ["iam:AddRoleToInstanceProfile", "iam:RemoveRoleFromInstanceProfile", "iam:DeleteInstanceProfile"],
        PROFILES,
        StringEquals={**OF_CLUSTER, "aws:ResourceTag/topology.kubernetes.io/region": REGION},
        StringLike={"aws:ResourceTag/karpenter.k8s.aws/ec2nodeclass": "*"},
    ),
    allow(["iam:GetInstanceProfile"], PROFILES),
    allow(["iam:ListInstanceProfiles"], "*"),
    allow(["eks:DescribeCluster"], f"arn:aws:eks:{REGION}:{ACCOUNT}:cluster/{CLUSTER}"),
]
rights = aws.iam.Policy(
    "controller", name="shop-karpenter", policy=json.dumps({"Version": "2012-10-17", "Statement": statements})
)
aws.iam.RolePolicyAttachment("controller", role=controller.name, policy_arn=rights.arn)
aws.eks.PodIdentityAssociation(
    "controller", cluster_name=cluster.name, namespace="kube-system", service_account="karpenter", role_arn=controller.arn
)

provider = k8s.Provider("cluster", kubeconfig=json.dumps({"apiVersion": "v1", "kind": "Config", "clusters": []}))
on_cluster = pulumi.ResourceOptions(provider=provider)
CHART = {"namespace": "kube-system", "version": "1.15.0"}
crds = k8s.helm.v3.Release(
    "karpenter-crd", name="karpenter-crd", chart="oci://public.ecr.aws/karpenter/karpenter-crd", opts=on_cluster, **CHART
)
release = k8s.helm.v3.Release(
    "karpenter",
    name="karpenter",
    chart="oci://public.ecr.aws/karpenter/karpenter",
    values={"settings": {"clusterName": CLUSTER, "interruptionQueue": CLUSTER}, "replicas": 2},
    opts=pulumi.ResourceOptions(provider=provider, depends_on=[crds]),
    **CHART,
)
with open("objects.yaml", encoding="utf-8") as file:
    objects = list(yaml.safe_load_all(file))
NodePlan("nodes", {"region": REGION, "manifests": objects})
for manifest in objects:
    k8s.apiextensions.CustomResource(
        f"{manifest['kind']}-{manifest['metadata']['name']}".lower(),
        api_version=manifest["apiVersion"],
        kind=manifest["kind"],
        metadata=manifest["metadata"],
        spec=manifest["spec"],
        opts=pulumi.ResourceOptions(provider=provider, depends_on=[release]),
    )
