"""The permissions of software that most clusters run: load balancers, secrets, certificates and volumes (spec:
aws-infrastructure 10).

The actions are those of each project's own page. Wherever AWS knows the resource, the rights end at this cluster's tag, at the
given ARNs, or at the account and region.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.infrastructure.iam.documents import EVERYTHING, Condition, Document, Operator, Statement
from cutlist.infrastructure.names import ClusterFacts

_ELB: Final = "elasticloadbalancing"
_ELB_TAG: Final = "elbv2.k8s.aws/cluster"
_ELB_READS: Final = tuple(
    f"{_ELB}:Describe{what}"
    for what in (
        *("CapacityReservation", "ListenerAttributes", "ListenerCertificates", "Listeners", "LoadBalancerAttributes"),
        *(
            "LoadBalancers",
            "Rules",
            "SSLPolicies",
            "Tags",
            "TargetGroupAttributes",
            "TargetGroups",
            "TargetHealth",
            "TrustStores",
        ),
    )
)
_EC2_READS: Final = tuple(
    f"ec2:Describe{what}"
    for what in (
        *("AccountAttributes", "Addresses", "AvailabilityZones", "CoipPools", "Instances", "InternetGateways", "IpamPools"),
        *("NetworkInterfaces", "RouteTables", "SecurityGroups", "Subnets", "Tags", "VpcPeeringConnections", "Vpcs"),
    )
)
_ELB_CHANGES: Final = tuple(
    f"{_ELB}:{what}"
    for what in (
        *("DeleteLoadBalancer", "DeleteTargetGroup", "ModifyCapacityReservation", "ModifyIpPools", "ModifyListenerAttributes"),
        *("ModifyLoadBalancerAttributes", "ModifyTargetGroup", "ModifyTargetGroupAttributes", "SetIpAddressType"),
        *("SetSecurityGroups", "SetSubnets"),
    )
)
_ELB_LISTENERS: Final = tuple(
    f"{_ELB}:{what}"
    for what in (
        *("AddListenerCertificates", "CreateListener", "CreateRule", "DeleteListener", "DeleteRule", "ModifyListener"),
        *("ModifyRule", "RemoveListenerCertificates", "SetRulePriorities", "SetWebAcl"),
    )
)
_FIREWALLS: Final = tuple(
    f"{service}:{what}"
    for service in ("waf-regional", "wafv2")
    for what in ("AssociateWebACL", "DisassociateWebACL", "GetWebACL", "GetWebACLForResource")
)
_SHIELD: Final = tuple(
    f"shield:{what}" for what in ("CreateProtection", "DeleteProtection", "DescribeProtection", "GetSubscriptionState")
)
_CERTIFICATES: Final = (
    *("acm:DescribeCertificate", "acm:ListCertificates", "cognito-idp:DescribeUserPoolClient"),
    *("iam:GetServerCertificate", "iam:ListServerCertificates"),
)
_SECRETS: Final = tuple(
    f"secretsmanager:{what}" for what in ("DescribeSecret", "GetResourcePolicy", "GetSecretValue", "ListSecretVersionIds")
)
_PARTS: Final = 6
"""The parts of an ARN, between colons: the last one may have colons of its own."""
_PARAMETERS: Final = ("ssm:GetParameter", "ssm:GetParameters", "ssm:GetParametersByPath")


@dataclass(frozen=True, slots=True)
class Ready:
    """What a piece of software needs: the namespace and service account of its chart, AWS's own policies, and what makes its
    document from ARNs. `resources` says which ARNs it has to be given, and `arns` has their services, each with how the last
    part begins; both are empty for one that takes no ARNs."""

    namespace: str
    service_account: str
    policies: tuple[str, ...] = ()
    document: Callable[[ClusterFacts, Sequence[str]], Document] | None = None
    resources: str = ""
    arns: tuple[tuple[str, str], ...] = ()

    def takes(self, arn: str, partition: str) -> bool:
        """Tell whether an ARN, which may end in *, is one of the resources in a partition."""
        parts = arn.split(":", _PARTS - 1)
        return len(parts) == _PARTS and any(
            (parts[0], parts[1], parts[2]) == ("arn", partition, service) and parts[-1].startswith(begin)
            for service, begin in self.arns
        )

    def examples(self, partition: str) -> str:
        """Return how the ARNs begin that it takes."""
        return " or ".join(f"arn:{partition}:{service}:...:{begin}..." for service, begin in self.arns)


def load_balancer_document(facts: ClusterFacts, _: Sequence[str] = ()) -> Document:
    """Return what the AWS Load Balancer Controller may do: change what carries the tag of this cluster, and read the rest
    (kubernetes-sigs.github.io/aws-load-balancer-controller, installation, its policy for version 2)."""
    tagged = (Condition(Operator.STRING_EQUALS, f"aws:ResourceTag/{_ELB_TAG}", (facts.cluster,)),)
    asked = (Condition(Operator.STRING_EQUALS, f"aws:RequestTag/{_ELB_TAG}", (facts.cluster,)),)
    linked = (Condition(Operator.STRING_EQUALS, "iam:AWSServiceName", (f"{_ELB}.amazonaws.com",)),)
    created = (Condition(Operator.STRING_EQUALS, "ec2:CreateAction", ("CreateSecurityGroup",)),)
    made = (Condition(Operator.STRING_EQUALS, f"{_ELB}:CreateAction", ("CreateLoadBalancer", "CreateTargetGroup")),)
    groups = (facts.arn("ec2", "security-group/*"),)
    balancers = tuple(facts.arn(_ELB, f"{what}/*") for what in ("loadbalancer", "targetgroup"))
    rules = tuple(facts.arn(_ELB, f"{what}/*") for what in ("listener", "listener-rule"))
    ingress = ("ec2:AuthorizeSecurityGroupIngress", "ec2:RevokeSecurityGroupIngress")
    tags = (f"{_ELB}:AddTags", f"{_ELB}:RemoveTags")
    return Document(
        (
            Statement("LinkRole", ("iam:CreateServiceLinkedRole",), EVERYTHING, linked),
            Statement("Read", (*_EC2_READS, "ec2:GetCoipPoolUsage", "ec2:GetSecurityGroupsForVpc", *_ELB_READS), EVERYTHING),
            Statement("CertificatesAndFirewalls", (*_CERTIFICATES, *_FIREWALLS, *_SHIELD), EVERYTHING),
            Statement("IngressOfNodes", ingress, groups),
            Statement("CreateGroup", ("ec2:CreateSecurityGroup",), (*groups, facts.arn("ec2", "vpc/*"))),
            Statement("TagNewGroup", ("ec2:CreateTags",), groups, (*created, *asked)),
            Statement("OwnGroups", ("ec2:CreateTags", "ec2:DeleteSecurityGroup", "ec2:DeleteTags"), groups, tagged),
            Statement("Create", (f"{_ELB}:CreateLoadBalancer", f"{_ELB}:CreateTargetGroup"), balancers, asked),
            Statement("TagNew", (f"{_ELB}:AddTags",), balancers, (*made, *asked)),
            Statement("OwnTags", tags, balancers, tagged),
            Statement("Own", _ELB_CHANGES, EVERYTHING, tagged),
            Statement("Listeners", (*_ELB_LISTENERS, *tags), (*rules, balancers[0])),
            Statement("Targets", (f"{_ELB}:DeregisterTargets", f"{_ELB}:RegisterTargets"), balancers[1:]),
        )
    )


def cert_manager_document(facts: ClusterFacts, zones: Sequence[str]) -> Document:
    """Return what cert-manager may do: write TXT records of zones with these ARNs, for challenges of DNS
    (cert-manager.io/docs/configuration/acme/dns01/route53)."""
    texts = (Condition(Operator.FOR_ALL_STRING_EQUALS, "route53:ChangeResourceRecordSetsRecordTypes", ("TXT",)),)
    changes = (facts.arn("route53", "change/*", region="", account=""),)
    return Document(
        (
            Statement("WriteChallenges", ("route53:ChangeResourceRecordSets",), tuple(zones), texts),
            Statement("ReadRecords", ("route53:ListResourceRecordSets",), tuple(zones)),
            Statement("FollowChanges", ("route53:GetChange",), changes),
            Statement("FindZones", ("route53:ListHostedZonesByName",), EVERYTHING),
        )
    )


def external_secrets_document(_: ClusterFacts, arns: Sequence[str]) -> Document:
    """Return what External Secrets may read: the secrets and parameters with these ARNs
    (external-secrets.io/latest/provider/aws-secrets-manager, aws-parameter-store)."""
    parameters = tuple(arn for arn in arns if arn.split(":")[2:3] == ["ssm"])
    secrets = tuple(arn for arn in arns if arn not in parameters)
    statements = (Statement("ReadSecrets", _SECRETS, secrets), Statement("ReadParameters", _PARAMETERS, parameters))
    return Document(tuple(statement for statement in statements if statement.resources))


READY: Final[Mapping[str, Ready]] = {
    "aws-load-balancer-controller": Ready("kube-system", "aws-load-balancer-controller", document=load_balancer_document),
    "cert-manager": Ready(
        "cert-manager",
        "cert-manager",
        document=cert_manager_document,
        resources="hosted zones",
        arns=(("route53", "hostedzone"),),
    ),
    "ebs-csi": Ready("kube-system", "ebs-csi-controller-sa", ("service-role/AmazonEBSCSIDriverPolicy",)),
    "efs-csi": Ready("kube-system", "efs-csi-controller-sa", ("service-role/AmazonEFSCSIDriverPolicy",)),
    "external-secrets": Ready(
        "external-secrets",
        "external-secrets",
        document=external_secrets_document,
        resources="secrets or parameters",
        arns=(("secretsmanager", "secret"), ("ssm", "parameter")),
    ),
}
"""The software, by the name of its chart or driver. ExternalDNS has a component of its own."""
