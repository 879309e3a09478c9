"""Look-ups of a program that runs without an account: what is answered, what stands in, and what is unknown because of it
(pulumi 4.5.1)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pulumi.output import Unknown
from pulumi_cutlist.recorded.look_ups import shown_look_ups

from cutlist.core.errors import InputError
from tests.infrastructure.looked_up import lacking, of, run_with_look_ups


@pytest.fixture
def run(tmp_path: Path, monkeypatch):
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "ARM_SUBSCRIPTION_ID", "ARM_TENANT_ID"):
        monkeypatch.delenv(name, raising=False)
    return lambda source, config=None, lookups=None: run_with_look_ups(tmp_path, source, config, lookups)


ABOUT_AWS = """
import pulumi, pulumi_aws as aws
zones = aws.get_availability_zones(state="available", exclude_names=["eu-west-1b"])
pulumi.export("zones", zones.names)
pulumi.export("none", aws.get_availability_zones(filters=[{"name": "opt-in-status", "values": ["opted-in"]}]).names)
pulumi.export("where", aws.get_region().description)
pulumi.export("partition", aws.get_partition().dns_suffix)
pulumi.export("service", aws.get_service_principal_output(service_name="logs").name)
pulumi.export("arn", aws.get_arn(arn="arn:aws:iam::111122223333:role/a/b").resource)
pulumi.export("cores", aws.ec2.get_instance_type(instance_type="m7g.large").default_vcpus)
versions = aws.eks.get_cluster_versions().cluster_versions
pulumi.export("newest", [versions[0].cluster_version, versions[0].version_status])
"""


def test_what_follows_from_the_region_is_answered(run):
    """Zones, names, partition, principals, machines and versions: as values and as outputs, each with what it is from."""
    recording = run(ABOUT_AWS)
    assert recording.exports == {
        "zones": ["eu-west-1a", "eu-west-1c"],
        "none": [],
        "where": "Europe (Ireland)",
        "partition": "amazonaws.com",
        "service": "logs.amazonaws.com",
        "arn": "role/a/b",
        "cores": 2,
        "newest": ["1.36", "STANDARD_SUPPORT"],
    }
    assert of(recording, "getRegion").source == "aws:region"
    assert not of(recording, "getServicePrincipal").is_open


def test_a_region_of_china_has_its_own_domain_and_principals(run):
    exports = run(ABOUT_AWS.partition('pulumi.export("arn"')[0], {"aws:region": "cn-north-1"}).exports
    assert (exports["partition"], exports["service"], exports["zones"]) != ("amazonaws.com", "logs.amazonaws.com", [])
    assert exports["service"] == "logs.amazonaws.com.cn"


WHO = """
import pulumi, pulumi_aws as aws
other = aws.Provider("other", region="us-east-1", {how})
mine = aws.get_caller_identity(opts=pulumi.InvokeOptions(provider=other)).account_id
pulumi.export("accounts", [mine, aws.get_caller_identity_output().account_id])
"""


@pytest.mark.parametrize(
    "how", ['allowed_account_ids=["444455556666"]', 'assume_roles=[{"role_arn": "arn:aws:iam::444455556666:role/Deployer"}]']
)
@pytest.mark.parametrize(
    "config",
    [
        {"aws:allowedAccountIds": '["111122223333"]'},
        {"shop:accountId": "111122223333"},
        {"shop:karpenterCluster": '{"accountId": "111122223333"}'},
        {"aws:assumeRoles": '[{"roleArn": "arn:aws:iam::111122223333:role/x"}]'},
    ],
)
def test_the_account_is_that_of_the_provider_that_is_asked(run, how, config):
    """An explicit provider has its own; the default one that of the stack's configuration."""
    assert run(WHO.format(how=how), config).exports["accounts"] == ["444455556666", "111122223333"]


STANDS_IN = """
import json, pulumi, pulumi_aws as aws
account = aws.get_caller_identity().account_id
aws.s3.Bucket("logs", bucket=f"logs-{account}", tags={"kept": "x"})
trust = {"Statement": [{"Principal": {"AWS": f"arn:aws:iam::{account}:root"}}]}
aws.iam.Role("deploy", assume_role_policy=json.dumps(trust))
vpc = aws.ec2.get_vpc(default=True)
ids = aws.ec2.get_subnets(filters=[{"name": "vpc-id", "values": [vpc.id]}]).ids
aws.lb.LoadBalancer("web", subnets=ids[:2])
pulumi.export("bucket", f"logs-{account}")
pulumi.export("dns", vpc.enable_dns_support)
"""


