"""Roles of what platforms run on a cluster of EKS: by the cluster's own provider of identities, and one for deployments."""

import json

import pulumi
import pulumi_aws as aws

ACCOUNT, REGION, CLUSTER = "111122223333", "us-west-2", "shop"
ISSUER = f"oidc.eks.{REGION}.amazonaws.com/id/EXAMPLED539D4633E53DE1B71EXAMPLE"
PROVIDER = f"arn:aws:iam::{ACCOUNT}:oidc-provider/{ISSUER}"
MANAGED = "arn:aws:iam::aws:policy"
TAG = "aws:ResourceTag/elbv2.k8s.aws/cluster"


def document(*statements: dict[str, object]) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)})


def allow(actions: list[str], resources: str | list[str] = "*", **conditions: dict[str, str]) -> dict[str, object]:
    return {"Effect": "Allow", "Action": actions, "Resource": resources, **({"Condition": conditions} if conditions else {})}


def account_role(name: str, namespace: str, service_account: str) -> aws.iam.Role:
    statement = {
        "Effect": "Allow",
        "Principal": {"Federated": PROVIDER},
        "Action": "sts:AssumeRoleWithWebIdentity",
        "Condition": {
            "StringEquals": {
                f"{ISSUER}:aud": "sts.amazonaws.com",
                f"{ISSUER}:sub": f"system:serviceaccount:{namespace}:{service_account}",
            }
        },
    }
    return aws.iam.Role(name, name=f"{CLUSTER}-{name}", assume_role_policy=document(statement))


issuer = aws.iam.OpenIdConnectProvider("cluster", url=f"https://{ISSUER}", client_id_lists=["sts.amazonaws.com"])
disks = account_role("ebs-csi", "kube-system", "ebs-csi-controller-sa")
aws.iam.RolePolicyAttachment("ebs-csi", role=disks.name, policy_arn=f"{MANAGED}/service-role/AmazonEBSCSIDriverPolicy")

dns = account_role("external-dns", "external-dns", "external-dns")
zones = allow(["route53:ChangeResourceRecordSets"], "arn:aws:route53:::hostedzone/Z0123456789ABC")
aws.iam.RolePolicy(
    "external-dns", role=dns.name, policy=document(zones, allow(["route53:ListHostedZones", "route53:ListResourceRecordSets"]))
)

secrets = account_role("external-secrets", "external-secrets", "external-secrets")
reading = allow(
    ["secretsmanager:GetSecretValue", "secretsmanager:DescribeSecret"],
    f"arn:aws:secretsmanager:{REGION}:{ACCOUNT}:secret:shop/*",
)
aws.iam.RolePolicy("external-secrets", role=secrets.name, policy=document(reading))

backups = account_role("velero", "velero", "velero")
objects = allow(["s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload"], "arn:aws:s3:::shop-backups/*")
snapshots = allow(
    [
        "ec2:DescribeVolumes",
        "ec2:DescribeSnapshots",
        "ec2:CreateTags",
        "ec2:CreateVolume",
        "ec2:CreateSnapshot",
        "ec2:DeleteSnapshot",
    ]
)
aws.iam.RolePolicy(
    "velero", role=backups.name, policy=document(objects, allow(["s3:ListBucket"], "arn:aws:s3:::shop-backups"), snapshots)
)

balancers = account_role("load-balancers", "kube-system", "aws-load-balancer-controller")
rights = document(
    allow(["iam:CreateServiceLinkedRole"], "*", StringEquals={"iam:AWSServiceName": "elasticloadbalancing.amazonaws.com"}),
    allow(
        ["ec2:DescribeSubnets", "ec2:DescribeSecurityGroups", "ec2:DescribeVpcs", "elasticloadbalancing:DescribeLoadBalancers"]
    ),
    allow(["cognito-idp:DescribeUserPoolClient", "acm:ListCertificates", "acm:DescribeCertificate", "wafv2:GetWebACL"]),
    allow(["ec2:AuthorizeSecurityGroupIngress", "ec2:RevokeSecurityGroupIngress", "ec2:CreateSecurityGroup"]),
    allow(["ec2:CreateTags"], "arn:aws:ec2:*:*:security-group/*", StringEquals={"ec2:CreateAction": "CreateSecurityGroup"}),
    allow(["ec2:DeleteSecurityGroup"], "*", Null={TAG: "false"}),
    allow(
        ["elasticloadbalancing:CreateLoadBalancer", "elasticloadbalancing:CreateTargetGroup"],
        "*",
        Null={"aws:RequestTag/elbv2.k8s.aws/cluster": "false"},
    ),
    allow(["elasticloadbalancing:CreateListener", "elasticloadbalancing:DeleteListener", "elasticloadbalancing:CreateRule"]),
)
policy = aws.iam.Policy("load-balancers", name=f"{CLUSTER}-load-balancers", policy=rights)
aws.iam.RolePolicyAttachment("load-balancers", role=balancers.name, policy_arn=policy.arn)

logs = account_role("logs", "logging", "fluent-bit")
writing = allow(["logs:CreateLogStream", "logs:PutLogEvents"], f"arn:aws:logs:{REGION}:{ACCOUNT}:log-group:/eks/{CLUSTER}/*")
aws.iam.RolePolicy("logs", role=logs.name, policy=document(writing))

scaler = account_role("keda", "keda", "keda-operator")
aws.iam.RolePolicy(
    "keda", role=scaler.name, policy=document(allow(["sqs:GetQueueAttributes"], f"arn:aws:sqs:{REGION}:{ACCOUNT}:orders"))
)

GITHUB = "token.actions.githubusercontent.com"
pushed = {
    "Effect": "Allow",
    "Principal": {"Federated": f"arn:aws:iam::{ACCOUNT}:oidc-provider/{GITHUB}"},
    "Action": "sts:AssumeRoleWithWebIdentity",
    "Condition": {
        "StringEquals": {f"{GITHUB}:aud": "sts.amazonaws.com", f"{GITHUB}:sub": "repo:example/shop:ref:refs/heads/main"}
    },
}
images = aws.iam.Role("images", name="shop-images", assume_role_policy=document(pushed))
push = [
    "ecr:BatchCheckLayerAvailability",
    "ecr:InitiateLayerUpload",
    "ecr:UploadLayerPart",
    "ecr:CompleteLayerUpload",
    "ecr:PutImage",
]
repository = f"arn:aws:ecr:{REGION}:{ACCOUNT}:repository/shop/*"
aws.iam.RolePolicy("images", role=images.name, policy=document(allow(["ecr:GetAuthorizationToken"]), allow(push, repository)))
nodes = aws.ec2.SecurityGroup("nodes", description="Nodes", vpc_id="vpc-1", tags={"karpenter.sh/discovery": CLUSTER})
aws.vpc.SecurityGroupIngressRule(
    "nodes-self", security_group_id=nodes.id, referenced_security_group_id=nodes.id, ip_protocol="-1"
)
aws.vpc.SecurityGroupEgressRule("nodes-out", security_group_id=nodes.id, cidr_ipv4="0.0.0.0/0", ip_protocol="-1")
public = aws.ec2.SecurityGroup(
    "public",
    description="Load balancers",
    vpc_id="vpc-1",
    ingress=[{"protocol": "tcp", "from_port": 443, "to_port": 443, "cidr_blocks": ["0.0.0.0/0"]}],
    egress=[{"protocol": "-1", "from_port": 0, "to_port": 0, "cidr_blocks": ["0.0.0.0/0"]}],
)
pulumi.export("issuer", issuer.arn)