def test_what_a_program_needs_at_once_stands_in_and_is_unknown_where_it_ends(run):
    """A program goes on with a value of the same form; inputs and outputs that hold it are unknown, others are not."""
    recording = run(STANDS_IN)
    [bucket] = recording.of_type("aws:s3/bucket:Bucket")
    assert isinstance(bucket.inputs["bucket"], Unknown)
    assert bucket.inputs["tags"] == {"kept": "x"}
    assert isinstance(recording.exports["bucket"], Unknown)
    assert recording.exports["dns"] is True
    assert of(recording, "getCallerIdentity").stand_ins == ("000000000000",)
    assert lacking(recording, "getCallerIdentity") == {
        "Bucket/logs": ("bucket",),
        "Role/deploy": ("assumeRolePolicy",),
        "outputs": ("bucket",),
    }
    assert lacking(recording, "getSubnets") == {"LoadBalancer/web": ("subnets",)}
    assert (of(recording, "getVpc").line, of(recording, "getVpc").state) == (7, "stand-in")


def test_only_what_stands_in_is_replaced(run):
    """A number that has the digits of the account inside is another one."""
    recording = run(STANDS_IN + 'aws.s3.Bucket("other", bucket="a1000000000000", tags={"a": "x000000000000y"})\n')
    other = next(r for r in recording.of_type("aws:s3/bucket:Bucket") if r.name == "other")
    assert other.inputs["bucket"] == "a1000000000000"
    assert other.inputs["tags"] == {"a": "x000000000000y"}


UNKNOWN = """
import pulumi, pulumi_aws as aws, pulumi_eks as eks
vpc = aws.ec2.get_vpc_output(default=True)
subnets = aws.ec2.get_subnets_output(filters=[{"name": "vpc-id", "values": [vpc.id]}])
vpc.apply(lambda found: 1 / 0)
aws.eks.Cluster("c", role_arn="arn:aws:iam::111122223333:role/c", vpc_config={"subnet_ids": subnets.ids})
net = pulumi.StackReference("org/net/prod")
aws.ec2.SecurityGroup("db", vpc_id=net.require_output("vpc_id"))
shared = aws.ec2.Vpc.get("shared", "vpc-0abc")
aws.ec2.Subnet("s", vpc_id=shared.id, cidr_block=shared.cidr_block)
cluster = eks.Cluster("e")
aws.ssm.Parameter("k", type="String", value=cluster.get_kubeconfig(profile_name="x"))
"""


def test_an_output_without_an_answer_stays_unknown(run):
    """Also of what is asked with it; functions of it do not run. Stacks, resources that exist and methods are the same."""
    recording = run(UNKNOWN)
    assert lacking(recording, "getVpc") == {"Cluster/c": ("vpcConfig",)}
    assert lacking(recording, "org/net/prod") == {"SecurityGroup/db": ("vpcId",)}
    assert lacking(recording, "vpc-0abc") == {"Subnet/s": ("cidrBlock",)}
    assert lacking(recording, "getKubeconfig") == {"Parameter/k": ("value",)}
    [subnet] = recording.of_type("aws:ec2/subnet:Subnet")
    assert subnet.inputs["vpcId"] == "vpc-0abc"
    [cluster] = recording.of_type("aws:eks/cluster:Cluster")
    assert not any("LookUp" in urn for urn in cluster.request.dependencies)
    assert not any("LookUp" in urn for of_input in cluster.request.propertyDependencies.values() for urn in of_input.urns)
    assert (of(recording, "getVpc").line, of(recording, "getKubeconfig").line) == (3, 12)


def test_answers_of_the_stack_come_first(run):
    """By hand, in the spelling of YAML too: the first that fits the arguments. Of a stack the outputs, secret ones hidden."""
    lookups = {
        "functions": [
            {"function": "aws:ec2:getVpc", "arguments": {"default": True}, "result": {"id": "vpc-01"}},
            {"function": "aws:ec2/getVpc:getVpc", "result": {"id": "vpc-02"}},
            {"function": "aws:getRegion", "result": {"region": "mars-1"}},
        ],
        "resources": [{"type": "aws:ec2:Vpc", "id": "vpc-0abc", "outputs": {"cidrBlock": "10.1.0.0/16"}}],
        "stacks": {"org/net/prod": {"vpc_id": "vpc-09", "token": "[secret]"}},
    }
    source = UNKNOWN.replace("vpc.apply(lambda found: 1 / 0)", "")
    source += 'pulumi.export("seen", [vpc.id, aws.ec2.get_vpc(id="vpc-7").id, aws.get_region().region])\n'
    recording = run(source, lookups=lookups)
    assert recording.exports["seen"] == ["vpc-01", "vpc-02", "mars-1"]
    [group] = recording.of_type("aws:ec2/securityGroup:SecurityGroup")
    assert group.inputs["vpcId"] == "vpc-09"
    [subnet] = recording.of_type("aws:ec2/subnet:Subnet")
    assert subnet.inputs["cidrBlock"] == "10.1.0.0/16"
    assert of(recording, "org/net/prod").source == "stacks.org/net/prod"


CLUSTER = """
from pulumi_cutlist.aws import Cluster
plane = {"cluster_name": "shop", "account_id": "111122223333", "region": "eu-west-1", "version": "1.35"}
plane |= {"subnet_ids": ["subnet-a", "subnet-b"], "zones": ["eu-west-1a", "eu-west-1b"]}
plane |= {"admins": {"ci": "arn:aws:iam::111122223333:role/ci"}}
Cluster("shop", {"control_plane": plane})
"""


def test_versions_of_add_ons_in_a_cluster_are_those_of_the_stack(run):
    """A component asks for what has an answer, and leaves the choice to EKS for what has none."""
    answer = {
        "function": "aws:eks:getAddonVersion",
        "arguments": {"addonName": "coredns", "kubernetesVersion": "1.35"},
        "result": {"version": "v1.13.2-eksbuild.1"},
    }
    for answers, wanted in ([answer], "v1.13.2-eksbuild.1"), ([], None):
        recording = run(CLUSTER, lookups={"functions": answers})
        made = [of_type.inputs for of_type in recording.of_type("aws:eks/addon:Addon")]
        versions = {inputs["addonName"]: inputs.get("addonVersion") for inputs in made}
        assert versions.pop("coredns") == wanted
        assert versions
        assert not any(versions.values())
        assert len(shown_look_ups(recording)) == len(answers)


def test_an_answer_that_nothing_asks_for_is_named_with_what_may_be_meant(run):
    answers = [
        {"function": "aws:eks:getAddonVersions", "result": {}},
        {"function": "aws:ec2:getVpc", "result": {}},
        {"function": "aws:eks:getAddonVersion", "result": {"version": "v1.13.2-eksbuild.1"}},
    ]
    assert run(CLUSTER, lookups={"functions": answers}).book.unasked == [
        "functions[0]: the program does not look this up; did you mean aws:eks:getAddonVersion?",
        "functions[1]: the program does not look this up",
    ]


def test_mistakes_in_lookups_are_named(run):
    with pytest.raises(InputError) as error:
        run("import pulumi\n", lookups={"functions": [{"function": "", "reslt": {}}], "stacks": []})
    assert {problem.place.path for problem in error.value.problems} >= {"functions[0].reslt", "stacks"}


def test_azure_says_who_asks_from_its_configuration(run):
    source = """
import pulumi, pulumi_azure_native as azure
me = azure.authorization.get_client_config()
pulumi.export("me", [me.subscription_id, me.tenant_id])
azure.resources.ResourceGroup("rg", tags={"by": me.object_id})
"""
    recording = run(source, {"azure-native:subscriptionId": "s-1"})
    assert recording.exports["me"][0] == "s-1"
    assert isinstance(recording.exports["me"][1], Unknown)
    assert lacking(recording, "getClientConfig") == {"ResourceGroup/rg": ("tags",), "outputs": ("me",)}


DECODED = """
import base64, json, pulumi, pulumi_aws as aws, pulumi_azure_native as azure, pulumi_kubernetes as k8s
cluster = {"resource_group_name": "shop", "resource_name": "blue"}
found = azure.containerservice.list_managed_cluster_user_credentials(**cluster)
k8s.Provider("blue", kubeconfig=base64.b64decode(found.kubeconfigs[0].value).decode())
token = aws.ecr.get_authorization_token(region="eu-west-1").authorization_token
user, password = base64.b64decode(token).decode().split(":")
aws.ssm.Parameter("registry", type="String", value=password)
offers = json.loads(aws.pricing.get_product(service_code="AmazonEC2", filters=[]).result)
made = azure.containerservice.get_managed_cluster(**cluster)
group = azure.resources.get_resource_group(resource_group_name="shop")
pulumi.export("seen", [user, offers, made.name, group.name, group.location])
"""


def test_what_stands_in_can_be_decoded_and_is_unknown_then(run):
    """A kubeconfig, the password of a registry, a price list. The name of what Azure is asked for is that of the arguments."""
    recording = run(DECODED)
    user, offers, cluster, group, location = recording.exports["seen"]
    assert (user, offers, cluster, group) == ("AWS", {}, "blue", "shop")
    assert isinstance(location, Unknown)
    assert lacking(recording, "listManagedClusterUserCredentials") == {"kubernetes/blue": ("kubeconfig",)}
    assert lacking(recording, "getAuthorizationToken") == {"Parameter/registry": ("value",)}


DOCUMENT = """
import pulumi, pulumi_aws as aws
statements = [aws.iam.GetPolicyDocumentStatementArgs(
    actions=["sts:AssumeRole"],
    principals=[aws.iam.GetPolicyDocumentStatementPrincipalArgs(type="Service", identifiers=["ec2.amazonaws.com"])],
)]
aws.iam.Role("node", assume_role_policy=aws.iam.get_policy_document(statements=statements).json)
bucket = aws.s3.Bucket("b")
late = aws.iam.get_policy_document_output(statements=[{"actions": ["s3:*"], "resources": [bucket.arn]}])
aws.iam.Policy("late", policy=late.json)
"""


def test_a_policy_document_is_computed(run):
    """At once, and unknown where its arguments are: that is nobody's lack but the resource's that they wait for."""
    recording = run(DOCUMENT)
    [role] = recording.of_type("aws:iam/role:Role")
    [statement] = json.loads(role.inputs["assumeRolePolicy"])["Statement"]
    assert statement["Principal"] == {"Service": "ec2.amazonaws.com"}
    [policy] = recording.of_type("aws:iam/policy:Policy")
    assert isinstance(policy.inputs["policy"], Unknown)
    assert "getPolicyDocument" not in str([of_one for of_one in shown_look_ups(recording) if of_one.is_open])


@pytest.mark.parametrize(
    ("name", "is_there"),
    [
        ("/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/standard/recommended/image_id", True),
        ("/aws/service/eks/optimized-ami/1.32/amazon-linux-2/recommended/image_id", True),
        ("/aws/service/eks/optimized-ami/1.33/amazon-linux-2/recommended/image_id", False),
        ("/aws/service/bottlerocket/aws-k8s-1.35/arm64/latest/image_id", True),
        ("/shop/database", True),
    ],
)
def test_the_parameter_of_an_image_that_there_is_not_fails_as_in_an_account(run, name, is_there):
    """Amazon Linux 2 has no images for Kubernetes 1.33. The id of one that there is stands in."""
    source = f'import pulumi_aws as aws\nfound = aws.ssm.get_parameter(name="{name}").value\n'
    source += 'aws.ec2.Instance("i", ami=found, instance_type="t3.micro")\n'
    if not is_there:
        with pytest.raises(Exception, match=r"no images of AL2 for Kubernetes 1\.33"):
            run(source)
        return
    recording = run(source)
    assert lacking(recording, "getParameter") == {"Instance/i": ("ami",)}
    assert of(recording, "getParameter").stand_ins[0].startswith("ami-0" if "image_id" in name else "unknown-value-")


def test_arguments_that_a_provider_refuses_fail_the_program(run):
    source = 'import pulumi_aws as aws\naws.iam.get_policy_document(statements=[{"effect": "Maybe"}])\n'
    with pytest.raises(Exception, match="getPolicyDocument failed: expected effect to be one of"):
        run(source)
